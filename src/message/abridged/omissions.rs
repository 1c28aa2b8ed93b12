//! The lines that were left out of a message, and where.

use std::ops::Range;

use crate::Span;
use crate::codec::base64::{Checksum, LineShape};

/// Lines of a run that were left out between others of the same run.
#[derive(Clone, Debug)]
pub(super) struct Omission {
    /// Where they are missing, as an offset in what was kept.
    pub(super) at: usize,
    /// How many octets are missing before them.
    pub(super) before: usize,
    /// Their length in octets.
    pub(super) len: usize,
    /// The shape of the first of them.
    pub(super) line: LineShape,
    pub(super) checksum: Checksum,
}

/// All omissions, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Omissions(pub(super) Vec<Omission>);

impl Omissions {
    /// Returns where the first omission is.
    pub(super) fn first(&self) -> Option<usize> {
        self.0.first().map(|omission| omission.at)
    }

    /// Returns where octet `at` of what was kept is in the whole message; right at an omission,
    /// after it.
    pub(super) fn in_whole(&self, at: usize) -> usize {
        let before = &self.0[..self.0.partition_point(|omission| omission.at <= at)];
        before.last().map_or(at, |omission| at + omission.before + omission.len)
    }

    /// Returns where a span of what was kept is in the whole message.
    pub(super) fn span_in_whole(&self, span: Span) -> Span {
        Span::new(self.in_whole(span.start), self.in_whole(span.end))
    }

    /// Returns the omissions between the ends of `range`.
    pub(super) fn within(&self, range: &Range<usize>) -> &[Omission] {
        let from = self.before(range.start + 1);
        &self.0[from..self.before(range.end).max(from)]
    }

    /// Returns whether any omission is between the ends of `range`, or at either of them.
    pub(super) fn touch(&self, range: &Range<usize>) -> bool {
        self.before(range.start) < self.before(range.end + 1)
    }

    /// Returns how many omissions are before `at`.
    fn before(&self, at: usize) -> usize {
        self.0.partition_point(|omission| omission.at < at)
    }
}
