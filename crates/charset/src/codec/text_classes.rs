//! The classes of the octets of header text, a bit for each octet in words of 64 bits: finding the
//! next character, the end of a word, or how much an encoding takes is arithmetic on bits.

use std::ops::Range;

use fearless_simd::{Simd, dispatch, prelude::*};

use super::lanes::{before, ending};
use super::level::Level;
use super::quoted_printable::{self, QLiterals};

/// Bits for all octets of a text, and for its end.
#[derive(Clone, Debug, Default)]
pub struct TextClasses {
    inline: [Window; INLINE],
    /// All windows, if there are more.
    allocated: Vec<Window>,
    suspect: bool,
}

/// Bits for 64 octets; the first octet's is the lowest. Past the text all are 0, except for its
/// end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Spaces.
    pub spaces: u64,
    /// Octets above 7F.
    pub high: u64,
    /// Those of 80 to BF: in UTF-8, all but the first of a character.
    pub inner: u64,
    /// Octets that Q writes as an escape.
    pub escaped: u64,
    /// The octet after a word of US-ASCII: a space, or the end of the text.
    pub after_ascii_word: u64,
}

/// How many octets a window describes.
pub const WINDOW: usize = 64;

/// How many windows need no allocation: most header text is shorter.
const INLINE: usize = 5;

impl TextClasses {
    /// Returns the classes of `text`, for words that may contain what is `allowed`.
    #[inline]
    pub fn of(text: &[u8], allowed: QLiterals) -> Self {
        let mut classes = Self::default();
        classes.mark(text, allowed);
        classes
    }

    /// Marks the octets of `text` in classes that are new. They may not be moved before they are
    /// read: a move of the whole waits for its parts to be stored.
    #[inline]
    pub fn mark(&mut self, text: &[u8], allowed: QLiterals) {
        self.mark_by(Level::new(), text, allowed);
    }

    fn mark_by(&mut self, level: Level, text: &[u8], allowed: QLiterals) {
        let count = text.len() / WINDOW + 1;
        let windows = if count > INLINE {
            self.allocated.resize(count, Window::default());
            &mut self.allocated
        } else {
            &mut self.inline[..count]
        };
        // Apart, so that the literals of the usual place are compiled without those of others.
        self.suspect = dispatch!(level, simd => match allowed {
            QLiterals::Printable => classify(simd, text, QLiterals::Printable, windows),
            _ => classify(simd, text, allowed, windows),
        });
    }

    /// Returns whether there may be a control among the octets, or the beginning of an
    /// encoded-word: if not, there is none.
    #[inline]
    pub fn is_suspect(&self) -> bool {
        self.suspect
    }

    /// Returns the first octet of a class from `at` on, or the end of the text if that is of the
    /// class.
    #[inline]
    pub fn next(&self, at: usize, class: impl Fn(&Window) -> u64) -> Option<usize> {
        let mut ahead = u64::MAX << (at % WINDOW);
        for (number, window) in self.windows().iter().enumerate().skip(at / WINDOW) {
            ahead &= class(window);
            if ahead != 0 {
                return Some(WINDOW * number + ahead.trailing_zeros() as usize);
            }
            ahead = u64::MAX;
        }
        None
    }

    /// Returns the bits of a class for 64 octets from `at` on.
    #[inline]
    pub fn from(&self, at: usize, class: impl Fn(&Window) -> u64) -> u64 {
        let bits = |number: usize| self.windows().get(number).map_or(0, &class);
        let (number, within) = (at / WINDOW, at % WINDOW);
        bits(number) >> within | bits(number + 1) << 1 << (WINDOW - 1 - within)
    }

    /// Returns the number of octets in `range` that are of a class.
    #[inline]
    pub fn count(&self, range: Range<usize>, class: impl Fn(&Window) -> u64) -> usize {
        let starts = range.clone().step_by(WINDOW);
        starts
            .map(|at| (self.from(at, &class) & before(range.end - at)).count_ones() as usize)
            .sum()
    }

    #[inline]
    fn windows(&self) -> &[Window] {
        if self.allocated.is_empty() { &self.inline } else { &self.allocated }
    }
}

#[inline(always)]
fn classify<S: Simd>(simd: S, text: &[u8], allowed: QLiterals, windows: &mut [Window]) -> bool {
    let mut suspect = 0;
    let mut words = Words::default();
    for (number, window) in windows.iter_mut().enumerate() {
        let start = number * WINDOW;
        for at in (start..text.len().min(start + WINDOW)).step_by(S::u8s::LEN) {
            suspect |= classify_vector(simd, text, at, allowed, window);
        }
        words.mark(window, text.len() - start);
    }
    suspect != 0
}

