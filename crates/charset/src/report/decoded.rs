//! Text, and what was odd about the octets it came from.

use std::borrow::Cow;

use crate::{Code, Error, ErrorKind, Issue, Severity};

/// Decoded text with the issues met on the way. Decoding always yields text: an oddity is not a
/// failure.
///
/// ```
/// let subject = sevenbit::decode_header(b"=?utf-8?Q?caf=C3=A9?=");
/// assert_eq!(subject.text(), "café");
/// assert!(subject.issues().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    text: Cow<'a, str>,
    issues: Vec<Issue>,
}

impl<'a> Decoded<'a> {
    #[doc(hidden)]
    pub fn new(text: Cow<'a, str>, issues: Vec<Issue>) -> Self {
        Self { text, issues }
    }

    /// Returns the text, borrowed from the input where the input was already UTF-8.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns what was repaired, replaced or remarkable, in order; spans are octets of the input.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// Returns the text alone.
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// Returns the text and the issues.
    pub fn into_parts(self) -> (Cow<'a, str>, Vec<Issue>) {
        (self.text, self.issues)
    }

    /// Returns whether no issue is a [`Severity::Loss`].
    pub fn is_lossless(&self) -> bool {
        self.issues.iter().all(|issue| issue.severity() < Severity::Loss)
    }

    /// Returns the text if nothing was lost on the way to it: the strict exit.
    ///
    /// # Errors
    /// The first issue that is a loss, as an [`Error`] with its offset.
    #[inline]
    pub fn into_strict(self) -> Result<Cow<'a, str>, Error> {
        match self.issues.iter().find(|issue| issue.severity() >= Severity::Loss) {
            None => Ok(self.text),
            Some(loss) => {
                let kind = match loss.code() {
                    Code::Decode(fault) => ErrorKind::Decode(fault),
                    other => ErrorKind::Loss(other),
                };
                Err(Error::new(kind, loss.span().start).standing_for(loss.value()))
            }
        }
    }
}
