//! The one place where messages are read.

use std::fs::{File, Metadata};
use std::io::{self, Cursor, IsTerminal, Read};
use std::mem;
use std::path::{Path, PathBuf};

use sevenbit_store::emlx::message_in;

use super::Item;
use super::apple::with_attachments;
use super::item::MailSource;
use super::kind::holds_more;
use super::long::Long;
use super::outlook;
use super::packed::{Packing, Unpacked, open, unpack};
use super::select::OutlookMail;
use crate::exit::{Exit, Failure};
use crate::term::Console;

/// A message in memory.
#[derive(Debug)]
pub struct Octets {
    /// All of it.
    pub message: Vec<u8>,
    /// The file that it came from: its permissions, so that no one else may read the output; its
    /// times.
    pub file: Option<Metadata>,
}

/// A message, in memory if it is not too long for that.
#[derive(Debug)]
pub enum Taken {
    /// The message fits.
    Whole(Octets),
    /// The message is too long.
    Long(Long),
}

/// Reads a message whole, if it has no more than `max` octets.
///
/// # Errors
/// The message cannot be read, or has more.
pub fn read(item: &mut Item, max: usize, console: &Console) -> Result<Octets, Failure> {
    match take(item, max, console)? {
        Taken::Whole(octets) => Ok(octets),
        Taken::Long(_) => Err(Failure::too_long(&item.called())),
    }
}

/// Reads a message, whole if it has no more than `max` octets.
///
/// # Errors
/// The message cannot be read.
pub fn take(item: &mut Item, max: usize, console: &Console) -> Result<Taken, Failure> {
    match mem::replace(&mut item.source, MailSource::Octets(Vec::new())) {
        MailSource::Stdin(found) => stdin(found, max, console),
        MailSource::File(path) => file(path, item, max),
        MailSource::Packed(path) => packed(path, item, max),
        MailSource::Emlx(path) => emlx(path, item, max),
        MailSource::Msg(source, outlook) => msg(*source, outlook, item, max, console),
        MailSource::Octets(message) => Ok(Taken::Whole(Octets { message, file: None })),
        MailSource::Long(long) => Ok(Taken::Long(*long)),
    }
}

/// How many octets of a stream are in memory before it is put into a file: memory that grows is
/// taken twice.
const GROWS: usize = 64 << 20;

/// Reads a stream to its end.
fn read_all(mut from: impl Read, max: usize, path: &Path) -> Result<Taken, Failure> {
    let read = || {
        let mut message = Vec::new();
        let most = max.min(GROWS);
        from.by_ref().take((most as u64).saturating_add(1)).read_to_end(&mut message)?;
        if message.len() <= most {
            return Ok(Taken::Whole(Octets { message, file: None }));
        }
        let mut long = Long::spooled(&message, from)?;
        drop(message);
        let Some(length) = usize::try_from(long.length).ok().filter(|length| *length <= max) else {
            return Ok(Taken::Long(long));
        };
        let mut message = Vec::new();
        message
            .try_reserve_exact(length)
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        long.file.read_to_end(&mut message)?;
        Ok(Taken::Whole(Octets { message, file: None }))
    };
    read().map_err(|error: io::Error| Failure::reading(path, &error))
}

fn packed(path: PathBuf, item: &mut Item, max: usize) -> Result<Taken, Failure> {
    let failed = |error: io::Error| Failure::reading(&path, &error);
    let from = path.metadata().map_err(failed)?;
    let taken = read_all(open(&path).map_err(failed)?.into_stream(), max, &path)?.with(from);
    item.source = MailSource::Packed(path);
    Ok(taken)
}

/// Reads a message of Apple Mail, with its attachments.
fn emlx(path: PathBuf, item: &mut Item, max: usize) -> Result<Taken, Failure> {
    let taken = match file_at(&path, max)? {
        Taken::Whole(Octets { mut message, file }) => {
            let range = message_in(&message);
            message.truncate(range.end);
            message.drain(..range.start);
            let message = with_attachments(message, &path)
                .map_err(|error| Failure::reading(&path, &error))?;
            Taken::Whole(Octets { message, file })
        }
        Taken::Long(_) => {
            let reason = "is longer than `--max-message`, and a file of Apple Mail: it is left out";
            return Err(Failure::new(Exit::Refused, &path, reason));
        }
    };
    item.source = MailSource::Emlx(path);
    Ok(taken)
}

