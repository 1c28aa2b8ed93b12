//! The leftovers of killed runs: files with names like `.sevenbit-a1B2c3` that no process writes
//! any more.

use std::fs::{self, DirEntry};
use std::path::Path;

use super::lock::lock;
use super::own;
use super::temporary::PREFIX;

/// How deep to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The files of a directory.
    Directory,
    /// Also those of the directories in it.
    Tree,
}

/// Removes them. Files that cannot be examined or removed stay: they do no harm.
pub fn remove_leftovers(directory: &Path, depth: Depth) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_directory && depth == Depth::Tree {
            remove_leftovers(&entry.path(), depth);
        } else if !is_directory && is_leftover(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_leftover(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let unique = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).unwrap_or_default();
    let is_named = unique.len() == 6 && unique.bytes().all(|octet| octet.is_ascii_alphanumeric());
    // A run that is still working on it holds the lock.
    is_named && own::read(&entry.path()).is_ok_and(|file| lock(&file))
}
