//! The demands of a message's octets on the server after this one, if they pass as they are.

use std::io::{self, Write};

/// The longest line, without its CR LF.
const LONGEST_LINE: usize = 998;

/// Examines the octets that are written to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Octets {
    is_8bit: bool,
    has_bare_line_end: bool,
    after_cr: bool,
    line: usize,
    longest: usize,
}

impl Octets {
    /// Some are beyond ASCII.
    pub fn is_8bit(&self) -> bool {
        self.is_8bit
    }

    /// Every server takes them as they are: no octets beyond ASCII, CR and LF only together, no line of more than 998 octets (RFC
    /// 5321, 4.5.3.1.6).
    pub fn are_safe(&self) -> bool {
        !self.is_8bit() && !self.has_bare_line_end() && self.longest.max(self.line) <= LONGEST_LINE
    }

    /// Whether there is a bare CR or LF: no client may send that (RFC 5321, 2.3.8), because servers differ on what it ends.
    pub fn has_bare_line_end(&self) -> bool {
        self.has_bare_line_end || self.after_cr
    }
}

impl Write for Octets {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.is_8bit |= !octets.is_ascii();
        for &octet in octets {
            self.has_bare_line_end |= self.after_cr != (octet == b'\n');
            self.after_cr = octet == b'\r';
            match octet {
                b'\n' => self.longest = self.longest.max(std::mem::take(&mut self.line)),
                b'\r' => {}
                _ => self.line += 1,
            }
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
        let mut facts = Octets::default();
        octets.chunks(1).for_each(|piece| facts.write_all(piece).expect("memory"));
        (facts.is_8bit(), facts.has_bare_line_end())
    }

    #[test]
    fn octets_beyond_ascii_and_line_ends_are_seen() {
        assert_eq!(facts(b"a\r\n\r\nb\r\n"), (false, false));
        assert_eq!(facts(b"a\xE9\r\n"), (true, false));
        let are_safe = |octets: &[u8]| {
            let mut found = Octets::default();
            found.write_all(octets).expect("memory");
            found.are_safe()
        };
        let line = |length| [vec![b'x'; length], b"\r\n".to_vec()].concat();
        assert!(are_safe(&line(998)) && !are_safe(&line(999)) && !are_safe(&[b'x'; 999]));
        assert!(!are_safe(b"a\n") && !are_safe(b"\xE9\r\n"));
        for bare in [&b"\n"[..], b"a\n", b"\r", b"a\rb", b"a\r\r\n", b"a\r\n\n", b"a\r\n\r"] {
            assert_eq!(facts(bare), (false, true), "{bare:?}");
        }
    }
}
