//! `--check`: what is wrong with a message that would change, one line per finding.

use std::fmt::Write as _;
use std::path::Path;

use sevenbit::Issue;

use super::task::Task;
use crate::issue::{effect, place, what};
use crate::line_numbers::LineNumbers;
use crate::place::shown;
use crate::term::safe_line;

/// Describes what is wrong with `message`, called `name`, where, by which rule, and what would be
/// done about it: `mail/a.eml: part 1.2, octets 340..352: note: charset label made plain: utf-8
/// (charset-relabelled, B5). The label...`.
pub fn lines<'a>(
    task: &Task,
    name: &Path,
    message: &[u8],
    issues: impl Iterator<Item = &'a Issue>,
) -> Vec<u8> {
    let name = shown(name);
    let name = safe_line(&name);
    let numbers = task.line_numbers.then(|| LineNumbers::of(message));
    let mut lines = String::new();
    for issue in issues.filter(|issue| task.lists(issue)) {
        // Writing to a string does not fail.
        let _ = writeln!(lines, "{name}: {}", issue_line(task, issue, message, numbers.as_ref()));
    }
    if lines.is_empty() && task.issues.is_empty() {
        // A line for each message that would change, whatever the report says of it.
        let _ = writeln!(lines, "{name}: would change");
    }
    lines.into_bytes()
}

fn issue_line(task: &Task, issue: &Issue, message: &[u8], numbers: Option<&LineNumbers>) -> String {
    let (span, code) = (issue.span(), issue.code());
    let at = numbers.and_then(|numbers| numbers.said(span)).unwrap_or_else(|| match span.len() {
        0 | 1 => format!("octet {}", span.start),
        _ => format!("octets {}..{}", span.start, span.end),
    });
    let (place, what, severity) = (place(issue, message), what(issue), issue.severity());
    format!(
        "{place}, {at}: {severity}: {what} ({code}, {}). {}",
        issue.rule(),
        effect(issue, task.profile)
    )
}
