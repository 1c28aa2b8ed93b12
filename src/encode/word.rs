//! The encoded-word writer (RFC 2047, sections 2 to 5; rule H4).

mod cut;
mod few;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use super::{Place, Run};
use crate::codec::marks::{Marks, WINDOW};
use crate::codec::{base64, quoted, utf8};
pub(super) use few::{Word, Words};

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

/// How much encoded-text a word has: [`Marks`] have a bit for each place where it may be cut. Only a label of less than five
/// octets would leave room for more.
const MOST_TEXT: usize = WINDOW - 1;

/// Text for encoded-words, and what it takes to write it.
#[derive(Clone, Debug)]
pub(super) struct Content<'r> {
    label: Label<'r>,
    /// The octets that `marks` are about, and those of them that are to be written.
    octets: &'r [u8],
    range: Range<usize>,
    marks: &'r Marks,
    /// The octets as text, of which words hold whole characters; nothing where the charset is not ours.
    text: Option<&'r str>,
    pub(super) place: Place,
    /// `=?`, `?Q?` and `?=` around the text, and the label.
    overhead: usize,
    q_len: usize,
}

#[derive(Clone, Copy, Debug)]
enum Label<'r> {
    UsAscii,
    Utf8,
    Other(&'r [u8]),
}

/// How long `run` is as one word, if that is allowed.
pub(crate) fn single(run: &Run<'_>) -> Option<usize> {
    Content::of(run, &run.marks()).single()
}

impl Run<'_> {
    /// What a content of it needs.
    pub(super) fn marks(&self) -> Marks {
        Marks::of(&self.octets, self.place)
    }
}

impl<'r> Content<'r> {
    /// What a run holds.
    pub(super) fn of(run: &'r Run<'_>, marks: &'r Marks) -> Self {
        let octets = &run.octets[..];
        let (label, text) = match &run.label {
            Some(label) => (Label::Other(label), None),
            None if octets.is_ascii() => (Label::UsAscii, utf8::validate(octets)),
            None => (Label::Utf8, utf8::validate(octets)),
        };
        Self::new(label, octets, 0..octets.len(), text, run.place, marks)
    }

    /// What stands in `range` of a text, some of it not US-ASCII.
    pub(super) fn of_text(text: &'r str, range: Range<usize>, place: Place, marks: &'r Marks) -> Self {
        Self::new(Label::Utf8, text.as_bytes(), range, Some(text), place, marks)
    }

    fn new(
        label: Label<'r>,
        octets: &'r [u8],
        range: Range<usize>,
        text: Option<&'r str>,
        place: Place,
        marks: &'r Marks,
    ) -> Self {
        let q_len = range.len() + 2 * marks.count(range.clone(), |window| window.escaped);
        let overhead = b"=??Q??=".len() + label.len();
        Self { label, octets, range, marks, text, place, overhead, q_len }
    }

    /// How many octets it has.
    pub(super) fn len(&self) -> usize {
        self.range.len()
    }

    /// How long it is as one word, if that is allowed.
    pub(super) fn single(&self) -> Option<usize> {
        let length = self.overhead + self.q_len.min(b_len(self.len()));
        (length <= MOST_OCTETS).then_some(length)
    }

    /// The least octets that a word with anything in it has.
    pub(super) fn least(&self) -> usize {
        self.overhead + MOST_OF_CHARACTER
    }

    /// Cuts it into words, in B or Q, whichever is shorter in all. The first word has at most `first` octets, each
    /// other at most `rest`.
    pub(super) fn cut_into(&self, words: &mut Words, first: usize, rest: usize) -> Encoding {
        let b_len = b_len(self.len());
        let (shorter, other, other_len) = if b_len < self.q_len {
            (Encoding::B, Encoding::Q, self.q_len)
        } else {
            (Encoding::Q, Encoding::B, b_len)
        };
        let single = self.overhead + self.q_len.min(b_len);
        if single <= first.min(MOST_OCTETS) {
            words.push(self.range.clone(), single);
            return shorter;
        }
        self.cut(shorter, first, rest, words);
        let (padded, rank_of) = (is_padded_inside(shorter, words), rank(shorter, written(words)));
        // What the other has at least may settle it.
        if !padded && rank_of < rank(other, self.at_least(other_len, first, rest)) {
            return shorter;
        }
        let mut others = Words::default();
        self.cut(other, first, rest, &mut others);
        if is_padded_inside(other, &others) || !padded && rank_of < rank(other, written(&others)) {
            return shorter;
        }
        *words = others;
        other
    }

    /// Appends words, each but the first on a line of its own.
    pub(super) fn write(&self, encoding: Encoding, words: &[Word], out: &mut Vec<u8>) {
        let between = self.label.between(encoding);
        let pieces = words.iter().map(|word| word.octets.clone());
        out.extend_from_slice(&between[5..]);
        match encoding {
            Encoding::B => base64::encode_joined(self.octets, pieces, &between, out),
            Encoding::Q => quoted::encode_joined(self.octets, pieces, self.place, &between, out),
        }
        out.extend_from_slice(b"?=");
    }

    /// The octets that words have at least which hold `text` octets of encoded-text, with what separates them.
    fn at_least(&self, text: usize, first: usize, rest: usize) -> usize {
        // A character goes into a word also where there is no room for it.
        let room = |most: usize| self.room(most).max(MOST_OF_CHARACTER);
        let more = text.saturating_sub(room(first)).div_ceil(room(rest));
        text + (1 + more) * (self.overhead + 1)
    }

    /// How much encoded-text a word of at most `most` octets has room for.
    fn room(&self, most: usize) -> usize {
        most.min(MOST_OCTETS).saturating_sub(self.overhead).min(MOST_TEXT)
    }
}

impl Label<'_> {
    fn len(&self) -> usize {
        match self {
            Label::Utf8 => "utf-8".len(),
            Label::UsAscii => "us-ascii".len(),
            Label::Other(label) => label.len(),
        }
    }

    /// What ends a word, a fold, and what begins the next.
    fn between(&self, encoding: Encoding) -> Cow<'static, [u8]> {
        let between: &[u8] = match (self, encoding) {
            (Label::Utf8, Encoding::B) => b"?=\r\n =?utf-8?B?",
            (Label::Utf8, Encoding::Q) => b"?=\r\n =?utf-8?Q?",
            (Label::UsAscii, Encoding::B) => b"?=\r\n =?us-ascii?B?",
            (Label::UsAscii, Encoding::Q) => b"?=\r\n =?us-ascii?Q?",
            (Label::Other(label), Encoding::B) => return [&b"?=\r\n =?"[..], label, b"?B?"].concat().into(),
            (Label::Other(label), Encoding::Q) => return [&b"?=\r\n =?"[..], label, b"?Q?"].concat().into(),
        };
        between.into()
    }
}

/// The octets of words, with what separates them.
fn written(words: &[Word]) -> usize {
    words.iter().map(|word| word.length + 1).sum()
}

/// By what encodings are chosen: of two of one length Q is.
fn rank(encoding: Encoding, written: usize) -> (usize, bool) {
    (written, encoding == Encoding::B)
}

/// Whether a word in B but the last would end with padding. Some readers decode adjacent B words as one run of
/// base64, and padding ends that.
fn is_padded_inside(encoding: Encoding, words: &[Word]) -> bool {
    let before_last = &words[..words.len().saturating_sub(1)];
    encoding == Encoding::B && before_last.iter().any(|word| !word.octets.len().is_multiple_of(3))
}

fn b_len(octets: usize) -> usize {
    octets.div_ceil(3) * 4
}
