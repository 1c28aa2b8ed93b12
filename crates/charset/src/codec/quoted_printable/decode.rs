//! Lenient reading of quoted-printable bodies (rule B2).
//!
//! Deviations from RFC 2045, 6.7, all reported except the third:
//! 1. A `=` that begins no escape stands for itself, as the RFC suggests.
//! 2. Digits in lower case are read, as it also suggests.
//! 3. White space may come between the `=` of a soft break and the line end; LF or CR alone is a
//!    line end too.
//! 4. A soft break at the very end is removed.
//! 5. Octets above 7F stand for themselves.

use super::strict;
use crate::ascii::is_wsp;
use crate::codec::level::{self, Level};
use crate::codec::{hex, scan};
use crate::report::Tally;
use crate::{Code, Span};

/// Appends the octets that `body` encodes, with line ends as they are; spans are offsets in `body`.
pub fn decode(body: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
    out.reserve(body.len() + strict::SLACK);
    let suspect = scan::any_pair(body, |octet, next| {
        (octet == b' ') & (next < 0x0E) | (octet == b'\t') | (octet >= 0x80) | (next >= 0x80)
    });
    // One pass sorts out most bodies, which need no closer look.
    if suspect && !body.is_ascii() {
        note_eight_bit(body, tally);
    }
    let mut reader = Reader { body, out, tally, level: Level::new() };
    let blanks =
        body.last().is_some_and(|&octet| is_wsp(octet)) || suspect && ends_lines_in_blanks(body);
    if blanks { reader.lines() } else { reader.pieces() }
}

fn note_eight_bit(body: &[u8], tally: &mut Tally) {
    let first = body.iter().position(|octet| !octet.is_ascii()).unwrap_or_default();
    let last = body.iter().rposition(|octet| !octet.is_ascii()).unwrap_or_default();
    tally.note(Code::QuotedPrintableRepaired, Span::new(first, last + 1));
}

fn ends_lines_in_blanks(body: &[u8]) -> bool {
    let blank_before_end = |octet: u8, next: u8| {
        ((octet == b' ') | (octet == b'\t')) & ((next == b'\r') | (next == b'\n'))
    };
    scan::any_pair(body, blank_before_end)
}

/// Octets decoded in one step. Room is made piece by piece, so that memory that the decoded octets
/// do not need is reserved but never touched.
const PIECE: usize = 16 * 1024;

struct Reader<'a> {
    body: &'a [u8],
    out: &'a mut Vec<u8>,
    tally: &'a mut Tally,
    level: Level,
}

impl Reader<'_> {
    /// Reads a body whose lines do not end in white space: only `=` matters.
    fn pieces(&mut self) {
        let mut at = 0;
        while at < self.body.len() {
            let rest = &self.body[at..];
            let piece = match rest.get(..PIECE) {
                None => rest,
                // Never split an escape or a soft break.
                Some([whole @ .., b'=']) | Some([whole @ .., b'=', _]) => whole,
                Some(whole) => whole,
            };
            if !self.strict(piece) {
                self.text(at, piece);
            }
            at += piece.len();
        }
    }

    /// Decodes a piece by vectors; returns `false`, with nothing written, if anything in it needs
    /// [`text`](Self::text) to judge it.
    fn strict(&mut self, piece: &[u8]) -> bool {
        if !level::picks(self.level) {
            return false;
        }
        let start = self.out.len();
        self.out.resize(start + piece.len() + strict::SLACK, 0);
        let octets = strict::decode(self.level, piece, &mut self.out[start..]);
        self.out.truncate(start + octets.unwrap_or(0));
        octets.is_some()
    }

    /// Reads a body with white space before line ends: line by line, without it (RFC 2045, 6.7,
    /// rule 3).
    fn lines(&mut self) {
        let mut at = 0;
        while at < self.body.len() {
            let rest = &self.body[at..];
            let line = memchr::memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
            let line_end = match &rest[line..] {
                [b'\r', b'\n', ..] => 2,
                [] => 0,
                _ => 1,
            };
            self.line(at, line, line_end);
            at += line + line_end;
        }
    }

    fn line(&mut self, at: usize, line: usize, line_end: usize) {
        let text = &self.body[at..at + line];
        let text =
            &text[..text.iter().rposition(|&octet| !is_wsp(octet)).map_or(0, |last| last + 1)];
        match text.strip_suffix(b"=") {
            Some(text) => {
                self.text(at, text);
                if line_end == 0 {
                    self.note(at + text.len(), 1);
                }
            }
            None => {
                self.text(at, text);
                self.out.extend_from_slice(&self.body[at + line..at + line + line_end]);
            }
        }
    }

    /// Decodes text at offset `at` in which only `=` is special.
    fn text(&mut self, at: usize, text: &[u8]) {
        let start = self.out.len();
        self.out.resize(start + text.len(), 0);
        let (mut read, mut written) = (0, start);
        while read < text.len() {
            if text[read] != b'=' {
                let literal = literals(&text[read..], &mut self.out[written..]);
                (read, written) = (read + literal, written + literal);
            }
            let run = hex::unescape(b'=', &text[read..], &mut self.out[written..]);
            if run.lower {
                self.note(at + read, 3 * run.escapes);
            }
            (read, written) = (read + 3 * run.escapes, written + run.escapes);
            if text[read..].starts_with(b"=\r\n") {
                // In dense text an escape follows: skip the search for literals.
                read += 3;
                continue;
            }
            if text.get(read) == Some(&b'=') {
                (read, written) = self.odd(at, text, read, written);
            }
        }
        self.out.truncate(written);
    }

    /// Reads a `=` that begins no escape: a soft break, or a `=` that stands for itself.
    fn odd(&mut self, at: usize, text: &[u8], read: usize, written: usize) -> (usize, usize) {
        match text[read + 1..] {
            [b'\r', b'\n', ..] => (read + 3, written),
            [b'\r' | b'\n', ..] => (read + 2, written),
            [] if at + text.len() == self.body.len() => {
                self.note(at + read, 1);
                (read + 1, written)
            }
            _ => {
                self.note(at + read, 1);
                self.out[written] = b'=';
                (read + 1, written + 1)
            }
        }
    }

    fn note(&mut self, at: usize, octets: usize) {
        self.tally.note(Code::QuotedPrintableRepaired, Span::new(at, at + octets));
    }
}

/// Copies the octets before the next `=`, and returns how many. Between escapes there are usually
/// few, and their number cannot be predicted: eight are copied in one go, and any excess is
/// overwritten.
#[inline]
fn literals(text: &[u8], out: &mut [u8]) -> usize {
    let near = match (text.first_chunk::<8>(), out.first_chunk_mut::<8>()) {
        (Some(from), Some(to)) => {
            *to = *from;
            scan::first_of_eight(*from, b'=')
        }
        _ => 0,
    };
    if near < 8 && text.get(near) == Some(&b'=') {
        return near;
    }
    let far = near + memchr::memchr(b'=', &text[near..]).unwrap_or(text.len() - near);
    out[near..far].copy_from_slice(&text[near..far]);
    far
}
