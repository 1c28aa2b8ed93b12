//! IMAP mailbox names (RFC 3501, 5.1.3; RFC 9051, A.1): the other dialect of UTF-7.
//!
//! The differences from RFC 2152: `&` shifts, `,` replaces `/` in the alphabet, every printable US-ASCII
//! character stands for itself, a shifted sequence always ends with `-`, and no sequence directly follows
//! another.
//!
//! ```
//! use sevenbit::mailbox_name;
//!
//! assert_eq!(mailbox_name::decode_strict(b"Entw&APw-rfe")?, "Entwürfe");
//! assert_eq!(mailbox_name::encode("~peter/mail/台北/日本語"), "~peter/mail/&U,BTFw-/&ZeVnLIqe-");
//! assert_eq!(mailbox_name::decode(b"&Jjo!").text(), "☺!");
//! assert_eq!(mailbox_name::decode_strict(b"&Jjo!").unwrap_err().offset(), 0);
//! # Ok::<(), sevenbit::Error>(())
//! ```

use std::borrow::Cow;

use super::base64::{IMAP, Leftover};
use super::level::{Level, picking_at_once};
use super::octet_set::members;
use super::utf7::{self, Dialect, End, Hyphen, Run, Units, copy_direct, replace};
use super::{scan, text};
use crate::ascii::is_printable;
use crate::issue::Tally;
use crate::{DecodeFault, Decoded, Error, Issue, Span};

/// Reads a mailbox name leniently, reporting what is wrong as issues. Octets outside US-ASCII are read as
/// UTF-8.
pub fn decode(name: &[u8]) -> Decoded<'_> {
    decode_with(picking_at_once(), name)
}

/// Reads a name with these vectors, or without any.
#[inline]
fn decode_with(vectors: Option<Level>, name: &[u8]) -> Decoded<'_> {
    if is_plain(vectors, name) {
        return Decoded::new(text::lossy(name), Vec::new());
    }
    let (mut short, mut long) = (Short([0; SHORT * Run::GROWTH + utf7::ROOM]), Vec::new());
    let (text, issues) = read(vectors, name, room(name, &mut short.0, &mut long));
    Decoded::new(Cow::Owned(text), issues)
}

/// Room for a short name; a vector is one cache line.
#[repr(align(64))]
struct Short<const N: usize>([u8; N]);

/// Returns room for the result; only a long name allocates.
#[inline]
fn room<'r>(name: &[u8], short: &'r mut [u8], long: &'r mut Vec<u8>) -> &'r mut [u8] {
    if name.len() <= SHORT {
        return short;
    }
    long.resize(name.len() * Run::GROWTH.max(Units::GROWTH) + utf7::ROOM, 0);
    long
}

/// Reads well-formed text by vectors, anything else one octet at a time.
#[inline]
fn read(vectors: Option<Level>, name: &[u8], out: &mut [u8]) -> (String, Vec<Issue>) {
    if let Some(level) = vectors {
        let done = utf7::read(level, &DIALECT, name, utf7::Read::default(), out);
        if done.octets == name.len() && done.open.is_none() {
            return (text::written(out, done.written), Vec::new());
        }
    }
    let mut tally = Tally::default();
    let text = Reader { name, at: 0, after_sequence: false, tally: &mut tally }.read(out);
    (text, tally.into_issues())
}

/// Reads a mailbox name strictly.
///
/// # Errors
/// The first fault, and where it is: `shift-without-base64`, `shift-not-closed`, `superfluous-shift`,
/// `leftover-bits`, `unpaired-surrogate` at the `&`; `not-ascii` at the octet.
pub fn decode_strict(name: &[u8]) -> Result<Cow<'_, str>, Error> {
    decode(name).into_strict()
}

/// Writes a mailbox name.
pub fn encode(name: &str) -> Cow<'_, str> {
    let vectors = picking_at_once();
    if is_plain(vectors, name.as_bytes()) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(encode_with(vectors, name.as_bytes()))
}

/// Returns whether a name is its own encoding.
#[inline]
fn is_plain(vectors: Option<Level>, name: &[u8]) -> bool {
    vectors
        .map_or_else(|| !scan::any(name, is_special), |level| utf7::stands_for_itself(level, &DIALECT, name))
}

/// Writes a name with these vectors, or without any.
#[inline]
fn encode_with(vectors: Option<Level>, name: &[u8]) -> String {
    let (mut short, mut long) = (Short([0; SHORT * Units::GROWTH + utf7::ROOM]), Vec::new());
    let out = room(name, &mut short.0, &mut long);
    let begun = utf7::Written::default();
    let done = vectors.map_or(begun, |level| utf7::write(level, &DIALECT, name, End::Closed, begun, out));
    let (mut at, mut written) = (done.octets, done.written);
    if done.open {
        (at, written) = shifted(name, at, out, written);
    }
    while at < name.len() {
        let plain = copy_direct(&name[at..], out, written, is_special);
        (at, written) = (at + plain, written + plain);
        match name.get(at) {
            None => {}
            Some(b'&') => {
                out[written..written + 2].copy_from_slice(b"&-");
                (at, written) = (at + 1, written + 2);
            }
            Some(_) => {
                out[written] = b'&';
                (at, written) = shifted(name, at, out, written + 1);
            }
        }
    }
    text::written(out, written)
}

