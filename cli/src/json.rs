//! JSON, one object per line, with the keys in the documented order, and safe to look at:
//! characters that a terminal might act on are escaped, which changes nothing for a program that
//! reads it.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use sevenbit::Issue;
use sha2::{Digest as _, Sha256};

use crate::input::{Home, Item, Position};
use crate::place::shown;
use crate::term::unsafe_char;

/// The place of a message in a mailbox.
#[derive(Serialize)]
pub struct MailboxPlace<'a> {
    /// The number among the messages, from one; other files of an archive have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    /// Its octets in the mailbox, unpacked: the first, and the one after the last.
    octets: [u64; 2],
    /// Its name in a tar file, or its folder in a store of Outlook.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'a, str>>,
    /// Where in an mbox a `From ` line may or may not separate messages.
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    doubtful: &'a [u64],
}

impl<'a> MailboxPlace<'a> {
    /// The place of `item`, if it is in a mailbox.
    pub fn of(item: &'a Item) -> Option<Self> {
        let Position { span, doubts } = item.position()?;
        let name = match &item.home {
            Home::Tar { entry, .. } => Some(shown(&entry.path)),
            Home::Folder { path, .. } => Some(shown(path)),
            _ => None,
        };
        let number = item.number();
        Some(Self { number, octets: [span.start, span.end], name, doubtful: doubts })
    }
}

/// An issue, with `--line-numbers` also the first and the last line that it is on: null where they
/// cannot be counted.
#[derive(Serialize)]
pub struct PlacedIssue<'a> {
    #[serde(flatten)]
    pub issue: &'a Issue,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Option<[usize; 2]>>,
}

/// Writes `object` and a line end.
///
/// # Errors
/// Those of `out`.
pub fn write_line(mut out: impl Write, object: &impl Serialize) -> io::Result<()> {
    object.serialize(&mut Serializer::with_formatter(&mut out, Safe))?;
    out.write_all(b"\n")
}

/// The SHA-256 of octets, in hexadecimal digits.
pub fn sha256(octets: &[u8]) -> String {
    Sha256::digest(octets).iter().fold(String::with_capacity(64), |mut hex, octet| {
        // Writing to a string does not fail.
        let _ = write!(hex, "{octet:02x}");
        hex
    })
}

/// Compact JSON without unescaped controls.
struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        mut fragment: &str,
    ) -> io::Result<()> {
        while let Some((at, c)) = fragment.char_indices().find(|(_, c)| unsafe_char(*c)) {
            out.write_all(&fragment.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            fragment = &fragment[at + c.len_utf8()..];
        }
        out.write_all(fragment.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_escaped_and_nothing_is_lost() {
        let text = "a\x1b[31m\u{9b}\u{7f}\u{202e}\u{e0041}\"ü\n";
        let mut line = Vec::new();
        write_line(&mut line, &text).expect("memory");
        let line = String::from_utf8(line).expect("JSON is UTF-8");
        assert_eq!(line, "\"a\\u001b[31m\\u009b\\u007f\\u202e\\udb40\\udc41\\\"ü\\n\"\n");
        assert_eq!(serde_json::from_str::<String>(&line).expect("it is JSON"), text);
    }
}
