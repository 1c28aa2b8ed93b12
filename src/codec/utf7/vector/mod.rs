//! UTF-7 a vector at a time, in its two dialects, where the processor picks octets out of a vector at once.
//!
//! All that depends on what comes before is worked out in words that have a bit for each octet of the vector: which octets
//! are in a shifted sequence, and where in its groups of eight symbols, or three units. Then what they stand for is computed
//! side by side, as many sequences as there may be. No branch depends on where they begin and end, which in text nobody can
//! foresee.
//!
//! What is ill-formed, surrogates, and what is too rare to be worth a thought stop it: it is left to who reads or writes
//! one octet at a time. A vector is read as far as its last sequence consists of whole groups, so that where the next begins
//! nothing is left over but that a sequence is open.

mod read;
mod write;

use fearless_simd::prelude::*;

use crate::codec::lanes::choose;
pub(in crate::codec) use read::{Form, Read, read, stands_for_itself};
pub(in crate::codec) use write::{End, Written, write};

/// Octets of room that a vector wants, whatever it writes: enough also after all that is written one by one.
pub(in crate::codec) const ROOM: usize = 5 * 64;

/// Of the 24 bits of the four symbols that a unit begins in, how many stand after the unit: for the second and third unit of
/// each group of eight symbols, and for all others.
#[inline(always)]
fn phase<S: Simd>(simd: S, second: u64, third: u64) -> S::u8s {
    let others = choose(simd, third, S::u8s::splat(simd, 6), S::u8s::splat(simd, 8));
    choose(simd, second, S::u8s::splat(simd, 4), others)
}
