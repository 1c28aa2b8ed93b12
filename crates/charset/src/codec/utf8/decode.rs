//! Reading UTF-8, chunk by chunk.

use super::sequence::{Fault, Sequence, sequence};
use crate::codec::malformed::Malformed;
use crate::report::Tally;
use crate::{Charset, Code, DecodeFault, Span};

/// Which octets encode a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Utf8,
    /// Besides UTF-8, surrogate pairs of three octets each, and NUL as C0 80: CESU-8 and Modified
    /// UTF-8.
    Cesu8,
}

/// Reads UTF-8 in chunks that begin and end anywhere; holds no more than an unfinished sequence.
///
/// Under [`Malformed::Strict`] it continues as under [`Malformed::Replace`]: the caller stops.
#[derive(Clone, Debug)]
pub struct Decoder {
    dialect: Dialect,
    malformed: Malformed,
    held: Held,
    /// Where the held octets, or otherwise the next chunk, begin.
    at: usize,
}

/// The longest sequence is six octets; one of them is missing in an unfinished one.
#[derive(Clone, Debug, Default)]
struct Held {
    octets: [u8; 12],
    length: usize,
}

/// Octets read one by one after a fault: more are likely to follow, and each costs a call of the
/// validator.
const CLOSELY: usize = 64;

impl Decoder {
    /// Returns a decoder that reads what is ill-formed as `malformed` says.
    pub fn new(malformed: Malformed) -> Self {
        Self { dialect: Dialect::Utf8, malformed, held: Held::default(), at: 0 }
    }

    /// Returns a decoder for CESU-8 and Modified UTF-8.
    pub fn cesu8() -> Self {
        Self { dialect: Dialect::Cesu8, ..Self::new(Malformed::Replace) }
    }

    /// Appends the text of `chunk`; `last` says that there is no more. Spans count from the first
    /// chunk.
    pub fn decode(&mut self, chunk: &[u8], last: bool, out: &mut String, tally: &mut Tally) {
        let mut chunk = chunk;
        while self.held.length > 0 && (last || !chunk.is_empty()) {
            chunk = self.with_held(chunk, last, out, tally);
        }
        let mut read = 0;
        while read < chunk.len() {
            let valid = valid_prefix(&chunk[read..]);
            out.push_str(valid);
            self.at += valid.len();
            read += valid.len();
            let closely = chunk.len().min(read + CLOSELY);
            while read < closely {
                match self.one(&chunk[read..], last, out, tally) {
                    0 => return self.held.take(&chunk[read..]),
                    octets => read += octets,
                }
            }
        }
    }

    /// Reads one sequence that began in the chunk before; returns the rest of the chunk.
    fn with_held<'a>(
        &mut self,
        chunk: &'a [u8],
        last: bool,
        out: &mut String,
        tally: &mut Tally,
    ) -> &'a [u8] {
        let before = self.held.length;
        let taken = chunk.len().min(self.held.octets.len() - before);
        let mut held = std::mem::take(&mut self.held);
        held.take(&chunk[..taken]);
        let octets =
            self.one(&held.octets[..held.length], last && taken == chunk.len(), out, tally);
        if octets >= before && octets > 0 {
            return &chunk[octets - before..];
        }
        // Either more is needed, or some of what was held is still to be read.
        let rest =
            if octets == 0 { &held.octets[..held.length] } else { &held.octets[octets..before] };
        self.held.take(rest);
        if octets == 0 { &chunk[taken..] } else { chunk }
    }

    /// Reads one sequence; returns its octets, or 0 if it may go on after `rest`.
    fn one(&mut self, rest: &[u8], last: bool, out: &mut String, tally: &mut Tally) -> usize {
        let octets = match sequence(rest, last) {
            Sequence::Open => 0,
            Sequence::Character(octets) => {
                out.push_str(std::str::from_utf8(&rest[..octets]).unwrap_or("\u{FFFD}"));
                octets
            }
            Sequence::Fault(fault) => {
                self.fault(fault, &rest[..fault.octets], out, tally);
                fault.octets
            }
        };
        self.at += octets;
        octets
    }

    fn fault(&self, fault: Fault, octets: &[u8], out: &mut String, tally: &mut Tally) {
        let span = Span::new(self.at, self.at + fault.octets);
        if let Some(character) = let_pass(fault)
            && self.dialect == Dialect::Cesu8
        {
            return out.push(character);
        }
        match self.malformed {
            Malformed::Latin1 => {
                tally.note_value(Code::CharsetGuessed, span, None, || Charset::ISO_8859_1);
                out.extend(octets.iter().map(|&octet| char::from(octet)));
            }
            Malformed::Windows1252 => {
                tally.note_value(Code::CharsetGuessed, span, None, || Charset::WINDOWS_1252);
                out.extend(octets.iter().map(|&octet| windows_1252(octet)));
            }
            Malformed::Strict | Malformed::Replace => {
                tally.note_value(fault.kind, span, fault.value, || fault.detail());
                out.extend(std::iter::repeat_n('\u{FFFD}', fault.replacements()));
            }
        }
    }
}

impl Held {
    /// Also holds `octets`, as many as there is room for; no sequence is longer than that.
    fn take(&mut self, octets: &[u8]) {
        let length = octets.len().min(self.octets.len() - self.length);
        self.octets[self.length..self.length + length].copy_from_slice(&octets[..length]);
        self.length += length;
    }
}

/// Returns the character that CESU-8 or Modified UTF-8 means.
fn let_pass(fault: Fault) -> Option<char> {
    match (fault.kind, fault.octets, fault.value) {
        (DecodeFault::Utf8Surrogate, 6, Some(value)) => char::from_u32(value),
        (DecodeFault::Utf8Overlong, 2, Some(0)) => Some('\0'),
        _ => None,
    }
}

/// Returns the longest well-formed prefix.
fn valid_prefix(octets: &[u8]) -> &str {
    let valid = match simdutf8::compat::from_utf8(octets) {
        Ok(text) => return text,
        Err(error) => &octets[..error.valid_up_to()],
    };
    simdutf8::basic::from_utf8(valid).unwrap_or_default()
}

/// Returns the character of an octet above 7F; the five that windows-1252 does not assign are C1
/// controls, as on the web.
fn windows_1252(octet: u8) -> char {
    const C1: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž',
        '\u{8F}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}',
        'ž', 'Ÿ',
    ];
    match octet {
        0x80..0xA0 => C1[usize::from(octet - 0x80)],
        _ => octet.into(),
    }
}
