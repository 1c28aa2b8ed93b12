//! Finding octets by class, sixteen at a time: loops over fixed-size arrays that the compiler turns into vectors.

const STEP: usize = 16;

/// Where the first octet stands for which `found` holds; `octets.len()` if there is none.
///
/// `found` should be straight comparisons joined by `|` and `&`.
#[inline]
pub(crate) fn find(octets: &[u8], found: impl Fn(u8) -> bool) -> usize {
    find_within(octets, octets.len(), found)
}

/// The same among the first `limit` octets, giving `limit` if there is none (or the length, if that is less).
/// Looks at octets behind the limit where that saves going octet by octet.
#[inline]
pub(crate) fn find_within(octets: &[u8], limit: usize, found: impl Fn(u8) -> bool) -> usize {
    let limit = limit.min(octets.len());
    let mut at = 0;
    while at < limit
        && let Some(step) = octets[at..].first_chunk::<STEP>()
    {
        let first = first_of(step, &found);
        at += first;
        if first < STEP {
            return at.min(limit);
        }
    }
    let rest = octets.get(at..limit).unwrap_or_default();
    at.min(limit) + rest.iter().position(|&octet| found(octet)).unwrap_or(rest.len())
}

/// Where the first octet stands for which `found` holds; 16 if there is none.
#[inline]
pub(crate) fn first_of(step: &[u8; STEP], found: impl Fn(u8) -> bool) -> usize {
    let flags = step.map(|octet| u8::from(found(octet)));
    (u128::from_le_bytes(flags).trailing_zeros() / 8) as usize
}

/// Whether there is an octet for which `found` holds.
#[inline]
pub(crate) fn any(octets: &[u8], found: impl Fn(u8) -> bool) -> bool {
    let step = |step: &[u8]| step.iter().fold(0, |any, &octet| any | u8::from(found(octet))) != 0;
    octets.chunks(256).any(step)
}

/// How many octets there are for which `found` holds.
#[inline]
pub(crate) fn count(octets: &[u8], found: impl Fn(u8) -> bool) -> usize {
    // No more than 255 in a block, so that counts fit octets and vectors hold many.
    let block = |block: &[u8]| block.iter().fold(0_u8, |count, &octet| count + u8::from(found(octet)));
    octets.chunks(255).map(|octets| usize::from(block(octets))).sum()
}

/// Whether two octets stand side by side for which `found` holds.
#[inline]
pub(crate) fn any_pair(octets: &[u8], found: impl Fn(u8, u8) -> bool) -> bool {
    let pairs = |(first, second): (&[u8], &[u8])| {
        first.iter().zip(second).fold(0, |any, (&first, &second)| any | u8::from(found(first, second))) != 0
    };
    octets.len() > 1 && octets.chunks(256).zip(octets[1..].chunks(256)).any(pairs)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    proptest! {
        #[test]
        fn finds_the_first(octets in "[a-c]{0,80}", limit in 0_usize..90) {
            let octets = octets.as_bytes();
            let naive = |until: usize| {
                let until = until.min(octets.len());
                octets[..until].iter().position(|&octet| octet == b'b').unwrap_or(until)
            };
            prop_assert_eq!(find(octets, |octet| octet == b'b'), naive(octets.len()));
            prop_assert_eq!(find_within(octets, limit, |octet| octet == b'b'), naive(limit));
            prop_assert_eq!(any(octets, |octet| octet == b'b'), octets.contains(&b'b'));
        }

        #[test]
        fn finds_pairs(octets in "[a-z]{0,700}") {
            let octets = octets.as_bytes();
            let naive = octets.windows(2).any(|pair| pair == b"ab");
            prop_assert_eq!(any_pair(octets, |a, b| (a == b'a') & (b == b'b')), naive);
        }
    }
}
