//! Output in lines: with CR LF, or with LF as mailboxes store them.

use std::io::{self, Write};

use memchr::memchr;

use super::line_ends::write_crlf;

/// An output for a message, which decides how its line ends are written: as CR LF, unless the
/// implementation says otherwise.
pub trait LineOutput: Write + Sized {
    /// Writes octets of a message; `bare_line_ends` says whether they may contain a bare CR or LF.
    fn copy(&mut self, octets: &[u8], bare_line_ends: bool) -> io::Result<()> {
        if bare_line_ends { write_crlf(octets, self) } else { self.write_all(octets) }
    }

    /// Begins or ends data, such as a binary attachment, in which CR LF is not a line end.
    fn set_data(&mut self, _is_data: bool) -> io::Result<()> {
        Ok(())
    }
}

impl LineOutput for Vec<u8> {}

/// An output with LF for CR LF, even where a CR LF comes in two pieces, but not in data.
#[derive(Debug)]
pub struct LfOutput<W> {
    out: W,
    /// Whether the last octet was a CR, which is not written until it is known what follows it.
    has_pending_cr: bool,
    is_data: bool,
}

impl<W: Write> LfOutput<W> {
    /// Returns an output that passes everything on to `out`.
    pub fn new(out: W) -> Self {
        Self { out, has_pending_cr: false, is_data: false }
    }

    /// Ends the output: a CR at its end is written.
    pub fn finish(mut self) -> io::Result<W> {
        if self.has_pending_cr {
            self.out.write_all(b"\r")?;
        }
        Ok(self.out)
    }
}

impl<W: Write> LineOutput for LfOutput<W> {
    fn copy(&mut self, octets: &[u8], bare_line_ends: bool) -> io::Result<()> {
        // Octets whose line ends are LF are written as they are: turning each LF into CR LF and
        // back would take longer than everything else.
        if self.is_data || !self.has_pending_cr && memchr(b'\r', octets).is_none() {
            return self.out.write_all(octets);
        }
        if bare_line_ends { write_crlf(octets, self) } else { self.write_all(octets) }
    }

    fn set_data(&mut self, is_data: bool) -> io::Result<()> {
        self.is_data = is_data;

        if std::mem::take(&mut self.has_pending_cr) { self.out.write_all(b"\r") } else { Ok(()) }
    }
}

impl<W: Write> Write for LfOutput<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.is_data {
            return self.out.write(octets);
        }
        let mut rest = octets;
        while !rest.is_empty() {
            if self.has_pending_cr && rest[0] != b'\n' {
                self.out.write_all(b"\r")?;
            }

            let cr = memchr(b'\r', rest);
            self.has_pending_cr = cr.is_some();
            let end = cr.unwrap_or(rest.len());
            self.out.write_all(&rest[..end])?;
            rest = rest.get(end + 1..).unwrap_or_default();
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
                let mut out = LfOutput::new(Vec::new());
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
        let mut out = LfOutput::new(Vec::new());
        for (piece, is_data) in [("a\r\n", false), ("b\r\nc\r", true), ("\nd\r\n", false)] {
            out.set_data(is_data).expect("memory");
            out.copy(piece.as_bytes(), false).expect("memory");
        }
        assert_eq!(out.finish().expect("memory"), b"a\nb\r\nc\r\nd\n");
    }

    #[test]
    fn bare_line_ends_are_line_ends_of_what_is_stored() {
        for stored in ["a\nb\rc\r\nd", "a\nb\n", "\r\r\n\n", ""] {
            let mut out = LfOutput::new(Vec::new());
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
