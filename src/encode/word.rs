//! The encoded-word writer (RFC 2047, sections 2 to 5; rule H4).

mod cut;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::{Place, Run};
use crate::codec::{base64, hex, scan, utf8};

/// How many octets an encoded-word may have, and a line with one (RFC 2047, section 2).
pub(super) const MOST_OCTETS: usize = 75;
pub(super) const MOST_LINE: usize = 76;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    B,
    Q,
}

/// The encoded-text of one character.
const MOST_OF_CHARACTER: usize = 12;

/// Text for encoded-words, and what it takes to write it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content<'r> {
    label: &'r [u8],
    pub(super) octets: &'r [u8],
    /// The octets as text, of which words hold whole characters; nothing where the charset is not ours.
    text: Option<&'r str>,
    pub(super) place: Place,
    q_len: usize,
}

/// How long `run` is as one word, if that is allowed.
pub(crate) fn single(run: &Run<'_>) -> Option<usize> {
    Content::of(run).single()
}

impl<'r> Content<'r> {
    /// What a run holds.
    pub(super) fn of(run: &'r Run<'_>) -> Self {
        match &run.label {
            None => {
                Self::labelled(label_of(&run.octets), &run.octets, utf8::validate(&run.octets), run.place)
            }
            Some(label) => Self::labelled(label, &run.octets, None, run.place),
        }
    }

    /// The same of text alone.
    pub(super) fn of_text(text: &'r str, place: Place) -> Self {
        Self::labelled(label_of(text.as_bytes()), text.as_bytes(), Some(text), place)
    }

    fn labelled(label: &'r [u8], octets: &'r [u8], text: Option<&'r str>, place: Place) -> Self {
        Self { label, octets, text, place, q_len: q_len(octets, place) }
    }

    /// How long it is as one word, if that is allowed.
    pub(super) fn single(&self) -> Option<usize> {
        let length = self.overhead() + self.q_len.min(b_len(self.octets.len()));
        (length <= MOST_OCTETS).then_some(length)
    }

    /// The least octets that a word with anything in it has.
    pub(super) fn least(&self) -> usize {
        self.overhead() + MOST_OF_CHARACTER
    }

    /// Cuts it into words, in B or Q, whichever is shorter in all. The first word has at most `first` octets, each
    /// other at most `rest`. Gives where the words end.
    pub(super) fn cuts(&self, first: usize, rest: usize) -> (Encoding, Vec<usize>) {
        let b_len = b_len(self.octets.len());
        let shorter = if b_len < self.q_len { Encoding::B } else { Encoding::Q };
        if self.overhead() + self.q_len.min(b_len) <= first.min(MOST_OCTETS) {
            return (shorter, vec![self.octets.len()]);
        }
        let mut q = None;
        if shorter == Encoding::Q {
            let ends = self.ends(Encoding::Q, first, rest);
            // What the other has at least may settle it.
            if self.written(Encoding::Q, &ends) <= self.at_least(b_len, first, rest) {
                return (Encoding::Q, ends);
            }
            q = Some(ends);
        }
        let b = self.ends(Encoding::B, first, rest);
        let written = self.written(Encoding::B, &b);
        let fine = !is_padded_inside(&b);
        if fine && written < self.at_least(self.q_len, first, rest) {
            return (Encoding::B, b);
        }
        let q = q.unwrap_or_else(|| self.ends(Encoding::Q, first, rest));
        if fine && written < self.written(Encoding::Q, &q) { (Encoding::B, b) } else { (Encoding::Q, q) }
    }

    /// How long a word is.
    pub(super) fn word_len(&self, encoding: Encoding, cut: &Range<usize>) -> usize {
        self.overhead()
            + match encoding {
                Encoding::B => b_len(cut.len()),
                Encoding::Q if cut.len() == self.octets.len() => self.q_len,
                Encoding::Q => q_len(&self.octets[cut.clone()], self.place),
            }
    }

    /// Appends a word.
    pub(super) fn write(&self, encoding: Encoding, cut: Range<usize>, out: &mut Vec<u8>) {
        let octets = &self.octets[cut];
        out.extend_from_slice(b"=?");
        out.extend_from_slice(self.label);
        match encoding {
            Encoding::B => {
                out.extend_from_slice(b"?B?");
                base64::encode(octets, out);
            }
            Encoding::Q => {
                out.extend_from_slice(b"?Q?");
                octets.chunks(Q_OCTETS).for_each(|octets| write_q(octets, self.place, out));
            }
        }
        out.extend_from_slice(b"?=");
    }

