//! What a header section was found to hold.

use std::ops::Range;

use super::lines::LineFacts;
use super::table::RowId;
use crate::lengths::MAX_TOKEN;

/// The longest name of a field; beside a longer one no value fits on the line.
pub(super) const MAX_NAME: usize = MAX_TOKEN;

/// One field of a header section, or a line that is none, as octet offsets in its source.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// From the first octet of the name to the end of the last line, line end included.
    pub(crate) span: Range<usize>,
    /// Length of the name; 0 for a line that is no field.
    pub(crate) name_len: usize,
    /// Offset after the colon.
    pub(crate) value: usize,
    pub(crate) shape: Shape,
    pub(crate) row: RowId,
    pub(crate) lines: LineFacts,
}

/// What a field was found as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `name ":" value` and its continuations.
    Field,
    /// A field with a line that had lost its leading white space.
    LostFold,
    /// A line that is no field at all.
    Unparsed,
    /// An mbox `From ` line.
    FromLine,
    /// All that comes after the limit for a header section, and the field that goes beyond it (rule G13).
    PastLimit,
    /// The signature of UTF-8 before the first field, as editors put it at the head of a file.
    Mark,
    /// White space before the first field.
    Blank,
}

impl Field {
    /// A line that is no field.
    pub(super) fn without_name(span: Range<usize>, shape: Shape, lines: LineFacts) -> Self {
        Self { value: span.start, span, name_len: 0, shape, row: RowId::UNPARSED, lines }
    }

    /// The name as it stands.
    pub(crate) fn name<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        &source[self.span.start..self.span.start + self.name_len]
    }

    /// Whether this is the field of that name, in any case.
    pub(crate) fn is(&self, source: &[u8], name: &str) -> bool {
        self.name_len == name.len() && self.name(source).eq_ignore_ascii_case(name.as_bytes())
    }

    /// The value with its folds and the last line end.
    pub(crate) fn value_of<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        &source[self.value..self.span.end]
    }

    /// Whether it is a field of which nothing is encoded, or has to be, and its lines and its colon are as they should be.
    #[inline]
    pub(super) fn is_clean(&self) -> bool {
        self.shape == Shape::Field && self.lines.are_clean() && !self.is_spaced() && self.name_len <= MAX_NAME
    }

    /// Whether white space stands between name and colon.
    pub(crate) fn is_spaced(&self) -> bool {
        self.value > self.span.start + self.name_len + ":".len()
    }

    /// Whether it is no field, but what may stand before the first one.
    pub(crate) fn precedes_fields(&self) -> bool {
        matches!(self.shape, Shape::FromLine | Shape::Mark | Shape::Blank)
    }

    /// Whether octets may be in it whose charset has to be guessed: those of a field are known to the last, of what is past a
    /// limit nothing is.
    #[inline]
    pub(crate) fn may_need_a_guess(&self) -> bool {
        self.shape == Shape::PastLimit || self.lines.may_need_a_guess()
    }

    /// Whether it has a name and a value.
    pub(crate) fn is_field(&self) -> bool {
        matches!(self.shape, Shape::Field | Shape::LostFold)
    }
}

/// How a header section ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderEnd {
    /// With an empty line.
    EmptyLine,
    /// With the end of the entity: a delimiter or the end of the input.
    EndOfEntity,
    /// With a line that is neither field nor continuation: the body begins with it.
    Text,
}

/// A header section. Its fields went into an arena; this is where it ends and the body begins.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// Where the fields end; the empty line comes next, if there is one.
    pub(crate) fields_end: usize,
    /// Where the body begins.
    pub(crate) body: usize,
    pub(crate) end: HeaderEnd,
}
