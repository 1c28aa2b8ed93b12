//! The encoded-word writer (RFC 2047, sections 2 to 5; rule H4).

mod planned;
mod split;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use super::{Place, Run};
use crate::codec::text_classes::{TextClasses, WINDOW};
use crate::codec::{base64, quoted_printable, utf8};
use crate::syntax::encoded_word::MAX_WORD;
pub(super) use planned::{PlannedWord, PlannedWords};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    #[default]
    B,
    Q,
}

/// The encoded-text of one character.
const MAX_CHARACTER: usize = 12;

/// The longest encoded-text of a word: [`TextClasses`] have a bit for each place where it may be
/// split. Only a label of fewer than five octets would leave room for more.
const MAX_TEXT: usize = WINDOW - 1;

/// Text for encoded-words, with what is needed to write it.
#[derive(Clone, Debug)]
pub(super) struct Content<'r> {
    label: WordLabel<'r>,
    /// The octets that `classes` describe, and the range of them to write.
    octets: &'r [u8],
    range: Range<usize>,
    classes: &'r TextClasses,
    /// The octets as text, of which words contain whole characters; `None` if the charset is not
    /// UTF-8.
    text: Option<&'r str>,
    pub(super) place: Place,
    /// `=?`, `?Q?` and `?=` around the text, and the label.
    overhead: usize,
    q_len: usize,
}

#[derive(Clone, Copy, Debug)]
enum WordLabel<'r> {
    UsAscii,
    Utf8,
    Other(&'r [u8]),
}

/// Returns the length of `run` as a single word, if it fits into one.
pub fn single(run: &Run<'_>) -> Option<usize> {
    Content::of(run, &run.classes()).single()
}

impl Run<'_> {
    /// Returns the octet classes that its content needs.
    pub(super) fn classes(&self) -> TextClasses {
        TextClasses::of(&self.octets, self.place.literals())
    }
}

impl<'r> Content<'r> {
    /// Returns the content of a run.
    pub(super) fn of(run: &'r Run<'_>, classes: &'r TextClasses) -> Self {
        let octets = &run.octets[..];
        let (label, text) = match &run.label {
            Some(label) => (WordLabel::Other(label), None),
            None if octets.is_ascii() => (WordLabel::UsAscii, utf8::validate(octets)),
            None => (WordLabel::Utf8, utf8::validate(octets)),
        };
        Self::new(label, octets, 0..octets.len(), text, run.place, classes)
    }

    /// Returns the content of `range` of a text that is not all US-ASCII.
    pub(super) fn of_text(
        text: &'r str,
        range: Range<usize>,
        place: Place,
        classes: &'r TextClasses,
    ) -> Self {
        Self::new(WordLabel::Utf8, text.as_bytes(), range, Some(text), place, classes)
    }

    fn new(
        label: WordLabel<'r>,
        octets: &'r [u8],
        range: Range<usize>,
        text: Option<&'r str>,
        place: Place,
        classes: &'r TextClasses,
    ) -> Self {
        let q_len = range.len() + 2 * classes.count(range.clone(), |window| window.escaped);
        let overhead = b"=??Q??=".len() + label.len();
        Self { label, octets, range, classes, text, place, overhead, q_len }
    }

    /// Returns whether the octets are labelled as UTF-8, well-formed or not: well-formed characters
    /// in them must not be torn.
    fn is_nearly_utf8(&self) -> bool {
        matches!(self.label, WordLabel::Other(label) if label.eq_ignore_ascii_case(b"utf-8"))
    }

    /// Returns its length in octets.
    pub(super) fn len(&self) -> usize {
        self.range.len()
    }

    /// Returns its length as a single word, if it fits into one.
    pub(super) fn single(&self) -> Option<usize> {
        let length = self.overhead + self.q_len.min(b_len(self.len()));
        (length <= MAX_WORD).then_some(length)
    }

    /// Returns the length of the shortest word that holds a character.
    pub(super) fn least(&self) -> usize {
        self.overhead + MAX_CHARACTER
    }

