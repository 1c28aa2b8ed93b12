//! Tools for every loop over vectors: masks of lanes in use, and loads of text shorter than a
//! vector.

use fearless_simd::{prelude::*, u8x16, u64x2};

/// Returns ones for all octets before `octet`.
#[inline(always)]
pub(super) const fn before(octet: usize) -> u64 {
    if octet < 64 { (1 << octet) - 1 } else { u64::MAX }
}

/// Returns the lanes 0, 1, 2...
#[inline(always)]
pub(super) fn ascending<S: Simd>(simd: S) -> S::u8s {
    static COUNT: [u8; 64] = {
        let mut count = [0; 64];
        let mut at = 0;
        while at < count.len() {
            count[at] = at as u8;
            at += 1;
        }
        count
    };
    S::u8s::from_slice(simd, &COUNT[..S::u8s::LEN])
}

/// Returns the octets of `word` where `mask` has a one, those of `other` elsewhere.
#[inline(always)]
pub(super) fn choose<S: Simd>(simd: S, mask: u64, word: S::u8s, other: S::u8s) -> S::u8s {
    let mask: S::mask8s = SimdMask::from_bitmask(simd, mask);
    mask.select(word, other)
}

/// Appends the first `count` octets of a vector. The whole vector is stored if there is room for
/// it: a part of it would have to be loaded from the memory that the vector was stored to.
#[inline(always)]
pub(super) fn push_first<S: Simd>(vector: S::u8s, count: usize, out: &mut Vec<u8>) {
    let end = out.len() + count;
    if out.capacity() - out.len() >= vector.as_slice().len() {
        out.extend_from_slice(vector.as_slice());
        out.truncate(end);
    } else {
        out.extend_from_slice(&vector.as_slice()[..count]);
    }
}

/// Returns the octets of `text` from `at` on; if they are less than a vector, the rest of it is
/// arbitrary.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, text: &[u8], at: usize) -> S::u8s {
    match text.get(at..at + S::u8s::LEN) {
        Some(whole) => S::u8s::from_slice(simd, whole),
        None => ending(simd, text, at),
    }
}

/// Returns the octets of `text` from `at` on, less than a vector; the rest of the vector is
/// arbitrary.
///
/// Assembled in registers from whole loads: a buffer that was stored piece by piece could not be
/// loaded as a vector before all the stores had finished.
#[inline(always)]
pub(super) fn ending<S: Simd>(simd: S, text: &[u8], at: usize) -> S::u8s {
    let places = ascending::<S>(simd) + at as u8;
    if text.len() >= S::u8s::LEN {
        let last = S::u8s::from_slice(simd, &text[text.len() - S::u8s::LEN..]);
        return last.swizzle_dyn(ascending::<S>(simd) + (S::u8s::LEN - (text.len() - at)) as u8);
    }
    if text.len() < BLOCK {
        return S::u8s::block_splat(few(simd, text)).swizzle_dyn(places);
    }
    // Blocks of sixteen, none beyond the end of the text: the last ones start earlier and are
    // shifted into place below.
    let last = text.len() - BLOCK;
    let mut blocks = S::u8s::block_splat(u8x16::from_slice(simd, &text[..BLOCK]));
    let mut start = BLOCK;
    while start < S::u8s::LEN {
        let from = start.min(last);
        let block = S::u8s::block_splat(u8x16::from_slice(simd, &text[from..from + BLOCK]));
        blocks = choose(simd, u64::MAX << start, block, blocks);
        start += BLOCK;
    }
    let later = ((places | (BLOCK as u8 - 1)) + 1).saturating_sub(text.len() as u8);
    blocks.swizzle_dyn(places + later)
}

const BLOCK: usize = 16;

/// Loads less than a block of octets.
#[inline(always)]
pub(super) fn few<S: Simd>(simd: S, octets: &[u8]) -> u8x16<S> {
    let words = match (octets.first_chunk(), octets.last_chunk()) {
        // Where the two overlap they hold the same octets.
        (Some(first), Some(last)) => {
            let shift = 8 * (octets.len() as u32 - 8);
            u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << shift
        }
        _ => octets.iter().rev().fold(0, |word, &octet| word << 8 | u128::from(octet)),
    };
    u64x2::load_array(simd, [words as u64, (words >> 64) as u64]).bitcast()
}
