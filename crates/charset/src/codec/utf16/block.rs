//! Sixteen units at a time to UTF-8, for processors whose vectors are not suitable
//! ([`vector`](super::vector)).
//!
//! If all units are US-ASCII they are packed. Otherwise each unit's octets are computed side by
//! side, in a word of fixed width, and each word is stored over the unused end of the one before:
//! no branch depends on the text, which in practice changes its script too often to be predicted.
//! Surrogates are left to the caller, which knows the context of the block.

use super::ByteOrder;

pub(super) const UNITS: usize = 16;

/// More than a block takes in UTF-8, including what is written after it: so that offsets need no
/// check once they are masked.
const ROOM: usize = 64 + 4;

/// Writes the UTF-8 for units into `out`, up to a block with a surrogate, or until less than a
/// block is left. Returns the octets read and written.
pub(super) fn to_utf8(octets: &[u8], order: ByteOrder, out: &mut [u8]) -> (usize, usize) {
    match order {
        ByteOrder::Big => blocks(octets, u16::from_be_bytes, out),
        ByteOrder::Little => blocks(octets, u16::from_le_bytes, out),
    }
}

#[inline(always)]
fn blocks(octets: &[u8], unit: impl Fn([u8; 2]) -> u16, out: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    for block in octets.as_chunks::<{ 2 * UNITS }>().0 {
        let mut units = [0; UNITS];
        for (to, &pair) in units.iter_mut().zip(block.as_chunks().0) {
            *to = unit(pair);
        }
        let Some(room) = out[written..].first_chunk_mut() else { break };
        let Some(length) = convert(&units, room) else { break };
        (read, written) = (read + 2 * UNITS, written + length);
    }
    (read, written)
}

/// Writes the UTF-8 for `units` at the start of `out`; returns its length, or `None` if there is a
/// surrogate.
#[inline]
fn convert(units: &[u16; UNITS], out: &mut [u8; ROOM]) -> Option<usize> {
    let all = units.iter().fold(0, |all, unit| all | unit);
    if all < 0x80 {
        for (octet, &unit) in out.iter_mut().zip(units) {
            *octet = unit as u8;
        }
        Some(UNITS)
    } else if all < 0x800 {
        Some(up_to_two(units, out))
    } else {
        let surrogate = units.iter().fold(0, |any, unit| any | u16::from(unit & 0xF800 == 0xD800));
        (surrogate == 0).then(|| up_to_three(units, out))
    }
}

#[inline]
fn up_to_two(units: &[u16; UNITS], out: &mut [u8; ROOM]) -> usize {
    let words = units.map(|unit| {
        let two = 0x80C0 | unit >> 6 | (unit & 0x3F) << 8;
        if unit < 0x80 { unit } else { two }
    });
    let lengths = units.map(|unit| 1 + u16::from(unit >= 0x80));
    let mut at = 0;
    for (word, length) in words.iter().zip(lengths) {
        lay(word.to_le_bytes(), at, out);
        at += usize::from(length);
    }
    at
}

#[inline]
fn up_to_three(units: &[u16; UNITS], out: &mut [u8; ROOM]) -> usize {
    let words = units.map(|unit| {
        let unit = u32::from(unit);
        let two = 0x80C0 | unit >> 6 | (unit & 0x3F) << 8;
        let three = 0x80_80E0 | unit >> 12 | (unit & 0xFC0) << 2 | (unit & 0x3F) << 16;
        let more = if unit < 0x800 { two } else { three };
        if unit < 0x80 { unit } else { more }
    });
    let mut at = 0;
    for (word, &unit) in words.iter().zip(units) {
        lay(word.to_le_bytes(), at, out);
        at += 1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800);
    }
    at
}

/// Stores octets at `at`, which is below 64: each unit before has taken at most three octets.
#[inline]
fn lay<const OCTETS: usize>(word: [u8; OCTETS], at: usize, out: &mut [u8; ROOM]) {
    let at = at & 63;
    out[at..at + OCTETS].copy_from_slice(&word);
}
