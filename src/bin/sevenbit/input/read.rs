//! The one place where messages are read.

use std::fs::{File, Metadata};
use std::io::{self, Cursor, IsTerminal, Read};
use std::mem;
use std::path::Path;

use super::Item;
use super::item::Source;
use super::kind::holds_more;
use super::packed::{Packing, Unpacked, open, unpack};
use crate::exit::{Exit, Failure};
use crate::term::Console;

/// A message in memory.
#[derive(Debug)]
pub struct Octets {
    /// All of it.
    pub message: Vec<u8>,
    /// The file that it came from: who may read it, so that nobody else may read what is made of it; its times.
    pub file: Option<Metadata>,
}

/// Reads a message whole, if it has no more than `max` octets.
pub fn read(item: &mut Item, max: usize, console: &Console) -> Result<Octets, Failure> {
    match &mut item.source {
        Source::Stdin(found) => stdin(found.take(), max, console),
        Source::File(path) => file(path, max),
        Source::Packed(path) => packed(path, max),
        Source::Octets(octets) => Ok(Octets { message: mem::take(octets), file: None }),
    }
}

/// Reads a stream to its end.
fn read_all(from: impl Read, max: usize, path: &Path) -> Result<Vec<u8>, Failure> {
    let mut message = Vec::new();
    let read = from.take((max as u64).saturating_add(1)).read_to_end(&mut message);
    read.map_err(|error| Failure::reading(path, &error))?;
    if message.len() > max { Err(Failure::too_long(path)) } else { Ok(message) }
}

fn packed(path: &Path, max: usize) -> Result<Octets, Failure> {
    let failed = |error: io::Error| Failure::reading(path, &error);
    let file = path.metadata().map_err(failed)?;
    let message = read_all(open(path).map_err(failed)?.into_stream(), max, path)?;
    Ok(Octets { message, file: Some(file) })
}

fn stdin(found: Option<Unpacked>, max: usize, console: &Console) -> Result<Octets, Failure> {
    let path = Path::new("standard input");
    let Some(found) = found else {
        let input = io::stdin().lock();
        if input.is_terminal() {
            console.say("reading a message from the terminal; Ctrl-D ends it");
        }
        return Ok(Octets { message: read_all(input, max, path)?, file: None });
    };
    let message = read_all(found.into_stream(), max, path)?;
    one_only(&message, path)?;
    Ok(Octets { message, file: None })
}

/// What was taken for one message must be one.
fn one_only(message: &[u8], path: &Path) -> Result<(), Failure> {
    if !holds_more(message) {
        return Ok(());
    }
    let reason = "holds several messages, or is packed twice: say what it is with `--format`";
    Err(Failure::new(Exit::Refused, path, reason))
}

fn file(path: &Path, max: usize) -> Result<Octets, Failure> {
    let failed = |error: io::Error| Failure::reading(path, &error);
    let mut file = File::open(path).map_err(failed)?;
    let before = file.metadata().map_err(failed)?;
    let mut message = Vec::new();
    let expected = usize::try_from(before.len()).unwrap_or(usize::MAX);
    if expected > max {
        return Err(Failure::too_long(path));
    }
    // One octet more than expected, so that the end is seen without growing.
    message
        .try_reserve_exact(expected.saturating_add(1))
        .map_err(|_| failed(io::Error::from(io::ErrorKind::OutOfMemory)))?;
    // A pipe has no length that it says.
    file.by_ref().take((max as u64).saturating_add(1)).read_to_end(&mut message).map_err(failed)?;
    if message.len() > max {
        return Err(Failure::too_long(path));
    }
    if before.is_file() && !is_same(&before, &file.metadata().map_err(failed)?, message.len() as u64) {
        return Err(changed(path));
    }
    // Its name did not say so, but no mail begins like that.
    if Packing::of_octets(&message) != Packing::None {
        let found = unpack(Cursor::new(mem::take(&mut message))).map_err(failed)?;
        message = read_all(found.into_stream(), max, path)?;
        one_only(&message, path)?;
    }
    Ok(Octets { message, file: before.is_file().then_some(before) })
}

pub(super) fn changed(path: &Path) -> Failure {
    Failure::new(Exit::TryAgain, path, "changed while it was read")
}

/// Whether a file that was looked at before and after reading `length` octets was one thing all the time.
pub(super) fn is_same(before: &Metadata, after: &Metadata, length: u64) -> bool {
    before.len() == after.len() && after.len() == length && before.modified().ok() == after.modified().ok()
}
