//! An issue in plain words: where it is, what is wrong, and what is done about it. All of it is
//! safe for a terminal.

use std::fmt::Write as _;

use sevenbit::{Code, Issue, Severity};

pub use crate::explain::facts::issue::effect;
use crate::term::safe_line;

/// Issues of one kind, as `--issue` names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueKind {
    Severity(Severity),
    Doubt,
    Code(Code),
}

/// Reads a code.
///
/// # Errors
/// There is none of that name.
pub fn code(word: &str) -> Result<Code, String> {
    word.parse()
        .map_err(|_| format!("there is no code `{word}`: `sevenbit pages codes` lists them"))
}

impl IssueKind {
    /// Reads a severity, `doubt` or a code.
    ///
    /// # Errors
    /// It is none of these.
    pub fn read(word: &str) -> Result<Self, String> {
        let severities = [Severity::Note, Severity::Repair, Severity::Loss];
        let severity = severities.into_iter().find(|severity| severity.to_string() == word);
        match severity {
            Some(severity) => Ok(Self::Severity(severity)),
            None if word == "doubt" => Ok(Self::Doubt),
            None => code(word).map(Self::Code).map_err(|reason| {
                format!("neither `loss`, `doubt`, `repair` or `note`, and {reason}")
            }),
        }
    }

    /// Returns whether an issue is of this kind.
    pub fn includes(self, issue: &Issue) -> bool {
        match self {
            Self::Severity(severity) => issue.severity() == severity,
            Self::Doubt => is_doubt(issue.code()),
            Self::Code(code) => issue.code() == code,
        }
    }
}

/// Returns whether a code says that a reader may take the message otherwise than it was written.
pub fn is_doubt(code: Code) -> bool {
    use Code::{CharsetGuessed, CharsetLabelLies, ContentAppeared, LabelDoubtful};
    matches!(code, CharsetGuessed | CharsetLabelLies | LabelDoubtful | ContentAppeared)
        || code.as_str().starts_with("ambiguous-")
}

/// How far before an issue the name of its field is searched.
const FAR: usize = 1000;

/// Returns where in `message` it is: `header, Subject`, `part 1.2, Content-Type`, `between the
/// parts`.
pub fn place(issue: &Issue, message: &[u8]) -> String {
    let mut place = match issue.part() {
        "0" if is_between_parts(issue.code()) => return "between the parts".to_owned(),
        "0" => "header".to_owned(),
        path => format!("part {}", safe_line(path)),
    };
    let name = Some(issue).filter(|issue| !issue.span().is_empty() && is_about_a_field(issue));
    if let Some(name) = name.and_then(|issue| field_name(message, issue.span().start)) {
        let _ = write!(place, ", {}", safe_line(name));
    }
    place
}

/// Returns what is wrong: `charset guessed: windows-1252`.
pub fn what(issue: &Issue) -> String {
    let colon = if issue.detail().is_none() { "" } else { ": " };
    format!("{}{colon}{}", issue.code().summary(), safe_line(&issue.detail().to_string()))
}

fn is_between_parts(code: Code) -> bool {
    matches!(code.rule().as_str(), "B8" | "B11" | "G6") && code != Code::TypeMadeExplicit
}

fn is_about_a_field(issue: &Issue) -> bool {
    let of_header = issue.part() == "0" || issue.part().ends_with(".0");
    of_header
        || issue.rule().as_str().starts_with('H')
        || matches!(
            issue.code(),
            Code::BlankContinuation | Code::EncodingLabelRepaired | Code::EncodingUnknown
        )
}

/// Returns the name of the field that octet `at` belongs to, as far as its line shows.
pub fn field_name(message: &[u8], at: usize) -> Option<&str> {
    let before = &message[at.saturating_sub(FAR).min(message.len())..at.min(message.len())];
    let ends = before.iter().enumerate().rev().filter(|(_, octet)| **octet == b'\n');
    let follows = |end: usize| *before.get(end + 1).or(message.get(at)).unwrap_or(&b'\n');
    let start = ends.map(|(end, _)| end).find(|&end| !b" \t".contains(&follows(end)));
    let start = match start {
        Some(end) => at - before.len() + end + 1,
        None if before.len() == at => 0,
        None => return None,
    };
    let line = message.get(start..)?;
    let length =
        line.iter().take(80).position(|octet| !matches!(octet, b'!'..=b'9' | b';'..=b'~'))?;
    let name = std::str::from_utf8(&line[..length]).ok()?;
    let is_field = line[length..].trim_ascii_start().starts_with(b":")
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    (is_field && is_in_header(&message[..start])).then_some(name)
}

/// Whether a line may be part of a header: issues of a body begin where that does, after an empty
/// line.
fn is_in_header(before: &[u8]) -> bool {
    before.is_empty() || !before.ends_with(b"\n\n") && !before.ends_with(b"\n\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fields() {
        let mail = b"From: a\r\nSubject: b\r\n c \xE9\r\n\r\nText: \xE9\r\n";
        let name = |at| field_name(mail, at);
        assert_eq!(name(0), Some("From"));
        assert_eq!(name(9), Some("Subject"));
        assert_eq!(name(24), Some("Subject"));
        assert_eq!(name(mail.len() - 3), None);
        assert_eq!(name(mail.len() + 9), None);
    }
}
