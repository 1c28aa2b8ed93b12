//! What the octets of header text are, as words of a bit for each of 64: who looks for the next character, for where words
//! end or for how much an encoding takes does arithmetic on bits.

use std::ops::Range;

use fearless_simd::{Simd, dispatch, prelude::*};

use super::lanes::{before, ending};
use super::level::Level;
use super::quoted::{self, Place};

/// Bits for all octets of a text, and for its end.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    few: [Window; FEW],
    many: Vec<Window>,
    suspect: bool,
}

/// Bits for 64 octets, the first one the lowest. There are none behind the text, but for its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) spaces: u64,
    /// Octets above 7F.
    pub(crate) high: u64,
    /// Those of 80 to BF: in UTF-8, all but the first of a character.
    pub(crate) inner: u64,
    /// What Q writes as an escape.
    pub(crate) escaped: u64,
    /// What stands behind words of US-ASCII.
    pub(crate) behind_plain: u64,
}

/// How many octets a window is about.
pub(crate) const WINDOW: usize = 64;

/// How many windows take no memory: most header text is shorter.
const FEW: usize = 5;

impl Marks {
    /// Of `text`, and for words in `place`.
    #[inline]
    pub(crate) fn of(text: &[u8], place: Place) -> Self {
        Self::by(Level::new(), text, place)
    }

    fn by(level: Level, text: &[u8], place: Place) -> Self {
        let (mut few, mut many) = ([Window::default(); FEW], Vec::new());
        let count = text.len() / WINDOW + 1;
        let windows = if count > FEW {
            many.resize(count, Window::default());
            &mut many
        } else {
            &mut few[..count]
        };
        let suspect = dispatch!(level, simd => look(simd, text, place, windows));
        Self { few, many, suspect }
    }

    /// Whether a control may be among the octets, or the mark of an encoded-word: nothing of that is without these.
    #[inline]
    pub(crate) fn is_suspect(&self) -> bool {
        self.suspect
    }

    /// The first marked octet from `at` on, or the end of the text if that is marked.
    #[inline]
    pub(crate) fn next(&self, at: usize, marked: impl Fn(&Window) -> u64) -> Option<usize> {
        let mut ahead = u64::MAX << (at % WINDOW);
        for (number, window) in self.windows().iter().enumerate().skip(at / WINDOW) {
            ahead &= marked(window);
            if ahead != 0 {
                return Some(WINDOW * number + ahead.trailing_zeros() as usize);
            }
            ahead = u64::MAX;
        }
        None
    }

    /// The marks of 64 octets from `at` on.
    #[inline]
    pub(crate) fn from(&self, at: usize, marked: impl Fn(&Window) -> u64) -> u64 {
        let bits = |number: usize| self.windows().get(number).map_or(0, &marked);
        let (number, within) = (at / WINDOW, at % WINDOW);
        bits(number) >> within | bits(number + 1) << 1 << (WINDOW - 1 - within)
    }

    /// How many octets of `range` are marked.
    #[inline]
    pub(crate) fn count(&self, range: Range<usize>, marked: impl Fn(&Window) -> u64) -> usize {
        let starts = range.clone().step_by(WINDOW);
        starts.map(|at| (self.from(at, &marked) & before(range.end - at)).count_ones() as usize).sum()
    }

    #[inline]
    fn windows(&self) -> &[Window] {
        if self.many.is_empty() { &self.few } else { &self.many }
    }
}

#[inline(always)]
fn look<S: Simd>(simd: S, text: &[u8], place: Place, windows: &mut [Window]) -> bool {
    let mut suspect = 0;
    let mut words = Words::default();
    for (number, window) in windows.iter_mut().enumerate() {
        let start = number * WINDOW;
        for at in (start..text.len().min(start + WINDOW)).step_by(S::u8s::LEN) {
            suspect |= look_at_vector(simd, text, at, place, window);
        }
        words.mark(window, text.len() - start);
    }
    suspect != 0
}

