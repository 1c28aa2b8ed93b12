//! Guesses for short texts, remembered.
//!
//! A guess costs some 13,000 instructions however short the text is: the state of 27 candidates is made, fed and asked. Mail
//! that holds one short text again and again, as no honest mail does, is not to cost that for each.

use std::cell::RefCell;

use crate::Charset;

/// The longest text that is remembered, in octets.
const MOST: usize = 16;

/// How many are remembered, by a power of two.
const BITS: u32 = 8;

/// A short text: its octets, those behind its end zero, and its length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Text(u128, u8);

thread_local! {
    static GUESSES: RefCell<[Option<(Text, Charset)>; 1 << BITS]> = const { RefCell::new([None; 1 << BITS]) };
}

impl Text {
    pub(super) fn of(octets: &[u8]) -> Option<Self> {
        let mut text = [0; MOST];
        text.get_mut(..octets.len())?.iter_mut().zip(octets).for_each(|(to, &octet)| *to = octet);
        Some(Self(u128::from_le_bytes(text), octets.len() as u8))
    }

    /// Where it is remembered, if it is: a multiplication brings something of each octet into the topmost bits.
    fn place(self) -> usize {
        let folded = (self.0 >> 64) as u64 ^ (self.0 as u64).rotate_left(29) ^ u64::from(self.1);
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - BITS)) as usize
    }
}

/// The charset of `text`, asked of `guess` where it is not remembered.
pub(super) fn known(text: Text, guess: impl FnOnce() -> Charset) -> Charset {
    let place = text.place();
    let known = GUESSES.with_borrow(|guesses| guesses[place]);
    match known {
        Some((known, charset)) if known == text => charset,
        _ => {
            let charset = guess();
            GUESSES.with_borrow_mut(|guesses| guesses[place] = Some((text, charset)));
            charset
        }
    }
}
