//! The encoded-word writer (RFC 2047, sections 2 to 5; rule H4).

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use super::{Place, Run};
use crate::codec::{base64, hex};

/// How many octets an encoded-word may have, and a line with one (RFC 2047, section 2).
pub(super) const MOST_OCTETS: usize = 75;
pub(super) const MOST_LINE: usize = 76;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    B,
    Q,
}

/// Writes `run` as encoded-words, in B or Q, whichever is shorter in all. The first has at most `first`
/// octets, each other at most `rest`.
pub(super) fn words(run: &Run<'_>, first: usize, rest: usize) -> Vec<Vec<u8>> {
    let (q_len, b_len) = (text_len(run, Encoding::Q, &run.octets), text_len(run, Encoding::B, &run.octets));
    if overhead(run) + q_len.min(b_len) <= first.min(MOST_OCTETS) {
        return vec![word(run, if b_len < q_len { Encoding::B } else { Encoding::Q }, &run.octets)];
    }
    let q = plan(run, Encoding::Q, first, rest);
    let b = plan(run, Encoding::B, first, rest);
    let shorter = written(run, &b, Encoding::B) < written(run, &q, Encoding::Q);
    let (encoding, cuts) = if shorter && !is_padded_inside(&b) { (Encoding::B, b) } else { (Encoding::Q, q) };
    cuts.into_iter().map(|cut| word(run, encoding, &run.octets[cut])).collect()
}

/// Whether a word but the last would end with padding. Some readers decode adjacent B words as one run of
/// base64, and padding ends that.
fn is_padded_inside(cuts: &[Range<usize>]) -> bool {
    cuts.split_last().is_some_and(|(_, before)| before.iter().any(|cut| cut.len() % 3 > 0))
}

/// How long `run` is as one word, if that is allowed.
pub(crate) fn single(run: &Run<'_>) -> Option<usize> {
    let length =
        overhead(run) + text_len(run, Encoding::Q, &run.octets).min(run.octets.len().div_ceil(3) * 4);
    (length <= MOST_OCTETS).then_some(length)
}

/// The least octets that a word with anything in it has.
pub(super) fn least(run: &Run<'_>) -> usize {
    overhead(run) + 12
}

fn label<'r>(run: &'r Run<'_>) -> &'r [u8] {
    match &run.label {
        Some(label) => label,
        None if run.octets.is_ascii() => b"us-ascii",
        None => b"utf-8",
    }
}

/// `=?`, `?Q?` and `?=` around the text, and the label.
fn overhead(run: &Run<'_>) -> usize {
    label(run).len() + 7
}

/// Cuts `run` into words, each as full as it may be.
fn plan(run: &Run<'_>, encoding: Encoding, first: usize, rest: usize) -> Vec<Range<usize>> {
    let text = std::str::from_utf8(&run.octets).ok().filter(|_| run.label.is_none());
    let mut cuts = Vec::new();
    let mut room = first.min(MOST_OCTETS).saturating_sub(overhead(run));
    let mut start = 0;
    while start < run.octets.len() {
        let most = fitting(run, text, start, encoding, room);
        let end = if most < run.octets.len() { best_cut(run, text, start..most, encoding) } else { most };
        cuts.push(start..end);
        start = end;
        room = rest.min(MOST_OCTETS).saturating_sub(overhead(run));
    }
    cuts
}

/// How far a word that begins at `start` can reach with `room` octets of encoded-text: one character at least
/// (one octet, where the charset is not ours).
fn fitting(run: &Run<'_>, text: Option<&str>, start: usize, encoding: Encoding, room: usize) -> usize {
    let (mut end, mut written) = (start, 0);
    while end < run.octets.len() {
        let next = end + text.map_or(1, |text| text[end..].chars().next().map_or(1, char::len_utf8));
        written += text_len(run, Encoding::Q, &run.octets[end..next]);
        let length = if encoding == Encoding::Q { written } else { (next - start).div_ceil(3) * 4 };
        if length > room && end > start {
            break;
        }
        end = next;
    }
    end
}

/// Where a word that another one follows is best cut: between graphemes where it can be; in B where it needs
/// no padding; in a phrase behind a space, since some readers show one between any two words of a display name.
fn best_cut(run: &Run<'_>, text: Option<&str>, word: Range<usize>, encoding: Encoding) -> usize {
    let padless = |end: &usize| encoding == Encoding::Q || (end - word.start).is_multiple_of(3);
    let whole = |end: &usize| text.is_none_or(|text| is_boundary(text, word.start, *end));
    let spaced = |end: &usize| run.place != Place::Phrase || run.octets[end - 1] == b' ';
    let character = |end: &usize| text.is_none_or(|text| text.is_char_boundary(*end));
    let ends = || (word.start + 1..=word.end).rev().filter(character).filter(padless);
    let found = ends().filter(spaced).find(whole).or_else(|| ends().find(whole)).or_else(|| ends().next());
    found.unwrap_or(word.end)
}

/// Whether a grapheme ends at `end`, as far as the word from `start` tells: what lies before it is cut off.
fn is_boundary(text: &str, start: usize, end: usize) -> bool {
    let rest = &text[start..];
    GraphemeCursor::new(end - start, rest.len(), true).is_boundary(rest, 0).unwrap_or(true)
}

fn written(run: &Run<'_>, cuts: &[Range<usize>], encoding: Encoding) -> usize {
    cuts.iter().map(|cut| overhead(run) + 1 + text_len(run, encoding, &run.octets[cut.clone()])).sum()
}

fn text_len(run: &Run<'_>, encoding: Encoding, octets: &[u8]) -> usize {
    match encoding {
        Encoding::B => octets.len().div_ceil(3) * 4,
        Encoding::Q => octets.iter().map(|&o| if o == b' ' || is_safe(o, run.place) { 1 } else { 3 }).sum(),
    }
}

/// Whether Q may hold an octet as it is.
///
/// RFC 2047, 5 (3) names the few octets that a phrase may hold; a comment may hold all but its own marks.
fn is_safe(octet: u8, place: Place) -> bool {
    match place {
        Place::Phrase => octet.is_ascii_alphanumeric() || matches!(octet, b'!' | b'*' | b'+' | b'-' | b'/'),
        Place::Comment => is_safe(octet, Place::Unstructured) && !matches!(octet, b'(' | b')' | b'\\' | b'"'),
        Place::Unstructured => octet.is_ascii_graphic() && !matches!(octet, b'=' | b'?' | b'_'),
    }
}

fn word(run: &Run<'_>, encoding: Encoding, octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(MOST_OCTETS);
    out.extend_from_slice(b"=?");
    out.extend_from_slice(label(run));
    match encoding {
        Encoding::B => {
            out.extend_from_slice(b"?B?");
            base64::encode(octets, &mut out);
        }
        Encoding::Q => {
            out.extend_from_slice(b"?Q?");
            octets.iter().for_each(|&octet| q_octet(octet, run.place, &mut out));
        }
    }
    out.extend_from_slice(b"?=");
    out
}

fn q_octet(octet: u8, place: Place, out: &mut Vec<u8>) {
    match octet {
        b' ' => out.push(b'_'),
        _ if is_safe(octet, place) => out.push(octet),
        _ => out.extend(hex::escape(b'=', octet)),
    }
}
