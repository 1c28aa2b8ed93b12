//! Where a message ends and the next begins.

use std::io::{self, Read};

use super::Dialect;
use super::postmark::{
    LineEnds, POSTMARK, blank, blank_at_end, content_length, from_line, has_date, nuls_at_end,
};
use super::separator::{LINE, Rules, next_from};
use super::window::Window;

/// The longest `Content-Length` that is trusted.
const MAX_LENGTH: usize = 64 << 20;

/// How far ahead the end of a header, or of a `From ` line, is looked for.
const MAX_HEADER: usize = 1 << 20;

/// A window over an mbox file, and what is needed to find the ends of messages in it.
#[derive(Debug)]
pub(super) struct Cutter<R> {
    pub(super) window: Window<R>,
    pub(super) rules: Rules,
    pub(super) doubts: Doubts,
    /// With [`Dialect::Auto`], no length hides the first separating line at or after a multiple of
    /// this.
    pub(super) stride: u64,
}

/// Where in the file it is doubtful whether a `From ` line separates messages, in order.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    places: Vec<u64>,
    /// Places before this have been noted.
    noted: u64,
}

/// How many of them are kept at a time.
const MAX_DOUBTS: usize = 1000;

impl Doubts {
    /// Notes a place, which may be examined more than once.
    pub(super) fn note(&mut self, place: u64) {
        if place >= self.noted && self.places.len() < MAX_DOUBTS {
            self.places.push(place);
            self.noted = place + 1;
        }
    }

    /// Returns the places noted since this was called last.
    pub(super) fn take(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.places)
    }
}

/// Where a message ends in the window, where the next begins, and whether its stated length was
/// used.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) message: usize,
    pub(super) next: usize,
    pub(super) by_length: bool,
}

impl End {
    /// Returns this end once the window has moved.
    pub(super) fn moved(self, octets: usize) -> Self {
        Self { message: self.message - octets, next: self.next - octets, ..self }
    }
}

impl<R: Read> Cutter<R> {
    /// Returns the length of the `From ` line that the window begins with; 0 if there is none.
    pub(super) fn postmark(&mut self) -> io::Result<usize> {
        if !self.window.octets().starts_with(POSTMARK) {
            return Ok(0);
        }
        while memchr::memchr2(b'\r', b'\n', self.window.octets()).is_none()
            && self.window.octets().len() < MAX_HEADER
            && self.window.more()?
        {}
        Ok(from_line(self.window.octets()).1.min(MAX_HEADER))
    }

    /// Returns where the message that begins at `start` ends; `None` if that is further away than
    /// `limit`.
    pub(super) fn end(
        &mut self,
        start: usize,
        position: u64,
        limit: usize,
    ) -> io::Result<Option<End>> {
        if self.rules.dialect.has_lengths()
            && let Some(end) = self.end_by_length(start, position)?
        {
            return Ok(Some(end));
        }
        self.end_by_line(start, limit)
    }

    /// Returns the octets that end lines of the message that begins at `start`: those that end its
    /// `From ` line.
    pub(super) fn line_ends(&self, start: usize) -> LineEnds {
        match start.checked_sub(1).map(|end| self.window.octets()[end]) {
            Some(b'\r') => LineEnds::Cr,
            _ => LineEnds::Lf,
        }
    }

    /// Returns where it ends by `Content-Length`, if that is right.
    fn end_by_length(&mut self, start: usize, position: u64) -> io::Result<Option<End>> {
        let Some(message) = self.stated_end(start)? else { return Ok(None) };
        let ends = self.line_ends(start);
        let octets = self.window.open_to(message + 3 * LINE)?;
        // A length that points into CR LF is wrong, whatever comes next.
        let is_in_line_end = octets.len() > message
            && octets[message] == b'\n'
            && octets[message - 1] == b'\r'
            && matches!(ends, LineEnds::Lf);
        if octets.len() < message || is_in_line_end {
            return Ok(None);
        }
        let mut next = message;
        // Some writers count the last line end, some do not: one or two come before the next `From
        // ` line.
        for _ in 0..2 {
            if octets[next..].starts_with(POSTMARK) {
                break;
            }
            next += blank(&octets[next..]).unwrap_or_default();
        }
        let is_right = octets.len() == next
            || octets[next..].starts_with(POSTMARK)
                && (next == 0 || matches!(octets[next - 1], b'\n' | b'\r'));
        let is_believed =
            is_right && (self.rules.dialect != Dialect::Auto || self.is_plain_to(next, position));
        Ok(is_believed.then_some(End { message, next, by_length: true }))
    }

