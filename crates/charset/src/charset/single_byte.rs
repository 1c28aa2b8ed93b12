//! Single-byte charsets, and those in which a letter and its diacritic are two octets.
//!
//! A table is two halves of 128 UTF-16 units. Octets are mapped in blocks and the blocks converted
//! to UTF-8 by encoding_rs's vector code; runs of ASCII are copied.

use encoding_rs::Encoding;

use super::inverse::Inverse;
use super::sink::{CharWriter, Machine, Sink, Text};
use crate::DecodeFault;

/// Half a table; U+FFFD if nothing is mapped.
type Half = [u16; 128];

/// Not mapped.
pub(super) const NOTHING: u16 = 0xFFFD;

/// Octets mapped at a time.
const BLOCK: usize = 256;

/// A single-byte charset.
pub(super) struct Table {
    /// The characters of 00-7F.
    pub(super) low: &'static Half,
    /// The characters of 80-FF.
    pub(super) high: &'static Half,
    /// Two octets that are one character, sorted.
    pub(super) pairs: &'static [(u16, char)],
}

impl Table {
    /// 00-7F as in US-ASCII.
    pub(super) const ASCII: &'static Half = &ascii();
    /// No octet of the half is mapped.
    pub(super) const NOTHING: &'static Half = &[NOTHING; 128];

    /// Returns the unit of each octet, if no octet changes the meaning of the one before it;
    /// [`NOTHING`] if there is none.
    #[cfg(feature = "bindings")]
    pub(super) fn units(&self) -> Option<[u16; 256]> {
        let unit =
            |octet: usize| if octet < 128 { self.low[octet] } else { self.high[octet - 128] };
        self.pairs.is_empty().then(|| std::array::from_fn(unit))
    }

    /// Returns whether ASCII stands for itself.
    pub(super) fn extends_ascii(&self) -> bool {
        *self.low == *Self::ASCII && self.pairs.first().is_none_or(|(pair, _)| *pair >= 0x8000)
    }

    /// Returns the character of one octet.
    pub(super) fn char(&self, octet: u8) -> Option<char> {
        char::from_u32(self.unit(octet).into()).filter(|c| *c != char::REPLACEMENT_CHARACTER)
    }

    /// Returns the character of two octets.
    pub(super) fn pair(&self, first: u8, second: u8) -> Option<char> {
        let pair = u16::from_be_bytes([first, second]);
        self.pairs.binary_search_by_key(&pair, |(known, _)| *known).ok().map(|at| self.pairs[at].1)
    }

    /// Returns whether `octet` begins pairs.
    fn leads(&self, octet: u8) -> bool {
        let first = u16::from_be_bytes([octet, 0]);
        let at = self.pairs.partition_point(|(pair, _)| *pair < first);
        self.pairs.get(at).is_some_and(|(pair, _)| pair.to_be_bytes()[0] == octet)
    }

    fn unit(&self, octet: u8) -> u16 {
        let half = if octet < 0x80 { self.low } else { self.high };
        half[usize::from(octet & 0x7F)]
    }
}

/// Decodes by a table.
pub(super) struct Reader {
    table: &'static Table,
    extends_ascii: bool,
    /// The unit of each octet.
    units: [u16; 256],
    /// The first octet of what may be a pair.
    first: Option<u8>,
}

impl Reader {
    pub(super) fn new(table: &'static Table) -> Self {
        let mut units = [0; 256];
        units[..128].copy_from_slice(table.low);
        units[128..].copy_from_slice(table.high);
        Self { table, extends_ascii: table.extends_ascii(), units, first: None }
    }

    /// Maps one block without regard to runs of ASCII.
    fn block(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        let mut units = [0; BLOCK];
        for (unit, octet) in units.iter_mut().zip(octets) {
            *unit = self.units[usize::from(*octet)];
        }
        let units = &units[..octets.len().min(BLOCK)];
        let Some(nothing) = units.iter().position(|unit| *unit == NOTHING) else {
            return sink.text.push_units(units);
        };
        sink.text.push_units(&units[..nothing]);
        sink.loses();
        sink.text.push_units(&units[nothing..]);
        for (offset, _) in units.iter().enumerate().filter(|(_, unit)| **unit == NOTHING) {
            sink.note(DecodeFault::UndecodableText, at + offset, at + offset + 1);
        }
    }

