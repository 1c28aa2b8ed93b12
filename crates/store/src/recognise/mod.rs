//! The recogniser: what a file is, by its first octets.
//!
//! Every front end asks it, so that the same file is the same to all of them. The octets decide;
//! the name is asked only where they leave two answers open. What is no mail is named in words, so
//! that a person is told "a PDF document" and not "text that could not be parsed".
//!
//! | answer | what leads to it |
//! |---|---|
//! | [`Recognised::Message`] | a header section at the beginning, with fields by which mail is known |
//! | [`Recognised::Emlx`] | the same after a line with a number, as Apple Mail writes it |
//! | [`Recognised::Mailbox`] | a `From ` line, or how the files of other programs begin |
//! | [`Recognised::Wrapping`], [`Recognised::Outlook`] | how such files begin |
//! | [`Recognised::NoMail`] | anything else |

mod mailbox;
mod message;
mod other;
mod outlook;
pub(crate) mod wrapping;

use std::path::Path;

pub use mailbox::Mailbox;
pub use other::{EMPTY, Kind, TAR_WITHOUT_MAIL, TEXT, ZIP_WITHOUT_MAIL};
pub use outlook::Outlook;
pub use wrapping::Wrapping;

/// The number of octets from the beginning of a file that the recogniser needs; more are not
/// examined.
pub const HEAD: usize = 8 << 10;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// One message.
    Message,
    /// One message of Apple Mail: a line with its length, the message, a property list.
    Emlx,
    /// A file of many messages, one after the other.
    Mailbox(Mailbox),
    /// A file that has to be unpacked to see what it is.
    Wrapping(Wrapping),
    /// Mail as Outlook keeps it.
    Outlook(Outlook),
    /// Anything else.
    NoMail(Kind),
}

impl Recognised {
    /// What the file is, in words: `a message`, `a PDF document`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Message => "a message",
            Self::Emlx => "a message of Apple Mail (.emlx)",
            Self::Mailbox(mailbox) => mailbox.words(),
            Self::Wrapping(wrapping) => wrapping.words(),
            Self::Outlook(outlook) => outlook.words(),
            Self::NoMail(kind) => kind.one,
        }
    }
}

/// Recognises a file by its first octets, of which [`HEAD`] are enough, and by its name, which may
/// be empty.
#[must_use]
pub fn recognise(first: &[u8], name: &Path) -> Recognised {
    let first = &first[..first.len().min(HEAD)];
    let name = Name::of(name);

    if let Some(outlook) = outlook::of(first, &name) {
        return Recognised::Outlook(outlook);
    }
    if let Some(wrapping) = wrapping::of(first) {
        // Programs, documents and books are ZIP archives too.
        return match other::of_zip(first).or_else(|| other::of_zip_name(&name)) {
            Some(kind) if wrapping == Wrapping::Zip => Recognised::NoMail(kind),
            _ => Recognised::Wrapping(wrapping),
        };
    }
    if let Some(kind) = other::by_signature(first)
        && !(name.has(&["eml"]) && other::is_text(first))
    {
        return Recognised::NoMail(kind);
    }
    if let Some(mailbox) = mailbox::of(first, &name) {
        return Recognised::Mailbox(mailbox);
    }
    if message::is_emlx(first, &name) {
        return Recognised::Emlx;
    }
    if message::is_message(first, &name) {
        return Recognised::Message;
    }
    // One whose first header is damaged is a tar file by its name alone; what follows can still be
    // read.
    if name.has(&["tar"]) && first.iter().any(|octet| message::is_control(*octet)) {
        return Recognised::Wrapping(Wrapping::Tar);
    }
    Recognised::NoMail(other::of(first))
}

/// The name of a file, as far as it tells two answers apart.
#[derive(Debug)]
struct Name {
    /// The part after the last dot, in lower case; empty if there is none.
    extension: String,
    /// Whether the name is a number, as in MH folders and mail spools.
    is_number: bool,
}

impl Name {
    fn of(path: &Path) -> Self {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let is_number = !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_digit());
        let extension =
            name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
        Self { extension, is_number }
    }

    fn has(&self, extensions: &[&str]) -> bool {
        extensions.contains(&self.extension.as_str())
    }
}

#[cfg(test)]
mod tests;
