//! The text without a label in a header: the octets that a guess is made from.

use memchr::memmem;

use super::unlabelled::may_be_by_chance;
use super::word::{Gather, Joined};
use super::{RawText, Segment, segments, text};
use crate::charset::{Evidence, Guess};
use crate::codec::utf8;
use crate::syntax::encoded_word::possible_words;
use crate::syntax::lexical::fields;
use crate::{Charset, Code, DecodeFault, Decoded, Issue};

impl RawText {
    /// Returns how the raw octets of a value without a message around it are read.
    pub fn in_value(value: &[u8]) -> Self {
        Self::shown(guess_of_values([value]))
    }
}

/// Returns the guess from the raw text of these values alone.
pub fn guess_of_values<'v>(values: impl IntoIterator<Item = &'v [u8]>) -> Option<Guess> {
    let mut evidence = Evidence::default();
    for value in values {
        if evidence.is_enough() {
            break;
        }
        add_unlabelled(value, &mut evidence);
    }
    evidence.guess()
}

/// Returns the guess from the raw text of a value in a message that has these labels elsewhere.
pub fn guess_of_value_beside(value: &[u8], labels: &[Charset]) -> Option<Guess> {
    let mut evidence = Evidence::default();
    add_unlabelled(value, &mut evidence);
    labels.iter().for_each(|&label| evidence.add_label(label));
    evidence.guess()
}

/// Returns the text of a value; `raw` says how octets without a label are read. Hardly any value
/// has such octets, and looking for them takes as long as reading it, so that is done only if there
/// are octets that cannot be read otherwise.
pub fn text_guessing<'a>(value: &'a [u8], raw: impl FnOnce() -> RawText) -> Decoded<'a> {
    let read = text(value, &RawText::Unknown);
    let is_unread = |issue: &Issue| issue.code() == Code::Decode(DecodeFault::UndecodableText);
    let is_read = !read.issues().iter().any(is_unread) && !may_be_by_chance(value);
    if is_read { read } else { text(value, &raw()) }
}

/// Adds the octets of a value that have no label and are not UTF-8, not even cut: raw ones, word by
/// word, and those of encoded-words whose label says nothing or cannot be true.
pub fn add_unlabelled(value: &[u8], evidence: &mut Evidence) {
    if evidence.is_enough()
        || utf8::validate(value).is_some() && memmem::find(value, b"=?").is_none()
    {
        return;
    }
    let mut add_words = |octets: &[u8]| {
        if evidence.is_enough() || utf8::validate(octets).is_some() || utf8::is_surely_cut(octets) {
            return;
        }
        // No structure of a field and no writer of encoded-words cuts more finely.
        for word in octets.split(|octet| *octet < b'@' || *octet == 0x7F) {
            if evidence.is_enough() {
                return;
            }
            if std::str::from_utf8(word).is_err() && !utf8::is_surely_cut(word) {
                evidence.add(word);
            }
        }
    };
    segments(value, |segment| match segment {
        Segment::Raw(span) => add_words(&value[span.start..span.end]),
        Segment::Words(words) if words.is_unlabelled() => add_words(&words.octets),
        Segment::Words(_) => {}
    });
}

/// Returns whether a header may hold octets without a label that are not UTF-8: raw ones, or
/// encoded-words whose label says nothing or cannot be true.
pub fn may_hold_unlabelled(header: &[u8]) -> bool {
    utf8::validate(header).is_none()
        || memmem::find(header, b"=?").is_some() && fields(header).any(holds_unlabelled_word)
}

/// Returns whether one field may have such a word. What seems to be a word that begins in one field
/// and ends in the next is none.
fn holds_unlabelled_word(field: &[u8]) -> bool {
    // If several words together are unlabelled, one of them is.
    let (mut alone, mut end) = (Joined::default(), 0);
    possible_words(field).any(|(span, word)| {
        let is_in_another = span.start < end;
        end = end.max(span.end);
        if is_in_another && !word.may_have_8bit_octets() {
            return false;
        }
        alone.begin(span, &word, span.len());
        alone.is_unlabelled()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::RawCharset;

    const NAMES: &[u8] = b"\xC9\xD7\xC1\xCE \xF0\xC5\xD4\xD2\xCF\xD7"; // "иван Петров" in KOI8-R

    fn guessed(raw: RawText, octets: &[u8]) -> Option<&'static str> {
        match raw.charset(octets) {
            RawCharset::Guessed(guess) => Some(guess.charset().name()),
            _ => None,
        }
    }

    #[test]
    fn all_raw_text_is_guessed_at_once() {
        let guess = guess_of_values([NAMES, b"=?utf-8?Q?=C3=A9?= \xD7"]);
        assert_eq!(guessed(RawText::shown(guess), b"\xC9"), Some("KOI8-R"));
        assert_eq!(guessed(RawText::written(guess), b"\xC9"), Some("KOI8-R"));
        assert_eq!(RawText::shown(guess).charset("\u{e9}".as_bytes()), RawCharset::Utf8);
    }

    #[test]
    fn a_word_that_ends_in_another_field_hides_none() {
        for (header, holds) in [
            (&b"X: =?s?Q?\r\nD: =?unknown-8bit?Q?=C3?=\r\n"[..], true),
            (b"X: =?s?Q?\nD: =?unknown-8bit?Q?=C3?=\n", true),
            (b"X: =?s?Q?a?=\r\n =?unknown-8bit?Q?=C3?=\r\n", true),
            (b"X: a@=?s?Q?b>, =?unknown-8bit?Q?=C3?=\r\n", true),
            (b"X: =?s?Q?\r\nD: =?utf-8?Q?=C3=A9?=\r\n", false),
        ] {
            assert_eq!(may_hold_unlabelled(header), holds, "{header:?}");
        }
    }

    #[test]
    fn what_is_left_tells_as_much_as_before() {
        let raw = guess_of_values([&b"a\xC9\xD7 b \xC3\xA9 (\xC1\xCE)"[..]]);
        let left = &b"=?unknown-8bit?Q?a=C9=D7?= b =?utf-8?Q?=C3=A9?= (=?x-unknown?Q?=C1=CE?=)"[..];
        assert_eq!(raw, guess_of_values([left]));
        // UTF-8 needs no guess, and does not count as evidence.
        assert_eq!(guess_of_values(vec!["\u{e9}".as_bytes(); 5000]), None);
    }

    #[test]
    fn what_is_not_sure_is_shown_and_not_written() {
        let guess = guess_of_values([&b"\x04\xC2\x9E\xF3\xFE\x8F\xAA\x99"[..]]);
        assert_eq!(guessed(RawText::written(guess), b"\x9E\xF3"), None);
        assert_eq!(RawText::shown(guess).charset(b"\x9E\xF3"), RawCharset::Assumed);
    }
}
