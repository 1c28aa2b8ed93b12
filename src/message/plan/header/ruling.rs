//! What becomes of a field, with the rule and the reason.

use super::section::Header;
use crate::message::field::{Field, Judged, RawField, Verdict as FieldVerdict, judge};
use crate::message::line_ends::{ended, to_crlf};
use crate::message::plan::verdict::Verdict;
use crate::{Code, Issue, Rule, Span};

/// A verdict about a field, with the rule and the reason for it.
pub(super) struct Ruling {
    judged: Judged,
    rule: Rule,
    reason: &'static str,
}

impl Ruling {
    /// Returns a ruling with the rule and reason of the first issue found; with `rule`, if there was none.
    #[inline]
    pub(super) fn new(judged: Judged, rule: Rule) -> Self {
        let first = judged.issues.first();
        let rule = first.map_or(rule, Issue::rule);
        let reason = first.map_or("header field rewritten", |issue| issue.code().summary());
        Self { judged, rule, reason }
    }

    /// Returns the ruling to drop the field.
    pub(super) fn dropped(rule: Rule, reason: &'static str) -> Self {
        Self { judged: Judged::silently(FieldVerdict::Drop), rule, reason }
    }

    /// Returns the ruling to write the field as `raw`, which was made from it and is judged by the rules for
    /// its name.
    pub(super) fn rewritten(header: &Header<'_, '_, '_>, field: &Field, raw: &[u8], rule: Rule) -> Self {
        Self::of_made(judge(&RawField::split(raw), &header.rules), field, raw, rule)
    }

    /// Returns the ruling for a field that was judged by `raw`, which was made from it.
    pub(super) fn of_made(mut judged: Judged, field: &Field, raw: &[u8], rule: Rule) -> Self {
        if judged.verdict == FieldVerdict::Keep {
            judged.verdict = FieldVerdict::Write(ended(to_crlf(raw)));
        }
        // Spans in generated text say nothing about the input.
        let whole = Span::new(0, field.span.len());
        judged.issues.iter_mut().for_each(|issue| issue.set_span(whole));
        Self::new(judged, rule)
    }

    /// Reports something about the whole field before anything else; rule and reason stay.
    pub(super) fn reporting(mut self, code: Code, field: &Field, detail: String) -> Self {
        let issue = Issue::new(code, Span::new(0, field.span.len())).with_detail(detail);
        self.judged.issues.insert(0, issue);
        self
    }

    /// Enters it into the verdict about the whole header.
    #[inline]
    pub(super) fn enter(self, field: &Field, octets: &[u8], verdict: &mut Verdict) {
        for issue in self.judged.issues {
            verdict.findings.header_issue(issue, field.span.start);
        }
        let raw = &octets[field.span.clone()];
        let with = match self.judged.verdict {
            FieldVerdict::Keep if raw.ends_with(b"\n") => return,
            FieldVerdict::Keep => ended(to_crlf(raw)),
            FieldVerdict::Write(with) => with,
            FieldVerdict::Drop => Vec::new(),
        };
        verdict.replace(field.span.clone(), with, self.rule, self.reason);
    }
}
