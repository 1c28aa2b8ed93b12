//! A media type or disposition, with its parameters, that is encoded-words as a whole (rule H7).
//!
//! No reader looks for words there. Programs write them that encode any field in which they find a
//! raw octet, such as the one of a file name: Python's default policy does.

use super::{Nul, RawText, Segment, Words, segments};
use crate::ascii::trim_fws;
use crate::report::Tally;
use crate::syntax::media_type::{is_a_token, media_type};
use crate::syntax::parameter::list;

/// Returns whether a value consists of encoded-words.
pub fn is_encoded_value(value: &[u8]) -> bool {
    let trimmed = trim_fws(value);
    let mut only_words = trimmed.starts_with(b"=?") && trimmed.ends_with(b"?=");
    if only_words {
        segments(trimmed, |segment: Segment<&mut Words<'_>>| {
            only_words &= matches!(segment, Segment::Words(_));
        });
    }
    only_words
}

/// Returns what such a value holds, without controls, if that is a legal value of a leaf. No
/// structure comes of it: a multipart or message stays hidden, as from all readers. Octets under a
/// label that says nothing are raw.
pub fn encoded_value(value: &[u8]) -> Option<Vec<u8>> {
    if !is_encoded_value(value) {
        return None;
    }
    let mut octets = Some(Vec::new());
    segments(trim_fws(value), |segment: Segment<&mut Words<'_>>| {
        let Segment::Words(words) = segment else { return };
        let text = if words.says_nothing() { Some(words.octets.clone()) } else { text_of(words) };
        octets = octets.take().zip(text).map(|(octets, text)| [octets, text].concat());
    });
    let mut octets = octets?;
    octets.iter_mut().filter(|octet| octet.is_ascii_control()).for_each(|octet| *octet = b' ');
    let parsed = list(&octets).value;
    let found = &octets[parsed.start..parsed.end];
    let is_of_leaf = |(top, _): (&[u8], &[u8])| {
        !top.eq_ignore_ascii_case(b"multipart") && !top.eq_ignore_ascii_case(b"message")
    };
    (is_a_token(found) || media_type(found).is_some_and(is_of_leaf)).then_some(octets)
}

fn text_of(words: &Words<'_>) -> Option<Vec<u8>> {
    let is_read = words.is_lossless(RawText::Unknown);
    let text = is_read.then(|| words.text(RawText::Unknown, Nul::Space, &mut Tally::default()))?;
    text.map(|text| text.into_owned().into_bytes())
}
