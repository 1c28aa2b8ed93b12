//! Verdicts about fields.

use crate::Issue;

/// The verdict about a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FieldVerdict {
    /// The field is in the normal form.
    Keep,
    /// These octets take its place: one field or more, CRLF after each line.
    Write(Vec<u8>),
    /// The field is dropped.
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
