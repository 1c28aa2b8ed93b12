//! A report as JSON, as the command writes it with `--report`.

use library::Issue;
use serde::Serialize;

/// A report.
#[derive(Serialize)]
struct Object<'a> {
    changed: bool,
    refused: bool,
    issues: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    code: &'a str,
    severity: &'a str,
    rule: String,
    part: &'a str,
    span: [usize; 2],
    detail: &'a str,
}

/// The report in one line.
pub(crate) fn json(changed: bool, refused: bool, issues: &[Issue]) -> Vec<u8> {
    let entry = |issue| -> Entry<'_> {
        let issue: &Issue = issue;
        Entry {
            code: issue.code().as_str(),
            severity: issue.severity().as_str(),
            rule: issue.rule().to_string(),
            part: issue.part(),
            span: [issue.span().start, issue.span().end],
            detail: issue.detail(),
        }
    };
    let report = Object { changed, refused, issues: issues.iter().map(entry).collect() };
    serde_json::to_vec(&report).expect("numbers, texts and lists have a form in JSON")
}
