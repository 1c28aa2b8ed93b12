//! A memory of guesses from short texts.
//!
//! A guess asks more than a hundred candidates, however short the text is. Mail may hold one short
//! text very often, as a file name in many parts, and must not cost a guess for each. A guess
//! depends on the octets alone.

use std::cell::RefCell;

use crate::charset::guess::Guess;
use crate::charset::labels::SPREAD;

/// The longest text that is remembered, in octets.
const LONGEST: usize = 16;

/// The number of guesses that are remembered, as a power of two.
const BITS: u32 = 8;

/// A short text: its octets, zero after its end, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Text(u128, usize);

thread_local! {
    static GUESSES: RefCell<[Option<(Text, Guess)>; 1 << BITS]> = const { RefCell::new([None; 1 << BITS]) };
}

impl Text {
    /// Returns the text that these octets are, unless they are too many.
    fn of(octets: &[u8]) -> Option<Self> {
        let mut text = [0; LONGEST];
        text.get_mut(..octets.len())?.copy_from_slice(octets);
        Some(Self(u128::from_le_bytes(text), octets.len()))
    }

    /// Returns the place of the guess in the memory: a hash of the text, of which the highest bits
    /// depend on every octet.
    fn place(self) -> usize {
        let folded = (self.0 >> 64) as u64 ^ (self.0 as u64).rotate_left(29) ^ self.1 as u64;
        (folded.wrapping_mul(SPREAD) >> (u64::BITS - BITS)) as usize
    }
}

/// Returns the guess for `octets` from the memory; if it is not there, `guess` makes it, and it takes
/// the place of another.
pub(super) fn remembered(octets: &[u8], guess: impl FnOnce(&[u8]) -> Guess) -> Guess {
    let Some(text) = Text::of(octets) else { return guess(octets) };
    let place = text.place();
    match GUESSES.with_borrow(|guesses| guesses[place]) {
        Some((known, guess)) if known == text => guess,
        _ => {
            let guess = guess(octets);
            GUESSES.with_borrow_mut(|guesses| guesses[place] = Some((text, guess)));
            guess
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{guess, guess_anew};

    proptest! {
        /// Texts that take each other's places are among them: there are more than places.
        #[test]
        fn what_is_remembered_is_guessed_anew(texts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..18), 300)) {
            for text in texts.iter().chain(&texts[290..]).chain(texts.iter().rev()) {
                prop_assert_eq!(guess(text), guess_anew(text));
            }
        }
    }
}
