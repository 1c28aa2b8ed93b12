//! Rulings: verdicts about fields, with the rule and the reason.

use super::section::Header;
use crate::message::field::{Field, FieldVerdict, Judged, RawField, judge};
use crate::message::line_ends::{ended, to_crlf};
use crate::message::plan::verdict::Verdict;
use crate::{Code, Detail, Issue, Rule, Span};

/// A verdict about a field. Rule and reason are those of its first issue.
pub(super) struct Ruling {
    judged: Judged,
    /// The rule if there is no issue.
    rule: Rule,
}

impl Ruling {
    pub(super) fn new(judged: Judged, rule: Rule) -> Self {
        Self { judged, rule }
    }

    /// Returns the ruling to write the field as `made`, or to drop it if that is empty.
    pub(super) fn written(made: Vec<u8>, rule: Rule) -> Self {
        let verdict = if made.is_empty() { FieldVerdict::Drop } else { FieldVerdict::Write(made) };
        Self::new(Judged::silently(verdict), rule)
    }

    /// Returns the ruling to write the field as `raw`, which was made from it and is judged by the
    /// rules for its name.
    pub(super) fn rewritten(
        header: &Header<'_, '_, '_>,
        field: &Field,
        raw: &[u8],
        rule: Rule,
    ) -> Self {
        Self::new(judge(&RawField::split(raw), &header.rules), rule).of_made(field, raw)
    }

    /// Returns the ruling for a field that was judged by `raw`, which was made from it.
    pub(super) fn of_made(mut self, field: &Field, raw: &[u8]) -> Self {
        if self.judged.verdict == FieldVerdict::Keep {
            self.judged.verdict = FieldVerdict::Write(ended(to_crlf(raw)));
        }
        // Spans in generated text say nothing about the input.
        let whole = Span::new(0, field.span.len());
        self.judged.issues.iter_mut().for_each(|issue| issue.set_span(whole));
        self
    }

    /// Reports something about the whole field before anything else.
    pub(super) fn reporting(
        mut self,
        code: Code,
        field: &Field,
        detail: impl Into<Detail>,
    ) -> Self {
        let issue = Issue::new(code, Span::new(0, field.span.len())).with_detail(detail);
        self.judged.issues.insert(0, issue);
        self
    }

    /// Enters it into the verdict about the whole header.
    #[inline]
    pub(super) fn enter(self, field: &Field, octets: &[u8], verdict: &mut Verdict) {
        let Judged { verdict: of_field, issues } = self.judged;
        let first = issues.first();
        let rule = first.map_or(self.rule, Issue::rule);
        let reason = first.map_or("header field rewritten", |issue| issue.code().summary());
        for issue in issues {
            let span = issue.span().shifted(field.span.start);
            verdict.in_header.push(issue.at(span));
        }
        let raw = &octets[field.span.clone()];
        let with = match of_field {
            FieldVerdict::Keep if raw.ends_with(b"\n") => return,
            FieldVerdict::Keep => ended(to_crlf(raw)),
            FieldVerdict::Write(with) => with,
            FieldVerdict::Drop => Vec::new(),
        };
        verdict.replace(field.span.clone(), with, rule, reason);
    }
}
