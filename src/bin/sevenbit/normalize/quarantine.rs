//! `--quarantine`: copies of messages that were kept as they were, for a person to look at.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::exit::Failure;
use crate::input::Item;
use crate::output::AtomicFile;

/// The directory, if one was given. It is made when it is needed.
pub struct Quarantine(Option<PathBuf>);

impl Quarantine {
    /// Copies go to `directory`.
    pub fn new(directory: Option<PathBuf>) -> Self {
        Self(directory)
    }

    /// Copies a message, under a name made from its octets: a message that comes twice is copied once.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&self, item: &Item, octets: &[u8]) -> Result<(), Failure> {
        let Some(directory) = &self.0 else { return Ok(()) };
        fs::create_dir_all(directory).map_err(|error| Failure::creating(directory, &error))?;
        let digest: String =
            Sha256::digest(octets).iter().take(8).map(|octet| format!("{octet:02x}")).collect();
        let name = item.name.file_name().unwrap_or_default().to_string_lossy();
        let number = item.position().map(|position| format!("{}-", position.number)).unwrap_or_default();
        let path = directory.join(format!("{name}-{number}{digest}.eml"));
        let mut file = AtomicFile::create(&path, None, |_| Ok(()))?;
        file.write_all(octets)
            .and_then(|()| file.commit())
            .map(drop)
            .map_err(|error| Failure::writing(&path, &error))
    }
}
