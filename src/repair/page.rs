//! The charsets that text is mistaken to be in, and the way back from their characters to the
//! octets.

use std::sync::LazyLock;

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
    /// Characters above 7F with their octets, in order.
    Single(Vec<(char, u8)>),
    Several,
}

/// A line in the octets that it was misread from, each with the index of its character.
pub(super) struct Encoded {
    pub(super) octets: Vec<u8>,
    /// Empty if a character may be several octets.
    pub(super) chars: Vec<char>,
}

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

impl Page {
    /// Returns all pages, the most frequent first.
    pub(super) fn all() -> &'static [Self] {
        &ALL
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
            return Some(Self { charset, threshold, octets: Octets::Several });
        }
        let mut octets: Vec<(char, u8)> =
            (0x80..=0xFF_u8).filter_map(|octet| Some((decoded(octet)?, octet))).collect();
        // Readers pass octets that the charset does not have on as the character of that number,
        // and so do those that take it for another one with controls there.
        let is_free = |octet: &u8| *octet < 0xA0 || decoded(*octet).is_none();
        octets.extend((0x80..=0xFF_u8).filter(is_free).map(|octet| (char::from(octet), octet)));
        octets.sort_by_key(|&(c, _)| c); // stable: the characters that it has come first
        octets.dedup_by_key(|&mut (c, _)| c);
        Some(Self { charset, threshold, octets: Octets::Single(octets) })
    }

    /// Returns whether a no-break space is the octet A0, which programs write as a space.
    pub(super) fn has_blank_at_a0(&self) -> bool {
        self.octet('\u{A0}') == Some(0xA0)
    }

    /// Returns whether characters may be several octets: then text is well-formed UTF-8 by chance
    /// more often.
    pub(super) fn is_double(&self) -> bool {
        matches!(self.octets, Octets::Several)
    }

    fn octet(&self, c: char) -> Option<u8> {
        match &self.octets {
            _ if c.is_ascii() => Some(c as u8),
            Octets::Single(octets) => {
                octets.binary_search_by_key(&c, |&(c, _)| c).ok().map(|at| octets[at].1)
            }
            Octets::Several => None,
        }
    }

    /// Returns the octets of a line; `None` if it has a character that the charset does not have.
    pub(super) fn encode(&self, line: &str) -> Option<Encoded> {
        match &self.octets {
            Octets::Single(_) => {
                let octets: Option<Vec<u8>> = line.chars().map(|c| self.octet(c)).collect();
                Some(Encoded { octets: octets?, chars: line.chars().collect() })
            }
            // Their characters begin with those of East Asia, and the half-width forms.
            Octets::Several if line.chars().any(|c| c >= '\u{2E80}') => {
                let octets = self.charset.encode(line).ok()?.into_owned();
                Some(Encoded { octets, chars: Vec::new() })
            }
            Octets::Several => None,
        }
    }
}
