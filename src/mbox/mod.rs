//! mbox files: many messages, one after the other, each after a `From ` line (a postmark).
//!
//! [`Mbox`] cuts a stream into its messages, one at a time, whichever [`Dialect`] wrote it. No
//! standard says how (RFC 4155 describes the default of a registered type, and existing files are
//! older), so these are the rules:
//!
//! 1. After an empty line, a `From ` line separates messages if a header field follows, or if it is
//!    as programs write it and no text follows; so does one directly after a `From ` line with a
//!    date. Anywhere else it takes a whole date *and* a field. Text with a paragraph that begins
//!    with `From ` stays text, and a mailbox whose writer forgot the empty lines can still be read.
//!    A bare `From ` before a field, as Thunderbird writes it, separates anywhere in a file that
//!    begins with one (or with `From - ` and a date); the first line of `git format-patch`, only in
//!    a file that begins with one. In a dialect that was named and that quotes such lines
//!    ([`Dialect::Mboxo`], [`Dialect::Mboxrd`]), every `From ` after an empty line separates. Where
//!    another answer is possible, [`Mbox::doubts`] has the place.
//! 2. `Content-Length` counts if it points to a `From ` line or the end of the file; if it is
//!    wrong, the lines decide. Above 64 MiB it is ignored, so that no field makes us hold a mailbox
//!    in memory.
//! 3. With [`Dialect::Auto`], a message with a right length and a `From ` line in it is read as
//!    mboxcl2 (its octets as they are), any other as mboxrd.
//! 4. One empty line before the next `From ` line, or before the end, belongs to the mailbox, not
//!    to the message.
//! 5. Octets before the first `From ` line are a message without one: nothing is lost.
//!
//! 6. A BOM, empty lines and octets 00 before the first `From ` line of a file belong to the
//!    mailbox, and so do octets 00 between a message and the next `From ` line: file systems leave
//!    them where a write was lost.
//!
//! Line ends are CRLF, LF or CR, even mixed; they stay as they are. A CR alone ends a `From ` line
//! if a header follows, and the lines of the message after it.
//!
//! ```
//! use sevenbit::mbox::{Dialect, Mbox};
//!
//! let file = b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: One\n\n>From here on, text.\n\n\
//!     From b@example.org Thu Nov 19 11:00:00 2026\nSubject: Two\n\nText.\n\n";
//! let mut mails = Mbox::new(&file[..], Dialect::Auto);
//! let one = mails.next().expect("a message")?;
//! assert_eq!(one.postmark(), b"From a@example.org Thu Nov 19 10:00:00 2026\n");
//! assert_eq!(one.octets(), b"Subject: One\n\nFrom here on, text.\n");
//! assert_eq!(mails.next().expect("a message")?.octets(), b"Subject: Two\n\nText.\n");
//! assert!(mails.next().is_none());
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Byte ranges
//!
//! [`Mbox::range`] yields the messages of a byte range of a file: those whose `From ` line begins
//! in it, each whole, however far it reaches beyond the range. So ranges of any sizes that cover
//! the file without overlap yield every message exactly once, with the same octets as the file read
//! in one go; whether a `From ` line separates messages is decided by what is near it, and never
//! depends on where a range begins. Messages without a `From ` line (rule 5) belong to the range of
//! octet 0.
//!
//! | dialect | how it splits |
//! |---|---|
//! | [`Mboxo`](Dialect::Mboxo), [`Mboxrd`](Dialect::Mboxrd) | anywhere; 4 KiB before the range are read |
//! | [`Auto`](Dialect::Auto) | anywhere; the file is read from the multiple of 16 MiB before the range on: ranges that begin at such multiples cost nothing. No `Content-Length` hides the first `From ` line that separates by rule 1 at or after such a multiple |
//! | [`Mboxcl`](Dialect::Mboxcl), [`Mboxcl2`](Dialect::Mboxcl2) | not at all: what separates depends on all lengths before it. The range of octet 0 has every message, any other none |
//!
//! ```
//! use std::io::Cursor;
//! use sevenbit::mbox::{Dialect, Mbox};
//!
//! let file = "From a Thu Nov 19 10:00:00 2026\nSubject: x\n\nText.\n\n".repeat(20);
//! let messages = |range| -> usize { Mbox::range(Cursor::new(&file), range, Dialect::Auto).unwrap().count() };
//! assert_eq!(messages(0..100) + messages(100..777) + messages(777..file.len() as u64), 20);
//! ```

mod cut;
mod look;
mod mail;
mod postmark;
mod quote;
mod range;
mod reader;
mod rest;
mod separator;
#[cfg(test)]
mod tests;
mod window;

use crate::words;

pub use look::{begins_mbox, holds_several, may_hold_several};
pub use mail::Mail;
pub use quote::{quote, unquote};
#[cfg(feature = "bindings")]
pub use reader::STRIDE;
pub use reader::{Mbox, Rest};

/// How messages are separated in an mbox file.
///
/// Named after the usual terms (see `mbox(5)` of qmail and mutt): the suffix after *mbox* says how
/// lines of a message that begin with `From ` are quoted, and whether lengths count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Detected message by message: mboxrd or mboxcl2, which cover most of what the others write.
    #[default]
    Auto,
    /// `From ` is written as `>From `, which cannot be undone if the text itself contains `>From `.
    Mboxo,
    /// `From ` after any number of `>` is written with one more `>`, which can always be undone.
    Mboxrd,
    /// `Content-Length` in each message, and quoting as in mboxo.
    Mboxcl,
    /// `Content-Length` in each message, and no quoting.
    Mboxcl2,
}

words!(Dialect, "dialect of mbox": Auto "auto", Mboxo "mboxo", Mboxrd "mboxrd", Mboxcl "mboxcl", Mboxcl2 "mboxcl2");

impl Dialect {
    /// Returns whether byte ranges share the work: if not, the range of octet 0 has all messages.
    #[must_use]
    pub fn is_splittable(self) -> bool {
        match self {
            Self::Auto | Self::Mboxo | Self::Mboxrd => true,
            Self::Mboxcl | Self::Mboxcl2 => false,
        }
    }

    /// Returns whether `Content-Length` may determine where a message ends.
    fn has_lengths(self) -> bool {
        matches!(self, Self::Auto | Self::Mboxcl | Self::Mboxcl2)
    }

    /// Returns whether every `From ` line after an empty line separates messages.
    fn quotes_every_line(self) -> bool {
        matches!(self, Self::Mboxo | Self::Mboxrd)
    }
}
