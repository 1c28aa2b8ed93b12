//! A field taken apart for the functions that judge it.

use super::LineFacts;
use super::RowId;
use super::{Field, MAX_NAME};
use crate::Span;
use crate::decode::ParameterTexts;
use crate::syntax::field_name::field_name;

/// The name given to a line that is not a field (rule H1).
pub(crate) const UNPARSED_NAME: &str = "X-Unparsed";

/// Returns a field made from a line that is not one, given without its line end.
pub(crate) fn unparsed_as_field(line: &[u8]) -> Vec<u8> {
    [UNPARSED_NAME.as_bytes(), b": ", line, b"\r\n"].concat()
}

/// A field, or a line that is not one, with what is known about its name and its lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawField<'a> {
    /// From the name to the end of the last line.
    pub(super) raw: &'a [u8],
    /// 0 for a line that is not a field.
    pub(super) name_len: usize,
    /// Where the value begins: after the colon.
    pub(super) value_start: usize,
    pub(super) row: RowId,
    pub(super) lines: LineFacts,
    /// The parameters, if they were read before.
    pub(super) read: Option<&'a ParameterTexts>,
}

impl<'a> RawField<'a> {
    /// Returns a field as it was found in `source`.
    #[inline]
    pub(crate) fn found(field: &Field, source: &'a [u8]) -> Self {
        let raw = &source[field.span.clone()];
        if field.name_len == 0 || field.name_len > MAX_NAME || field.row == RowId::UNPARSED {
            return Self::unparsed(raw, field.lines);
        }
        let value_start = field.value - field.span.start;
        Self {
            raw,
            name_len: field.name_len,
            value_start,
            row: field.row,
            lines: field.lines,
            read: None,
        }
    }

    /// Reads a field that was generated, from octets that may not be one.
    ///
    /// `field = field-name *WSP ":" unstructured CRLF`
    pub(crate) fn split(raw: &'a [u8]) -> Self {
        let lines = LineFacts::of(raw);
        match field_name(raw).map(|(length, value)| (length, value, RowId::of(&raw[..length]))) {
            Some((name_len, value_start, row))
                if name_len <= MAX_NAME && row != RowId::UNPARSED =>
            {
                Self { raw, name_len, value_start, row, lines, read: None }
            }
            _ => Self::unparsed(raw, lines),
        }
    }

    /// Returns a line that is entirely text.
    fn unparsed(raw: &'a [u8], lines: LineFacts) -> Self {
        Self { raw, name_len: 0, value_start: 0, row: RowId::UNPARSED, lines, read: None }
    }

    /// Returns the field, with its parameters known to be `read`.
    pub(crate) fn with_parameters(self, read: Option<&'a ParameterTexts>) -> Self {
        Self { read, ..self }
    }

    /// Returns the name that it has, or is given.
    pub(super) fn name(&self) -> &'a [u8] {
        if self.is_field() { &self.raw[..self.name_len] } else { UNPARSED_NAME.as_bytes() }
    }

    /// Returns what follows the colon, without the last line end.
    pub(crate) fn value(&self) -> &'a [u8] {
        let value = &self.raw[self.value_start..];
        match value {
            _ if !self.is_field() => value,
            [before @ .., b'\r', b'\n'] if !matches!(before.last(), Some(b'\r' | b'\n')) => before,
            _ => {
                let end = value.iter().rposition(|octet| !matches!(octet, b'\r' | b'\n'));
                &value[..end.map_or(0, |at| at + 1)]
            }
        }
    }

    /// Returns the span of the whole value, in the value.
    pub(super) fn span(&self) -> Span {
        Span::new(0, self.value().len())
    }

    fn is_field(&self) -> bool {
        self.name_len > 0
    }

    /// Returns whether there is white space between name and colon.
    pub(super) fn is_spaced(&self) -> bool {
        self.value_start > self.name_len + ":".len()
    }

    /// Returns whether nothing in the field is encoded, or has to be, and its lines and its colon
    /// are as they should be.
    #[inline]
    pub(crate) fn is_clean(&self) -> bool {
        self.lines.are_clean() && !self.is_spaced()
    }

    /// Returns whether the field is rewritten, whatever it says.
    pub(super) fn is_unfit(&self) -> bool {
        self.lines.are_unfit() || self.is_spaced()
    }
}
