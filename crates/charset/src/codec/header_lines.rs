//! The lines of a header section: where each ends, where the name at its beginning ends, and
//! whether it contains more than plain US-ASCII.

use fearless_simd::{Simd, SimdBase, SimdMask, dispatch, u8x64};

use super::level::Level;

/// Finds the ends of lines and names. Octets are classified several lines at a time, since a search
/// for each end costs more than the few octets it covers.
#[derive(Debug)]
pub struct HeaderLines<'o> {
    octets: &'o [u8],
    /// Offset of the first octet that `classes` describe.
    base: usize,
    classes: Classes,
}

/// A bit for each octet; the first octet's is the lowest of the first word.
#[derive(Debug, Clone, Copy, Default)]
struct Classes {
    /// LF.
    line_ends: [u64; WORDS],
    /// Octets that cannot be in a field name, and `?`, which hardly ever is.
    name_ends: [u64; WORDS],
    /// Octets that make a line [suspect](Line::is_suspect).
    suspects: [u64; WORDS],
    /// Whether there are any of them.
    any_suspect: bool,
}

const WORDS: usize = 8;
const WORD: usize = 64;

impl<'o> HeaderLines<'o> {
    /// Returns the lines of `octets`.
    pub fn new(octets: &'o [u8]) -> Self {
        // The first query lies outside the window that ends at offset 0, so it loads one.
        Self { octets, base: usize::MAX - (WORDS * WORD - 1), classes: Classes::default() }
    }

    /// Returns the line that begins at `at`.
    #[inline(always)]
    pub fn line(&mut self, at: usize) -> Line {
        let Some((first, shift)) = self.word(at) else {
            return Line { end: self.octets.len(), name_end: self.octets.len(), is_suspect: false };
        };
        let name = self.classes.name_ends[first] >> shift;
        let (end, is_suspect) = self.line_end(first, u64::MAX << shift);
        // Few names go on in the next word.
        let name_end =
            if name != 0 { at + name.trailing_zeros() as usize } else { self.name_end(at) };
        Line { end, name_end, is_suspect }
    }

    /// Returns the end of the line that begins in word `first`, at the first octet of the `rest` of
    /// it, and whether the line is suspect.
    #[inline(always)]
    fn line_end(&mut self, mut first: usize, mut rest: u64) -> (usize, bool) {
        let mut is_suspect = false;
        loop {
            for word in first..WORDS {
                let end = self.classes.line_ends[word] & rest;
                // All bits up to the first LF, or all bits if there is none.
                let line = rest & (end ^ end.wrapping_sub(1));
                is_suspect |= self.classes.any_suspect && self.classes.suspects[word] & line != 0;
                if end != 0 {
                    return (
                        self.base + word * WORD + end.trailing_zeros() as usize + 1,
                        is_suspect,
                    );
                }
                rest = u64::MAX;
            }
            match self.word(self.base + WORDS * WORD) {
                Some((next, _)) => first = next,
                None => return (self.octets.len(), is_suspect),
            }
        }
    }

    /// Returns the [end of a name](Line::name_end) that begins at `at`.
    #[inline(never)]
    fn name_end(&mut self, at: usize) -> usize {
        let mut from = at;
        while let Some((word, shift)) = self.word(from) {
            let name = self.classes.name_ends[word] >> shift;
            if name != 0 {
                return (from + name.trailing_zeros() as usize).min(self.octets.len());
            }
            from += WORD - shift;
        }
        self.octets.len()
    }

    /// Returns the word of the classes that has `at`, and its bit in that word; `None` past the end
    /// of the octets.
    #[inline(always)]
    fn word(&mut self, at: usize) -> Option<(usize, usize)> {
        if at >= self.octets.len() {
            return None;
        }
        let mut within = at.wrapping_sub(self.base);
        if within >= WORDS * WORD {
            self.classify_from(at);
            within = 0;
        }
        Some((within / WORD, within % WORD))
    }

    #[inline(never)]
    fn classify_from(&mut self, at: usize) {
        self.base = at;
        classify(Level::new(), &self.octets[at..], &mut self.classes);
    }
}

/// A line of a header section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Offset after its LF, or of the end of the octets.
    pub end: usize,
    /// Offset of its first octet that is not part of a field name, or is `?`; or of the end of the
    /// octets.
    pub name_end: usize,
    /// Whether it contains an octet other than printable US-ASCII, TAB, CR and LF; a CR without LF;
    /// or `=?`, with which an encoded-word begins.
    pub is_suspect: bool,
}

