//! Issues of a message, as JSON.

use serde::Serialize;

/// An issue as JavaScript sees it.
#[derive(Serialize)]
pub struct Issue<'a> {
    code: &'a str,
    severity: &'a str,
    rule: &'a str,
    part: &'a str,
    span: [usize; 2],
    detail: String,
    summary: &'a str,
    effect: &'a str,
    charset: Option<&'static str>,
}

impl<'a> From<&'a sevenbit::Issue> for Issue<'a> {
    fn from(issue: &'a sevenbit::Issue) -> Self {
        Self {
            code: issue.code().as_str(),
            severity: issue.severity().as_str(),
            rule: issue.rule().as_str(),
            part: issue.part(),
            span: [issue.span().start, issue.span().end],
            detail: issue.detail().to_string(),
            summary: issue.code().summary(),
            effect: issue.code().effect(),
            charset: issue.charset().map(sevenbit::Charset::name),
        }
    }
}

/// The issues as a JSON array; empty text if there are none, which is the usual case.
pub fn json(issues: &[sevenbit::Issue]) -> String {
    match issues {
        [] => String::new(),
        issues => to_json(&issues.iter().map(Issue::from).collect::<Vec<_>>()),
    }
}

/// Data as JSON.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("data of ours has a form in JSON")
}