    /// Reads one octet of a charset with pairs.
    fn octet(&mut self, octet: u8, at: usize, sink: &mut Sink<'_>) {
        if let Some(first) = self.first.take() {
            if let Some(both) = self.table.pair(first, octet) {
                return sink.char(both);
            }
            sink.char_or_bad(self.table.char(first), at - 1, at);
        }
        if self.table.leads(octet) {
            self.first = Some(octet);
        } else {
            sink.char_or_bad(self.table.char(octet), at, at + 1)
        }
    }
}

impl Machine for Reader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        if !self.table.pairs.is_empty() {
            return octets
                .iter()
                .enumerate()
                .for_each(|(i, octet)| self.octet(*octet, at + i, sink));
        }
        let mut done = 0;
        while done < octets.len() {
            let rest = &octets[done..];
            let ascii = if self.extends_ascii { Encoding::ascii_valid_up_to(rest) } else { 0 };
            let (plain, rest) = rest.split_at(ascii);
            sink.text.extend(str::from_utf8(plain));
            let block = &rest[..rest.len().min(BLOCK)];
            self.block(block, at + done + ascii, sink);
            done += ascii + block.len();
        }
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        if let Some(first) = self.first.take() {
            sink.char_or_bad(self.table.char(first), at - 1, at);
        }
    }
}

/// Encodes by a table with pairs.
pub(super) struct Writer {
    table: &'static Table,
    inverse: &'static Inverse,
    /// The octet written last, if the last character was a single octet.
    last: Option<u8>,
}

impl Writer {
    pub(super) fn new(table: &'static Table, inverse: &'static Inverse) -> Self {
        Self { table, inverse, last: None }
    }
}

impl CharWriter for Writer {
    fn char(&mut self, c: char, out: &mut Vec<u8>) -> bool {
        let before = out.len();
        let (true, [first, others @ ..]) = (self.inverse.write_char(c, out), &out[before..]) else {
            return false;
        };
        if self.last.is_some_and(|last| self.table.pair(last, *first).is_some()) {
            out.truncate(before);
            return false; // it would be read as one with the character before it
        }
        self.last = others.is_empty().then_some(*first);
        true
    }
}

/// Returns half a table from its 128 characters; any missing at the end are not mapped.
pub(super) const fn half(characters: &str) -> Half {
    fill([NOTHING; 128], 0, characters)
}

/// Returns half a table that begins with 32 control characters, from `first` on, that stand for
/// themselves.
pub(super) const fn graphic(first: u16, characters: &str) -> Half {
    let mut half = [NOTHING; 128];
    let mut at = 0;
    while at < 32 {
        half[at] = first + at as u16;
        at += 1;
    }
    fill(half, 32, characters)
}

const fn ascii() -> Half {
    let mut half = [0; 128];
    let mut at = 0;
    while at < 128 {
        half[at] = at as u16;
        at += 1;
    }
    half
}

/// Writes the characters of `text`, all of the basic multilingual plane, to `half` from `at` on.
const fn fill(mut half: Half, mut at: usize, text: &str) -> Half {
    let octets = text.as_bytes();
    let mut i = 0;
    while i < octets.len() {
        let lead = octets[i] as u16;
        let (unit, len) = match lead {
            0..0x80 => (lead, 1),
            0x80..0xE0 => ((lead & 0x1F) << 6 | tail(octets[i + 1]), 2),
            _ => ((lead & 0x0F) << 12 | tail(octets[i + 1]) << 6 | tail(octets[i + 2]), 3),
        };
        half[at] = unit;
        at += 1;
        i += len;
    }
    half
}

const fn tail(octet: u8) -> u16 {
    octet as u16 & 0x3F
}
