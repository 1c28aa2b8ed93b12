//! Writing a shifted sequence: UTF-8 to UTF-16 units to symbols.
//!
//! Three units are eight symbols, so units are kept until there are three.

use crate::codec::base64::Alphabet;

/// A shifted sequence being written.
#[derive(Clone)]
pub(in crate::codec) struct Units {
    alphabet: &'static Alphabet,
    /// Up to two units that wait for a third.
    bits: u64,
    waiting: u32,
}

impl Units {
    pub(in crate::codec) const fn new(alphabet: &'static Alphabet) -> Self {
        Self { alphabet, bits: 0, waiting: 0 }
    }

    /// Writes the characters up to the first US-ASCII one for which `direct` holds; gives the octets read.
    #[inline]
    pub(in crate::codec) fn write(
        &mut self,
        text: &[u8],
        direct: impl Fn(u8) -> bool,
        out: &mut Vec<u8>,
    ) -> usize {
        let mut at = 0;
        loop {
            if self.waiting == 0 {
                at = self.threes(text, at, out);
            }
            match text[at..] {
                [octet, ..] if octet < 0x80 => {
                    if direct(octet) {
                        return at;
                    }
                    self.push(octet.into(), out);
                    at += 1;
                }
                [first @ 0..0xE0, second, ..] => {
                    self.push(two(first, second), out);
                    at += 2;
                }
                [first @ 0..0xF0, second, third, ..] => {
                    self.push(three(first, second, third), out);
                    at += 3;
                }
                [first, second, third, fourth, ..] => {
                    let (high, low) = four(first, second, third, fourth);
                    self.push(high, out);
                    self.push(low, out);
                    at += 4;
                }
                _ => return at,
            }
        }
    }

    /// Three characters at once where they take two octets each, or three each.
    #[inline]
    fn threes(&mut self, text: &[u8], mut at: usize, out: &mut Vec<u8>) -> usize {
        let is_two = |first: u8| first & 0xE0 == 0xC0;
        let is_three = |first: u8| first & 0xF0 == 0xE0;
        loop {
            let rest = &text[at..];
            if let Some(&[a, b, c, d, e, f]) = rest.first_chunk()
                && is_two(a) & is_two(c) & is_two(e)
            {
                self.group([two(a, b), two(c, d), two(e, f)], out);
                at += 6;
            } else if let Some(&[a, b, c, d, e, f, g, h, i]) = rest.first_chunk()
                && is_three(a) & is_three(d) & is_three(g)
            {
                self.group([three(a, b, c), three(d, e, f), three(g, h, i)], out);
                at += 9;
            } else {
                return at;
            }
        }
    }

    #[inline]
    fn group(&self, units: [u16; 3], out: &mut Vec<u8>) {
        let bits = units.iter().fold(0, |bits, &unit| bits << 16 | u64::from(unit));
        out.extend_from_slice(&self.symbols(bits));
    }

    /// Eight symbols for 48 bits.
    #[inline]
    fn symbols(&self, bits: u64) -> [u8; 8] {
        let pair = |shift: u32| self.alphabet.pair((bits >> shift) as u32);
        let ([a, b], [c, d], [e, f], [g, h]) = (pair(36), pair(24), pair(12), pair(0));
        [a, b, c, d, e, f, g, h]
    }

    #[inline]
    fn push(&mut self, unit: u16, out: &mut Vec<u8>) {
        self.bits = self.bits << 16 | u64::from(unit);
        self.waiting += 1;
        if self.waiting == 3 {
            out.extend_from_slice(&self.symbols(self.bits));
            (self.bits, self.waiting) = (0, 0);
        }
    }

    /// Writes the units that wait, zero bits added to fill the last symbol.
    #[inline]
    pub(in crate::codec) fn close(&mut self, out: &mut Vec<u8>) {
        let symbols = self.symbols(self.bits << (48 - 16 * self.waiting));
        out.extend_from_slice(&symbols[..[0, 3, 6][self.waiting as usize % 3]]);
        (self.bits, self.waiting) = (0, 0);
    }
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
