//! The inputs of a run, which no output may overwrite.
//!
//! Outputs are renamed into place, so only *names* can be overwritten: a hard link to an input
//! keeps its octets. An output is refused if the place it leads to, all links resolved, is the name
//! of an input or is in a directory that is one. An output directory inside an input directory is
//! not walked into, and files in it are not inputs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::exit::{Exit, Failure};
use crate::input::{Input, Inputs};
use crate::place::resolve;

/// The places that must not be written.
#[derive(Debug, Default)]
pub struct Protected {
    /// The inputs that are files, under each of their names.
    files: HashSet<PathBuf>,
    /// The inputs that are directories.
    trees: Vec<PathBuf>,
    /// The output directory.
    out: Option<PathBuf>,
    /// The report.
    report: Option<PathBuf>,
}

impl Protected {
    /// Guards `inputs` in a run with the output directory `out`.
    pub fn new(inputs: &Inputs, out: Option<&Path>) -> Self {
        let mut protected = Self { out: out.and_then(|out| resolve(out).ok()), ..Self::default() };
        for input in inputs.iter() {
            match input {
                Input::Stdin(_) => {}
                Input::File(path, _) => protected.files.extend(names_of(path)),
                Input::Directory(path) => protected.trees.extend(resolve(path).ok()),
            }
        }
        protected
    }

    /// Protects the place of the report, which mail must not take.
    pub fn keep_report(&mut self, place: &Path) {
        self.report = Some(place.to_owned());
    }

    /// Whether `directory` is itself an input.
    pub fn is_root(&self, directory: &Path) -> bool {
        resolve(directory).is_ok_and(|place| self.trees.contains(&place))
    }

    /// Checks whether an output called `path` may be written at `place`.
    pub fn admits(&self, path: &Path, place: &Path) -> Result<(), Failure> {
        if self.holds(place) {
            return Err(Failure::new(
                Exit::CannotCreate,
                path,
                "is an input, or lies among them: inputs are never overwritten",
            ));
        }
        self.admits_beside_report(path, place)
    }

    /// Checks whether something else than the report may be written at `place`.
    pub fn admits_beside_report(&self, path: &Path, place: &Path) -> Result<(), Failure> {
        if self.report.as_deref() == Some(place) {
            return Err(Failure::new(Exit::CannotCreate, path, "is where the report goes"));
        }
        Ok(())
    }

    /// Checks whether a report may be written at `place`: not over an input, but a new file among
    /// them does no harm.
    pub fn admits_report(&self, path: &Path, place: &Path) -> Result<(), Failure> {
        if self.files.contains(place) || place.exists() { self.admits(path, place) } else { Ok(()) }
    }

    /// Returns whether `place` is an input, or would be one.
    fn holds(&self, place: &Path) -> bool {
        self.files.contains(place) || self.trees.iter().any(|tree| self.is_in(tree, place))
    }

    /// Whether `place` would be an input as part of `tree`.
    fn is_in(&self, tree: &Path, place: &Path) -> bool {
        let Ok(relative) = place.strip_prefix(tree) else { return false };
        let own =
            self.out.as_deref().is_some_and(|out| out.starts_with(tree) && place.starts_with(out));
        let hidden =
            relative.components().any(|name| name.as_os_str().as_encoded_bytes().starts_with(b"."));
        !own && !hidden
    }
}

/// Returns the place of a file by its name as it was given, and the place that a link of that name
/// leads to.
fn names_of(path: &Path) -> impl Iterator<Item = PathBuf> {
    let given = path
        .parent()
        .zip(path.file_name())
        .and_then(|(parent, name)| Some(resolve(parent).ok()?.join(name)));
    given.into_iter().chain(resolve(path).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn protected(trees: &[&str], out: Option<&str>) -> Protected {
        Protected {
            trees: trees.iter().map(PathBuf::from).collect(),
            out: out.map(PathBuf::from),
            ..Protected::default()
        }
    }

    #[test]
    fn files_in_an_input_directory_are_inputs() {
        let protected = protected(&["/mail"], Some("/out"));
        assert!(protected.holds(Path::new("/mail/a/b")));
        assert!(!protected.holds(Path::new("/out/a/b")));
        assert!(!protected.holds(Path::new("/mailbox")));
        assert!(!protected.holds(Path::new("/mail/.cache/b")));
    }

    #[test]
    fn an_output_directory_inside_an_input_is_not_an_input() {
        let protected = protected(&["/mail", "/mail/out/x"], Some("/mail/out"));
        assert!(!protected.holds(Path::new("/mail/out/a")));
        assert!(protected.holds(Path::new("/mail/outer")));
        assert!(
            protected.holds(Path::new("/mail/out/x/a")),
            "an input inside the output directory stays one"
        );
    }
}
