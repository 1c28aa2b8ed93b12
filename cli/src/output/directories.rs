//! The directories of an output, which are as closed to others as those that its mail comes from.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::beneath::Beneath;

/// The directories that a run has made.
#[derive(Default)]
pub struct Directories(HashSet<PathBuf>);

/// The directories of the input that new ones are as closed as.
#[derive(Clone, Copy)]
pub enum Like<'a> {
    /// This one, and for each directory around a new one the one around this.
    Tree(&'a Path),
    /// This one for all.
    One(&'a Path),
}

impl Directories {
    /// Makes the directory `relative` below `root`, and those around it, where they are missing. One
    /// that cannot be made is an error of what is written into it.
    pub fn make(&mut self, root: &Path, relative: &Path, like: Like<'_>) {
        if !relative.as_os_str().is_empty() && self.0.insert(root.join(relative)) {
            let _ = Beneath::enter_as_closed(root, relative, |above| match like {
                Like::Tree(path) => path.ancestors().nth(above),
                Like::One(path) => Some(path),
            });
        }
    }
}
