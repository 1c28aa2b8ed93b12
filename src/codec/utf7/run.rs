//! Reading a shifted sequence: symbols to UTF-16 units to UTF-8.
//!
//! Eight symbols are three units, so whole groups of eight are read by two table look-ups of four symbols and
//! leave nothing over. UTF-8 goes into a slice with room to spare: stores are of fixed width, and what they write
//! too much is overwritten by the next.

use crate::codec::base64::{Alphabet, Leftover};
use crate::codec::scan;

const REPLACEMENT: [u8; 3] = [0xEF, 0xBF, 0xBD];

/// A shifted sequence being read, wherever its chunks begin and end.
#[derive(Clone, Debug, Default)]
pub(in crate::codec) struct Run {
    /// Bits that make no unit yet, the last ones read lowest.
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

impl Run {
    /// Octets of room that [`Run::read`] and [`copy_direct`] want behind all that they write.
    pub(in crate::codec) const SLACK: usize = 16;
    /// Octets that may be written for one octet read, at the most.
    pub(in crate::codec) const GROWTH: usize = 3;

    /// Whether no symbol has been read.
    pub(in crate::codec) fn is_empty(&self) -> bool {
        self.symbols == 0
    }

    /// Reads symbols until the first octet that is none; writes into `out` from `written` on.
    /// Gives the number of symbols, and where writing goes on.
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

    /// Whole groups of eight symbols.
    #[inline]
    fn groups(
        &mut self,
        alphabet: &Alphabet,
        text: &[u8],
        mut at: usize,
        out: &mut [u8],
        mut written: usize,
    ) -> (usize, usize) {
        while let Some(&[a, b, c, d, e, f, g, h]) = text[at..].first_chunk()
            && let Some(first) = alphabet.quad([a, b, c, d])
            && let Some(second) = alphabet.quad([e, f, g, h])
        {
            let units = [(first >> 8) as u16, (first << 8 | second >> 16) as u16, second as u16];
            written = self.three(units, out, written);
            self.bits = second;
            self.symbols += 8;
            at += 8;
        }
        (at, written)
    }

    /// Three units at once where they take the same number of octets, as in most scripts they do.
    #[inline]
    fn three(&mut self, units: [u16; 3], out: &mut [u8], written: usize) -> usize {
        let [a, b, c] = units;
        let is_two = |unit: u16| unit.wrapping_sub(0x80) < 0x780;
        let is_three = |unit: u16| unit >= 0x800 && unit & 0xF800 != 0xD800;
        if self.high == 0 && is_two(a) & is_two(b) & is_two(c) {
            let ([a, b], [c, d], [e, f]) = (two(a), two(b), two(c));
            out[written..written + 6].copy_from_slice(&[a, b, c, d, e, f]);
            written + 6
        } else if self.high == 0 && is_three(a) & is_three(b) & is_three(c) {
            let ([a, b, c], [d, e, f], [g, h, i]) = (three(a), three(b), three(c));
            out[written..written + 9].copy_from_slice(&[a, b, c, d, e, f, g, h, i]);
            written + 9
        } else {
            units.iter().fold(written, |written, &unit| self.unit(unit, out, written))
        }
    }

    /// One unit: a character, or half of one.
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
            0..0x80 => {
                self.printable |= (0x20..0x7F).contains(&unit);
                out[written] = unit as u8;
                written + 1
            }
            0x80..0x800 => {
                out[written..written + 2].copy_from_slice(&two(unit));
                written + 2
            }
            0xD800..0xDC00 => {
                self.high = unit;
                written
            }
            0xDC00..0xE000 => self.replace(out, written),
            _ => {
                out[written..written + 3].copy_from_slice(&three(unit));
                written + 3
            }
        }
    }

    fn replace(&mut self, out: &mut [u8], written: usize) -> usize {
        self.unpaired += 1;
        replace(out, written)
    }

    /// Ends the sequence: what is left over, and where writing goes on. U+FFFD is written for a high surrogate
    /// that still waits, and for wrong leftover bits.
    #[inline]
    pub(in crate::codec) fn finish(&mut self, out: &mut [u8], mut written: usize) -> (Leftover, usize) {
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

#[inline]
fn two(unit: u16) -> [u8; 2] {
    [0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8]
}

#[inline]
fn three(unit: u16) -> [u8; 3] {
    [0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]
}

fn four(high: u16, low: u16) -> [u8; 4] {
    let point = 0x1_0000 + (u32::from(high & 0x3FF) << 10 | u32::from(low & 0x3FF));
    let [first, second, third, fourth] = [point >> 18, point >> 12 & 0x3F, point >> 6 & 0x3F, point & 0x3F];
    [0xF0 | first as u8, 0x80 | second as u8, 0x80 | third as u8, 0x80 | fourth as u8]
}

/// Writes U+FFFD.
pub(in crate::codec) fn replace(out: &mut [u8], written: usize) -> usize {
    out[written..written + 3].copy_from_slice(&REPLACEMENT);
    written + 3
}

/// Copies octets up to the first for which `special` holds: how many.
#[inline]
pub(in crate::codec) fn copy_direct(
    text: &[u8],
    out: &mut [u8],
    written: usize,
    special: impl Fn(u8) -> bool,
) -> usize {
    let mut at = 0;
    while let Some(step) = text[at..].first_chunk::<16>() {
        out[written + at..written + at + 16].copy_from_slice(step);
        let first = scan::first_of(step, &special);
        at += first;
        if first < 16 {
            return at;
        }
    }
    while let Some(&octet) = text.get(at)
        && !special(octet)
    {
        out[written + at] = octet;
        at += 1;
    }
    at
}
