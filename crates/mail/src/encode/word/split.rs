//! Where text is split into encoded-words.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use super::{Content, Encoding, Place, PlannedWords, WordLabel, b_len};
use crate::Charset;
use crate::codec::text_classes::WINDOW;

impl Content<'_> {
    /// Appends the words of an encoding, each as full as possible. Where a word in B could only end
    /// with padding, a short one in Q comes before it, after which none has to.
    pub(super) fn cut(
        &self,
        encoding: Encoding,
        first: usize,
        rest: usize,
        words: &mut PlannedWords,
    ) {
        let (mut start, mut room) = (self.range.start, self.room(first));
        while start < self.range.end {
            let left = Rest { content: self, start, encoding };
            let length = left.word(room);
            let is_padded = encoding == Encoding::B
                && !length.is_multiple_of(3)
                && start + length < self.range.end;
            let aligning = if is_padded { left.aligning(room) } else { None };
            let (length, encoding) =
                aligning.map_or((length, encoding), |length| (length, Encoding::Q));
            let octets = start..start + length;
            let text = match encoding {
                Encoding::B => b_len(length),
                Encoding::Q => self.q_len_of(octets.clone()),
            };
            words.push(octets, self.overhead + text, encoding);
            (start, room) = (start + length, self.room(rest));
        }
    }

    fn q_len_of(&self, octets: Range<usize>) -> usize {
        octets.len() + 2 * self.classes.count(octets, |window| window.escaped)
    }
}

/// The rest of a content, from which the next word is split off. Places are counted from its start.
struct Rest<'c> {
    content: &'c Content<'c>,
    start: usize,
    encoding: Encoding,
}

/// The maximum number of octets that a character has in any charset.
const MAX_OCTETS: usize = 4;

/// The maximum number of octets in Q before words in B.
const MAX_ALIGNING: usize = 3 * MAX_OCTETS;

/// A bit for each place that needs no padding in B.
const THIRDS: u64 = 0x9249_2492_4924_9248;

