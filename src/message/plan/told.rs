//! What is told about a message, so that hostile input cannot make a report many times as large as itself.

use std::borrow::Cow;

use crate::{Code, Issue, Span};

/// How many issues of one code are told one by one: nobody reads more, and the report is to stay smaller than the message.
const MOST_TOLD: usize = 1_000;

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

    /// Adds an issue, which is made only if there is room for it.
    pub(super) fn push(
        &mut self,
        code: Code,
        span: Span,
        part: Cow<'static, str>,
        make: impl FnOnce(Span, Cow<'static, str>) -> Issue,
    ) {
        let count = &mut self.counts[code as usize];
        *count += 1;
        if *count <= MOST_TOLD {
            return self.issues.push(make(span, part));
        }
        match self.rest.iter_mut().find(|rest| rest.code() == code) {
            Some(rest) => {
                let whole = rest.span();
                rest.set_span(Span::new(whole.start.min(span.start), whole.end.max(span.end)));
            }
            None => self.rest.push(Issue::new(code, span).in_part(part)),
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
        let mut tell = |code, start, detail: &'static str| {
            let make = |span, part| Issue::new(code, span).in_part(part).with_detail(detail);
            told.push(code, at(start), "0".into(), make);
        };
        (0..MOST_TOLD + 3).for_each(|start| tell(Code::RawHeaderText, start, "first"));
        tell(Code::DkimBroken, 3, "subject");
        let issues = told.into_issues();
        assert_eq!(issues.len(), MOST_TOLD + 2);
        assert_eq!(issues[4], Issue::new(Code::DkimBroken, at(3)).with_detail("subject"));
        let rest = Issue::new(Code::RawHeaderText, Span::new(MOST_TOLD, MOST_TOLD + 3));
        assert_eq!(issues.last(), Some(&rest.with_detail("3 more times")));
    }
}
