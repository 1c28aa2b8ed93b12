//! A message that is longer than the limit, read on in pieces.

use std::borrow::Cow;
use std::io::{self, Read};

use super::cut::{Cutter, End};
use super::postmark::{LineEnds, line_end_before};
use super::quote::{Quoting, without_quoting};
use super::separator::LINE;

/// How much is read at a time.
const PIECE: usize = 64 << 10;

/// The rest, still to be read, of the message returned last.
#[derive(Debug)]
pub(super) struct Open {
    /// Where it begins in the window.
    at: usize,
    /// Where it ends in the window, once that is known.
    end: Option<End>,
    quoting: Quoting,
    /// Whether it begins in the middle of a line, which then is not a quoted one.
    is_within_line: bool,
    /// A piece without its quoting, and how much of it has been read.
    piece: Vec<u8>,
    read: usize,
    /// Whether that is the last piece, and the window has moved to the next message.
    is_last: bool,
}

impl Open {
    /// Returns the message from `at` in the window on, where the octet `before` precedes it.
    pub(super) fn at(at: usize, end: Option<End>, quoting: Quoting, before: Option<&u8>) -> Self {
        let is_within_line = before.is_some_and(|octet| !LineEnds::Cr.end_with(*octet));
        Self { at, end, quoting, is_within_line, piece: Vec::new(), read: 0, is_last: false }
    }

    /// Takes these octets of the window as the next piece, without their quoting.
    fn take(&mut self, octets: &[u8]) {
        let begun = if self.is_within_line { LineEnds::Cr.line(octets).1 } else { 0 };
        let (begun, lines) = octets.split_at(begun);
        self.piece.clear();
        self.read = 0;
        self.piece.extend_from_slice(begun);
        match without_quoting(lines, self.quoting) {
            Cow::Owned(lines) => self.piece.extend(lines),
            Cow::Borrowed(lines) => self.piece.extend_from_slice(lines),
        }
        self.is_within_line =
            octets.last().map_or(self.is_within_line, |last| !LineEnds::Cr.end_with(*last));
        self.at += octets.len();
    }

    /// Returns where the next piece ends in the window: after a whole line, if there is one.
    fn piece_end(&self, octets: &[u8]) -> usize {
        let far = self.at + PIECE;
        match self.end {
            Some(end) if end.message <= far => end.message,
            _ => self.at + line_end_before(&octets[self.at..far]).unwrap_or(PIECE),
        }
    }

    /// Reads on into `into`; returns how many octets, 0 at the end of the message.
    pub(super) fn read(
        &mut self,
        cutter: &mut Cutter<impl Read>,
        into: &mut [u8],
    ) -> io::Result<usize> {
        loop {
            let length = (&self.piece[self.read..]).read(into)?;
            self.read += length;
            if length > 0 || into.is_empty() || !self.read_on(cutter)? {
                return Ok(length);
            }
        }
    }

    /// Takes the next piece, and after the last moves the window to the next message. Returns
    /// whether there was one.
    pub(super) fn read_on(&mut self, cutter: &mut Cutter<impl Read>) -> io::Result<bool> {
        if self.is_last {
            return Ok(false);
        }
        // Nothing further back is examined again.
        let spent = self.at.saturating_sub(LINE);
        cutter.window.advance(spent);
        self.at -= spent;
        self.end = match self.end {
            Some(end) => Some(end.moved(spent)),
            None => end_near(cutter, self.at)?,
        };
        let octets = cutter.window.octets();
        let end = self.piece_end(octets);
        self.take(&octets[self.at..end]);
        if let Some(last) = self.end.filter(|last| last.message == end) {
            self.is_last = true;
            cutter.window.advance(last.next);
        }
        Ok(true)
    }
}

/// Returns where the open message ends, if that is not much further than a piece from `at`.
fn end_near(cutter: &mut Cutter<impl Read>, at: usize) -> io::Result<Option<End>> {
    let far = at + PIECE + LINE;
    let goes_on = cutter.window.open_to(far + 2 * LINE)?.len() >= far + 2 * LINE;
    let Cutter { window, rules, doubts, .. } = &mut *cutter;
    let (octets, offset) = (window.octets(), window.offset());
    let far = if goes_on { far } else { octets.len() };
    let doubt = |place| doubts.note(offset + place as u64);
    let next = match rules.first_separator(octets, at, far, doubt) {
        None if !goes_on => {
            window.check_end()?;
            Some(far)
        }
        next => next,
    };
    Ok(next.map(|next| cutter.ends(at, next)))
}
