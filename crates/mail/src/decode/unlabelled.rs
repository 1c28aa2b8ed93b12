//! Raw 8-bit octets in header fields, and the charset that they are read in.

use std::borrow::Cow;

use crate::charset::Guess;
use crate::codec::text::lossy;
use crate::codec::utf8;
use crate::report::Tally;
use crate::{Charset, Code, DecodeFault, Span};

/// How raw octets that are not UTF-8 are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawText {
    /// As octets of an unknown charset, which are kept (transport).
    Unknown,
    /// As octets of an unknown charset: the guess for the message is not sure (archive).
    Unsure,
    /// As octets of an unknown charset, which are shown as most programs show them: in
    /// windows-1252.
    Assumed,
    /// In the charset guessed for the message.
    Guess(Guess),
    /// Each piece in the charset guessed from it alone, if that is sure.
    Alone,
    /// Each piece in the charset guessed from it alone, however unsure: text of fields that are
    /// evidence for nothing, such as comments of trace fields. What one piece leaves unread would
    /// be read differently in smaller ones.
    Each,
}

/// Guesses the charset of octets by themselves: in a header only charsets that extend US-ASCII make
/// sense.
fn guess_in_header(octets: &[u8]) -> Guess {
    let alone = Charset::guess(octets);
    if alone.charset().has_line_ends() { alone } else { Guess::certain(Charset::WINDOWS_1252) }
}

/// Returns the guess from octets by themselves, if it is sure.
fn guess_alone(octets: &[u8]) -> Option<Guess> {
    Some(guess_in_header(octets)).filter(|guess| guess.is_probable())
}

/// Returns the guess for octets that are UTF-8 perhaps by chance: letters of one script beside
/// those of another, as `RÓŻNE` in ISO-8859-2 has them.
fn guess_instead_of_utf8(text: &str) -> Option<Guess> {
    if !may_be_by_chance(text.as_bytes()) {
        return None;
    }
    let guess = guess_in_header(text.as_bytes());
    (guess.charset() != Charset::UTF_8 && guess.is_sure()).then_some(guess)
}

/// Returns whether octets could be in UTF-8 by chance: the first that are no US-ASCII are two that
/// would be a letter of another script than Latin.
pub(super) fn may_be_by_chance(octets: &[u8]) -> bool {
    let first = octets.iter().find(|octet| !octet.is_ascii());
    first.is_some_and(|octet| matches!(octet, 0xCD..=0xDF))
}

/// The charset of some raw octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawCharset {
    Utf8,
    /// Raw ISO-2022 escapes name their charset themselves.
    Escapes(Charset),
    Guessed(Guess),
    /// Nobody knows: shown in windows-1252, and never written so.
    Assumed,
    Unknown,
}

impl RawText {
    /// Returns how octets are shown, given the guess for the message, if there is one. Nothing is
    /// shown by a guess that is not sure.
    pub fn shown(guess: Option<Guess>) -> Self {
        match guess {
            None => Self::Alone,
            Some(guess) if guess.is_probable() => Self::Guess(guess),
            Some(_) => Self::Assumed,
        }
    }

    /// Returns how octets are read that are written anew.
    pub fn written(guess: Option<Guess>) -> Self {
        match guess {
            None => Self::Each,
            Some(guess) if guess.is_sure() => Self::Guess(guess),
            Some(_) => Self::Unsure,
        }
    }

    /// Returns the charset of `octets`.
    pub fn charset(self, octets: &[u8]) -> RawCharset {
        if let Some(escapes) = escapes(octets) {
            return RawCharset::Escapes(escapes);
        }
        if let Ok(text) = std::str::from_utf8(octets) {
            let guess = if self == Self::Unknown { None } else { guess_instead_of_utf8(text) };
            return guess.map_or(RawCharset::Utf8, RawCharset::Guessed);
        }
        match self {
            Self::Unknown => RawCharset::Unknown,
            _ if utf8::is_damaged(octets) => RawCharset::Guessed(Guess::certain(Charset::UTF_8)),
            Self::Unsure => RawCharset::Unknown,
            Self::Assumed => RawCharset::Assumed,
            Self::Guess(guess) => RawCharset::Guessed(guess),
            Self::Each => RawCharset::Guessed(guess_in_header(octets)),
            Self::Alone => guess_alone(octets).map_or(RawCharset::Assumed, RawCharset::Guessed),
        }
    }

