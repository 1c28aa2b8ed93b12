//! Reading a shifted sequence: symbols to UTF-16 units to UTF-8.
//!
//! Eight symbols are three units, so whole groups of eight are read by two table look-ups of four
//! symbols and leave nothing over. UTF-8 goes into a slice with room to spare: stores are of fixed
//! width, and their surplus is overwritten by the next.

use crate::codec::base64::{Alphabet, Leftover};
use crate::codec::scan;

/// Symbols that are three units and leave nothing over.
const GROUP: usize = 8;

const REPLACEMENT: [u8; 3] = [0xEF, 0xBF, 0xBD];

/// A shifted sequence being read, wherever its chunks begin and end.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Bits that do not make a unit yet, the last ones read lowest.
    bits: u32,
    left: u32,
    symbols: usize,
    /// A high surrogate that waits for its low one; 0 if none.
    high: u16,
    /// Surrogates without their other half.
    pub(in crate::codec) unpaired: usize,
    /// Whether printable US-ASCII was among the characters.
    pub(in crate::codec) printable: bool,
}

/// Up to two symbols.
#[derive(Clone, Copy, Debug)]
pub(in crate::codec) enum Few {
    None,
    One([u8; 1]),
    Two([u8; 2]),
}

impl Few {
    /// Writes a shift character and these symbols as they are; returns where writing goes on.
    pub(in crate::codec) fn write_after(&self, shift: u8, out: &mut [u8], written: usize) -> usize {
        let symbols: &[u8] = match self {
            Self::None => &[],
            Self::One(symbols) => symbols,
            Self::Two(symbols) => symbols,
        };
        out[written] = shift;
        out[written + 1..written + 1 + symbols.len()].copy_from_slice(symbols);
        written + 1 + symbols.len()
    }
}

impl Run {
    /// The maximum number of octets that may be written for one octet read.
    pub(in crate::codec) const GROWTH: usize = 3;

    /// Returns whether no symbol has been read.
    pub(in crate::codec) fn is_empty(&self) -> bool {
        self.symbols == 0
    }

    /// Returns a run of which some groups of eight symbols have been read.
    pub(super) fn of_groups() -> Self {
        Self { symbols: GROUP, ..Self::default() }
    }

    /// Returns how many symbols have been read since the last whole group; `None` if none at all,
    /// or if there is more to remember about them than that.
    pub(super) fn after_group(&self) -> Option<usize> {
        (self.symbols > 0 && self.high == 0 && self.unpaired == 0).then_some(self.symbols % GROUP)
    }

    /// Reads symbols until the first octet that is not one; writes into `out` from `written` on.
    /// Returns the number of symbols, and where writing goes on.
    #[inline]
    pub(in crate::codec) fn read(
        &mut self,
        alphabet: &Alphabet,
        text: &[u8],
        out: &mut [u8],
        written: usize,
    ) -> (usize, usize) {
        let (mut at, mut written) = (0, written);
        loop {
            if self.left == 0 {
                (at, written) = self.groups(alphabet, text, at, out, written);
            }
            let Some(value) = text.get(at).and_then(|&octet| alphabet.value(octet)) else { break };
            at += 1;
            self.symbols += 1;
            self.bits = self.bits << 6 | u32::from(value);
            self.left += 6;
            if self.left >= 16 {
                self.left -= 16;
                written = self.unit((self.bits >> self.left) as u16, out, written);
            }
        }
        (at, written)
    }

    /// Reads whole groups of eight symbols, and the symbols of the last one that is not whole.
    #[inline]
    fn groups(
        &mut self,
        alphabet: &Alphabet,
        text: &[u8],
        mut at: usize,
        out: &mut [u8],
        mut written: usize,
    ) -> (usize, usize) {
        while let Some(octets) = text[at..].first_chunk::<8>() {
            let &[a, b, c, d, e, f, g, h] = octets;
            let (Some(first), Some(second)) =
                (alphabet.quad([a, b, c, d]), alphabet.quad([e, f, g, h]))
            else {
                return self.last_group(alphabet, octets, at, out, written);
            };
            written = self.three(u64::from(first) << 24 | u64::from(second), out, written);
            self.bits = second;
            self.symbols += 8;
            at += 8;
        }
        (at, written)
    }

