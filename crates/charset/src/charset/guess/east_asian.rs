//! How probable octets are as two-octet characters, by how frequent these are.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS};

use super::language::texts;
use super::log::{Log, Sum, log, times};
use super::significant::{self, BREAK};
use crate::Charset;
use crate::codec::scan::SMALL;

/// A charset with characters of two octets.
#[derive(Debug)]
pub(super) struct Reader {
    charset: Charset,
    language: &'static str,
    shape: Shape,
    /// The logarithm of each character's probability, by its octets, the first above 7F, the second
    /// above 3F; zero if it is not one. It is made for the first text that may be in this charset.
    pairs: OnceLock<Vec<Log>>,
}

/// How many first octets there are, and how many second ones.
const FIRSTS: usize = 0x100 - 0x80;
const SECONDS: usize = 0x100 - 0x40;

/// Which octets make a character, and which of them hold rare ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Gb18030,
    Big5,
    EucKr,
    ShiftJis,
    EucJp,
    EucTw,
    Johab,
}

/// The logarithms for octets that are not pairs.
struct Fixed {
    /// An octet that is not a character; two of them are less probable than an unknown character.
    ill_formed: Log,
    /// ASCII beside characters of two octets, and beside itself.
    ascii_after: Log,
    ascii: Log,
    /// One character amid ASCII letters: no word is made of both.
    amid_word: Log,
    /// One directly before a small letter.
    before_word: Log,
    /// Half-width katakana of Shift_JIS.
    half_width: Log,
    /// Characters of EUC-JP in JIS X 0212.
    three_octets: Log,
    /// Characters of EUC-TW beyond its first plane.
    four_octets: Log,
    /// More than the most frequent character.
    any_character: Log,
}

static FIXED: LazyLock<Fixed> = LazyLock::new(|| Fixed {
    ill_formed: log(1e-6),
    ascii_after: log(0.033),
    ascii: log(0.05),
    amid_word: log(0.01),
    before_word: log(0.3),
    half_width: log(1e-4),
    three_octets: log(1e-7),
    four_octets: log(1e-7),
    any_character: log(MOST_FREQUENT),
});

/// More than the share of any character in a text.
const MOST_FREQUENT: f64 = 0.05;

/// The share of the frequent characters in all text.
const FREQUENT: f64 = 0.6;

/// How many ranks are nearly as frequent as the first.
const FLAT: f64 = 8.0;

/// Punctuation, which all of them have.
const SIGNS: &str = "，。、！？：；（）　．「」『』【】《》‘’ー・“”…－～◆★■●";
const SIGN: f64 = 0.006;

/// Signs next to numbers and in lists, which all of them also have.
const SYMBOLS: &str =
    "±×÷°℃％＋－＝＜＞＆＃＊／＠※→←↑↓○◎●△▲▽▼□◇☆①②③④⑤〔〕［］｛｝〈〉─｜＿～￥＄–—";
const SYMBOL: f64 = 4e-4;

