//! Counts of the letters that follow each letter, by language, in the words of `languages.txt`. They
//! are made when first asked for, from the words as `build.rs` puts them in order and leaves out what
//! they share: fifty kilobytes of words, which takes less time than one look at a long message.

use std::sync::LazyLock;

use super::log::{Log, Sum, log, times};
use crate::charset::compose::{composed, has_tones};

/// How much a pair of letters of US-ASCII counts. The prose is short, and names are of other
/// languages.
const ASCII_WEIGHT: f64 = 0.6;

/// Anything that is not a letter.
pub(super) const BREAK: usize = 0;
/// Letters that the language does not have: US-ASCII ones, those of ISO-8859-1 (with `ñ` as a group
/// of its own, since it precedes vowels in all languages that have it), others of its script, those
/// of other scripts.
const OTHER_ASCII: usize = 1;
const OTHER_LATIN_1: usize = 2;
const ENYE: usize = 3;
const OTHER_OF_SCRIPT: usize = 4;
const FOREIGN: usize = 5;
const FIRST_LETTER: usize = 6;

/// The letters that end words, in Greek and Hebrew.
const FINALS: [char; 6] = ['ς', 'ך', 'ם', 'ן', 'ף', 'ץ'];

/// How many sightings the frequency of a letter counts as, after a letter that it was never seen to
/// follow.
const UNSEEN: f32 = 6.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Thai,
    Other,
}

impl Script {
    fn of(c: char) -> Self {
        match c {
            '\0'..='\u{24F}' | '\u{300}'..='\u{36F}' | '\u{1E00}'..='\u{1EFF}' => Self::Latin,
            '\u{370}'..='\u{3FF}' => Self::Greek,
            '\u{400}'..='\u{52F}' => Self::Cyrillic,
            '\u{590}'..='\u{5FF}' => Self::Hebrew,
            '\u{600}'..='\u{6FF}' => Self::Arabic,
            '\u{E00}'..='\u{E7F}' => Self::Thai,
            _ => Self::Other,
        }
    }

    /// Returns whether letters have no case.
    fn is_caseless(self) -> bool {
        matches!(self, Self::Hebrew | Self::Arabic | Self::Thai)
    }
}

/// A letter from the point of view of a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letter {
    /// Its number among the letters of the language.
    pub(super) number: usize,
    pub(super) is_upper: bool,
}

/// How probable each letter is after each other letter.
#[derive(Debug)]
pub(super) struct Language {
    pub(super) code: &'static str,
    script: Script,
    /// The small letters, in order.
    letters: Vec<char>,
    /// Rows by the preceding letter, as logarithms.
    after: Vec<Log>,
    width: usize,
    /// Its index among all languages.
    pub(super) at: usize,
    /// The numbers of the octets of US-ASCII.
    ascii: [u8; 128],
}

/// Every language. Vietnamese is there twice: as it is written with letters that have tones, and with
/// marks of tones after letters.
pub(super) static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let mut languages = Vec::new();
    for (code, text) in texts(include_str!(concat!(env!("OUT_DIR"), "/languages.txt"))) {
        let words = words(text.trim_end());
        if has_tones(&words) {
            languages.push(Language::of(languages.len(), code, &composed(&words)));
        }
        languages.push(Language::of(languages.len(), code, &words));
    }
    languages
});

/// Returns the words of a language, a space after each. In `text` each begins with the number of
/// letters that it shares with the word before.
fn words(text: &str) -> String {
    let (mut words, mut word) = (String::new(), String::new());
    for c in text.chars() {
        let Some(shared) = c.to_digit(10) else {
            word.push(c);
            continue;
        };
        if !word.is_empty() {
            words.extend([&word, " "]);
        }
        word = word.chars().take(shared as usize).collect();
    }
    words.extend([&word, " "]);
    words
}

/// Returns the texts of a file by their headings, joining those of one heading.
pub(super) fn texts(file: &'static str) -> Vec<(&'static str, String)> {
    let mut texts: Vec<(&str, String)> = Vec::new();
    let mut at = 0;
    for line in file.lines() {
        match line.strip_prefix("= ") {
            Some(code) => {
                at = texts.iter().position(|(known, _)| *known == code).unwrap_or(texts.len());
                if at == texts.len() {
                    texts.push((code, String::new()));
                }
            }
            None => texts[at].1.extend([line, " "]),
        }
    }
    texts
}

