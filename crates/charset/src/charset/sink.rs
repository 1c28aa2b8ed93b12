//! Where decoders write: text, and what was wrong.

use crate::codec::utf16;
use crate::report::Tally;
use crate::{Code, DecodeFault, Span};

/// A decoder: octets in, in chunks of any size, text and issues out.
pub(super) trait Machine<T = String>: Send + Sync {
    /// Reads `octets`, which begin at offset `at` of the whole input.
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_, T>);

    /// Ends the input: nothing follows the `at` octets read so far.
    fn end(&mut self, at: usize, sink: &mut Sink<'_, T>);
}

/// An encoder: text in, in pieces, octets out.
pub(super) trait Writer: Send + Sync {
    /// Writes `text`; stops at the first character that the charset does not have, with its offset
    /// as the error.
    fn write(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize>;

    /// Ends the text, back in the state that the charset must end in.
    fn end(&mut self, octets: &mut Vec<u8>);
}

/// An encoder that writes one character at a time.
pub(super) trait CharWriter: Send + Sync {
    /// Writes `c`; returns `false` if the charset does not have it.
    fn char(&mut self, c: char, octets: &mut Vec<u8>) -> bool;

    /// Ends the text.
    fn end(&mut self, _octets: &mut Vec<u8>) {}
}

/// Makes a [`Writer`] from a [`CharWriter`].
pub(super) struct Each<W>(pub(super) W);

impl<W: CharWriter> Writer for Each<W> {
    fn write(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize> {
        let missing = text.char_indices().find(|(_, c)| !self.0.char(*c, octets));
        missing.map_or(Ok(()), |(at, _)| Err(at))
    }

    fn end(&mut self, octets: &mut Vec<u8>) {
        self.0.end(octets);
    }
}

/// Returns the characters of `text` that fit into `octets`, which has room for at least one.
pub(super) fn prefix(text: &str, octets: usize) -> &str {
    let end = (0..=octets.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(text.len())]
}

/// The text that decoders append to: a string, or the code units of UTF-16 for languages whose
/// strings are made of those.
pub(super) trait Text {
    /// Returns how much there is, in its own units.
    fn length(&self) -> usize;

    /// Appends one character.
    fn push_char(&mut self, c: char);

    /// Appends code units of UTF-16, none of them a surrogate.
    fn push_units(&mut self, units: &[u16]);
}

impl Text for String {
    fn length(&self) -> usize {
        self.len()
    }

    fn push_char(&mut self, c: char) {
        self.push(c);
    }

    fn push_units(&mut self, units: &[u16]) {
        utf16::push_units(units, self);
    }
}

impl Text for Vec<u16> {
    fn length(&self) -> usize {
        self.len()
    }

    fn push_char(&mut self, c: char) {
        self.extend_from_slice(c.encode_utf16(&mut [0; 2]));
    }

    fn push_units(&mut self, units: &[u16]) {
        self.extend_from_slice(units);
    }
}

/// The text to write to, and the tally of what was wrong.
pub(super) struct Sink<'s, T = String> {
    /// The text so far.
    pub(super) text: &'s mut T,
    /// The issues found so far.
    pub(super) tally: &'s mut Tally,
    /// The length of the text before the first loss, if there was one.
    pub(super) lost: Option<usize>,
}

impl<'s, T: Text> Sink<'s, T> {
    pub(super) fn new(text: &'s mut T, tally: &'s mut Tally) -> Self {
        Self { text, tally, lost: None }
    }

    /// Notes that something is lost at this place in the text.
    pub(super) fn loses(&mut self) {
        self.lost.get_or_insert(self.text.length());
    }

    /// Appends one character.
    pub(super) fn char(&mut self, c: char) {
        self.text.push_char(c);
    }

    /// Appends one character, or U+FFFD with an issue if there is none for `start..end`.
    pub(super) fn char_or_bad(&mut self, c: Option<char>, start: usize, end: usize) {
        match c {
            Some(c) => self.text.push_char(c),
            None => self.bad(DecodeFault::UndecodableText, start, end),
        }
    }

    /// Appends the content of a cell of a double-byte set, or U+FFFD with an issue if there is
    /// nothing for `start..end`.
    pub(super) fn cell_or_bad(&mut self, cell: Option<[char; 2]>, start: usize, end: usize) {
        match cell {
            Some(cell) => cell.iter().filter(|c| **c != '\0').for_each(|c| self.text.push_char(*c)),
            None => self.bad(DecodeFault::UndecodableText, start, end),
        }
    }

    /// Appends U+FFFD instead of the octets `start..end`.
    pub(super) fn bad(&mut self, code: impl Into<Code>, start: usize, end: usize) {
        self.loses();
        self.text.push_char(char::REPLACEMENT_CHARACTER);
        self.tally.note(code, Span::new(start, end));
    }

    /// Notes something odd about `start..end` that changed nothing in the text.
    pub(super) fn note(&mut self, code: impl Into<Code>, start: usize, end: usize) {
        self.tally.note(code, Span::new(start, end));
    }
}
