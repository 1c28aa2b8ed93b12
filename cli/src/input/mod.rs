//! Where messages come from: standard input, files, directories, mailboxes, packed or not. Each
//! message becomes a [`Found`].

mod apple;
mod archive;
mod cut;
mod dates;
mod format;
mod item;
mod kind;
mod large;
mod long;
mod look;
mod mailbox;
mod maildir;
mod names;
#[cfg_attr(not(feature = "outlook"), path = "no_outlook.rs")]
mod outlook;
mod pattern;
mod read;
mod select;
mod skipped;
mod tar;
mod walk;
mod zip;

pub use dates::{asctime, postmark_date};
pub use format::Format;
pub use item::{Extent, Found, Home, Item, Mailbox, MailboxKind, Other, Position, TextCharset};
pub use kind::{Unread, begins_from_line, is_eml, is_message_of_maildir};
pub use large::{LARGE, Large, has_cr};
pub use long::Long;
pub use look::Look;
pub use maildir::folder;
pub use names::{is_safe, safe_name};
pub use outlook::message as outlook_message;
pub use packed::Packing;
use packed::Unpacked;
pub use pattern::NamePattern;
pub use read::{Octets, Taken, read, take};
pub use select::{Day, MAX_MESSAGE, OutlookMail, Select};
pub use skipped::Skipped;
pub use tar::TarEntry;

use std::collections::HashMap;
use std::fs::Permissions;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sevenbit_store::{members, packed};

use crate::exit::Failure;
use crate::place::{is_stdin, resolve};
use item::base_name;
pub use kind::FileKind;
use walk::{Step, Walk};

/// One INPUT of the command line, looked at.
#[derive(Debug)]
pub enum Input {
    /// `-`, or nothing given.
    Stdin(FileKind),
    /// Anything that can be read, or that cannot be read at all: reading it will show.
    File(PathBuf, FileKind),
    /// Every regular file in it; a Maildir's messages.
    Directory(PathBuf),
}

/// The names that two inputs must not have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// The names of files.
    Files,
    /// The names of mailboxes and of folders of Maildirs, which would become one.
    Folders,
}

impl Input {
    fn new(path: &Path, format: Format) -> Self {
        if path.is_dir() {
            Self::Directory(path.to_owned())
        } else {
            let kind = match FileKind::of_file(path, format) {
                // A message of no octets: nothing is lost by it, nor made up.
                FileKind::Unread(Unread::NoMail(_)) if length(path) == 0 => FileKind::Message,
                kind => kind,
            };
            Self::File(path.to_owned(), kind)
        }
    }

    /// Whether it is a store of Outlook, which has many mailboxes.
    pub fn is_folders(&self) -> bool {
        matches!(self, Self::Stdin(FileKind::Folders) | Self::File(_, FileKind::Folders))
    }

    /// Which kind of mailbox it is, if it is a file of many messages.
    pub fn mailbox(&self) -> Option<MailboxKind> {
        match self {
            Self::Stdin(kind) | Self::File(_, kind) => kind.mailbox(),
            Self::Directory(_) => None,
        }
    }
}

/// All INPUTs of a command line; standard input if there are none.
#[derive(Debug)]
pub struct Inputs {
    inputs: Vec<Input>,
    format: Format,
    select: Select,
    /// Standard input, with what was read of it to find out its kind, for the code that reads the
    /// rest.
    stdin: Mutex<Option<Unpacked>>,
}

impl Inputs {
    /// Determines the kind of each.
    ///
    /// # Errors
    /// Standard input twice, or it cannot be read.
    pub fn new(paths: &[PathBuf], format: Format, select: Select) -> Result<Self, Failure> {
        let stdin = [PathBuf::from("-")];
        let paths = if paths.is_empty() { &stdin } else { paths };
        if paths.iter().filter(|path| is_stdin(path)).count() > 1 {
            return Err(Failure::usage("standard input (`-`) can be read only once"));
        }
        let mut looked = None;
        let mut inputs = Vec::new();
        for path in paths.iter().flat_map(|path| select::expanded(path)) {
            inputs.push(if is_stdin(&path) {
                let failed = |error| Failure::reading(Path::new("standard input"), &error);
                let (kind, found) = FileKind::of_stdin(format).map_err(failed)?;
                looked = found;
                Input::Stdin(kind)
            } else {
                Input::new(&path, format)
            });
        }
        Ok(Self { inputs, format, select, stdin: Mutex::new(looked) })
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter()
    }

