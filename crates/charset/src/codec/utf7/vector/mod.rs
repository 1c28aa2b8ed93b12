//! UTF-7 a vector at a time, if the processor can pick octets out of a vector in one instruction.
//!
//! All that depends on what comes before is computed in words that have a bit for each octet of the
//! vector: which octets are in a shifted sequence, and where in its groups of eight symbols, or
//! three units. Then their characters are computed side by side, however many sequences there are.
//! No branch depends on where they begin and end, which cannot be predicted in text.
//!
//! Ill-formed input, surrogates, and anything rare stop it: that is left to the code that reads or
//! writes one octet at a time. A vector is read as far as its last sequence consists of whole
//! groups, so that nothing is left over where the next begins except that a sequence is open.

mod read;
mod write;

use fearless_simd::prelude::*;

use crate::codec::lanes::choose;
pub(super) use read::{Form, Read, read};
pub(super) use write::{Written, write};

/// Octets of room that a vector needs, however much it writes: enough even after everything that is
/// written one by one.
pub(super) const ROOM: usize = 5 * 64;

/// Returns how many of the 24 bits of the four symbols that a unit begins in come after the unit:
/// for the second and third unit of each group of eight symbols, and for all others.
#[inline(always)]
fn phase<S: Simd>(simd: S, second: u64, third: u64) -> S::u8s {
    let others = choose(simd, third, S::u8s::splat(simd, 6), S::u8s::splat(simd, 8));
    choose(simd, second, S::u8s::splat(simd, 4), others)
}
