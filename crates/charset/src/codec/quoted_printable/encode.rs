//! Writing quoted-printable (rule B4).
//!
//! One encoder serves two purposes: writing to a stream, and the exact length without writing.
//! Lines that need no encoding pass through as they are ([`literal_lines`]). A piece of other text
//! is escaped ([`escape`]), and the result is cut into lines ([`break_lines`]): two passes over
//! memory that stays in the first-level cache, with hardly an unpredictable branch.
//!
//! Beyond RFC 2045, 6.7:
//! 1. A UTF-8 sequence is not split over a soft break, so that anyone who reads line by line sees
//!    whole characters.
//! 2. No encoded line, even after a soft break, begins as [`LineStarts`] forbids.

use std::io::{self, Write};
use std::ops::Range;

use super::escape::{self, escape};
use super::line_start::LineStarts;
use super::literal_lines::literal_lines;
use super::soft_breaks::{self, break_lines};
use crate::codec::level::Level;

/// Writes text whose line ends are CRLF, buffering no more than a few lines; line ends become hard
/// line breaks. Everything else, including bare CR and LF, is data and is escaped.
pub fn encode_text_to(
    octets: &[u8],
    starts: &LineStarts,
    output: &mut impl Write,
) -> io::Result<()> {
    Encoder::new(Level::new(), octets, starts).give_lines(|lines| output.write_all(lines))
}

/// Returns text as [`encode_text_to`] writes it, with a soft line break at its end.
pub fn encode_closed(text: &[u8], starts: &LineStarts) -> Vec<u8> {
    const SOFT_BREAK: &[u8] = b"=\r\n";
    let mut made = Vec::with_capacity(text.len() + text.len() / 2);
    // A letter takes the place of the `=` on the last line.
    let written = encode_text_to(&[text, b"x"].concat(), starts, &mut made);
    written.expect("writing to memory does not fail");
    made.pop();
    if !made.ends_with(SOFT_BREAK) {
        made.extend_from_slice(SOFT_BREAK);
    }
    made
}

/// Returns the number of octets that [`encode_text_to`] writes, if it is at most `limit`; stops
/// counting there.
pub fn text_fits(octets: &[u8], starts: &LineStarts, limit: usize) -> Option<usize> {
    let mut count = 0;
    let counted = Encoder::new(Level::new(), octets, starts).give_lines(|lines| {
        count += lines.len();
        if count > limit { Err(()) } else { Ok(()) }
    });
    counted.ok().map(|()| count)
}

/// Octets that are encoded before literal lines are looked for again.
const PIECE: usize = 1512;

/// A text that is being written in lines.
pub(super) struct Encoder<'a> {
    level: Level,
    octets: &'a [u8],
    starts: &'a LineStarts,
    /// The encoded octets, from [`soft_breaks::HEAD`] to `end`: first what is left of the piece
    /// before.
    wide: Vec<u8>,
    end: usize,
    lines: Vec<u8>,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(level: Level, octets: &'a [u8], starts: &'a LineStarts) -> Self {
        let wide = 3 * octets.len().min(PIECE) + 3 * soft_breaks::AHEAD;
        Self {
            level,
            octets,
            starts,
            wide: vec![0; soft_breaks::HEAD + wide + escape::SLACK],
            end: soft_breaks::HEAD,
            // A soft break of three octets comes after 64 octets or more. A line of one octet may
            // grow from three to five, but it has not been widened as far as others.
            lines: vec![0; wide + wide / 16 + 3 * soft_breaks::AHEAD],
        }
    }

    /// Passes all lines to `give`, a few at a time.
    pub(super) fn give_lines<E>(
        mut self,
        mut give: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut at = 0;
        loop {
            if self.end == soft_breaks::HEAD {
                let plain = &self.octets[at..]
                    [..literal_lines(self.level, &self.octets[at..], self.starts.first())];
                give(plain)?;
                at += plain.len();
            }
            let piece = piece(self.octets, at);
            at = piece.range.end;
            self.end = escape(self.level, self.octets, piece.range, &mut self.wide, self.end);
            if at == self.octets.len() {
                return give(self.cut_rest());
            }
            // Without a line end, nothing after these octets can change the lines.
            let open = if piece.ends_line { 0 } else { soft_breaks::AHEAD };
            give(self.cut_until(self.end.saturating_sub(open)))?;
        }
    }

    fn cut_until(&mut self, until: usize) -> &[u8] {
        let cut = break_lines(self.level, &mut self.wide, until, self.starts, &mut self.lines);
        self.wide.copy_within(cut.at..self.end, soft_breaks::HEAD);
        self.end -= cut.at - soft_breaks::HEAD;
        &self.lines[..cut.written]
    }

    /// Breaks all that is left into lines; the last line has no line end.
    fn cut_rest(&mut self) -> &[u8] {
        const END: &[u8] = b"\r\n";
        let until = self.end + END.len();
        self.wide[self.end..until].copy_from_slice(END);
        let cut = break_lines(self.level, &mut self.wide, until, self.starts, &mut self.lines);
        &self.lines[..cut.written - END.len()]
    }
}

/// The piece that is encoded next.
struct Piece {
    range: Range<usize>,
    ends_line: bool,
}

/// Returns the piece from `at` on: whole lines, if a line ends within it.
fn piece(octets: &[u8], at: usize) -> Piece {
    let most = octets.len().min(at + PIECE);
    match memchr::memrchr(b'\n', &octets[at..most]) {
        Some(last) if most < octets.len() && last > 0 && octets[at + last - 1] == b'\r' => {
            Piece { range: at..at + last + 1, ends_line: true }
        }
        _ => Piece { range: at..most, ends_line: false },
    }
}
