//! Reading names a vector at a time.

use fearless_simd::{dispatch, prelude::*};

use super::{Done, Pieces, SHIFT, Step, all, unprintable};
use crate::codec::base64::{IMAP, Leftover, vector as base64};
use crate::codec::lanes::{before, load};
use crate::codec::level::Level;

/// Reads a name into `out`.
#[inline]
pub(in crate::codec::mailbox_name) fn read(level: Level, name: &[u8], out: &mut [u8]) -> Done {
    dispatch!(level, simd => vectors(simd, name, out)).unwrap_or(Done::Not)
}

#[inline(always)]
fn vectors<S: Simd>(simd: S, name: &[u8], out: &mut [u8]) -> Option<Done> {
    let mut after_sequence = 0;
    all::<S>(
        name,
        out,
        #[inline(always)]
        |at, out| one(simd, load(simd, name, at), &name[at..], &mut after_sequence, out),
    )
}

/// Reads a vector of `text`, as far as sequences end in it. `after_sequence` is 1 if one has just
/// ended.
#[inline(always)]
fn one<S: Simd>(
    simd: S,
    vector: S::u8s,
    text: &[u8],
    after_sequence: &mut u64,
    out: &mut [u8],
) -> Option<Step> {
    let length = text.len().min(S::u8s::LEN);
    let within = before(length);
    let shifts = vector.simd_eq(SHIFT).to_bitmask() & within;
    if unprintable::<S>(vector) & within != 0 {
        return None;
    }
    if shifts == 0 {
        vector.store_slice(out);
        *after_sequence = 0;
        return Some(Step { read: length, written: length, direct: true });
    }
    let symbols = IMAP.members.mask(simd, vector);
    let hyphens = vector.simd_eq(b'-').to_bitmask() & within;
    let values = base64::values(simd, vector);

    let mut pieces = Pieces::new(simd);
    // The octets within sequences, and the hyphens of empty ones.
    let (mut inside, mut empty) = (0_u64, 0_u64);
    let (mut stop, mut rest) = (length, shifts);
    while rest != 0 {
        let shift = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if shift < pieces.read {
            return None;
        }
        let count = (hyphens >> shift >> 1).trailing_zeros() as usize;
        let end = shift + 1 + count;
        let mut at = pieces.place(shift);
        if end >= length || at >= S::u8s::LEN {
            stop = shift;
            break;
        }
        if count == 0 {
            // The shift stands for itself.
            empty |= 1 << end;
            (pieces.read, pieces.written) = (end + 1, at + 1);
            continue;
        }
        let last = IMAP.value(text[end - 1])?;
        if Leftover::judge(count, 16, last.into()) != Leftover::Nothing {
            return None;
        }
        let mut read = 0;
        while read < count {
            let units = (count - read).min(groups::<S>()) * 6 / 16;
            let (piece, octets) = characters(simd, values, shift + read, units);
            if at + octets > S::u8s::LEN {
                return None;
            }
            pieces.put(piece, at, octets);
            at += octets;
            read += groups::<S>();
        }
        inside |= before(count) << (shift + 1);
        (pieces.read, pieces.written) = (end + 1, at);
    }
    let ends = inside << 1 & !inside;
    if inside & !symbols != 0 || (ends << 1 | *after_sequence) & shifts != 0 {
        return None;
    }
    let silent = inside >> 1 | inside << 1 | empty;
    let step = pieces.finish(vector, !silent, stop, out)?;
    *after_sequence = ends >> (step.read - 1) & 1;
    Some(step)
}

/// The number of symbols that are read in one go: groups of eight, each of which is three units.
#[inline(always)]
const fn groups<S: Simd>() -> usize {
    S::u8s::LEN / 12 * 8
}

/// Returns the UTF-8 of the units whose symbols come after the octet at `shift`, and its length.
///
/// The octets of a character have six bits of it, as symbols do: each is the end of one symbol and
/// the beginning of the next. Surrogates, and the US-ASCII that no sequence may hold, become octets
/// that are not UTF-8.
#[inline(always)]
fn characters<S: Simd>(simd: S, values: S::u8s, shift: usize, units: usize) -> (S::u8s, usize) {
    let [left, right, ends, begins] = [&LEFT, &RIGHT, &ENDS, &BEGINS].map(
        #[inline(always)]
        |lanes| S::u32s::from_slice(simd, &lanes[..S::u32s::LEN]),
    );
    let places = S::u8s::from_slice(simd, &PLACES[..S::u8s::LEN]) + shift as u8;
    let [one, next]: [S::u32s; 2] = [places, places + 1].map(
        #[inline(always)]
        |places| values.swizzle_dyn(places).bitcast(),
    );
    let bits = (one << left) & ends | (next >> right) & begins;
    // Lanes that are not in use are zero: so only octets that are have to be found.
    let within: S::mask32s = SimdMask::from_bitmask(simd, before(units));
    let three = within.select(bits | 0x80_80E0, S::u32s::splat(simd, 0));
    let two = (bits & 0x200F).simd_eq(0) & within;
    let words: S::u8s = two.select(three & 0xFF_FF00 | 0x4000, three).bitcast();
    let used = words.simd_ne(0);
    (words.compress(used), used.to_bitmask().count_ones() as usize)
}

/// Where the symbol is, counted from the shift on, whose end is in an octet: four octets for each
/// unit, of which the last one is not used.
static PLACES: [u8; 64] = {
    let mut places = [0; 64];
    let mut at = 0;
    while at < places.len() {
        places[at] = (at / 12 * 8 + at / 4 % 3 * 3 + at % 4) as u8;
        at += 1;
    }
    places
};

/// How far the end of one symbol moves to the left, and the beginning of the next one to the right,
/// in all octets of a unit; and the bits that they then are.
static LEFT: [u32; 16] = lanes([4, 2, 0]);
static RIGHT: [u32; 16] = lanes([2, 4, 6]);
static ENDS: [u32; 16] = lanes([0x30_3000, 0x3C_3C0C, 0x3F_3F0F]);
static BEGINS: [u32; 16] = lanes([0x0F_0F0F, 0x03_0303, 0]);

/// Returns lanes for units: eight symbols are three of these, and then it begins anew.
const fn lanes(three: [u32; 3]) -> [u32; 16] {
    let mut lanes = [0; 16];
    let mut unit = 0;
    while unit < lanes.len() {
        lanes[unit] = three[unit % 3];
        unit += 1;
    }
    lanes
}
