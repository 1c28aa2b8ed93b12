//! Finding the row of a name, by chains of names that are alike.

use super::{PREFIXES, ROWS};
use crate::ascii::{is_in_any_case, lower_case};
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
