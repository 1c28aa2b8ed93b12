//! Reading UTF-7, chunk by chunk.
//!
//! RFC 2152, rules 1 to 3. Deviations, all reported:
//! 1. `~`, `\` and control characters may stand for themselves, as careless encoders write them.
//! 2. A `+` before what is no sequence, or too short for a character and not closed, stands for
//!    itself: `R+D`.
//! 3. U+FFFD replaces anything else that is ill-formed, and reading goes on.

use super::dialect::{self, is_special};
use super::run::{self, Run, copy_direct};
use super::vector::{self, Form, Read};
use crate::codec::base64::{Leftover, UTF_7};
use crate::codec::level::{self, Level};
use crate::codec::text;
#[cfg(feature = "bindings")]
use crate::codec::utf16;
use crate::report::Tally;
use crate::{DecodeFault, Span};

/// Reads UTF-7 in chunks that begin and end anywhere; holds no more than the last bits of one
/// shifted sequence.
#[derive(Clone, Debug)]
pub struct Decoder {
    /// The vector instructions to read with, if any.
    vectors: Option<Level>,
    /// Whether the text is inside a shifted sequence, which a `+` has begun.
    shifted: bool,
    /// The offset of that `+`.
    start: usize,
    /// The base64 symbols after that `+`, as far as they are read.
    run: Run,
    /// The offset in the text: the number of octets in all chunks so far.
    at: usize,
}