/// Adds the marks of the vector at `at`, and gives those of what is suspect.
#[inline(always)]
fn look_at_vector<S: Simd>(simd: S, text: &[u8], at: usize, place: Place, window: &mut Window) -> u64 {
    let left = text.len() - at;
    // Of a vector that begins before `at` the first bits are shifted out.
    let (octets, shift) = match text.len().checked_sub(S::u8s::LEN) {
        Some(last) => {
            let start = at.min(last);
            (S::u8s::from_slice(simd, &text[start..start + S::u8s::LEN]), at - start)
        }
        None => (ending(simd, text, 0), 0),
    };
    let there = before(left);
    let bits = |marked: S::mask8s| (marked.to_bitmask() >> shift & there) << (at % WINDOW);
    window.spaces |= bits(octets.simd_eq(b' '));
    window.high |= bits(octets.simd_ge(0x80));
    window.inner |= bits((octets & 0xC0).simd_eq(0x80));
    window.escaped |= bits(!quoted::literals(octets, place));
    // C2 begins controls of C1.
    let control = octets.simd_lt(b' ') | octets.simd_eq(0x7F) | octets.simd_eq(0xC2);
    bits(control | octets.simd_eq(b'?'))
}

/// Words from window to window: which of them are US-ASCII.
#[derive(Default)]
struct Words {
    /// Whether the last octet was part of one, and of one that is not US-ASCII.
    inside: bool,
    inside_high: bool,
}

impl Words {
    #[inline(always)]
    fn mark(&mut self, window: &mut Window, left: usize) {
        let words = !window.spaces & before(left);
        // Adding a one carries it on to the end of its word.
        let (sum, over) = words.overflowing_add(window.high);
        let (sum, over_again) = sum.overflowing_add(self.inside_high.into());
        let behind_high = ((sum ^ words) | window.high) & words;
        let behind_high_before = behind_high << 1 | u64::from(self.inside_high);
        window.behind_plain = (words << 1 | u64::from(self.inside)) & !words & !behind_high_before;
        self.inside = words >> (WINDOW - 1) != 0;
        self.inside_high = over | over_again;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;

    /// The places for which `is` holds.
    fn places(end: usize, is: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..end).filter(|&at| is(at)).collect()
    }

    fn marked(marks: &Marks, end: usize, of: impl Fn(&Window) -> u64) -> Vec<usize> {
        let mut at = 0;
        let next = std::iter::from_fn(|| {
            let found = marks.next(at, &of)?;
            at = found + 1;
            Some(found)
        });
        let found: Vec<usize> = next.collect();
        for at in 0..=end {
            let naive = found.iter().filter(|&&n| (at..at + WINDOW).contains(&n));
            assert_eq!(marks.from(at, &of), naive.clone().fold(0, |bits, n| bits | 1 << (n - at)));
            assert_eq!(
                marks.count(at / 2..at, &of),
                found.iter().filter(|&&n| (at / 2..at).contains(&n)).count()
            );
        }
        found
    }

    proptest! {
        #[test]
        fn marks_are_what_octets_are(
            text in "([ -~]{0,20}|[a-z \u{e9}\u{4e00}\0]{0,9}|[a-z]{60,70}|[а-я]{30,40}| ){0,12}",
            others in proptest::collection::vec(any::<u8>(), 0..100),
        ) {
            for text in [text.as_bytes(), &others] {
                let end = text.len();
                let behind_plain = |at: usize| {
                    let word = text[..at].rsplit(|&o| o == b' ').next().unwrap_or_default();
                    text.get(at).is_none_or(|&o| o == b' ') && !word.is_empty() && word.is_ascii()
                };
                for place in [Place::Unstructured, Place::Phrase, Place::Comment] {
                    for level in level::all() {
                        let marks = Marks::by(level, text, place);
                        prop_assert_eq!(marked(&marks, end, |w| w.spaces), places(end, |n| text[n] == b' '));
                        prop_assert_eq!(marked(&marks, end, |w| w.high), places(end, |n| text[n] >= 0x80));
                        prop_assert_eq!(
                            marked(&marks, end, |w| w.inner),
                            places(end, |n| (0x80..0xC0).contains(&text[n]))
                        );
                        prop_assert_eq!(
                            marked(&marks, end, |w| w.escaped),
                            places(end, |n| !quoted::is_literal_in(text[n], place))
                        );
                        prop_assert_eq!(marked(&marks, end, |w| w.behind_plain), places(end + 1, behind_plain));
                        prop_assert_eq!(
                            marks.is_suspect(),
                            text.iter().any(|&o| matches!(o, 0..=0x1F | 0x7F | 0xC2 | b'?'))
                        );
                    }
                }
            }
        }
    }
}
