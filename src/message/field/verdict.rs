//! What becomes of a field.

use crate::Issue;

/// What becomes of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FieldVerdict {
    /// It is in the normal form.
    Keep,
    /// These octets take its place: one field or more, CRLF after each line.
    Write(Vec<u8>),
    /// It is dropped.
    Drop,
}

/// A verdict, and what is reported with it. Spans are relative to the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) verdict: FieldVerdict,
    pub(crate) issues: Vec<Issue>,
}

impl Judged {
    /// Returns a verdict with nothing to report.
    pub(crate) fn silently(verdict: FieldVerdict) -> Self {
        Self { verdict, issues: Vec::new() }
    }
}