    /// Returns how octets under a label that cannot be true are read: what surrounds them is not
    /// evidence for them, since it may be rewritten while they are not.
    pub fn alone(self) -> Self {
        if self == Self::Unknown { self } else { Self::Alone }
    }

    /// Returns `octets` as text.
    pub fn decode<'a>(self, octets: &'a [u8], span: Span, tally: &mut Tally) -> Cow<'a, str> {
        self.charset(octets).decode(octets, span, tally)
    }
}

impl RawCharset {
    /// Returns the charset that octets that are not UTF-8 announce, or seem to be in.
    pub fn charset(self) -> Option<Charset> {
        match self {
            Self::Utf8 | Self::Assumed | Self::Unknown => None,
            Self::Escapes(charset) => Some(charset),
            Self::Guessed(guess) => Some(guess.charset()),
        }
    }

    /// Returns `octets` as text in this charset, where nothing is reported.
    pub(super) fn text(self, octets: &[u8]) -> Cow<'_, str> {
        let shown =
            if self == Self::Assumed { Some(Charset::WINDOWS_1252) } else { self.charset() };
        shown.map_or_else(|| lossy(octets), |charset| charset.read(octets).into_text())
    }

    /// Returns `octets` as text in this charset.
    pub fn decode<'a>(self, octets: &'a [u8], span: Span, tally: &mut Tally) -> Cow<'a, str> {
        if self == Self::Utf8 && octets.is_ascii() {
            return lossy(octets);
        }
        tally.note(Code::RawHeaderText, span);
        let decoded = match self {
            Self::Utf8 => return lossy(octets),
            Self::Unknown => {
                tally.note(Code::Decode(DecodeFault::UndecodableText), span);
                return lossy(octets);
            }
            Self::Escapes(charset) => charset.read(octets),
            Self::Assumed => {
                tally.note_value(Code::CharsetGuessed, span, None, || Guess::WITHOUT_EVIDENCE);
                tally.note(Code::Decode(DecodeFault::UndecodableText), span);
                Charset::WINDOWS_1252.decode(octets)
            }
            Self::Guessed(guess) => {
                let charset = guess.charset();
                tally.note_value(Code::CharsetGuessed, span, None, || guess);
                if let Some(text) = charset.read_lossless(octets) {
                    return text;
                }
                charset.read(octets)
            }
        };
        if !decoded.is_lossless() {
            tally.note(Code::Decode(DecodeFault::UndecodableText), span);
        }
        decoded.into_text()
    }
}

/// Returns the charset that raw ISO-2022 escapes announce, well-formed or not.
fn escapes(octets: &[u8]) -> Option<Charset> {
    let at = memchr::memchr(0x1b, octets)?;
    let label = match octets.get(at + 1..at + 4)? {
        [b'$', b')', b'C'] => "iso-2022-kr",
        [b'$', b')', b'A' | b'G'] => "iso-2022-cn",
        [b'$', b'@' | b'B' | b'(', _] | [b'(', b'J' | b'I', _] => "iso-2022-jp",
        _ => return None,
    };
    if octets.is_ascii() { Charset::for_label(label) } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PIECES: [&[u8]; 7] = [b"a", b"\xC3\xA9", b"\xC3", b"\xFF", b"\0", b"\x1B$B!A", b"\x1B(B"];

    #[test]
    fn letters_beside_those_of_another_script_are_not_utf_8() {
        let read = |octets: &[u8]| {
            RawText::Alone.decode(octets, Span::default(), &mut Tally::default()).into_owned()
        };
        assert_eq!(read(b"R\xD3\xAFNE"), "RÓŻNE");
        for text in ["привет", "Δt", "Ελλάδα", "naïve", "ӯ", "o\u{43e}ps"] {
            assert_eq!(read(text.as_bytes()), text);
        }
    }

    proptest! {
        #[test]
        fn text_is_what_is_decoded_and_reported(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..8)) {
            let octets = &*pieces.concat();
            for raw in [RawText::Unknown, RawText::Assumed, RawText::Alone, RawText::Guess(Guess::certain(Charset::WINDOWS_1252))] {
                let charset = raw.charset(octets);
                let decoded = charset.decode(octets, Span::default(), &mut Tally::default());
                prop_assert_eq!(charset.text(octets), decoded);
            }
        }
    }
}
