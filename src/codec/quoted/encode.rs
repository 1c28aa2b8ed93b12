//! Writing quoted-printable (rule B4).
//!
//! One encoder for two ends: a stream, and the exact length without writing anything.
//!
//! Beyond RFC 2045, 6.7:
//! 1. A UTF-8 sequence is not split over a soft break, so that who reads line by line sees whole characters.
//! 2. No encoded line, also behind a soft break, begins as [`is_risky_start`](super::start::is_risky_start) tells.

use std::io::{self, Write};

use super::start::is_risky_when_encoded;
use super::{LINE, is_literal};
use crate::ascii::is_wsp;
use crate::codec::hex;
use crate::codec::scan::Marks;
use crate::codec::sink::{Counter, Sink, Stream};

/// Writes text whose line ends are CRLF, holding no more than some lines; line ends become hard line breaks. Octets
/// that are no such text, bare CR and LF among them, are data.
pub(crate) fn encode_text_to(octets: &[u8], boundaries: &[&[u8]], output: &mut impl Write) -> io::Result<()> {
    let mut stream = Stream::new(output);
    Encoder::new(boundaries, &mut stream).text(octets)?;
    stream.finish()
}

/// The octets that [`encode_text_to`] writes, if they are no more than `limit`; stops counting there.
pub(crate) fn text_fits(octets: &[u8], boundaries: &[&[u8]], limit: usize) -> Option<usize> {
    let mut counter = Counter { octets: 0, limit };
    let counted = Encoder::new(boundaries, &mut counter).text(octets);
    counted.ok().map(|()| counter.octets)
}

/// One encoded line in the making, and where it goes. The `=` of a soft break takes a column too.
struct Encoder<'a, S> {
    line: [u8; LINE + SLACK],
    width: usize,
    boundaries: &'a [&'a [u8]],
    sink: &'a mut S,
}

/// Octets that may be written behind the width: copies are of sixteen octets, whatever is wanted.
const SLACK: usize = 32;