    /// Reads up to seven symbols and an octet that is not one. How many there are cannot be
    /// predicted, so two units are always written, and any surplus is overwritten.
    #[inline]
    fn last_group(
        &mut self,
        alphabet: &Alphabet,
        octets: &[u8; 8],
        at: usize,
        out: &mut [u8],
        written: usize,
    ) -> (usize, usize) {
        let (bits, symbols) = alphabet.eight(octets);
        let units = symbols * 6 / 16;
        let (first, second) = ((bits >> 32) as u16, (bits >> 16) as u16);
        let is_surrogate = |unit: u16| unit & 0xF800 == 0xD800;
        if self.high != 0 || is_surrogate(first) || is_surrogate(second) {
            return (at, written);
        }
        let (word, length) = word(first);
        out[written..written + 4].copy_from_slice(&word);
        let written = written + if units > 0 { length } else { 0 };
        let (word, length) = self::word(second);
        out[written..written + 4].copy_from_slice(&word);
        let written = written + if units > 1 { length } else { 0 };
        let is_printable = |unit: u16| unit.wrapping_sub(0x20) < 0x5F;
        self.printable |= (units > 0) & is_printable(first) | (units > 1) & is_printable(second);
        self.symbols += symbols;
        self.bits = (bits >> (48 - 6 * symbols)) as u32;
        self.left = (symbols * 6 % 16) as u32;
        (at + symbols, written)
    }

    /// Writes three units in one go if they take the same number of octets, as in most scripts they
    /// do.
    #[inline]
    fn three(&mut self, bits: u64, out: &mut [u8], written: usize) -> usize {
        // The first unit lowest, in the order in which the octets are stored.
        let units = bits >> 32 | bits & 0xFFFF_0000 | (bits & 0xFFFF) << 32;
        let surrogate = lanes(0xF800) & units ^ lanes(0xD800);
        let room = out[written..].first_chunk_mut::<12>();
        if let Some(room) = room
            && self.high == 0
        {
            // In each lane: nothing above 7FF, and the addition carries into the highest bit from
            // 80 on.
            if units & lanes(0xF800) == 0
                && (units + lanes(0x7F80)) & lanes(0x8000) == lanes(0x8000)
            {
                let octets = lanes(0x80C0) | units >> 6 & lanes(0x1F) | (units & lanes(0x3F)) << 8;
                room[..8].copy_from_slice(&octets.to_le_bytes());
                return written + 6;
            }
            let is_three =
                |lane: u32| units >> lane & 0xF800 != 0 && surrogate >> lane & 0xFFFF != 0;
            if is_three(0) & is_three(16) & is_three(32) {
                let [a, b, c] = [0, 16, 32].map(|lane| three(units >> lane & 0xFFFF));
                room[..8].copy_from_slice(&(a | b << 24 | c << 48).to_le_bytes());
                room[8] = (c >> 16) as u8;
                return written + 9;
            }
        }
        let units = [units as u16, (units >> 16) as u16, (units >> 32) as u16];
        units.iter().fold(written, |written, &unit| self.unit(unit, out, written))
    }

    /// Reads one unit: a character, or half of one.
    fn unit(&mut self, unit: u16, out: &mut [u8], mut written: usize) -> usize {
        if self.high != 0 {
            let high = std::mem::take(&mut self.high);
            if unit & 0xFC00 == 0xDC00 {
                out[written..written + 4].copy_from_slice(&four(high, unit));
                return written + 4;
            }
            written = self.replace(out, written);
        }
        match unit {
            0xD800..0xDC00 => {
                self.high = unit;
                written
            }
            0xDC00..0xE000 => self.replace(out, written),
            _ => {
                self.printable |= (0x20..0x7F).contains(&unit);
                let (word, length) = word(unit);
                out[written..written + 4].copy_from_slice(&word);
                written + length
            }
        }
    }

