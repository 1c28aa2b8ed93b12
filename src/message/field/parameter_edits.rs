//! Changes that Content-Type or Content-Disposition needs.

/// The changes that a field with parameters needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ParameterEdits<'e> {
    /// The media type or disposition.
    pub(crate) value: Option<&'e str>,
    /// Parameters that get another value, in place; those that did not exist are added at the end.
    pub(crate) set: &'e [(&'e str, &'e str)],
    /// Parameters that are removed.
    pub(crate) remove: &'e [&'e str],
    /// Whether the field is written so that every reader reads it alike, as in an archive, if it is not so
    /// already. A boundary that is set then comes first.
    pub(crate) plain: bool,
}

impl ParameterEdits<'_> {
    pub(crate) const NONE: Self = Self { value: None, set: &[], remove: &[], plain: false };

    pub(super) fn are_none(&self) -> bool {
        self.value.is_none() && self.set.is_empty() && self.remove.is_empty()
    }
}
