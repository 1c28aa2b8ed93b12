//! Encoded-words that are planned but not yet written.

use std::ops::{Deref, Range};

use super::Encoding;

/// One encoded-word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedWord {
    /// The range of the content that it holds.
    pub octets: Range<usize>,
    /// Its length in octets.
    pub length: usize,
    pub encoding: Encoding,
}

/// Encoded-words in order; a few of them need no allocation.
#[derive(Clone, Debug)]
pub struct PlannedWords {
    few: [PlannedWord; FEW],
    count: usize,
    /// All of them, if there are more.
    many: Vec<PlannedWord>,
}

const FEW: usize = 6;

impl Default for PlannedWords {
    /// Made in place: what `derive` writes makes each word and moves all of them.
    #[inline(always)]
    fn default() -> Self {
        const NONE: PlannedWord = PlannedWord { octets: 0..0, length: 0, encoding: Encoding::B };
        Self { few: [NONE; FEW], count: 0, many: Vec::new() }
    }
}

impl PlannedWords {
    #[inline]
    pub fn push(&mut self, octets: Range<usize>, length: usize, encoding: Encoding) {
        match self.few.get_mut(self.count) {
            // Stored field by field: moving the whole would wait for the partial stores.
            Some(word) => (word.octets, word.length, word.encoding) = (octets, length, encoding),
            None => self.push_many(PlannedWord { octets, length, encoding }),
        }
        self.count += 1;
    }

    #[cold]
    fn push_many(&mut self, word: PlannedWord) {
        if self.many.is_empty() {
            self.many.extend_from_slice(&self.few);
        }
        self.many.push(word);
    }
}

impl Deref for PlannedWords {
    type Target = [PlannedWord];

    fn deref(&self) -> &[PlannedWord] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }
}