    /// `=?`, `?Q?` and `?=` around the text, and the label.
    fn overhead(&self) -> usize {
        self.label.len() + 7
    }

    fn ends(&self, encoding: Encoding, first: usize, rest: usize) -> Vec<usize> {
        let room = |most: usize| most.min(MOST_OCTETS).saturating_sub(self.overhead());
        let mut ends = Vec::with_capacity(1 + self.octets.len() / 32);
        let mut start = 0;
        while start < self.octets.len() {
            start = self.cut(start, encoding, room(if start == 0 { first } else { rest }));
            ends.push(start);
        }
        ends
    }

    /// The octets of all words, with what separates them.
    fn written(&self, encoding: Encoding, ends: &[usize]) -> usize {
        words(ends).map(|word| self.word_len(encoding, &word) + 1).sum()
    }

    /// The same at least, for `text` octets of encoded-text.
    fn at_least(&self, text: usize, first: usize, rest: usize) -> usize {
        // A character goes into a word also where there is no room for it.
        let room = |most: usize| most.min(MOST_OCTETS).saturating_sub(self.overhead()).max(MOST_OF_CHARACTER);
        let more = text.saturating_sub(room(first)).div_ceil(room(rest));
        text + (1 + more) * (self.overhead() + 1)
    }
}

/// The octets of each word, by where they end.
pub(super) fn words(ends: &[usize]) -> impl Iterator<Item = Range<usize>> {
    ends.iter().scan(0, |start, &end| Some(std::mem::replace(start, end)..end))
}

/// Whether a word but the last would end with padding. Some readers decode adjacent B words as one run of
/// base64, and padding ends that.
fn is_padded_inside(ends: &[usize]) -> bool {
    words(&ends[..ends.len().saturating_sub(1)]).any(|word| !word.len().is_multiple_of(3))
}

/// What text is written in: US-ASCII where that suffices.
fn label_of(text: &[u8]) -> &'static [u8] {
    if text.is_ascii() { b"us-ascii" } else { b"utf-8" }
}

fn b_len(octets: usize) -> usize {
    octets.div_ceil(3) * 4
}

fn q_len(octets: &[u8], place: Place) -> usize {
    let escaped = match place {
        Place::Unstructured => scan::count(octets, |octet| !is_safe_anywhere(octet)),
        _ => octets.iter().filter(|&&octet| !is_safe(octet, place)).count(),
    };
    octets.len() + 2 * escaped
}

/// Whether Q may hold an octet as it is, or as `_`.
///
/// RFC 2047, 5 (3) names the few octets that a phrase may hold; a comment may hold all but its own marks.
fn is_safe(octet: u8, place: Place) -> bool {
    match place {
        Place::Phrase => {
            octet.is_ascii_alphanumeric() || matches!(octet, b'!' | b'*' | b'+' | b'-' | b'/' | b' ')
        }
        Place::Comment => is_safe_anywhere(octet) && !matches!(octet, b'(' | b')' | b'\\' | b'"'),
        Place::Unstructured => is_safe_anywhere(octet),
    }
}

#[inline]
fn is_safe_anywhere(octet: u8) -> bool {
    (octet.wrapping_sub(b' ') < 0x5F) & (octet != b'=') & (octet != b'?') & (octet != b'_')
}

/// Octets written in Q at once.
const Q_OCTETS: usize = 64;

/// Appends a few octets in Q: three are written for each, and count as one where that suffices.
fn write_q(octets: &[u8], place: Place, out: &mut Vec<u8>) {
    let mut text = [0; 3 * Q_OCTETS];
    let mut length = 0;
    for &octet in octets {
        let safe = is_safe(octet, place);
        let literal = if octet == b' ' { b'_' } else { octet };
        let written = if safe { [literal, 0, 0] } else { hex::escape(b'=', octet) };
        text[length..length + 3].copy_from_slice(&written);
        length += if safe { 1 } else { 3 };
    }
    out.extend_from_slice(&text[..length]);
}
