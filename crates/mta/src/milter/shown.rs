//! A message as a milter receives it: a field at a time, then the body in chunks.

use std::mem;

use crate::decision::{Held, Incoming};
use crate::filter::Addresses;
use crate::memory::Share;

/// The field that the MTA puts on top of every message and does not pass on. It is added, because
/// the two line ends that come first decide how CR and LF alone are read in all that follows.
const TRACE: &[u8] = b"Received: by us\r\n\tfor us\r\n";

/// One message, reassembled.
#[derive(Debug)]
pub struct Shown {
    octets: Vec<u8>,
    /// The fields in order: where each begins in `octets`, how long its name is, and where the
    /// field ends.
    fields: Vec<(usize, usize, usize)>,
    /// Where the header section ends in `octets`, once it has come.
    header_end: Option<usize>,
    length: u64,
    limit: u64,
    share: Share,
    has_room: bool,
    addresses: Addresses,
    /// How many octets those take.
    of_addresses: u64,
    asks_smtputf8: bool,
}

impl Shown {
    /// A message of which at most `limit` octets are held.
    pub fn new(limit: u64, share: Share) -> Self {
        let (octets, fields, addresses) = Default::default();
        Self {
            octets,
            fields,
            header_end: None,
            length: 0,
            limit,
            share,
            has_room: true,
            addresses,
            of_addresses: 0,
            asks_smtputf8: false,
        }
    }

    /// Its sender, and whether its client has said SMTPUTF8.
    pub fn begin(&mut self, from: String, asks_smtputf8: bool) {
        self.addresses.from = from;
        self.asks_smtputf8 = asks_smtputf8;
    }

    /// One of its recipients.
    pub fn add_recipient(&mut self, to: String) {
        self.of_addresses += to.len() as u64 + 64;
        self.has_room &= self.share.grow_to(2 * self.length + self.of_addresses);
        if self.has_room {
            self.addresses.to.push(to);
        }
    }

