//! The demands of a message's octets on the servers after this one, if they pass as they are.

use std::io::{self, Write};

/// The longest line, without its CR LF.
const LONGEST_LINE: usize = 998;

/// What the servers after this one take, of a message as its client sent it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Octets above 7F in bodies (8BITMIME, RFC 6152).
    pub eight_bit: bool,
    /// UTF-8 in header fields and addresses (SMTPUTF8, RFC 6531): the client has asked for it, and
    /// it is offered.
    pub smtputf8: bool,
}

/// Examines the octets that are written to it.
#[derive(Clone, Debug, Default)]
pub struct Octets {
    is_8bit: bool,
    has_bare_line_end: bool,
    has_nul: bool,
    after_cr: bool,
    line: usize,
    longest: usize,
    length: u64,
    /// Whether the empty line after the header has come.
    in_body: bool,
    is_header_8bit: bool,
    is_header_not_utf8: bool,
    is_body_8bit: bool,
    utf8: Utf8,
}

impl Octets {
    /// Some are beyond ASCII.
    pub fn is_8bit(&self) -> bool {
        self.is_8bit
    }

    /// Some of the message's own header are beyond ASCII.
    pub fn is_header_8bit(&self) -> bool {
        self.is_header_8bit
    }

    /// Whether there is a bare CR or LF: no client may send that (RFC 5321, 2.3.8), because servers
    /// differ on what it ends.
    pub fn has_bare_line_end(&self) -> bool {
        self.has_bare_line_end || self.after_cr
    }

    /// How many there are.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Whether servers on this path take them as they are: CR and LF only together, no NUL, no line
    /// of more than 998 octets (RFC 5321, 4.5.3.1.6), octets beyond ASCII only where the path takes
    /// them. `in_parts` says whether headers of parts have such octets, which a look at the octets
    /// alone does not tell from bodies.
    pub fn are_carried_by(&self, path: Path, in_parts: bool) -> bool {
        let is_mail = !self.has_bare_line_end()
            && !self.has_nul
            && self.longest.max(self.line) <= LONGEST_LINE;

        let is_header_carried = !self.is_header_8bit || path.smtputf8 && !self.is_header_not_utf8;
        let are_parts_carried = !in_parts || path.smtputf8 && self.utf8.is_so();
        // Who offers SMTPUTF8 offers 8BITMIME (RFC 6531, 3.1).
        let is_body_carried = !self.is_body_8bit || path.eight_bit || path.smtputf8;

        is_mail && is_header_carried && are_parts_carried && is_body_carried
    }
}

impl Octets {
    /// Adds this many octets, none of them CR or LF, to the line.
    fn go_on_in_line(&mut self, count: usize) {
        if count > 0 {
            self.has_bare_line_end |= self.after_cr;
            self.after_cr = false;
            self.line += count;
        }
    }
}

impl Write for Octets {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let mut header_end = if self.in_body { 0 } else { octets.len() };
        self.length += octets.len() as u64;
        self.has_nul |= memchr::memchr(0, octets).is_some();
        let mut from = 0;
        for at in memchr::memchr2_iter(b'\r', b'\n', octets) {
            self.go_on_in_line(at - from);
            from = at + 1;

            let is_lf = octets[at] == b'\n';
            self.has_bare_line_end |= self.after_cr != is_lf;
            self.after_cr = !is_lf;
            if is_lf {
                if self.line == 0 && !self.in_body {
                    self.in_body = true;
                    header_end = at + 1;
                }
                self.longest = self.longest.max(std::mem::take(&mut self.line));
            }
        }
        self.go_on_in_line(octets.len() - from);

