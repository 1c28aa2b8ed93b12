//! How a message ends its lines, and how they are written (rule B10).

use std::borrow::Cow;
use std::io::{self, Write};

use memchr::{memchr, memchr2};

use crate::transfer::{LineEnds, has_bare_line_end};

/// Returns the line ends of `message`, judged by its first one. CR counts only if there is no LF at all: a
/// stray CR in the first field must not change the meaning of every line after it.
pub(crate) fn line_ends_of(message: &[u8]) -> LineEnds {
    match memchr(b'\n', message) {
        Some(0) => LineEnds::Lf,
        Some(at) if message[at - 1] == b'\r' => LineEnds::Crlf,
        Some(_) => LineEnds::Lf,
        None if memchr(b'\r', message).is_some() => LineEnds::Cr,
        None => LineEnds::Crlf,
    }
}

/// Returns the offset after the line that begins at `start`: after its LF, or the end of `octets`.
pub(crate) fn line_end(octets: &[u8], start: usize) -> usize {
    memchr(b'\n', &octets[start..]).map_or(octets.len(), |at| start + at + 1)
}

/// Returns `line` without its CR LF or LF.
pub(crate) fn without_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns whether a line is the empty one that ends a header section, which in some mail ends with CR CR LF.
pub(crate) fn is_empty_line(line: &[u8]) -> bool {
    line.iter().all(|&octet| octet == b'\r')
}

/// Returns where the content before a delimiter line at `at` ends: the line end before a delimiter belongs to
/// the delimiter (RFC 2046, 5.1.1).
pub(crate) fn before_line_end(octets: &[u8], floor: usize, at: usize) -> usize {
    let mut end = at;
    if end > floor && octets[end - 1] == b'\n' {
        end -= 1;
        if end > floor && octets[end - 1] == b'\r' {
            end -= 1;
        }
    }
    end
}

/// Writes `octets` with every line end as CR LF, whether it is CR LF, CR or LF.
pub(crate) fn write_crlf(mut octets: &[u8], out: &mut impl Write) -> io::Result<()> {
    while let Some(at) = memchr2(b'\r', b'\n', octets) {
        out.write_all(&octets[..at])?;
        out.write_all(b"\r\n")?;
        let pair = octets[at] == b'\r' && octets.get(at + 1) == Some(&b'\n');
        octets = &octets[at + 1 + usize::from(pair)..];
    }
    out.write_all(octets)
}

/// Returns `octets` with every line end as CR LF.
pub(crate) fn to_crlf(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len() + octets.len() / 32);
    write_crlf(octets, &mut out).expect("writing to memory does not fail");
    out
}

/// Returns `octets` with each LF as CR LF; a bare CR stays.
pub(crate) fn lf_as_crlf(octets: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !has_bare_line_end(&octets) {
        return octets;
    }
    let mut out = Vec::with_capacity(octets.len() + octets.len() / 32);
    let mut before = 0;
    for &octet in octets.iter() {
        if octet == b'\n' && before != b'\r' {
            out.push(b'\r');
        }
        out.push(octet);
        before = octet;
    }
    Cow::Owned(out)
}

/// Returns `octets` with every line end as CR LF, borrowed if they are already.
pub(crate) fn lines(octets: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !has_bare_line_end(&octets) { octets } else { Cow::Owned(to_crlf(&octets)) }
}

/// Where a message is written, and which line ends are written: CR LF, unless the implementation says
/// otherwise.
pub(crate) trait Lines: Write + Sized {
    /// Writes octets of the source; `bare_line_ends` says whether they may contain a bare CR or LF.
    fn copy(&mut self, octets: &[u8], bare_line_ends: bool) -> io::Result<()> {
        if bare_line_ends { write_crlf(octets, self) } else { self.write_all(octets) }
    }
}

impl Lines for Vec<u8> {}

/// Writes LF for CR LF, even if that comes in two pieces.
#[derive(Debug)]
pub(crate) struct WithLf<W> {
    out: W,
    /// A CR has come, and what follows it is not known yet.
    waits: bool,
}

impl<W: Write> WithLf<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, waits: false }
    }

    /// Ends the output.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        if self.waits {
            self.out.write_all(b"\r")?;
        }
        Ok(self.out)
    }
}

impl<W: Write> Lines for WithLf<W> {
    fn copy(&mut self, octets: &[u8], bare_line_ends: bool) -> io::Result<()> {
        // Written as it is stored: to turn each LF into CR LF and back would take longer than everything
        // else.
        if !self.waits && memchr(b'\r', octets).is_none() {
            return self.out.write_all(octets);
        }
        if bare_line_ends { write_crlf(octets, self) } else { self.write_all(octets) }
    }
}

impl<W: Write> Write for WithLf<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let mut rest = octets;
        while !rest.is_empty() {
            if self.waits && rest[0] != b'\n' {
                self.out.write_all(b"\r")?;
            }
            let at = memchr(b'\r', rest);
            self.waits = at.is_some();
            let at = at.unwrap_or(rest.len());
            self.out.write_all(&rest[..at])?;
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns `field` with a final line end.
pub(crate) fn ended(mut field: Vec<u8>) -> Vec<u8> {
    if !field.ends_with(b"\n") {
        field.extend_from_slice(b"\r\n");
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_end_decides() {
        for (message, expected) in [
            (&b"A: b\r\nc\n"[..], LineEnds::Crlf),
            (b"A: b\nc\r\n", LineEnds::Lf),
            (b"A: b\rc", LineEnds::Cr),
            (b"A: b\rc\r\nd", LineEnds::Crlf),
            (b"\n", LineEnds::Lf),
            (b"", LineEnds::Crlf),
        ] {
            assert_eq!(line_ends_of(message), expected, "{message:?}");
        }
    }

    #[test]
    fn every_line_end_is_written_as_crlf() {
        assert_eq!(to_crlf(b"a\nb\r\nc\rd\r\r\n\n"), b"a\r\nb\r\nc\r\nd\r\n\r\n\r\n");
    }

    #[test]
    fn crlf_becomes_lf_and_nothing_else() {
        for (from, to) in
            [("a\r\nb\r\n", "a\nb\n"), ("a\rb\r", "a\rb\r"), ("\r\r\n", "\r\n"), ("a\n", "a\n"), ("", "")]
        {
            for split in 0..=from.len() {
                let mut out = WithLf::new(Vec::new());
                for piece in [&from[..split], &from[split..]] {
                    out.copy(piece.as_bytes(), false).expect("memory");
                }
                assert_eq!(out.finish().expect("memory"), to.as_bytes(), "{from:?} split at {split}");
            }
        }
    }

    #[test]
    fn bare_line_ends_are_line_ends_of_what_is_stored() {
        for stored in ["a\nb\rc\r\nd", "a\nb\n", "\r\r\n\n", ""] {
            let mut out = WithLf::new(Vec::new());
            out.copy(stored.as_bytes(), true).expect("memory");
            let lines = String::from_utf8(to_crlf(stored.as_bytes())).expect("US-ASCII");
            assert_eq!(out.finish().expect("memory"), lines.replace("\r\n", "\n").as_bytes(), "{stored:?}");
        }
    }
}
