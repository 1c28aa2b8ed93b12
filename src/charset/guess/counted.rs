//! Facts about significant octets that are the same for every candidate: which octet is next to which, and
//! how often. A text is counted once, and each candidate looks at every pair once, however often it occurs.

use std::cmp::Reverse;

use super::significant::{ANY_AFTER_HIGH, ANY_ASCII, ANY_HIGH, BREAK};

/// The pairs of a text.
#[derive(Debug)]
pub(super) struct Counted {
    /// Pairs with at least one octet above 7F, with [`BREAK`] before and after each stretch; the most
    /// frequent first.
    pub(super) pairs: Vec<Pair>,
    /// The octets after pairs, and how often they occur, pair by pair.
    nexts: Vec<(u8, usize)>,
    /// How many octets of US-ASCII come after another or at the start of a stretch: they mean the same to
    /// all.
    pub(super) ascii: usize,
    /// A bit for each octet above 7F that occurs.
    high: u128,
}

/// An octet after another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) before: u8,
    pub(super) octet: u8,
    pub(super) count: usize,
    /// Where the octets after it begin among those of all pairs, and how many there are.
    nexts: (usize, usize),
}

impl Counted {
    pub(super) fn of(significant: &[u8]) -> Self {
        let (mut keys, mut ascii, mut before) = (Vec::with_capacity(significant.len()), 0, BREAK);
        for (at, &octet) in significant.iter().enumerate() {
            match (before.is_ascii(), octet) {
                (true, BREAK) => {}
                (true, 0..0x80) => ascii += 1,
                // The next octet matters only for signs, which are not US-ASCII.
                (false, 0..0x80) => keys.push(u32::from_be_bytes([0, before, octet, 0])),
                _ => {
                    let next = significant.get(at + 1).copied().unwrap_or(BREAK);
                    keys.push(u32::from_be_bytes([0, before, octet, next]));
                }
            }
            before = octet;
        }
        keys.sort_unstable();
        let mut counted = Self { pairs: Vec::new(), nexts: Vec::new(), ascii, high: 0 };
        keys.chunk_by(|a, b| a >> 8 == b >> 8).for_each(|keys| counted.add(keys));
        // Frequent pairs are the fastest to rule out candidates.
        counted.pairs.sort_by_key(|pair| Reverse(pair.count));
        counted
    }

    /// Adds a pair, given all of its keys in order.
    fn add(&mut self, keys: &[u32]) {
        let [_, before, octet, _] = keys[0].to_be_bytes();
        let start = self.nexts.len();
        self.nexts.extend(keys.chunk_by(|a, b| a == b).map(|same| (same[0] as u8, same.len())));
        let nexts = (start, self.nexts.len() - start);
        self.pairs.push(Pair { before, octet, count: keys.len(), nexts });
        if !octet.is_ascii() {
            self.high |= 1 << (octet - 0x80);
        }
    }

    /// Returns the octets after a pair, and how often they occur.
    pub(super) fn nexts_of(&self, pair: &Pair) -> &[(u8, usize)] {
        let (start, count) = pair.nexts;
        &self.nexts[start..start + count]
    }

    /// Returns every octet above 7F that occurs, once, without its highest bit.
    pub(super) fn high(&self) -> impl Iterator<Item = usize> + use<> {
        let mut rest = self.high;
        std::iter::from_fn(move || {
            let next = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(next)
        })
    }

    /// Returns how probable the octets are if they are not text, as a logarithm.
    pub(super) fn noise(&self) -> f64 {
        let of_pair = |pair: &Pair| match pair.octet {
            BREAK => 0.0,
            0..0x80 => ANY_AFTER_HIGH * pair.count as f64,
            _ => ANY_HIGH * pair.count as f64,
        };
        self.pairs.iter().map(of_pair).sum::<f64>() + ANY_ASCII * self.ascii as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_with_what_comes_after() {
        let counted = Counted::of(b"ca\xE9 \xE9\xE8a ca\xE9b ");
        let pairs: Vec<_> =
            counted.pairs.iter().map(|pair| (pair.before, pair.octet, counted.nexts_of(pair))).collect();
        assert_eq!(
            pairs,
            [
                (b'a', 0xE9, &[(BREAK, 1), (b'b', 1)][..]),
                (BREAK, 0xE9, &[(0xE8, 1)]),
                (0xE8, b'a', &[(0, 1)]),
                (0xE9, BREAK, &[(0, 1)]),
                (0xE9, b'b', &[(0, 1)]),
                (0xE9, 0xE8, &[(b'a', 1)]),
            ]
        );
        assert_eq!(counted.ascii, 4);
        assert_eq!(counted.high().collect::<Vec<_>>(), [0x68, 0x69]);
    }
}
