//! What a look into the inputs finds.

use std::fs::Permissions;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::long::Long;
use super::packed::Unpacked;
use super::skipped::Skipped;
use super::tar::TarEntry;

/// One message, yet to be read or just read.
#[derive(Debug)]
pub struct Item {
    /// The file that it is, or lies in, as messages and reports call it: `-` for standard input.
    pub name: Arc<Path>,
    /// What that file is called inside an output directory.
    pub relative: Arc<Path>,
    /// Where its octets are.
    pub source: Source,
    /// What it lies in.
    pub home: Home,
}

/// Where the octets of a message are.
#[derive(Debug)]
pub enum Source {
    /// All of standard input, as far as it was looked at with what was read for that.
    Stdin(Option<Unpacked>),
    /// All of a file.
    File(PathBuf),
    /// All of a file once it is unpacked.
    Packed(PathBuf),
    /// Here.
    Octets(Vec<u8>),
    /// In a temporary file, since it is longer than may be held.
    Long(Box<Long>),
}

/// What a message lies in.
#[derive(Debug)]
pub enum Home {
    /// Itself: standard input or a file.
    Alone,
    /// A Maildir, where its file's name holds its flags.
    Maildir,
    /// An mbox.
    Mbox {
        /// Its place.
        position: Position,
        /// Its `From ` line with its end.
        postmark: Vec<u8>,
    },
    /// A tar file.
    Tar {
        /// Its place.
        position: Position,
        /// Name, mode, times, owner.
        entry: Box<TarEntry>,
    },
}

/// Where a message lies in a mailbox.
#[derive(Clone, Debug)]
pub struct Position {
    /// Which it is, from one.
    pub number: u64,
    /// Its octets, as they lie there.
    pub span: Range<u64>,
}

impl Item {
    /// A file that is a message, at `path`.
    pub fn file(path: PathBuf, relative: PathBuf, home: Home) -> Self {
        Self { name: path.as_path().into(), relative: relative.into(), source: Source::File(path), home }
    }

    /// Its place in a mailbox, if it lies in one.
    pub fn position(&self) -> Option<&Position> {
        match &self.home {
            Home::Alone | Home::Maildir => None,
            Home::Mbox { position, .. } | Home::Tar { position, .. } => Some(position),
        }
    }

    /// The `From ` line that it had in an mbox, without its end.
    pub fn postmark(&self) -> Option<&[u8]> {
        match &self.home {
            Home::Mbox { postmark, .. } if !postmark.is_empty() => {
                let line = postmark.strip_suffix(b"\n").unwrap_or(postmark);
                Some(line.strip_suffix(b"\r").unwrap_or(line))
            }
            _ => None,
        }
    }

    /// What it is called where people read it: the file, and the place in it.
    pub fn called(&self) -> PathBuf {
        let mut called = self.name.as_os_str().to_owned();
        match &self.home {
            Home::Alone | Home::Maildir => {}
            Home::Mbox { position, .. } => {
                called.push(format!(": message {}, octet {}", position.number, position.span.start));
            }
            Home::Tar { entry, .. } => {
                called.push(": ");
                called.push(&entry.path);
            }
        }
        called.into()
    }
}

/// What a look into the inputs finds.
#[derive(Debug)]
pub enum Found {
    /// A message.
    Message(Item),
    /// Something that is left alone.
    Skipped(Skipped),
    /// Something in a tar file that is no message.
    Extra(Box<TarEntry>),
    /// A mailbox begins.
    Opens(Arc<Mailbox>),
    /// It ends.
    Closes {
        /// Whether all of it could be read.
        whole: bool,
    },
}

/// A file of many messages.
#[derive(Debug)]
pub struct Mailbox {
    /// The file, as messages and reports call it.
    pub name: Arc<Path>,
    /// What it is called inside an output directory.
    pub relative: Arc<Path>,
    /// What it is.
    pub kind: MailboxKind,
    /// Who may read it.
    pub permissions: Option<Permissions>,
}

/// The kinds of files of many messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailboxKind {
    /// An mbox of any dialect.
    Mbox,
    /// A tar file.
    Tar,
}

/// The last part of a path, if it has one.
pub fn base_name(path: &Path) -> PathBuf {
    path.file_name().map_or_else(|| path.to_owned(), PathBuf::from)
}
