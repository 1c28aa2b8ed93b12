//! Plain text as the value of an unstructured field: the short path for text with nothing odd in
//! it.

use std::ops::Range;

use super::Place;
use super::folding::Lines;
use super::word::Content;
use crate::codec::text_classes::TextClasses;

/// Writes text without controls, without white space at its ends, and without anything like an
/// encoded-word, with the same result as through its items.
pub(super) fn unstructured_value(text: &str, classes: &TextClasses) -> Vec<u8> {
    let octets = text.as_bytes();
    let mut lines = Lines::of_text(octets.len());
    let mut at = 0;
    while at < octets.len() {
        let encoded = encoded(octets, classes, at);
        let (plain, space) =
            octets[at..encoded.start].split_at(trimmed(&octets[at..encoded.start]));
        if !plain.is_empty() {
            let (space, words) = plain.split_at(plain.iter().take_while(|&&o| o == b' ').count());
            lines.text(space.into(), words);
        }
        at = encoded.end;
        if !encoded.is_empty() {
            let content = Content::of_text(text, encoded, Place::Unstructured, classes);
            lines.encode(space.into(), b"", &content, b"");
        }
    }
    lines.into_value()
}

/// Returns the first words from `at` on that are not US-ASCII, with the spaces between them; empty
/// at the end of the text.
fn encoded(text: &[u8], classes: &TextClasses, at: usize) -> Range<usize> {
    let Some(high) = classes.next(at, |window| window.high) else { return text.len()..text.len() };
    let last_space = |range: Range<usize>| text[range].iter().rposition(|&o| o == b' ');
    let start = last_space(at..high).map_or(at, |space| at + space + 1);
    let end = match classes.next(high, |window| window.after_ascii_word) {
        Some(after) => high + trimmed(&text[high..high + last_space(high..after).unwrap_or(0)]),
        None => text.len(),
    };
    start..end
}

/// Returns the length of `text` without the spaces at its end.
fn trimmed(text: &[u8]) -> usize {
    text.iter().rposition(|&o| o != b' ').map_or(0, |last| last + 1)
}
