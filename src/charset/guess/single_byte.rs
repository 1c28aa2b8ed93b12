//! How probable octets are as text of one language in a single-byte charset.

use std::sync::LazyLock;

use super::counted::{Counted, Pair};
use super::language::{BREAK as NO_LETTER, Language};
use super::log::{Log, Sum, log, times};
use super::page::{Octet, Page};
use super::significant::BREAK;
use super::signs;

/// The octets of a charset from the point of view of a language.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) page: &'static Page,
    language: &'static Language,
    letters: Box<[Letter; 256]>,
}

/// An octet from the point of view of a language, if it is a letter.
#[derive(Clone, Copy, Debug)]
struct Letter {
    number: u8,
    case: Case,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    None,
    Upper,
    Lower,
}

/// The logarithms that do not depend on the language.
struct Fixed {
    /// An octet that the charset does not have.
    unassigned: Log,
    /// ASCII next to ASCII: the same for all.
    ascii: Log,
    sign_again: Log,
    /// The case of a letter, by that of the one before.
    cases: [[Log; 3]; 3],
}

static FIXED: LazyLock<Fixed> = LazyLock::new(|| {
    let cases = [Case::None, Case::Upper, Case::Lower];
    Fixed {
        unassigned: log(1e-7),
        ascii: log(0.05),
        sign_again: log(signs::AGAIN),
        cases: cases.map(|before| cases.map(|case| log(case_after(before, case)))),
    }
});

impl Letter {
    const NONE: Self = Self { number: NO_LETTER as u8, case: Case::None };

    fn is_letter(self) -> bool {
        self.case != Case::None
    }
}

impl Reader {
    pub(super) fn new(page: &'static Page, language: &'static Language) -> Self {
        let mut letters = Box::new([Letter::NONE; 256]);
        for (octet, letter) in (0..=255).zip(letters.iter_mut()) {
            if let Octet::Letter(c) = page.octet(octet) {
                let of_language = language.letter(c);
                let case = if of_language.is_upper { Case::Upper } else { Case::Lower };
                *letter = Letter { number: of_language.number as u8, case };
            }
        }
        Self { page, language, letters }
    }

    /// Returns the logarithm of the probability of the most frequent pairs.
    pub(super) fn rough_score(&self, counted: &Counted) -> Sum {
        /// With this many, the best one is usually the best with all of them.
        const FEW: usize = 16;
        let fixed = &*FIXED;
        counted.pairs.iter().take(FEW).map(|pair| self.score_pair(pair, counted, fixed)).sum()
    }

    /// Returns the logarithm of the probability; `None` if that is below `floor`.
    pub(super) fn score(&self, counted: &Counted, floor: Sum) -> Option<Sum> {
        let fixed = &*FIXED;
        let mut score = times(fixed.ascii, counted.ascii);
        for pair in &counted.pairs {
            score += self.score_pair(pair, counted, fixed);
            if score < floor {
                return None;
            }
        }
        Some(score)
    }

    #[inline(always)]
    fn score_pair(&self, pair: &Pair, counted: &Counted, fixed: &Fixed) -> Sum {
        let (before, letter) =
            (self.letters[usize::from(pair.before)], self.letters[usize::from(pair.octet)]);
        if letter.is_letter() {
            let after = self.language.log_after(before.number, letter.number);
            return times(after + fixed.cases[before.case as usize][letter.case as usize], pair.count);
        }
        self.score_other(pair, before, counted, fixed)
    }

    /// Returns the logarithm of the probability of an octet that is not a letter after `before`.
    #[inline(never)]
    fn score_other(&self, pair: &Pair, before: Letter, counted: &Counted, fixed: &Fixed) -> Sum {
        match self.page.octet(pair.octet) {
            Octet::Plain if before.is_letter() => {
                times(self.language.log_after(before.number, Letter::NONE.number), pair.count)
            }
            // A stretch ends where all candidates agree that it does.
            Octet::Plain if pair.octet == BREAK => 0,
            Octet::Plain => times(fixed.ascii, pair.count),
            Octet::Sign(_) if pair.before == pair.octet => times(fixed.sign_again, pair.count),
            Octet::Sign(sign) => {
                let of_next = |&(next, count): &(u8, usize)| {
                    let before_letter = self.letters[usize::from(next)].is_letter();
                    times(self.page.sign(sign, before.is_letter(), before_letter), count)
                };
                counted.nexts_of(pair).iter().map(of_next).sum()
            }
            Octet::Unassigned | Octet::Letter(_) => times(fixed.unassigned, pair.count),
        }
    }

    /// Returns the number of letters above 7F in a text.
    pub(super) fn letters(&self, counted: &Counted) -> usize {
        let is_letter =
            |pair: &&Pair| !pair.octet.is_ascii() && self.letters[usize::from(pair.octet)].is_letter();
        counted.pairs.iter().filter(is_letter).map(|pair| pair.count).sum()
    }
}

/// Returns how probable the case of a letter is after that of the preceding one: words have small letters
/// after the first, or none.
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
