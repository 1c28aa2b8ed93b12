//! Writing quoted-printable (rule B4).
//!
//! One encoder for two ends: a stream, and the exact length without writing anything. Lines that are written as they stand
//! are given as they stand ([`plain_lines`]). Of a piece of other text it makes what the octets are written as ([`widen`]),
//! and cuts that into lines ([`cut`]): two passes over memory that stays in the first-level cache, and hardly a branch that
//! cannot be foreseen.
//!
//! Beyond RFC 2045, 6.7:
//! 1. A UTF-8 sequence is not split over a soft break, so that who reads line by line sees whole characters.
//! 2. No encoded line, also behind a soft break, begins as [`is_risky_start`](super::start::is_risky_start) tells.

use std::io::{self, Write};
use std::ops::Range;

use super::cut::{self, cut};
use super::plain::plain_lines;
use super::widen::{self, widen};
use crate::codec::level::Level;

/// Writes text whose line ends are CRLF, holding no more than some lines; line ends become hard line breaks. Octets
/// that are no such text, bare CR and LF among them, are data.
pub(crate) fn encode_text_to(octets: &[u8], boundaries: &[&[u8]], output: &mut impl Write) -> io::Result<()> {
    Encoder::new(Level::new(), octets, boundaries).give_lines(|lines| output.write_all(lines))
}

/// The octets that [`encode_text_to`] writes, if they are no more than `limit`; stops counting there.
pub(crate) fn text_fits(octets: &[u8], boundaries: &[&[u8]], limit: usize) -> Option<usize> {
    let mut count = 0;
    let counted = Encoder::new(Level::new(), octets, boundaries).give_lines(|lines| {
        count += lines.len();
        if count > limit { Err(()) } else { Ok(()) }
    });
    counted.ok().map(|()| count)
}

/// Octets that are encoded at once; then plain lines are looked for again.
const PIECE: usize = 1512;

/// A text on its way into lines.
pub(super) struct Encoder<'a> {
    level: Level,
    octets: &'a [u8],
    boundaries: &'a [&'a [u8]],
    /// What the octets are written as, from [`cut::HEAD`] to `end`: first what is left of the piece before.
    wide: Vec<u8>,
    end: usize,
    lines: Vec<u8>,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(level: Level, octets: &'a [u8], boundaries: &'a [&'a [u8]]) -> Self {
        let wide = 3 * octets.len().min(PIECE) + 3 * cut::AHEAD;
        Self {
            level,
            octets,
            boundaries,
            wide: vec![0; cut::HEAD + wide + widen::SLACK],
            end: cut::HEAD,
            // Three octets for a soft break behind 64 at least. Lines of one octet may grow to five octets of three, but
            // were no wider than they were.
            lines: vec![0; wide + wide / 16 + 3 * cut::AHEAD],
        }
    }

    /// Gives all lines, some at a time.
    pub(super) fn give_lines<E>(mut self, mut give: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut at = 0;
        loop {
            if self.end == cut::HEAD {
                let plain = &self.octets[at..][..plain_lines(self.level, &self.octets[at..])];
                give(plain)?;
                at += plain.len();
            }
            let piece = piece(self.octets, at);
            at = piece.range.end;
            self.end = widen(self.level, self.octets, piece.range, &mut self.wide, self.end);
            if at == self.octets.len() {
                return give(self.cut_rest());
            }
            // Without a line end, nothing behind these octets can change the lines.
            let open = if piece.ends_line { 0 } else { cut::AHEAD };
            give(self.cut_until(self.end.saturating_sub(open)))?;
        }
    }

    fn cut_until(&mut self, until: usize) -> &[u8] {
        let cut = cut(self.level, &mut self.wide, until, self.boundaries, &mut self.lines);
        self.wide.copy_within(cut.at..self.end, cut::HEAD);
        self.end -= cut.at - cut::HEAD;
        &self.lines[..cut.written]
    }

    /// All that is left, the last line without an end.
    fn cut_rest(&mut self) -> &[u8] {
        const END: &[u8] = b"\r\n";
        let until = self.end + END.len();
        self.wide[self.end..until].copy_from_slice(END);
        let cut = cut(self.level, &mut self.wide, until, self.boundaries, &mut self.lines);
        &self.lines[..cut.written - END.len()]
    }
}

/// What is encoded next.
struct Piece {
    range: Range<usize>,
    ends_line: bool,
}

/// The piece from `at` on: whole lines, if one ends in reach.
fn piece(octets: &[u8], at: usize) -> Piece {
    let most = octets.len().min(at + PIECE);
    match memchr::memrchr(b'\n', &octets[at..most]) {
        Some(last) if most < octets.len() && last > 0 && octets[at + last - 1] == b'\r' => {
            Piece { range: at..at + last + 1, ends_line: true }
        }
        _ => Piece { range: at..most, ends_line: false },
    }
}
