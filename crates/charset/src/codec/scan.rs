//! Finding octets by class, many at a time.
//!
//! Safe code has no instruction for "which of these octets", but the compiler makes vectors of a
//! loop that turns a fixed-size array into flags of 0 and 1, and one multiplication gathers eight
//! flags into eight bits: with SSE2 alone, about 98 instructions for 64 octets.

use super::level;

/// Whether loops are compiled for size, as for WebAssembly: then the compiler makes no vectors of
/// them, and code designed for vectors is neither small nor fast.
pub const SMALL: bool = cfg!(target_arch = "wasm32");

/// Eight flags, multiplied by this, have their bits next to each other in the highest octet.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// Returns a bit for each octet for which `found` holds; the first octet is the lowest bit. `N` is
/// at most 64.
///
/// `found` should be straight comparisons joined by `|` and `&`.
#[inline(always)]
pub(crate) fn mask<const N: usize>(octets: &[u8; N], found: impl Fn(u8) -> bool) -> u64 {
    if SMALL {
        return octets.iter().rev().fold(0, |mask, &octet| mask << 1 | u64::from(found(octet)));
    }
    let mut flags = [0; N];
    for (flag, &octet) in flags.iter_mut().zip(octets) {
        *flag = u8::from(found(octet));
    }
    let mut mask = 0;
    for (at, eight) in flags.as_chunks().0.iter().enumerate() {
        mask |= (u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56) << (8 * at);
    }
    mask
}

/// Finds one octet after another for which `found` holds, testing each octet only once.
pub(crate) struct Finder<'a, F> {
    octets: &'a [u8],
    found: F,
    /// Where the octets of `mask` begin, and how many there are.
    base: usize,
    mask: u64,
}

const WORD: usize = 64;

impl<'a, F: Fn(u8) -> bool> Finder<'a, F> {
    #[inline]
    pub(crate) fn new(octets: &'a [u8], found: F) -> Self {
        // As if the word before the first one had been loaded.
        Self { octets, found, base: usize::MAX - (WORD - 1), mask: 0 }
    }

    /// Returns the first such octet from `at` on, or `limit` if there is none before it. Both must
    /// lie within the octets.
    #[inline]
    pub(crate) fn next(&mut self, at: usize, limit: usize) -> usize {
        let mut at = at;
        while at < limit {
            let mut within = at.wrapping_sub(self.base);
            if within >= WORD {
                self.load(at);
                within = 0;
            }
            let ahead = self.mask >> within;
            if ahead != 0 {
                return limit.min(at + ahead.trailing_zeros() as usize);
            }
            at += WORD - within;
        }
        limit
    }

    #[inline]
    fn load(&mut self, at: usize) {
        self.base = at;
        self.mask = match self.octets[at..].first_chunk::<WORD>() {
            Some(word) => mask(word, &self.found),
            None => self.load_end(at),
        };
    }

    #[cold]
    fn load_end(&self, at: usize) -> u64 {
        let rest = &self.octets[at..];
        let mut word = [0; WORD];
        word[..rest.len()].copy_from_slice(rest);
        mask(&word, &self.found) & ((1 << rest.len()) - 1)
    }
}

/// Returns the offset of the first octet for which `found` holds; `octets.len()` if there is none.
#[inline]
pub(crate) fn find(octets: &[u8], found: impl Fn(u8) -> bool) -> usize {
    let mut at = 0;
    while !SMALL && let Some(step) = octets[at..].first_chunk::<32>() {
        let mask = mask(step, &found);
        if mask != 0 {
            return at + mask.trailing_zeros() as usize;
        }
        at += 32;
    }
    at + octets[at..].iter().position(|&octet| found(octet)).unwrap_or(octets.len() - at)
}

/// Returns the offset of the first `octet` among eight; 8 if there is none.
#[inline]
pub(crate) fn first_of_eight(octets: [u8; 8], octet: u8) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let zeros = u64::from_le_bytes(octets) ^ (ONES * u64::from(octet));
    // The lowest zero octet shows as its highest bit; above it nothing is certain.
    let found = zeros.wrapping_sub(ONES) & !zeros & ONES << 7;
    found.trailing_zeros() as usize / 8
}

/// Returns whether there is an octet for which `found` holds.
#[inline]
pub fn any(octets: &[u8], found: impl Fn(u8) -> bool) -> bool {
    wide(
        octets,
        #[inline(always)]
        move |octets| any_by(octets, found),
    )
}

#[inline(always)]
fn any_by(octets: &[u8], found: impl Fn(u8) -> bool) -> bool {
    if SMALL {
        return octets.iter().any(|&octet| found(octet));
    }
    if octets.len() >= LANES {
        return any_in_lanes::<LANES>(octets, found);
    }
    if octets.len() >= 16 {
        return any_in_lanes::<16>(octets, found);
    }
    // No copy into a buffer: loading it as a vector would wait for the copy.
    if octets.len() >= 8 {
        return any_in_lanes::<8>(octets, found);
    }
    octets.iter().any(|&octet| found(octet))
}

