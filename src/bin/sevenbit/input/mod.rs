//! Where messages come from: standard input, files, directories. Each becomes [`Item`]s, one a message.

mod read;
mod walk;

pub use read::{Octets, read};

use std::iter;
use std::path::{Path, PathBuf};

use crate::exit::Failure;
use crate::place::is_stdin;
use walk::Walk;

/// One message yet to be read.
#[derive(Debug)]
pub struct Item {
    /// What it is called in messages and reports: `-` for standard input, else the path.
    pub name: PathBuf,
    /// What it is called inside an output directory.
    pub relative: PathBuf,
    /// Where its octets are.
    pub source: Source,
}

/// What a look into the inputs finds.
#[derive(Debug)]
pub enum Found {
    /// A message.
    Message(Item),
    /// A link or a special file in a directory, left alone.
    Skipped,
}

/// Where the octets of a message are.
#[derive(Debug)]
pub enum Source {
    /// All of standard input.
    Stdin,
    /// All of a file.
    File(PathBuf),
}

/// One INPUT of the command line, looked at.
#[derive(Debug)]
pub enum Input {
    /// `-`, or nothing given.
    Stdin,
    /// Anything that can be read as one message, or that cannot be read at all: reading will tell.
    File(PathBuf),
    /// Every regular file in it.
    Directory(PathBuf),
}

impl Input {
    fn new(path: &Path) -> Self {
        if is_stdin(path) {
            Self::Stdin
        } else if path.is_dir() {
            Self::Directory(path.to_owned())
        } else {
            Self::File(path.to_owned())
        }
    }

    /// Its messages; `skip` is a directory that is not walked into.
    fn items<'a>(&'a self, skip: Option<&Path>) -> Box<dyn Iterator<Item = Result<Found, Failure>> + 'a> {
        match self {
            Self::Stdin => {
                let dash = PathBuf::from("-");
                let item = Item { name: dash.clone(), relative: dash, source: Source::Stdin };
                Box::new(iter::once(Ok(Found::Message(item))))
            }
            Self::File(path) => Box::new(iter::once(Ok(Found::Message(file(path))))),
            Self::Directory(path) => Box::new(Walk::new(path, skip)),
        }
    }
}

fn file(path: &Path) -> Item {
    let relative = path.file_name().map_or_else(|| path.to_owned(), PathBuf::from);
    Item { name: path.to_owned(), relative, source: Source::File(path.to_owned()) }
}

/// All INPUTs of a command line; standard input if there are none.
#[derive(Debug)]
pub struct Inputs(Vec<Input>);

impl Inputs {
    /// Looks at each.
    ///
    /// # Errors
    /// Standard input twice.
    pub fn new(paths: &[PathBuf]) -> Result<Self, Failure> {
        if paths.is_empty() {
            return Ok(Self(vec![Input::Stdin]));
        }
        if paths.iter().filter(|path| is_stdin(path)).count() > 1 {
            return Err(Failure::usage("standard input (`-`) can be read only once"));
        }
        Ok(Self(paths.iter().map(|path| Input::new(path)).collect()))
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Input> {
        self.0.iter()
    }

    /// The only one, if it is.
    pub fn only(&self) -> Option<&Input> {
        match self.0.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether there may be more than one message.
    pub fn are_many(&self) -> bool {
        matches!(self.only(), None | Some(Input::Directory(_)))
    }

    /// Every message, in the order of the command line and of names; `skip` is a directory that is not walked
    /// into. What cannot be listed is told in its place.
    pub fn items<'a>(&'a self, skip: Option<&'a Path>) -> impl Iterator<Item = Result<Found, Failure>> + 'a {
        self.0.iter().flat_map(move |input| input.items(skip))
    }
}
