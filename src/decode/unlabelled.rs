//! Raw 8-bit octets in header fields, and the charset that they are read in.

use std::borrow::Cow;

use crate::codec::text::lossy;
use crate::issue::Tally;
use crate::{Charset, Code, Span, charset};

/// How raw octets that are not UTF-8 are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawText {
    /// As octets of an unknown charset, which stay what they are (transport).
    Unknown,
    /// In the charset of the message's text if that is labelled, otherwise in the one that detection finds (archive).
    Guess(Fallback),
}

/// The charsets that the rest of the message suggests for raw octets that are not UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fallback {
    /// The charset that the message's text is labelled with.
    pub(crate) labelled: Option<Charset>,
    /// The charset that all raw text of the headers seems to be in, if there is too much of it to guess piece by piece.
    pub(crate) of_all: Option<Charset>,
}

/// Up to how many octets above 7F text is guessed piece by piece: a guess for one octet costs as much as for fifty.
const MAX_ALONE: usize = 1024;

/// How much of all raw text is examined.
const ENOUGH: usize = 16 * 1024;

impl Fallback {
    pub(crate) const NONE: Self = Self { labelled: None, of_all: None };

    /// From the raw text of these values alone.
    pub(crate) fn of_values<'v>(values: impl IntoIterator<Item = &'v [u8]>) -> Self {
        let (mut count, mut all) = (0, Vec::new());
        for value in values {
            if value.is_ascii() || std::str::from_utf8(value).is_ok() {
                continue;
            }
            count += value.iter().filter(|octet| !octet.is_ascii()).count();
            all.extend_from_slice(&value[..value.len().min(ENOUGH.saturating_sub(all.len()))]);
            all.push(b'\n');
            if count > MAX_ALONE && all.len() >= ENOUGH {
                break;
            }
        }
        Self { labelled: None, of_all: (count > MAX_ALONE).then(|| charset::detect_by_letters(&all)) }
    }

    /// The charset of `octets`; a charset that does not fit is passed over.
    fn charset(self, octets: &[u8]) -> Charset {
        // Any octets are text in windows-1252.
        let fits = |charset: &Charset| {
            *charset == Charset::WINDOWS_1252 || charset.decode_lossless(octets).is_some()
        };
        match (self.labelled.filter(fits), self.of_all) {
            (Some(labelled), _) => labelled,
            (None, Some(of_all)) => Some(of_all).filter(fits).unwrap_or(Charset::WINDOWS_1252),
            // In a header only what US-ASCII is the same in makes sense.
            (None, None) => Some(charset::detect(octets))
                .filter(|found| found.has_line_ends())
                .unwrap_or(Charset::WINDOWS_1252),
        }
    }
}

/// The charset of some raw octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawCharset {
    Utf8,
    /// Raw ISO-2022 escapes name their charset themselves.
    Escapes(Charset),
    Guessed(Charset),
    Unknown,
}

impl RawText {
    /// For the raw octets of a value without a message around it.
    pub(crate) fn in_value(value: &[u8]) -> Self {
        Self::Guess(Fallback::of_values([value]))
    }

    /// The charset of `octets`.
    pub(crate) fn charset(self, octets: &[u8]) -> RawCharset {
        if let Some(escapes) = escapes(octets) {
            return RawCharset::Escapes(escapes);
        }
        if std::str::from_utf8(octets).is_ok() {
            return RawCharset::Utf8;
        }
        match self {
            Self::Unknown => RawCharset::Unknown,
            Self::Guess(_) if is_nearly_utf8(octets) => RawCharset::Guessed(Charset::UTF_8),
            Self::Guess(fallback) => RawCharset::Guessed(fallback.charset(octets)),
        }
    }

    /// `octets` as text.
    pub(crate) fn decode<'a>(self, octets: &'a [u8], span: Span, tally: &mut Tally) -> Cow<'a, str> {
        self.charset(octets).decode(octets, span, tally)
    }
}

