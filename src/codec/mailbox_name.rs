//! IMAP mailbox names (RFC 3501, 5.1.3; RFC 9051, A.1): the other dialect of UTF-7.
//!
//! What differs from RFC 2152: `&` shifts, `,` stands for `/` in the alphabet, every printable US-ASCII character stands
//! for itself, a shifted sequence always ends with `-`, and no sequence follows another.
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
use super::utf7::{Run, Units, copy_direct, replace};
use super::{scan, text};
use crate::issue::Tally;
use crate::{Code, Decoded, Error, Span};

/// Reads a mailbox name leniently: as much as is meant, with what is wrong among the issues. Octets that are no
/// US-ASCII are read as UTF-8.
pub fn decode(name: &[u8]) -> Decoded<'_> {
    let plain = scan::find(name, is_special);
    if plain == name.len() {
        return Decoded::new(String::from_utf8_lossy(name), Vec::new());
    }
    let mut tally = Tally::default();
    let mut reader = Reader { name, at: 0, behind_sequence: false, tally: &mut tally };
    let text = reader.read();
    Decoded::new(Cow::Owned(text), tally.into_issues())
}

/// Reads a mailbox name strictly.
///
/// # Errors
/// What is ill-formed, and where: `shift-without-base64`, `shift-not-closed`, `superfluous-shift`, `leftover-bits`,
/// `unpaired-surrogate` at the `&`; `not-ascii` at the octet.
pub fn decode_strict(name: &[u8]) -> Result<Cow<'_, str>, Error> {
    decode(name).into_lossless()
}

/// Writes a mailbox name.
pub fn encode(name: &str) -> Cow<'_, str> {
    let octets = name.as_bytes();
    if scan::find(octets, is_special) == octets.len() {
        return Cow::Borrowed(name);
    }
    let room = octets.len() * Units::GROWTH + Units::SLACK;
    if octets.len() <= SHORT {
        return Cow::Owned(encode_into(octets, &mut [0; SHORT * Units::GROWTH + Units::SLACK][..room]));
    }
    Cow::Owned(encode_into(octets, &mut vec![0; room]))
}

fn encode_into(name: &[u8], out: &mut [u8]) -> String {
    let (mut at, mut written) = (0, 0);
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
                let mut units = Units::new(&IMAP);
                out[written] = b'&';
                let read;
                (read, written) =
                    units.write(&name[at..], |octet| matches!(octet, b' '..=b'~'), out, written + 1);
                written = units.close(out, written);
                out[written] = b'-';
                (at, written) = (at + read, written + 1);
            }
        }
    }
    text::from_utf8(out[..written].to_vec())
}

/// All but what stands for itself: printable US-ASCII without `&`.
#[inline]
fn is_special(octet: u8) -> bool {
    (octet.wrapping_sub(b' ') >= 0x5F) | (octet == b'&')
}

struct Reader<'a> {
    name: &'a [u8],
    at: usize,
    /// Whether a shifted sequence has just ended here.
    behind_sequence: bool,
    tally: &'a mut Tally,
}

/// Names of up to so many octets need no memory but that of their text.
const SHORT: usize = 64;

impl Reader<'_> {
    fn read(&mut self) -> String {
        let room = self.name.len() * Run::GROWTH + Run::SLACK;
        if self.name.len() <= SHORT {
            self.read_into(&mut [0; SHORT * Run::GROWTH + Run::SLACK][..room])
        } else {
            self.read_into(&mut vec![0; room])
        }
    }

    fn read_into(&mut self, out: &mut [u8]) -> String {
        let mut written = 0;
        while self.at < self.name.len() {
            let rest = &self.name[self.at..];
            let plain = copy_direct(rest, out, written, is_special);
            (self.at, written) = (self.at + plain, written + plain);
            self.behind_sequence &= plain == 0;
            written = match rest.get(plain) {
                None => written,
                Some(b'&') => self.shifted(out, written),
                Some(_) => self.not_ascii(out, written),
            };
        }
        let mut text = String::with_capacity(written);
        text::push_utf8(&out[..written], &mut text);
        text
    }

    /// At a `&`.
    fn shifted(&mut self, out: &mut [u8], written: usize) -> usize {
        let start = self.at;
        let mut run = Run::default();
        let (symbols, mut written) = run.read(&IMAP, &self.name[start + 1..], out, written);
        let closed = self.name.get(start + 1 + symbols) == Some(&b'-');
        self.at = start + 1 + symbols + usize::from(closed);
        let span = Span::new(start, self.at);
        if run.is_empty() {
            self.behind_sequence = false;
            if closed {
                out[written] = b'&';
                return written + 1;
            }
            self.tally.note(Code::ShiftWithoutBase64, span);
            return replace(out, written);
        }
        let leftover;
        (leftover, written) = run.finish(out, written);
        let superfluous = run.printable || self.behind_sequence;
        let faults = [
            (!closed, Code::ShiftNotClosed),
            (superfluous, Code::SuperfluousShift),
            (run.unpaired > 0, Code::UnpairedSurrogate),
            (leftover != Leftover::Nothing, Code::LeftoverBits),
        ];
        faults.iter().filter(|(found, _)| *found).for_each(|&(_, code)| self.tally.note(code, span));
        self.behind_sequence = true;
        written
    }

    /// At an octet that may not stand in a name: UTF-8 if it is that, a control character as it is.
    fn not_ascii(&mut self, out: &mut [u8], mut written: usize) -> usize {
        let rest = &self.name[self.at..];
        let end = rest.iter().position(|&octet| !is_special(octet) || octet == b'&').unwrap_or(rest.len());
        self.tally.note(Code::NotAscii, Span::new(self.at, self.at + end));
        self.at += end;
        for chunk in rest[..end].utf8_chunks() {
            let valid = chunk.valid().as_bytes();
            out[written..written + valid.len()].copy_from_slice(valid);
            written += valid.len();
            if !chunk.invalid().is_empty() {
                written = replace(out, written);
            }
        }
        self.behind_sequence = false;
        written
    }
}