    /// The only input, if there is just one.
    pub fn only(&self) -> Option<&Input> {
        match self.inputs.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether there may be more than one message.
    pub fn are_many(&self) -> bool {
        self.only().is_none_or(|only| {
            matches!(only, Input::Directory(_)) || only.mailbox().is_some() || only.is_folders()
        })
    }

    /// The permissions of a file that says something of their mail: as closed to others as all of
    /// them are. `None` if none of them is a file or a directory, or the system has no modes.
    pub fn permissions(&self) -> Option<Permissions> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let paths = self.inputs.iter().filter_map(|input| match input {
                Input::File(path, _) | Input::Directory(path) => Some(path),
                Input::Stdin(_) => None,
            });
            let modes = paths.filter_map(|path| path.metadata().ok());
            let mode = modes.map(|found| found.permissions().mode()).reduce(|all, mode| all & mode);
            // What the umask leaves of a new file that may be read and written.
            mode.map(|mode| Permissions::from_mode(mode & 0o644 | 0o600))
        }
        #[cfg(not(unix))]
        None
    }

    /// Returns whether a directory is an input, or inside one: files there would be messages.
    pub fn surround(&self, directory: &Path) -> bool {
        let Ok(place) = resolve(directory) else { return false };
        self.inputs.iter().any(|input| match input {
            Input::Directory(path) => resolve(path).is_ok_and(|input| place.starts_with(input)),
            Input::Stdin(_) | Input::File(..) => false,
        })
    }

    /// Which messages are selected.
    pub fn select(&self) -> &Select {
        &self.select
    }

    /// Finds every message, in the order of the command line and of names; `skip` is a directory
    /// that is not walked into. Inputs that cannot be listed or read are reported in their place.
    pub fn look<'a>(&'a self, skip: Option<&'a Path>) -> Look<'a> {
        Look::into(self, skip)
    }

    /// Returns two inputs, or files in them, that would have the same name in an output directory,
    /// if there are any: any files, or folders of mail alone.
    pub fn of_one_name(&self, which: Named, skip: Option<&Path>) -> Option<[PathBuf; 2]> {
        if self.inputs.len() < 2 {
            return None;
        }
        let is_asked_for = |path: &Path| match which {
            Named::Files => true,
            Named::Folders => FileKind::of_file(path, self.format).mailbox().is_some(),
        };
        let mut names = HashMap::new();
        for input in &self.inputs {
            match input {
                Input::Stdin(_) => {}
                Input::File(path, _) => {
                    if let Some(before) = names.insert(base_name(path), path)
                        && is_asked_for(path)
                    {
                        return Some([before.clone(), path.clone()]);
                    }
                }
                Input::Directory(root) => {
                    for step in Walk::new(root, skip, self.format) {
                        let (relative, is_folder) = match step {
                            Ok(Step::File(relative, _)) if self.select.admits(&relative) => {
                                (relative, false)
                            }
                            Ok(Step::Maildir(relative)) if which == Named::Folders => {
                                (relative, true)
                            }
                            _ => continue,
                        };
                        let path = root.join(&relative);
                        if let Some(before) = names.get(&relative)
                            && (is_folder || is_asked_for(&path))
                        {
                            let before = if before.is_dir() {
                                before.join(&relative)
                            } else {
                                (*before).clone()
                            };
                            return Some([before, path]);
                        }
                        names.insert(relative, root);
                    }
                }
            }
        }
        None
    }

    /// How many octets there are, if that can be known without reading them.
    pub fn octets(&self, skip: Option<&Path>) -> Option<u64> {
        self.inputs.iter().try_fold(0, |sum, input| match input {
            Input::File(path, FileKind::Message | FileKind::Mbox(_) | FileKind::Tar)
                if Packing::of_name(path) == Packing::None =>
            {
                Some(sum + length(path))
            }
            Input::Stdin(_) | Input::File(..) => None,
            Input::Directory(root) => {
                let files = Walk::new(root, skip, self.format).filter_map(|step| match step {
                    Ok(Step::File(relative, _)) if self.select.admits(&relative) => {
                        Some(length(&root.join(relative)))
                    }
                    _ => None,
                });
                Some(sum + files.sum::<u64>())
            }
        })
    }
}

/// Takes what was read of standard input to find out what it is.
fn looked_at(stdin: &Mutex<Option<Unpacked>>) -> Option<Unpacked> {
    stdin.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn length(path: &Path) -> u64 {
    path.metadata().map(|found| found.len()).unwrap_or_default()
}
