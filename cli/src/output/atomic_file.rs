//! Files that appear whole or not at all: written under a hidden name in the same directory, then
//! renamed.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::beneath::Beneath;
use super::origin::Origin;
use super::temporary::Temporary;
use crate::exit::Failure;
use crate::place::{PathState, locate, resolve};

/// How many octets are written at a time.
const BUFFER: usize = 1 << 16;

/// A file being written. Dropped without [`commit`](Self::commit), it leaves no trace.
#[derive(Debug)]
pub struct AtomicFile {
    file: BufWriter<File>,
    place: PathBuf,
    /// None for a device, which is written directly.
    temporary: Option<Temporary>,
    /// The directory that it is in, if no link may lead there.
    directory: Option<Beneath>,
}

impl AtomicFile {
    /// Begins the file that `path` leads to, if `admit` lets it be written there. It gets the
    /// permissions of the file that it replaces, else those given.
    ///
    /// # Errors
    /// The file cannot be created there.
    pub fn create(
        path: &Path,
        permissions: Option<&Permissions>,
        admit: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::creating(path, &error);
        match locate(path).map_err(failed)? {
            PathState::Device(place) => {
                let file = File::options().append(true).open(&place).map_err(failed)?;
                Ok(Self { file: BufWriter::new(file), place, temporary: None, directory: None })
            }
            PathState::File(place) => {
                admit(&place)?;
                let (file, temporary) = Temporary::beside(&place, permissions).map_err(failed)?;
                let file = BufWriter::with_capacity(BUFFER, file);
                Ok(Self { file, place, temporary: Some(temporary), directory: None })
            }
        }
    }

    /// Begins the file `relative` below the directory `root`, if `admit` lets it be written there;
    /// directories that are missing are created. No link below `root` is followed: one at its place
    /// is replaced.
    ///
    /// # Errors
    /// The file cannot be created there.
    pub fn beneath(
        root: &Path,
        relative: &Path,
        permissions: Option<&Permissions>,
        admit: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let path = root.join(relative);
        let failed = |error: io::Error| Failure::creating(&path, &error);
        let place = resolve(root).map_err(failed)?.join(relative);
        admit(&place)?;
        let name =
            relative.file_name().ok_or_else(|| failed(io::ErrorKind::InvalidInput.into()))?;
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        let directory =
            Beneath::enter(root, relative.parent().unwrap_or(Path::new(""))).map_err(failed)?;
        let (file, temporary) =
            Temporary::beneath(&directory, Some(name), permissions).map_err(failed)?;
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Self { file, place, temporary: Some(temporary), directory: Some(directory) })
    }

    /// Where it will be, all links resolved.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Gives it the time and the owner of the file that it is made from. A device keeps its own.
    ///
    /// # Errors
    /// The file cannot be written, or has no time.
    pub fn take_from(&mut self, origin: &Origin) -> io::Result<()> {
        self.file.flush()?;
        if self.temporary.is_some() { origin.give_to(self.file.get_ref()) } else { Ok(()) }
    }

    /// Gives it the mode of the file that it is a copy of.
    ///
    /// # Errors
    /// The file system has no such mode.
    pub fn take_mode(&mut self, from: &Metadata) -> io::Result<()> {
        self.file.get_ref().set_permissions(from.permissions())
    }

    /// Gives it its name, replacing any file of that name; returns the place.
    ///
    /// # Errors
    /// The file cannot be written to its end or renamed.
    pub fn commit(mut self) -> io::Result<PathBuf> {
        self.file.flush()?;
        match (self.temporary.take(), &self.directory) {
            (Some(temporary), Some(directory)) => {
                temporary.rename_beneath(
                    directory,
                    directory,
                    self.place.file_name().unwrap_or_default(),
                )?;
            }
            (Some(temporary), None) => temporary.rename(&self.place)?,
            (None, _) => {}
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
