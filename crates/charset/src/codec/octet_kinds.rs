//! Which kinds of octets a message or a body contains, found in one pass.

use fearless_simd::prelude::*;
use fearless_simd::{dispatch, u8x16};

use super::level::Level;

/// Kinds of octets that keep a body from travelling as 7bit or 8bit data (RFC 2045, 2.7 and 2.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OctetKinds {
    /// An octet above 7F.
    pub eight_bit: bool,
    /// An octet 00.
    pub nul: bool,
    /// A CR or LF that is not part of a CR LF.
    pub bare_line_end: bool,
}

impl OctetKinds {
    /// Returns the kinds that occur in `octets`.
    pub fn of(octets: &[u8]) -> Self {
        kinds_at(Level::new(), octets)
    }
}

/// Returns whether, of two adjacent octets, exactly one is its half of a CR LF.
#[inline]
fn splits_crlf(octet: u8, next: u8) -> bool {
    (octet == b'\r') != (next == b'\n')
}

fn kinds_at(level: Level, octets: &[u8]) -> OctetKinds {
    let (Some(&first), Some(&last)) = (octets.first(), octets.last()) else {
        return OctetKinds::default();
    };
    let pairs = dispatch!(level, simd => kinds_by(simd, octets));
    OctetKinds {
        eight_bit: pairs.eight_bit | !last.is_ascii(),
        nul: pairs.nul | (last == 0),
        bare_line_end: pairs.bare_line_end | (first == b'\n') | (last == b'\r'),
    }
}

/// Checks all pairs, in the widest vectors that the length allows.
#[inline(always)]
fn kinds_by<S: Simd>(simd: S, octets: &[u8]) -> OctetKinds {
    if octets.len() > S::u8s::LEN {
        pairs::<S, S::u8s>(simd, octets)
    } else if octets.len() > 16 {
        pairs::<S, u8x16<S>>(simd, octets)
    } else {
        octets.windows(2).fold(OctetKinds::default(), |seen, pair| OctetKinds {
            eight_bit: seen.eight_bit | !pair[0].is_ascii(),
            nul: seen.nul | (pair[0] == 0),
            bare_line_end: seen.bare_line_end | splits_crlf(pair[0], pair[1]),
        })
    }
}

/// Checks the pairs of more octets than a vector has, two vectors in a step; the last vector may
/// overlap the one before.
#[inline(always)]
fn pairs<S: Simd, V: SimdInt<S, Element = u8>>(simd: S, octets: &[u8]) -> OctetKinds {
    let (firsts, nexts) = (&octets[..octets.len() - 1], &octets[1..]);
    let mut seen = Seen {
        or: V::splat(simd, 0),
        least: V::splat(simd, u8::MAX),
        bare: V::Mask::splat(simd, false),
    };
    for (first, next) in firsts.chunks_exact(2 * V::LEN).zip(nexts.chunks_exact(2 * V::LEN)) {
        seen.add(simd, &first[..V::LEN], &next[..V::LEN]);
        seen.add(simd, &first[V::LEN..], &next[V::LEN..]);
    }
    let rest = firsts.len() % (2 * V::LEN);
    if rest > V::LEN {
        let at = firsts.len() - rest;
        seen.add(simd, &firsts[at..at + V::LEN], &nexts[at..at + V::LEN]);
    }
    let last = firsts.len() - V::LEN;
    seen.add(simd, &firsts[last..], &nexts[last..]);
    OctetKinds {
        eight_bit: seen.or.simd_ge(0x80).any_true(),
        nul: seen.least.simd_eq(0).any_true(),
        bare_line_end: seen.bare.any_true(),
    }
}

/// The kinds of octets seen in each lane.
struct Seen<S: Simd, V: SimdInt<S, Element = u8>> {
    or: V,
    least: V,
    bare: V::Mask,
}

impl<S: Simd, V: SimdInt<S, Element = u8>> Seen<S, V> {
    /// Adds a vector of pairs.
    #[inline(always)]
    fn add(&mut self, simd: S, first: &[u8], next: &[u8]) {
        let (first, next) = (V::from_slice(simd, first), V::from_slice(simd, next));
        self.or |= first;
        self.least = self.least.min(first);
        self.bare |= first.simd_eq(b'\r') ^ next.simd_eq(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;

    proptest! {
        #[test]
        fn finds_every_kind(text in "([a-z]{0,40}|[a-z]{60,70}|[a-z]{120,140}|\r\n|\r\n|\r|\n|\u{e9}|\0){0,9}") {
            let octets = text.as_bytes();
            let pair = |holds: fn(u8, u8) -> bool| octets.windows(2).any(|pair| holds(pair[0], pair[1]));
            let seen = OctetKinds {
                eight_bit: !octets.is_ascii(),
                nul: octets.contains(&0),
                bare_line_end: octets.starts_with(b"\n") || octets.ends_with(b"\r") || pair(splits_crlf),
            };
            for level in level::all() {
                prop_assert_eq!(kinds_at(level, octets), seen);
            }
        }
    }
}
