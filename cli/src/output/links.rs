//! Files with several names (hard links) that are replaced in place: a name of a file that was
//! replaced under another name becomes a name of the new file.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::Metadata;
use std::path::PathBuf;

/// A file that was replaced under its first name.
#[derive(Clone, Debug)]
pub struct Replaced {
    /// The directory of the INPUT, that of the file below it, its name.
    pub place: (PathBuf, PathBuf, OsString),
    /// The new file.
    pub file: Id,
    /// The length of the old file and the time when it was written, since another file may get its
    /// number.
    before: (u64, Option<std::time::SystemTime>),
    /// The path of the old file, for messages.
    path: PathBuf,
    /// The number of names of the old file that are not replaced yet.
    left: u64,
}

/// The device and the number of a file.
pub type Id = (u64, u64);

/// The files that were replaced and had several names.
#[derive(Debug, Default)]
pub struct Links(HashMap<Id, Replaced>);

impl Links {
    /// Returns the file that another name of this one was replaced with.
    pub fn replaced(&self, before: &Metadata) -> Option<&Replaced> {
        let found = self.0.get(&id(before)?)?;
        (found.before == (before.len(), before.modified().ok())).then_some(found)
    }

    /// Notes that a file was replaced under its first name.
    pub fn note(
        &mut self,
        before: &Metadata,
        file: &Metadata,
        place: (PathBuf, PathBuf, OsString),
        path: PathBuf,
    ) {
        let (Some(old), Some(file)) = (id(before), id(file)) else { return };
        let left = names(before).saturating_sub(1);
        if left > 0 {
            let before = (before.len(), before.modified().ok());
            self.0.insert(old, Replaced { place, file, before, path, left });
        }
    }

    /// Notes that another name of a file was replaced.
    pub fn joined(&mut self, before: &Metadata) {
        if let Some(found) = id(before).and_then(|id| self.0.get_mut(&id)) {
            found.left = found.left.saturating_sub(1);
        }
    }

    /// The files of which other names have what they were before, in the order of their paths, and
    /// how many names.
    pub fn cut(&self) -> Vec<(PathBuf, u64)> {
        let left = self.0.values().filter(|found| found.left > 0);
        let mut cut: Vec<_> = left.map(|found| (found.path.clone(), found.left)).collect();
        cut.sort();
        cut
    }
}

/// The device and the number of a file; nothing on systems where files have one name.
#[cfg(unix)]
pub fn id(file: &Metadata) -> Option<Id> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
pub fn id(_file: &Metadata) -> Option<Id> {
    None
}

#[cfg(unix)]
fn names(file: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(file)
}

#[cfg(not(unix))]
fn names(_file: &Metadata) -> u64 {
    1
}
