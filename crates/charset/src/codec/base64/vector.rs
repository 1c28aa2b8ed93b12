//! Symbols and their values, a vector at a time.
//!
//! In every alphabet the values rise with the symbols in four ranges: from `A`, from `a`, from `0`,
//! and the last two, `+` and one symbol of the alphabet's own.

use fearless_simd::{prelude::*, u8x16};

use super::Alphabet;

/// The number to add to a symbol for its value, by the symbol's high nibble. For the last two it is
/// right for `+`, and may be too much for the symbol of 63.
const TO_VALUE: [u8; 16] = {
    let mut added = [0; 16];
    added[2] = 62_u8.wrapping_sub(b'+');
    added[3] = 52_u8.wrapping_sub(b'0');
    (added[4], added[5]) = (0_u8.wrapping_sub(b'A'), 0_u8.wrapping_sub(b'A'));
    (added[6], added[7]) = (26_u8.wrapping_sub(b'a'), 26_u8.wrapping_sub(b'a'));
    added
};

/// Returns the values of symbols, including `+`; for other octets any value below 64.
#[inline(always)]
pub(in crate::codec) fn values<S: Simd>(simd: S, symbols: S::u8s) -> S::u8s {
    let added = S::u8s::block_splat(u8x16::load_array_ref(simd, &TO_VALUE));
    (symbols + added.swizzle_dyn_within_blocks(symbols >> 4)).min(63)
}

/// Joins every four values into 24 bits.
#[inline(always)]
pub(in crate::codec) fn join<S: Simd>(values: S::u8s) -> S::u32s {
    let values: S::u16s = values.bitcast();
    let pairs: S::u32s = (values << 6 & 0x0FC0 | values >> 8).bitcast();
    pairs << 12 & 0xFF_F000 | pairs >> 16
}

/// Returns four symbols for the low 24 bits of each lane, the first in its lowest octet.
#[inline(always)]
pub(in crate::codec) fn symbols<S: Simd>(simd: S, alphabet: &Alphabet, bits: S::u32s) -> S::u32s {
    let values =
        bits >> 18 & 0x3F | bits >> 4 & 0x3F00 | bits << 10 & 0x3F_0000 | bits << 24 & 0x3F00_0000;
    of_values(simd, alphabet, values.bitcast()).bitcast()
}

/// Returns the symbol of each value: in a vector as long as the alphabet, that is one lookup.
#[inline(always)]
pub(super) fn of_values<S: Simd>(simd: S, alphabet: &Alphabet, values: S::u8s) -> S::u8s {
    if S::u8s::LEN == alphabet.symbols.len() {
        return S::u8s::from_slice(simd, &alphabet.symbols).swizzle_dyn(values);
    }
    let signed: S::i8s = values.bitcast();
    let above_z = signed.simd_gt(25).select(S::u8s::splat(simd, 1), S::u8s::splat(simd, 0));
    let added = S::u8s::block_splat(u8x16::load_array_ref(simd, &alphabet.to_symbol));
    values + added.swizzle_dyn_within_blocks(values.saturating_sub(51) + above_z)
}
