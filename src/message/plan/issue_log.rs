//! The issues of a message, limited in number: hostile input must not make a report many times its own size.

use std::borrow::Cow;

use crate::{Code, Issue};

/// How many issues of one code are listed individually: more would not be read, and the report is to stay
/// smaller than the message.
pub(super) const MAX_LISTED: usize = 1_000;

/// The issues of a message: a limited number of each code individually, the rest as one.
#[derive(Debug)]
pub(super) struct IssueLog {
    issues: Vec<Issue>,
    /// How many there were of each code; empty as long as there is no issue.
    counts: Vec<usize>,
    /// One for each code that had more than are listed.
    rest: Vec<Issue>,
}

impl IssueLog {
    pub(super) fn new() -> Self {
        Self { issues: Vec::new(), counts: Vec::new(), rest: Vec::new() }
    }

    /// Adds an issue that was found `times` times; `part` is called only if it is to be listed.
    pub(super) fn push(&mut self, issue: Issue, times: usize, part: impl FnOnce() -> Cow<'static, str>) {
        let (code, span) = (issue.code(), issue.span());
        if self.counts.is_empty() {
            self.counts.resize(Code::ALL.len(), 0);
        }
        let count = &mut self.counts[code.index()];
        *count += times;
        if *count <= MAX_LISTED {
            return self.issues.push(issue.in_part(part()));
        }
        match self.rest.iter_mut().find(|rest| rest.code() == code) {
            Some(rest) => rest.set_span(rest.span().around(span)),
            None => self.rest.push(Issue::new(code, span).in_part(part())),
        }
    }

    /// Returns all of them, ordered by where they begin.
    pub(super) fn into_issues(mut self) -> Vec<Issue> {
        for rest in self.rest {
            let more = self.counts[rest.code().index()] - MAX_LISTED;
            self.issues.push(rest.with_detail(format!("{more} more times")));
        }
        self.issues.sort_by_key(|issue| issue.span().start);
        self.issues
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    #[test]
    fn the_rest_is_one_issue_that_counts() {
        let mut log = IssueLog::new();
        let at = |start: usize| Span::new(start, start + 1);
        let mut push = |code, start, detail: &'static str| {
            log.push(Issue::new(code, at(start)).with_detail(detail), 1, || "0".into());
        };
        (0..MAX_LISTED + 3).for_each(|start| push(Code::RawHeaderText, start, "first"));
        push(Code::DkimBroken, 3, "subject");
        let issues = log.into_issues();
        assert_eq!(issues.len(), MAX_LISTED + 2);
        assert_eq!(issues[4], Issue::new(Code::DkimBroken, at(3)).with_detail("subject"));
        let rest = Issue::new(Code::RawHeaderText, Span::new(MAX_LISTED, MAX_LISTED + 3));
        assert_eq!(issues.last(), Some(&rest.with_detail("3 more times")));
    }
}
