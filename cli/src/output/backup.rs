//! Files as they were before they are replaced, each under its own path in a directory.

use std::fs::{self, File};
use std::io::{self, BufReader, Seek as _};
use std::path::Path;

use super::atomic_file::AtomicFile;
use super::existing::has_octets;
use super::origin::Origin;
use super::protected::Protected;
use crate::exit::Failure;
use crate::input::Item;
use crate::place::numbered;

/// Copies a file into the directory `root`, under the first of its names that no other file has:
/// what is there is of an earlier run, or of another directory. A run that was killed may have kept
/// these octets already.
///
/// # Errors
/// The file cannot be read, or its copy not written.
pub fn keep(root: &Path, item: &Item, protected: &Protected) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::reading(&item.name, &error);
    let mut from = File::open(&item.name).map_err(failed)?;
    let found = from.metadata().map_err(failed)?;

    for relative in numbered(&item.relative) {
        let path = root.join(&relative);
        if fs::symlink_metadata(&path).is_ok() {
            from.rewind().map_err(failed)?;
            if has_octets(&path, BufReader::new(&from), found.len()) {
                return Ok(());
            }
            continue;
        }

        let mut copy = AtomicFile::beneath(root, &relative, Some(&found.permissions()), |place| {
            protected.admits(&path, place)
        })?;
        let copied = from.rewind().and_then(|()| io::copy(&mut from, &mut copy));
        let copied = copied.and_then(|_| copy.take_from(&Origin::of(&found))).and_then(|()| {
            // A file system without modes has none to keep.
            let _ = copy.take_mode(&found);
            copy.commit()
        });
        return copied.map(drop).map_err(|error| Failure::writing(&path, &error));
    }
    Err(Failure::creating(&root.join(&item.relative), &io::ErrorKind::AlreadyExists.into()))
}
