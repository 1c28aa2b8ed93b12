//! Issues, as C sees them.

use std::sync::OnceLock;

use library::{Charset, Issue, Report, Severity};

use crate::kept::{Kept, Texts};
use crate::text::SevenbitText;
use crate::{SEVENBIT_ERROR_ABSENT, SevenbitStatus};

/// Worth knowing; nothing changed its meaning.
pub const SEVENBIT_SEVERITY_NOTE: u32 = 0;
/// Something was wrong, and was repaired.
pub const SEVENBIT_SEVERITY_REPAIR: u32 = 1;
/// Something was lost.
pub const SEVENBIT_SEVERITY_LOSS: u32 = 2;

/// Something that was found in a message or a text, and what was done about it. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SevenbitIssue {
    /// A stable word, such as `charset-guessed`.
    pub code: SevenbitText,
    /// SEVENBIT_SEVERITY_NOTE, SEVENBIT_SEVERITY_REPAIR or SEVENBIT_SEVERITY_LOSS.
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
    /// What is done about it, in a sentence for people.
    pub effect: SevenbitText,
    /// The charset that was guessed, of a `charset-guessed`; empty for others, and if nobody knows it.
    pub charset: SevenbitText,
}

/// Issues, and their form for C, which is made on request.
pub(crate) struct Issues {
    found: Found,
    rows: OnceLock<Kept<SevenbitIssue>>,
}

/// Where issues come from: the report of a message, or a text alone.
enum Found {
    Reported(Report),
    Alone(Vec<Issue>),
}

impl From<Report> for Issues {
    fn from(report: Report) -> Self {
        Self { found: Found::Reported(report), rows: OnceLock::new() }
    }
}

impl From<Vec<Issue>> for Issues {
    fn from(issues: Vec<Issue>) -> Self {
        Self { found: Found::Alone(issues), rows: OnceLock::new() }
    }
}

impl Issues {
    pub(crate) fn len(&self) -> usize {
        self.all().len()
    }

    pub(crate) fn all(&self) -> &[Issue] {
        match &self.found {
            Found::Reported(report) => report.issues(),
            Found::Alone(issues) => issues,
        }
    }

    /// Returns the report that they are from, if they are not of a text alone.
    pub(crate) fn report(&self) -> Option<&Report> {
        match &self.found {
            Found::Reported(report) => Some(report),
            Found::Alone(_) => None,
        }
    }

    pub(crate) fn at(&self, number: usize) -> Result<&SevenbitIssue, SevenbitStatus> {
        let rows = self.rows.get_or_init(|| Kept::new(self.all(), row));
        rows.get(number).ok_or(SEVENBIT_ERROR_ABSENT)
    }
}

fn row(issue: &Issue, texts: &mut Texts) -> SevenbitIssue {
    SevenbitIssue {
        code: texts.text(issue.code().as_str()),
        severity: match issue.severity() {
            Severity::Note => SEVENBIT_SEVERITY_NOTE,
            Severity::Loss => SEVENBIT_SEVERITY_LOSS,
            _ => SEVENBIT_SEVERITY_REPAIR,
        },
        rule: texts.text(issue.rule().as_str()),
        part: texts.text(issue.part()),
        start: issue.span().start,
        end: issue.span().end,
        detail: texts.text(&issue.detail().to_string()),
        summary: texts.text(issue.code().summary()),
        effect: texts.text(issue.code().effect()),
        charset: texts.text(issue.charset().map_or("", Charset::name)),
    }
}
