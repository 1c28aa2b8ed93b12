//! What a field's octets and lines are like: one pass over every field of every message.

use crate::Code;
use crate::ascii::is_wsp;
use crate::codec::scan;
use crate::syntax::encoded_word::{MOST_OCTETS, longest_word};

/// The longest line (rule G3), and the longest with an encoded-word.
const MOST_LINE: usize = 998;
const MOST_WORD_LINE: usize = 76;

/// What is wrong with a field's lines, or might be with its octets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Octets outside 20-7E, TAB and line ends.
    odd_octets: bool,
    /// `=?`, with which an encoded-word would begin.
    words: bool,
    /// A CR that is no part of a line end.
    bare_cr: bool,
    /// A line over 998 octets; an encoded-word over 75, or one on a line over 76.
    long_line: bool,
    blank_continuation: bool,
    /// A line that does not begin with white space.
    lost_fold: bool,
}

impl Shape {
    pub(super) fn of(raw: &[u8]) -> Self {
        let plain = |octet: u8| (octet.wrapping_sub(b' ') < 0x5F) | (octet == b'\t');
        let mut shape = Self {
            odd_octets: scan::any(raw, |octet| !(plain(octet) | (octet == b'\r') | (octet == b'\n'))),
            words: scan::any_pair(raw, |octet, next| (octet == b'=') & (next == b'?')),
            bare_cr: scan::any_pair(raw, |octet, next| (octet == b'\r') & (next != b'\n'))
                || raw.ends_with(b"\r"),
            ..Self::default()
        };
        let mut from = 0;
        while from < raw.len() {
            let end = memchr::memchr(b'\n', &raw[from..]).map_or(raw.len(), |n| from + n + 1);
            shape.line(&raw[from..end], from > 0);
            from = end;
        }
        shape
    }

    /// Whether the field needs no look at what it says: nothing in it is encoded, or has to be.
    pub(super) fn is_clean(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the field has to be written anew, whatever it says.
    pub(super) fn is_unfit(&self) -> bool {
        self.odd_octets || !self.is_fine()
    }

    /// Whether the lines are as they should be.
    pub(super) fn is_fine(&self) -> bool {
        let Self { bare_cr, long_line, blank_continuation, lost_fold, .. } = *self;
        !(bare_cr || long_line || blank_continuation || lost_fold)
    }

    /// What was wrong with the lines.
    pub(super) fn codes(&self) -> impl Iterator<Item = Code> {
        let found = [
            (self.blank_continuation, Code::BlankContinuation),
            (self.bare_cr, Code::BareLineEnd),
            (self.lost_fold, Code::FoldRestored),
            (self.long_line, Code::Refolded),
        ];
        found.into_iter().filter_map(|(is, code)| is.then_some(code))
    }

    /// Looks at one line, its line end included.
    fn line(&mut self, line: &[u8], continues: bool) {
        let text = line.strip_suffix(b"\n").map_or(line, |text| text.strip_suffix(b"\r").unwrap_or(text));
        self.long_line |= text.len() > MOST_LINE || self.words && has_long_word(text);
        if continues {
            self.lost_fold |= !text.first().is_some_and(|&o| is_wsp(o)) && !text.is_empty();
            self.blank_continuation |= text.iter().all(|&o| is_wsp(o) || o == b'\r');
        }
    }
}

fn has_long_word(line: &[u8]) -> bool {
    let longest = longest_word(line);
    longest > MOST_OCTETS || longest > 0 && line.len() > MOST_WORD_LINE
}
