//! Facts about the lines of a field.

use crate::Code;
use crate::ascii::{is_printable, is_wsp};
use crate::codec::scan;
use crate::facts::line_ends::{line_end, without_line_end};
use crate::lengths::MAX_LINE;
use crate::syntax::encoded_word::{MAX_WORD, MAX_WORD_LINE, longest_word};

/// The faults of a field's lines, and the possible faults of its octets, found line by line. One
/// bit each, so that a single comparison shows that there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineFacts(u8);

/// Octets other than 20-7E, TAB, CR and LF.
const ODD_OCTETS: u8 = 1;
/// `=?`, with which an encoded-word would begin.
const WORDS: u8 = 1 << 1;
/// A CR that is not part of a line end.
const BARE_CR: u8 = 1 << 2;
/// A line that is too long.
const LONG_LINE: u8 = 1 << 3;
const BLANK_CONTINUATION: u8 = 1 << 4;
/// A line other than the first that does not begin with white space.
const LOST_FOLD: u8 = 1 << 5;

impl LineFacts {
    /// Returns the facts of all lines of `raw`.
    pub fn of(raw: &[u8]) -> Self {
        // Most are short: asking which lines are suspect would take longer than examining them.
        let mut at = line_end(raw, 0);
        let mut facts = Self::of_line(&raw[..at], true);
        while at < raw.len() {
            let end = line_end(raw, at);
            facts.continue_with(&raw[at..end], true);
            at = end;
        }
        facts
    }

    /// Returns the facts of a field's first line, including its line end; whether it [is
    /// suspect](Line::is_suspect) is already known.
    #[inline]
    pub fn of_line(line: &[u8], is_suspect: bool) -> Self {
        let mut facts = Self::default();
        facts.add(line, is_suspect);
        facts
    }

    /// Adds another line.
    #[inline]
    pub fn continue_with(&mut self, line: &[u8], is_suspect: bool) {
        self.add(line, is_suspect);
        // Of most lines these are seen by the first octets.
        let (is_folded, is_shown) =
            (line.first().copied().is_some_and(is_wsp), line.iter().any(|&octet| octet > b' '));
        let text = if is_folded && is_shown { return } else { without_line_end(line) };
        self.note(LOST_FOLD, text.first().is_some_and(|&octet| !is_wsp(octet)));
        self.note(BLANK_CONTINUATION, text.iter().all(|&octet| is_wsp(octet) || octet == b'\r'));
    }

    #[inline]
    fn add(&mut self, line: &[u8], is_suspect: bool) {
        if is_suspect {
            self.add_suspect(line);
        }
        if line.len() > MAX_LINE {
            self.note(LONG_LINE, without_line_end(line).len() > MAX_LINE);
        }
    }

    fn add_suspect(&mut self, line: &[u8]) {
        let odd = |octet: u8| !(is_printable(octet) | matches!(octet, b'\t' | b'\r' | b'\n'));
        let is_bare = |octet: u8, next: u8| (octet == b'\r') & (next != b'\n');
        self.note(ODD_OCTETS, scan::any(line, odd));
        self.note(WORDS, scan::any_pair(line, |octet, next| (octet == b'=') & (next == b'?')));
        self.note(BARE_CR, scan::any_pair(line, is_bare) || line.ends_with(b"\r"));
    }

    fn note(&mut self, fact: u8, is_so: bool) {
        self.0 |= if is_so { fact } else { 0 };
    }

    fn are(self, any_of: u8) -> bool {
        self.0 & any_of != 0
    }

    /// Returns the facts, plus those that depend on encoded-words: that a word is too long, or the
    /// line it is on.
    pub fn with_words(self, raw: &[u8]) -> Self {
        let too_long = |line: &[u8]| {
            let longest = if line.len() > MAX_WORD { longest_word(line) } else { 0 };
            longest > MAX_WORD || longest > 0 && line.len() > MAX_WORD_LINE
        };
        let mut lines = raw.split_inclusive(|&octet| octet == b'\n').map(without_line_end);
        let mut facts = self;
        facts.note(LONG_LINE, self.are(WORDS) && lines.any(too_long));
        facts
    }

    /// Returns whether nothing is encoded, or has to be, and every line is as it should be.
    #[inline]
    pub fn are_clean(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether the field has to be rewritten, whatever it says.
    pub fn are_unfit(&self) -> bool {
        self.are(ODD_OCTETS) || !self.are_fine()
    }

    /// Returns whether the lines are as they should be.
    pub fn are_fine(&self) -> bool {
        !self.are(BARE_CR | LONG_LINE | BLANK_CONTINUATION | LOST_FOLD)
    }

    /// Returns the codes of what is wrong with the lines.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        let codes = [
            (BLANK_CONTINUATION, Code::BlankContinuation),
            (BARE_CR, Code::BareLineEnd),
            (LOST_FOLD, Code::FoldRestored),
            (LONG_LINE, Code::Refolded),
        ];
        let facts = *self;
        codes.into_iter().filter_map(move |(fact, code)| facts.are(fact).then_some(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fact_has_its_line() {
        let facts = |raw: &[u8]| {
            let facts = LineFacts::of(raw).with_words(raw);
            [ODD_OCTETS, WORDS, BARE_CR, LONG_LINE, BLANK_CONTINUATION, LOST_FOLD]
                .map(|fact| u8::from(facts.are(fact)))
        };
        assert_eq!(facts(b"A: b\r\n c\n\td\r\n"), [0; 6]);
        assert_eq!(facts(b"A: \xe9\r\n"), [1, 0, 0, 0, 0, 0]);
        assert_eq!(facts(b"A: =?\r\n"), [0, 1, 0, 0, 0, 0]);
        assert_eq!(facts(b"A: b\rc\r\n"), [0, 0, 1, 0, 0, 0]);
        assert_eq!(facts(b"A: b\r"), [0, 0, 1, 0, 0, 0]);
        assert_eq!(facts(b"A: b\r\n \r\n c\r\n"), [0, 0, 0, 0, 1, 0]);
        assert_eq!(facts(b"A: b\r\nc\r\n"), [0, 0, 0, 0, 0, 1]);
        let line = |octets: usize| [&b"A: "[..], &vec![b'b'; octets - 3], b"\r\n"].concat();
        assert_eq!(facts(&line(998)), [0; 6]);
        assert_eq!(facts(&line(999)), [0, 0, 0, 1, 0, 0]);
        assert_eq!(facts(&[&b"A: =?utf-8?Q?b?=\r\n "[..], &line(90)].concat()), [0, 1, 0, 0, 0, 0]);
        assert_eq!(facts(&[&b"A: =?utf-8?Q?b?= "[..], &line(90)].concat()), [0, 1, 0, 1, 0, 0]);
    }
}
