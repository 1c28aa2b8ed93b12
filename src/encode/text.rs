//! Text alone, as the value of a field: the short way for what has nothing odd in it.

use std::ops::Range;

use super::Place;
use super::layout::Lines;
use super::word::Content;
use crate::codec::marks::Marks;

/// Writes text without controls, without white space at its ends, in which nothing looks like an encoded-word: what its
/// items would say.
pub(super) fn text_value(text: &str, marks: &Marks) -> Vec<u8> {
    let octets = text.as_bytes();
    let mut lines = Lines::of_text(octets.len());
    let mut at = 0;
    while at < octets.len() {
        let encoded = encoded(octets, marks, at);
        let (plain, space) = octets[at..encoded.start].split_at(trimmed(&octets[at..encoded.start]));
        if !plain.is_empty() {
            let (space, words) = plain.split_at(plain.iter().take_while(|&&o| o == b' ').count());
            lines.text(space.into(), words);
        }
        at = encoded.end;
        if !encoded.is_empty() {
            let content = Content::of_text(text, encoded, Place::Unstructured, marks);
            lines.encode(space.into(), b"", &content, b"");
        }
    }
    lines.into_value()
}

/// The first words from `at` on that are not US-ASCII, with the spaces between them; nothing at the end of the text.
fn encoded(text: &[u8], marks: &Marks, at: usize) -> Range<usize> {
    let Some(high) = marks.next(at, |window| window.high) else { return text.len()..text.len() };
    let last_space = |range: Range<usize>| text[range].iter().rposition(|&o| o == b' ');
    let start = last_space(at..high).map_or(at, |space| at + space + 1);
    let end = match marks.next(high, |window| window.behind_plain) {
        Some(behind) => high + trimmed(&text[high..high + last_space(high..behind).unwrap_or(0)]),
        None => text.len(),
    };
    start..end
}

/// How long `text` is without the spaces at its end.
fn trimmed(text: &[u8]) -> usize {
    text.iter().rposition(|&o| o != b' ').map_or(0, |last| last + 1)
}
