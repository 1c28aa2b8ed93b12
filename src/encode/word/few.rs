//! Encoded-words as they are planned, before they are written.

use std::ops::{Deref, Range};

/// One encoded-word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// What it holds of the content.
    pub(crate) octets: Range<usize>,
    /// How long it is.
    pub(crate) length: usize,
}

/// Words in the order in which they stand; a few of them take no memory of their own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    few: [Word; FEW],
    count: usize,
    /// All, where there are more.
    many: Vec<Word>,
}

const FEW: usize = 6;

impl Words {
    #[inline]
    pub(crate) fn push(&mut self, octets: Range<usize>, length: usize) {
        match self.few.get_mut(self.count) {
            // Not moved as a whole: what was put together of parts would have to be loaded as one.
            Some(word) => (word.octets, word.length) = (octets, length),
            None => self.push_many(Word { octets, length }),
        }
        self.count += 1;
    }

    #[cold]
    fn push_many(&mut self, word: Word) {
        if self.many.is_empty() {
            self.many.extend_from_slice(&self.few);
        }
        self.many.push(word);
    }
}

impl Deref for Words {
    type Target = [Word];

    fn deref(&self) -> &[Word] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }
}
