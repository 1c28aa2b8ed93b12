//! The one place where messages are read.

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use super::Item;
use super::item::Source;
use super::kind::holds_more;
use super::packed::{Unpacked, open};
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

/// Reads a message whole.
pub fn read(item: &mut Item, console: &Console) -> Result<Octets, Failure> {
    match &mut item.source {
        Source::Stdin(found) => stdin(found.take(), console),
        Source::File(path) => file(path),
        Source::Packed(path) => packed(path),
        Source::Octets(octets) => Ok(Octets { message: std::mem::take(octets), file: None }),
    }
}

fn packed(path: &Path) -> Result<Octets, Failure> {
    let failed = |error: io::Error| Failure::reading(path, &error);
    let file = path.metadata().map_err(failed)?;
    let mut message = Vec::new();
    open(path).and_then(|found| found.into_stream().read_to_end(&mut message)).map_err(failed)?;
    Ok(Octets { message, file: Some(file) })
}

fn stdin(found: Option<Unpacked>, console: &Console) -> Result<Octets, Failure> {
    let failed = |error: io::Error| Failure::reading(Path::new("standard input"), &error);
    let mut message = Vec::new();
    let Some(found) = found else {
        let mut input = io::stdin().lock();
        if input.is_terminal() {
            console.tell("reading a message from the terminal; Ctrl-D ends it");
        }
        input.read_to_end(&mut message).map_err(failed)?;
        return Ok(Octets { message, file: None });
    };
    found.into_stream().read_to_end(&mut message).map_err(failed)?;
    if holds_more(&message) {
        let reason = "holds several messages, or is packed twice: say what it is with `--format`";
        return Err(Failure::new(Exit::Refused, Path::new("standard input"), reason));
    }
    Ok(Octets { message, file: None })
}

fn file(path: &Path) -> Result<Octets, Failure> {
    let failed = |error: io::Error| Failure::reading(path, &error);
    let mut file = File::open(path).map_err(failed)?;
    let before = file.metadata().map_err(failed)?;
    let mut message = Vec::new();
    let expected = usize::try_from(before.len()).unwrap_or(usize::MAX);
    // One octet more than expected, so that the end is seen without growing.
    message
        .try_reserve_exact(expected.saturating_add(1))
        .map_err(|_| failed(io::Error::from(io::ErrorKind::OutOfMemory)))?;
    file.read_to_end(&mut message).map_err(failed)?;
    if before.is_file() && !is_same(&before, &file.metadata().map_err(failed)?, message.len() as u64) {
        return Err(changed(path));
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
