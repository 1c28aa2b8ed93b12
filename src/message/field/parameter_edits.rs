//! Changes that Content-Type or Content-Disposition needs.

/// The changes that a field with parameters needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ParameterEdits<'e> {
    /// The media type or disposition.
    pub(crate) value: Option<&'e str>,
    /// Parameters that get another value, in place; those that did not exist are added at the end.
    /// A boundary comes first, where every reader finds it.
    pub(crate) set: &'e [(&'e str, &'e str)],
    /// Parameters that are removed.
    pub(crate) remove: &'e [&'e str],
}

impl ParameterEdits<'_> {
    pub(crate) const NONE: Self = Self { value: None, set: &[], remove: &[] };

    /// Returns the boundary that is set.
    pub(super) fn boundary(&self) -> Option<(&str, &str)> {
        self.set.iter().copied().find(|(name, _)| *name == "boundary")
    }

    pub(super) fn are_none(&self) -> bool {
        self.value.is_none() && self.set.is_empty() && self.remove.is_empty()
    }
}
