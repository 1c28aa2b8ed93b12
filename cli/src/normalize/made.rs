//! The result for a message, and what is reported of it.

use std::fs::Metadata;
use std::mem;
use std::time::{Duration, Instant};

use sevenbit::{Code, Issue};

use super::ending::Ending;
use super::job::{Body, Done};
#[cfg(feature = "parquet")]
use super::row::Row;
use super::task::Task;
use crate::heading::Heading;
use crate::input::Item;
use crate::line_numbers::LineNumbers;

/// The replacement of a message.
pub enum New {
    /// None.
    Same,
    /// These octets.
    Octets(Vec<u8>),
    /// This many octets that are still to be made.
    Planned(u64),
}

/// The codes that say that something was over a limit.
const OVER_LIMIT: [Code; 2] = [Code::PartOpaque, Code::HeaderTooLarge];

/// The result for a message.
pub struct Made {
    pub new: New,
    issues: Vec<Issue>,
    issue_lines: Option<Vec<Option<[usize; 2]>>>,
    codes: Vec<Code>,
    ending: Ending,
    pub objection: Option<String>,
    over_limit: bool,
    /// Whether any issue is listed.
    is_listed: bool,
    pub lines: Vec<u8>,
    charsets: Vec<String>,
    heading: Heading,
    took: Duration,
    #[cfg(feature = "parquet")]
    pub row: Option<Row>,
}

impl Made {
    /// The result for any message, with as many details as the options ask for.
    pub fn new<'a>(
        task: &Task,
        heading: Heading,
        new: New,
        ending: Ending,
        issues: impl Iterator<Item = &'a Issue> + Clone,
        labels: impl Iterator<Item = &'a str>,
        begun: Instant,
    ) -> Self {
        Self {
            new,
            issues: if task.reports {
                issues.clone().filter(|issue| task.lists(issue)).cloned().collect()
            } else {
                Vec::new()
            },
            issue_lines: None,
            is_listed: issues.clone().any(|issue| task.lists(issue)),
            over_limit: issues.clone().any(|issue| OVER_LIMIT.contains(&issue.code())),
            codes: if task.sums { codes(issues) } else { Vec::new() },
            charsets: if task.sums { charsets(labels) } else { Vec::new() },
            heading,
            took: begun.elapsed(),
            #[cfg(feature = "parquet")]
            row: None,
            ending,
            objection: None,
            lines: Vec::new(),
        }
    }

    /// Finds the lines of `message` that each issue is on.
    pub fn find_lines(&mut self, message: &[u8]) {
        let numbers = LineNumbers::of(message);
        self.issue_lines = Some(self.issues.iter().map(|issue| numbers.at(issue.span())).collect());
    }

    /// The outcome for a message that is all in memory.
    pub fn with(mut self, item: Item, file: Option<Metadata>, message: Vec<u8>) -> Done {
        let octets_in = message.len() as u64;
        let mut original = None;
        let (octets_out, body) = match mem::replace(&mut self.new, New::Same) {
            New::Same => (octets_in, Body::Octets(message)),
            New::Octets(octets) => {
                original = self.over_limit.then_some(message);
                (octets.len() as u64, Body::Octets(octets))
            }
            New::Planned(length) => (length, Body::Planned(message)),
        };
        Done { original, ..self.done(item, file, octets_in, octets_out, body) }
    }

    /// The outcome for any message.
    pub fn done(
        self,
        item: Item,
        file: Option<Metadata>,
        octets_in: u64,
        octets_out: u64,
        body: Body,
    ) -> Done {
        Done {
            item,
            identity: None,
            file,
            octets_in,
            body,
            octets_out,
            issues: self.issues,
            issue_lines: self.issue_lines,
            codes: self.codes,
            ending: self.ending,
            objection: self.objection,
            over_limit: self.over_limit,
            is_listed: self.is_listed,
            original: None,
            lines: self.lines,
            charsets: self.charsets,
            heading: self.heading,
            took: self.took,
            #[cfg(feature = "parquet")]
            row: self.row,
        }
    }
}

/// The issues to be reported. If LF is written, no line end was made CRLF.
pub fn issues(found: &[Issue], lf: bool) -> impl Iterator<Item = &Issue> + Clone {
    found.iter().filter(move |issue| !(lf && issue.code() == Code::LineEndsNormalized))
}

/// Returns each code once per message: people ask how many messages are concerned.
fn codes<'a>(issues: impl Iterator<Item = &'a Issue>) -> Vec<Code> {
    let mut codes: Vec<Code> = issues.map(Issue::code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The charsets that the parts of a message are labelled with, in lower case.
fn charsets<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
    let labels = labels.filter(|label| !label.is_empty());
    let mut labels: Vec<String> = labels.map(str::to_ascii_lowercase).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}
