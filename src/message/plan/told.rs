//! What is told about a message, so that hostile input cannot make a report many times as large as itself.

use crate::{Code, Issue, Span};

/// How many issues of one code are told one by one: as many as a message may have entities.
const MOST_TOLD: usize = 10_000;

/// The issues of a message: of each code so many one by one, the rest as one.
#[derive(Debug)]
pub(super) struct Told {
    issues: Vec<Issue>,
    /// How many there were of each code.
    counts: [usize; Code::ALL.len()],
    /// One of each code for those for which there was no room.
    rest: Vec<Issue>,
}

impl Told {
    pub(super) fn new() -> Self {
        Self { issues: Vec::new(), counts: [0; Code::ALL.len()], rest: Vec::new() }
    }

    pub(super) fn push(&mut self, issue: Issue) {
        let count = &mut self.counts[issue.code() as usize];
        *count += 1;
        if *count <= MOST_TOLD {
            self.issues.push(issue);
        } else {
            self.sum_up(issue);
        }
    }

    fn sum_up(&mut self, issue: Issue) {
        let (code, span) = (issue.code(), issue.span());
        match self.rest.iter_mut().find(|rest| rest.code() == code) {
            Some(rest) => {
                let whole = rest.span();
                rest.set_span(Span::new(whole.start.min(span.start), whole.end.max(span.end)));
            }
            None => self.rest.push(issue.with_detail("")),
        }
    }

    /// All of them, by where each begins.
    pub(super) fn into_issues(mut self) -> Vec<Issue> {
        for rest in self.rest {
            let more = self.counts[rest.code() as usize] - MOST_TOLD;
            self.issues.push(rest.with_detail(format!("{more} more times")));
        }
        self.issues.sort_by_key(|issue| issue.span().start);
        self.issues
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_one_issue_that_counts() {
        let mut told = Told::new();
        let at = |start: usize| Span::new(start, start + 1);
        (0..MOST_TOLD + 3).for_each(|start| told.push(Issue::new(Code::RawHeaderText, at(start))));
        told.push(Issue::new(Code::DkimBroken, at(3)).with_detail("subject"));
        let issues = told.into_issues();
        assert_eq!(issues.len(), MOST_TOLD + 2);
        assert_eq!(issues[4], Issue::new(Code::DkimBroken, at(3)).with_detail("subject"));
        let rest = Issue::new(Code::RawHeaderText, Span::new(MOST_TOLD, MOST_TOLD + 3));
        assert_eq!(issues.last(), Some(&rest.with_detail("3 more times")));
    }
}
