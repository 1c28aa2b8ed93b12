//! UTF-8 (RFC 3629; RFC 2279 before it), and names for everything that is not UTF-8.
//!
//! Ill-formed sequences are named in one place, [`faults`], whatever then becomes of them by a
//! policy ([`Malformed`]) or in UTF-8B. Text in chunks goes through
//! [`Charset::UTF_8`](crate::Charset::UTF_8).
//!
//! ```
//! use sevenbit::utf8;
//! use sevenbit::{DecodeFault, ErrorKind, Malformed};
//!
//! assert_eq!(utf8::decode(b"caf\xE9", Malformed::Windows1252).text(), "café");
//! assert_eq!(utf8::decode_strict(b"/\xC0\xAE./").unwrap_err().kind(), ErrorKind::Decode(DecodeFault::Utf8Overlong));
//! // RFC 2279 had sequences of up to six octets.
//! let fault = utf8::faults(b"a\xF8\x88\x80\x80\x80b").next().unwrap();
//! assert_eq!((fault.kind(), fault.value()), (DecodeFault::Utf8FiveOctets, Some(0x20_0000)));
//! ```

mod decode;
mod faults;
#[cfg(feature = "bindings")]
mod form;
mod sequence;
#[cfg(test)]
mod tests;
#[cfg(feature = "bindings")]
mod utf8b;

use std::borrow::Cow;

#[doc(hidden)]
pub use decode::Decoder;
pub use faults::{Fault, Faults, faults};
#[cfg(feature = "bindings")]
pub use form::Form;
#[cfg(feature = "bindings")]
pub use utf8b::{from_utf8b, to_utf8b};

use super::malformed::Malformed;
use super::scan;
use crate::report::Tally;
use crate::{Decoded, Error, ErrorKind};

/// Returns the text, if `octets` are well-formed. At vector speed, through `simdutf8`.
#[doc(hidden)]
pub fn validate(octets: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(octets).ok()
}

/// Returns whether there is a well-formed sequence of more than one octet anywhere. Usually the
/// first octet above 7F begins one.
#[doc(hidden)]
pub fn holds_sequence(octets: &[u8]) -> bool {
    let rest = &octets[scan::find(octets, |octet| octet >= 0x80)..];
    let begins = rest[..rest.len().min(4)]
        .utf8_chunks()
        .next()
        .is_some_and(|chunk| !chunk.valid().is_empty());
    begins || rest.utf8_chunks().any(|chunk| !chunk.valid().is_ascii())
}

/// Returns whether all that is wrong in octets are characters of UTF-8 that were cut, or surrogates
/// as CESU-8 has them: two octets or three of a character, or at the end one that begins the
/// characters found most often in US-ASCII text (Latin letters, punctuation, emoji). Other octets
/// there are letters of windows-1252 with which words end, as in `caf\xE9`.
#[doc(hidden)]
pub fn is_cut(octets: &[u8]) -> bool {
    let (mut rest, mut found) = (octets, false);
    while let Err(error) = str::from_utf8(rest) {
        let bad = &rest[error.valid_up_to()..];
        let length = match (bad, error.error_len()) {
            ([0xED, 0xA0..=0xBF, 0x80..=0xBF, ..], _) => 3,
            (_, Some(length)) if length > 1 => length,
            (_, None) if bad.len() > 1 || matches!(bad, [0xC2 | 0xC3 | 0xE2 | 0xF0]) => bad.len(),
            _ => return false,
        };
        found = true;
        rest = &bad[length..];
    }
    found
}

/// Returns whether octets are well-formed, with so many sequences of more than one octet that it
/// can hardly be by chance.
#[doc(hidden)]
pub fn shows_itself(octets: &[u8]) -> bool {
    const ENOUGH: usize = 2;
    let text = validate(octets);
    text.is_some_and(|text| text.chars().filter(|c| !c.is_ascii()).nth(ENOUGH - 1).is_some())
}

/// Returns whether octets are well-formed and contain no control but those of lines, and are so
/// many that text in wider units can hardly look so by chance.
#[doc(hidden)]
pub fn is_plain_text(octets: &[u8]) -> bool {
    const ENOUGH: usize = 8;
    let is_control = |octet: u8| octet < b' ' && !matches!(octet, b'\t' | b'\n' | b'\r');
    octets.len() >= ENOUGH
        && scan::find(octets, is_control) == octets.len()
        && validate(octets).is_some()
}

/// Returns whether octets are words in US-ASCII, and so many that text in wider units can hardly
/// look so by chance: of Chinese characters in UTF-16 one in four looks like two octets of
/// US-ASCII, one in twelve like two letters.
#[doc(hidden)]
pub fn is_words(octets: &[u8]) -> bool {
    const ENOUGH: usize = 14;
    let letters =
        || octets.iter().filter(|octet| octet.is_ascii_alphabetic() || **octet == b' ').count();
    octets.len() >= ENOUGH
        && octets.iter().all(|octet| matches!(octet, b' '..=b'~'))
        && 4 * letters() >= 3 * octets.len()
}

/// Returns whether octets without a label are UTF-8, though not all of them are well-formed.
#[doc(hidden)]
pub fn is_damaged(octets: &[u8]) -> bool {
    is_nearly_well_formed(octets) || is_surely_cut(octets)
}

