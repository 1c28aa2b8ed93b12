//! What was found, as C sees it.

use library::{Issue, Severity};

use crate::text::SevenbitText;
use crate::{SEVENBIT_ABSENT, SevenbitStatus};

/// Worth knowing; nothing changed its meaning.
pub const SEVENBIT_NOTE: u32 = 0;
/// Something was wrong, and was mended.
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
    /// The rule of docs/normal-form.md, such as `H3`; empty if none speaks of it.
    pub rule: SevenbitText,
    /// The IMAP section of the part: `1.2`; `0` is the header of the message. Empty outside messages.
    pub part: SevenbitText,
    /// Its first octet in the input.
    pub start: usize,
    /// The octet after its last one.
    pub end: usize,
    /// Which charset, how often and so on; may be empty.
    pub detail: SevenbitText,
    /// In a few words, for people.
    pub summary: SevenbitText,
}

/// Issues with the words that are made for them: a handle lends them.
pub(crate) struct Issues(Vec<(String, Issue)>);

impl Issues {
    pub(crate) fn new(issues: Vec<Issue>) -> Self {
        Self(issues.into_iter().map(|issue| (rule_of(&issue), issue)).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn at(&self, number: usize) -> Result<SevenbitIssue, SevenbitStatus> {
        let (rule, issue) = self.0.get(number).ok_or(SEVENBIT_ABSENT)?;
        Ok(SevenbitIssue {
            code: issue.code().as_str().into(),
            severity: match issue.severity() {
                Severity::Note => SEVENBIT_NOTE,
                Severity::Loss => SEVENBIT_LOSS,
                _ => SEVENBIT_REPAIR,
            },
            rule: rule.as_str().into(),
            part: issue.part().into(),
            start: issue.span().start,
            end: issue.span().end,
            detail: issue.detail().into(),
            summary: issue.code().summary().into(),
        })
    }
}

fn rule_of(issue: &Issue) -> String {
    issue.rule().to_string()
}
