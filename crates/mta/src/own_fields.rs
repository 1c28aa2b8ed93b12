//! A message on its way out, without the fields that only this filter may write.

use std::io::{self, Write};

use crate::filter::Filter;

/// Passes on all that is written but the filter's own header fields. Lines end with LF: a message
/// with a bare CR does not go on.
pub struct WithoutOwn<'f, W> {
    filter: &'f Filter,
    out: W,
    place: Place,
    /// The beginning of a line of which the name is not known yet.
    pending: Vec<u8>,
    /// The number of octets that were left out.
    pub removed: u64,
}

/// The place of the next octet in the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// At the beginning of a line, or in the name of a field; the field before is left out or not.
    Name { after_own: bool },
    /// In a line of a field.
    Value { is_own: bool },
    /// After the header.
    Body,
}

impl<'f, W: Write> WithoutOwn<'f, W> {
    /// Passes on to `out`.
    pub fn new(filter: &'f Filter, out: W) -> Self {
        let place = if filter.own_fields.is_empty() {
            Place::Body
        } else {
            Place::Name { after_own: false }
        };
        Self { filter, out, place, pending: Vec::new(), removed: 0 }
    }

    /// Passes on what is left.
    pub fn finish(mut self) -> io::Result<u64> {
        self.out.write_all(&self.pending)?;
        self.out.flush()?;
        Ok(self.removed)
    }

    /// Decides about the line whose beginning is pending.
    fn decide(&mut self, is_own: bool) -> io::Result<()> {
        self.place = Place::Value { is_own };
        let pending = std::mem::take(&mut self.pending);
        self.pass(&pending, is_own)
    }

    fn pass(&mut self, octets: &[u8], is_own: bool) -> io::Result<()> {
        if is_own {
            self.removed += octets.len() as u64;
            return Ok(());
        }
        self.out.write_all(octets)
    }

    /// Takes the first of these octets; returns how many.
    fn take(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self.place {
            Place::Body => self.out.write_all(octets).map(|()| octets.len()),
            Place::Value { is_own } => {
                let end = memchr::memchr(b'\n', octets).map(|at| at + 1);
                let line = &octets[..end.unwrap_or(octets.len())];
                self.pass(line, is_own)?;
                if end.is_some() {
                    self.place = Place::Name { after_own: is_own };
                }
                Ok(line.len())
            }
            Place::Name { after_own } => {
                let octet = octets[0];
                let is_first = self.pending.is_empty();
                self.pending.push(octet);
                match octet {
                    b' ' | b'\t' if is_first => self.decide(after_own)?,
                    b':' => {
                        let is_own =
                            self.filter.is_own_field(&self.pending[..self.pending.len() - 1]);
                        self.decide(is_own)?;
                    }
                    b'\n' => {
                        let is_empty = matches!(&self.pending[..], b"\n" | b"\r\n");
                        self.decide(false)?;
                        self.place =
                            if is_empty { Place::Body } else { Place::Name { after_own: false } };
                    }
                    _ if self.pending.len() > LONGEST_NAME => self.decide(false)?,
                    _ => {}
                }
                Ok(1)
            }
        }
    }
}

/// The longest name that is compared: a line is no longer.
const LONGEST_NAME: usize = 998;

impl<W: Write> Write for WithoutOwn<'_, W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let mut rest = octets;
        while !rest.is_empty() {
            let taken = self.take(rest)?;
            rest = &rest[taken..];
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(all(test, feature = "laws"))]
mod tests {
    use super::*;
    use crate::laws::filter;

    #[test]
    fn own_fields_are_left_out_however_they_are_cut() {
        let filter =
            Filter { own_fields: vec!["X-Sevenbit".to_owned(), "X-Found".to_owned()], ..filter() };
        for (message, expected) in [
            (
                &b"x-sevenbit: a\r\n b\r\nA: b\r\nX-FOUND \t:\r\n\tc\r\n\r\nX-Sevenbit: d\r\n"[..],
                &b"A: b\r\n\r\nX-Sevenbit: d\r\n"[..],
            ),
            (
                b"X-Sevenbits: a\r\n b\r\nX-Sevenbit\r\nFrom x\r\n\r\n",
                b"X-Sevenbits: a\r\n b\r\nX-Sevenbit\r\nFrom x\r\n\r\n",
            ),
            (b" X-Sevenbit: a\r\nX-Sevenbit: a", b" X-Sevenbit: a\r\n"),
            (b"\r\nX-Sevenbit: a\r\n", b"\r\nX-Sevenbit: a\r\n"),
            (b"X-Seven", b"X-Seven"),
        ] {
            for size in 1..message.len() + 1 {
                let mut out = Vec::new();
                let mut without = WithoutOwn::new(&filter, &mut out);
                message.chunks(size).for_each(|chunk| without.write_all(chunk).expect("memory"));
                let removed = without.finish().expect("memory");
                assert_eq!(out, expected, "by {size}: {}", out.escape_ascii());
                assert_eq!(removed, (message.len() - expected.len()) as u64);
            }
        }
    }
}
