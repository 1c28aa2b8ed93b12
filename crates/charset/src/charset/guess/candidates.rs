//! The charsets that unlabelled mail is in, with the languages that are written in each.

use std::sync::LazyLock;

use super::counted::Counted;
use super::language::{LANGUAGES, Language};
use super::log::{Log, Sum, of_nats, to_nats};
use super::page::Page;
use super::{east_asian, single_byte};
use crate::Charset;
use crate::charset::route::LEFT_OUT;

/// A charset with a language, and how probable the octets are as text in them (a logarithm that
/// includes what is known beforehand).
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    pub(super) candidate: &'static Candidate,
    /// Its index among all candidates.
    at: usize,
    pub(super) score: f64,
    /// The logarithm that hints add to the score.
    pub(super) bonus: f64,
}

/// A charset with a language.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) charset: Charset,
    pub(super) language: &'static str,
    /// How probable it is beforehand, as a logarithm.
    before: Log,
    /// How much less probable it is with no letters above 7F, with one or two.
    few_letters: [Log; FEW_LETTERS.len()],
    reader: Reader,
}

#[derive(Debug)]
enum Reader {
    SingleByte(single_byte::Reader),
    EastAsian(east_asian::Reader),
}

/// How much less probable a charset with its own letters for its language is, by the number of
/// letters above 7F: with none, one or two of them, text is hardly in it.
const FEW_LETTERS: [f64; 3] = [-4.0, -1.0, -0.5];

/// Single-byte charsets: how probable each is beforehand with the languages that follow.
const SINGLE_BYTE: &[(&str, f64, &str)] = &[
    ("windows-1252", 0.0, "en de fr es pt it"),
    ("windows-1252", -0.7, "nl sv da no fi"),
    ("windows-1252", -2.0, "is ca sq"),
    ("windows-1252", -2.5, "ga"),
    ("windows-1252", -5.0, "et"),
    ("ISO-8859-15", -2.0, "en"),
    ("ISO-8859-15", -4.0, "fr de fi et"),
    ("ISO-8859-15", -5.0, "es da"),
    ("macintosh", -7.5, "en ga de fr es pt it nl sv da no fi is ca"),
    ("IBM850", -7.5, "en ga de fr es pt it nl sv da no fi is ca"),
    ("windows-1250", -2.5, "pl cs hu"),
    ("windows-1250", -3.0, "sk sl hr ro"),
    ("ISO-8859-2", -2.5, "pl cs hu"),
    ("ISO-8859-2", -3.0, "sk sl hr ro"),
    ("IBM852", -9.5, "pl cs hu sk sl hr ro"),
    ("x-mac-ce", -10.0, "pl cs hu sk sl hr"),
    ("ISO-8859-16", -6.0, "ro"),
    ("ISO-8859-16", -9.0, "pl hr sl hu"),
    ("windows-1257", -3.3, "lt lv et"),
    ("ISO-8859-13", -4.5, "lt lv et"),
    ("ISO-8859-13", -9.0, "pl hr"),
    ("ISO-8859-4", -6.0, "lt lv et"),
    ("ISO-8859-10", -9.0, "lt lv"),
    ("windows-1254", -2.5, "tr"),
    ("ISO-8859-3", -6.0, "eo mt"),
    ("ISO-8859-3", -8.0, "tr"),
    ("windows-1258", -6.0, "vi"),
    ("VISCII", -7.0, "vi"),
    ("TCVN5712-1", -8.0, "vi"),
    ("windows-1251", -1.5, "ru"),
    ("windows-1251", -3.0, "uk bg sr be mk mn"),
    ("KOI8-R", -2.0, "ru"),
    ("KOI8-U", -4.0, "uk"),
    ("ISO-8859-5", -5.5, "ru bg sr uk be mk"),
    ("KOI8-T", -8.0, "tg"),
    ("PTCP154", -8.0, "kk"),
    ("GEORGIAN-PS", -7.0, "ka"),
    ("IBM866", -7.0, "ru"),
    ("IBM855", -8.0, "ru bg sr"),
    ("x-mac-cyrillic", -8.0, "ru uk bg"),
    ("windows-1253", -3.0, "el"),
    ("ISO-8859-7", -3.0, "el"),
    ("windows-1255", -3.0, "he"),
    ("ISO-8859-8", -3.5, "he"),
    ("windows-1256", -3.0, "ar fa"),
    ("ISO-8859-6", -5.0, "ar"),
    ("windows-874", -3.0, "th"),
];

pub(super) const EAST_ASIAN: [(&str, f64, &str, east_asian::Shape); 9] = [
    ("GBK", -2.0, "zh-Hans", east_asian::Shape::Gb18030),
    ("Big5", -2.2, "zh-Hant", east_asian::Shape::Big5),
    ("EUC-KR", -2.5, "ko", east_asian::Shape::EucKr),
    ("Shift_JIS", -2.5, "ja", east_asian::Shape::ShiftJis),
    ("EUC-JP", -3.5, "ja", east_asian::Shape::EucJp),
    ("EUC-TW", -9.0, "zh-Hant", east_asian::Shape::EucTw),
    ("JOHAB", -9.0, "ko", east_asian::Shape::Johab),
    // Japanese from servers in China, and what was typed in Taiwan there.
    ("GBK", -7.0, "ja", east_asian::Shape::Gb18030),
    ("GBK", -6.0, "zh-Hant", east_asian::Shape::Gb18030),
];

