//! The walk through a directory.

use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::vec;

use super::format::Format;
use super::item::Home;
use super::kind::is_read_as_maildir;
use super::maildir::is_folder;
use super::skipped::Skipped;
use crate::exit::Failure;
use crate::place::resolve;

/// One step of the walk.
#[derive(Debug)]
pub enum Step {
    /// A regular file, relative to the root.
    File(PathBuf, Home),
    /// A link, a hidden or a special file.
    Skipped(Skipped),
    /// A Maildir, or a folder of one, relative to the root, before what is in it.
    Maildir(PathBuf),
    /// A file that is kept of a Maildir beside its messages, such as its list of keywords.
    MaildirFile(PathBuf),
}

/// The regular files of a directory, depth first and by name, so that two runs give the same order.
/// Hidden files and links, which could lead anywhere, are skipped, but for hidden directories that
/// are Maildirs, as folders of one are. What a Maildir has in `tmp` is still being delivered and is
/// not looked at. For each level, one directory's names are held at a time.
#[derive(Debug)]
pub struct Walk {
    root: PathBuf,
    /// The directories from the root to the one that is being walked through.
    open: Vec<Level>,
    /// A failure that the next step reports.
    failed: Option<Failure>,
    /// A Maildir that was entered, which the next step reports.
    entered: Option<PathBuf>,
    /// A directory not to walk into, relative to the root.
    skip: Option<PathBuf>,
    format: Format,
}

/// A directory that the walk is in.
#[derive(Debug)]
struct Level {
    /// The entries that are still to come.
    names: vec::IntoIter<(PathBuf, FileType)>,
    kind: Directory,
}

/// The kind of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Directory {
    Plain,
    /// A Maildir or a folder of one.
    Maildir,
    /// `cur` or `new` of one.
    Messages,
}

impl Walk {
    /// Walks through `root`, but not into `skip`.
    pub fn new(root: &Path, skip: Option<&Path>, format: Format) -> Self {
        let skip = skip.and_then(|skip| {
            let root = fs::canonicalize(root).ok()?;
            Some(resolve(skip).ok()?.strip_prefix(root).ok()?.to_owned())
        });
        let mut walk = Self {
            root: root.to_owned(),
            open: Vec::new(),
            failed: None,
            entered: None,
            skip,
            format,
        };
        walk.enter(Path::new(""), Directory::Plain);
        walk
    }

    /// Returns the kind of a directory whose parent is of the kind `parent`.
    fn kind(&self, relative: &Path, parent: Directory) -> Directory {
        let directory = self.root.join(relative);
        let may_hold_messages = relative.ends_with("cur") || relative.ends_with("new");
        let may_be_folder = parent == Directory::Maildir && is_hidden(relative);
        match parent {
            Directory::Maildir if may_hold_messages => Directory::Messages,
            _ if is_read_as_maildir(&directory, self.format) => Directory::Maildir,
            _ if may_be_folder && is_folder(&directory) => Directory::Maildir,
            _ => Directory::Plain,
        }
    }

    /// Enters a directory whose parent is of the kind `parent`.
    fn enter(&mut self, relative: &Path, parent: Directory) {
        if self.skip.as_deref() == Some(relative) {
            return;
        }
        let directory = if relative.as_os_str().is_empty() {
            self.root.clone()
        } else {
            self.root.join(relative)
        };
        let kind = self.kind(relative, parent);
        match entries(&directory, relative, kind) {
            Ok(names) => {
                self.open.push(Level { names: names.into_iter(), kind });
                self.entered = (kind == Directory::Maildir).then(|| relative.to_owned());
            }
            Err(error) => self.failed = Some(Failure::reading(&directory, &error)),
        }
    }
}

impl Iterator for Walk {
    type Item = Result<Step, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(failure) = self.failed.take() {
                return Some(Err(failure));
            }
            if let Some(relative) = self.entered.take() {
                return Some(Ok(Step::Maildir(relative)));
            }
            let level = self.open.last_mut()?;
            let parent = level.kind;
            match level.names.next() {
                None => _ = self.open.pop(),
                Some((relative, kind))
                    if is_hidden(&relative)
                        && !(kind.is_dir()
                            && self.kind(&relative, parent) == Directory::Maildir) =>
                {
                    // What cannot be read beside `cur` may be a folder with mail.
                    let path = self.root.join(&relative);
                    if kind.is_dir()
                        && parent == Directory::Maildir
                        && let Err(error) = fs::read_dir(&path)
                    {
                        return Some(Err(Failure::reading(&path, &error)));
                    }
                    let what =
                        if kind.is_dir() { Skipped::HiddenDirectory } else { Skipped::Hidden };
                    return Some(Ok(Step::Skipped(what)));
                }
                Some((relative, kind)) if kind.is_dir() && parent != Directory::Messages => {
                    self.enter(&relative, parent);
                }
                Some((relative, kind)) if kind.is_file() => {
                    return Some(Ok(match parent {
                        Directory::Maildir if is_kept_of_maildir(&relative) => {
                            Step::MaildirFile(relative)
                        }
                        Directory::Maildir => Step::Skipped(Skipped::MaildirFile),
                        Directory::Messages => Step::File(relative, Home::Maildir),
                        Directory::Plain => Step::File(relative, Home::Alone),
                    }));
                }
                Some((_, kind)) if kind.is_symlink() => {
                    return Some(Ok(Step::Skipped(Skipped::Link)));
                }
                Some(_) => return Some(Ok(Step::Skipped(Skipped::Special))),
            }
        }
    }
}

/// Returns the entries of a directory that are to be visited, in the order of their names, relative
/// to the root of the walk.
fn entries(
    directory: &Path,
    relative: &Path,
    kind: Directory,
) -> io::Result<Vec<(PathBuf, FileType)>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_being_delivered = kind == Directory::Maildir && name == "tmp";
        if !is_being_delivered && !is_temporary(&name) {
            names.push((relative.join(name), entry.file_type()?));
        }
    }
    names.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
    Ok(names)
}

/// Returns whether a file or directory is hidden.
fn is_hidden(relative: &Path) -> bool {
    relative.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns whether the name is that of a temporary file of this command, from this run or one that
/// was killed.
fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".sevenbit-")
}

/// The files of a Maildir that servers need to show its folders and keywords as they were. Others
/// are made anew.
const KEPT_OF_MAILDIR: [&str; 5] = [
    "courierimapkeywords",
    "courierimapsubscribed",
    "dovecot-keywords",
    "maildirfolder",
    "subscriptions",
];

/// Returns whether a file of a Maildir is copied with it.
fn is_kept_of_maildir(file: &Path) -> bool {
    KEPT_OF_MAILDIR.iter().any(|name| file.ends_with(name))
}