impl<'a, S: Sink> Encoder<'a, S> {
    fn new(boundaries: &'a [&'a [u8]], sink: &'a mut S) -> Self {
        Self { line: [0; LINE + SLACK], width: 0, boundaries, sink }
    }

    /// Text, line by line. Lines that need nothing go out together.
    fn text(&mut self, octets: &[u8]) -> Result<(), S::Error> {
        let mut marks = Marks::new(octets, |octet| !is_literal(octet));
        let (mut at, mut plain) = (0, 0);
        while at < octets.len() {
            let first = marks.next(at, octets.len().min(at + LINE + 1));
            if let Some(next) = self.behind_plain_line(octets, at, first) {
                at = next;
                continue;
            }
            self.sink.put(&octets[plain..at])?;
            let end = line_end(octets, first);
            self.line(octets, at, end, &mut marks)?;
            (plain, at) = (end, octets.len().min(end + 2));
        }
        self.sink.put(&octets[plain..])
    }

    /// Where the next line begins, if the one at `at` is written as it is; its first octet that is no literal stands
    /// at `first`.
    #[inline]
    fn behind_plain_line(&self, octets: &[u8], at: usize, first: usize) -> Option<usize> {
        let next = match octets[first..] {
            _ if first - at > LINE => return None,
            [b'\r', b'\n', ..] => first + 2,
            [] => first,
            _ => return None,
        };
        let blank = first > at && is_wsp(octets[first - 1]);
        (!blank && !is_risky_when_encoded(&octets[at..], self.boundaries)).then_some(next)
    }

    /// The line from `at` to `end`.
    fn line<F: Fn(u8) -> bool>(
        &mut self,
        octets: &[u8],
        at: usize,
        end: usize,
        marks: &mut Marks<'_, F>,
    ) -> Result<(), S::Error> {
        // White space that ends the line is not literal.
        let blank = end > at && is_wsp(octets[end - 1]);
        let body = end - usize::from(blank);
        let mut at = at;
        loop {
            if self.width == 0 && at < end && is_risky_when_encoded(&octets[at..end], self.boundaries) {
                self.escape(&octets[at..at + 1]);
                at += 1;
            }
            at = self.escapes(octets, at, body, end)?;
            if at >= body {
                break;
            }
            let room = LINE - 1 - self.width;
            let wanted = marks.next(at, body.min(at + room + 1)) - at;
            // The last column is for a soft break, unless the line ends here.
            let literals = if at + wanted == end { wanted } else { wanted.min(room) };
            self.literals(&octets[at..], literals);
            at += literals;
            if wanted > literals {
                self.soft_break()?;
            }
        }
        // Unless the first octet was all there was, and went out escaped.
        if at < end {
            if !self.fits(3, true) {
                self.soft_break()?;
            }
            self.escape(&octets[at..end]);
        }
        self.end()
    }

    /// Writes octets as escapes, soft breaks between them: no octet that is escaped begins a line in a risky way.
    /// A literal octet between two escapes, which mostly is a space between words, goes with them. Gives where
    /// the next literal stands, or `body`.
    #[inline(always)]
    fn escapes(&mut self, octets: &[u8], at: usize, body: usize, end: usize) -> Result<usize, S::Error> {
        let mut at = at;
        while at < body {
            if is_literal(octets[at]) {
                let alone = at + 1 < body && !is_literal(octets[at + 1]);
                if !alone || self.width == 0 || !self.fits(1, false) {
                    break;
                }
                self.line[self.width] = octets[at];
                self.width += 1;
                at += 1;
            }
            let unit = unit(&octets[at..body]);
            if !self.fits(3 * unit, at + unit == end) {
                self.soft_break()?;
            }
            self.escape(&octets[at..at + unit]);
            at += unit;
        }
        Ok(at)
    }

    /// Writes so many octets as they are; there is room for them.
    #[inline]
    fn literals(&mut self, octets: &[u8], count: usize) {
        let to = &mut self.line[self.width..];
        let mut copied = 0;
        while copied < count {
            match (octets[copied..].first_chunk::<16>(), to[copied..].first_chunk_mut::<16>()) {
                (Some(from), Some(to)) => *to = *from,
                _ => to[copied..count].copy_from_slice(&octets[copied..count]),
            }
            copied += 16;
        }
        self.width += count;
    }

    /// Whether there is room for so many columns; the last ones of a line need none for a soft break.
    #[inline(always)]
    fn fits(&self, columns: usize, ends: bool) -> bool {
        self.width + columns < LINE || ends && self.width + columns == LINE
    }

    /// Writes a unit as escapes.
    #[inline(always)]
    fn escape(&mut self, octets: &[u8]) {
        match *octets {
            [a, b] => self.escape_all([a, b]),
            [a, b, c] => self.escape_all([a, b, c]),
            _ => octets.iter().for_each(|&octet| self.escape_all([octet])),
        }
    }

    #[inline(always)]
    fn escape_all<const OCTETS: usize>(&mut self, octets: [u8; OCTETS]) {
        let escapes = octets.map(|octet| hex::escape(b'=', octet));
        self.line[self.width..self.width + 3 * OCTETS].copy_from_slice(escapes.as_flattened());
        self.width += 3 * OCTETS;
    }

    fn soft_break(&mut self) -> Result<(), S::Error> {
        self.line[self.width..self.width + 3].copy_from_slice(b"=\r\n");
        self.width += 3;
        self.end()
    }

    fn end(&mut self) -> Result<(), S::Error> {
        let width = std::mem::take(&mut self.width);
        self.sink.put(&self.line[..width])
    }
}

/// Where the first CRLF stands from `at` on, or the end.
fn line_end(octets: &[u8], at: usize) -> usize {
    let mut ends = memchr::memchr_iter(b'\n', &octets[at..]).map(|end| at + end);
    ends.find(|&end| end > 0 && octets[end - 1] == b'\r').map_or(octets.len(), |end| end - 1)
}

/// How many octets must stay together: those of a UTF-8 sequence, else one.
#[inline]
fn unit(octets: &[u8]) -> usize {
    let more = match octets[0] {
        0xC2..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF4 => 3,
        _ => return 1,
    };
    match octets.get(1..=more) {
        Some(continuation) if continuation.iter().all(|octet| octet & 0xC0 == 0x80) => 1 + more,
        _ => 1,
    }
}
