//! Where decoders write: text, and what was wrong.

use crate::issue::Tally;
use crate::{Code, Span};

/// What every decoder is: octets in, in chunks of any size, text and issues out.
pub(super) trait Machine: Send {
    /// Reads `octets`, the first of which is number `at` of the whole input.
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>);

    /// Says that nothing follows the `at` octets read so far.
    fn end(&mut self, at: usize, sink: &mut Sink<'_>);
}

/// Text to write to and the tally of what was wrong.
pub(super) struct Sink<'s> {
    /// The text so far.
    pub(super) text: &'s mut String,
    /// What was found so far.
    pub(super) tally: &'s mut Tally,
}

impl Sink<'_> {
    /// One character.
    pub(super) fn char(&mut self, c: char) {
        self.text.push(c);
    }

    /// One character, or U+FFFD with an issue if there is none for `start..end`.
    pub(super) fn char_or_bad(&mut self, c: Option<char>, start: usize, end: usize) {
        match c {
            Some(c) => self.text.push(c),
            None => self.bad(Code::UndecodableText, start, end),
        }
    }

    /// U+FFFD in the place of the octets `start..end`.
    pub(super) fn bad(&mut self, code: Code, start: usize, end: usize) {
        self.text.push(char::REPLACEMENT_CHARACTER);
        self.tally.note(code, Span::new(start, end));
    }

    /// Something odd about `start..end` that changed nothing in the text.
    pub(super) fn note(&mut self, code: Code, start: usize, end: usize) {
        self.tally.note(code, Span::new(start, end));
    }
}
