//! Which transfer encoding a field names (rule B1), and taking it off a body (rule B2).

use std::borrow::Cow;

use crate::ascii::{is_token, trim_fws};
use crate::codec::{base64, quoted, uuencode};
use crate::issue::Tally;

/// A Content-Transfer-Encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TransferEncoding {
    SevenBit,
    EightBit,
    Binary,
    QuotedPrintable,
    Base64,
    Uuencode,
    /// One that nobody knows: the leaf is opaque.
    Unknown,
}

/// Whether the name of a transfer encoding stood there as the standard spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Spelling {
    /// In any case, but to the letter.
    Exact,
    /// With more around it, or misspelt.
    Odd,
}

impl TransferEncoding {
    /// Reads the value of a Content-Transfer-Encoding field.
    ///
    /// `encoding := "Content-Transfer-Encoding" ":" mechanism` (RFC 2045, 6.1)
    ///
    /// Deviations, all [`Spelling::Odd`]:
    /// 1. Quotes, comments and whatever follows the first word are not looked at.
    /// 2. Misspellings seen in mail are understood ([`misspelt`]).
    /// 3. No word at all, a charset or a media type, or what is no token (`ba(x)se64`): it was filled in wrongly and
    ///    says nothing about an encoding; the octets are as they are, for most readers.
    pub(crate) fn read(value: &[u8]) -> (Self, Spelling) {
        let value = trim_fws(value);
        if let Some(exact) = Self::exact(value) {
            return (exact, Spelling::Exact);
        }
        let word = first_word(value).to_ascii_lowercase();
        match Self::exact(&word).or_else(|| misspelt(&word)) {
            Some(read) => (read, Spelling::Odd),
            // A word that nobody knows may still be spelt as it was meant.
            None if is_name(value) => (Self::Unknown, Spelling::Exact),
            None => (Self::SevenBit, Spelling::Odd),
        }
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
        names.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|&(_, encoding)| encoding)
    }

    /// The name as it is written.
    pub(crate) const fn name(self) -> &'static str {
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

    /// Takes the encoding off; repairs go into `tally`, with spans in `body`.
    pub(crate) fn decode<'a>(self, body: &'a [u8], tally: &mut Tally) -> Cow<'a, [u8]> {
        let mut octets = Vec::new();
        match self {
            Self::QuotedPrintable => quoted::decode(body, &mut octets, tally),
            Self::Base64 => base64::decode(body, &mut octets, tally),
            Self::Uuencode => uuencode::decode(body, &mut octets, tally),
            Self::SevenBit | Self::EightBit | Self::Binary | Self::Unknown => return Cow::Borrowed(body),
        }
        Cow::Owned(octets)
    }

    /// Whether every parser takes the same octets off `body` without a repair.
    pub(crate) fn is_clean(self, body: &[u8]) -> bool {
        match self {
            Self::QuotedPrintable => quoted::is_clean(body),
            Self::Base64 => base64::is_clean(body),
            Self::Uuencode | Self::Unknown => false,
            Self::SevenBit | Self::EightBit | Self::Binary => true,
        }
    }
}

/// Whether a value can be the name of an encoding: `mechanism := token`, not too long for a line.
fn is_name(value: &[u8]) -> bool {
    value.len() <= 900 && value.iter().all(|&octet| is_token(octet))
}

/// The first word outside comments, without quotes.
fn first_word(value: &[u8]) -> &[u8] {
    let is_between =
        |octet: &u8| matches!(octet, b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b';' | b',' | b'<' | b':');
    let ends = |octet: &u8| is_between(octet) || matches!(octet, b'(' | b'>');
    let mut rest = value;
    loop {
        let start = rest.iter().position(|octet| !is_between(octet)).unwrap_or(rest.len());
        rest = &rest[start..];
        if rest.first() != Some(&b'(') {
            break;
        }
        rest = behind_comment(rest);
    }
    &rest[..rest.iter().position(ends).unwrap_or(rest.len())]
}

/// What follows the comment that `text` begins with, nested or not closed though it may be.
fn behind_comment(text: &[u8]) -> &[u8] {
    let mut depth = 0_usize;
    for (at, octet) in text.iter().enumerate() {
        match octet {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    &[]
}

/// What a word means that is no name of an encoding. Only letters and digits count: `8-bit`, `8_bit`, `8?bit`.
fn misspelt(word: &[u8]) -> Option<TransferEncoding> {
    let letters: Vec<u8> = word.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    let is_one_of = |words: &[&str]| words.iter().any(|word| word.as_bytes() == letters);
    if letters.is_empty()
        || is_one_of(&[
            "7bit", "7bits", "7bi", "7bt", "6bit", "7", "sevenbit", "plain", "text", "none", "ascii",
            "usascii",
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
    fn reads_names_and_what_is_meant() {
        use Spelling::{Exact, Odd};
        use TransferEncoding::*;
        let cases = [
            ("7bit", SevenBit, Exact),
            (" 8BIT\r\n", EightBit, Exact),
            ("Quoted-Printable", QuotedPrintable, Exact),
            ("base64;", Base64, Odd),
            ("base64 (as ever)", Base64, Odd),
            ("(a (nested) comment) base64", Base64, Odd),
            ("\"quoted-printable\"", QuotedPrintable, Odd),
            ("quoted?printable", QuotedPrintable, Odd),
            ("8-bit", EightBit, Odd),
            ("8bits", EightBit, Odd),
            ("8bit?(raw)", EightBit, Odd),
            ("7-bit", SevenBit, Odd),
            ("6bit", SevenBit, Odd),
            ("utf-8", EightBit, Odd),
            ("text/html", EightBit, Odd),
            ("plain", SevenBit, Odd),
            ("", SevenBit, Odd),
            ("(", SevenBit, Odd),
            ("x-uuencode", Uuencode, Exact),
            ("foobar", Unknown, Exact),
            ("7vladi.pimenovit", Unknown, Exact),
            ("foo bar", SevenBit, Odd),
            ("ba(x)se64", SevenBit, Odd),
            ("foo (caf\u{e9})", SevenBit, Odd),
        ];
        for (value, encoding, spelling) in cases {
            assert_eq!(TransferEncoding::read(value.as_bytes()), (encoding, spelling), "{value:?}");
        }
    }

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
        assert!(matches!(TransferEncoding::Unknown.decode(b"x", &mut Tally::default()), Cow::Borrowed(b"x")));
    }
}
