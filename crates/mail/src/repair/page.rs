//! The charsets that text is mistaken to be in, and the way back from their characters to the
//! octets.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use crate::Charset;

/// A charset that text may have been misread as.
pub(super) struct Page {
    pub(super) charset: Charset,
    /// How much evidence it takes to believe that text in UTF-8 was read as this: the rarer the
    /// mistake, and the more texts are well-formed by chance, the more.
    pub(super) threshold: usize,
    octets: Octets,
}

enum Octets {
    Single(Box<Singles>),
    /// The characters whose octets begin a character of UTF-8, in order, once they are asked for.
    Several(OnceLock<Vec<char>>),
}

/// The octets of the characters above 7F of a charset of single octets.
struct Singles {
    /// All characters with their octets, in order.
    all: Vec<(char, u8)>,
    /// The octets of the Latin ones, which are nearly all that are asked for: [`NONE`] if the
    /// charset has no such character.
    latin: [u8; LATIN],
    /// A bit for each block of characters, from the first on, of which the charset has any.
    blocks: u128,
}

/// The number of characters of a block, as a power of two: with 128 blocks, all scripts but those
/// of East Asia.
const BLOCK: u32 = 7;

/// The number of characters from U+0080 on that are found without a search.
const LATIN: usize = 0x100;

/// No octet above 7F.
const NONE: u8 = 0;

impl Singles {
    /// Returns characters with their octets, in order.
    fn of(all: Vec<(char, u8)>) -> Self {
        let mut latin = [NONE; LATIN];
        let mut blocks = 0;
        for &(c, octet) in &all {
            // In EBCDIC octets above 7F are characters of US-ASCII as well.
            let at = (c as usize).checked_sub(0x80);
            if let Some(of_latin) = at.and_then(|at| latin.get_mut(at)) {
                *of_latin = octet;
            }
            blocks |= 1_u128.checked_shl(u32::from(c) >> BLOCK).unwrap_or_default();
        }
        Self { all, latin, blocks }
    }

    /// Returns the octet of a character above 7F.
    fn octet(&self, c: char) -> Option<u8> {
        if let Some(&octet) = self.latin.get(c as usize - 0x80) {
            return (octet != NONE).then_some(octet);
        }
        let block = u32::from(c) >> BLOCK;
        if block < u128::BITS && self.blocks >> block & 1 == 0
            || self.all.last().is_none_or(|&(last, _)| c > last)
        {
            return None;
        }
        self.all.binary_search_by_key(&c, |&(c, _)| c).ok().map(|at| self.all[at].1)
    }
}

/// A line in the octets that it was misread from, each with the index of its character.
pub(super) struct Encoded {
    pub(super) octets: Vec<u8>,
    /// Empty if a character may be several octets.
    pub(super) chars: Vec<char>,
}

/// The first character of East Asia; the half-width forms come after it.
const EAST_ASIA: char = '\u{2E80}';

/// The evidence for a charset that programs hardly ever mistake UTF-8 for.
const RARE: usize = 3;

/// The charsets of one or two octets a character.
const DOUBLE: [&str; 7] = ["GBK", "GB2312", "GB18030", "Shift_JIS", "Big5", "EUC-KR", "EUC-JP"];

/// What programs read text as that is something else, the most frequent first.
const PAGES: [(&str, usize); 18] = [
    ("windows-1252", 1),
    ("windows-1250", 2),
    ("windows-1251", 2),
    ("KOI8-R", 2),
    ("IBM437", 2),
    ("IBM850", 2),
    ("macintosh", 3),
    ("windows-1253", 2),
    ("windows-1254", 2),
    ("windows-1255", 2),
    ("windows-1256", 2),
    ("windows-1257", 2),
    ("windows-1258", 3),
    ("windows-874", 3),
    ("ISO-8859-2", 2),
    ("KOI8-U", 3),
    ("GBK", 3),
    ("Shift_JIS", 3),
];

static ALL: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let page =
        |&(label, threshold): &(&str, usize)| Page::new(Charset::for_label(label)?, threshold);
    PAGES.iter().filter_map(page).collect()
});

/// The pages of single octets in which a character may be an octet of UTF-8: a bit for each page,
/// the first one lowest.
#[derive(Clone, Copy, Default)]
struct Roles {
    /// The pages in which it is the first octet of a character.
    begins: u32,
    /// The pages in which it is another one.
    follows: u32,
}