    /// Splits it into words, in B or Q, whichever is shorter in total. The first word has at most
    /// `first` octets, every other at most `rest`.
    pub(super) fn cut_into(&self, words: &mut PlannedWords, first: usize, rest: usize) {
        let b_len = b_len(self.len());
        let (shorter, other, other_len) = if b_len < self.q_len {
            (Encoding::B, Encoding::Q, self.q_len)
        } else {
            // A few characters may be in Q.
            (Encoding::Q, Encoding::B, b_len.saturating_sub(4))
        };
        let single = self.overhead + self.q_len.min(b_len);
        if single <= first.min(MAX_WORD) {
            return words.push(self.range.clone(), single, shorter);
        }
        self.cut(shorter, first, rest, words);
        let (padded, rank_of) = (is_padded_inside(words), rank(shorter, written(words)));
        // A lower bound for the other encoding may settle it.
        if !padded && rank_of < rank(other, self.at_least(other_len, first, rest)) {
            return;
        }
        let mut others = PlannedWords::default();
        self.cut(other, first, rest, &mut others);
        let is_other_better = padded || rank(other, written(&others)) < rank_of;
        if is_other_better && !is_padded_inside(&others) {
            *words = others;
        }
    }

    /// Appends words, each but the first on a line of its own.
    pub(super) fn write(&self, words: &[PlannedWord], out: &mut Vec<u8>) {
        for (number, alike) in words.chunk_by(|a, b| a.encoding == b.encoding).enumerate() {
            let encoding = alike[0].encoding;
            let between = self.label.between(encoding);
            let pieces = alike.iter().map(|word| word.octets.clone());
            out.extend_from_slice(if number == 0 { &between[5..] } else { &between });
            match encoding {
                Encoding::B => base64::encode_joined(self.octets, pieces, &between, out),
                Encoding::Q => {
                    quoted_printable::encode_joined(
                        self.octets,
                        pieces,
                        self.place.literals(),
                        &between,
                        out,
                    );
                }
            }
        }
        out.extend_from_slice(b"?=");
    }

    /// Returns a lower bound for the octets of words that hold `text` octets of encoded-text,
    /// separators included.
    fn at_least(&self, text: usize, first: usize, rest: usize) -> usize {
        // A word holds at least one character, even without room for it.
        let room = |most: usize| self.room(most).max(MAX_CHARACTER);
        let more = text.saturating_sub(room(first)).div_ceil(room(rest));
        text + (1 + more) * (self.overhead + 1)
    }

    /// Returns how much encoded-text a word of at most `most` octets has room for.
    fn room(&self, most: usize) -> usize {
        most.min(MAX_WORD).saturating_sub(self.overhead).min(MAX_TEXT)
    }
}

impl WordLabel<'_> {
    fn len(&self) -> usize {
        match self {
            WordLabel::Utf8 => "utf-8".len(),
            WordLabel::UsAscii => "us-ascii".len(),
            WordLabel::Other(label) => label.len(),
        }
    }

    /// Returns the end of a word, a fold, and the beginning of the next word.
    fn between(&self, encoding: Encoding) -> Cow<'static, [u8]> {
        let between: &[u8] = match (self, encoding) {
            (WordLabel::Utf8, Encoding::B) => b"?=\r\n =?utf-8?B?",
            (WordLabel::Utf8, Encoding::Q) => b"?=\r\n =?utf-8?Q?",
            (WordLabel::UsAscii, Encoding::B) => b"?=\r\n =?us-ascii?B?",
            (WordLabel::UsAscii, Encoding::Q) => b"?=\r\n =?us-ascii?Q?",
            (WordLabel::Other(label), Encoding::B) => {
                return [&b"?=\r\n =?"[..], label, b"?B?"].concat().into();
            }
            (WordLabel::Other(label), Encoding::Q) => {
                return [&b"?=\r\n =?"[..], label, b"?Q?"].concat().into();
            }
        };
        between.into()
    }
}

/// Returns the octets of words, separators included.
fn written(words: &[PlannedWord]) -> usize {
    words.iter().map(|word| word.length + 1).sum()
}

/// Returns the key by which an encoding is chosen: the shorter one, or Q if both are equally long.
fn rank(encoding: Encoding, written: usize) -> (usize, bool) {
    (written, encoding == Encoding::B)
}

/// Returns whether a word in B before the last would end with padding. Some readers decode adjacent
/// B words as one run of base64, which ends at padding.
fn is_padded_inside(words: &[PlannedWord]) -> bool {
    let is_padded =
        |word: &PlannedWord| word.encoding == Encoding::B && !word.octets.len().is_multiple_of(3);
    words[..words.len().saturating_sub(1)].iter().any(is_padded)
}

fn b_len(octets: usize) -> usize {
    octets.div_ceil(3) * 4
}
