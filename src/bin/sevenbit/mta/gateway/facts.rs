//! What the octets of a message demand of the next hop, if they pass as they are.

use std::io::{self, Write};

/// Examines the octets that are written to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    is_8bit: bool,
    has_bare_line_end: bool,
    after_cr: bool,
}

impl Facts {
    /// Some are beyond ASCII.
    pub fn is_8bit(&self) -> bool {
        self.is_8bit
    }

    /// There is a bare CR or LF: no client may send that (RFC 5321, 2.3.8), because servers differ on what it ends.
    pub fn has_bare_line_end(&self) -> bool {
        self.has_bare_line_end || self.after_cr
    }
}

impl Write for Facts {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.is_8bit |= !octets.is_ascii();
        for &octet in octets {
            self.has_bare_line_end |= self.after_cr != (octet == b'\n');
            self.after_cr = octet == b'\r';
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

    fn facts(octets: &[u8]) -> (bool, bool) {
        let mut facts = Facts::default();
        octets.chunks(1).for_each(|piece| facts.write_all(piece).expect("memory"));
        (facts.is_8bit(), facts.has_bare_line_end())
    }

    #[test]
    fn octets_beyond_ascii_and_line_ends_are_seen() {
        assert_eq!(facts(b"a\r\n\r\nb\r\n"), (false, false));
        assert_eq!(facts(b"a\xE9\r\n"), (true, false));
        for bare in [&b"\n"[..], b"a\n", b"\r", b"a\rb", b"a\r\r\n", b"a\r\n\n", b"a\r\n\r"] {
            assert_eq!(facts(bare), (false, true), "{bare:?}");
        }
    }
}