/// The characters above 7F that have a role in any page, in order.
static ROLES: LazyLock<BTreeMap<char, Roles>> = LazyLock::new(|| {
    let mut roles = BTreeMap::<char, Roles>::new();
    for (number, page) in ALL.iter().enumerate() {
        let Octets::Single(octets) = &page.octets else { continue };
        for &(c, octet) in &octets.all {
            let of_character = roles.entry(c).or_default();
            match octet {
                0xC2..=0xF4 => of_character.begins |= 1 << number,
                0x80..=0xBF => of_character.follows |= 1 << number,
                _ => {}
            }
        }
    }
    roles
});

impl Roles {
    /// Returns what a character may be. A space may have been a no-break space, the octet A0.
    fn of(c: char) -> Self {
        match c {
            ' ' => Self { begins: 0, follows: u32::MAX },
            '\0'..='\x7F' => Self::default(),
            _ => ROLES.get(&c).copied().unwrap_or_default(),
        }
    }
}

/// Returns the number of octets of a character of UTF-8 that begins with this one, which is above
/// 7F; `None` if none does.
pub(super) fn length_of_sequence(first: u8) -> Option<usize> {
    match first {
        0xC2..=0xDF => Some(2),
        0xE0..=0xEF => Some(3),
        0xF0..=0xF4 => Some(4),
        _ => None,
    }
}

/// Returns how many octets of US-ASCII come first. In the lines that are looked at, few do.
fn to_high(octets: &[u8]) -> usize {
    octets.iter().position(|octet| !octet.is_ascii()).unwrap_or(octets.len())
}

