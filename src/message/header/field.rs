//! A field taken apart at its colon.

use crate::Span;
use crate::ascii::is_fws;

/// The longest name of a field; beside a longer one no value fits on the line.
const MOST_NAME: usize = 900;

/// A field as it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub(super) raw: &'a [u8],
    pub(super) name: &'a [u8],
    /// What follows the colon, without the last line end.
    pub(super) value: Span,
    /// Whether white space stands between name and colon.
    pub(super) spaced: bool,
}

impl<'a> Field<'a> {
    /// `field = field-name *WSP ":" unstructured CRLF`
    pub(super) fn split(raw: &'a [u8]) -> Option<Self> {
        let colon = memchr::memchr(b':', raw)?;
        let before = &raw[..colon];
        let length = before.iter().rposition(|&o| !is_fws(o)).map_or(0, |at| at + 1);
        let name = &before[..length];
        let fine = !name.is_empty() && length <= MOST_NAME && name.iter().all(u8::is_ascii_graphic);
        let end = raw.iter().rposition(|o| !matches!(o, b'\r' | b'\n')).map_or(0, |at| at + 1);
        fine.then(|| Self {
            raw,
            name,
            value: Span::new(colon + 1, end.max(colon + 1)),
            spaced: length < colon,
        })
    }

    pub(super) fn value(&self) -> &'a [u8] {
        &self.raw[self.value.start..self.value.end]
    }
}
