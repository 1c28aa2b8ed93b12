//! UTF-16 to UTF-8 and back, a vector at a time.
//!
//! To UTF-8: each unit is in a lane with room for all its octets; they are computed for every
//! possible length, the right ones are chosen, and those that are used are picked out of the vector
//! (`compress`). From UTF-8: the first octets of characters are picked out of the text, and at the
//! same positions out of the text one and two octets further on, so that the octets of a character
//! are in the same lane of three vectors. No branch depends on where characters begin.
//!
//! Surrogates and characters of four octets are left to the caller, which knows their context.

use fearless_simd::{dispatch, prelude::*};

use crate::codec::byte_order::ByteOrder;
use crate::codec::level::Level;

/// Octets of room that a vector needs, however much it writes.
pub(super) const ROOM: usize = 128;

/// Writes the UTF-8 for units into `out`, up to a vector with a surrogate, or until less than a
/// vector is left. Returns the octets read and written.
pub(super) fn to_utf8(
    level: Level,
    octets: &[u8],
    order: ByteOrder,
    out: &mut [u8],
) -> (usize, usize) {
    dispatch!(level, simd => all_to_utf8(simd, octets, order, out))
}

/// Writes the units for UTF-8 into `out`, up to a vector with a character of four octets, or until
/// less than a vector is left. Returns the octets read, which are whole characters, and those
/// written.
pub(super) fn from_utf8(
    level: Level,
    text: &[u8],
    order: ByteOrder,
    out: &mut [u8],
) -> (usize, usize) {
    dispatch!(level, simd => all_from_utf8(simd, text, order, out))
}

#[inline(always)]
fn all_to_utf8<S: Simd>(simd: S, text: &[u8], order: ByteOrder, out: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    for vector in text.chunks_exact(S::u8s::LEN) {
        let units: S::u16s = S::u8s::from_slice(simd, vector).bitcast();
        let Some(room) = out.get_mut(written..written + 2 * S::u8s::LEN) else { break };
        let Some(length) = units_to_utf8(simd, ordered::<S>(units, order), room) else { break };
        (read, written) = (read + S::u8s::LEN, written + length);
    }
    (read, written)
}

/// Turns units into the order of the machine, or out of it.
#[inline(always)]
fn ordered<S: Simd>(units: S::u16s, order: ByteOrder) -> S::u16s {
    let native = if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };
    if order == native { units } else { units << 8 | units >> 8 }
}

/// Returns the UTF-8 of a vector of units; `None` if there is a surrogate. `out` has room for two
/// vectors.
#[inline(always)]
pub(in crate::codec) fn units_to_utf8<S: Simd>(
    simd: S,
    units: S::u16s,
    out: &mut [u8],
) -> Option<usize> {
    if units.simd_lt(0x80).all_true() {
        units.relaxed_narrow(units).store_slice(&mut out[..S::u8s::LEN]);
        return Some(S::u8s::LEN / 2);
    }
    if units.simd_lt(0x800).all_true() {
        return Some(up_to_two(simd, units, out));
    }
    if (units & 0xF800).simd_eq(0xD800).any_true() {
        return None;
    }
    let (low, high) = units.widen();
    let first = up_to_three(simd, low, out);
    Some(first + up_to_three(simd, high, &mut out[first..]))
}

#[inline(always)]
fn up_to_two<S: Simd>(simd: S, units: S::u16s, out: &mut [u8]) -> usize {
    let two = units >> 6 | (units & 0x3F) << 8 | 0x80C0;
    let words = units.simd_lt(0x80).select(units, two);
    pick(simd, words.bitcast(), u64::MAX / 0x3, out)
}

#[inline(always)]
fn up_to_three<S: Simd>(simd: S, units: S::u32s, out: &mut [u8]) -> usize {
    pick(simd, words::<S>(units).bitcast(), u64::MAX / 0xF, out)
}

/// Returns the UTF-8 of characters up to U+FFFF, one a lane, followed by zeros.
#[inline(always)]
fn words<S: Simd>(units: S::u32s) -> S::u32s {
    units.simd_lt(0x80).select(units, longer_words::<S>(units))
}

