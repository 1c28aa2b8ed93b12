//! Reading names a vector at a time.

use fearless_simd::{dispatch, prelude::*};

use super::{Done, PRINTABLE, Pieces, SHIFT, Step, all};
use crate::codec::base64::{IMAP, Leftover, vector as base64};
use crate::codec::lanes::{before, load};
use crate::codec::level::Level;
use crate::codec::utf16::vector as utf16;

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

/// Reads a vector of `text`, as far as sequences end in it. `after_sequence` is 1 if one has just ended.
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
    if !PRINTABLE.mask(simd, vector) & within != 0 {
        return None;
    }
    if shifts == 0 {
        vector.store_slice(out);
        *after_sequence = 0;
        return Some(Step { read: length, written: length, direct: true });
    }
    let symbols = IMAP.members.mask(simd, vector) & within;
    let hyphens = vector.simd_eq(b'-').to_bitmask() & within;
    let values = base64::values(simd, vector);

    let mut pieces = Pieces::new(simd);
    // The octets of sequences, and the last ones of those that are not empty.
    let (mut silent, mut ends) = (0_u64, 0_u64);
    let (mut stop, mut rest) = (length, shifts);
    while rest != 0 {
        let shift = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let count = (!symbols >> shift >> 1).trailing_zeros() as usize;
        let end = shift + 1 + count;
        let mut at = pieces.place(shift);
        if end >= length || at >= S::u8s::LEN {
            stop = shift;
            break;
        }
        if hyphens >> end & 1 == 0 {
            return None;
        }
        if count == 0 {
            // The shift stands for itself.
            silent |= 1 << end;
            (pieces.read, pieces.written) = (end + 1, at + 1);
            continue;
        }
        let last = IMAP.value(text[end - 1])?;
        if Leftover::judge(count, 16, last.into()) != Leftover::Nothing {
            return None;
        }
        for first in (0..count).step_by(groups::<S>()) {
            let units = (count - first).min(groups::<S>()) * 6 / 16;
            let (piece, octets) = characters(simd, values, shift + 1 + first, units)?;
            if at + octets > S::u8s::LEN {
                return None;
            }
            pieces.put(piece, at, octets);
            at += octets;
        }
        silent |= before(count + 2) << shift;
        ends |= 1 << end;
        (pieces.read, pieces.written) = (end + 1, at);
    }
    if (ends << 1 | *after_sequence) & shifts != 0 {
        return None;
    }
    let step = pieces.finish(vector, !silent, stop, out)?;
    *after_sequence = ends >> (step.read - 1) & 1;
    Some(step)
}

/// The number of symbols that are read in one go: groups of eight, each of which is three units.
#[inline(always)]
const fn groups<S: Simd>() -> usize {
    S::u8s::LEN / 12 * 8
}

/// Returns the UTF-8 of the units whose symbols begin at `first`, and its length. `None` if one of them is a
/// surrogate, or US-ASCII: all but its rare control characters would be a fault.
#[inline(always)]
fn characters<S: Simd>(simd: S, values: S::u8s, first: usize, units: usize) -> Option<(S::u8s, usize)> {
    let places = S::u8s::from_slice(simd, &PLACES[..S::u8s::LEN]) + first as u8;
    let after = S::u32s::from_slice(simd, &AFTER[..S::u32s::LEN]);
    let characters = (base64::join::<S>(values.swizzle_dyn(places)) >> after) & 0xFFFF;
    let surrogate = (characters & 0xF800).simd_eq(0xD800);
    if (surrogate | characters.simd_lt(0x80)).to_bitmask() & before(units) != 0 {
        return None;
    }
    let words: S::u8s = utf16::longer_words::<S>(characters).bitcast();
    let used = words.simd_ne(0) & SimdMask::from_bitmask(simd, before(4 * units));
    Some((words.compress(used), used.to_bitmask().count_ones() as usize))
}

/// Where the four symbols are, from the first of a sequence on, that a unit begins in, for each unit.
static PLACES: [u8; 64] = {
    let mut places = [0; 64];
    let mut at = 0;
    while at < places.len() {
        places[at] = (at / 4 * 16 / 6 + at % 4) as u8;
        at += 1;
    }
    places
};

/// How many of the 24 bits of those four symbols come after the unit.
static AFTER: [u32; 16] = {
    let mut after = [0; 16];
    let mut unit = 0;
    while unit < after.len() {
        after[unit] = 8 - (16 * unit % 6) as u32;
        unit += 1;
    }
    after
};