/// Returns whether octets are UTF-8 apart from some damage: much is well-formed, little is not.
/// Text in another charset is not: hardly two of its characters in a row look like sequences.
fn is_nearly_well_formed(octets: &[u8]) -> bool {
    /// The minimum number of sequences, for each fault and in total.
    const MIN_SEQUENCES: usize = 4;
    /// After this many faults there must be at least as many sequences.
    const SOON: usize = 16;
    if octets.len() < 2 * MIN_SEQUENCES {
        return false;
    }
    let (mut sequences, mut faults) = (0, 0);
    let mut rest = octets;
    loop {
        // No sequence, and no fault, extends beyond an octet of US-ASCII.
        rest = &rest[first_high(rest)..];
        let high = rest.iter().position(u8::is_ascii).unwrap_or(rest.len());
        if high == 0 {
            return sequences >= MIN_SEQUENCES && sequences >= MIN_SEQUENCES * faults;
        }
        for chunk in rest[..high].utf8_chunks() {
            sequences += chunk.valid().chars().count();
            faults += usize::from(!chunk.invalid().is_empty());
            if faults >= SOON && sequences < faults {
                return false;
            }
        }
        rest = &rest[high..];
    }
}

/// Returns whether octets without a label are UTF-8 apart from characters that were cut, or
/// surrogates as CESU-8 has them. Letters of other charsets hardly look so by chance:
/// `caf\xE9\x92s` in windows-1252 begins a character of East Asia, but no other character is there.
/// One of these is enough:
///
/// 1. Two characters that are whole, or one of three octets.
/// 2. The beginning of what is cut most often in US-ASCII text: punctuation, kana, signs of full
///    width, emoji.
/// 3. A pair of surrogates.
#[doc(hidden)]
pub fn is_surely_cut(octets: &[u8]) -> bool {
    const MIN_CHARACTERS: usize = 2;
    const PAIR: usize = 6;
    let (mut characters, mut is_sure, mut is_cut) = (0, false, false);
    let mut rest = octets;
    while let Err(error) = str::from_utf8(rest) {
        let (valid, bad) = rest.split_at(error.valid_up_to());
        let (count, has_long) = characters_in(valid);
        characters += count;
        is_sure |= has_long;

        let length = match (bad, error.error_len()) {
            ([0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED, 0xB0..=0xBF, 0x80..=0xBF, ..], _) => PAIR,
            (_, Some(length)) if length > 1 => length,
            (_, None) => bad.len(),
            // The first octet of a character, of which nothing else is left.
            ([0xC2..=0xF4, next, ..], _) if next.is_ascii() => 1,
            _ => return false,
        };
        is_sure |= length == PAIR || begins_frequent_character(&bad[..length]);
        is_cut = true;
        rest = &bad[length..];
    }
    let (count, has_long) = characters_in(rest);
    is_cut && (is_sure || has_long || characters + count >= MIN_CHARACTERS)
}

/// Returns how many characters of well-formed octets are not US-ASCII, and whether any has more
/// than two octets.
fn characters_in(octets: &[u8]) -> (usize, bool) {
    let leads = |from: u8| scan::count(octets, |octet| octet >= from);
    (leads(0xC0), leads(0xE0) > 0)
}

/// Returns whether octets begin a character of punctuation or currency, a kana, a sign of full
/// width, or an emoji.
fn begins_frequent_character(octets: &[u8]) -> bool {
    matches!(
        octets,
        [0xE2, 0x80..=0x82, ..]
            | [0xE3, 0x80..=0x83, ..]
            | [0xEF, 0xBC..=0xBD, ..]
            | [0xF0, 0x9F, ..]
    )
}

/// Returns the offset of the first octet above 7F, or the length of the octets.
#[doc(hidden)]
pub fn first_high(octets: &[u8]) -> usize {
    const STEP: usize = 128;
    let skipped = octets.chunks_exact(STEP).take_while(|step| step.is_ascii()).count() * STEP;
    skipped + scan::find(&octets[skipped..], |octet| octet >= 0x80)
}

/// Returns the well-formed text that `octets` begin with.
#[doc(hidden)]
pub fn valid_start(octets: &[u8]) -> &str {
    let valid =
        |octets: &[u8]| str::from_utf8(octets).map_or_else(|error| error.valid_up_to(), str::len);
    validate(octets).or_else(|| validate(&octets[..valid(octets)])).unwrap_or_default()
}

/// Reads UTF-8, borrowed if it is well-formed. Under [`Malformed::Strict`] the text ends before the
/// first fault.
pub fn decode(octets: &[u8], malformed: Malformed) -> Decoded<'_> {
    if let Some(text) = validate(octets) {
        return Decoded::new(Cow::Borrowed(text), Vec::new());
    }
    let (mut text, mut tally) = (String::with_capacity(octets.len()), Tally::default());
    Decoder::new(malformed).decode(octets, true, &mut text, &mut tally);
    let text = match malformed {
        Malformed::Strict => Cow::Borrowed(valid_start(octets)),
        _ => Cow::Owned(text),
    };
    Decoded::new(text, tally.into_issues())
}

/// Reads UTF-8 strictly.
///
/// # Errors
/// The first fault: its name, its offset, and the value that it encoded, see [`Error::value`].
pub fn decode_strict(octets: &[u8]) -> Result<&str, Error> {
    let fault = |fault: Fault| {
        Error::new(ErrorKind::Decode(fault.kind()), fault.span().start).standing_for(fault.value())
    };
    validate(octets)
        .map_or_else(|| faults(octets).next().map_or(Ok(""), |first| Err(fault(first))), Ok)
}
