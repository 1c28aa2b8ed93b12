//! Issues, as C sees them.

use std::sync::OnceLock;

use library::{Issue, Report, Severity};

use crate::text::SevenbitText;
use crate::{SEVENBIT_ABSENT, SevenbitStatus};

/// Worth knowing; nothing changed its meaning.
pub const SEVENBIT_NOTE: u32 = 0;
/// Something was wrong, and was repaired.
pub const SEVENBIT_REPAIR: u32 = 1;
/// Something was lost.
pub const SEVENBIT_LOSS: u32 = 2;

/// Something that was found in a message or a text, and what was done about it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitIssue {
    /// A stable word, such as `charset-guessed`.
    pub code: SevenbitText,
    /// SEVENBIT_NOTE, SEVENBIT_REPAIR or SEVENBIT_LOSS.
    pub severity: u32,
    /// The rule of docs/normal-form.md, such as `H3`; empty if none applies.
    pub rule: SevenbitText,
    /// The IMAP section of the part: `1.2`; `0` is the header of the message, or a text outside of any.
    pub part: SevenbitText,
    /// Its first octet in the input.
    pub start: usize,
    /// The octet after its last one.
    pub end: usize,
    /// For example which charset, or how often; may be empty.
    pub detail: SevenbitText,
    /// In a few words, for people.
    pub summary: SevenbitText,
}

/// Issues, and the strings that are made for them on request: a handle lends them.
pub(crate) struct Issues {
    found: Found,
    rules: OnceLock<Vec<String>>,
}

enum Found {
    Reported(Report),
    Alone(Vec<Issue>),
}

impl From<Report> for Issues {
    fn from(report: Report) -> Self {
        Self { found: Found::Reported(report), rules: OnceLock::new() }
    }
}

impl From<Vec<Issue>> for Issues {
    fn from(issues: Vec<Issue>) -> Self {
        Self { found: Found::Alone(issues), rules: OnceLock::new() }
    }
}

impl Issues {
    pub(crate) fn len(&self) -> usize {
        self.all().len()
    }

    fn all(&self) -> &[Issue] {
        match &self.found {
            Found::Reported(report) => report.issues(),
            Found::Alone(issues) => issues,
        }
    }

    fn rule(&self, number: usize) -> &str {
        let rules =
            self.rules.get_or_init(|| self.all().iter().map(|issue| issue.rule().to_string()).collect());
        rules.get(number).map_or("", String::as_str)
    }

    pub(crate) fn at(&self, number: usize) -> Result<SevenbitIssue, SevenbitStatus> {
        let issue = self.all().get(number).ok_or(SEVENBIT_ABSENT)?;
        Ok(SevenbitIssue {
            code: issue.code().as_str().into(),
            severity: match issue.severity() {
                Severity::Note => SEVENBIT_NOTE,
                Severity::Loss => SEVENBIT_LOSS,
                _ => SEVENBIT_REPAIR,
            },
            rule: self.rule(number).into(),
            part: issue.part().into(),
            start: issue.span().start,
            end: issue.span().end,
            detail: issue.detail().into(),
            summary: issue.code().summary().into(),
        })
    }
}
