//! `--check`: what is wrong with a message that would change, a line for each finding.

use std::io::{self, Write};
use std::path::Path;

use sevenbit::{Issue, Plan};

use crate::issue::{place, what};
use crate::term::safe_line;

/// What is wrong with `message`, called `name`, where, by which rule, and what would be done about it:
/// `mail/a.eml: part 1.2, octets 340..352: note: charset label made plain: utf-8 (charset-relabelled, B5). The label...`.
pub fn lines(name: &Path, message: &[u8], plan: &Plan<'_>) -> Vec<u8> {
    let name = name.display().to_string();
    let mut lines = Vec::new();
    // Writing to memory does not fail.
    let _ = write(&mut lines, &safe_line(&name), message, plan);
    lines
}

fn write(out: &mut dyn Write, name: &str, message: &[u8], plan: &Plan<'_>) -> io::Result<()> {
    for issue in plan.report().issues() {
        writeln!(out, "{name}: {}", issue_line(issue, message))?;
    }
    // A line for each message that would change, whatever the report has to say of it.
    if plan.report().issues().is_empty() { writeln!(out, "{name}: would change") } else { Ok(()) }
}

fn issue_line(issue: &Issue, message: &[u8]) -> String {
    let (span, code) = (issue.span(), issue.code());
    let octets = match span.len() {
        0 | 1 => format!("octet {}", span.start),
        _ => format!("octets {}..{}", span.start, span.end),
    };
    let (place, what, severity) = (place(issue, message), what(issue), issue.severity());
    format!("{place}, {octets}: {severity}: {what} ({code}, {}). {}", issue.rule(), code.effect())
}
