//! Where lines end, and where the names end that they begin with: the walk through a header section.

use fearless_simd::{Simd, SimdBase, SimdMask, dispatch, u8x64};

use super::level::Level;

/// The ends of lines and names. Octets are looked at once for both, a few lines together, since a search for each of them
/// costs more than what it looks at.
pub(crate) struct Heads<'o> {
    octets: &'o [u8],
    /// Where the octets begin that `marks` are about.
    base: usize,
    marks: Marks,
}

/// A bit for each octet, the first one the lowest of the first word.
#[derive(Clone, Copy, Default)]
struct Marks {
    /// Of a LF.
    line: [u64; WORDS],
    /// Of what no field name holds, and of `?`, which hardly any does.
    name: [u64; WORDS],
}

const WORDS: usize = 8;
const WORD: usize = 64;

impl<'o> Heads<'o> {
    pub(crate) fn new(octets: &'o [u8]) -> Self {
        // As if all before the first octet had been looked at.
        Self { octets, base: usize::MAX - (WORDS * WORD - 1), marks: Marks::default() }
    }

    /// Offset behind the first LF from `at` on, or the end of the octets.
    #[inline]
    pub(crate) fn line_end(&mut self, at: usize) -> usize {
        (self.next(at, |marks| &marks.line) + 1).min(self.octets.len())
    }

    /// Offset of the first octet from `at` on that is no part of a field name, or is `?`; or the end of the octets.
    #[inline]
    pub(crate) fn name_end(&mut self, at: usize) -> usize {
        self.next(at, |marks| &marks.name).min(self.octets.len())
    }

    /// The first mark from `at` on, or some place behind the octets.
    #[inline]
    fn next(&mut self, mut at: usize, of: impl Fn(&Marks) -> &[u64; WORDS]) -> usize {
        while at < self.octets.len() {
            let mut within = at.wrapping_sub(self.base);
            if within >= WORDS * WORD {
                self.base = at;
                self.marks = look(Level::new(), &self.octets[at..]);
                within = 0;
            }
            let ahead = of(&self.marks)[within / WORD] >> (within % WORD);
            if ahead != 0 {
                return at + ahead.trailing_zeros() as usize;
            }
            at += WORD - within % WORD;
        }
        at
    }
}

fn look(level: Level, octets: &[u8]) -> Marks {
    dispatch!(level, simd => look_by(simd, octets))
}

#[inline(always)]
fn look_by<S: Simd>(simd: S, octets: &[u8]) -> Marks {
    let mut marks = Marks::default();
    for (at, word) in octets.chunks(WORD).take(WORDS).enumerate() {
        let mut last = [0; WORD];
        let word = word.first_chunk().unwrap_or_else(|| {
            last[..word.len()].copy_from_slice(word);
            &last
        });
        let word = u8x64::from_slice(simd, word);
        let name = word.simd_lt(33) | word.simd_gt(126) | word.simd_eq(b':') | word.simd_eq(b'?');
        marks.line[at] = word.simd_eq(b'\n').to_bitmask();
        marks.name[at] = name.to_bitmask();
    }
    marks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;

    proptest! {
        #[test]
        fn the_next_ends(octets in "([!-~]{0,99}|[A-Z]{0,20}[: ?]|\r\n|\n|\u{e9}|[a-z]{500,600}){0,20}", at in 0_usize..900) {
            let octets = octets.as_bytes();
            let next = |at: usize, of: fn(u8) -> bool| octets[at..].iter().position(|&octet| of(octet)).map(|n| at + n);
            let mut heads = Heads::new(octets);
            for at in [at.min(octets.len()), 0, at.min(octets.len()) / 2] {
                let line = next(at, |octet| octet == b'\n').map_or(octets.len(), |n| n + 1);
                let name = next(at, |octet| !matches!(octet, b'!'..=b'~') || matches!(octet, b':' | b'?'));
                prop_assert_eq!(heads.line_end(at), line);
                prop_assert_eq!(heads.name_end(at), name.unwrap_or(octets.len()));
            }
        }

        #[test]
        fn levels_agree(octets in "([!-~]{0,99}|\r\n|\u{e9}|\0){0,20}") {
            let best = look(Level::new(), octets.as_bytes());
            for level in level::all() {
                let same = look(level, octets.as_bytes());
                prop_assert_eq!((same.line, same.name), (best.line, best.name));
            }
        }
    }
}