fn classify(level: Level, octets: &[u8], classes: &mut Classes) {
    dispatch!(level, simd => classify_by(simd, octets, classes))
}

#[inline(always)]
fn classify_by<S: Simd>(simd: S, octets: &[u8], classes: &mut Classes) {
    classes.any_suspect = false;
    if octets.len() < WORDS * WORD {
        // Nothing comes after the last line.
        *classes = Classes::default();
    }
    for at in (0..WORDS).take_while(|at| at * WORD < octets.len()) {
        let ahead = &octets[at * WORD..];
        let last;
        let window = match ahead.first_chunk() {
            Some(window) => window,
            None => {
                last = padded(ahead);
                &last
            }
        };
        classes.add(simd, at, window);
    }
}

/// A word and the octet after it, which says whether a CR is part of a line end.
const WINDOW: usize = WORD + 1;

/// Returns the last octets, with spaces after them: they end a name and do nothing else.
#[cold]
fn padded(octets: &[u8]) -> [u8; WINDOW] {
    let mut window = [b' '; WINDOW];
    window[..octets.len()].copy_from_slice(octets);
    window
}

impl Classes {
    /// Classifies the first octets of a window, as word `at`.
    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, at: usize, window: &[u8; WINDOW]) {
        let word = u8x64::from_slice(simd, &window[..WORD]);
        let next = u8x64::from_slice(simd, &window[1..]);
        let (lf, cr) = (word.simd_eq(b'\n'), word.simd_eq(b'\r'));
        // Above 7E or below 21, or below 20, as one comparison of a ring that begins at 7F.
        let ring = word - 0x7F;
        let name = ring.simd_lt(0xA2) | word.simd_eq(b':') | word.simd_eq(b'?');
        let odd = ring.simd_lt(0xA1) & !(lf | cr | word.simd_eq(b'\t'));
        let bare_crs = cr & !next.simd_eq(b'\n');
        let encoded_words = word.simd_eq(b'=') & next.simd_eq(b'?');
        let suspects = (odd | bare_crs | encoded_words).to_bitmask();
        self.line_ends[at] = lf.to_bitmask();
        self.name_ends[at] = name.to_bitmask();
        self.suspects[at] = suspects;
        self.any_suspect |= suspects != 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;

    proptest! {
        #[test]
        fn lines_and_names_end_where_a_search_says(
            octets in "([!-~]{0,99}|[A-Z]{0,20}[: ?]|\r\n|\n|\r|\u{e9}|=[?]|\t|\0|\x7f|[a-z]{500,600}){0,20}",
            at in 0_usize..900,
        ) {
            let octets = octets.as_bytes();
            let next = |at: usize, of: fn(u8) -> bool| octets[at..].iter().position(|&octet| of(octet)).map(|n| at + n);
            let mut lines = HeaderLines::new(octets);
            for at in [at.min(octets.len()), 0, at.min(octets.len()) / 2] {
                let end = next(at, |octet| octet == b'\n').map_or(octets.len(), |n| n + 1);
                let name = next(at, |octet| !matches!(octet, b'!'..=b'~') || matches!(octet, b':' | b'?'));
                let odd = |octet: &u8| !matches!(octet, b' '..=b'~' | b'\t' | b'\r' | b'\n');
                let line = &octets[at..end];
                let bare_cr = line.windows(2).any(|pair| pair[0] == b'\r' && pair[1] != b'\n') || line.ends_with(b"\r");
                let is_suspect = line.iter().any(odd) || bare_cr || line.windows(2).any(|pair| pair == b"=?");
                let name_end = name.unwrap_or(octets.len());
                prop_assert_eq!(lines.line(at), Line { end, name_end, is_suspect });
            }
        }

        #[test]
        fn levels_agree(octets in "([!-~]{0,99}|\r\n|\r|\u{e9}|\0|=|[?]){0,20}") {
            let classes = |level| {
                let mut classes = Classes::default();
                classify(level, octets.as_bytes(), &mut classes);
                (classes.line_ends, classes.name_ends, classes.suspects, classes.any_suspect)
            };
            for level in level::all() {
                prop_assert_eq!(classes(level), classes(Level::new()));
            }
        }
    }
}
