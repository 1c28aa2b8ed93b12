//! Facts about significant octets that are the same for every candidate: which octet is next to
//! which, and how often. A text is counted once, and each candidate looks at every pair once,
//! however often it occurs.

use std::cmp::Reverse;

use super::log::{Sum, of_nats, times};
use super::significant::{ANY_AFTER_HIGH, ANY_ASCII, ANY_HIGH, BREAK};

/// How improbable it is beforehand (as a logarithm) that text is in a charset or language that is
/// no candidate.
const UNKNOWN: f64 = -3.0;

/// How much less probable it is for each octet above 7F but a few: the prose of a language is not
/// all of it, and its frequencies must not lose against those of the very text.
const UNKNOWN_HIGH: f64 = -0.8;
const FEW: f64 = 64.0;

/// How many octets are counted beside those of the text, so that few are not thought to be all.
const ALL_OCTETS: f64 = 80.0;

/// How many octets text in any script has at least, when it is long enough to know; an ornament has
/// fewer.
const FEWEST_LETTERS: usize = 7;

/// The logarithm of the highest share that an octet has in text of which nothing is known: many
/// apostrophes are no script.
const MOST_FREQUENT: f64 = -2.5;

/// The pairs of a text.
#[derive(Debug)]
pub(super) struct Counted {
    /// Pairs with at least one octet above 7F, with [`BREAK`] before and after each stretch; the
    /// most frequent first.
    pub(super) pairs: Vec<Pair>,
    /// The octets after pairs, and how often they occur, pair by pair.
    nexts: Vec<(u8, usize)>,
    /// How many octets of US-ASCII come after another or at the start of a stretch.
    pub(super) ascii: usize,
    /// The pairs of which both are US-ASCII, or a letter of it that begins a stretch, with their
    /// count: the same letters in every charset, but not equally frequent in every language.
    pub(super) ascii_pairs: Vec<(u8, u8, usize)>,
    /// How often each octet above 7F occurs.
    counts: [u32; 128],
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
        let (mut keys, mut ascii, mut before) =
            (Vec::with_capacity(significant.len()), Vec::new(), BREAK);
        let mut counts = [0; 128];
        for (at, &octet) in significant.iter().enumerate() {
            match (before.is_ascii(), octet) {
                (true, BREAK) => {}
                (true, 0..0x80) => ascii.push(u16::from_be_bytes([before, octet])),
                // The next octet matters only for signs, which are not US-ASCII.
                (false, 0..0x80) => keys.push(u32::from_be_bytes([0, before, octet, 0])),
                _ => {
                    let next = significant.get(at + 1).copied().unwrap_or(BREAK);
                    keys.push(u32::from_be_bytes([0, before, octet, next]));
                }
            }
            if let Some(high) = octet.checked_sub(0x80) {
                counts[usize::from(high)] += 1;
            }
            before = octet;
        }
        keys.sort_unstable();
        ascii.sort_unstable();
        let of_ascii = |same: &[u16]| {
            let [before, octet] = same[0].to_be_bytes();
            (before, octet, same.len())
        };
        let ascii_pairs = ascii.chunk_by(|a, b| a == b).map(of_ascii).collect();
        let ascii = ascii.len();
        let mut counted =
            Self { pairs: Vec::new(), nexts: Vec::new(), ascii, ascii_pairs, counts, high: 0 };
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

    /// Returns the logarithm of the octets of US-ASCII, of which nothing is known.
    pub(super) fn plain_ascii(&self) -> Sum {
        times(of_nats(ANY_ASCII), self.ascii)
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

    /// Returns how probable the octets are, as a logarithm, if they are not text, or text in none
    /// of the candidates.
    pub(super) fn noise(&self) -> f64 {
        self.chance().max(self.of_no_candidate())
    }

    /// Returns how probable the octets are as text of which nothing is known but that some octets
    /// are more frequent than others: each octet above 7F by its share, with what it costs to say
    /// which octets these are.
    fn of_no_candidate(&self) -> f64 {
        if self.counts.iter().filter(|count| **count > 0).count() < FEWEST_LETTERS {
            return f64::MIN;
        }
        let all = f64::from(self.counts.iter().sum::<u32>());
        let cost = all.ln() / 6.0;
        let of_octet = |&count: &u32| {
            let count = f64::from(count);
            count * (count / (all + ALL_OCTETS)).ln().min(MOST_FREQUENT) - cost
        };
        let high: f64 = self.counts.iter().filter(|count| **count > 0).map(of_octet).sum();

        let after_high =
            self.pairs.iter().filter(|pair| pair.octet.is_ascii() && pair.octet != BREAK);
        let after_high: usize = after_high.map(|pair| pair.count).sum();
        let ascii = ANY_AFTER_HIGH * after_high as f64 + ANY_ASCII * self.ascii as f64;
        UNKNOWN + high + UNKNOWN_HIGH * (all - FEW).max(0.0) + ascii
    }

    /// Returns how probable the octets are if they are not text, as a logarithm.
    fn chance(&self) -> f64 {
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
        let pairs: Vec<_> = counted
            .pairs
            .iter()
            .map(|pair| (pair.before, pair.octet, counted.nexts_of(pair)))
            .collect();
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
