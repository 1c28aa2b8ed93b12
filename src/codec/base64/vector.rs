//! Symbols and their values, a vector at a time.
//!
//! The values of all alphabets rise with their symbols in four steps: `A`, `a`, `0`, and the last two of all, which are `+`
//! and a symbol of the alphabet's own.

use fearless_simd::{prelude::*, u8x16};

use super::Alphabet;

/// What is added to symbols for their value, by their high half. For the last two it is right for `+`, and may be too much
/// for what stands for 63.
const TO_VALUE: [u8; 16] = {
    let mut added = [0; 16];
    added[2] = 62_u8.wrapping_sub(b'+');
    added[3] = 52_u8.wrapping_sub(b'0');
    (added[4], added[5]) = (0_u8.wrapping_sub(b'A'), 0_u8.wrapping_sub(b'A'));
    (added[6], added[7]) = (26_u8.wrapping_sub(b'a'), 26_u8.wrapping_sub(b'a'));
    added
};

/// The values of symbols, of which `+` is one; of other octets anything below 64.
#[inline(always)]
pub(in crate::codec) fn values<S: Simd>(simd: S, symbols: S::u8s) -> S::u8s {
    let added = S::u8s::block_splat(u8x16::load_array_ref(simd, &TO_VALUE));
    (symbols + added.swizzle_dyn_within_blocks(symbols >> 4)).min(63)
}

/// 24 bits for each four values.
#[inline(always)]
pub(in crate::codec) fn join<S: Simd>(values: S::u8s) -> S::u32s {
    let values: S::u16s = values.bitcast();
    let pairs: S::u32s = (values << 6 & 0x0FC0 | values >> 8).bitcast();
    pairs << 12 & 0xFF_F000 | pairs >> 16
}

/// Four symbols for the low 24 bits of each lane, the first one in its lowest octet.
#[inline(always)]
pub(in crate::codec) fn symbols<S: Simd>(simd: S, alphabet: &Alphabet, bits: S::u32s) -> S::u32s {
    let values = bits >> 18 & 0x3F | bits >> 4 & 0x3F00 | bits << 10 & 0x3F_0000 | bits << 24 & 0x3F00_0000;
    let values: S::u8s = values.bitcast();
    let step = values.simd_lt(26).select(S::u8s::splat(simd, 13), values.saturating_sub(51));
    let added = S::u8s::block_splat(u8x16::load_array_ref(simd, &alphabet.to_symbol));
    (values + added.swizzle_dyn_within_blocks(step)).bitcast()
}