static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let mut charsets: Vec<Charset> = SINGLE_BYTE.iter().map(|(label, ..)| named(label)).collect();
    charsets.dedup();
    charsets.into_iter().map(Page::new).collect()
});

static ORNAMENTS: LazyLock<Page> = LazyLock::new(|| Page::of_ornaments(Charset::WINDOWS_1252));

/// How probable it is beforehand that all signs above 7F are ornaments.
const ORNAMENT: f64 = -5.0;

static CANDIDATES: LazyLock<Vec<Candidate>> = LazyLock::new(|| {
    // Next to those of its charset, which come first.
    let mut candidates = vec![ornaments()];
    for &(label, before, languages) in SINGLE_BYTE {
        let charset = named(label);
        let few_letters = few_letters(charset);
        let page = PAGES.iter().find(|page| page.charset == charset).expect("a page");
        for code in languages.split(' ') {
            let written = LANGUAGES.iter().filter(|language| language.code == code);
            let language =
                written.min_by_key(|language| page.count_missing(language)).expect("a language");
            let reader = Reader::SingleByte(single_byte::Reader::new(page, language));
            candidates.push(Candidate {
                charset,
                language: code,
                before: of_nats(before),
                few_letters,
                reader,
            });
        }
    }
    // What cannot be read is not guessed.
    let east_asian = EAST_ASIAN.into_iter().filter(|(.., shape)| !LEFT_OUT || !shape.is_rare());
    for (label, before, language, shape) in east_asian {
        let charset = named(label);
        let reader = Reader::EastAsian(east_asian::Reader::new(charset, language, shape));
        let few_letters = Default::default();
        candidates.push(Candidate {
            charset,
            language,
            before: of_nats(before),
            few_letters,
            reader,
        });
    }
    candidates
});

/// Returns the candidate for rulers and other pictures made of signs, around words in English. They
/// would otherwise be read as rare characters of East Asia.
fn ornaments() -> Candidate {
    let english = LANGUAGES.iter().find(|language| language.code == "en").expect("a language");
    Candidate {
        charset: ORNAMENTS.charset,
        language: "",
        before: of_nats(ORNAMENT),
        few_letters: few_letters(ORNAMENTS.charset),
        reader: Reader::SingleByte(single_byte::Reader::new(&ORNAMENTS, english)),
    }
}

/// Returns how much less probable a single-byte charset is with few letters above 7F: Western
/// languages have few.
fn few_letters(charset: Charset) -> [Log; FEW_LETTERS.len()] {
    let is_western = matches!(charset.name(), "windows-1252" | "ISO-8859-15");
    if is_western { Default::default() } else { FEW_LETTERS.map(of_nats) }
}

fn named(label: &str) -> Charset {
    Charset::for_label(label).expect("a charset of the table")
}

/// Returns the candidates with their scores and what hints add to them, in order, without those that
/// are less probable with all of that than the best by more than `margin` (a logarithm).
pub(super) fn scored(
    significant: &[u8],
    counted: &Counted,
    margin: f64,
    bonus: impl Fn(&Candidate) -> f64,
) -> Vec<Scored> {
    let mut best = Sum::MIN / 2;
    let mut scored: Vec<Scored> = Vec::with_capacity(CANDIDATES.len());
    let ascii = Ascii::of(counted);
    let bonuses: Vec<f64> = CANDIDATES.iter().map(bonus).collect();
    let likely = likely(counted);
    let limits = likely.map_or(Vec::new(), |at| {
        let margin = margin + bonuses.iter().copied().fold(0.0, f64::max);
        CANDIDATES[at].limits(counted, &ascii, of_nats(margin).into())
    });
    for at in in_order(likely) {
        let (candidate, bonus) = (&CANDIDATES[at], bonuses[at]);
        let floor = best - Sum::from(of_nats(margin + bonus));
        if let Some(score) = candidate.score(significant, counted, &ascii, floor, &limits) {
            best = best.max(score);
            scored.push(Scored { candidate, at, score: to_nats(score), bonus });
        }
    }
    if likely.is_some() {
        scored.sort_unstable_by_key(|one| one.at);
    }
    scored
}

/// Returns the indexes of the candidates: first those that the others are given up for the soonest,
/// the likely one and those of East Asia, in which any octets are rare characters at worst.
fn in_order(likely: Option<usize>) -> impl Iterator<Item = usize> {
    let all = 0..CANDIDATES.len();
    let last = CANDIDATES.iter().rev();
    let count = last.take_while(|one| matches!(one.reader, Reader::EastAsian(_))).count();
    let east_asian = all.end - if likely.is_some() { count } else { 0 };
    let others = (east_asian..all.end).chain(0..east_asian);
    likely.into_iter().chain(others.filter(move |&at| Some(at) != likely))
}