/// Returns the UTF-8 of characters from U+0080 to U+FFFF, one a lane, followed by zeros.
#[inline(always)]
pub(in crate::codec) fn longer_words<S: Simd>(units: S::u32s) -> S::u32s {
    let two = units >> 6 | (units & 0x3F) << 8 | 0x80C0;
    let three = units >> 12 | units << 2 & 0x3F00 | (units & 0x3F) << 16 | 0x80_80E0;
    units.simd_lt(0x800).select(two, three)
}

/// Writes the octets that are not zero, and the first one of each lane; `firsts` has a bit for each
/// of those.
#[inline(always)]
fn pick<S: Simd>(simd: S, words: S::u8s, firsts: u64, out: &mut [u8]) -> usize {
    let used = words.simd_ne(0).to_bitmask() | firsts >> (64 - S::u8s::LEN);
    words.compress(SimdMask::from_bitmask(simd, used)).store_slice(&mut out[..S::u8s::LEN]);
    used.count_ones() as usize
}

#[inline(always)]
fn all_from_utf8<S: Simd>(
    simd: S,
    text: &[u8],
    order: ByteOrder,
    out: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(ahead) = text.get(read..read + S::u8s::LEN + 2)
        && let Some(room) = out.get_mut(written..written + 2 * S::u8s::LEN)
        && let Some(units) = utf8_to_units(simd, ahead, order, room)
    {
        (read, written) = (read + S::u8s::LEN, written + 2 * units);
    }
    // The last character may go on after its vector; it is written whole.
    let following = text[read..].iter().take_while(|octet| is_continuation(**octet)).count();
    (read + following, written)
}

fn is_continuation(octet: u8) -> bool {
    octet & 0xC0 == 0x80
}

/// Returns the units of the characters that begin in a vector of `text`, which has two octets more;
/// `None` if one of them has four octets. `out` has room for two vectors.
#[inline(always)]
fn utf8_to_units<S: Simd>(simd: S, text: &[u8], order: ByteOrder, out: &mut [u8]) -> Option<usize> {
    let first = S::u8s::from_slice(simd, &text[..S::u8s::LEN]);
    let (low, high) = out.split_at_mut(S::u8s::LEN);
    if first.simd_lt(0x80).all_true() {
        let units = first.widen();
        store::<S>(ordered::<S>(units.0, order), low);
        store::<S>(ordered::<S>(units.1, order), high);
        return Some(S::u8s::LEN);
    }
    if first.simd_ge(0xF0).any_true() {
        return None;
    }
    let begins = (first & 0xC0).simd_ne(0x80);
    let second = S::u8s::from_slice(simd, &text[1..1 + S::u8s::LEN]).compress(begins).widen();
    let third = S::u8s::from_slice(simd, &text[2..2 + S::u8s::LEN]).compress(begins).widen();
    let first = first.compress(begins).widen();
    let count = begins.to_bitmask().count_ones() as usize;
    store::<S>(ordered::<S>(unit::<S>(first.0, second.0, third.0), order), low);
    if count > S::u8s::LEN / 2 {
        store::<S>(ordered::<S>(unit::<S>(first.1, second.1, third.1), order), high);
    }
    Some(count)
}

/// Returns the unit of a character from its first octet and the two that follow, whether they are
/// its own or not.
#[inline(always)]
pub(in crate::codec) fn unit<S: Simd>(first: S::u16s, second: S::u16s, third: S::u16s) -> S::u16s {
    let two = (first & 0x1F) << 6 | second & 0x3F;
    let three = first << 12 | (second & 0x3F) << 6 | third & 0x3F;
    let more = first.simd_lt(0xE0).select(two, three);
    first.simd_lt(0x80).select(first, more)
}

#[inline(always)]
fn store<S: Simd>(units: S::u16s, out: &mut [u8]) {
    let octets: S::u8s = units.bitcast();
    octets.store_slice(out);
}