        let (header, body) = octets.split_at(header_end);
        self.is_header_8bit |= !header.is_ascii();
        self.is_body_8bit |= !body.is_ascii();
        self.is_8bit |= self.is_header_8bit || self.is_body_8bit;
        self.utf8.push(header);
        if !header.is_empty() {
            self.is_header_not_utf8 = self.utf8.is_broken || self.in_body && !self.utf8.is_so();
        }
        self.utf8.push(body);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether octets that come in pieces are UTF-8.
#[derive(Clone, Debug, Default)]
struct Utf8 {
    /// The beginning of a character.
    pending: Vec<u8>,
    is_broken: bool,
}

impl Utf8 {
    fn push(&mut self, octets: &[u8]) {
        if self.is_broken || self.pending.is_empty() && octets.is_ascii() {
            return;
        }
        let joined;
        let octets = if self.pending.is_empty() {
            octets
        } else {
            joined = [&self.pending, octets].concat();
            &joined
        };
        match std::str::from_utf8(octets) {
            Ok(_) => self.pending.clear(),
            Err(error) if error.error_len().is_none() => {
                self.pending = octets[error.valid_up_to()..].to_vec();
            }
            Err(_) => self.is_broken = true,
        }
    }

    fn is_so(&self) -> bool {
        !self.is_broken && self.pending.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEVEN_BIT: Path = Path { eight_bit: false, smtputf8: false };
    const EIGHT_BIT: Path = Path { eight_bit: true, smtputf8: false };
    const INTERNATIONAL: Path = Path { eight_bit: true, smtputf8: true };

    /// The octets as they come in pieces of one size.
    fn by(octets: &[u8], size: usize) -> Octets {
        let mut facts = Octets::default();
        octets.chunks(size).for_each(|piece| facts.write_all(piece).expect("memory"));
        facts
    }

    fn facts(octets: &[u8]) -> (bool, bool) {
        let facts = by(octets, 1);
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

    #[test]
    fn a_path_carries_what_its_servers_offer() {
        let line = |length| [vec![b'x'; length], b"\r\n".to_vec()].concat();
        let (longest, too_long, endless) = (line(998), line(999), vec![b'x'; 999]);
        // The octets, and whether they pass by a path of 7 bits, of 8, and of SMTPUTF8.
        let rows: [(&[u8], [bool; 3]); 12] = [
            (b"Subject: x\r\n\r\ntext\r\n", [true, true, true]),
            (&longest, [true, true, true]),
            (&too_long, [false, false, false]),
            (&endless, [false, false, false]),
            (b"a\n", [false, false, false]),
            (b"Subject: x\0\r\n", [false, false, false]),
            (b"Subject: x\r\n\r\nd\xE9j\xE0 vu\r\n", [false, true, true]),
            (b"Subject: caf\xC3\xA9\r\n\r\nd\xE9j\xE0 vu\r\n", [false, false, true]),
            (b"Subject: caf\xE9\r\n\r\ntext\r\n", [false, false, false]),
            (b"Subject: caf\xC3\r\n\xA9\r\n\r\n", [false, false, false]),
            (b"Subject: caf\xC3", [false, false, true]),
            (b"\r\n\xE9\r\n", [false, true, true]),
        ];
        for (octets, expected) in rows {
            for size in [1, 2, 3, 7, 4096] {
                let facts = by(octets, size);
                let found = [SEVEN_BIT, EIGHT_BIT, INTERNATIONAL]
                    .map(|path| facts.are_carried_by(path, false));
                assert_eq!(found, expected, "{} by {size}", octets.escape_ascii());
            }
        }
    }

    #[test]
    fn headers_of_parts_are_utf8_or_not_carried() {
        for (octets, expected) in [
            (&b"A: x\r\n\r\nB: caf\xC3\xA9\r\n"[..], [false, false, true]),
            (b"A: x\r\n\r\nB: \xE9\r\n", [false; 3]),
        ] {
            let facts = by(octets, 5);
            let found =
                [SEVEN_BIT, EIGHT_BIT, INTERNATIONAL].map(|path| facts.are_carried_by(path, true));
            assert_eq!(found, expected, "{}", octets.escape_ascii());
        }
    }
}