impl Page {
    /// Returns all pages, the most frequent first.
    pub(super) fn all() -> &'static [Self] {
        &ALL
    }

    /// Returns the pages as which a line of UTF-8 may have been read: those in which its first
    /// characters above 7F begin a character of UTF-8. Nearly all text is ruled out by that.
    pub(super) fn candidates(line: &str) -> impl Iterator<Item = &'static Self> {
        let begin = to_high(line.as_bytes());
        let mut chars = line[begin..].chars();
        let (first, next) = (chars.next().unwrap_or_default(), chars.next());
        let follows = Roles::of(next.unwrap_or_default()).follows;
        let begins = if follows == 0 { 0 } else { Roles::of(first).begins & follows };
        let may_be_any = begins != 0 || first >= EAST_ASIA;
        let pages = if may_be_any { ALL.iter() } else { [].iter() };
        pages.enumerate().filter_map(move |(number, page)| {
            let may_be = match &page.octets {
                Octets::Single(_) => begins >> number & 1 == 1,
                Octets::Several(begins) => page.begins_in_pairs(begins, first),
            };
            may_be.then_some(page)
        })
    }

    /// Returns whether the octets of a character begin one of UTF-8, by themselves or with those
    /// after it.
    fn begins_in_pairs(&self, begins: &OnceLock<Vec<char>>, c: char) -> bool {
        let is_half_width = matches!(c, '\u{FF61}'..='\u{FF9F}');
        c >= EAST_ASIA
            && (is_half_width || begins.get_or_init(|| self.pairs()).binary_search(&c).is_ok())
    }

    /// Returns the characters whose two octets begin a character of UTF-8, in order.
    fn pairs(&self) -> Vec<char> {
        let lines =
            (0xC2..=0xF4).flat_map(|first| (0x80..=0xBF).map(move |next| [first, next, b'\n']));
        let octets: Vec<u8> = lines.flatten().collect();
        let text = self.charset.read(&octets).into_text();
        let only = |line: &str| {
            let mut chars = line.chars();
            let first = chars.next()?;
            if chars.next().is_none() { Some(first) } else { None }
        };
        let mut pairs: Vec<char> = text.lines().filter_map(only).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Returns the page of a charset of single octets, or of another one in which UTF-8 may be
    /// text.
    pub(super) fn of(charset: Charset) -> Option<Self> {
        if !charset.is_single_byte() && !DOUBLE.contains(&charset.name()) {
            return None;
        }
        let threshold =
            ALL.iter().find(|page| page.charset == charset).map_or(RARE, |page| page.threshold);
        Self::new(charset, threshold)
    }

    /// Returns windows-1252 with the controls of ISO-8859-1: programs read both as either.
    pub(super) fn western() -> &'static Self {
        &ALL[0]
    }

    fn new(charset: Charset, threshold: usize) -> Option<Self> {
        let decoded = |octet: u8| {
            let octets = [octet];
            let text = charset.decode_lossless(&octets)?;
            text.chars().next()
        };
        if !charset.is_single_byte() {
            return Some(Self { charset, threshold, octets: Octets::Several(OnceLock::new()) });
        }
        let mut octets: Vec<(char, u8)> =
            (0x80..=0xFF_u8).filter_map(|octet| Some((decoded(octet)?, octet))).collect();
        // Readers pass octets that the charset does not have on as the character of that number,
        // and so do those that take it for another one with controls there.
        let is_free = |octet: &u8| *octet < 0xA0 || decoded(*octet).is_none();
        octets.extend((0x80..=0xFF_u8).filter(is_free).map(|octet| (char::from(octet), octet)));
        octets.sort_by_key(|&(c, _)| c); // stable: the characters that it has come first
        octets.dedup_by_key(|&mut (c, _)| c);
        Some(Self { charset, threshold, octets: Octets::Single(Box::new(Singles::of(octets))) })
    }

    /// Returns whether a no-break space is the octet A0, which programs write as a space.
    pub(super) fn has_blank_at_a0(&self) -> bool {
        self.octet('\u{A0}') == Some(0xA0)
    }

    /// Returns whether characters may be several octets: then text is well-formed UTF-8 by chance
    /// more often.
    pub(super) fn is_double(&self) -> bool {
        matches!(self.octets, Octets::Several(_))
    }

    fn octet(&self, c: char) -> Option<u8> {
        match &self.octets {
            _ if c.is_ascii() => Some(c as u8),
            Octets::Single(octets) => octets.octet(c),
            Octets::Several(_) => None,
        }
    }

    /// Returns whether the charset, one of single octets, has every character of a text.
    pub(super) fn has_all(&self, text: &str) -> bool {
        let octets = text.as_bytes();
        let mut at = to_high(octets);
        while let Some(c) = text[at..].chars().next() {
            if self.octet(c).is_none() {
                return false;
            }
            at += c.len_utf8();
            at += to_high(&octets[at..]);
        }
        true
    }

    /// Returns whether a text may be UTF-8 in every place if it was read as this: nothing is decoded.
    /// In charsets of several octets that takes encoding it.
    pub(super) fn may_be_utf8(&self, text: &str) -> bool {
        if self.is_double() {
            return true;
        }
        let octets = text.as_bytes();
        let mut at = to_high(octets);
        while let Some(c) = text[at..].chars().next() {
            let Some(length) = self.octet(c).and_then(length_of_sequence) else { return false };
            let mut next = text[at + c.len_utf8()..].chars();
            if !(1..length).all(|_| next.next().is_some_and(|c| self.follows(c))) {
                return false;
            }
            at = text.len() - next.as_str().len();
            at += to_high(&octets[at..]);
        }
        true
    }

    /// Returns whether a character may be an octet of UTF-8 after the first one of a character. A
    /// space may have been a no-break space, the octet A0.
    fn follows(&self, c: char) -> bool {
        matches!(self.octet(c), Some(b' ' | 0x80..=0xBF))
    }

    /// Returns whether characters of a text would be one of UTF-8 anywhere if it was read as this,
    /// windows-1252, in which U+00C0 to U+00FF are the octets of these numbers: in UTF-8 all of them
    /// begin with C3, so that most texts are passed over without a look at each character.
    pub(super) fn holds_utf8(&self, text: &str) -> bool {
        let octets = text.as_bytes();
        memchr::memchr_iter(0xC3, octets).any(|at| {
            // Nearly all of them stand before a letter of US-ASCII.
            let may_go_on =
                octets.get(at + 2).is_some_and(|next| !next.is_ascii() || *next == b' ');
            may_go_on && self.begins_sequence(&text[at..])
        })
    }

    /// Returns whether the first characters of a text would be one of UTF-8.
    fn begins_sequence(&self, text: &str) -> bool {
        let mut chars = text.chars();
        let length = chars.next().and_then(|c| self.octet(c)).and_then(length_of_sequence);
        length.is_some_and(|length| {
            (1..length).all(|_| chars.next().is_some_and(|c| self.follows(c)))
        })
    }

    /// Returns the octets of a line; `None` if it has a character that the charset does not have.
    pub(super) fn encode(&self, line: &str) -> Option<Encoded> {
        match &self.octets {
            Octets::Single(_) => {
                let octets: Option<Vec<u8>> = line.chars().map(|c| self.octet(c)).collect();
                Some(Encoded { octets: octets?, chars: line.chars().collect() })
            }
            Octets::Several(_) if line.chars().any(|c| c >= EAST_ASIA) => {
                let octets = self.charset.encode(line).ok()?.into_owned();
                Some(Encoded { octets, chars: Vec::new() })
            }
            Octets::Several(_) => None,
        }
    }
}