/// Returns the best single-byte candidate by the most frequent pairs, if there are many.
fn likely(counted: &Counted) -> Option<usize> {
    /// Fewer are scored faster than they are compared.
    const MANY: usize = 24;
    let rough_score = |one: &Candidate| match &one.reader {
        Reader::EastAsian(_) => Sum::MIN,
        Reader::SingleByte(reader) => Sum::from(one.before) + reader.rough_score(counted),
    };
    let rough = || CANDIDATES.iter().map(rough_score).enumerate().max_by_key(|(_, score)| *score);
    (counted.pairs.len() >= MANY).then(rough).flatten().map(|(at, _)| at)
}

/// How probable the pairs of US-ASCII are in each language.
struct Ascii {
    of_languages: Vec<Sum>,
    english: Sum,
    /// As they are counted where nothing is known of them.
    plain: Sum,
}

impl Ascii {
    fn of(counted: &Counted) -> Self {
        let of = |language: &Language| language.score_ascii(&counted.ascii_pairs);
        let of_languages: Vec<Sum> = LANGUAGES.iter().map(of).collect();
        let english = of_languages[0];
        Self { of_languages, english, plain: counted.plain_ascii() }
    }

    /// Returns the logarithm for a language. Words in the letters of US-ASCII amid other scripts
    /// are in English.
    fn score(&self, language: &Language) -> Sum {
        if language.is_latin() { self.of_languages[language.at] } else { self.english }
    }

    /// Returns how much more probable they are in English than where nothing is known of them.
    fn beside_others(&self) -> Sum {
        self.english - self.plain
    }
}

impl Candidate {
    /// Returns its score; `None` if that is below `floor`.
    fn score(
        &self,
        significant: &[u8],
        counted: &Counted,
        ascii: &Ascii,
        floor: Sum,
        limits: &[Sum],
    ) -> Option<Sum> {
        let before = Sum::from(self.before);
        match &self.reader {
            Reader::EastAsian(reader) => {
                let before = before + ascii.beside_others();
                Some(before + reader.score(significant, floor - before)?)
            }
            Reader::SingleByte(reader) => {
                let before = before + ascii.score(reader.language);
                let score = before + reader.score(counted, floor - before, before, limits)?;
                let few = self.few_letters.get(reader.letters(counted));
                Some(score + few.map_or(0, |&few| few.into()))
            }
        }
    }

    /// Returns the scores of the first pair, of the first two, and so on, below which another
    /// candidate is given up, half as much again: it will not make up with rarer pairs for that.
    fn limits(&self, counted: &Counted, ascii: &Ascii, margin: Sum) -> Vec<Sum> {
        const TOO_FAR: f64 = 40.0;
        let Reader::SingleByte(reader) = &self.reader else { return Vec::new() };
        let below = Sum::from(self.before) + ascii.score(reader.language)
            - margin
            - Sum::from(of_nats(TOO_FAR));
        let mut limits = reader.partial_scores(counted);
        limits.iter_mut().for_each(|limit| *limit += *limit / 2 + below);
        limits
    }

    /// Returns whether the octets are the same text in two charsets.
    pub(super) fn reads_alike(&self, other: &Self, significant: &[u8], counted: &Counted) -> bool {
        match (&self.reader, &other.reader) {
            _ if self.charset == other.charset => true,
            (Reader::SingleByte(one), Reader::SingleByte(other)) => {
                one.page.reads_alike(other.page, counted.high())
            }
            _ => self.is_text_alike(other, significant),
        }
    }

    /// Returns whether octets are the same text in both charsets, with U+FFFD for anything
    /// ill-formed.
    fn is_text_alike(&self, other: &Self, octets: &[u8]) -> bool {
        match (self.charset.decode_lossless(octets), other.charset.decode_lossless(octets)) {
            (Some(one), Some(other)) => one == other,
            (None, None) => {
                self.charset.decode(octets).text() == other.charset.decode(octets).text()
            }
            // Only one text has U+FFFD, which no significant octets encode.
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_page_on_charsets_says_how_many() {
        let charsets: BTreeSet<_> = CANDIDATES.iter().map(|one| one.charset.name()).collect();
        let languages: BTreeSet<_> =
            SINGLE_BYTE.iter().flat_map(|(.., codes)| codes.split(' ')).collect();
        let said =
            format!("{} charsets, {} languages by their letters", charsets.len(), languages.len());
        let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/charsets.md");
        let page = std::fs::read_to_string(page).expect("docs/charsets.md");
        assert!(page.contains(&said), "{said}");
        let used = |language: &super::super::language::Language| languages.contains(language.code);
        assert!(LANGUAGES.iter().all(used), "a language without a charset");
    }
}
