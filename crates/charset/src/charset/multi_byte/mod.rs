//! Charsets whose characters are short runs of octets without shifts: one reader, and for each
//! charset a function that classifies the next octets.

mod euc;
mod johab;
mod sjis;
mod tscii;
mod utf1;
mod viqr;

use super::sink::{CharWriter, Machine, Sink};
use crate::DecodeFault;

pub(super) use self::euc::{EUC_FIXED, EUC_JIS_2004, EUC_JP_MS, EUC_TW, JIS_94, JIS_X_0212};
pub(super) use self::johab::JOHAB;
pub(super) use self::sjis::SHIFT_JIS_2004;
pub(super) use self::tscii::TSCII;
pub(super) use self::utf1::UTF_1;
pub(super) use self::viqr::VIQR;

/// The longest run of octets that a charset here needs to see.
const LONGEST: usize = 6;

/// One charset.
pub(super) struct Scheme {
    /// Classifies the next octets.
    pub(super) read: fn(&Held<'_>) -> Step,
    /// The octets of a character, given the character before it; `None` if the charset does not
    /// have it.
    pub(super) write: fn(char, Option<char>, &mut Vec<u8>) -> bool,
    /// Whether a character that combines with the one before can also be written alone, and means
    /// the same.
    pub(super) combining_stands_alone: bool,
}

/// The next octets, at least one.
pub(super) struct Held<'h> {
    pub(super) octets: &'h [u8],
    /// Whether nothing follows them.
    pub(super) last: bool,
}

/// The meaning of the next octets.
pub(super) enum Step {
    /// The beginning of a character; ill-formed at the end of the text.
    More,
    /// The number of octets, and their characters; NUL after the first means no more characters.
    Text(usize, [char; 4]),
    /// The number of octets that are ill-formed.
    Bad(usize),
}

impl Step {
    /// Returns one character of `len` octets.
    pub(super) fn one(len: usize, c: char) -> Self {
        Step::Text(len, [c, '\0', '\0', '\0'])
    }

    /// Returns one character of `len` octets, if there is one.
    pub(super) fn of(len: usize, c: Option<char>) -> Self {
        c.map_or(Step::Bad(len), |c| Self::one(len, c))
    }

    /// Returns a cell of `len` octets, if it holds anything.
    pub(super) fn cell(len: usize, cell: Option<[char; 2]>) -> Self {
        cell.map_or(Step::Bad(len), |[first, second]| Step::Text(len, [first, second, '\0', '\0']))
    }
}

/// Reads by a scheme.
pub(super) struct Reader {
    scheme: &'static Scheme,
    octets: [u8; LONGEST],
    len: usize,
}

impl Reader {
    pub(super) fn new(scheme: &'static Scheme) -> Self {
        Self { scheme, octets: [0; LONGEST], len: 0 }
    }

    /// Reads the pending octets as far as possible; `at` is the number of octets seen.
    fn settle(&mut self, at: usize, last: bool, sink: &mut Sink<'_>) {
        while self.len > 0 {
            let start = at - self.len;
            let used = match (self.scheme.read)(&Held { octets: &self.octets[..self.len], last }) {
                Step::More if !last && self.len < LONGEST => return,
                Step::More => self.bad(self.len, start, sink),
                Step::Bad(len) => self.bad(len, start, sink),
                Step::Text(len, chars) => {
                    let (first, others) = (chars[0], &chars[1..]);
                    sink.char(first);
                    others.iter().filter(|c| **c != '\0').for_each(|c| sink.char(*c));
                    len
                }
            };
            let used = used.clamp(1, self.len);
            self.octets.copy_within(used..self.len, 0);
            self.len -= used;
        }
    }

    fn bad(&self, len: usize, start: usize, sink: &mut Sink<'_>) -> usize {
        sink.bad(DecodeFault::UndecodableText, start, start + len.min(self.len));
        len
    }
}

impl Machine for Reader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        for (i, octet) in octets.iter().enumerate() {
            self.octets[self.len] = *octet;
            self.len += 1;
            self.settle(at + i + 1, false, sink);
        }
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        self.settle(at, true, sink);
    }
}

/// Writes by a scheme.
pub(super) struct Writer {
    scheme: &'static Scheme,
    before: Option<char>,
    /// The last octets, which the next character may still change...
    tail: Vec<u8>,
    /// ...unless they have been handed out already, as this many of them have.
    given: usize,
}

impl Writer {
    pub(super) fn new(scheme: &'static Scheme) -> Self {
        Self { scheme, before: None, tail: Vec::new(), given: 0 }
    }
}

impl CharWriter for Writer {
    fn char(&mut self, c: char, out: &mut Vec<u8>) -> bool {
        let settled = self.tail.len().saturating_sub(LONGEST);
        out.extend(self.tail.drain(..settled).skip(self.given));
        self.given = self.given.saturating_sub(settled);

        let written = if self.given == 0 {
            (self.scheme.write)(c, self.before, &mut self.tail)
        } else {
            self.write_after_given(c)
        };
        self.before = if written { Some(c) } else { self.before };
        written
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        out.extend(&self.tail[self.given..]);
        self.given = self.tail.len();
    }
}

impl Writer {
    /// Writes a character after octets that can no longer be changed.
    fn write_after_given(&mut self, c: char) -> bool {
        let tail = self.tail.clone();
        let written = (self.scheme.write)(c, self.before, &mut self.tail);
        if written && self.tail.len() > self.given && self.tail.starts_with(&tail[..self.given]) {
            return true;
        }
        self.tail.clone_from(&tail);
        if !written || !self.scheme.combining_stands_alone {
            return false;
        }
        (self.scheme.write)(c, None, &mut self.tail)
    }
}
