//! Issues, limited in number: hostile input must not make a report many times its own size, nor is
//! a header of a million fields a reason to hold a million issues.

use crate::{Code, Detail, Issue};

/// How many issues of one code are listed individually: more would not be read, and the report is
/// to stay smaller than the message.
const MAX_LISTED: usize = 1_000;

/// A limited number of issues of each code individually, the rest as one.
#[derive(Debug, Default)]
pub(super) struct IssueLog {
    issues: Vec<Issue>,
    /// How many there were of each code; empty as long as there are only a few in all.
    counts: Vec<usize>,
    /// One for each code that had more than are listed.
    rest: Vec<Issue>,
}

impl IssueLog {
    pub(super) fn push(&mut self, issue: Issue) {
        match self.issues.len() {
            ..MAX_LISTED => self.issues.push(issue),
            _ => self.push_many(issue, 1),
        }
    }

    /// Adds an issue that was found `times` times, in a log that may have enough of them.
    #[cold]
    fn push_many(&mut self, issue: Issue, times: usize) {
        if self.counts.is_empty() {
            self.counts.resize(Code::ALL.len(), 0);
            self.issues.iter().for_each(|issue| self.counts[issue.code().index()] += 1);
        }
        let count = &mut self.counts[issue.code().index()];
        *count += times;
        if *count <= MAX_LISTED {
            return self.issues.push(issue);
        }
        match self.rest.iter_mut().find(|rest| rest.code() == issue.code()) {
            Some(rest) => rest.set_span(rest.span().around(issue.span())),
            None => self.rest.push(issue),
        }
    }

    /// Adds all that another log holds, each issue as `placed` makes it.
    pub(super) fn absorb(&mut self, other: Self, placed: &dyn Fn(Issue) -> Issue) {
        other.issues.into_iter().for_each(|issue| self.push(placed(issue)));
        for rest in other.rest {
            let times = other.counts[rest.code().index()] - MAX_LISTED;
            self.push_many(placed(rest), times);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.issues.is_empty()
    }

    /// Returns the codes of all that is listed.
    pub(super) fn codes(&self) -> impl Iterator<Item = Code> {
        self.issues.iter().map(Issue::code)
    }

    /// Returns all of them, ordered by where they begin.
    pub(super) fn into_issues(mut self) -> Vec<Issue> {
        for rest in self.rest {
            let more = self.counts[rest.code().index()] - MAX_LISTED;
            self.issues.push(rest.with_value(None).with_detail(Detail::More(more)));
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
        let mut log = IssueLog::default();
        let at = |start: usize| Span::new(start, start + 1);
        let mut push = |code, start, detail: &'static str| {
            log.push(Issue::new(code, at(start)).with_detail(detail));
        };
        (0..MAX_LISTED + 3).for_each(|start| push(Code::RawHeaderText, start, "first"));
        push(Code::DkimBroken, 3, "subject");
        let issues = log.into_issues();
        assert_eq!(issues.len(), MAX_LISTED + 2);
        assert_eq!(issues[4], Issue::new(Code::DkimBroken, at(3)).with_detail("subject"));
        let rest = Issue::new(Code::RawHeaderText, Span::new(MAX_LISTED, MAX_LISTED + 3));
        assert_eq!(issues.last(), Some(&rest.with_detail(Detail::More(3))));
    }
}
