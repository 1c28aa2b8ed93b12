//! Messages that are too large to be read whole if that can be avoided.

use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Seek};

use memchr::memchr;
use sevenbit::Abridged;

use super::Item;
use super::item::MailSource;
use super::long::Long;
use super::packed::Packing;
use super::read::{Octets, Taken, changed, is_same};
use crate::exit::Failure;

/// A message of this length is neither read nor built whole if that can be avoided.
pub const LARGE: usize = 8 << 20;

/// A large message, in its file.
#[derive(Debug)]
pub struct Large {
    /// The part of it that is in memory.
    pub message: Abridged<File>,
    /// The file.
    pub file: Metadata,
}

impl Large {
    /// Reads a message, if it is a file and large, and the part that has to be held is not too
    /// large.
    pub fn read(item: &Item, max: usize) -> Option<Result<Self, Failure>> {
        let MailSource::File(path) = &item.source else { return None };
        let is_large = |file: &Metadata| file.is_file() && file.len() >= LARGE as u64;
        let file = File::open(path).ok()?;
        let before = file.metadata().ok().filter(is_large)?;
        let read = || -> io::Result<_> {
            let message = Abridged::read_within(file, max)?;
            Ok((message, path.metadata()?))
        };
        Some(match read() {
            // A packed file, whatever its name, is unpacked whole.
            Ok((message, _)) if Packing::of_octets(message.head()) != Packing::None => return None,
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return None,
            Err(error) => Err(Failure::reading(path, &error)),
            Ok((message, after)) if is_same(&before, &after, message.length()) => {
                Ok(Self { message, file: before })
            }
            Ok(_) => Err(changed(path)),
        })
    }

    /// Reads all of it into memory, if it is not too long.
    ///
    /// # Errors
    /// The message cannot be read, or has changed.
    pub fn into_whole(self, item: &Item, max: usize) -> Result<Taken, Failure> {
        if self.message.length() > max as u64 {
            return Long::open(&item.name).map(Taken::Long);
        }
        match self.message.into_whole() {
            Ok(message) => Ok(Taken::Whole(Octets { message, file: Some(self.file) })),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(changed(&item.name)),
            Err(error) => Err(Failure::reading(&item.name, &error)),
        }
    }
}

/// Whether there is any CR in a message, from the beginning of its file.
///
/// # Errors
/// The file cannot be read.
pub fn has_cr(mut file: &File) -> io::Result<bool> {
    file.rewind()?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    loop {
        let octets = file.fill_buf()?;
        let length = octets.len();
        if length == 0 || memchr(b'\r', octets).is_some() {
            return Ok(length > 0);
        }
        file.consume(length);
    }
}