/// The number of octets that are read before their text is appended.
const PIECE: usize = 1024;
/// The number of octets that are read one by one before vectors are tried again.
const VECTOR_RETRY: usize = 64;

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// Returns a decoder at the beginning of a text.
    pub fn new() -> Self {
        Self::with(level::picking_at_once())
    }

    /// Returns a decoder with these vectors, or without any.
    pub(super) fn with(vectors: Option<Level>) -> Self {
        Self { vectors, shifted: false, start: 0, run: Run::default(), at: 0 }
    }

    /// Appends the text of `chunk`, and to `tally` what is ill-formed in it. `last` says that there is
    /// no more. Spans count from the first chunk.
    pub fn decode(&mut self, chunk: &[u8], last: bool, out: &mut String, tally: &mut Tally) {
        let mut octets = [0; PIECE * Run::GROWTH + vector::ROOM];
        let mut rest = chunk;
        while !rest.is_empty() {
            let (mut read, mut written) = self.read_by_vectors(rest, &mut octets);
            if read == 0 {
                read = self.piece_length().min(rest.len());
                written = self.read_piece(&rest[..read], &mut octets, tally);
            }
            text::push_utf8(&octets[..written], out);
            rest = &rest[read..];
        }
        if last {
            let written = self.end_sequence(self.at, false, &mut octets, 0, tally);
            text::push_utf8(&octets[..written], out);
        }
    }

    /// Appends the UTF-16 code units of `chunk`, as [`decode`](Self::decode) does with the text.
    #[cfg(feature = "bindings")]
    pub fn decode_to_units(
        &mut self,
        chunk: &[u8],
        last: bool,
        out: &mut Vec<u16>,
        tally: &mut Tally,
    ) {
        let (mut units, mut text) = ([0; PIECE + vector::ROOM], String::new());
        let mut rest = chunk;
        while !rest.is_empty() {
            let (mut read, written) = self.read_by_vectors(rest, &mut units);
            out.extend_from_slice(&units[..written]);
            if read == 0 {
                read = self.piece_length().min(rest.len());
                self.decode(&rest[..read], false, &mut text, tally);
                utf16::push_text(&text, out);
                text.clear();
            }
            rest = &rest[read..];
        }
        if last {
            self.decode(&[], true, &mut text, tally);
            utf16::push_text(&text, out);
        }
    }

    /// Reads as much as vectors can; returns how many octets were read, and how many written.
    fn read_by_vectors<F: Form>(&mut self, text: &[u8], out: &mut [F]) -> (usize, usize) {
        let Some(level) = level::if_any_picks(self.vectors) else { return (0, 0) };
        if self.shifted && self.run.after_group() != Some(0) {
            return (0, 0);
        }
        // The shift may be before the text.
        let open = self.shifted.then_some(self.start.wrapping_sub(self.at));
        let done = vector::read(level, &dialect::MAIL_SAFE, text, Read::after(open), out);
        if done.open != open {
            self.run = Run::of_groups();
        }
        self.shifted = done.open.is_some();
        self.start = self.at.wrapping_add(done.open.unwrap_or_default());
        self.at += done.octets;
        (done.octets, done.written)
    }

    /// Returns how many octets are read one by one next. Vectors can go on only after a whole group
    /// of symbols, so that is where it ends if there are any.
    fn piece_length(&self) -> usize {
        let after_group = if self.shifted { self.run.after_group() } else { None };
        let after_group = after_group.unwrap_or_default();
        if self.vectors.is_some() { VECTOR_RETRY - after_group } else { PIECE }
    }

    /// Reads a piece whole; returns how many octets were written.
    fn read_piece(&mut self, piece: &[u8], out: &mut [u8], tally: &mut Tally) -> usize {
        let (mut at, mut written) = (0, 0);
        while at < piece.len() {
            (at, written) = if self.shifted {
                self.read_sequence(piece, at, out, written, tally)
            } else {
                let rest = &piece[at..];
                let direct = copy_direct(rest, out, written, is_special);
                (at, written) = (at + direct, written + direct);
                match rest.get(direct) {
                    Some(&octet) => {
                        (at + 1, self.read_special(octet, self.at + at, out, written, tally))
                    }
                    None => (at, written),
                }
            };
        }
        self.at += piece.len();
        written
    }

    /// Reads symbols after a `+`, and the octet that ends them; returns the offset after them in the
    /// piece, and the new number of octets in `out`.
    #[inline]
    fn read_sequence(
        &mut self,
        piece: &[u8],
        at: usize,
        out: &mut [u8],
        written: usize,
        tally: &mut Tally,
    ) -> (usize, usize) {
        let (symbols, written) = self.run.read(UTF_7, &piece[at..], out, written);
        let end = at + symbols;
        match piece.get(end) {
            None => (end, written),
            Some(b'-') if self.run.is_empty() => {
                self.shifted = false;
                out[written] = b'+';
                (end + 1, written + 1)
            }
            Some(&octet) => {
                let is_closed = octet == b'-';
                let written = self.end_sequence(self.at + end, is_closed, out, written, tally);
                (end + usize::from(is_closed), written)
            }
        }
    }

    /// Reads one octet that may not stand for itself, at the offset `at` of the text; returns the
    /// new number of octets in `out`.
    fn read_special(
        &mut self,
        octet: u8,
        at: usize,
        out: &mut [u8],
        written: usize,
        tally: &mut Tally,
    ) -> usize {
        let span = Span::new(at, at + 1);
        match octet {
            b'+' => {
                (self.shifted, self.start) = (true, at);
                self.run.clear();
                written
            }
            0x80.. => {
                tally.note(DecodeFault::NotAscii, span);
                run::replace(out, written)
            }
            _ => {
                tally.note(DecodeFault::NotDirect, span);
                out[written] = octet;
                written + 1
            }
        }
    }

    /// Ends the shifted sequence before the offset `end`, if the text is inside one. `is_closed` says
    /// that a `-` ends it. Returns the new number of octets in `out`.
    fn end_sequence(
        &mut self,
        end: usize,
        is_closed: bool,
        out: &mut [u8],
        written: usize,
        tally: &mut Tally,
    ) -> usize {
        if !std::mem::replace(&mut self.shifted, false) {
            return written;
        }
        let (span, run) = (Span::new(self.start, end), &mut self.run);
        if let Some(symbols) = run.fragment(UTF_7)
            && !is_closed
        {
            tally.note(DecodeFault::ShiftWithoutBase64, span);
            return symbols.write_after(b'+', out, written);
        }
        let (leftover, written) = run.finish(out, written);
        if run.unpaired > 0 {
            tally.note(DecodeFault::UnpairedSurrogate, span);
        }
        if leftover != Leftover::Nothing {
            tally.note(DecodeFault::LeftoverBits, span);
        }
        written
    }
}
