//! Messages that are longer than may be held in memory: in their file, or in a temporary one that
//! has no name.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use crate::exit::Failure;

/// A message that is not held.
#[derive(Debug)]
pub struct Long {
    /// The file that contains all of it.
    pub file: File,
    /// Its length in octets.
    pub length: u64,
    /// The file that it came from, if it was one.
    pub from: Option<Metadata>,
}

impl Long {
    /// The message that is the file at `path`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let open = || {
            let file = File::open(path)?;
            let from = file.metadata()?;
            Ok(Self { file, length: from.len(), from: Some(from) })
        };
        open().map_err(|error| Failure::reading(path, &error))
    }

    /// Its first octets, at most this many.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn first(&mut self, octets: usize) -> io::Result<Vec<u8>> {
        let mut first = Vec::new();
        self.file.rewind()?;
        (&mut self.file).take(octets as u64).read_to_end(&mut first)?;
        self.file.rewind()?;
        Ok(first)
    }

    /// The file once more, from its beginning. Only one of both is read at a time.
    ///
    /// # Errors
    /// The system has no more files.
    pub fn reopened(&self) -> io::Result<File> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        Ok(file)
    }

    /// A message that comes in a stream after `first`, its beginning.
    ///
    /// # Errors
    /// Those of the stream, and of the temporary file.
    pub fn spooled(first: &[u8], mut rest: impl Read) -> io::Result<Self> {
        let mut file = tempfile::tempfile()?;
        file.write_all(first)?;
        io::copy(&mut rest, &mut file)?;
        let length = file.stream_position()?;
        file.rewind()?;
        Ok(Self { file, length, from: None })
    }
}
