//! Files of many messages, by how they begin.

use super::Name;
use super::message::{has_field, narrowed, without_beginning};

/// A file of many messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mailbox {
    /// An mbox of any dialect: messages after `From ` lines. It may be a single message that was
    /// saved with such a line.
    Mbox,
    /// MMDF: messages between lines of four octets 01.
    Mmdf,
    /// Babyl, of Emacs Rmail.
    Babyl,
    /// mbx, of the University of Washington's IMAP server.
    Mbx,
}

impl Mailbox {
    /// The kind in words: `an MMDF mailbox`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Mbox => "an mbox",
            Self::Mmdf => "an MMDF mailbox",
            Self::Babyl => "a Babyl mailbox of Emacs",
            Self::Mbx => "an mbx mailbox of UW IMAP",
        }
    }
}

/// Returns the kind of mailbox that a file of these first octets is.
pub(super) fn of(first: &[u8], name: &Name) -> Option<Mailbox> {
    if first.starts_with(b"\x01\x01\x01\x01\n") || first.starts_with(b"\x01\x01\x01\x01\r") {
        return Some(Mailbox::Mmdf);
    }
    if first.starts_with(b"*mbx*\r\n") || first.starts_with(b"*mbx*\n") {
        return Some(Mailbox::Mbx);
    }
    if first.starts_with(b"BABYL OPTIONS:") {
        return Some(Mailbox::Babyl);
    }
    is_mbox(first, name).then_some(Mailbox::Mbox)
}

/// Returns whether a file begins like an mbox: its first line that is not empty is a `From ` line
/// with a time of day, or one before a header field. A folder without messages is an empty file,
/// which only its name tells from others.
fn is_mbox(first: &[u8], name: &Name) -> bool {
    let text = narrowed(first);
    let text = without_beginning(&text);
    if text.is_empty() {
        return first.is_empty() && name.has(&["mbox", "mbx"]);
    }
    let unquoted = text.strip_prefix(b">").unwrap_or(text);
    if !unquoted.starts_with(b"From ") {
        return false;
    }
    let end = memchr::memchr2(b'\r', b'\n', unquoted).unwrap_or(unquoted.len());
    let (line, rest) = unquoted.split_at(end);
    has_time(line) || has_field(rest)
}

/// Returns whether a line has a time of day in it: `9:05`, `09:05:00`, `9.05`.
fn has_time(line: &[u8]) -> bool {
    line.windows(4).any(|at| {
        at[0].is_ascii_digit()
            && matches!(at[1], b':' | b'.')
            && at[2].is_ascii_digit()
            && at[3].is_ascii_digit()
    })
}
