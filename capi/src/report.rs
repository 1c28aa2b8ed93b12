//! A report as JSON, as the command writes it with `--report`.

use library::Issue;
use serde::Serialize;

/// A report.
#[derive(Serialize)]
struct Object<'a> {
    changed: bool,
    refused: bool,
    issues: &'a [Issue],
}

/// The report in one line.
pub(crate) fn json(changed: bool, refused: bool, issues: &[Issue]) -> Vec<u8> {
    let report = Object { changed, refused, issues };
    serde_json::to_vec(&report).expect("numbers, texts and lists have a form in JSON")
}
