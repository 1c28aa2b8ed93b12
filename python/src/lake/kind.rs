//! How a file is read, by what the recogniser of the command says that it is.

use std::ffi::OsStr;
use std::path::Path;

use sevenbit_store::old::Format;
use sevenbit_store::{Mailbox, Outlook, Recognised, Wrapping, recognise};

/// Where a file is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Alone,
    /// In a packed file.
    Packed,
    /// In a tar file.
    Tar,
}

/// How a file is read.
#[derive(PartialEq, Eq)]
pub enum FileKind {
    Message,
    /// A message of Apple Mail, in its file with a property list.
    Emlx,
    /// A message of Outlook, and what that is in words.
    Msg(&'static str),
    /// A store of Outlook, and what that is in words.
    Folders(&'static str),
    Mbox,
    /// A mailbox of an older program.
    Old(Format),
    Packed,
    Tar,
    /// No mail, or none that is read.
    Other {
        /// What it is, in words.
        kind: &'static str,
        /// Why that is an error, if there is mail in it, or may be.
        error: Option<String>,
    },
}

impl FileKind {
    /// How a file of these first octets and this name is read. In a Maildir every file is a message.
    pub fn of(first: &[u8], path: &Path, place: Place) -> Self {
        let recognised = recognise(first, path);
        let is_packed = matches!(
            recognised,
            Recognised::Wrapping(Wrapping::Gz | Wrapping::Zst | Wrapping::Bz2 | Wrapping::Xz)
        );
        if is_in_maildir(path) && !is_packed {
            return Self::Message;
        }
        match recognised {
            Recognised::Message => Self::Message,
            Recognised::Mailbox(Mailbox::Mbox) => Self::Mbox,
            Recognised::Mailbox(Mailbox::Mmdf) => Self::Old(Format::Mmdf),
            Recognised::Mailbox(Mailbox::Mbx) => Self::Old(Format::Mbx),
            Recognised::Emlx if place != Place::Packed && !is_partial(path) => Self::Emlx,
            Recognised::Outlook(Outlook::Msg | Outlook::Oft) => Self::Msg(recognised.words()),
            Recognised::Outlook(Outlook::Pst | Outlook::Ost) if place == Place::Alone => {
                Self::Folders(recognised.words())
            }
            Recognised::Wrapping(Wrapping::Tar) if place != Place::Tar => Self::Tar,
            _ if is_packed && place == Place::Alone => Self::Packed,
            Recognised::NoMail(kind) => Self::Other { kind: kind.one, error: None },
            other => {
                Self::Other { kind: other.words(), error: Some(not_read(other.words(), place)) }
            }
        }
    }
}

/// Why mail of a kind is not read.
fn not_read(kind: &str, place: Place) -> String {
    match place {
        Place::Alone => format!("is {kind}, which is not read: export it as mbox or .eml"),
        Place::Packed => format!("is {kind} in a packed file, which is not read: unpack it first"),
        Place::Tar => format!("is {kind} in a tar file, which is not read: unpack it first"),
    }
}

/// Whether the name of a file says that it is one message.
pub fn is_eml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("eml"))
}

/// Whether the name of a message of Apple Mail says that its attachments are in files of their own.
fn is_partial(path: &Path) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.ends_with(".partial.emlx"))
}

/// Whether a file is where a Maildir has its messages.
fn is_in_maildir(path: &Path) -> bool {
    let directory = path.parent().and_then(Path::file_name).and_then(OsStr::to_str);
    matches!(directory, Some("cur" | "new"))
}
