//! Where messages and reports go, safely: never over an input, never half-written.

mod aside;
mod begun;
mod guard;

pub use aside::Aside;
pub use begun::clean_up_when_stopped;
pub use guard::Guard;

use std::collections::HashSet;
use std::fs::{self, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::exit::{Exit, Failure};
use crate::input::{Input, Inputs, Item};
use crate::place::{is_stdout, resolve};

/// Where mail goes.
#[derive(Debug)]
pub enum Target {
    /// Nowhere: it is only looked at.
    Nothing,
    /// Standard output.
    Stdout,
    /// One file.
    File(PathBuf),
    /// Files in a directory, under the names that the inputs have.
    Directory(PathBuf),
}

impl Target {
    /// What `-o` means for these inputs.
    ///
    /// # Errors
    /// A combination that makes no sense.
    pub fn new(out: Option<&Path>, inputs: &Inputs) -> Result<Self, Failure> {
        let out = out.filter(|path| !is_stdout(path));
        match (inputs.only(), out) {
            (Some(Input::Stdin | Input::File(_)), None) => Ok(Self::Stdout),
            (Some(Input::Stdin), Some(out)) if names_directory(out) => {
                Err(Failure::usage("standard input has no name: `-o` needs a file name, not a directory"))
            }
            (Some(Input::File(_)), Some(out)) if names_directory(out) => Ok(Self::Directory(out.to_owned())),
            (Some(Input::Stdin | Input::File(_)), Some(out)) => Ok(Self::File(out.to_owned())),
            (Some(Input::Directory(_)), None) => {
                Err(Failure::usage("a directory needs `-o DIR` (or `--check`)"))
            }
            (None, None) => Err(Failure::usage("several INPUTs need `-o DIR` (or `--check`)")),
            (Some(Input::Directory(_)), Some(out)) => Ok(Self::Directory(out.to_owned())),
            (None, Some(_)) if inputs.iter().any(|input| matches!(input, Input::Stdin)) => {
                Err(Failure::usage("standard input has no name that it could have in `-o DIR`"))
            }
            (None, Some(out)) => Ok(Self::Directory(out.to_owned())),
        }
    }

    /// The output directory, if it is one.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Self::Directory(path) => Some(path),
            _ => None,
        }
    }
}

/// Whether a path says that it is a directory, or is one.
fn names_directory(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Puts messages down, each whole or not at all.
#[derive(Debug)]
pub struct Output {
    target: Target,
    guard: Guard,
    /// What this run has written, where two inputs could have one name.
    written: Option<HashSet<PathBuf>>,
}

impl Output {
    /// Output to `target`; an output directory is made here.
    ///
    /// # Errors
    /// The directory cannot be made, or is one of the inputs.
    pub fn open(target: Target, guard: Guard, inputs: &Inputs) -> Result<Self, Failure> {
        if let Some(directory) = target.directory() {
            if guard.is_root(directory) {
                return Err(Failure::new(
                    Exit::CannotCreate,
                    directory,
                    "is an input: inputs are never overwritten",
                ));
            }
            fs::create_dir_all(directory).map_err(|error| Failure::creating(directory, &error))?;
        }
        let written = inputs.only().is_none().then(HashSet::new);
        Ok(Self { target, guard, written })
    }

    /// Writes one message by `write`; gives the number of octets.
    ///
    /// # Errors
    /// It cannot be created or written.
    pub fn put(
        &mut self,
        item: &Item,
        permissions: Option<&Permissions>,
        write: impl FnOnce(&mut dyn Write) -> io::Result<u64>,
    ) -> Result<u64, Failure> {
        let path = match &self.target {
            Target::Nothing => return write(&mut io::sink()).map_err(|error| Failure::printing(&error)),
            Target::Stdout => return print(write),
            Target::File(path) => path.clone(),
            Target::Directory(directory) => self.inside(directory, &item.relative)?,
        };
        let mut file = Aside::create(&path, permissions, |place| self.guard.admits(&path, place))?;
        self.check_unclaimed(&path, file.place())?;
        let octets = write(&mut file).map_err(|error| Failure::writing(&path, &error))?;
        let place = file.commit().map_err(|error| Failure::writing(&path, &error))?;
        self.written.as_mut().map(|written| written.insert(place));
        Ok(octets)
    }

    /// The place of a file in the output directory, with the directories above it made.
    fn inside(&self, directory: &Path, relative: &Path) -> Result<PathBuf, Failure> {
        let path = directory.join(relative);
        if let Some(parent) = path.parent()
            && !parent.is_dir()
        {
            let place = resolve(&path).map_err(|error| Failure::creating(&path, &error))?;
            self.guard.admits(&path, &place)?;
            fs::create_dir_all(parent).map_err(|error| Failure::creating(parent, &error))?;
        }
        Ok(path)
    }

    /// Two inputs of one name must not overwrite each other.
    fn check_unclaimed(&self, path: &Path, place: &Path) -> Result<(), Failure> {
        match &self.written {
            Some(written) if written.contains(place) => Err(Failure::new(
                Exit::CannotCreate,
                path,
                "another input of the same name was written there by this run",
            )),
            _ => Ok(()),
        }
    }
}

/// Writes to standard output through one buffer.
pub fn print<T>(write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let done = write(&mut out).and_then(|done| out.flush().map(|()| done));
    if done.is_err() {
        // What is still in the buffer has nowhere to go; writing it again on the way out would only fail again.
        let _ = out.into_parts();
    }
    done.map_err(|error| Failure::printing(&error))
}
