//! Transfer encodings by their names (rule B1), and decoding bodies (rule B2).

use std::borrow::Cow;

use crate::ascii::{is_fws, is_in_any_case, is_token, trim_fws};
use crate::codec::{base64, quoted_printable, uuencode};
use crate::lengths::MAX_TOKEN;
use crate::report::Tally;

/// A Content-Transfer-Encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransferEncoding {
    SevenBit,
    EightBit,
    Binary,
    QuotedPrintable,
    Base64,
    Uuencode,
    /// An unknown one: the leaf is opaque.
    Unknown,
}

/// Whether the name of a transfer encoding was written as the standard spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameSpelling {
    /// Exactly, in upper or lower case.
    Exact,
    /// With something around it, or with a misspelt name of an encoding that leaves octets as they
    /// are.
    Odd,
    /// The name of an encoding, in a way that no reader knows.
    Misspelt,
}

impl TransferEncoding {
    /// Returns the encoding named by the `value` of the field, in which `mechanism` finds the word
    /// of the grammar.
    ///
    /// Deviations from RFC 2045, 6.1, all [`NameSpelling::Odd`] except the second:
    /// 1. What is around the word is ignored: also a blank after it, with which Python decodes
    ///    nothing.
    /// 2. Misspellings seen in mail are understood ([`misspelt`]): [`NameSpelling::Misspelt`] if
    ///    the octets are encoded.
    /// 3. No word at all, a charset or a media type, or something that is not a token
    ///    (`ba(x)se64`): the field was filled in wrongly and says nothing about an encoding; most
    ///    readers take the octets as they are.
    pub fn named(value: &[u8], mechanism: impl FnOnce(&[u8]) -> &[u8]) -> (Self, NameSpelling) {
        let end = value.iter().rposition(|&octet| !is_fws(octet)).map_or(0, |last| last + 1);
        let is_padded = value[end..].iter().any(|octet| matches!(octet, b' ' | b'\t'));
        let value = trim_fws(value);
        if let Some(exact) = Self::exact(value) {
            let is_odd = is_padded && exact.is_decoded();
            return (exact, if is_odd { NameSpelling::Odd } else { NameSpelling::Exact });
        }
        let word = mechanism(value).to_ascii_lowercase();
        if let Some(read) = Self::exact(&word) {
            return (read, NameSpelling::Odd);
        }
        match misspelt(&word) {
            Some(read) if read.is_decoded() => (read, NameSpelling::Misspelt),
            Some(read) => (read, NameSpelling::Odd),
            // An unknown word may still be spelt as it was meant.
            None if is_name(value) => (Self::Unknown, NameSpelling::Exact),
            None => (Self::SevenBit, NameSpelling::Odd),
        }
    }

    /// Returns whether the octets of a body are other ones than those that it stands for.
    pub const fn is_decoded(self) -> bool {
        matches!(self, Self::QuotedPrintable | Self::Base64 | Self::Uuencode)
    }

    fn exact(word: &[u8]) -> Option<Self> {
        let names: [(&[u8], Self); 9] = [
            (b"7bit", Self::SevenBit),
            (b"8bit", Self::EightBit),
            (b"base64", Self::Base64),
            (b"quoted-printable", Self::QuotedPrintable),
            (b"binary", Self::Binary),
            (b"x-uuencode", Self::Uuencode),
            (b"uuencode", Self::Uuencode),
            (b"x-uue", Self::Uuencode),
            (b"x-uu", Self::Uuencode),
        ];
        names.iter().find(|(name, _)| is_in_any_case(word, name)).map(|&(_, encoding)| encoding)
    }

