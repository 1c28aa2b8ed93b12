//! Messages and other things found in the inputs.

use std::borrow::Cow;
use std::fs::Metadata;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::kind::Unread;
use super::long::Long;
use super::packed::Unpacked;
use super::select::OutlookMail;
use super::skipped::Skipped;
use super::tar::TarEntry;

/// One message, yet to be read or just read.
#[derive(Debug)]
pub struct Item {
    /// Its file, as messages and reports name it: `-` for standard input.
    pub name: Arc<Path>,
    /// The name of that file inside an output directory.
    pub relative: Arc<Path>,
    /// Where its octets are.
    pub source: MailSource,
    /// The store that it is in.
    pub home: Home,
    /// The charsets in which its texts were read, if it is one of Outlook that does not say.
    pub charsets: Vec<TextCharset>,
}

/// Where the octets of a message are.
#[derive(Debug)]
pub enum MailSource {
    /// All of standard input, with what was already read to find out its kind.
    Stdin(Option<Unpacked>),
    /// All of a file.
    File(PathBuf),
    /// All of a file once it is unpacked.
    Packed(PathBuf),
    /// The message in a file of Apple Mail, with its attachments.
    Emlx(PathBuf),
    /// The message in a file of Outlook, whose octets are there.
    Msg(Box<MailSource>, OutlookMail),
    /// In memory.
    Octets(Vec<u8>),
    /// In a temporary file, since it is longer than may be held.
    Long(Box<Long>),
}

/// The store that a message is in.
#[derive(Debug)]
pub enum Home {
    /// None: the message is standard input or a file.
    Alone,
    /// A file of Apple Mail or Outlook, which has more in it than the message.
    Inside,
    /// A Maildir, where the name of its file includes its flags.
    Maildir,
    /// An mbox.
    Mbox {
        /// The number of the message.
        number: u64,
        /// The message's place.
        position: Position,
        /// Its `From ` line with its line end.
        postmark: Vec<u8>,
    },
    /// A folder in a store of Outlook.
    #[cfg_attr(
        not(feature = "outlook"),
        allow(dead_code, reason = "only such stores have folders")
    )]
    Folder {
        /// The number of the message in the store.
        number: u64,
        /// The number in the folder, from one, after which its file is called.
        in_folder: u64,
        /// The message's place; its octets are those of the messages as they are made.
        position: Position,
        /// The path of the folder in the store.
        path: Arc<Path>,
    },
    /// A tar file, or a ZIP archive.
    Tar {
        /// The number of the message; nothing if it is another file.
        number: Option<u64>,
        /// The message's place.
        position: Position,
        /// Name, mode, times, owner.
        entry: Box<TarEntry>,
        /// Its place in that entry, if that is an mbox.
        within: Option<Within>,
    },
}

/// The charset of texts in a message of Outlook, which are octets there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TextCharset {
    /// The name of the charset.
    pub charset: &'static str,
    /// The property, or the text itself, that named the charset.
    pub by: String,
}

/// The place of a message in an mbox in an archive.
#[derive(Debug)]
pub struct Within {
    /// The number in the mbox, from one, after which its file is called.
    pub number: u64,
    /// Its `From ` line with its line end.
    pub postmark: Vec<u8>,
    /// Whether it is the last.
    pub is_last: bool,
}

/// The place of a message in a mailbox.
#[derive(Clone, Debug)]
pub struct Position {
    /// Its octets in the mailbox.
    pub span: Range<u64>,
    /// Where in an mbox it is doubtful whether a `From ` line separates messages, in it or at its
    /// end.
    pub doubts: Vec<u64>,
}

impl Item {
    /// A file that is a message, at `path`.
    pub fn file(path: PathBuf, relative: PathBuf, home: Home) -> Self {
        Self {
            name: path.as_path().into(),
            relative: relative.into(),
            source: MailSource::File(path),
            home,
            charsets: Vec::new(),
        }
    }

    /// The number among the messages of the file that it is in, from one, if that has many. Other
    /// files in an archive are not counted.
    pub fn number(&self) -> Option<u64> {
        match &self.home {
            Home::Alone | Home::Inside | Home::Maildir => None,
            Home::Mbox { number, .. } | Home::Folder { number, .. } => Some(*number),
            Home::Tar { number, .. } => *number,
        }
    }