/// Characters of East Asian text, the most frequent first, by what everybody who reads these
/// languages knows of them, with what letters, orders and offers say beside, and those of names.
static CHARACTERS: LazyLock<Vec<(&'static str, String)>> =
    LazyLock::new(|| texts(include_str!("characters.txt")));

impl Reader {
    pub(super) fn new(charset: Charset, language: &'static str, shape: Shape) -> Self {
        Self { charset, language, shape, pairs: OnceLock::new() }
    }

    /// Returns how probable each pair of octets is.
    fn pairs(&self) -> &[Log] {
        self.pairs.get_or_init(|| {
            let text = CHARACTERS
                .iter()
                .find(|(code, _)| *code == self.language)
                .map_or("", |(_, text)| text.as_str());
            let mut known = HashSet::new();
            let characters: Vec<char> =
                text.chars().filter(|&c| !c.is_whitespace() && known.insert(c)).collect();
            let share = FREQUENT / ((characters.len() as f64 + FLAT) / FLAT).ln();
            let ranked =
                characters.iter().zip(0..).map(|(&c, rank)| (c, share / (f64::from(rank) + FLAT)));
            let signs = SIGNS.chars().map(|c| (c, SIGN)).filter(|(c, _)| !known.contains(c));
            let symbols = SYMBOLS.chars().map(|c| (c, SYMBOL)).filter(|(c, _)| !SIGNS.contains(*c));
            let mut pairs = self.shape.rare_pairs();
            let octets = self.shape.octets(self.charset);
            for (c, probability) in symbols.chain(ranked).chain(signs) {
                debug_assert!(probability < MOST_FREQUENT, "{c}");
                if let Some([first, second @ 0x40..=0xFF]) = octets(c) {
                    pairs[place(first, second)] = log(probability);
                }
            }
            pairs
        })
    }

    /// Returns the logarithm of the probability; `None` if that is below `floor`.
    pub(super) fn score(&self, significant: &[u8], floor: Sum) -> Option<Sum> {
        // Of Western text that is seen without a table.
        if self.pairs.get().is_none() {
            self.score_pairs(significant, floor, |first, second| {
                if self.shape.rare(first, second) > 0.0 { FIXED.any_character } else { 0 }
            })?;
        }
        let pairs = self.pairs();
        self.score_pairs(significant, floor, |first, second| pairs[place(first, second)])
    }

    /// Returns the logarithm of the probability, given that of each pair of octets (zero if it is no
    /// character); `None` if that is below `floor`.
    fn score_pairs(
        &self,
        significant: &[u8],
        floor: Sum,
        of_pair: impl Fn(u8, u8) -> Log,
    ) -> Option<Sum> {
        let mut score = 0;
        for stretch in significant::stretches(significant) {
            score += self.score_stretch(stretch, &of_pair);
            if score < floor {
                return None;
            }
        }
        Some(score)
    }

    fn score_stretch(&self, stretch: &[u8], of_pair: impl Fn(u8, u8) -> Log) -> Sum {
        let fixed = &*FIXED;
        let (mut score, mut rest, mut before) = (0, stretch, BREAK);
        while let [first, after @ ..] = rest {
            let (probability, length) = match (first, after) {
                (0..0x80, _) => {
                    (if before.is_ascii() { fixed.ascii } else { fixed.ascii_after }, 1)
                }
                (0xA1..=0xDF, _) if self.shape == Shape::ShiftJis => (fixed.half_width, 1),
                (0x8F, [0xA1..=0xFE, 0xA1..=0xFE, ..]) if self.shape == Shape::EucJp => {
                    (fixed.three_octets, 3)
                }
                (0x8E, [0xA1..=0xB0, 0xA1..=0xFE, 0xA1..=0xFE, ..])
                    if self.shape == Shape::EucTw =>
                {
                    (fixed.four_octets, 4)
                }
                (&first, &[second, ..]) => match of_pair(first, second) {
                    0 => (fixed.ill_formed, 1),
                    probability => (probability, 2),
                },
                _ => (fixed.ill_formed, 1),
            };
            score += times(probability, 1);
            let (after_letter, next) = (before.is_ascii_alphabetic(), rest.get(length));
            if !first.is_ascii()
                && after_letter
                && (length == 1 || next.is_some_and(u8::is_ascii_alphabetic))
            {
                score += times(fixed.amid_word, 1);
            } else if length > 1 && next.is_some_and(u8::is_ascii_lowercase) {
                score += times(fixed.before_word, 1);
            }
            before = *first;
            rest = &rest[length..];
        }
        score
    }
}

/// Returns the index of a character in the table.
fn place(first: u8, second: u8) -> usize {
    usize::from(first - 0x80) * SECONDS + usize::from(second - 0x40)
}

impl Shape {
    /// Returns what finds the two octets of a character in `charset`: encoding_rs, since a table of
    /// all characters, by which the charset writes, is not worth making for some hundreds. What
    /// encoding_rs does not have is read once. In a page those encoders are not worth loading.
    fn octets(self, charset: Charset) -> Box<dyn Fn(char) -> Option<[u8; 2]>> {
        match self.encoding().filter(|_| !SMALL) {
            Some(encoding) => Box::new(move |c| {
                let mut text = [0; 4];
                // Where there is none, encoding_rs writes a longer reference of HTML.
                encoding.encode(c.encode_utf8(&mut text)).0.as_ref().try_into().ok()
            }),
            None if self.is_rare() => {
                let read = self.read_all(charset);
                Box::new(move |c| read.get(&c).copied())
            }
            None => Box::new(move |c| {
                let mut text = [0; 4];
                charset.encode(c.encode_utf8(&mut text)).ok()?.as_ref().try_into().ok()
            }),
        }
    }

    /// Returns the characters of two octets of a charset, with these.
    fn read_all(self, charset: Charset) -> HashMap<char, [u8; 2]> {
        let all = (0x80..=0xFF).flat_map(|first| (0x40..=0xFF).map(move |second| [first, second]));
        let pairs: Vec<[u8; 2]> =
            all.filter(|&[first, second]| self.rare(first, second) > 0.0).collect();
        let mut octets = Vec::with_capacity(3 * pairs.len());
        for pair in &pairs {
            octets.extend_from_slice(pair);
            octets.push(b'\n');
        }

        let text = charset.decode(&octets);
        let lines = text.text().lines().zip(pairs);
        let read = lines.filter_map(|(line, pair)| {
            let mut characters = line.chars();
            let only = characters.next().filter(|_| characters.next().is_none())?;
            (only != char::REPLACEMENT_CHARACTER).then_some((only, pair))
        });
        read.collect()
    }

    /// Returns whether it is the shape of a charset that stands on a table of our own.
    pub(super) fn is_rare(self) -> bool {
        self.encoding().is_none()
    }

    fn encoding(self) -> Option<&'static Encoding> {
        match self {
            Self::Gb18030 => Some(GBK),
            Self::Big5 => Some(BIG5),
            Self::EucKr => Some(EUC_KR),
            Self::ShiftJis => Some(SHIFT_JIS),
            Self::EucJp => Some(EUC_JP),
            Self::EucTw | Self::Johab => None,
        }
    }

    /// Returns the table of a charset without any frequent character.
    fn rare_pairs(self) -> Vec<Log> {
        // Neighbours are alike, so few logarithms are computed.
        let (mut last, mut last_log) = (0.0, 0);
        let mut pairs = Vec::with_capacity(FIRSTS * SECONDS);
        for first in 0x80..=0xFF {
            for second in 0x40..=0xFF {
                let probability = self.rare(first, second);
                if probability != last {
                    (last, last_log) =
                        (probability, if probability == 0.0 { 0 } else { log(probability) });
                }
                pairs.push(last_log);
            }
        }
        pairs
    }

    /// Returns how probable a character is that is not among the frequent ones; zero if it is not
    /// one.
    fn rare(self, first: u8, second: u8) -> f64 {
        match self {
            Self::Gb18030 => match (first, second) {
                (0x80 | 0xFF, _) | (_, ..0x40 | 0x7F | 0xFF) => 0.0,
                (..0xA1 | 0xAA..0xB0 | 0xF8.., _) | (_, ..0xA1) => 3e-8,
                (..0xAA, _) => 2e-5,
                (..0xD8, _) => 5e-5,
                _ => 3e-6,
            },
            Self::Big5 => match (first, second) {
                (0x80 | 0xFF, _) | (_, ..0x40 | 0x7F..=0xA0 | 0xFF) => 0.0,
                (..0xA1 | 0xFA.., _) => 3e-8,
                (..0xA4, _) => 2e-5,
                (..0xC7, _) => 3e-5,
                (..0xC9, _) => 3e-7,
                _ => 3e-6,
            },
            Self::EucKr => match (first, second) {
                (0x80 | 0xFF, _) | (_, ..0x41 | 0x5B..=0x60 | 0x7B..=0x80 | 0xFF) => 0.0,
                (..0xA1, _) | (_, ..0xA1) => 3e-7,
                (..0xB0, _) => 2e-5,
                (..0xC9, _) => 6e-5,
                _ => 1e-6,
            },
            Self::ShiftJis => match (first, second) {
                (0x80 | 0xA0 | 0xFD.., _) | (_, ..0x40 | 0x7F | 0xFD..) => 0.0,
                (0xEF.., _) => 1e-6,
                (..0x88, _) => 2e-5,
                (..0x99, _) => 2.5e-5,
                _ => 2e-6,
            },
            Self::EucJp => match (first, second) {
                (0x8E, 0xA1..=0xDF) => 1e-7,
                (..0xA1 | 0xFF, _) | (_, ..0xA1 | 0xFF) => 0.0,
                (..0xB0, _) => 2e-5,
                (..0xD0, _) => 2.5e-5,
                _ => 2e-6,
            },
            Self::EucTw => match (first, second) {
                (..0xA1 | 0xFE.., _) | (_, ..0xA1 | 0xFF) => 0.0,
                (..0xC4, _) => 2e-5,
                _ => 3e-5,
            },
            // Hangul by their letters, those that nobody writes among them; then Hanja.
            Self::Johab => match (first, second) {
                (0x84..=0xD3, 0x41..=0x7E | 0x81..=0xFE) => 2e-5,
                (0xD9..=0xDE, 0x40..=0x7E | 0x91..=0xFE) => 1e-5,
                (0xE0..=0xF9, 0x40..=0x7E | 0x91..=0xFE) => 1e-6,
                _ => 0.0,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::guess::candidates::EAST_ASIAN;

    #[test]
    fn pairs_are_those_that_the_charset_writes() {
        for (label, _, _, shape) in EAST_ASIAN {
            let charset = Charset::for_label(label).expect("a charset");
            let octets = shape.octets(charset);
            let texts = CHARACTERS.iter().map(|(_, text)| text.as_str()).chain([SIGNS, SYMBOLS]);
            for c in texts.flat_map(str::chars) {
                let written: Option<[u8; 2]> = charset
                    .encode(&c.to_string())
                    .ok()
                    .and_then(|octets| (*octets).try_into().ok());
                // A second octet below 40 is a digit to the guess.
                let written = written.filter(|&[_, second]| second >= 0x40);
                assert_eq!(octets(c), written, "{c} in {label}");
            }
        }
    }
}
