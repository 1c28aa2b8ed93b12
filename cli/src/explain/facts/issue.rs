//! An issue, with its words for people.

use serde::Serialize;
use sevenbit::{Code, Profile};

/// An issue as it is shown.
#[derive(Serialize)]
pub struct Issue {
    code: &'static str,
    severity: &'static str,
    rule: &'static str,
    part: String,
    span: [usize; 2],
    detail: String,
    summary: &'static str,
    effect: &'static str,
    charset: Option<&'static str>,
}

impl Issue {
    pub fn of(issue: &sevenbit::Issue, profile: Profile) -> Self {
        Self {
            code: issue.code().as_str(),
            severity: issue.severity().as_str(),
            rule: issue.rule().as_str(),
            part: issue.part().to_owned(),
            span: [issue.span().start, issue.span().end],
            detail: issue.detail().to_string(),
            summary: issue.code().summary(),
            effect: effect(issue, profile),
            charset: issue.charset().map(sevenbit::Charset::name),
        }
    }
}

/// Returns what is done about it under a profile.
pub fn effect(issue: &sevenbit::Issue, profile: Profile) -> &'static str {
    match (issue.code(), issue.charset(), profile) {
        (Code::CharsetGuessed, None, _) => {
            "Nobody knows its charset: its octets stay, under the label `unknown-8bit`."
        }
        (Code::CharsetGuessed, _, Profile::Transport) => {
            "Its octets stay; the label says that charset."
        }
        (Code::CharsetGuessed, ..) => "The text is read in that charset and written in UTF-8.",
        (code, ..) => code.effect(),
    }
}
