//! How probable octets are as text of one language in a single-byte charset.

use super::language::{BREAK, Language, is_letter};
use super::signs::{self, Place};
use super::telling;
use crate::Charset;

/// An octet in a charset, to a language.
#[derive(Clone, Copy, Debug)]
enum Octet {
    Letter {
        number: u8,
        is_upper: bool,
    },
    Sign(char),
    /// ASCII that is no letter.
    Plain,
    Unassigned,
}

/// The octets of a charset, to a language.
#[derive(Debug)]
pub(super) struct Reader {
    language: &'static Language,
    octets: Vec<Octet>,
}

/// What stood before.
#[derive(Clone, Copy)]
struct Before {
    octet: u8,
    number: usize,
    case: Case,
    is_high: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    None,
    Upper,
    Lower,
}

/// How probable an octet is that the charset does not have.
const UNASSIGNED: f64 = 1e-7;

/// How probable ASCII is beside ASCII: the same for all.
const ASCII: f64 = 0.05;

impl Before {
    const NOTHING: Self = Self { octet: 0, number: BREAK, case: Case::None, is_high: false };
}

impl Reader {
    pub(super) fn new(charset: Charset, language: &'static Language) -> Self {
        let octet = |octet: u8| {
            let octet = [octet];
            let text = charset.decode_lossless(&octet);
            match text.and_then(|text| text.chars().next()) {
                None => Octet::Unassigned,
                // No program of DOS wrote its blank that joins words: FF is a letter elsewhere, or no text.
                Some('\u{A0}') if octet == [0xFF] => Octet::Unassigned,
                Some(c) if is_letter(c) => {
                    let letter = language.letter(c);
                    Octet::Letter { number: letter.number as u8, is_upper: letter.is_upper }
                }
                Some(c) if c.is_ascii() => Octet::Plain,
                Some(c) => Octet::Sign(c),
            }
        };
        Self { language, octets: (0..=255).map(octet).collect() }
    }

    /// The logarithm of the probability, and how many letters above 7F were among them.
    pub(super) fn score(&self, telling: &[u8]) -> (f64, usize) {
        let (mut score, mut letters) = (0.0, 0);
        for stretch in telling::stretches(telling) {
            // Few logarithms: a product is taken as long as it is no denormal number.
            let (mut product, mut before) = (1.0_f64, Before::NOTHING);
            for (at, &octet) in stretch.iter().enumerate() {
                let (probability, now) = self.step(before, octet, stretch.get(at + 1));
                letters += usize::from(now.number != BREAK && now.is_high);
                product *= probability;
                before = now;
                if product < 1e-200 {
                    score += product.ln();
                    product = 1.0;
                }
            }
            if before.is_high && before.number != BREAK {
                product *= self.language.after(before.number, BREAK);
            }
            score += product.ln();
        }
        (score, letters)
    }

    fn step(&self, before: Before, octet: u8, next: Option<&u8>) -> (f64, Before) {
        let is_high = !octet.is_ascii();
        match self.octets[usize::from(octet)] {
            Octet::Letter { number, is_upper } => {
                let number = usize::from(number);
                let case = if is_upper { Case::Upper } else { Case::Lower };
                let probability = match is_high || before.is_high {
                    true => self.language.after(before.number, number) * case_after(before.case, case),
                    false => ASCII,
                };
                (probability, Before { octet, number, case, is_high })
            }
            Octet::Plain if before.is_high && before.number != BREAK => {
                (self.language.after(before.number, BREAK), Before::NOTHING)
            }
            Octet::Plain => (ASCII, Before::NOTHING),
            Octet::Sign(sign) => {
                let is_letter = |next: &u8| matches!(self.octets[usize::from(*next)], Octet::Letter { .. });
                let place = Place {
                    after_letter: before.number != BREAK,
                    before_letter: next.is_some_and(is_letter),
                    is_again: before.octet == octet,
                };
                (signs::probability(sign, place), Before { octet, is_high, ..Before::NOTHING })
            }
            Octet::Unassigned => (UNASSIGNED, Before { is_high, ..Before::NOTHING }),
        }
    }
}

/// How probable the case of a letter is after that of the one before: words have small letters after the first, or none.
fn case_after(before: Case, case: Case) -> f64 {
    match (before, case) {
        (Case::Lower, Case::Upper) => 0.001,
        (Case::Lower, _) => 0.999,
        (Case::Upper, Case::Upper) => 0.35,
        (Case::Upper, _) => 0.65,
        (Case::None, Case::Upper) => 0.12,
        (Case::None, _) => 0.88,
    }
}
