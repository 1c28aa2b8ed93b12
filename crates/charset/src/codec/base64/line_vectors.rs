//! Lines of base64, a vector at a time.

use std::hint::black_box;

use fearless_simd::{prelude::*, u8x16};

use super::{MIME, vector};
use crate::codec::lanes::{choose, ending};
use crate::lengths::MAX_ENCODED_LINE;

pub(super) const LINE_SYMBOLS: usize = MAX_ENCODED_LINE;
pub(super) const LINE_OCTETS: usize = LINE_SYMBOLS / 4 * 3;
pub(super) const ENCODED_LINE: usize = LINE_SYMBOLS + 2;

/// The octets of a block of sixteen, of which twelve fill it with their symbols.
const BLOCK: usize = 16;

/// Puts the symbols of lines into lines that already have their line ends: no symbol has to be
/// moved after it is made. The last vector of a line overlaps the one before it, so that none
/// reaches beyond the line.
#[inline(always)]
pub(super) fn encode_lines<S: Simd>(
    simd: S,
    lines: &[[u8; LINE_OCTETS]],
    encoded: &mut [[u8; ENCODED_LINE]],
) {
    let (split, octets) = (Split::new(simd), lines.as_flattened());
    for (number, symbols) in encoded.iter_mut().enumerate() {
        for vector in 0..LINE_SYMBOLS.div_ceil(S::u8s::LEN) {
            let at = (vector * S::u8s::LEN).min(LINE_SYMBOLS - S::u8s::LEN);
            let pairs = if S::u8s::LEN > LINE_OCTETS {
                pairs_of_whole(simd, octets, number * LINE_OCTETS, at)
            } else {
                pairs(simd, &lines[number], at)
            };
            let values = split.values(pairs);
            symbols[at..at + S::u8s::LEN]
                .copy_from_slice(vector::of_values(simd, &MIME, values).as_slice());
        }
    }
}

/// Returns the octets whose symbols begin at the symbol `at` of their line: for every four symbols
/// the second octet, the first, the third and the second again, so that each symbol is within one
/// pair of them.
#[inline(always)]
fn pairs<S: Simd>(simd: S, line: &[u8; LINE_OCTETS], at: usize) -> S::u16s {
    let mut blocks = S::u8s::splat(simd, 0);
    for start in (0..S::u8s::LEN).step_by(BLOCK) {
        let from = ((at + start) / 4 * 3).min(LINE_OCTETS - BLOCK);
        let block = S::u8s::block_splat(u8x16::from_slice(simd, &line[from..from + BLOCK]));
        blocks = choose(simd, u64::MAX << start, block, blocks);
    }
    let is_last = at + S::u8s::LEN == LINE_SYMBOLS;
    let spread =
        if is_last { &SPREAD[SPREAD.len() - S::u8s::LEN..] } else { &SPREAD[..S::u8s::LEN] };
    blocks.swizzle_dyn_within_blocks(S::u8s::from_slice(simd, spread)).bitcast()
}

/// Returns [`pairs`] of the line that begins at `start`, by vectors that hold all octets of a line.
#[inline(always)]
fn pairs_of_whole<S: Simd>(simd: S, octets: &[u8], start: usize, at: usize) -> S::u16s {
    let line = match octets.get(start..start + S::u8s::LEN) {
        Some(line) => S::u8s::from_slice(simd, line),
        None => ending(simd, octets, start),
    };
    line.swizzle_dyn(S::u8s::from_slice(simd, &LINE_SPREAD[at..at + S::u8s::LEN])).bitcast()
}

/// Where the octets of [`pairs`] are in a whole line.
static LINE_SPREAD: [u8; LINE_SYMBOLS] = {
    let mut spread = [0; LINE_SYMBOLS];
    let mut at = 0;
    while at < spread.len() {
        spread[at] = octet_of(at);
        at += 1;
    }
    spread
};

/// Returns the octet of its pair that is at the place of a symbol.
const fn octet_of(symbol: usize) -> u8 {
    (symbol / 4 * 3) as u8 + [1, 0, 2, 1][symbol % 4]
}

/// Where the octets of [`pairs`] are in their blocks: those of the longest vector, and then the
/// last block of a line, which begins four octets earlier.
static SPREAD: [u8; 64 + BLOCK] = {
    let mut spread = [0; 64 + BLOCK];
    let mut at = 0;
    while at < spread.len() {
        spread[at] = octet_of(at % BLOCK) + if at < 64 { 0 } else { 4 };
        at += 1;
    }
    spread
};

/// The numbers that split pairs of octets into values, for the first and the second pair of four
/// symbols.
struct Split<S: Simd> {
    /// A factor that puts the first value into the highest six bits.
    to_top: S::u16s,
    /// The bits of the second value, and the factor that puts them into the high octet.
    second: S::u16s,
    to_high: S::u16s,
}

impl<S: Simd> Split<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        // Hidden from the compiler, which would replace each multiplication by two shifts and a
        // selection.
        let [to_top, second, to_high] = black_box([[1, 16], [0x3F0, 0x3F], [16, 256]])
            .map(|[first, second]: [u32; 2]| S::u32s::splat(simd, first | second << 16).bitcast());
        Self { to_top, second, to_high }
    }

    #[inline(always)]
    fn values(&self, pairs: S::u16s) -> S::u8s {
        let (first, second) = ((pairs * self.to_top) >> 10, (pairs & self.second) * self.to_high);
        (first | second).bitcast()
    }
}