    fn replace(&mut self, out: &mut [u8], written: usize) -> usize {
        self.unpaired += 1;
        replace(out, written)
    }

    /// Returns the symbols of a sequence that is too short for a unit, of which there may be none;
    /// `None` if it is longer. The shift character before them most likely stands for itself:
    /// `R&D`.
    pub(in crate::codec) fn fragment(&self, alphabet: &Alphabet) -> Option<Few> {
        let [first, second] = alphabet.pair(self.bits);
        match self.symbols {
            0 => Some(Few::None),
            1 => Some(Few::One([second])),
            2 => Some(Few::Two([first, second])),
            _ => None,
        }
    }

    /// Prepares for the next sequence.
    #[inline]
    pub(in crate::codec) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Ends the sequence; returns what is left over, and where writing goes on. U+FFFD is written
    /// for a high surrogate that is still waiting, and for wrong leftover bits.
    #[inline]
    pub(in crate::codec) fn finish(
        &mut self,
        out: &mut [u8],
        mut written: usize,
    ) -> (Leftover, usize) {
        if std::mem::take(&mut self.high) != 0 {
            written = self.replace(out, written);
        }
        let leftover = Leftover::judge(self.symbols, 16, self.bits);
        if leftover != Leftover::Nothing {
            written = replace(out, written);
        }
        (leftover, written)
    }
}

/// Returns the same sixteen bits three times.
const fn lanes(bits: u64) -> u64 {
    bits << 32 | bits << 16 | bits
}

/// Returns the UTF-8 of a unit that is not a surrogate, in a word of fixed width, and its length.
#[inline]
fn word(unit: u16) -> ([u8; 4], usize) {
    let point = u64::from(unit);
    let (more, octets) = if unit < 0x800 { (two(point), 2) } else { (three(point), 3) };
    let (word, octets) = if unit < 0x80 { (point, 1) } else { (more, octets) };
    ((word as u32).to_le_bytes(), octets)
}

/// Returns two octets of UTF-8, the first one lowest.
#[inline]
fn two(unit: u64) -> u64 {
    0x80C0 | unit >> 6 | (unit & 0x3F) << 8
}

/// Returns three octets of UTF-8, the first one lowest.
#[inline]
fn three(unit: u64) -> u64 {
    0x80_80E0 | unit >> 12 | (unit & 0xFC0) << 2 | (unit & 0x3F) << 16
}

fn four(high: u16, low: u16) -> [u8; 4] {
    let point = 0x1_0000 + (u32::from(high & 0x3FF) << 10 | u32::from(low & 0x3FF));
    let [first, second, third, fourth] =
        [point >> 18, point >> 12 & 0x3F, point >> 6 & 0x3F, point & 0x3F];
    [0xF0 | first as u8, 0x80 | second as u8, 0x80 | third as u8, 0x80 | fourth as u8]
}

/// Writes U+FFFD.
pub fn replace(out: &mut [u8], written: usize) -> usize {
    out[written..written + 3].copy_from_slice(&REPLACEMENT);
    written + 3
}

/// Copies octets up to the first for which `special` holds; returns how many.
#[inline]
pub fn copy_direct(
    text: &[u8],
    out: &mut [u8],
    written: usize,
    special: impl Fn(u8) -> bool,
) -> usize {
    let mut at = 0;
    // Between shifted sequences there is often no more than a space.
    while at < 2
        && let Some(&octet) = text.get(at)
    {
        if special(octet) {
            return at;
        }
        out[written + at] = octet;
        at += 1;
    }
    while let Some(step) = text[at..].first_chunk::<32>() {
        out[written + at..written + at + 32].copy_from_slice(step);
        let mask = scan::mask(step, &special);
        if mask != 0 {
            return at + mask.trailing_zeros() as usize;
        }
        at += 32;
    }
    while let Some(&octet) = text.get(at)
        && !special(octet)
    {
        out[written + at] = octet;
        at += 1;
    }
    at
}
