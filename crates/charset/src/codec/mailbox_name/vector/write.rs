//! Writing names a vector at a time.

use fearless_simd::{dispatch, prelude::*};

use super::{Done, Pieces, SHIFT, Step, all, unprintable};
use crate::codec::base64::{IMAP, vector as base64};
use crate::codec::lanes::{ascending, before, choose, load};
use crate::codec::level::Level;
use crate::codec::utf16::vector as utf16;

/// Writes a name into `out`.
#[inline]
pub(in crate::codec::mailbox_name) fn write(level: Level, name: &[u8], out: &mut [u8]) -> Done {
    dispatch!(level, simd => vectors(simd, name, out)).unwrap_or(Done::Not)
}

#[inline(always)]
fn vectors<S: Simd>(simd: S, name: &[u8], out: &mut [u8]) -> Option<Done> {
    all::<S>(
        name,
        out,
        #[inline(always)]
        |at, out| one(simd, load(simd, name, at), name.len() - at, out),
    )
}

/// Writes a vector of the last `left` octets, as far as sequences end in it.
#[inline(always)]
fn one<S: Simd>(simd: S, vector: S::u8s, left: usize, out: &mut [u8]) -> Option<Step> {
    let length = left.min(S::u8s::LEN);
    let ampersands = vector.simd_eq(SHIFT).to_bitmask() & before(length);
    let shifted = unprintable::<S>(vector) & before(length);
    if shifted | ampersands == 0 {
        vector.store_slice(out);
        return Some(Step { read: length, written: length, direct: true });
    }
    let four_octets = vector.simd_ge(0xF0).to_bitmask() & before(length);
    if ampersands | four_octets != 0 {
        return None;
    }
    let begins = (vector & 0xC0).simd_ne(0x80).to_bitmask() & before(length);
    // The units of all characters, and zeros after the last one, are a vector. That character may
    // be incomplete if there is more text.
    let few = (begins.count_ones() as usize) < S::u8s::LEN / 2;
    let whole = few && left <= S::u8s::LEN;
    let within = if few { begins } else { begins & before(S::u8s::LEN / 2) };
    let mut stop = if whole { length } else { 63 - within.leading_zeros() as usize };
    let units = units(simd, vector, begins);

    let mut pieces = Pieces::new(simd);
    let (mut shifts, mut hyphens) = (0_u64, 0_u64);
    let mut rest = shifted & before(stop);
    while rest != 0 {
        let begin = rest.trailing_zeros() as usize;
        let end = begin + (!(rest >> begin)).trailing_zeros() as usize;
        rest &= !before(end);
        let first = (begins & before(begin)).count_ones() as usize;
        let count = (begins & before(end)).count_ones() as usize - first;
        // Each unit takes two symbols and two thirds.
        let length = (8 * count).div_ceil(3);
        let at = pieces.place(begin);
        if at + length + 2 > S::u8s::LEN || end == stop && !whole {
            stop = begin;
            break;
        }
        pieces.put(symbols(simd, units, first, count), at + 1, length);
        shifts |= 1 << at;
        hyphens |= 1 << (at + 1 + length);
        (pieces.read, pieces.written) = (end, at + length + 2);
    }
    pieces.octets = choose(simd, shifts, S::u8s::splat(simd, SHIFT), pieces.octets);
    pieces.octets = choose(simd, hyphens, S::u8s::splat(simd, b'-'), pieces.octets);
    pieces.placed |= shifts | hyphens;
    pieces.finish(vector, !shifted, stop, out)
}

/// Returns the units of the characters that begin at `begins`, as many as fit.
#[inline(always)]
fn units<S: Simd>(simd: S, first: S::u8s, begins: u64) -> S::u16s {
    let picked: S::mask8s = SimdMask::from_bitmask(simd, begins);
    let places = ascending::<S>(simd);
    let [second, third] = [first.swizzle_dyn(places + 1), first.swizzle_dyn(places + 2)];
    let [first, second, third] = [first, second, third].map(
        #[inline(always)]
        |octets| octets.compress(picked).widen().0,
    );
    utf16::unit::<S>(first, second, third)
}

/// Returns the symbols of `count` units from the unit `first` on.
#[inline(always)]
fn symbols<S: Simd>(simd: S, units: S::u16s, first: usize, count: usize) -> S::u8s {
    let octets: S::u8s = units.bitcast();
    let octets = choose(simd, before(2 * (first + count)), octets, S::u8s::splat(simd, 0));
    let places = S::u8s::from_slice(simd, &PLACES[..S::u8s::LEN]) + 2 * first as u8;
    base64::symbols(simd, &IMAP, octets.swizzle_dyn(places).bitcast()).bitcast()
}

/// Where the three octets of four symbols are, the last one first, from the first unit of a
/// sequence on.
static PLACES: [u8; 64] = {
    let mut places = [0; 64];
    let mut quad = 0;
    while quad < 16 {
        let mut octet = 0;
        while octet < 3 {
            // The octets of a unit are the other way round.
            places[4 * quad + 2 - octet] = (3 * quad + octet) as u8 ^ 1;
            octet += 1;
        }
        quad += 1;
    }
    places
};