/// Returns whether a character is a letter, or a mark on one.
pub(super) fn is_letter(c: char) -> bool {
    let marked = matches!(Script::of(c), Script::Hebrew | Script::Arabic | Script::Thai);
    c.is_alphabetic() && !matches!(c, 'ª' | 'º') || marked || matches!(c, '\u{300}'..='\u{36F}')
}

fn lower(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (c, lower.next(), lower.next()) {
        ('İ', ..) => 'i',
        (_, Some(lower), None) => lower,
        _ => c,
    }
}

impl Language {
    fn of(at: usize, code: &'static str, text: &str) -> Self {
        let script = text.chars().find(|&c| is_letter(c)).map_or(Script::Latin, Script::of);
        // Each character is looked at once: a program may guess but once.
        let highest = text.chars().max().map_or(0, |c| c as usize);
        let mut is_used = vec![false; highest + 1];
        text.chars().for_each(|c| is_used[c as usize] = true);
        let characters: Vec<char> = (0..)
            .zip(is_used)
            .filter(|(_, is_used)| *is_used)
            .filter_map(|(c, _)| char::from_u32(c))
            .collect();
        let mut letters: Vec<char> =
            characters.iter().filter(|&&c| is_letter(c)).map(|&c| lower(c)).collect();
        letters.sort_unstable();
        letters.dedup();
        let width = FIRST_LETTER + letters.len();
        let mut language =
            Self { code, script, letters, after: Vec::new(), width, at, ascii: [BREAK as u8; 128] };
        let number = |c: char| if is_letter(c) { language.letter(c).number } else { BREAK };
        let mut of_characters = vec![BREAK; highest + 1];
        characters.into_iter().for_each(|c| of_characters[c as usize] = number(c));
        let mut numbers: Vec<usize> = text.chars().map(|c| of_characters[c as usize]).collect();
        numbers.dedup_by(|next, before| (*next, *before) == (BREAK, BREAK));
        language.after = language.probabilities(&numbers);
        for octet in b'A'..=b'z' {
            if octet.is_ascii_alphabetic() {
                language.ascii[usize::from(octet)] = language.letter(octet.into()).number as u8;
            }
        }
        language
    }

    pub(super) fn letter(&self, c: char) -> Letter {
        let small = lower(c);
        let number = self.number_of(small).unwrap_or(match c {
            _ if c.is_ascii() => OTHER_ASCII,
            _ if Script::of(c) != self.script => FOREIGN,
            'ñ' | 'Ñ' => ENYE,
            '\u{80}'..='\u{FF}' => OTHER_LATIN_1,
            _ => OTHER_OF_SCRIPT,
        });
        Letter { number, is_upper: small != c && !self.script.is_caseless() }
    }

    /// Returns the number of a small letter, if it is one of the language.
    fn number_of(&self, small: char) -> Option<usize> {
        self.letters.binary_search(&small).ok().map(|at| FIRST_LETTER + at)
    }

    /// Returns its letters, small ones.
    pub(super) fn letters(&self) -> impl Iterator<Item = char> {
        self.letters.iter().copied()
    }

    pub(super) fn is_latin(&self) -> bool {
        self.script == Script::Latin
    }

    /// Returns the logarithm of the probability of pairs of US-ASCII, with how often each occurs.
    pub(super) fn score_ascii(&self, pairs: &[(u8, u8, usize)]) -> Sum {
        if !self.is_latin() {
            return 0;
        }
        let of_pair = |&(before, octet, count): &(u8, u8, usize)| {
            let [before, octet] = [before, octet].map(|octet| self.ascii[usize::from(octet)]);
            times(self.log_after(before, octet), count)
        };
        (pairs.iter().map(of_pair).sum::<Sum>() as f64 * ASCII_WEIGHT) as Sum
    }

    /// Returns how probable it is that one letter follows another, as a logarithm.
    pub(super) fn log_after(&self, before: u8, number: u8) -> Log {
        self.after[usize::from(before) * self.width + usize::from(number)]
    }
}

