//! The encoded-word writer (RFC 2047, sections 2 to 5; rule H4).

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

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
    let units = units(run);
    let q = plan(run, &units, Encoding::Q, first, rest);
    let b = plan(run, &units, Encoding::B, first, rest);
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

/// Where `run` may be cut: behind each grapheme, in UTF-8; behind each octet, in other charsets.
fn units(run: &Run<'_>) -> Vec<usize> {
    match (&run.label, std::str::from_utf8(&run.octets)) {
        (None, Ok(text)) => text
            .graphemes(true)
            .flat_map(ends)
            .scan(0, |at, n| {
                *at += n;
                Some(*at)
            })
            .collect(),
        _ => (1..=run.octets.len()).collect(),
    }
}

/// The lengths of what a grapheme is cut into: itself, or its characters if it fits in no word.
fn ends(grapheme: &str) -> Vec<usize> {
    if grapheme.len() <= 12 { vec![grapheme.len()] } else { grapheme.chars().map(char::len_utf8).collect() }
}

/// Cuts `run` into words, each as full as it may be.
fn plan(run: &Run<'_>, units: &[usize], encoding: Encoding, first: usize, rest: usize) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    let mut room = first.min(MOST_OCTETS).saturating_sub(overhead(run));
    let (mut start, mut at) = (0, 0);
    while let Some(&last) = units.last().filter(|_| at < units.len()) {
        let fit = fitting(run, &units[at..], start, encoding, room).max(1);
        let whole = units[at + fit - 1] == last;
        let taken =
            if whole { fit } else { best_cut(run, &units[at..at + fit], start, encoding).unwrap_or(fit) };
        cuts.push(start..units[at + taken - 1]);
        start = units[at + taken - 1];
        at += taken;
        room = rest.min(MOST_OCTETS).saturating_sub(overhead(run));
    }
    cuts
}

/// How many of the `units` that fit go into a word which another one follows: in B as many as need no padding;
/// in a phrase up to a space, since some readers show one between any two words of a display name.
fn best_cut(run: &Run<'_>, units: &[usize], start: usize, encoding: Encoding) -> Option<usize> {
    let padless = |n: &usize| encoding == Encoding::Q || (units[n - 1] - start).is_multiple_of(3);
    let spaced = |n: &usize| run.place != Place::Phrase || run.octets[units[n - 1] - 1] == b' ';
    let cuts = || (1..=units.len()).rev().filter(padless);
    cuts().find(spaced).or_else(|| cuts().next())
}

/// How many of `units`, the first of which begins at `start`, fit into `room` octets of encoded-text.
fn fitting(run: &Run<'_>, units: &[usize], start: usize, encoding: Encoding, room: usize) -> usize {
    let mut written = 0;
    let mut from = start;
    let fits = |&&end: &&usize| {
        written += text_len(run, Encoding::Q, &run.octets[from..end]);
        from = end;
        let length = if encoding == Encoding::Q { written } else { (end - start).div_ceil(3) * 4 };
        length <= room
    };
    units.iter().take_while(fits).count()
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
