//! The words of a mailbox: where its display name and its addr-spec end, from bit masks.

use fearless_simd::{Simd, SimdBase, SimdMask, dispatch, u8x64};

use super::level::{Level, picking};

/// The first 64 octets of a mailbox, classified at once, since a loop takes ten instructions for
/// each octet. Words are made of what most names and addresses consist of: letters, digits, `-`,
/// `_` and `.`.
#[derive(Debug)]
pub struct AddressWords<'o> {
    octets: &'o [u8],
    classes: Classes,
}

/// A bit for each octet; the first octet's is the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Classes {
    words: u64,
    spaces: u64,
    /// What may not be in an addr-spec: an octet between labels, such as a dot, after another one,
    /// or a hyphen after another one, as in A-labels, which some readers show differently.
    faults: u64,
}

const WINDOW: usize = 64;

impl<'o> AddressWords<'o> {
    /// Returns the words of `octets`, if vectors are fast enough here.
    #[inline]
    pub fn of(octets: &'o [u8]) -> Option<Self> {
        picking().map(|level| Self { octets, classes: Classes::of(level, octets) })
    }

    /// Returns the length of the words and spaces at the start.
    #[inline]
    pub fn phrase_len(&self) -> usize {
        (!(self.classes.words | self.classes.spaces)).trailing_zeros() as usize
    }

    /// Returns the end of the `dot-atom "@" dot-atom` that begins at `from`, where no word was
    /// before.
    #[inline]
    pub fn spec_end(&self, from: usize) -> Option<usize> {
        let at = self.word_end(from)?;
        let end = self.word_end(at + 1)?;
        let within = u64::MAX << from & u64::MAX >> (WINDOW - 1 - end);
        (self.octets.get(at) == Some(&b'@') && self.classes.faults & within == 0).then_some(end)
    }

    /// Returns the first octet at `from` or after it that is not of a word.
    #[inline]
    fn word_end(&self, from: usize) -> Option<usize> {
        let rest = !self.classes.words & u64::MAX.checked_shl(u32::try_from(from).ok()?)?;
        (rest != 0).then(|| rest.trailing_zeros() as usize)
    }
}

impl Classes {
    #[inline]
    fn of(level: Level, octets: &[u8]) -> Self {
        let last;
        let window = match octets.first_chunk() {
            Some(window) => window,
            None => {
                last = padded(octets);
                &last
            }
        };
        dispatch!(level, simd => Self::by(simd, window))
    }

    #[inline(always)]
    fn by<S: Simd>(simd: S, window: &[u8; WINDOW]) -> Self {
        let octets = u8x64::from_slice(simd, window);
        let (dots, hyphens) = (octets.simd_eq(b'.'), octets.simd_eq(b'-').to_bitmask());
        let letters = ((octets | 0x20) - b'a').simd_lt(26);
        // Hyphens, dots and digits, if not for the slash.
        let others = (octets - b'-').simd_lt(13) & !octets.simd_eq(b'/');
        let words = (letters | others | octets.simd_eq(b'_')).to_bitmask();
        let between = !words | dots.to_bitmask();
        Self {
            words,
            spaces: octets.simd_eq(b' ').to_bitmask(),
            faults: between & (between << 1 | 1) | hyphens & hyphens << 1,
        }
    }
}

/// Returns octets with others after them, which are of no word.
#[inline]
fn padded(octets: &[u8]) -> [u8; WINDOW] {
    let mut window = [0; WINDOW];
    window[..octets.len()].copy_from_slice(octets);
    window
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;

    fn is_word(octet: &u8) -> bool {
        octet.is_ascii_alphanumeric() || b"-_.".contains(octet)
    }

    fn naive_end(octets: &[u8]) -> Option<usize> {
        let end_of =
            |octets: &[u8]| octets.iter().position(|octet| !is_word(octet)).unwrap_or(octets.len());
        let at = end_of(octets);
        let end = at + 1 + end_of(octets[at..].strip_prefix(b"@")?);
        let labels = || octets[..end].split(|octet| b".@".contains(octet));
        let is_plain =
            |label: &[u8]| !label.is_empty() && !label.windows(2).any(|pair| pair == b"--");
        (end < WINDOW && labels().all(is_plain)).then_some(end)
    }

    proptest! {
        #[test]
        fn words_end_where_a_loop_says(text in "([a-z]{1,9}|[A-Z0-9]|[-._@ /<:;`{\\[^]|\u{e9}|\r\n|[a-z]{30}){0,12}") {
            let octets = text.as_bytes();
            for level in level::all() {
                let words = AddressWords { octets, classes: Classes::of(level, octets) };
                let phrase = octets.iter().take_while(|octet| is_word(octet) || **octet == b' ').count();
                prop_assert_eq!(words.phrase_len(), phrase.min(WINDOW));
                prop_assert_eq!(words.spec_end(0), naive_end(octets));
                if phrase < octets.len().min(WINDOW) {
                    let end = naive_end(&octets[phrase + 1..]).map(|end| phrase + 1 + end);
                    prop_assert_eq!(words.spec_end(phrase + 1), end.filter(|&end| end < WINDOW));
                }
            }
        }
    }
}
