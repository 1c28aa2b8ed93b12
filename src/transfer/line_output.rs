//! Output in lines: with CR LF, or with LF as mailboxes store them.

use std::io::{self, Write};

use memchr::memchr;

use super::line_ends::write_crlf;

/// Where a message is written, and which line ends are written: CR LF, unless the implementation
/// says otherwise.
pub(crate) trait Lines: Write + Sized {
    /// Writes octets of the source; `bare_line_ends` says whether they may contain a bare CR or LF.
    fn copy(&mut self, octets: &[u8], bare_line_ends: bool) -> io::Result<()> {
        if bare_line_ends { write_crlf(octets, self) } else { self.write_all(octets) }
    }

    /// Begins or ends data, in which CR LF is not a line end.
    fn is_data(&mut self, _is: bool) -> io::Result<()> {
        Ok(())
    }
}

impl Lines for Vec<u8> {}

/// Writes LF for CR LF, even if that comes in two pieces, but not in data.
#[derive(Debug)]
pub(crate) struct WithLf<W> {
    out: W,
    /// A CR has come, and what follows it is not known yet.
    waits: bool,
    is_data: bool,
}

impl<W: Write> WithLf<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, waits: false, is_data: false }
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
        // Written as it is stored: to turn each LF into CR LF and back would take longer than
        // everything else.
        if self.is_data || !self.waits && memchr(b'\r', octets).is_none() {
            return self.out.write_all(octets);
        }
        if bare_line_ends { write_crlf(octets, self) } else { self.write_all(octets) }
    }

    fn is_data(&mut self, is: bool) -> io::Result<()> {
        self.is_data = is;
        if std::mem::take(&mut self.waits) { self.out.write_all(b"\r") } else { Ok(()) }
    }
}

impl<W: Write> Write for WithLf<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.is_data {
            return self.out.write(octets);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::to_crlf;

    #[test]
    fn crlf_becomes_lf_and_nothing_else() {
        for (from, to) in [
            ("a\r\nb\r\n", "a\nb\n"),
            ("a\rb\r", "a\rb\r"),
            ("\r\r\n", "\r\n"),
            ("a\n", "a\n"),
            ("", ""),
        ] {
            for split in 0..=from.len() {
                let mut out = WithLf::new(Vec::new());
                for piece in [&from[..split], &from[split..]] {
                    out.copy(piece.as_bytes(), false).expect("memory");
                }
                assert_eq!(
                    out.finish().expect("memory"),
                    to.as_bytes(),
                    "{from:?} split at {split}"
                );
            }
        }
    }

    #[test]
    fn data_keeps_its_line_ends() {
        let mut out = WithLf::new(Vec::new());
        for (piece, is_data) in [("a\r\n", false), ("b\r\nc\r", true), ("\nd\r\n", false)] {
            out.is_data(is_data).expect("memory");
            out.copy(piece.as_bytes(), false).expect("memory");
        }
        assert_eq!(out.finish().expect("memory"), b"a\nb\r\nc\r\nd\n");
    }

    #[test]
    fn bare_line_ends_are_line_ends_of_what_is_stored() {
        for stored in ["a\nb\rc\r\nd", "a\nb\n", "\r\r\n\n", ""] {
            let mut out = WithLf::new(Vec::new());
            out.copy(stored.as_bytes(), true).expect("memory");
            let lines = String::from_utf8(to_crlf(stored.as_bytes())).expect("US-ASCII");
            assert_eq!(
                out.finish().expect("memory"),
                lines.replace("\r\n", "\n").as_bytes(),
                "{stored:?}"
            );
        }
    }
}
