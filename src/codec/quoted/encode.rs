//! Writing quoted-printable (rule B4).
//!
//! One encoder for two ends: a stream, and the exact length without writing anything. Of a piece of the text it makes
//! what the octets are written as ([`widen`]), and cuts that into lines ([`cut`]): two passes over memory that stays in the
//! first-level cache, and hardly a branch that cannot be foreseen.
//!
//! Beyond RFC 2045, 6.7:
//! 1. A UTF-8 sequence is not split over a soft break, so that who reads line by line sees whole characters.
//! 2. No encoded line, also behind a soft break, begins as [`is_risky_start`](super::start::is_risky_start) tells.

use std::io::{self, Write};

use super::cut::{self, cut};
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

/// Octets that are encoded at once.
const PIECE: usize = 2016;

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
            let piece = at..self.octets.len().min(at + PIECE);
            at = piece.end;
            self.end = widen(self.level, self.octets, piece, &mut self.wide, self.end);
            if at == self.octets.len() {
                return give(self.cut_rest());
            }
            give(self.cut_whole())?;
        }
    }

    /// The lines that nothing behind `end` can change.
    fn cut_whole(&mut self) -> &[u8] {
        let until = self.end.saturating_sub(cut::AHEAD);
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
