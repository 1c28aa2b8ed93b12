//! The upper half of a single-byte charset: its characters, which of them are letters, and how
//! probable signs are.

use super::language::{Language, is_letter};
use super::log::{Log, log};
use super::signs::{self, Surroundings};
use crate::Charset;
use crate::ascii::is_printable;

/// The characters of a charset.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) charset: Charset,
    /// The characters of the octets above 7F; U+FFFD for those that it does not have.
    high: [char; 128],
    octets: [Octet; 256],
    /// How probable each sign is, by whether letters precede and follow it.
    signs: Vec<[[Log; 2]; 2]>,
    /// How probable each sign is after itself.
    again: Vec<Log>,
    /// The number of the apostrophe among the signs.
    apostrophe: Option<u8>,
}

/// An octet in a charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Octet {
    Letter(char),
    /// Its number among the signs.
    Sign(u8),
    /// ASCII that is not a letter.
    Plain,
    Unassigned,
}

/// How probable a sign is at its place.
type Signs = fn(char, Surroundings) -> f64;

impl Page {
    pub(super) fn new(charset: Charset) -> Self {
        Self::read_as(charset, is_letter, signs::probability)
    }

    /// Returns the page for ornaments, in which `ø` is a sign like any other.
    pub(super) fn of_ornaments(charset: Charset) -> Self {
        Self::read_as(charset, |c| is_letter(c) && c != 'ø', signs::probability_in_ornament)
    }

    fn read_as(charset: Charset, is_letter: fn(char) -> bool, probability: Signs) -> Self {
        let mut page = Self {
            charset,
            high: [char::REPLACEMENT_CHARACTER; 128],
            octets: [Octet::Unassigned; 256],
            signs: Vec::new(),
            again: Vec::new(),
            apostrophe: None,
        };
        for octet in 0..=255_u8 {
            let octets = [octet];
            // Some have letters in place of controls, but none in place of US-ASCII.
            let found = if is_printable(octet) {
                Some(char::from(octet))
            } else {
                charset.decode_lossless(&octets).and_then(|text| text.chars().next())
            };
            if let (Some(c), Some(high)) = (found, octet.checked_sub(0x80)) {
                page.high[usize::from(high)] = c;
            }
            page.octets[usize::from(octet)] = match found {
                None => Octet::Unassigned,
                // No program of DOS wrote its blank that joins words: FF is a letter elsewhere, or
                // no text.
                Some('\u{A0}') if octet == 0xFF => Octet::Unassigned,
                Some(c) if is_letter(c) => Octet::Letter(c),
                Some(c) if c.is_ascii() => Octet::Plain,
                Some(c) => page.add_sign(c, probability),
            };
        }
        page
    }

    /// Returns how many letters of a language the charset does not have.
    pub(super) fn count_missing(&self, language: &Language) -> usize {
        language.letters().filter(|c| !self.octets.contains(&Octet::Letter(*c))).count()
    }

    fn add_sign(&mut self, sign: char, probability: Signs) -> Octet {
        let at = |after_letter, before_letter| {
            log(probability(sign, Surroundings { after_letter, before_letter }))
        };
        self.signs.push([false, true].map(|after| [false, true].map(|before| at(after, before))));
        self.again.push(log(signs::again(sign)));
        let number = self.signs.len() as u8 - 1;
        if sign == '’' {
            self.apostrophe = Some(number);
        }
        Octet::Sign(number)
    }

    /// Returns how probable a sign is after itself.
    pub(super) fn sign_again(&self, number: u8) -> Log {
        self.again[usize::from(number)]
    }

    pub(super) fn octet(&self, octet: u8) -> Octet {
        self.octets[usize::from(octet)]
    }

    /// Returns how probable a sign is by what surrounds it.
    pub(super) fn sign(&self, number: u8, after_letter: bool, before_letter: bool) -> Log {
        self.signs[usize::from(number)][usize::from(after_letter)][usize::from(before_letter)]
    }

    /// Returns whether a sign is an apostrophe.
    pub(super) fn is_apostrophe(&self, number: u8) -> bool {
        self.apostrophe == Some(number)
    }

    /// Returns whether octets above 7F (without that bit) are the same text in another charset.
    pub(super) fn reads_alike(&self, other: &Self, mut high: impl Iterator<Item = usize>) -> bool {
        high.all(|octet| self.high[octet] == other.high[octet])
    }
}
