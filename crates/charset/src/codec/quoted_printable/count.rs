//! The length of a text in quoted-printable, apart from what depends on its lines.

use fearless_simd::prelude::*;
use fearless_simd::{dispatch, u8x64};

use crate::codec::level::Level;

/// Counts of octets that decide that length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Octets that are escaped wherever they occur.
    pub escaped: usize,
    /// LF.
    pub line_ends: usize,
}

/// Counts both in one pass.
pub fn count(octets: &[u8]) -> Count {
    count_at(Level::new(), octets)
}

fn count_at(level: Level, octets: &[u8]) -> Count {
    dispatch!(level, simd => count_by(simd, octets))
}

#[inline(always)]
fn count_by<S: Simd>(simd: S, octets: &[u8]) -> Count {
    let (words, rest) = octets.as_chunks();
    // Padding that counts as nothing.
    let mut last = [b' '; 64];
    last[..rest.len()].copy_from_slice(rest);
    let mut count = Count::default();
    for word in words.iter().chain([&last]) {
        let word = u8x64::from_slice(simd, word);
        let line_ends = word.simd_eq(b'\n');
        let literal = (word - b' ').simd_lt(0x5F) & !word.simd_eq(b'=');
        let kept = literal | line_ends | word.simd_eq(b'\r') | word.simd_eq(b'\t');
        count.escaped += (!kept.to_bitmask()).count_ones() as usize;
        count.line_ends += line_ends.to_bitmask().count_ones() as usize;
    }
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;
    use crate::codec::quoted_printable::is_literal;

    proptest! {
        #[test]
        fn counts_each(octets in prop::collection::vec(any::<u8>(), 0..300)) {
            let counted = |of: fn(u8) -> bool| octets.iter().filter(|&&octet| of(octet)).count();
            let escaped = counted(|octet| !is_literal(octet) && octet != b'\r' && octet != b'\n');
            let expected = Count { escaped, line_ends: counted(|octet| octet == b'\n') };
            for level in level::all() {
                prop_assert_eq!(count_at(level, &octets), expected);
            }
        }
    }
}