/// [`any`] for at least `LANES` octets.
#[inline(always)]
fn any_in_lanes<const LANES: usize>(octets: &[u8], found: impl Fn(u8) -> bool) -> bool {
    let mut any = [0; LANES];
    for octets in octets.as_chunks::<LANES>().0.iter().chain(octets.last_chunk()) {
        for (any, &octet) in any.iter_mut().zip(octets) {
            *any |= flag(found(octet));
        }
    }
    any != [0; LANES]
}

/// Returns the number of octets for which `found` holds.
#[inline]
pub fn count(octets: &[u8], found: impl Fn(u8) -> bool) -> usize {
    wide(
        octets,
        #[inline(always)]
        move |octets| count_by(octets, found),
    )
}

#[inline(always)]
fn count_by(octets: &[u8], found: impl Fn(u8) -> bool) -> usize {
    if SMALL {
        return octets.iter().filter(|&&octet| found(octet)).count();
    }
    octets.chunks(BLOCK).map(|octets| count_in_block(octets, &found)).sum()
}

/// No more than 255 octets, so that counts fit octets and vectors hold many.
const BLOCK: usize = 192;

#[inline(always)]
fn count_in_block(block: &[u8], found: impl Fn(u8) -> bool) -> usize {
    block.iter().fold(0_u8, |count, &octet| count + u8::from(found(octet))).into()
}

/// Returns the number of octets for which each of two predicates holds, in one pass.
#[inline]
pub(crate) fn count_both(
    octets: &[u8],
    one: impl Fn(u8) -> bool,
    other: impl Fn(u8) -> bool,
) -> [usize; 2] {
    wide(
        octets,
        #[inline(always)]
        move |octets| {
            octets.chunks(BLOCK).fold([0, 0], |[ones, others], octets| {
                [ones + count_in_block(octets, &one), others + count_in_block(octets, &other)]
            })
        },
    )
}

/// Returns whether `found` holds for any two adjacent octets.
#[inline]
pub fn any_pair(octets: &[u8], found: impl Fn(u8, u8) -> bool) -> bool {
    let Some((firsts, seconds)) = pairs(octets) else { return false };
    if SMALL {
        return firsts.iter().zip(seconds).any(|(&first, &second)| found(first, second));
    }
    let Some(last) = firsts.last_chunk::<LANES>().zip(seconds.last_chunk::<LANES>()) else {
        return firsts.iter().zip(seconds).any(|(&first, &second)| found(first, second));
    };
    let mut any = [0; LANES];
    for (firsts, seconds) in lanes(firsts, seconds).chain([last]) {
        for ((any, &first), &second) in any.iter_mut().zip(firsts).zip(seconds) {
            *any |= flag(found(first, second));
        }
    }
    any != [0; LANES]
}

/// Runs `look` compiled for the processor's widest vectors, if there are enough octets.
#[inline(always)]
fn wide<R>(octets: &[u8], look: impl FnOnce(&[u8]) -> R) -> R {
    if octets.len() < 256 {
        return look(octets);
    }
    level::vectorize(
        #[inline(always)]
        || look(octets),
    )
}

/// How many octets are processed in one go by loops that keep a result for each lane: two vectors.
const LANES: usize = 32;

/// FF or 00: what a vector comparison yields, without another operation to turn it into a 1.
#[inline(always)]
fn flag(is: bool) -> u8 {
    0_u8.wrapping_sub(u8::from(is))
}

/// Returns the first and the second octets of all adjacent pairs.
#[inline]
fn pairs(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    Some((octets.split_last()?.1, octets.split_first()?.1))
}

/// Returns both slices in steps of `LANES` octets; a remainder at the end is left out.
#[inline]
fn lanes<'a>(
    firsts: &'a [u8],
    seconds: &'a [u8],
) -> impl Iterator<Item = (&'a [u8; LANES], &'a [u8; LANES])> {
    firsts.as_chunks().0.iter().zip(seconds.as_chunks().0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    proptest! {
        #[test]
        fn finds_the_first(octets in "[a-c]{0,300}|[ac]{0,300}b[a-c]{0,9}", at in 0_usize..300, limit in 0_usize..300) {
            let octets = octets.as_bytes();
            let is_b = |octet| octet == b'b';
            let naive = |at: usize, limit: usize| {
                octets[at..limit].iter().position(|&octet| is_b(octet)).map_or(limit, |b| at + b)
            };
            prop_assert_eq!(find(octets, is_b), naive(0, octets.len()));
            prop_assert_eq!(any(octets, is_b), octets.contains(&b'b'));
            let counted = |wanted: u8| octets.iter().filter(|&&octet| octet == wanted).count();
            prop_assert_eq!(count(octets, is_b), counted(b'b'));
            prop_assert_eq!(count_both(octets, is_b, |octet| octet == b'a'), [counted(b'b'), counted(b'a')]);
            let limit = limit.min(octets.len());
            let mut marks = Finder::new(octets, is_b);
            let mut at = at.min(limit);
            while at < limit {
                let next = marks.next(at, limit);
                prop_assert_eq!(next, naive(at, limit));
                at = next + 1;
            }
        }

        #[test]
        fn finds_pairs(octets in "[a-z]{0,700}") {
            let octets = octets.as_bytes();
            let naive = octets.windows(2).any(|pair| pair == b"ab");
            prop_assert_eq!(any_pair(octets, |a, b| (a == b'a') & (b == b'b')), naive);
        }
    }
}