impl RawCharset {
    /// `octets` as text in this charset.
    pub(crate) fn decode<'a>(self, octets: &'a [u8], span: Span, tally: &mut Tally) -> Cow<'a, str> {
        if self == Self::Utf8 && octets.is_ascii() {
            return lossy(octets);
        }
        tally.note(Code::RawHeaderText, span);
        let decoded = match self {
            Self::Utf8 => return lossy(octets),
            Self::Unknown => {
                tally.note(Code::UndecodableText, span);
                return lossy(octets);
            }
            Self::Escapes(charset) => charset.decode(octets),
            Self::Guessed(charset) => {
                tally.note_value(Code::CharsetGuessed, span, None, || charset.name());
                if let Some(text) = charset.decode_lossless(octets) {
                    return text;
                }
                charset.decode(octets)
            }
        };
        if !decoded.is_lossless() {
            tally.note(Code::UndecodableText, span);
        }
        decoded.into_text()
    }
}

/// Whether octets are UTF-8 apart from some damage: much is well-formed, little is not.
fn is_nearly_utf8(octets: &[u8]) -> bool {
    let (mut good, mut bad, mut rest) = (0, 0, octets.len());
    for chunk in octets.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
        rest -= chunk.valid().len() + chunk.invalid().len();
        // A character that is not US-ASCII takes two octets or more.
        if bad * 8 > good + rest / 2 {
            return false;
        }
    }
    good >= 4 && bad * 8 <= good
}

/// The charset that raw ISO-2022 escapes announce, well-formed or not.
fn escapes(octets: &[u8]) -> Option<Charset> {
    let at = memchr::memchr(0x1b, octets)?;
    let label = match octets.get(at + 1..at + 4)? {
        [b'$', b')', b'C'] => "iso-2022-kr",
        [b'$', b')', b'A' | b'G'] => "iso-2022-cn",
        [b'$', b'@' | b'B' | b'(', _] | [b'(', b'J' | b'I', _] => "iso-2022-jp",
        _ => return None,
    };
    Charset::for_label(label).filter(|_| octets.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[u8] = b"\xC9\xD7\xC1\xCE \xF0\xC5\xD4\xD2\xCF\xD7"; // "иван Петров" in KOI8-R

    #[test]
    fn much_raw_text_is_guessed_at_once() {
        let many = vec![NAMES; MAX_ALONE / 10 + 1];
        let koi8 = Fallback::of_values(many).of_all.expect("much raw text");
        assert!(koi8.name().starts_with("KOI8"), "{koi8}");
        assert_eq!(koi8.decode(NAMES).text(), "иван Петров");
        let fallback = Fallback { labelled: None, of_all: Some(koi8) };
        assert_eq!(RawText::Guess(fallback).charset(b"\xC9"), RawCharset::Guessed(koi8));
        let labelled = Fallback { labelled: Some(Charset::ISO_8859_1), ..fallback };
        assert_eq!(RawText::Guess(labelled).charset(b"\xC9"), RawCharset::Guessed(Charset::ISO_8859_1));
        assert_eq!(RawText::Guess(fallback).charset("\u{e9}".as_bytes()), RawCharset::Utf8);
    }

    #[test]
    fn what_does_not_fit_the_guess_for_all_is_not_asked_about() {
        let fallback = Fallback { labelled: None, of_all: Charset::for_label("euc-jp") };
        assert_eq!(RawText::Guess(fallback).charset(b"\xE9"), RawCharset::Guessed(Charset::WINDOWS_1252));
    }

    #[test]
    fn little_raw_text_is_judged_piece_by_piece() {
        assert_eq!(Fallback::of_values(vec![NAMES; 50]), Fallback::NONE);
        // UTF-8 needs no guess, and counts for none.
        assert_eq!(Fallback::of_values(vec!["\u{e9}".as_bytes(); 5000]), Fallback::NONE);
    }
}
