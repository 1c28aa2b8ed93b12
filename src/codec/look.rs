//! What one look at all octets of a message or a body tells.

use fearless_simd::prelude::*;
use fearless_simd::{dispatch, u8x16};

use super::level::Level;

/// What was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// An octet above 7F.
    pub(crate) eight_bit: bool,
    /// An octet 00.
    pub(crate) nul: bool,
    /// A CR or LF that is no half of a CR LF.
    pub(crate) torn: bool,
}

/// Looks at all octets.
pub(crate) fn look(octets: &[u8]) -> Look {
    look_at(Level::new(), octets)
}

/// Whether two octets that stand side by side are one half of a CR LF and something else.
#[inline]
fn is_torn(octet: u8, next: u8) -> bool {
    (octet == b'\r') != (next == b'\n')
}

fn look_at(level: Level, octets: &[u8]) -> Look {
    let (Some(&first), Some(&last)) = (octets.first(), octets.last()) else { return Look::default() };
    let pairs = dispatch!(level, simd => look_by(simd, octets));
    Look {
        eight_bit: pairs.eight_bit | !last.is_ascii(),
        nul: pairs.nul | (last == 0),
        torn: pairs.torn | (first == b'\n') | (last == b'\r'),
    }
}

/// All pairs, by vectors as wide as they may be.
#[inline(always)]
fn look_by<S: Simd>(simd: S, octets: &[u8]) -> Look {
    if octets.len() > S::u8s::LEN {
        pairs::<S, S::u8s>(simd, octets)
    } else if octets.len() > 16 {
        pairs::<S, u8x16<S>>(simd, octets)
    } else {
        octets.windows(2).fold(Look::default(), |seen, pair| Look {
            eight_bit: seen.eight_bit | !pair[0].is_ascii(),
            nul: seen.nul | (pair[0] == 0),
            torn: seen.torn | is_torn(pair[0], pair[1]),
        })
    }
}

/// The pairs of more octets than a vector has; most of the last vector is looked at twice.
#[inline(always)]
fn pairs<S: Simd, V: SimdInt<S, Element = u8>>(simd: S, octets: &[u8]) -> Look {
    let last = octets.len() - 1 - V::LEN;
    let (mut or, mut least) = (V::splat(simd, 0), V::splat(simd, u8::MAX));
    let mut torn = V::Mask::splat(simd, false);
    let mut at = 0;
    loop {
        let first = V::from_slice(simd, &octets[at..at + V::LEN]);
        let next = V::from_slice(simd, &octets[at + 1..at + 1 + V::LEN]);
        or |= first;
        least = least.min(first);
        torn |= first.simd_eq(b'\r') ^ next.simd_eq(b'\n');
        if at == last {
            break;
        }
        at = last.min(at + V::LEN);
    }
    Look { eight_bit: or.simd_ge(0x80).any_true(), nul: least.simd_eq(0).any_true(), torn: torn.any_true() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;

    proptest! {
        #[test]
        fn sees_what_is_there(text in "([a-z]{0,40}|[a-z]{60,70}|\r\n|\r\n|\r|\n|\u{e9}|\0){0,9}") {
            let octets = text.as_bytes();
            let pair = |holds: fn(u8, u8) -> bool| octets.windows(2).any(|pair| holds(pair[0], pair[1]));
            let seen = Look {
                eight_bit: !octets.is_ascii(),
                nul: octets.contains(&0),
                torn: octets.starts_with(b"\n") || octets.ends_with(b"\r") || pair(is_torn),
            };
            for level in level::all() {
                prop_assert_eq!(look_at(level, octets), seen);
            }
        }
    }
}
