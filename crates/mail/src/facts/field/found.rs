//! A header section as it was found: its fields, how many they are, and how it ends.

use std::ops::Range;

use super::lines::LineFacts;
use super::renamed::{DUPLICATE, old_name};
use super::table::RowId;
use crate::lengths::MAX_TOKEN;

/// The longest name of a field; next to a longer one no value fits on the line.
pub const MAX_NAME: usize = MAX_TOKEN;

/// One field of a header section, or a line that is not one, as octet offsets in its source.
#[derive(Clone, Debug)]
pub struct Field {
    /// From the first octet of the name to the end of the last line, line end included.
    pub span: Range<usize>,
    /// Length of the name; 0 for a line that is not a field.
    pub name_len: usize,
    /// Offset after the colon.
    pub value: usize,
    pub shape: Shape,
    pub row: RowId,
    pub lines: LineFacts,
}

/// The form in which a field was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `name ":" value` and its continuations.
    Field,
    /// A field with a line that had lost its leading white space.
    LostFold,
    /// A line that is not a field at all.
    Unparsed,
    /// An mbox `From ` line.
    FromLine,
    /// Everything past the limit for a header section, including the field that crosses it (rule
    /// G13).
    PastLimit,
    /// The byte order mark before the first field, as editors put it at the start of a file.
    Mark,
    /// White space before the first field.
    Blank,
}

impl Field {
    /// Returns a line that is not a field.
    pub(super) fn without_name(span: Range<usize>, shape: Shape, lines: LineFacts) -> Self {
        Self { value: span.start, span, name_len: 0, shape, row: RowId::UNPARSED, lines }
    }

    /// Returns the name as it is in the source.
    pub fn name<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        &source[self.span.start..self.span.start + self.name_len]
    }

    /// Returns the name in lower case.
    pub fn lower_name(&self, source: &[u8]) -> String {
        String::from_utf8_lossy(self.name(source)).to_ascii_lowercase()
    }

    /// Returns whether the field has that name, in any case.
    pub fn is(&self, source: &[u8], name: &str) -> bool {
        self.name_len == name.len() && self.name(source).eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the value with its folds and the last line end.
    pub fn value_of<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        &source[self.value..self.span.end]
    }

    /// Returns whether this is a field in which nothing is encoded, or has to be, and whose lines
    /// and colon are as they should be.
    #[inline]
    pub fn is_clean(&self) -> bool {
        self.shape == Shape::Field
            && self.lines.are_clean()
            && !self.is_spaced()
            && self.name_len <= MAX_NAME
    }

    /// Returns whether there is white space between name and colon.
    pub fn is_spaced(&self) -> bool {
        self.value > self.span.start + self.name_len + ":".len()
    }

    /// Returns whether the field counts: not one that normalising may add, nor one that normalising
    /// may give another name, so that what is written never has more of them. One with too long a
    /// name becomes one of another kind.
    #[inline(always)]
    pub(super) fn counts(&self, source: &[u8]) -> bool {
        // No name with a row of its own is one that was given to a field.
        let old = if self.row == RowId::OTHER {
            old_name(self.name(source)).len()
        } else {
            self.name_len
        };
        let row = if old == self.name_len {
            self.row
        } else {
            RowId::of(&self.name(source)[self.name_len - old..])
        };
        row.mime.is_none() || old + DUPLICATE.len() > MAX_NAME
    }

    /// Returns whether it is not a field, but something that may come before the first one.
    pub fn precedes_fields(&self) -> bool {
        matches!(self.shape, Shape::FromLine | Shape::Mark | Shape::Blank)
    }

    /// Returns whether it has a name and a value.
    pub fn is_field(&self) -> bool {
        matches!(self.shape, Shape::Field | Shape::LostFold)
    }
}

/// How a header section ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderEnd {
    /// With an empty line.
    EmptyLine,
    /// With the end of the entity: a delimiter or the end of the input.
    EndOfEntity,
    /// With a line that is neither field nor continuation: the body begins with it.
    Text,
}

/// The counts in header sections for which there are limits (rule G13).
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted {
    /// How many fields [count](Field::counts).
    pub fields: usize,
    /// How many runs of octets above 7F there are in what is read.
    pub raw_runs: usize,
    /// How many fields are not [clean](Field::is_clean), at least; there is no limit for these.
    pub unclean: usize,
}

/// A header section. Its fields are in an arena; this is where it ends and where the body begins.
#[derive(Clone, Debug)]
pub struct Section {
    /// Where the fields end; the empty line comes next, if there is one.
    pub fields_end: usize,
    /// Where the body begins.
    pub body: usize,
    pub end: HeaderEnd,
    pub counted: Counted,
}
