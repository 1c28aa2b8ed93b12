//! Messages that are too large to be read whole if that can be avoided.

use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader};

use memchr::memchr;
use sevenbit::Abridged;

use super::Item;
use super::item::Source;
use super::packed::Packing;
use super::read::{Octets, changed, is_same};
use crate::exit::Failure;

/// A message that is so large is neither read nor made whole if that can be avoided.
pub const LARGE: usize = 8 << 20;

/// A large message, in its file.
#[derive(Debug)]
pub struct Large {
    /// What is in memory of it.
    pub message: Abridged<File>,
    /// The file.
    pub file: Metadata,
}

impl Large {
    /// Reads a message, if it is a file and large.
    pub fn read(item: &Item) -> Option<Result<Self, Failure>> {
        let Source::File(path) = &item.source else { return None };
        let is_large = |file: &Metadata| file.is_file() && file.len() >= LARGE as u64;
        let file = File::open(path).ok()?;
        let before = file.metadata().ok().filter(is_large)?;
        let read = || {
            let message = Abridged::read(file)?;
            Ok((message, path.metadata()?))
        };
        Some(match read() {
            // It is packed, whatever its name: it is unpacked whole.
            Ok((message, _)) if Packing::of_octets(message.head()) != Packing::None => return None,
            Err(error) => Err(Failure::reading(path, &error)),
            Ok((message, after)) if is_same(&before, &after, message.length()) => {
                Ok(Self { message, file: before })
            }
            Ok(_) => Err(changed(path)),
        })
    }

    /// All of it in memory.
    ///
    /// # Errors
    /// It cannot be read, or is not what it was.
    pub fn into_whole(self, item: &Item, max: usize) -> Result<Octets, Failure> {
        if self.message.length() > max as u64 {
            return Err(Failure::too_long(&item.name));
        }
        match self.message.into_whole() {
            Ok(message) => Ok(Octets { message, file: Some(self.file) }),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(changed(&item.name)),
            Err(error) => Err(Failure::reading(&item.name, &error)),
        }
    }
}

/// Whether there is any CR in the file of a message.
///
/// # Errors
/// It cannot be read.
pub fn has_cr(item: &Item) -> io::Result<bool> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(&item.name)?);
    loop {
        let octets = file.fill_buf()?;
        let length = octets.len();
        if length == 0 || memchr(b'\r', octets).is_some() {
            return Ok(length > 0);
        }
        file.consume(length);
    }
}