    /// Returns the name as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SevenBit => "7bit",
            Self::EightBit => "8bit",
            Self::Binary => "binary",
            Self::QuotedPrintable => "quoted-printable",
            Self::Base64 => "base64",
            Self::Uuencode => "x-uuencode",
            Self::Unknown => "unknown",
        }
    }

    /// Decodes `body`; repairs go into `tally`, with spans in `body`.
    pub fn decode<'a>(self, body: &'a [u8], tally: &mut Tally) -> Cow<'a, [u8]> {
        let mut octets = Vec::new();
        match self {
            Self::QuotedPrintable => quoted_printable::decode(body, &mut octets, tally),
            Self::Base64 => base64::decode(body, &mut octets, tally),
            Self::Uuencode => uuencode::decode(body, &mut octets, tally),
            Self::SevenBit | Self::EightBit | Self::Binary | Self::Unknown => {
                return Cow::Borrowed(body);
            }
        }
        Cow::Owned(octets)
    }

    /// Returns whether every parser decodes `body` to the same octets, even if it is not exactly
    /// right.
    pub fn is_unambiguous(self, body: &[u8]) -> bool {
        match self {
            Self::QuotedPrintable => quoted_printable::is_unambiguous(body),
            Self::Base64 => base64::is_unambiguous(body),
            Self::Uuencode => false,
            Self::SevenBit | Self::EightBit | Self::Binary | Self::Unknown => true,
        }
    }

    /// Returns whether every parser decodes `body` to the same octets without a repair.
    pub fn is_clean(self, body: &[u8]) -> bool {
        match self {
            Self::QuotedPrintable => quoted_printable::is_well_formed(body),
            Self::Base64 => base64::is_well_formed(body),
            Self::Uuencode | Self::Unknown => false,
            Self::SevenBit | Self::EightBit | Self::Binary => true,
        }
    }
}

/// Returns whether a value can be the name of an encoding: `mechanism := token`, not too long for a
/// line.
fn is_name(value: &[u8]) -> bool {
    value.len() <= MAX_TOKEN && value.iter().all(|&octet| is_token(octet))
}

/// Returns the meaning of a word that is not the name of an encoding. Only letters and digits
/// count: `8-bit`, `8_bit`, `8?bit`.
fn misspelt(word: &[u8]) -> Option<TransferEncoding> {
    let letters: Vec<u8> = word.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    let is_one_of = |words: &[&str]| words.iter().any(|word| word.as_bytes() == letters);
    if letters.is_empty()
        || is_one_of(&[
            "7bit", "7bits", "7bi", "7bt", "6bit", "7", "sevenbit", "plain", "text", "none",
            "ascii", "usascii",
        ])
    {
        Some(TransferEncoding::SevenBit)
    } else if is_one_of(&[
        "8bit",
        "8bits",
        "8bitraw",
        "8",
        "eightbit",
        "raw",
        "utf8",
        "utf8bit",
        "16bit",
        "windows1251",
        "windows1252",
        "gb2312",
    ]) || letters.starts_with(b"iso8859")
        || word.starts_with(b"text/")
    {
        Some(TransferEncoding::EightBit)
    } else if is_one_of(&["binary", "bin", "xbinary"]) {
        Some(TransferEncoding::Binary)
    } else if is_one_of(&[
        "quotedprintable",
        "quotedprintible",
        "quotedprintabl",
        "quotedprint",
        "quoted",
        "printable",
        "qp",
        "xquotedprintable",
    ]) {
        Some(TransferEncoding::QuotedPrintable)
    } else if is_one_of(&["base64", "basa64", "b64", "base", "xbase64", "mime64"]) {
        Some(TransferEncoding::Base64)
    } else if is_one_of(&["uu", "uue", "uuencoded", "xuuencoded"]) {
        Some(TransferEncoding::Uuencode)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_encodings_off() {
        let decode = |encoding: TransferEncoding, body: &str| {
            let mut tally = Tally::default();
            String::from_utf8_lossy(&encoding.decode(body.as_bytes(), &mut tally)).into_owned()
        };
        assert_eq!(decode(TransferEncoding::Base64, "Y2Fmw6k="), "café");
        assert_eq!(decode(TransferEncoding::QuotedPrintable, "caf=C3=A9"), "café");
        assert_eq!(decode(TransferEncoding::Uuencode, "begin 644 x\n#0V%T\n`\nend\n"), "Cat");
        assert_eq!(decode(TransferEncoding::EightBit, "café"), "café");
        assert!(matches!(
            TransferEncoding::Unknown.decode(b"x", &mut Tally::default()),
            Cow::Borrowed(b"x")
        ));
    }
}
