//! What becomes of a field in the plan: the verdict about it, with the rule and the reason that its
//! edit has.

use super::section::Header;
use crate::facts::line_ends::{ended, to_crlf};
use crate::message::field::{Field, FieldVerdict, Judged, RawField, judge};
use crate::message::plan::verdict::Verdict;
use crate::{Code, Detail, Issue, Rule, Span};

/// The verdict about a field. Its first issue gives the edit of the field rule and reason.
pub(super) struct Ruling {
    judged: Judged,
    /// The rule of the edit if there is no issue.
    rule: Rule,
}

impl Ruling {
    pub(super) fn new(judged: Judged, rule: Rule) -> Self {
        Self { judged, rule }
    }

    /// Returns the ruling that writes `made` in place of the field, or drops the field if `made` is
    /// empty.
    pub(super) fn written(made: Vec<u8>, rule: Rule) -> Self {
        let verdict = if made.is_empty() { FieldVerdict::Drop } else { FieldVerdict::Write(made) };
        Self::new(Judged::silently(verdict), rule)
    }

    /// Returns the ruling for a field in whose place `raw` is read: another field, which is judged
    /// by the rules for its own name.
    pub(super) fn rewritten(
        header: &Header<'_, '_, '_>,
        field: &Field,
        raw: &[u8],
        rule: Rule,
    ) -> Self {
        Self::new(judge(&RawField::split(raw), &header.rules), rule).of_made(field, raw)
    }

    /// Returns the ruling for a field in whose place `raw` was judged: `raw` is written, and issues
    /// are about the whole field.
    pub(super) fn of_made(mut self, field: &Field, raw: &[u8]) -> Self {
        if self.judged.verdict == FieldVerdict::Keep {
            self.judged.verdict = FieldVerdict::Write(ended(to_crlf(raw)));
        }
        // Spans in generated text say nothing about the input.
        let whole = Span::new(0, field.span.len());
        self.judged.issues.iter_mut().for_each(|issue| issue.set_span(whole));
        self
    }

    /// Adds an issue about the whole field, before all others.
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

    /// Adds the issues and the edit of the field to the verdict about its header; `octets` are those
    /// that the field is in.
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