impl Language {
    /// Returns how probable each letter is after each other letter, as seen in a text: logarithms.
    fn probabilities(&self, numbers: &[usize]) -> Vec<Log> {
        let width = self.width;
        let (mut single, mut pairs) = (vec![0.0; width], vec![0.0_f32; width * width]);
        for pair in numbers.windows(2) {
            single[pair[0]] += 1.0;
            pairs[pair[0] * width + pair[1]] += 1.0;
        }
        let all = numbers.len() as f32;
        let mut alone: Vec<f32> = single.iter().map(|count| count / all).collect();
        alone[OTHER_ASCII] = 3e-4;
        alone[OTHER_LATIN_1] = 1e-4;
        alone[ENYE] = 1e-4;
        alone[OTHER_OF_SCRIPT] = 2e-5;
        alone[FOREIGN] = 1e-6;
        for (before, (row, count)) in pairs.chunks_mut(width).zip(&single).enumerate() {
            let unseen = self.unseen_after(before, &alone);
            for (pair, alone) in row.iter_mut().zip(&unseen) {
                *pair = (*pair + UNSEEN * alone) / (count + UNSEEN);
            }
        }
        pairs.into_iter().map(|pair| log(f64::from(pair))).collect()
    }

    /// Returns how probable each letter is, by its frequency, after a letter that it was never seen
    /// to follow.
    fn unseen_after(&self, before: usize, alone: &[f32]) -> Vec<f32> {
        const VOWELS: [char; 11] = ['a', 'e', 'i', 'o', 'u', 'á', 'é', 'í', 'ó', 'ú', 'ü'];
        let is_final = |c: char| self.number_of(c) == Some(before);
        if FINALS.into_iter().any(is_final) {
            return prefer(alone, |number| number == BREAK);
        }
        let is_enye = self.number_of('ñ').unwrap_or(ENYE) == before && self.script == Script::Latin;
        if is_enye {
            let vowels: Vec<usize> = VOWELS.into_iter().filter_map(|c| self.number_of(c)).collect();
            return prefer(alone, |number| vowels.contains(&number));
        }
        // No word is in two scripts.
        let is_mixed = before == OTHER_ASCII && self.script != Script::Latin;
        if is_mixed { prefer(alone, |number| number < FIRST_LETTER) } else { alone.to_vec() }
    }
}

/// Returns the probabilities with all but the preferred letters made improbable.
fn prefer(alone: &[f32], is_preferred: impl Fn(usize) -> bool) -> Vec<f32> {
    const OTHERS: f32 = 0.05;
    let (preferred, all) =
        alone.iter().enumerate().fold((0.0, 0.0), |(preferred, all), (number, alone)| {
            (preferred + if is_preferred(number) { *alone } else { 0.0 }, all + alone)
        });
    let (more, less) = ((1.0 - OTHERS) * all / preferred, OTHERS * all / (all - preferred));
    alone
        .iter()
        .enumerate()
        .map(|(number, alone)| alone * if is_preferred(number) { more } else { less })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::log::to_nats;
    use super::*;

    fn after(language: &Language, before: usize, number: usize) -> f64 {
        to_nats(language.log_after(before as u8, number as u8).into()).exp()
    }

    fn language(code: &str) -> &'static Language {
        LANGUAGES.iter().find(|language| language.code == code).expect("a language")
    }

    #[test]
    fn probabilities_are_near_one_in_sum() {
        for language in LANGUAGES.iter() {
            for before in 0..language.width {
                let sum: f64 =
                    (0..language.width).map(|number| after(language, before, number)).sum();
                assert!((0.98..1.02).contains(&sum), "{} after {before}: {sum}", language.code);
            }
        }
    }

    #[test]
    fn letters_follow_as_they_do_in_the_language() {
        let after = |code, before, next| {
            let language = language(code);
            after(language, language.letter(before).number, language.letter(next).number)
        };
        assert!(after("de", 'ü', 'r') > after("fr", 'ü', 'r'));
        assert!(after("ru", 'п', 'р') > 20.0 * after("ru", 'п', 'ъ'));
        assert!(after("he", 'ש', 'a') < 1e-3);
    }

    #[test]
    fn enye_stands_before_vowels() {
        let after = |code, next| {
            let language = language(code);
            after(language, language.letter('ñ').number, language.letter(next).number)
        };
        for code in ["es", "en", "de", "fr"] {
            assert!(after(code, 'e') > 20.0 * after(code, 's'), "{code}");
        }
    }

    #[test]
    fn case_is_set_apart() {
        let turkish = language("tr");
        assert!(turkish.letter('Ş').is_upper && !turkish.letter('ş').is_upper);
        assert_eq!(turkish.letter('Ş').number, turkish.letter('ş').number);
        assert!(!language("ar").letter('ش').is_upper);
    }
}