    /// Its place in a mailbox, if it is in one.
    pub fn position(&self) -> Option<&Position> {
        match &self.home {
            Home::Alone | Home::Inside | Home::Maildir => None,
            Home::Mbox { position, .. }
            | Home::Folder { position, .. }
            | Home::Tar { position, .. } => Some(position),
        }
    }

    /// The `From ` line that it had in an mbox, with its line end; nothing if it was in none. It
    /// may be empty.
    pub fn postmark_line(&self) -> Option<&[u8]> {
        match &self.home {
            Home::Mbox { postmark, .. }
            | Home::Tar { within: Some(Within { postmark, .. }), .. } => Some(postmark),
            Home::Alone | Home::Inside | Home::Maildir | Home::Folder { .. } | Home::Tar { .. } => {
                None
            }
        }
    }

    /// The `From ` line that it had in an mbox, without its line end.
    pub fn postmark(&self) -> Option<&[u8]> {
        let line = self.postmark_line().filter(|line| !line.is_empty())?;
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The name for people: the file, and the number and place in it.
    pub fn called(&self) -> PathBuf {
        let mut called = self.name.as_os_str().to_owned();
        let number = self.number().map(|number| format!("message {number}, "));
        let number = number.unwrap_or_default();
        match &self.home {
            Home::Alone | Home::Inside | Home::Maildir => {}
            Home::Mbox { position, .. } => {
                called.push(format!(": {number}octet {}", position.span.start));
            }
            Home::Folder { path, .. } => {
                called.push(format!(": {number}"));
                called.push(&**path);
            }
            Home::Tar { entry, .. } => {
                called.push(format!(": {number}"));
                called.push(&entry.path);
            }
        }
        called.into()
    }
}

/// One result of looking through the inputs.
#[derive(Debug)]
pub enum Found {
    /// A message.
    Message(Item),
    /// Something that is skipped.
    Skipped(Skipped),
    /// An entry of an archive that is not a message.
    Extra(Box<TarEntry>),
    /// A file that is not read.
    Unread(Box<Other>),
    /// A Maildir, or a folder of one, before what is in it.
    Folder(Item),
    /// A file of a Maildir that is no message: it is copied with the Maildir.
    MaildirFile(Item),
    /// An entry of an archive that stays as it is, and the reason. Messages may be in it.
    Kept(Item, Cow<'static, str>),
    /// A file of many messages, which `--in-place` does not replace.
    NotInPlace(PathBuf),
    /// A mailbox begins.
    Opens(Arc<Mailbox>),
    /// The open mailbox ends.
    Closes(Extent),
}

/// The extent to which a mailbox was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// All that is there: a place in it is damaged, or its end is missing. Reading it again would
    /// give no more.
    Damaged,
    /// Less than is there, since it was changed meanwhile or its disk failed.
    Unfinished,
}

/// A file that is not read.
#[derive(Debug)]
pub struct Other {
    /// The file, or the entry of a tar file with its content.
    pub item: Item,
    /// What it is.
    pub unread: Unread,
    /// Its length in octets.
    pub octets: u64,
    /// Whether the command line names it: then it was meant to be mail.
    pub is_named: bool,
}

impl Other {
    /// Whether mail is missing without it, or may be.
    pub fn is_missed(&self) -> bool {
        self.is_named || matches!(self.unread, Unread::Foreign(_))
    }
}

/// A file of many messages.
#[derive(Debug)]
pub struct Mailbox {
    /// The file, as messages and reports name it.
    pub name: Arc<Path>,
    /// Its name inside an output directory.
    pub relative: Arc<Path>,
    /// Its kind.
    pub kind: MailboxKind,
    /// The file, if the mailbox is one.
    pub file: Option<Metadata>,
}

/// The kinds of files of many messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailboxKind {
    /// An mbox of any dialect.
    Mbox,
    /// A tar file.
    Tar,
    /// A ZIP archive.
    Zip,
}

/// The last part of a path, if it has one.
pub fn base_name(path: &Path) -> PathBuf {
    path.file_name().map_or_else(|| path.to_owned(), PathBuf::from)
}
