//! A field taken apart for its judges.

use super::found::Field;
use super::lines::LineFacts;
use super::table::RowId;
use crate::Span;
use crate::decode::ParameterTexts;
use crate::lengths::MAX_TOKEN;
use crate::syntax::field_name::field_name;

/// The longest name of a field; beside a longer one no value fits on the line.
const MAX_NAME: usize = MAX_TOKEN;

/// The name that a line gets which is no field (rule H1).
pub(crate) const UNPARSED_NAME: &str = "X-Unparsed";

/// A field made of a line that is none, which comes without its line end.
pub(crate) fn unparsed_as_field(line: &[u8]) -> Vec<u8> {
    [UNPARSED_NAME.as_bytes(), b": ", line, b"\r\n"].concat()
}

/// A field, or a line that is none, with what is known of its name and its lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawField<'a> {
    /// From the name to the end of the last line.
    pub(super) raw: &'a [u8],
    pub(super) name: &'a [u8],
    /// What follows the colon, without the last line end.
    pub(super) value: Span,
    /// Whether white space stands between name and colon.
    pub(super) spaced: bool,
    pub(super) row: RowId,
    pub(super) lines: LineFacts,
    /// The parameters, if they were read before.
    pub(super) read: Option<&'a ParameterTexts>,
}

impl<'a> RawField<'a> {
    /// A field as it was found in `source`.
    #[inline]
    pub(crate) fn found(field: &Field, source: &'a [u8]) -> Self {
        let raw = &source[field.span.clone()];
        if field.name_len == 0 || field.name_len > MAX_NAME || field.row == RowId::UNPARSED {
            return Self::unparsed(raw, field.lines);
        }
        let colon = field.value - field.span.start - 1;
        Self::at_colon(raw, field.name_len, colon, field.row, field.lines)
    }

    /// A field that was made up, from octets that may be none.
    ///
    /// `field = field-name *WSP ":" unstructured CRLF`
    pub(crate) fn split(raw: &'a [u8]) -> Self {
        let lines = LineFacts::of(raw);
        match field_name(raw).map(|(length, value)| (length, value, RowId::of(&raw[..length]))) {
            Some((length, value, row)) if length <= MAX_NAME && row != RowId::UNPARSED => {
                Self::at_colon(raw, length, value - 1, row, lines)
            }
            _ => Self::unparsed(raw, lines),
        }
    }

    fn at_colon(raw: &'a [u8], name_len: usize, colon: usize, row: RowId, lines: LineFacts) -> Self {
        let end = match raw {
            [before @ .., b'\r', b'\n'] if !matches!(before.last(), Some(b'\r' | b'\n')) => before.len(),
            _ => raw.iter().rposition(|octet| !matches!(octet, b'\r' | b'\n')).map_or(0, |at| at + 1),
        };
        let value = Span::new(colon + 1, end.max(colon + 1));
        Self { raw, name: &raw[..name_len], value, spaced: name_len < colon, row, lines, read: None }
    }

    /// A line, all of which is text.
    fn unparsed(raw: &'a [u8], lines: LineFacts) -> Self {
        let value = Span::new(0, raw.len());
        Self {
            raw,
            name: UNPARSED_NAME.as_bytes(),
            value,
            spaced: false,
            row: RowId::UNPARSED,
            lines,
            read: None,
        }
    }

    /// The field whose parameters are known to be `read`.
    pub(crate) fn with_parameters(self, read: Option<&'a ParameterTexts>) -> Self {
        Self { read, ..self }
    }

    /// The field with the facts that its encoded-words add, as they stand in `text`: the field, or what of it may hold any.
    pub(super) fn with_word_lengths(&self, text: &[u8]) -> Self {
        Self { lines: self.lines.with_words(text), ..*self }
    }

    pub(super) fn value(&self) -> &'a [u8] {
        &self.raw[self.value.start..self.value.end]
    }

    /// Whether nothing in the field is encoded, or has to be, and its lines and its colon are as they should be.
    #[inline]
    pub(crate) fn is_clean(&self) -> bool {
        self.lines.are_clean() && !self.spaced
    }

    /// Whether the field is written anew, whatever it says.
    pub(super) fn is_unfit(&self) -> bool {
        self.lines.are_unfit() || self.spaced
    }
}
