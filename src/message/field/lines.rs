//! What the lines of a field are like.

use crate::Code;
use crate::ascii::{is_printable, is_wsp};
use crate::codec::header_lines::{HeaderLines, Line};
use crate::codec::scan;
use crate::lengths::MAX_LINE;
use crate::message::line_ends::without_line_end;
use crate::syntax::encoded_word::{MAX_WORD, MAX_WORD_LINE, longest_word};

/// What is wrong with a field's lines, or may be wrong with its octets. They are found line by line, as the lines are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineFacts {
    /// Octets other than 20-7E, TAB, CR and LF.
    odd_octets: bool,
    /// `=?`, with which an encoded-word would begin.
    words: bool,
    /// A CR that is no part of a line end.
    bare_cr: bool,
    /// A line that is too long.
    long_line: bool,
    blank_continuation: bool,
    /// A line other than the first that does not begin with white space.
    lost_fold: bool,
}

impl LineFacts {
    /// The facts of all lines of `raw`.
    pub(crate) fn of(raw: &[u8]) -> Self {
        let mut lines = HeaderLines::new(raw);
        let Line { end, is_suspect } = lines.line(0);
        let mut facts = Self::of_line(&raw[..end], is_suspect);
        let mut at = end;
        while at < raw.len() {
            let Line { end, is_suspect } = lines.line(at);
            facts.continue_with(&raw[at..end], is_suspect);
            at = end;
        }
        facts
    }

    /// The facts of a field's first line, its line end included; whether it [is suspect](Line::is_suspect) is known.
    #[inline]
    pub(super) fn of_line(line: &[u8], is_suspect: bool) -> Self {
        let mut facts = Self::default();
        facts.add(line, is_suspect);
        facts
    }

    /// Adds another line.
    #[inline]
    pub(super) fn continue_with(&mut self, line: &[u8], is_suspect: bool) {
        self.add(line, is_suspect);
        let text = without_line_end(line);
        self.lost_fold |= text.first().is_some_and(|&octet| !is_wsp(octet));
        self.blank_continuation |= text.iter().all(|&octet| is_wsp(octet) || octet == b'\r');
    }

    #[inline]
    fn add(&mut self, line: &[u8], is_suspect: bool) {
        if is_suspect {
            self.add_suspect(line);
        }
        if line.len() > MAX_LINE {
            self.long_line |= without_line_end(line).len() > MAX_LINE;
        }
    }

    fn add_suspect(&mut self, line: &[u8]) {
        let odd = |octet: u8| !(is_printable(octet) | matches!(octet, b'\t' | b'\r' | b'\n'));
        let is_bare = |octet: u8, next: u8| (octet == b'\r') & (next != b'\n');
        self.odd_octets |= scan::any(line, odd);
        self.words |= scan::any_pair(line, |octet, next| (octet == b'=') & (next == b'?'));
        self.bare_cr |= scan::any_pair(line, is_bare) || line.ends_with(b"\r");
    }

    /// The facts with those that encoded-words add: that a word is too long, or the line it is on.
    pub(super) fn with_words(self, raw: &[u8]) -> Self {
        let too_long = |line: &[u8]| {
            let (line, longest) = (without_line_end(line), longest_word(line));
            longest > MAX_WORD || longest > 0 && line.len() > MAX_WORD_LINE
        };
        let long_line = self.long_line || self.words && raw.split_inclusive(|&o| o == b'\n').any(too_long);
        Self { long_line, ..self }
    }

    /// Whether an encoded-word may be in it.
    pub(super) fn may_hold_words(&self) -> bool {
        self.words
    }

    /// Whether nothing is encoded, or has to be, and every line is as it should be.
    #[inline]
    pub(crate) fn are_clean(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the field has to be written anew, whatever it says.
    pub(super) fn are_unfit(&self) -> bool {
        self.odd_octets || !self.are_fine()
    }

    /// Whether the lines are as they should be.
    pub(super) fn are_fine(&self) -> bool {
        let Self { bare_cr, long_line, blank_continuation, lost_fold, .. } = *self;
        !(bare_cr || long_line || blank_continuation || lost_fold)
    }

    /// What is wrong with the lines.
    pub(super) fn codes(&self) -> impl Iterator<Item = Code> {
        let found = [
            (self.blank_continuation, Code::BlankContinuation),
            (self.bare_cr, Code::BareLineEnd),
            (self.lost_fold, Code::FoldRestored),
            (self.long_line, Code::Refolded),
        ];
        found.into_iter().filter_map(|(is, code)| is.then_some(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fact_has_its_line() {
        let facts = |raw: &[u8]| {
            let LineFacts { odd_octets, words, bare_cr, long_line, blank_continuation, lost_fold } =
                LineFacts::of(raw).with_words(raw);
            [odd_octets, words, bare_cr, long_line, blank_continuation, lost_fold].map(u8::from)
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
