//! How a line that we write must not begin (rule B4).

use memchr::{memchr, memchr_iter};

use crate::lengths::MAX_ENCODED_LINE;

/// The octets that no line may begin with, since they would be changed or misread on the way.
#[derive(Clone, Debug, Default)]
pub struct LineStarts {
    /// Those that are the same in every message, so that they need no memory.
    fixed: &'static [&'static [u8]],
    /// Those of one message.
    own: Vec<Vec<u8>>,
    /// The first octets of all of them; NUL if there are fewer.
    first: [u8; MAX_FIRST],
}

/// The maximum number of distinct first octets in [`LineStarts`]: a vector is compared with each of
/// them.
pub(super) const MAX_FIRST: usize = 3;

impl LineStarts {
    /// None of them may be empty, and they may have no more than three distinct first octets.
    pub fn new(fixed: &'static [&'static [u8]], own: Vec<Vec<u8>>) -> Self {
        let mut starts = Self { fixed, own, first: [0; MAX_FIRST] };
        let mut first = [0; MAX_FIRST];
        for start in starts.all() {
            let known = first.iter_mut().find(|known| **known == start[0] || **known == 0);
            *known.expect("no more than three octets come first") = start[0];
        }
        starts.first = first;
        starts
    }

    fn all(&self) -> impl Iterator<Item = &[u8]> {
        self.fixed.iter().copied().chain(self.own.iter().map(Vec::as_slice))
    }

    /// Returns the first octets of all starts.
    pub(super) fn first(&self) -> [u8; MAX_FIRST] {
        self.first
    }

    /// Returns whether any start begins with `octet`: hardly any line needs a closer look.
    #[inline]
    pub(super) fn may_begin_with(&self, octet: u8) -> bool {
        self.first.contains(&octet)
    }

    /// Returns whether `line` begins with any of the starts.
    pub(crate) fn begin(&self, line: &[u8]) -> bool {
        line.first().is_some_and(|&octet| self.may_begin_with(octet))
            && self.all().any(|start| begins(line, start))
    }

    /// Returns whether any line of `text` begins with one of the starts.
    pub fn begin_any_line(&self, text: &[u8]) -> bool {
        self.begin(text) || memchr_iter(b'\n', text).any(|end| self.begin(&text[end + 1..]))
    }

    /// Returns whether a line of quoted-printable, before it is cut, begins with one of the starts.
    /// It is compared as it is written: a start may look like an escape (`=3D`) or end like a soft
    /// break (`=`), and a space that ends the line is already an escape.
    #[cold]
    pub(super) fn begin_encoded(&self, line: &[u8]) -> bool {
        let line = &line[..memchr(b'\r', line).unwrap_or(line.len())];
        let foremost = foremost(line);
        self.all().any(|start| match start {
            [start @ .., b'='] => begins(foremost, start),
            [start @ .., b' '] if line.strip_suffix(b"=20") == Some(start) => true,
            start => begins(foremost, start),
        })
    }
}

/// How many octets of a line are compared: no line has room for more.
const FOREMOST: usize = MAX_ENCODED_LINE + 2;

/// Returns the first [`FOREMOST`] octets of a line before it is cut, and the rest of an escape.
fn foremost(line: &[u8]) -> &[u8] {
    let end = match line.get(FOREMOST - 2..FOREMOST) {
        None => line.len().min(FOREMOST),
        Some([b'=', _]) => FOREMOST + 1,
        Some([_, b'=']) => FOREMOST + 2,
        _ => FOREMOST,
    };
    &line[..end]
}

/// Compares the last octet first: most starts differ in it, and a comparison of slices is a call.
#[inline]
fn begins(line: &[u8], start: &[u8]) -> bool {
    let last = start.len().checked_sub(1);
    last.is_none_or(|last| line.get(last) == Some(&start[last])) && line.starts_with(start)
}