impl Rest<'_> {
    /// Returns how many octets go into a word with room for `room` octets of encoded-text: at least
    /// one character (one octet if the charset is not UTF-8).
    fn word(&self, room: usize) -> usize {
        let left = self.content.range.end - self.start;
        let fitting = match self.encoding {
            Encoding::B => left.min(room / 4 * 3),
            Encoding::Q => self.fitting_q(left.min(room), room),
        };
        if fitting == left {
            return left;
        }
        let is_text = self.content.text.is_some() || self.content.is_nearly_utf8();
        let inner =
            if is_text { self.content.classes.from(self.start, |window| window.inner) } else { 0 };
        let characters = !inner & !1;
        let fits = characters & up_to(fitting);
        if fits == 0 && self.content.text.is_none() {
            return self.whole_characters(fitting.max(1));
        }
        if fits == 0 {
            // The rest may be no more than that character.
            return left.min(characters.trailing_zeros() as usize);
        }
        let best = self.best(fits);
        if is_text { best } else { self.whole_characters(best) }
    }

    /// Returns the length of the few characters after which a word in B can end without padding, if
    /// they fit into a word in Q.
    fn aligning(&self, room: usize) -> Option<usize> {
        self.content.text?;
        let left = self.content.range.end - self.start;
        let inner = self.content.classes.from(self.start, |window| window.inner);
        let ends = !inner & !1 & up_to(left.min(WINDOW - 1));
        let ends_in_thirds = |length: usize| ends >> length & THIRDS & !1 != 0;
        let fits = |length: usize| self.content.q_len_of(self.start..self.start + length) <= room;
        let all = (1..=MAX_ALIGNING).filter(|&length| ends >> length & 1 != 0);
        all.take_while(|&length| fits(length))
            .find(|&length| ends_in_thirds(length) && self.ends_grapheme(length))
    }

    /// Returns how many of the first `most` octets are whole characters of the charset they are
    /// labelled with, if they are text in it: not all readers join what two words hold. In B, where
    /// no padding is needed.
    fn whole_characters(&self, most: usize) -> usize {
        let WordLabel::Other(label) = self.content.label else { return most };
        let Some(charset) = Charset::for_octets(label).filter(|charset| charset.is_decodable())
        else {
            return most;
        };
        let octets = &self.content.octets[self.start..];
        let is_text = |end: &usize| charset.decode_lossless(&octets[..*end]).is_some();
        let is_even = |end: &usize| self.encoding == Encoding::Q || end.is_multiple_of(3);
        let ends = || (1..=most).rev().take(3 * MAX_OCTETS);
        ends().filter(is_even).find(is_text).or_else(|| ends().find(is_text)).unwrap_or(most)
    }

    /// Returns how many of the first `most` octets fit.
    fn fitting_q(&self, most: usize, room: usize) -> usize {
        let escaped = self.content.classes.from(self.start, |window| window.escaped);
        let mut fitting = most;
        loop {
            let written = fitting + 2 * (escaped & up_to(fitting) >> 1).count_ones() as usize;
            if written <= room {
                return fitting;
            }
            // Dropping an octet saves at most three.
            fitting -= (written - room).div_ceil(3);
        }
    }

    /// Returns the best place to end a word before another one: between graphemes if possible; in B
    /// where no padding is needed; in a phrase after a space, since some readers show one between
    /// any two words of a display name.
    fn best(&self, fits: u64) -> usize {
        let places = if self.encoding == Encoding::B { fits & THIRDS } else { fits };
        let spaced = match self.content.place {
            Place::Phrase => {
                places & self.content.classes.from(self.start, |window| window.spaces) << 1
            }
            _ => 0,
        };
        let last = || {
            places.checked_ilog2().or_else(|| fits.checked_ilog2()).map_or(1, |end| end as usize)
        };
        self.last_grapheme(spaced).or_else(|| self.last_grapheme(places)).unwrap_or_else(last)
    }

    /// Returns the last of some places at which a grapheme ends.
    fn last_grapheme(&self, mut places: u64) -> Option<usize> {
        while places != 0 {
            let last = places.ilog2();
            if self.ends_grapheme(last as usize) {
                return Some(last as usize);
            }
            places &= !(1 << last);
        }
        None
    }

    /// Returns whether a grapheme ends at `end`, judged from the start of this word only.
    fn ends_grapheme(&self, end: usize) -> bool {
        let Some(text) = self.content.text else { return true };
        let word = &text[self.start..self.content.range.end];
        let stands_alone = |c: Option<char>| c.is_none_or(stands_alone);
        stands_alone(word[..end].chars().next_back()) && stands_alone(word[end..].chars().next())
            || GraphemeCursor::new(end, word.len(), true).is_boundary(word, 0).unwrap_or(true)
    }
}

/// Returns ones up to and including that place.
fn up_to(place: usize) -> u64 {
    u64::MAX >> (WINDOW - 1 - place)
}

/// Returns whether two such characters are certainly two graphemes: letters and punctuation of the
/// scripts that most mail is written in. All other characters are looked up in the tables of
/// Unicode.
pub(super) fn stands_alone(c: char) -> bool {
    ALONE.get(c as usize / 64).is_some_and(|alone| alone >> (c as u32 % 64) & 1 != 0)
}

/// A bit for each character of the first plane.
static ALONE: [u64; 1024] = {
    const RANGES: [[u32; 2]; 17] = [
        [0x20, 0x7E],
        // Latin
        [0xA0, 0xA8],
        [0xAA, 0xAC],
        [0xAF, 0x2FF],
        // Greek, Cyrillic
        [0x370, 0x482],
        [0x48A, 0x52F],
        // Hebrew, Arabic, Devanagari, Thai
        [0x5D0, 0x5EA],
        [0x620, 0x64A],
        [0x904, 0x939],
        [0xE01, 0xE30],
        // dashes and quotes
        [0x2010, 0x2027],
        [0x3001, 0x3029],
        // kana
        [0x3041, 0x3096],
        [0x30A0, 0x30FF],
        // Han, Hangul
        [0x4E00, 0x9FFF],
        [0xAC00, 0xD7A3],
        [0xFF01, 0xFF9D],
    ];
    let mut alone = [0; 1024];
    let mut range = 0;
    while range < RANGES.len() {
        let [mut c, last] = RANGES[range];
        while c <= last {
            alone[c as usize / 64] |= 1 << (c % 64);
            c += 1;
        }
        range += 1;
    }
    alone
};
