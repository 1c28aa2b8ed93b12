//! A directory, walked.

use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::vec;

use super::{Found, Item, Source};
use crate::exit::Failure;
use crate::place::resolve;

/// The regular files of a directory, depth first and by name, so that two runs give the same order. Hidden
/// ones are skipped, and links, which could lead anywhere. One directory's names are held at a time for each
/// level.
#[derive(Debug)]
pub struct Walk {
    root: PathBuf,
    open: Vec<vec::IntoIter<(PathBuf, FileType)>>,
    failed: Option<Failure>,
    /// A directory not to walk into, relative to the root.
    skip: Option<PathBuf>,
}

impl Walk {
    /// The walk over `root`, but not into `skip`.
    pub fn new(root: &Path, skip: Option<&Path>) -> Self {
        let skip = skip.and_then(|skip| {
            let root = fs::canonicalize(root).ok()?;
            Some(resolve(skip).ok()?.strip_prefix(root).ok()?.to_owned())
        });
        let mut walk = Self { root: root.to_owned(), open: Vec::new(), failed: None, skip };
        walk.enter(Path::new(""));
        walk
    }

    fn enter(&mut self, relative: &Path) {
        if self.skip.as_deref() == Some(relative) {
            return;
        }
        let directory =
            if relative.as_os_str().is_empty() { self.root.clone() } else { self.root.join(relative) };
        match list(&directory, relative) {
            Ok(names) => self.open.push(names.into_iter()),
            Err(error) => self.failed = Some(Failure::reading(&directory, &error)),
        }
    }

    fn item(&self, relative: PathBuf) -> Item {
        let path = self.root.join(&relative);
        Item { name: path.clone(), relative, source: Source::File(path) }
    }
}

impl Iterator for Walk {
    type Item = Result<Found, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(failure) = self.failed.take() {
                return Some(Err(failure));
            }
            match self.open.last_mut()?.next() {
                None => _ = self.open.pop(),
                Some((relative, kind)) if kind.is_dir() => self.enter(&relative),
                Some((relative, kind)) if kind.is_file() => {
                    return Some(Ok(Found::Message(self.item(relative))));
                }
                Some(_) => return Some(Ok(Found::Skipped)),
            }
        }
    }
}

/// What stands in a directory and is not hidden, by name.
fn list(directory: &Path, relative: &Path) -> io::Result<Vec<(PathBuf, FileType)>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if !is_hidden(&entry) {
            names.push((relative.join(entry.file_name()), entry.file_type()?));
        }
    }
    names.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
    Ok(names)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}
