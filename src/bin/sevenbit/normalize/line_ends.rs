//! The line ends that a message is written with.

use std::io::{self, Write};

use memchr::memchr;

use crate::args::LineEnds;
use crate::input::{Home, Item};

/// Whether `message`, found in `item`, is written with LF. What does not say otherwise: a mailbox keeps the line
/// ends that it came with, a single message has CRLF.
pub fn wants_lf(choice: Option<LineEnds>, in_place: bool, item: &Item, message: &[u8]) -> bool {
    let is_stored = in_place || matches!(item.home, Home::Mbox { .. } | Home::Maildir);
    match choice {
        Some(LineEnds::Lf) => true,
        Some(LineEnds::Crlf) => false,
        None if !is_stored => false,
        Some(LineEnds::Keep) | None => has_lf(message),
    }
}

fn has_lf(message: &[u8]) -> bool {
    memchr(b'\n', message).is_some_and(|at| at == 0 || message[at - 1] != b'\r')
}

/// Octets in memory in which LF stands for CR LF.
#[derive(Debug, Default)]
pub struct WithLf {
    octets: Vec<u8>,
    /// A CR has come of which it is not known yet what follows.
    waits: bool,
}

impl WithLf {
    /// With room for so many.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { octets: Vec::with_capacity(capacity), waits: false }
    }

    /// All of them.
    pub fn finish(mut self) -> Vec<u8> {
        if self.waits {
            self.octets.push(b'\r');
        }
        self.octets
    }
}

impl Write for WithLf {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let mut rest = octets;
        while !rest.is_empty() {
            if self.waits && rest[0] != b'\n' {
                self.octets.push(b'\r');
            }
            let at = memchr(b'\r', rest);
            self.waits = at.is_some();
            let at = at.unwrap_or(rest.len());
            self.octets.extend_from_slice(&rest[..at]);
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crlf_becomes_lf_and_nothing_else() {
        for (from, to) in
            [("a\r\nb\r\n", "a\nb\n"), ("a\rb\r", "a\rb\r"), ("\r\r\n", "\r\n"), ("a\n", "a\n"), ("", "")]
        {
            for split in 0..=from.len() {
                let mut out = WithLf::default();
                for piece in [&from[..split], &from[split..]] {
                    out.write_all(piece.as_bytes()).expect("memory");
                }
                assert_eq!(out.finish(), to.as_bytes(), "{from:?} split at {split}");
            }
        }
    }

    #[test]
    fn the_first_line_end_says_how_it_is_stored() {
        assert!(has_lf(b"a\nb\r\n") && has_lf(b"\n"));
        assert!(!has_lf(b"a\r\nb\n") && !has_lf(b"a\r") && !has_lf(b""));
    }
}
