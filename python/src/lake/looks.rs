//! The kind of thing that octets look like: not everything that lies among mail is mail.

use sevenbit::Message;

/// The kind of thing that octets look like, by their beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// A header section, with a field whose name is like those of mail.
    Message,
    /// Text without such a field.
    Text,
    /// Nothing, or nothing but white space.
    Empty,
    /// Compressed, or an archive of files.
    Packed,
    /// Something else with octets that no text has.
    Binary,
}

/// How compressed files and archives begin.
const PACKED: [&[u8]; 8] = [
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1F\x8B",
    b"\x28\xB5\x2F\xFD",
    b"BZh",
    b"\xFD7zXZ\x00",
    b"7z\xBC\xAF\x27\x1C",
    b"Rar!\x1A\x07",
];

/// How many octets are looked at.
const LOOK: usize = 512;

impl Looks {
    /// The kind of thing that a parsed message looks like.
    pub fn of(octets: &[u8], view: &Message<'_>) -> Self {
        let beginning = &octets[..octets.len().min(LOOK)];
        match () {
            () if octets.trim_ascii().is_empty() => Self::Empty,
            () if PACKED.iter().any(|magic| beginning.starts_with(magic)) => Self::Packed,
            () if view.headers().any(|(name, _)| is_name(name)) && !beginning.starts_with(b"\0") => {
                Self::Message
            }
            () if beginning.iter().any(|octet| is_no_text(*octet)) => Self::Binary,
            () => Self::Text,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Text => "text",
            Self::Empty => "empty",
            Self::Packed => "packed",
            Self::Binary => "binary",
        }
    }
}

/// Whether an octet is a control that no charset of mail has as a character or in an escape.
fn is_no_text(octet: u8) -> bool {
    matches!(octet, 0..=6 | 0x10..=0x19)
}

/// Whether a name is one that fields of mail have: those in JSON (`{"a": 1}`) or in a table (`1,12:30`) have other characters,
/// which RFC 5322 allows.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | b'.'))
}
