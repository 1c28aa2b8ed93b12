//! IMAP mailbox names (RFC 3501, 5.1.3; RFC 9051, A.1): the other dialect of UTF-7.
//!
//! The differences from RFC 2152: `&` shifts, `,` replaces `/` in the alphabet, every printable
//! US-ASCII character stands for itself, a shifted sequence always ends with `-`, and no sequence
//! directly follows another.
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

mod vector;

use std::borrow::Cow;

use self::vector::Done;
use super::base64::{IMAP, Leftover};
use super::level::{Level, picking_at_once};
use super::utf7::{Run, Units, copy_direct, replace};
use super::{scan, text};
use crate::ascii::is_printable;
use crate::report::Tally;
use crate::{DecodeFault, Decoded, Error, Span};

/// Reads a mailbox name leniently, reporting what is wrong as issues. Octets outside US-ASCII are
/// read as UTF-8.
pub fn decode(name: &[u8]) -> Decoded<'_> {
    decode_with(picking_at_once(), name)
}

/// Reads a name with these vectors, or without any.
fn decode_with(vectors: Option<Level>, name: &[u8]) -> Decoded<'_> {
    decode_as(vectors, name, |text| Decoded::new(text, Vec::new()), |decoded| decoded)
}

/// Reads a name; if it is short and well-formed, its text is `right`.
///
/// The text goes to its place at once: a value that is moved through memory as a whole waits for
/// its parts.
#[inline(always)]
fn decode_as<'a, R>(
    vectors: Option<Level>,
    name: &'a [u8],
    right: impl Fn(Cow<'a, str>) -> R,
    any: impl Fn(Decoded<'a>) -> R,
) -> R {
    if let Some(level) = vectors
        && name.len() <= SHORT
    {
        let mut out = Aligned([0; SHORT]);
        let done = vector::read(level, name, &mut out.0);
        if done == Done::Itself {
            return right(text::lossy(name));
        }
        if let Done::Written(length) = done
            && let Some(text) = text::short(&out.0, length)
        {
            return right(Cow::Owned(text));
        }
    }
    any(decode_any(vectors, name))
}

/// Reads any name: by vectors if it is well-formed, otherwise one octet at a time.
#[inline(never)]
fn decode_any(vectors: Option<Level>, name: &[u8]) -> Decoded<'_> {
    let (mut few, mut many) = (Aligned([0; MEDIUM * GROWTH + SLACK]), Vec::new());
    if let Some(level) = vectors
        && name.len() > SHORT
    {
        let out = room(name, &mut few.0, &mut many);
        match vector::read(level, name, out) {
            Done::Itself => return Decoded::new(text::lossy(name), Vec::new()),
            Done::Written(length) => {
                if let Some(text) = text::valid(out, length) {
                    return Decoded::new(Cow::Owned(text), Vec::new());
                }
            }
            Done::Not => {}
        }
    }
    if !scan::any(name, is_special) {
        return Decoded::new(text::lossy(name), Vec::new());
    }
    let mut tally = Tally::default();
    let mut reader = Reader { name, at: 0, after_sequence: false, tally: &mut tally };
    let text = reader.read(room(name, &mut few.0, &mut many));
    Decoded::new(Cow::Owned(text), tally.into_issues())
}

/// Names up to this length are one vector, and so is what they become, mostly.
const SHORT: usize = 64;
/// Names up to this length allocate nothing but their text.
const MEDIUM: usize = 128;
/// Octets written for each octet of a name, and beyond.
const GROWTH: usize = if Run::GROWTH > Units::GROWTH { Run::GROWTH } else { Units::GROWTH };
const SLACK: usize = 64;

/// Room that begins with a cache line.
#[repr(align(64))]
struct Aligned<const N: usize>([u8; N]);

/// Returns room for the result; only a long name allocates.
#[inline]
fn room<'r>(name: &[u8], few: &'r mut [u8], many: &'r mut Vec<u8>) -> &'r mut [u8] {
    if name.len() <= MEDIUM {
        return few;
    }
    many.resize(name.len() * GROWTH + SLACK, 0);
    many
}

/// Reads a mailbox name strictly.
///
/// # Errors
/// The first fault, and where it is: `shift-without-base64`, `shift-not-closed`,
/// `superfluous-shift`, `leftover-bits`, `unpaired-surrogate` at the `&`; `not-ascii` at the octet.
pub fn decode_strict(name: &[u8]) -> Result<Cow<'_, str>, Error> {
    decode_as(picking_at_once(), name, Ok, Decoded::into_strict)
}

