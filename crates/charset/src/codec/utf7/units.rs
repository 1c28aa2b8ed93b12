//! Writing a shifted sequence: UTF-8 to UTF-16 units to symbols.
//!
//! Three units make eight symbols, so units are kept until there are three. Symbols go into a slice
//! with room to spare: how many characters follow one another cannot be predicted, so six are
//! always written, and the surplus is overwritten.

use crate::codec::base64::Alphabet;

/// A shifted sequence being written.
#[derive(Debug, Clone)]
pub struct Units {
    alphabet: &'static Alphabet,
    /// Up to two units that are waiting for a third.
    bits: u64,
    waiting: u32,
}

impl Units {
    /// Spare room after the output, in octets.
    pub(in crate::codec) const SLACK: usize = 32;
    /// The maximum number of octets written for one octet read: `=a` becomes `+AD0-a`.
    pub(in crate::codec) const GROWTH: usize = 3;

    pub(in crate::codec) const fn new(alphabet: &'static Alphabet) -> Self {
        Self { alphabet, bits: 0, waiting: 0 }
    }

    /// Returns whether no unit is pending.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Writes the characters up to the first US-ASCII one for which `direct` holds into `out` from
    /// `written` on; returns the octets read, and where writing goes on.
    #[inline(always)]
    pub(in crate::codec) fn write(
        &mut self,
        text: &[u8],
        direct: impl Fn(u8) -> bool,
        out: &mut [u8],
        mut written: usize,
    ) -> (usize, usize) {
        let mut at = 0;
        loop {
            if self.waiting == 0 {
                (at, written) = self.sixes(text, at, out, written);
            }
            match text[at..] {
                [octet, ..] if octet < 0x80 => {
                    if direct(octet) {
                        return (at, written);
                    }
                    written = self.push(octet.into(), out, written);
                    at += 1;
                }
                [first @ 0..0xE0, second, ..] => {
                    written = self.push(two(first, second), out, written);
                    at += 2;
                }
                [first @ 0..0xF0, second, third, ..] => {
                    written = self.push(three(first, second, third), out, written);
                    at += 3;
                }
                [first, second, third, fourth, ..] => {
                    let (high, low) = four(first, second, third, fourth);
                    written = self.push(high, out, written);
                    written = self.push(low, out, written);
                    at += 4;
                }
                _ => return (at, written),
            }
        }
    }

    /// Writes characters of two octets, or of three, as many as are adjacent: six at a time.
    #[inline(always)]
    fn sixes(
        &mut self,
        text: &[u8],
        mut at: usize,
        out: &mut [u8],
        mut written: usize,
    ) -> (usize, usize) {
        while let Some(octets) = text[at..].first_chunk::<18>() {
            let (count, length, [first, second]) = match octets[0] {
                0xC0..0xE0 => (
                    side_by_side(|n| octets[2 * n] & 0xE0 == 0xC0),
                    2,
                    bits(|n| two(octets[2 * n], octets[2 * n + 1])),
                ),
                0xE0..0xF0 => (
                    side_by_side(|n| octets[3 * n] & 0xF0 == 0xE0),
                    3,
                    bits(|n| three(octets[3 * n], octets[3 * n + 1], octets[3 * n + 2])),
                ),
                _ => break,
            };
            if count == 1 {
                break; // Mostly one letter with its accent: no need for six.
            }
            out[written..written + 8].copy_from_slice(&self.symbols(first));
            out[written + 8..written + 16].copy_from_slice(&self.symbols(second));
            (at, written) = (at + count * length, written + count / 3 * 8);
            if count < 6 {
                // Fewer than three stay pending.
                self.waiting = count as u32 % 3;
                self.bits = if count < 3 { first } else { second } >> (48 - 16 * self.waiting);
                break;
            }
        }
        (at, written)
    }

    /// Returns eight symbols for 48 bits.
    #[inline(always)]
    fn symbols(&self, bits: u64) -> [u8; 8] {
        let pair = |shift: u32| self.alphabet.pair((bits >> shift) as u32);
        let ([a, b], [c, d], [e, f], [g, h]) = (pair(36), pair(24), pair(12), pair(0));
        [a, b, c, d, e, f, g, h]
    }

    #[inline(always)]
    fn push(&mut self, unit: u16, out: &mut [u8], written: usize) -> usize {
        self.bits = self.bits << 16 | u64::from(unit);
        self.waiting += 1;
        if self.waiting < 3 {
            return written;
        }
        out[written..written + 8].copy_from_slice(&self.symbols(self.bits));
        (self.bits, self.waiting) = (0, 0);
        written + 8
    }

    /// Writes the pending units, with zero bits to fill the last symbol. Returns where writing goes
    /// on.
    #[inline(always)]
    pub(in crate::codec) fn close(&mut self, out: &mut [u8], written: usize) -> usize {
        let symbols = self.symbols(self.bits << (48 - 16 * self.waiting));
        out[written..written + 8].copy_from_slice(&symbols);
        let count = [0, 3, 6][self.waiting as usize % 3];
        (self.bits, self.waiting) = (0, 0);
        written + count
    }
}

/// Returns how many of six characters have the length of the first one.
#[inline(always)]
fn side_by_side(is_such: impl Fn(usize) -> bool) -> usize {
    let other = |n: usize| u32::from(!is_such(n)) << n;
    (other(1) | other(2) | other(3) | other(4) | other(5) | 1 << 6).trailing_zeros() as usize
}

/// Returns six units, in groups of three.
#[inline(always)]
fn bits(unit: impl Fn(usize) -> u16) -> [u64; 2] {
    let three =
        |n: usize| [n, n + 1, n + 2].iter().fold(0, |bits, &n| bits << 16 | u64::from(unit(n)));
    [three(0), three(3)]
}

#[inline]
fn two(first: u8, second: u8) -> u16 {
    u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F)
}

#[inline]
fn three(first: u8, second: u8, third: u8) -> u16 {
    u16::from(first) << 12 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F)
}

fn four(first: u8, second: u8, third: u8, fourth: u8) -> (u16, u16) {
    let bits = |octet: u8| u32::from(octet & 0x3F);
    let point = u32::from(first & 7) << 18 | bits(second) << 12 | bits(third) << 6 | bits(fourth);
    let point = point.wrapping_sub(0x1_0000);
    (0xD800 | (point >> 10 & 0x3FF) as u16, 0xDC00 | (point & 0x3FF) as u16)
}
