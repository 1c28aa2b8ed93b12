//! `--check`: what would change, a line each.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use sevenbit::{Edit, Issue, Plan, Severity};

use crate::term::safe_line;

/// What would change in the message called `name`, and what would be lost, a line each:
/// `mail/a.eml: part 1.2, octets 340..352: charset label mended (B7)`.
pub fn lines(name: &Path, plan: &Plan<'_>) -> Vec<u8> {
    let name = name.display().to_string();
    let mut lines = Vec::new();
    // Writing to memory does not fail.
    let _ = write(&mut lines, &safe_line(&name), plan);
    lines
}

fn write(out: &mut dyn Write, name: &str, plan: &Plan<'_>) -> io::Result<()> {
    let mut told = 0;
    for edit in plan.edits() {
        writeln!(out, "{name}: {}", edit_line(&edit))?;
        told += 1;
    }
    for issue in plan.report().issues().iter().filter(|issue| issue.severity() == Severity::Loss) {
        writeln!(out, "{name}: {}", issue_line(issue))?;
        told += 1;
    }
    // A line for each message that would change, whatever the plan has to say of it.
    if told == 0 { writeln!(out, "{name}: would change") } else { Ok(()) }
}

fn edit_line(edit: &Edit) -> String {
    let span = edit.span();
    let place = if span.is_empty() {
        format!("octet {}", span.start)
    } else {
        format!("octets {}..{}", span.start, span.end)
    };
    format!("{}, {place}: {} ({})", part(edit.part()), safe_line(edit.reason()), edit.rule())
}

fn issue_line(issue: &Issue) -> String {
    let span = issue.span();
    let colon = if issue.detail().is_empty() { "" } else { ": " };
    let (what, detail) = (issue.code().summary(), safe_line(issue.detail()));
    let (part, code, rule) = (part(issue.part()), issue.code(), issue.rule());
    format!("{part}, octets {}..{}: loss: {what}{colon}{detail} ({code}, {rule})", span.start, span.end)
}

fn part(path: &str) -> Cow<'static, str> {
    match path {
        "0" => Cow::Borrowed("header"),
        _ => Cow::Owned(format!("part {}", safe_line(path))),
    }
}
