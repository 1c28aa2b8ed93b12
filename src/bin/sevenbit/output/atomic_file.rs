//! Files that appear whole or not at all: written under a hidden name in the same directory, then renamed.

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::temporary::Temporary;
use crate::exit::Failure;
use crate::place::{Place, locate};

/// A file being written. Dropped without [`commit`](Self::commit), it leaves no trace.
#[derive(Debug)]
pub struct AtomicFile {
    file: BufWriter<File>,
    place: PathBuf,
    /// None for a device, which is written directly.
    temporary: Option<Temporary>,
}

impl AtomicFile {
    /// Begins the file that `path` leads to, if `admit` lets it be written there. It gets the permissions of
    /// the file that it replaces, else those given.
    ///
    /// # Errors
    /// It cannot be created there.
    pub fn create(
        path: &Path,
        permissions: Option<&Permissions>,
        admit: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::creating(path, &error);
        match locate(path).map_err(failed)? {
            Place::Device(place) => {
                let file = File::options().append(true).open(&place).map_err(failed)?;
                Ok(Self { file: BufWriter::new(file), place, temporary: None })
            }
            Place::File(place) => {
                admit(&place)?;
                let (file, temporary) = Temporary::beside(&place, permissions).map_err(failed)?;
                Ok(Self { file: BufWriter::with_capacity(1 << 16, file), place, temporary: Some(temporary) })
            }
        }
    }

    /// Where it will be, all links resolved.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Gives it its name, replacing any file of that name; returns the place.
    ///
    /// # Errors
    /// It cannot be written to its end or renamed.
    pub fn commit(mut self) -> io::Result<PathBuf> {
        self.file.flush()?;
        if let Some(temporary) = self.temporary.take() {
            temporary.rename(&self.place)?;
        }
        Ok(self.place)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
