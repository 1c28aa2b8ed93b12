//! How probable octets are as characters of two octets, by how frequent these are.

use std::sync::LazyLock;

use super::language::texts;
use super::telling;
use crate::Charset;

/// A charset with characters of two octets.
#[derive(Debug)]
pub(super) struct Reader {
    /// The characters that are frequent, in order, and how probable each is.
    frequent: Vec<(u16, f32)>,
    shape: Shape,
}

/// Which octets make a character, and which of them hold rare ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Gb18030,
    Big5,
    EucKr,
    ShiftJis,
    EucJp,
}

/// How probable an octet is that is no character; two of them are less so than a character that nobody knows.
const ILL_FORMED: f64 = 1e-6;

/// ASCII beside such characters, and beside itself.
const ASCII_AFTER: f64 = 0.033;
const ASCII: f64 = 0.05;

/// How much of all text the frequent characters are.
const FREQUENT: f64 = 0.6;

/// So many ranks are nearly as frequent as the first.
const FLAT: f64 = 8.0;

/// Punctuation, which all of them have.
const SIGNS: &str = "，。、！？：；（）　．「」『』【】《》‘’ー・“”…－～◆★■●";
const SIGN: f32 = 0.006;

static CHARACTERS: LazyLock<Vec<(&'static str, String)>> =
    LazyLock::new(|| texts(include_str!("characters.txt")));

impl Reader {
    pub(super) fn new(charset: Charset, language: &str, shape: Shape) -> Self {
        let text =
            CHARACTERS.iter().find(|(code, _)| *code == language).map_or("", |(_, text)| text.as_str());
        let mut characters: Vec<char> = Vec::new();
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            if !characters.contains(&c) {
                characters.push(c);
            }
        }
        let share = FREQUENT / ((characters.len() as f64 + FLAT) / FLAT).ln();
        let ranked =
            characters.iter().zip(0..).map(|(&c, rank)| (c, (share / (f64::from(rank) + FLAT)) as f32));
        let signs = SIGNS.chars().filter(|c| !characters.contains(c)).map(|c| (c, SIGN));
        let pair = |c: char| {
            let text = c.to_string();
            let octets = charset.encode(&text).ok()?;
            <[u8; 2]>::try_from(&octets[..]).ok().map(u16::from_be_bytes)
        };
        let mut frequent: Vec<(u16, f32)> =
            ranked.chain(signs).filter_map(|(c, probability)| Some((pair(c)?, probability))).collect();
        frequent.sort_by_key(|(pair, _)| *pair);
        Self { frequent, shape }
    }

    /// The logarithm of the probability.
    pub(super) fn score(&self, telling: &[u8]) -> f64 {
        telling::stretches(telling).map(|stretch| self.score_stretch(stretch)).sum()
    }

    fn score_stretch(&self, stretch: &[u8]) -> f64 {
        let (mut score, mut product, mut rest, mut after) = (0.0, 1.0_f64, stretch, false);
        while let [first, behind @ ..] = rest {
            let (probability, length) = match (first, behind) {
                (0..0x80, _) => (if after { ASCII_AFTER } else { ASCII }, 1),
                (0xA1..=0xDF, _) if self.shape == Shape::ShiftJis => (1e-4, 1),
                (0x8F, [0xA1..=0xFE, 0xA1..=0xFE, ..]) if self.shape == Shape::EucJp => (1e-7, 3),
                (&first, &[second, ..]) => match self.pair(first, second) {
                    0.0 => (ILL_FORMED, 1),
                    probability => (probability, 2),
                },
                _ => (ILL_FORMED, 1),
            };
            after = !first.is_ascii();
            product *= probability;
            rest = &rest[length..];
            if product < 1e-200 {
                score += product.ln();
                product = 1.0;
            }
        }
        score + product.ln()
    }

    fn pair(&self, first: u8, second: u8) -> f64 {
        let pair = u16::from_be_bytes([first, second]);
        match self.frequent.binary_search_by_key(&pair, |(known, _)| *known) {
            Ok(at) => f64::from(self.frequent[at].1),
            Err(_) => self.shape.rare(first, second),
        }
    }
}

impl Shape {
    /// How probable a character is that is not among the frequent ones; zero, if it is none.
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
        }
    }
}
