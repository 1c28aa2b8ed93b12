//! A large output that is written over hours: the part already written stays when the job is
//! interrupted, so that `--resume` continues it. It gets its name once it is whole.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::journal::Reached;
use super::lock::lock;
use super::origin::Origin;
use super::own;
use crate::exit::{Exit, Failure};

/// How many octets are written at a time: fewer than are processed together, as when reading.
const BUFFER: usize = 64 << 10;

/// An output, as far as it is written, in `.NAME.sevenbit-part` beside its place.
#[derive(Debug)]
pub struct Resumable {
    file: BufWriter<File>,
    length: u64,
    path: PathBuf,
    place: PathBuf,
}

impl Resumable {
    /// How many octets of the output at `place` an earlier run has left.
    pub fn left(place: &Path) -> u64 {
        own::length(&companion(place, "part")).unwrap_or_default()
    }

    /// Continues after `length` octets of the output at `place`.
    ///
    /// # Errors
    /// The file cannot be created, it has fewer octets, or another run is writing it.
    pub fn open(
        place: &Path,
        length: u64,
        permissions: Option<&Permissions>,
    ) -> Result<Self, Failure> {
        let path = companion(place, "part");
        let failed = |error: io::Error| Failure::creating(place, &error);
        let mut file = own::create_or_open(&path, permissions.is_some()).map_err(failed)?;
        if !lock(&file) {
            return Err(Failure::new(Exit::TryAgain, place, "another run is writing it"));
        }
        let found = file.metadata().map_err(failed)?.len();
        if found < length {
            return Err(Failure::new(
                Exit::TryAgain,
                place,
                "is shorter than its journal says; run it again",
            ));
        }
        file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length))).map_err(failed)?;
        let replaced = fs::metadata(place).ok().map(|found| found.permissions());
        if let Some(permissions) = replaced.or_else(|| permissions.map(writable)) {
            // A file system without permissions has none to keep.
            let _ = file.set_permissions(permissions);
        }
        Ok(Self {
            file: BufWriter::with_capacity(BUFFER, file),
            length,
            path,
            place: place.to_owned(),
        })
    }

    /// Flushes everything to the system; returns its length, and the file to be synced.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn reached(&mut self) -> io::Result<Reached> {
        self.file.flush()?;
        Ok(Reached { length: self.length, file: Some(self.file.get_ref().try_clone()?) })
    }

    /// Gives it the time and the owner of the file that it is made from.
    ///
    /// # Errors
    /// The file cannot be written, or has no time.
    pub fn take_from(&mut self, origin: &Origin) -> io::Result<()> {
        self.file.flush()?;
        origin.give_to(self.file.get_ref())
    }

    /// Removes what is written of it.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn discard(&mut self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// The file cannot be written to its end or renamed.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        fs::rename(&self.path, &self.place)
    }
}

impl Write for Resumable {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.file.write(octets)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The hidden file of this kind beside `place`.
pub fn companion(place: &Path, kind: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(".sevenbit-");
    name.push(kind);
    place.with_file_name(name)
}

/// These permissions, to read and write; the owner may always write a file in progress.
#[cfg(unix)]
fn writable(permissions: &Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    Permissions::from_mode(permissions.mode() & 0o666 | 0o600)
}

#[cfg(not(unix))]
fn writable(permissions: &Permissions) -> Permissions {
    permissions.clone()
}