    /// Its sender and recipients.
    pub fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// The next field; `value` has LF for the line ends inside it.
    pub fn add_field(&mut self, name: &[u8], value: &[u8], has_leading_space: bool) {
        if self.length == 0 {
            self.octets.extend_from_slice(TRACE);
        }
        let start = self.octets.len();
        self.add(name);
        self.add(if has_leading_space { b":" } else { b": " });
        let mut rest = value;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let line = &rest[..end];
            self.add(line.strip_suffix(b"\r").unwrap_or(line));
            self.add(b"\r\n");
            rest = &rest[end + 1..];
        }
        self.add(rest);
        self.add(b"\r\n");
        if self.is_whole() {
            self.fields.push((start, name.len(), self.octets.len()));
        }
    }

    /// The line between header and body.
    pub fn end_header(&mut self) {
        self.add(b"\r\n");
        if self.is_whole() {
            self.header_end = Some(self.octets.len());
        }
    }

    /// The header section, as far as it is held: of a message that is too long as well.
    pub fn header(&self) -> &[u8] {
        let begin = self.fields.first().map_or(0, |&(start, ..)| start);
        let header = self.header_end.map(|end| &self.octets[begin..end]);
        header.unwrap_or_default()
    }

    /// The next octets of the body.
    pub fn add_body(&mut self, octets: &[u8]) {
        self.add(octets);
    }

    fn add(&mut self, octets: &[u8]) {
        self.length += octets.len() as u64;
        // Planning it takes as much again.
        self.has_room &=
            self.is_too_large() || self.share.grow_to(2 * self.length + self.of_addresses);
        if !self.is_whole() {
            self.keep_header();
        } else {
            self.share.append(&mut self.octets, octets);
        }
    }

    /// Gives back what is not the header, which rules ask for; all of it if that has not come to
    /// its end.
    fn keep_header(&mut self) {
        let kept = self.header_end.unwrap_or_default();
        if self.octets.len() > kept {
            self.octets.truncate(kept);
            self.octets.shrink_to_fit();
        }
        self.share.shrink_to(if kept == 0 { 0 } else { kept as u64 + self.of_addresses });
        if kept == 0 {
            self.fields = Vec::new();
        }
    }

    /// Whether it has more octets than may be held; then only its header is.
    pub fn is_too_large(&self) -> bool {
        self.length > self.limit
    }

    /// Whether all of it is held.
    pub fn is_whole(&self) -> bool {
        self.has_room && !self.is_too_large()
    }

    /// Its length in octets, held or not.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The message, to be decided on.
    pub fn incoming(&self) -> Incoming<'_> {
        let held = if self.is_too_large() {
            Held::TooLarge
        } else if self.has_room {
            Held::Whole
        } else {
            Held::NoRoom
        };
        Incoming {
            octets: &self.octets,
            length: self.length,
            held,
            asks_smtputf8: self.asks_smtputf8,
        }
    }

    /// The fields: where each begins, its name, and where it ends.
    pub fn fields(&self) -> impl Iterator<Item = (usize, &[u8], usize)> {
        self.fields
            .iter()
            .map(|&(start, length, end)| (start, &self.octets[start..start + length], end))
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.share.give_back(mem::take(&mut self.octets));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    #[test]
    fn fields_and_body_are_put_together_as_they_were() {
        let mut shown = Shown::new(1000, Memory::default().share());
        shown.add_field(b"Subject", b"\ta\n b", true);
        shown.add_field(b"To", b"x@example.org", false);
        shown.end_header();
        shown.add_body(b"one\r\n");
        shown.add_body(b"two\r\n");
        assert_eq!(
            shown.octets,
            [TRACE, b"Subject:\ta\r\n b\r\nTo: x@example.org\r\n\r\none\r\ntwo\r\n"].concat()
        );
        assert_eq!(
            shown.fields().collect::<Vec<_>>(),
            [
                (TRACE.len(), &b"Subject"[..], TRACE.len() + 16),
                (TRACE.len() + 16, b"To", TRACE.len() + 35)
            ]
        );
    }

    #[test]
    fn cr_alone_is_not_the_first_line_end() {
        let mut shown = Shown::new(1000, Memory::default().share());
        shown.add_field(b"Subject", b" a\rb\r\n c\r", true);
        assert_eq!(shown.octets, [TRACE, b"Subject: a\rb\r\n c\r\r\n"].concat());
        assert_eq!(
            shown.fields().collect::<Vec<_>>(),
            [(TRACE.len(), &b"Subject"[..], shown.octets.len())]
        );
    }

    #[test]
    fn what_there_is_no_room_for_is_counted_and_not_held() {
        let memory = Memory::new(200 << 10);
        let mut shown = Shown::new(1 << 20, memory.share());
        shown.add_body(&[b'x'; 40 << 10]);
        assert!(shown.is_whole() && !memory.share().grow_to(80 << 10));
        shown.add_body(&[b'x'; 80 << 10]);
        shown.add_body(b"x");
        assert!(!shown.is_whole() && !shown.is_too_large() && shown.length() == (120 << 10) + 1);
        assert!(memory.share().grow_to(192 << 10), "it keeps what it does not hold");
    }

    #[test]
    fn the_header_of_one_that_is_too_large_is_held() {
        let mut shown = Shown::new(60, Memory::default().share());
        shown.add_field(b"Subject", b" a", true);
        assert_eq!(shown.header(), b"");
        shown.end_header();
        shown.add_body(&[b'x'; 100]);
        assert!(shown.is_too_large() && shown.octets.len() == TRACE.len() + 14);
        assert_eq!((shown.header(), shown.fields().count()), (&b"Subject: a\r\n\r\n"[..], 1));
    }

    #[test]
    fn too_large_messages_are_counted_and_not_held() {
        let mut shown = Shown::new(20, Memory::default().share());
        shown.add_field(b"Subject", b" a", true);
        assert!(!shown.is_too_large());
        shown.add_field(b"To", b" b@c", true);
        shown.end_header();
        assert!(shown.is_too_large() && shown.octets.is_empty() && shown.length() == 23);
        assert!(shown.header().is_empty());
    }
}
