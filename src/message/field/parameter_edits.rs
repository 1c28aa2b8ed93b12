//! What Content-Type or Content-Disposition has to say otherwise than it does.

/// What a field with parameters has to say otherwise than it does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ParameterEdits<'e> {
    /// The media type or disposition.
    pub(crate) value: Option<&'e str>,
    /// Parameters that get another value, where they stand; at the end, where there were none.
    pub(crate) set: &'e [(&'e str, &'e str)],
    /// Parameters that go.
    pub(crate) remove: &'e [&'e str],
    /// Whether it is written so that every reader takes it alike, as an archive has it, where it is not so already. A
    /// boundary that is set comes first then.
    pub(crate) plain: bool,
}

impl ParameterEdits<'_> {
    pub(crate) const NONE: Self = Self { value: None, set: &[], remove: &[], plain: false };

    pub(super) fn are_none(&self) -> bool {
        self.value.is_none() && self.set.is_empty() && self.remove.is_empty()
    }
}
