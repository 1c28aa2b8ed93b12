//! How probable octets are as text of one language in a single-byte charset.

use std::sync::LazyLock;

use super::counted::{Counted, Pair};
use super::language::{BREAK as NO_LETTER, Language};
use super::log::{Log, Sum, log, of_nats, times};
use super::page::{Octet, Page};
use super::significant::BREAK;

/// The octets of a charset from the point of view of a language.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) page: &'static Page,
    pub(super) language: &'static Language,
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
    /// The factor by which `s` and `t` are more frequent after an apostrophe than where a word begins.
    contraction: Log,
    /// The case of a letter, by that of the one before: in text, and in text that is all in
    /// capitals.
    cases: [[[Log; 2]; 3]; 3],
}

static FIXED: LazyLock<Fixed> = LazyLock::new(|| {
    let cases = [Case::None, Case::Upper, Case::Lower];
    Fixed {
        unassigned: log(1e-12),
        ascii: log(0.05),
        contraction: log(5.0),
        cases: cases.map(|before| {
            cases.map(|case| [case_after, case_in_capitals].map(|after| log(after(before, case))))
        }),
    }
});

/// How improbable text in capitals is beforehand, as a logarithm.
const CAPITALS: f64 = -3.0;

/// The logarithms of the probability as text, and as text that is all in capitals.
struct Scores {
    text: Sum,
    capitals: Sum,
}

impl Default for Scores {
    fn default() -> Self {
        Self { text: 0, capitals: of_nats(CAPITALS).into() }
    }
}

impl Scores {
    fn best(&self) -> Sum {
        self.text.max(self.capitals)
    }
}

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
        let mut scores = Scores::default();
        for pair in counted.pairs.iter().take(FEW) {
            self.add_pair(pair, counted, fixed, &mut scores);
        }
        scores.best()
    }

    /// Returns the logarithm of the probability; `None` if that is below `floor`, or that of the
    /// first pairs below the limit that `limits` has for as many; `before` is added to these.
    pub(super) fn score(
        &self,
        counted: &Counted,
        floor: Sum,
        before: Sum,
        limits: &[Sum],
    ) -> Option<Sum> {
        let fixed = &*FIXED;
        let mut scores = Scores::default();
        let mut limits = limits.iter();
        for pair in &counted.pairs {
            self.add_pair(pair, counted, fixed, &mut scores);
            let limit = limits.next().map_or(floor, |limit| floor.max(limit - before));
            if scores.best() < limit {
                return None;
            }
        }
        Some(scores.best())
    }

    /// Returns the logarithm of the probability of the first pair, of the first two, and so on.
    pub(super) fn partial_scores(&self, counted: &Counted) -> Vec<Sum> {
        let fixed = &*FIXED;
        let mut scores = Scores::default();
        let up_to = |pair: &Pair| {
            self.add_pair(pair, counted, fixed, &mut scores);
            scores.best()
        };
        counted.pairs.iter().map(up_to).collect()
    }

    #[inline(always)]
    fn add_pair(&self, pair: &Pair, counted: &Counted, fixed: &Fixed, scores: &mut Scores) {
        let (before, letter) =
            (self.letters[usize::from(pair.before)], self.letters[usize::from(pair.octet)]);
        if letter.is_letter() {
            let after = self.language.log_after(before.number, letter.number);
            let [text, capitals] = fixed.cases[before.case as usize][letter.case as usize];
            scores.text += times(after + text, pair.count);
            scores.capitals += times(after + capitals, pair.count);
        } else if pair.octet.is_ascii() && before.is_letter() {
            let end_of_word =
                times(self.language.log_after(before.number, letter.number), pair.count);
            scores.text += end_of_word;
            scores.capitals += end_of_word;
        } else {
            let score = self.score_other(pair, before, counted, fixed);
            scores.text += score;
            scores.capitals += score;
        }
    }

    /// Returns the logarithm of the probability of an octet after `before` that is neither a letter
    /// nor US-ASCII that ends a word.
    #[inline(never)]
    fn score_other(&self, pair: &Pair, before: Letter, counted: &Counted, fixed: &Fixed) -> Sum {
        match self.page.octet(pair.octet) {
            // A stretch ends where all candidates agree that it does.
            Octet::Plain if pair.octet == BREAK => 0,
            Octet::Plain => times(fixed.ascii, pair.count),
            Octet::Sign(sign) if pair.before == pair.octet => {
                times(self.page.sign_again(sign), pair.count)
            }
            Octet::Sign(sign) => {
                let of_next = |&(next, count): &(u8, usize)| {
                    let before_letter = self.letters[usize::from(next)].is_letter();
                    let alone = self.page.sign(sign, before.is_letter(), before_letter);
                    let contracts = before.is_letter() && matches!(next, b's' | b't');
                    let contraction = if contracts && self.page.is_apostrophe(sign) {
                        fixed.contraction
                    } else {
                        0
                    };
                    times(alone + contraction, count)
                };
                let signs: Sum = counted.nexts_of(pair).iter().map(of_next).sum();
                // A sign ends the word before it.
                if before.is_letter() {
                    signs
                        + times(
                            self.language.log_after(before.number, Letter::NONE.number),
                            pair.count,
                        )
                } else {
                    signs
                }
            }
            Octet::Unassigned | Octet::Letter(_) => times(fixed.unassigned, pair.count),
        }
    }

    /// Returns the number of letters above 7F in a text.
    pub(super) fn letters(&self, counted: &Counted) -> usize {
        let is_letter = |pair: &&Pair| {
            !pair.octet.is_ascii() && self.letters[usize::from(pair.octet)].is_letter()
        };
        counted.pairs.iter().filter(is_letter).map(|pair| pair.count).sum()
    }
}

/// Returns how probable the case of a letter is after that of the preceding one: words have small
/// letters after the first, or none.
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

/// Returns how probable the case of a letter is after that of the preceding one, in text that is
/// all in capitals.
fn case_in_capitals(before: Case, case: Case) -> f64 {
    match (before, case) {
        (Case::Lower, Case::Upper) => 0.001,
        (Case::Lower, _) => 0.999,
        (_, Case::Upper) => 0.97,
        (_, _) => 0.03,
    }
}
