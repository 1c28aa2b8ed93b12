//! Writing Big5-HKSCS, in which a letter and the diacritic after it may share two octets.

use super::inverse::Inverse;
use super::sink::CharWriter;

/// The characters that do, and their octets.
const SHARED: [(char, char, [u8; 2]); 4] = [
    ('Ê', '\u{304}', [0x88, 0x62]),
    ('Ê', '\u{30C}', [0x88, 0x64]),
    ('ê', '\u{304}', [0x88, 0xA3]),
    ('ê', '\u{30C}', [0x88, 0xA5]),
];

/// Writes Big5-HKSCS.
pub(super) struct Writer {
    inverse: &'static Inverse,
    /// A letter, not written yet, that may share two octets with what follows.
    held: Option<char>,
}

impl Writer {
    pub(super) fn new(inverse: &'static Inverse) -> Self {
        Self { inverse, held: None }
    }

    /// Writes what was held, together with `next` if they share two octets; returns whether they
    /// do.
    fn settle(&mut self, next: Option<char>, octets: &mut Vec<u8>) -> bool {
        let Some(held) = self.held.take() else { return false };
        let shared =
            SHARED.iter().find(|(first, second, _)| *first == held && Some(*second) == next);
        match shared {
            Some((.., pair)) => octets.extend(pair),
            None => _ = self.inverse.write_char(held, octets),
        }
        shared.is_some()
    }
}

impl CharWriter for Writer {
    fn char(&mut self, c: char, octets: &mut Vec<u8>) -> bool {
        if self.settle(Some(c), octets) {
            return true;
        }
        self.held = Some(c).filter(|c| SHARED.iter().any(|(first, ..)| first == c));
        self.held.is_some() || self.inverse.write_char(c, octets)
    }

    fn end(&mut self, octets: &mut Vec<u8>) {
        self.settle(None, octets);
    }
}
