//! Writing quoted-printable (rule B4).
//!
//! One encoder for three ends: memory, a stream, and the exact length without writing anything.
//!
//! Beyond RFC 2045, 6.7:
//! 1. A UTF-8 sequence is not split over a soft break, so that who reads line by line sees whole characters.
//! 2. No encoded line, also behind a soft break, begins as [`is_risky_start`](super::is_risky_start) tells.

use std::io::{self, Write};

use super::start::is_risky_when_encoded;
use super::{LINE, is_literal};
use crate::ascii::is_wsp;
use crate::codec::hex;
use crate::codec::scan;
use crate::codec::sink::{Counter, Sink, Stream};

/// Appends text whose line ends are CRLF; they become hard line breaks.
pub(crate) fn encode_text(octets: &[u8], boundaries: &[&[u8]], out: &mut Vec<u8>) {
    out.reserve(octets.len() + octets.len() / 8);
    let Ok(()) = Encoder::new(boundaries, out).text(octets);
}

/// Appends octets of any kind: CR and LF are data.
pub(crate) fn encode_binary(octets: &[u8], boundaries: &[&[u8]], out: &mut Vec<u8>) {
    out.reserve(octets.len() + octets.len() / 8);
    let Ok(()) = Encoder::new(boundaries, out).line(octets, octets);
}

/// As [`encode_text`], holding no more than some lines.
pub(crate) fn encode_text_to(octets: &[u8], boundaries: &[&[u8]], output: &mut impl Write) -> io::Result<()> {
    let mut stream = Stream::new(output);
    Encoder::new(boundaries, &mut stream).text(octets)?;
    stream.finish()
}

/// As [`encode_binary`], holding no more than some lines.
pub(crate) fn encode_binary_to(
    octets: &[u8],
    boundaries: &[&[u8]],
    output: &mut impl Write,
) -> io::Result<()> {
    let mut stream = Stream::new(output);
    Encoder::new(boundaries, &mut stream).line(octets, octets)?;
    stream.finish()
}

/// The octets that [`encode_text`] appends.
pub(crate) fn text_len(octets: &[u8], boundaries: &[&[u8]]) -> usize {
    text_fits(octets, boundaries, usize::MAX).unwrap_or(usize::MAX)
}

/// The octets that [`encode_binary`] appends.
pub(crate) fn binary_len(octets: &[u8], boundaries: &[&[u8]]) -> usize {
    binary_fits(octets, boundaries, usize::MAX).unwrap_or(usize::MAX)
}

/// The octets that [`encode_text`] appends, if they are no more than `limit`; stops counting there.
pub(crate) fn text_fits(octets: &[u8], boundaries: &[&[u8]], limit: usize) -> Option<usize> {
    let mut counter = Counter { octets: 0, limit };
    let counted = Encoder::new(boundaries, &mut counter).text(octets);
    counted.ok().map(|()| counter.octets)
}

/// The same for [`encode_binary`].
pub(crate) fn binary_fits(octets: &[u8], boundaries: &[&[u8]], limit: usize) -> Option<usize> {
    let mut counter = Counter { octets: 0, limit };
    let counted = Encoder::new(boundaries, &mut counter).line(octets, octets);
    counted.ok().map(|()| counter.octets)
}

/// One encoded line in the making, and where it goes. The `=` of a soft break takes a column too.
struct Encoder<'a, S> {
    line: [u8; LINE + 2],
    width: usize,
    boundaries: &'a [&'a [u8]],
    sink: &'a mut S,
}

impl<'a, S: Sink> Encoder<'a, S> {
    fn new(boundaries: &'a [&'a [u8]], sink: &'a mut S) -> Self {
        Self { line: [0; LINE + 2], width: 0, boundaries, sink }
    }

    /// Text, line by line. Lines that need nothing go out together.
    fn text(&mut self, octets: &[u8]) -> Result<(), S::Error> {
        let (mut at, mut plain) = (0, 0);
        while at < octets.len() {
            let rest = &octets[at..];
            if let Some(line) = self.plain_line(rest) {
                at += line;
                continue;
            }
            self.sink.put(&octets[plain..at])?;
            let end = line_end(rest);
            self.line(&rest[..end.unwrap_or(rest.len())], rest)?;
            at = end.map_or(octets.len(), |end| at + end);
            plain = at;
            at += if end.is_some() { 2 } else { 0 };
        }
        self.sink.put(&octets[plain..])
    }

    /// The length, with its line end, of a first line that is written as it is.
    #[inline]
    fn plain_line(&self, rest: &[u8]) -> Option<usize> {
        let width = scan::find_within(rest, LINE + 1, |octet| !is_literal(octet));
        let ends = width <= LINE && (rest[width..].starts_with(b"\r\n") || width == rest.len());
        let blank = rest[..width].last().is_some_and(|&octet| is_wsp(octet));
        let plain = ends && !blank && !is_risky_when_encoded(rest, self.boundaries);
        plain.then_some(rest.len().min(width + 2))
    }

    /// One line of text, or all octets of no text. `around` begins like it and may go on: vectors may look there.
    fn line(&mut self, line: &[u8], around: &[u8]) -> Result<(), S::Error> {
        // White space that ends the line is not literal.
        let (body, last) = match line {
            [body @ .., last] if is_wsp(*last) => (body, Some(*last)),
            _ => (line, None),
        };
        let mut at = 0;
        loop {
            if self.width == 0 && at < line.len() && is_risky_when_encoded(&line[at..], self.boundaries) {
                let unit = &line[at..at + 1];
                self.escape(unit);
                at += 1;
            }
            if at < body.len() {
                at += self.literals(&around[at..], body.len() - at, last.is_none());
            }
            if at >= body.len() {
                break;
            }
            let unit = unit(&body[at..]);
            let ends = at + unit == line.len();
            if is_literal(body[at]) || !self.fits(3 * unit, ends) {
                self.soft_break()?;
            } else {
                self.escape(&body[at..at + unit]);
                at += unit;
            }
        }
        // Unless the first octet was all there was, and went out escaped.
        if let Some(last) = last
            && at < line.len()
        {
            if !self.fits(3, true) {
                self.soft_break()?;
            }
            self.escape(&[last]);
        }
        self.end()
    }

    /// Takes the literal octets ahead, among the `body` next ones, as far as there is room; gives how many.
    #[inline]
    fn literals(&mut self, rest: &[u8], body: usize, ends: bool) -> usize {
        let room = LINE - 1 - self.width;
        let mut taken = scan::find_within(rest, body.min(room + 1), |octet| !is_literal(octet));
        if taken > room && !(ends && taken == body) {
            taken = room;
        }
        self.line[self.width..self.width + taken].copy_from_slice(&rest[..taken]);
        self.width += taken;
        taken
    }

    /// Whether there is room for so many columns; the last ones of a line need none for a soft break.
    #[inline]
    fn fits(&self, columns: usize, ends: bool) -> bool {
        self.width + columns < LINE || ends && self.width + columns == LINE
    }

    #[inline]
    fn escape(&mut self, octets: &[u8]) {
        for &octet in octets {
            self.line[self.width..self.width + 3].copy_from_slice(&hex::escape(b'=', octet));
            self.width += 3;
        }
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

/// Where the first CRLF stands.
fn line_end(octets: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', octets).find(|&at| at > 0 && octets[at - 1] == b'\r').map(|at| at - 1)
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