/// Writes a mailbox name.
pub fn encode(name: &str) -> Cow<'_, str> {
    encode_with(picking_at_once(), name)
}

/// Writes a name with these vectors, or without any.
#[inline]
fn encode_with(vectors: Option<Level>, name: &str) -> Cow<'_, str> {
    if let Some(level) = vectors
        && name.len() <= SHORT
    {
        let mut out = Aligned([0; 2 * SHORT]);
        let done = vector::write(level, name.as_bytes(), &mut out.0);
        if done == Done::Itself {
            return Cow::Borrowed(name);
        }
        if let Done::Written(length) = done {
            // Short text apart from long: one value for both would go through memory.
            return match text::short(&out.0, length) {
                Some(text) => Cow::Owned(text),
                None => Cow::Owned(text::written(&out.0, length)),
            };
        }
    }
    encode_any(vectors, name)
}

/// Writes any name: by vectors if nothing in it is rare, otherwise one character at a time.
#[inline(never)]
fn encode_any(vectors: Option<Level>, name: &str) -> Cow<'_, str> {
    let octets = name.as_bytes();
    let (mut few, mut many) = (Aligned([0; MEDIUM * GROWTH + SLACK]), Vec::new());
    if let Some(level) = vectors
        && octets.len() > SHORT
    {
        let out = room(octets, &mut few.0, &mut many);
        match vector::write(level, octets, out) {
            Done::Itself => return Cow::Borrowed(name),
            Done::Written(length) => return Cow::Owned(text::written(out, length)),
            Done::Not => {}
        }
    }
    if !scan::any(octets, is_special) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(encode_closely(octets, room(octets, &mut few.0, &mut many)))
}

/// Writes a name one character at a time.
fn encode_closely(name: &[u8], out: &mut [u8]) -> String {
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
        if run.is_empty() && closed {
            self.after_sequence = false;
            out[written] = b'&';
            return written + 1;
        }
        if let Some(symbols) = run.fragment(&IMAP)
            && !closed
        {
            self.after_sequence = false;
            let is_alone = run.is_empty();
            let fault = if is_alone {
                DecodeFault::ShiftWithoutBase64
            } else {
                DecodeFault::ShiftNotClosed
            };
            self.tally.note(fault, span);
            return symbols.write_after(b'&', out, written);
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
        faults
            .iter()
            .filter(|(found, _)| *found)
            .for_each(|&(_, code)| self.tally.note(code, span));
        self.after_sequence = true;
        written
    }

    /// Reads octets that may not occur in a name: UTF-8 is read as such, a control character is
    /// kept.
    fn not_ascii(&mut self, out: &mut [u8], mut written: usize) -> usize {
        let rest = &self.name[self.at..];
        let end = rest
            .iter()
            .position(|&octet| !is_special(octet) || octet == b'&')
            .unwrap_or(rest.len());
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
            let naive = encode_with(None, &name);
            prop_assert_eq!(&*decode_with(None, naive.as_bytes()).into_text(), &name);
            for level in level::all_and_none() {
                prop_assert_eq!(&encode_with(level, &name), &naive, "{:?}", level);
                prop_assert_eq!(&*decode_with(level, naive.as_bytes()).into_text(), &name, "{:?}", level);
            }
        }
    }

    /// Vectors end anywhere in names, and in what becomes of them.
    #[test]
    fn names_of_any_length_are_read_and_written() {
        let mixed = |first: &str, second: &str, end: &str| {
            let mut names = Vec::new();
            for (one, other) in (0..70).flat_map(|one| (0..70).map(move |other| (one, other))) {
                names.push(format!("{}{}{end}", first.repeat(one), second.repeat(other)));
            }
            names
        };
        let kinds = [
            ("a", "日", ""),
            ("日", "a", "&/é"),
            ("é", "b", "日"),
            ("xyz", "é", ""),
            ("é-", "日", "-"),
            ("a", "b", ""),
        ];
        for name in kinds.into_iter().flat_map(|(first, second, end)| mixed(first, second, end)) {
            let naive = encode_with(None, &name);
            for level in level::all() {
                let encoded = encode_with(Some(level), &name);
                assert_eq!(encoded, naive, "{level:?}");
                assert_eq!(
                    matches!(encoded, Cow::Borrowed(_)),
                    name.is_ascii() && !name.contains('&')
                );
                let decoded = decode_with(Some(level), naive.as_bytes()).into_text();
                assert_eq!(decoded, name, "{level:?}");
                assert_eq!(matches!(decoded, Cow::Borrowed(_)), naive == name);
            }
        }
    }
}