/// Adds the classes of the vector at `at`, and returns the bits of suspect octets.
#[inline(always)]
fn classify_vector<S: Simd>(
    simd: S,
    text: &[u8],
    at: usize,
    allowed: QLiterals,
    window: &mut Window,
) -> u64 {
    let left = text.len() - at;
    // For a vector that begins before `at`, the first bits are shifted out.
    let (octets, shift) = match text.len().checked_sub(S::u8s::LEN) {
        Some(last) => {
            let start = at.min(last);
            (S::u8s::from_slice(simd, &text[start..start + S::u8s::LEN]), at - start)
        }
        None => (ending(simd, text, 0), 0),
    };
    let in_text = before(left);
    let bits = |class: S::mask8s| (class.to_bitmask() >> shift & in_text) << (at % WINDOW);
    window.spaces |= bits(octets.simd_eq(b' '));
    window.high |= bits(octets.simd_ge(0x80));
    window.inner |= bits((octets & 0xC0).simd_eq(0x80));
    window.escaped |= bits(!quoted_printable::literals(octets, allowed));
    // C2 begins controls of C1.
    let control = octets.simd_lt(b' ') | octets.simd_eq(0x7F) | octets.simd_eq(0xC2);
    bits(control | octets.simd_eq(b'?'))
}

/// State of words from window to window: which of them are US-ASCII.
#[derive(Default)]
struct Words {
    /// Whether the last octet was part of a word, and of one that is not US-ASCII.
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
        let after_high = ((sum ^ words) | window.high) & words;
        let after_high_before = after_high << 1 | u64::from(self.inside_high);
        window.after_ascii_word =
            (words << 1 | u64::from(self.inside)) & !words & !after_high_before;
        self.inside = words >> (WINDOW - 1) != 0;
        self.inside_high = over | over_again;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;

    /// Returns the places for which `is` holds.
    fn places(end: usize, is: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..end).filter(|&at| is(at)).collect()
    }

    fn marked(classes: &TextClasses, end: usize, of: impl Fn(&Window) -> u64) -> Vec<usize> {
        let mut at = 0;
        let next = std::iter::from_fn(|| {
            let found = classes.next(at, &of)?;
            at = found + 1;
            Some(found)
        });
        let found: Vec<usize> = next.collect();
        for at in 0..=end {
            let naive = found.iter().filter(|&&n| (at..at + WINDOW).contains(&n));
            assert_eq!(
                classes.from(at, &of),
                naive.clone().fold(0, |bits, n| bits | 1 << (n - at))
            );
            assert_eq!(
                classes.count(at / 2..at, &of),
                found.iter().filter(|&&n| (at / 2..at).contains(&n)).count()
            );
        }
        found
    }

    proptest! {
        #[test]
        fn classes_are_what_octets_are(
            text in "([ -~]{0,20}|[a-z \u{e9}\u{4e00}\0]{0,9}|[a-z]{60,70}|[а-я]{30,40}| ){0,12}",
            others in proptest::collection::vec(any::<u8>(), 0..100),
        ) {
            for text in [text.as_bytes(), &others] {
                let end = text.len();
                let after_ascii_word = |at: usize| {
                    let word = text[..at].rsplit(|&o| o == b' ').next().unwrap_or_default();
                    text.get(at).is_none_or(|&o| o == b' ') && !word.is_empty() && word.is_ascii()
                };
                for allowed in [QLiterals::Printable, QLiterals::Restricted, QLiterals::NoDelimiters] {
                    for level in level::all() {
                        let mut classes = TextClasses::default();
                        classes.mark_by(level, text, allowed);
                        prop_assert_eq!(marked(&classes, end, |w| w.spaces), places(end, |n| text[n] == b' '));
                        prop_assert_eq!(marked(&classes, end, |w| w.high), places(end, |n| text[n] >= 0x80));
                        prop_assert_eq!(
                            marked(&classes, end, |w| w.inner),
                            places(end, |n| (0x80..0xC0).contains(&text[n]))
                        );
                        prop_assert_eq!(
                            marked(&classes, end, |w| w.escaped),
                            places(end, |n| !quoted_printable::is_q_literal(text[n], allowed))
                        );
                        prop_assert_eq!(marked(&classes, end, |w| w.after_ascii_word), places(end + 1, after_ascii_word));
                        prop_assert_eq!(
                            classes.is_suspect(),
                            text.iter().any(|&o| matches!(o, 0..=0x1F | 0x7F | 0xC2 | b'?'))
                        );
                    }
                }
            }
        }
    }
}
