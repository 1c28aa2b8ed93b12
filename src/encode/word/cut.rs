//! Where encoded-words are cut.

use unicode_segmentation::GraphemeCursor;

use super::{Content, Encoding, Place, is_safe};

impl Content<'_> {
    /// Where a word ends that begins at `start` and has room for `room` octets of encoded-text.
    pub(super) fn cut(&self, start: usize, encoding: Encoding, room: usize) -> usize {
        let most = match encoding {
            Encoding::B => self.fitting_b(start, room),
            Encoding::Q => self.fitting_q(start, room),
        };
        if most < self.octets.len() { self.best_cut(start, most, encoding) } else { most }
    }

    /// How far a word can reach: one character at least (one octet, where the charset is not ours).
    fn fitting_b(&self, start: usize, room: usize) -> usize {
        let most = self.octets.len().min(start + room / 4 * 3);
        let fits = (start + 1..=most).rev().find(|&end| self.ends_character(end));
        fits.unwrap_or_else(|| self.next_character(start))
    }

    fn fitting_q(&self, start: usize, room: usize) -> usize {
        let mut end = start;
        let mut written = 0;
        for (at, &octet) in self.octets.iter().enumerate().skip(start) {
            written += if is_safe(octet, self.place) { 1 } else { 3 };
            if written > room {
                break;
            }
            if self.ends_character(at + 1) {
                end = at + 1;
            }
        }
        if end > start { end } else { self.next_character(start) }
    }

    fn next_character(&self, start: usize) -> usize {
        (start + 1..self.octets.len()).find(|&end| self.ends_character(end)).unwrap_or(self.octets.len())
    }

    /// Whether a character ends before `end`.
    fn ends_character(&self, end: usize) -> bool {
        self.text.is_none_or(|text| text.is_char_boundary(end))
    }

    /// Where a word that another one follows is best cut: between graphemes where it can be; in B where it needs
    /// no padding; in a phrase behind a space, since some readers show one between any two words of a display name.
    fn best_cut(&self, start: usize, most: usize, encoding: Encoding) -> usize {
        let padless = |end: &usize| encoding == Encoding::Q || (end - start).is_multiple_of(3);
        let mut ends =
            (start + 1..=most).rev().filter(|&end| self.ends_character(end)).filter(padless).peekable();
        let any = ends.peek().copied();
        let mut whole = ends.filter(|&end| self.ends_grapheme(start, end)).peekable();
        let spaced = |end: &usize| self.place != Place::Phrase || self.octets[end - 1] == b' ';
        let best = whole.peek().copied();
        whole.find(spaced).or(best).or(any).unwrap_or(most)
    }

    /// Whether a grapheme ends at `end`, as far as the word from `start` tells: what lies before it is cut off.
    fn ends_grapheme(&self, start: usize, end: usize) -> bool {
        let Some(text) = self.text else { return true };
        let (before, behind) = text.split_at(end);
        if before.chars().next_back().is_none_or(stands_alone)
            && behind.chars().next().is_none_or(stands_alone)
        {
            return true;
        }
        let word = &text[start..];
        GraphemeCursor::new(end - start, word.len(), true).is_boundary(word, 0).unwrap_or(true)
    }
}

/// Whether a character makes no grapheme with one of its like: letters and marks of the scripts that most mail is in.
/// What is known without a look into the tables of Unicode; all others are looked up.
pub(super) fn stands_alone(c: char) -> bool {
    matches!(
        c,
        ' '..='~' | '\u{A0}'..='\u{A8}' | '\u{AA}'..='\u{AC}' | '\u{AF}'..='\u{2FF}' // Latin
            | '\u{370}'..='\u{482}' | '\u{48A}'..='\u{52F}' // Greek, Cyrillic
            | '\u{2010}'..='\u{2027}' | '\u{3001}'..='\u{3029}' // dashes and quotes
            | '\u{3041}'..='\u{3096}' | '\u{30A0}'..='\u{30FF}' // kana
            | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' // Han, Hangul
            | '\u{FF01}'..='\u{FF9D}'
    )
}
