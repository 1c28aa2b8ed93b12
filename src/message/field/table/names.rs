//! Which row has a name: by chains of those that are alike.

use super::{PREFIXES, ROWS};

/// The place of the row of that name, in any case.
#[inline]
pub(super) fn find(name: &[u8]) -> Option<u8> {
    let mut at = CHAINS.first[bucket(name)];
    while at != END {
        if is_in_any_case(name, ROWS[usize::from(at)].name.as_bytes()) {
            return Some(at);
        }
        at = CHAINS.next[usize::from(at)];
    }
    None
}

/// What of a name stands outside parentheses.
pub(super) fn without_comments(name: &[u8]) -> Vec<u8> {
    let mut depth = 0_usize;
    let is_outside = |octet: &u8| {
        depth += usize::from(*octet == b'(');
        let outside = depth == 0;
        depth = depth.saturating_sub(usize::from(*octet == b')'));
        outside
    };
    name.iter().copied().filter(is_outside).collect()
}

/// The rows by the [`bucket`] of their names.
struct Chains {
    first: [u8; BUCKETS],
    next: [u8; ROWS.len()],
}

const BUCKETS: usize = 256;
const END: u8 = u8::MAX;

static CHAINS: Chains = {
    let mut chains = Chains { first: [END; BUCKETS], next: [END; ROWS.len()] };
    let mut at = PREFIXES.end;
    while (at as usize) < ROWS.len() {
        let bucket = bucket(ROWS[at as usize].name.as_bytes());
        chains.next[at as usize] = chains.first[bucket];
        chains.first[bucket] = at;
        at += 1;
    }
    chains
};

/// By its length, first and last octet: hardly two known names share all of them.
const fn bucket(name: &[u8]) -> usize {
    let [first, .., last] = name else { return 0 };
    (name.len() * 37 + lower_case(*first) as usize * 3 + lower_case(*last) as usize) % BUCKETS
}

/// Whether `name` is `lower` in any case, where `lower` is of lower-case letters, digits and `-`.
///
/// The twin of `eq_ignore_ascii_case`, which decides octet by octet, where names are short and nearly always the same.
#[inline]
fn is_in_any_case(name: &[u8], lower: &[u8]) -> bool {
    name.len() == lower.len()
        && name.iter().zip(lower).fold(0, |odd, (&octet, &wanted)| odd | lower_case(octet) ^ wanted) == 0
}

/// A letter in lower case, without asking whether it is one.
#[inline]
const fn lower_case(octet: u8) -> u8 {
    octet | (octet & 0x40) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_name_octet(octet: u8) -> bool {
        octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'-'
    }

    #[test]
    fn any_case_is_that_of_us_ascii() {
        for octet in 0..=u8::MAX {
            for wanted in (0..=u8::MAX).filter(|&wanted| is_name_octet(wanted)) {
                let is = octet.eq_ignore_ascii_case(&wanted);
                assert_eq!(is_in_any_case(&[octet], &[wanted]), is, "{octet} {wanted}");
            }
        }
        assert!(ROWS.iter().all(|row| row.name.bytes().all(is_name_octet)));
    }
}
