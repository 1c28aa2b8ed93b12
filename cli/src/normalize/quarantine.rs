//! `--quarantine`: copies of messages that were kept as they were, or over a limit, for a person to
//! look at.

use std::fs::{self, Permissions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::exit::Failure;
use crate::input::Item;
use crate::output::AtomicFile;

/// The directory, if one was given. It is created when needed.
pub struct Quarantine {
    directory: Option<PathBuf>,
    /// The permissions of copies.
    permissions: Option<Permissions>,
}

impl Quarantine {
    /// Copies go to `directory`, with these permissions.
    pub fn new(directory: Option<PathBuf>, permissions: Option<Permissions>) -> Self {
        Self { directory, permissions }
    }

    /// Copies a message, under a name made from its octets: a message that occurs twice is copied
    /// once.
    ///
    /// # Errors
    /// The copy cannot be written.
    pub fn put(&self, item: &Item, mut message: impl Read + Seek) -> Result<(), Failure> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let failed = |error: io::Error| Failure::reading(&item.called(), &error);
        fs::create_dir_all(directory).map_err(|error| Failure::creating(directory, &error))?;
        let mut hash = Hash(Sha256::new());
        message.rewind().and_then(|()| io::copy(&mut message, &mut hash)).map_err(failed)?;
        let digest: String =
            hash.0.finalize().iter().take(8).map(|octet| format!("{octet:02x}")).collect();
        message.rewind().map_err(failed)?;
        let name = item.name.file_name().unwrap_or_default().to_string_lossy();
        let number = item.number().map(|number| format!("{number}-")).unwrap_or_default();
        let name = format!("{name}-{number}{digest}.eml");
        let path = directory.join(&name);
        let mut file = AtomicFile::beneath(
            directory,
            Path::new(&name),
            self.permissions.as_ref(),
            |_| Ok(()),
        )?;
        io::copy(&mut message, &mut file)
            .and_then(|_| file.commit())
            .map(drop)
            .map_err(|error| Failure::writing(&path, &error))
    }
}

/// Feeds its input to the digest.
struct Hash(Sha256);

impl Write for Hash {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.0.update(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
