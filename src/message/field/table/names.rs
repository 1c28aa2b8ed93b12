//! Finding the row of a name, by chains of names that are alike.

use super::{PREFIXES, ROWS};
use crate::syntax::comment::comment;

/// Returns the index of the row of that name, in any case.
#[inline(always)]
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

/// Returns a name without the comments in it; an unclosed one goes on to the end.
pub(super) fn without_comments(mut name: &[u8]) -> Vec<u8> {
    let mut outside = Vec::with_capacity(name.len());
    while let Some(open) = memchr::memchr(b'(', name) {
        outside.extend_from_slice(&name[..open]);
        name = comment(&name[open..]).map_or(&[], |(after, _)| after);
    }
    outside.extend_from_slice(name);
    outside
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

/// Hashes a name by its length, first and last octet: hardly any two known names share all of them.
const fn bucket(name: &[u8]) -> usize {
    let [first, .., last] = name else { return 0 };
    (name.len() * 37 + lower_case(*first) as usize * 3 + lower_case(*last) as usize) % BUCKETS
}

/// Returns whether `name` is `lower` in any case, where `lower` consists of lower-case letters, digits and
/// `-`.
///
/// The twin of `eq_ignore_ascii_case`, which compares octet by octet: this one compares eight at a time, or
/// four; the last comparison overlaps the one before.
#[inline(always)]
fn is_in_any_case(name: &[u8], lower: &[u8]) -> bool {
    if name.len() != lower.len() {
        return false;
    }
    let is_word = |name: &[u8; 8], lower: &[u8; 8]| {
        lower_cases(u64::from_le_bytes(*name)) == u64::from_le_bytes(*lower)
    };
    let is_half = |name: &[u8; 4], lower: &[u8; 4]| {
        lower_cases(u64::from(u32::from_le_bytes(*name))) == u64::from(u32::from_le_bytes(*lower))
    };
    if let (Some(end), Some(lower_end)) = (name.last_chunk(), lower.last_chunk()) {
        return is_word(end, lower_end)
            && name.as_chunks().0.iter().zip(lower.as_chunks().0).all(|(name, lower)| is_word(name, lower));
    }
    match (name, lower) {
        ([a, b, c, d, ..], [e, f, g, h, ..]) => {
            is_half(&[*a, *b, *c, *d], &[*e, *f, *g, *h])
                && name.last_chunk().zip(lower.last_chunk()).is_some_and(|(name, lower)| is_half(name, lower))
        }
        _ => name.iter().zip(lower).all(|(&octet, &wanted)| lower_case(octet) == wanted),
    }
}

/// Returns a letter in lower case, without checking that it is one.
#[inline]
const fn lower_case(octet: u8) -> u8 {
    octet | (octet & 0x40) >> 1
}

/// Applies [`lower_case`] to eight octets.
#[inline]
const fn lower_cases(octets: u64) -> u64 {
    octets | (octets & (u64::MAX / 0xFF * 0x40)) >> 1
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
                for (before, after) in [(0, 0), (1, 2), (0, 7), (7, 0), (3, 9), (20, 5)] {
                    let name = |octet: u8| [&vec![b'a'; before][..], &[octet], &vec![b'z'; after]].concat();
                    assert_eq!(is_in_any_case(&name(octet), &name(wanted)), is, "{octet} {wanted} {before}");
                }
            }
        }
        assert!(ROWS.iter().all(|row| row.name.bytes().all(is_name_octet)));
    }
}