/// Writes what is shifted and the `-` after it; returns where reading and writing go on.
fn shifted(name: &[u8], at: usize, out: &mut [u8], written: usize) -> (usize, usize) {
    let mut units = Units::new(&IMAP);
    let (read, written) = units.write(&name[at..], is_printable, out, written);
    let written = units.close(out, written);
    out[written] = b'-';
    (at + read, written + 1)
}

/// Printable US-ASCII, in which `&` shifts.
static DIALECT: Dialect = Dialect::new(
    b'&',
    &IMAP,
    &members(&[[b' ', b'~']]),
    &members(&[[b' ', b'%'], [b'\'', b'~']]),
    Hyphen::Always,
);

/// Returns whether an octet does not stand for itself: all but printable US-ASCII without `&`.
#[inline]
fn is_special(octet: u8) -> bool {
    !is_printable(octet) | (octet == b'&')
}

struct Reader<'a> {
    name: &'a [u8],
    at: usize,
    /// Whether a shifted sequence has just ended here.
    after_sequence: bool,
    tally: &'a mut Tally,
}

/// Names up to this length allocate nothing but their text.
const SHORT: usize = 64;

impl Reader<'_> {
    fn read(&mut self, out: &mut [u8]) -> String {
        let mut written = 0;
        while self.at < self.name.len() {
            let rest = &self.name[self.at..];
            let plain = copy_direct(rest, out, written, is_special);
            (self.at, written) = (self.at + plain, written + plain);
            self.after_sequence &= plain == 0;
            written = match rest.get(plain) {
                None => written,
                Some(b'&') => self.shifted(out, written),
                Some(_) => self.not_ascii(out, written),
            };
        }
        text::written(out, written)
    }

    /// Reads a shifted sequence at a `&`.
    fn shifted(&mut self, out: &mut [u8], written: usize) -> usize {
        let start = self.at;
        let mut run = Run::default();
        let (symbols, mut written) = run.read(&IMAP, &self.name[start + 1..], out, written);
        let closed = self.name.get(start + 1 + symbols) == Some(&b'-');
        self.at = start + 1 + symbols + usize::from(closed);
        let span = Span::new(start, self.at);
        if run.is_empty() {
            self.after_sequence = false;
            if closed {
                out[written] = b'&';
                return written + 1;
            }
            self.tally.note(DecodeFault::ShiftWithoutBase64, span);
            return replace(out, written);
        }
        let leftover;
        (leftover, written) = run.finish(out, written);
        let superfluous = run.printable || self.after_sequence;
        let faults = [
            (!closed, DecodeFault::ShiftNotClosed),
            (superfluous, DecodeFault::SuperfluousShift),
            (run.unpaired > 0, DecodeFault::UnpairedSurrogate),
            (leftover != Leftover::Nothing, DecodeFault::LeftoverBits),
        ];
        faults.iter().filter(|(found, _)| *found).for_each(|&(_, code)| self.tally.note(code, span));
        self.after_sequence = true;
        written
    }

    /// Reads octets that may not occur in a name: UTF-8 is read as such, a control character is kept.
    fn not_ascii(&mut self, out: &mut [u8], mut written: usize) -> usize {
        let rest = &self.name[self.at..];
        let end = rest.iter().position(|&octet| !is_special(octet) || octet == b'&').unwrap_or(rest.len());
        self.tally.note(DecodeFault::NotAscii, Span::new(self.at, self.at + end));
        self.at += end;
        for chunk in rest[..end].utf8_chunks() {
            let valid = chunk.valid().as_bytes();
            out[written..written + valid.len()].copy_from_slice(valid);
            written += valid.len();
            if !chunk.invalid().is_empty() {
                written = replace(out, written);
            }
        }
        self.after_sequence = false;
        written
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::codec::level;

    proptest! {
        #[test]
        fn vectors_read_what_is_read_one_by_one(
            name in "([A-Za-z0-9]{0,20}|&[A-Za-z0-9+,]{0,40}-?|&BD8EQAQ4BDIENQRC-|&(ZeV){0,9}-|&-|[ -~\0\u{e9}]){0,9}",
        ) {
            let naive = decode_with(None, name.as_bytes());
            for level in level::all_and_none() {
                prop_assert_eq!(&decode_with(level, name.as_bytes()), &naive, "{:?}", level);
            }
        }

        #[test]
        fn vectors_write_what_is_written_one_by_one(
            name in "([ -~]{0,20}|[\u{80}-\u{7FF}]{0,40}|[\u{800}-\u{FFFD}]{0,40}|[\u{10000}-\u{10FFFF}]|[a-z&\0]){0,9}",
        ) {
            let naive = encode_with(None, name.as_bytes());
            prop_assert_eq!(&*decode_with(None, naive.as_bytes()).into_text(), &name);
            for level in level::all_and_none() {
                prop_assert_eq!(&encode_with(level, name.as_bytes()), &naive, "{:?}", level);
                prop_assert_eq!(&*decode_with(level, naive.as_bytes()).into_text(), &name, "{:?}", level);
            }
        }
    }
}