    /// Returns whether the lines agree, as far as ranges depend on them, that a message ends at
    /// `next` in the window: a line separates there, and none before it is the first one at or
    /// after a multiple of the stride.
    fn is_plain_to(&self, next: usize, position: u64) -> bool {
        let octets = self.window.octets();
        if next < octets.len() && !self.rules.judge_at(octets, next).separates {
            return false;
        }
        let multiple = (position / self.stride + 1) * self.stride;
        let from =
            usize::try_from(multiple.saturating_sub(self.window.offset())).unwrap_or(usize::MAX);
        self.rules.first_separator(octets, from, next, |_| {}).is_none()
    }

    /// Returns where a message that begins at `start` ends by the `Content-Length` in its header;
    /// `None` if a `From ` line comes first.
    fn stated_end(&mut self, start: usize) -> io::Result<Option<usize>> {
        let mut at = start;
        let mut length = None;
        let ends = self.line_ends(start);
        loop {
            let octets = self.window.octets();
            let octets = &octets[..octets.len().min(start + 2 * MAX_HEADER)];
            let (found, taken) = ends.line(&octets[at..]);
            let is_whole =
                octets[..at + taken].last().is_some_and(|last| taken > 0 && ends.end_with(*last));
            if is_whole && found.is_empty() {
                let length = length.flatten().filter(|length| *length <= MAX_LENGTH);
                return Ok(length.map(|length| at + taken + length));
            }
            if is_whole && found.starts_with(POSTMARK) && has_date(found) || at - start > MAX_HEADER
            {
                return Ok(None);
            }
            if is_whole {
                length = length.or_else(|| content_length(found));
                at += taken;
            } else if octets.len() == start + 2 * MAX_HEADER || !self.window.more()? {
                return Ok(None);
            }
        }
    }

    /// Returns where it ends by the next separating `From ` line.
    fn end_by_line(&mut self, start: usize, limit: usize) -> io::Result<Option<End>> {
        // An empty line after the message is not part of it.
        let far = start.saturating_add(limit).saturating_add(2);
        let mut at = start;
        loop {
            let octets = self.window.octets();
            if let Some(found) = next_from(octets, at) {
                self.window.open_to(found + 2 * LINE)?;
                let judged = self.rules.judge_at(self.window.octets(), found);
                if judged.is_doubtful {
                    self.doubts.note(self.window.offset() + found as u64);
                }
                if judged.separates {
                    return Ok(Some(self.ends(start, found)));
                }
                at = found + 1;
                continue;
            }
            at = at.max(octets.len().saturating_sub(POSTMARK.len() - 1));
            if at > far {
                return Ok(None);
            }
            if !self.window.more()? {
                self.window.check_end()?;
                return Ok(Some(self.ends(start, self.window.octets().len())));
            }
        }
    }

    /// Returns the end of the message that begins at `start`, given the `From ` line, or the end of
    /// the file, at `next`.
    pub(super) fn ends(&self, start: usize, next: usize) -> End {
        let octets = &self.window.octets()[start - start.min(1)..];
        let (octets, after) = octets.split_at(next - (start - start.min(1)));
        let nuls = if after.is_empty() { 0 } else { nuls_at_end(octets) };
        let octets = &octets[..octets.len() - nuls];
        let message = next - nuls - blank_at_end(octets).unwrap_or_default();
        End { message: message.max(start), next, by_length: false }
    }
}