/// Reads a message of Outlook, as mail.
fn msg(
    source: MailSource,
    as_mail: OutlookMail,
    item: &mut Item,
    max: usize,
    console: &Console,
) -> Result<Taken, Failure> {
    item.source = source;
    let taken = take(item, max, console)?;
    item.source = MailSource::Msg(
        Box::new(mem::replace(&mut item.source, MailSource::Octets(Vec::new()))),
        as_mail,
    );

    let Taken::Whole(Octets { message, file }) = taken else {
        let reason = "is longer than `--max-message`, and a file of Outlook: it is left out";
        return Err(Failure::new(Exit::Refused, &item.called(), reason));
    };
    let (message, charsets) = outlook::message(&message, as_mail)
        .map_err(|why| Failure::new(Exit::Refused, &item.called(), why))?;
    item.charsets = charsets;
    Ok(Taken::Whole(Octets { message, file }))
}

fn stdin(found: Option<Unpacked>, max: usize, console: &Console) -> Result<Taken, Failure> {
    let path = Path::new("standard input");
    let Some(found) = found else {
        let input = io::stdin().lock();
        if input.is_terminal() {
            console.say("reading a message from the terminal; Ctrl-D ends it");
        }
        return read_all(input, max, path);
    };
    one_only(read_all(found.into_stream(), max, path)?, path)
}

impl Taken {
    /// Adds the file that it came from.
    fn with(mut self, from: Metadata) -> Self {
        match &mut self {
            Self::Whole(octets) => octets.file = Some(from),
            Self::Long(long) => long.from = Some(from),
        }
        self
    }
}

/// Checks that a single message is not in fact several.
fn one_only(taken: Taken, path: &Path) -> Result<Taken, Failure> {
    match &taken {
        Taken::Whole(octets) if holds_more(&octets.message) => {}
        _ => return Ok(taken),
    }
    let reason = "holds several messages, or is packed twice: say what it is with `--format`";
    Err(Failure::new(Exit::Refused, path, reason))
}

fn file(path: PathBuf, item: &mut Item, max: usize) -> Result<Taken, Failure> {
    let taken = file_at(&path, max);
    item.source = MailSource::File(path);
    taken
}

fn file_at(path: &Path, max: usize) -> Result<Taken, Failure> {
    let failed = |error: io::Error| Failure::reading(path, &error);
    let mut file = File::open(path).map_err(failed)?;
    let before = file.metadata().map_err(failed)?;
    let mut message = Vec::new();
    let expected = usize::try_from(before.len()).unwrap_or(usize::MAX);
    if before.is_file() && expected > max {
        let found = open(path).map_err(failed)?;
        return match found.packing {
            Packing::None => Long::open(path).map(Taken::Long),
            _ => Ok(one_only(read_all(found.into_stream(), max, path)?, path)?.with(before)),
        };
    }
    // One octet more than expected, so that the end is seen without growing.
    message
        .try_reserve_exact(expected.saturating_add(1))
        .map_err(|_| failed(io::Error::from(io::ErrorKind::OutOfMemory)))?;
    // A pipe does not know its length.
    file.by_ref().take((max as u64).saturating_add(1)).read_to_end(&mut message).map_err(failed)?;
    if message.len() > max {
        return Long::spooled(&message, file).map(Taken::Long).map_err(failed);
    }
    if before.is_file()
        && !is_same(&before, &file.metadata().map_err(failed)?, message.len() as u64)
    {
        return Err(changed(path));
    }
    // Its name did not say so, but no mail begins like that.
    let taken = if Packing::of_octets(&message) == Packing::None {
        Taken::Whole(Octets { message, file: None })
    } else {
        let found = unpack(Cursor::new(message)).map_err(failed)?;
        one_only(read_all(found.into_stream(), max, path)?, path)?
    };
    Ok(if before.is_file() { taken.with(before) } else { taken })
}

pub(super) fn changed(path: &Path) -> Failure {
    Failure::new(Exit::TryAgain, path, "changed while it was read")
}

/// Whether a file, examined before and after reading `length` octets, did not change.
pub(super) fn is_same(before: &Metadata, after: &Metadata, length: u64) -> bool {
    before.len() == after.len()
        && after.len() == length
        && before.modified().ok() == after.modified().ok()
}
