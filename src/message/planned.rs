//! The plan of a message, and what comes of it: the octets that are written, and the report.

use std::borrow::Cow;
use std::io::{self, Write};

use super::plan::Basis;
use super::splice::{Spliced, Splices};
use crate::facts::tree::{Source, Tree};
use crate::transfer::{counted, counted_with_lf};
use crate::{Code, Few, Issue};

/// The plan of all changes to a message: ordered, disjoint edits of the original octets, and the
/// report.
///
/// ```
/// let plan = sevenbit::Normalizer::new().plan("Subject: \u{e9}\r\n\r\n".as_bytes());
/// for edit in plan.edits() {
///     println!("{}..{}: {} ({})", edit.span().start, edit.span().end, edit.reason(), edit.rule());
/// }
/// # assert_eq!(plan.edits().count(), 1);
/// ```
#[derive(Clone, Debug)]
#[must_use = "a plan changes nothing until it is written"]
pub struct Plan<'a> {
    pub(super) message: &'a [u8],
    pub(super) tree: Tree<'a>,
    pub(super) splices: Few<Splices>,
    /// For each entity, what had to be known about its body.
    pub(super) bases: Few<Basis>,
    pub(super) report: Report,
}

impl<'a> Plan<'a> {
    /// Returns what was found.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Returns the charset labels of the message's leaves in document order, as they are spelt in
    /// it.
    ///
    /// ```
    /// let mail = b"Content-Type: text/plain; charset=KOI8-R\r\n\r\n\xF0\xD2\r\n";
    /// let plan = sevenbit::Normalizer::new().plan(mail);
    /// assert_eq!(plan.charset_labels().collect::<Vec<_>>(), ["KOI8-R"]);
    /// ```
    pub fn charset_labels(&self) -> impl Iterator<Item = &str> {
        let leaves = self.tree.entities.iter().filter(|entity| entity.is_leaf());
        leaves.filter_map(|leaf| leaf.content.charset_label())
    }

    /// Returns the normalised message, borrowed if nothing changes.
    pub fn octets(&self) -> Cow<'a, [u8]> {
        if !self.report.changed {
            return Cow::Borrowed(self.message);
        }
        let grown: usize = self.splices.iter().map(Splices::growth).sum();
        let mut out = Vec::with_capacity(self.message.len() + self.message.len() / 8 + grown);
        self.write_to(&mut out).expect("writing to memory does not fail");
        Cow::Owned(out)
    }

    /// Writes the normalised message and returns the number of octets written.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write_to(&self, output: impl Write) -> io::Result<u64> {
        counted(output, |out| self.spliced().write(0, out))
    }

    /// Writes the normalised message as mailboxes on disk store it, with LF for each CR LF except
    /// in files labelled binary, and returns the number of octets written.
    ///
    /// ```
    /// let plan = sevenbit::Normalizer::new().plan("Subject: \u{e9}\n\nbody\n".as_bytes());
    /// let mut stored = Vec::new();
    /// plan.write_lf_to(&mut stored)?;
    /// assert_eq!(stored, b"Subject: =?utf-8?B?w6k=?=\n\nbody\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write_lf_to(&self, output: impl Write) -> io::Result<u64> {
        counted_with_lf(output, |out| self.spliced().write(0, out))
    }

    pub(super) fn spliced(&self) -> Spliced<'_, Source<'a>> {
        Spliced { sources: &self.tree.sources, splices: &self.splices }
    }
}

/// A message in its normal form, with the report.
#[derive(Clone, Debug)]
pub struct Normalized<'a> {
    pub(super) octets: Cow<'a, [u8]>,
    pub(super) report: Report,
}

impl<'a> Normalized<'a> {
    /// Returns the octets of the message.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns what was found and done.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Returns the octets, borrowed if nothing changed.
    pub fn into_octets(self) -> Cow<'a, [u8]> {
        self.octets
    }

    /// Returns the octets and the report.
    pub fn into_parts(self) -> (Cow<'a, [u8]>, Report) {
        (self.octets, self.report)
    }
}

impl AsRef<[u8]> for Normalized<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.octets
    }
}

/// The report on a message: what was found in it, and done to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub(super) issues: Vec<Issue>,
    pub(super) changed: bool,
}

impl Report {
    /// Returns the issues, in the order of the input.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// Returns the issues, in the order of the input.
    pub fn into_issues(self) -> Vec<Issue> {
        self.issues
    }

    /// Returns whether the output differs from the input.
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Returns whether the message was returned as it was because a signature would have broken.
    pub fn is_refused(&self) -> bool {
        self.issues.iter().any(|issue| issue.code() == Code::Refused)
    }
}
