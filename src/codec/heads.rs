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
    /// Of what makes a line tell something.
    telling: [u64; WORDS],
}

const WORDS: usize = 8;
const WORD: usize = 64;

impl<'o> Heads<'o> {
    pub(crate) fn new(octets: &'o [u8]) -> Self {
        // As if all before the first octet had been looked at.
        Self { octets, base: usize::MAX - (WORDS * WORD - 1), marks: Marks::default() }
    }

    /// The line that begins at `at`: where it ends behind its LF, or with the octets, and whether anything in it tells.
    #[inline]
    pub(crate) fn line(&mut self, at: usize) -> Line {
        let (mut from, mut tells) = (at, false);
        while let Some((word, shift)) = self.word(from) {
            let (line, telling) = (self.marks.line[word] >> shift, self.marks.telling[word] >> shift);
            // All up to the first LF; all, if there is none.
            tells |= telling & (line ^ line.wrapping_sub(1)) != 0;
            if line != 0 {
                return Line { end: from + line.trailing_zeros() as usize + 1, tells };
            }
            from += WORD - shift;
        }
        Line { end: self.octets.len(), tells }
    }

    /// Offset of the first octet from `at` on that is no part of a field name, or is `?`; or the end of the octets.
    #[inline]
    pub(crate) fn name_end(&mut self, at: usize) -> usize {
        let mut from = at;
        while let Some((word, shift)) = self.word(from) {
            let name = self.marks.name[word] >> shift;
            if name != 0 {
                return (from + name.trailing_zeros() as usize).min(self.octets.len());
            }
            from += WORD - shift;
        }
        self.octets.len()
    }

    /// Which word of the marks `at` is in, and which bit of it; nothing behind the octets.
    #[inline(always)]
    fn word(&mut self, at: usize) -> Option<(usize, usize)> {
        if at >= self.octets.len() {
            return None;
        }
        let mut within = at.wrapping_sub(self.base);
        if within >= WORDS * WORD {
            self.look_from(at);
            within = 0;
        }
        Some((within / WORD, within % WORD))
    }

    #[inline(never)]
    fn look_from(&mut self, at: usize) {
        self.base = at;
        look(Level::new(), &self.octets[at..], &mut self.marks);
    }
}

/// A line of a header section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Behind its LF.
    pub(crate) end: usize,
    /// Whether it has to be looked at for more than its name: it holds an octet that is no printable US-ASCII and no TAB, CR
    /// or LF, or `=?`, with which an encoded-word begins.
    pub(crate) tells: bool,
}

fn look(level: Level, octets: &[u8], marks: &mut Marks) {
    dispatch!(level, simd => look_by(simd, octets, marks))
}

#[inline(always)]
fn look_by<S: Simd>(simd: S, octets: &[u8], marks: &mut Marks) {
    for (at, word) in octets.chunks(WORD).take(WORDS).enumerate() {
        // What is behind the octets is no mark of anything but the end of a name.
        let mut last = [b' '; WORD];
        let word = word.first_chunk().unwrap_or_else(|| {
            last[..word.len()].copy_from_slice(word);
            &last
        });
        let word = u8x64::from_slice(simd, word);
        let (line, mark) = (word.simd_eq(b'\n'), word.simd_eq(b'?'));
        // Above 7E or below 21, or below 20, as one comparison of a ring that begins at 7F.
        let ring = word - 0x7F;
        let name = ring.simd_lt(0xA2) | word.simd_eq(b':') | mark;
        let odd = ring.simd_lt(0xA1) & !(line | word.simd_eq(b'\r') | word.simd_eq(b'\t'));
        let next_mark = u64::from(octets.get((at + 1) * WORD) == Some(&b'?'));
        let marked = mark.to_bitmask() >> 1 | next_mark << (WORD - 1);
        marks.line[at] = line.to_bitmask();
        marks.name[at] = name.to_bitmask();
        marks.telling[at] = odd.to_bitmask() | word.simd_eq(b'=').to_bitmask() & marked;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;

    proptest! {
        #[test]
        fn the_next_ends(
            octets in "([!-~]{0,99}|[A-Z]{0,20}[: ?]|\r\n|\n|\u{e9}|=[?]|\t|\0|\x7f|[a-z]{500,600}){0,20}",
            at in 0_usize..900,
        ) {
            let octets = octets.as_bytes();
            let next = |at: usize, of: fn(u8) -> bool| octets[at..].iter().position(|&octet| of(octet)).map(|n| at + n);
            let mut heads = Heads::new(octets);
            for at in [at.min(octets.len()), 0, at.min(octets.len()) / 2] {
                let end = next(at, |octet| octet == b'\n').map_or(octets.len(), |n| n + 1);
                let name = next(at, |octet| !matches!(octet, b'!'..=b'~') || matches!(octet, b':' | b'?'));
                let odd = |octet: &u8| !matches!(octet, b' '..=b'~' | b'\t' | b'\r' | b'\n');
                let line = &octets[at..end];
                let tells = line.iter().any(odd) || line.windows(2).any(|pair| pair == b"=?");
                prop_assert_eq!(heads.line(at), Line { end, tells });
                prop_assert_eq!(heads.name_end(at), name.unwrap_or(octets.len()));
            }
        }

        #[test]
        fn levels_agree(octets in "([!-~]{0,99}|\r\n|\u{e9}|\0|=|[?]){0,20}") {
            let marks = |level| {
                let mut marks = Marks::default();
                look(level, octets.as_bytes(), &mut marks);
                (marks.line, marks.name, marks.telling)
            };
            for level in level::all() {
                prop_assert_eq!(marks(level), marks(Level::new()));
            }
        }
    }
}
