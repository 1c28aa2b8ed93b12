//! What becomes of a body.

use std::borrow::Cow;

use super::facts::{Basis, Body};
use crate::ascii::trim_fws;
use crate::issue::Tally;
use crate::message::plan::boundaries::Exposed;
use crate::message::plan::edits::ContentEdits;
use crate::message::plan::findings::Findings;
use crate::message::plan::verdict::Verdict;
use crate::message::splice::Replacement;
use crate::message::tree::Entity;
use crate::{Code, Rule};

/// What becomes of a body.
#[derive(Debug)]
pub(in crate::message::plan) struct BodyVerdict {
    /// What the entity's Content- fields must say afterwards.
    pub(in crate::message::plan) edits: ContentEdits,
    /// What is written in its place, if it does not stay.
    pub(in crate::message::plan) rewrite: Option<Rewrite>,
    /// What was encoded and now becomes visible.
    pub(in crate::message::plan) exposed: Exposed,
    pub(in crate::message::plan) findings: Findings,
    pub(in crate::message::plan) basis: Basis,
}

/// What takes the place of a body.
#[derive(Debug)]
pub(in crate::message::plan) enum Rewrite {
    /// The same octets or text in another encoding (rule B3).
    Encoded(Replacement),
    /// Blocks of fields, written by the header rules (rule B6).
    Fields(Vec<u8>),
}

impl BodyVerdict {
    /// Returns the verdict that the body stays.
    pub(in crate::message::plan) fn keep(entity: &Entity) -> Self {
        Self {
            edits: ContentEdits::default(),
            rewrite: None,
            exposed: Exposed::default(),
            findings: Findings::new(entity),
            basis: Basis::Header,
        }
    }

    /// Returns whether the body is encoded again.
    pub(in crate::message::plan) fn is_encoded_again(&self) -> bool {
        matches!(self.rewrite, Some(Rewrite::Encoded(_)))
    }

    /// Returns what has to be done for the body of an entity, and what its Content- fields must say
    /// afterwards.
    pub(in crate::message::plan) fn into_verdict(
        self,
        index: usize,
        entity: &Entity,
    ) -> (Verdict, ContentEdits) {
        let mut verdict = Verdict { findings: self.findings, ..Verdict::new(index, entity) };
        let (with, rule, reason) = match self.rewrite {
            None => return (verdict, self.edits),
            Some(Rewrite::Encoded(with)) => (with, Rule::B3, "body encoded again"),
            Some(Rewrite::Fields(made)) => {
                (Replacement::Octets(made.into()), Rule::B6, "fields in the body made 7-bit safe")
            }
        };
        verdict.replace_in(entity.source, entity.body.clone(), with, rule, reason);
        (verdict, self.edits)
    }

    /// Reports an issue of the whole body.
    pub(super) fn report(&mut self, body: &Body<'_, '_>, code: Code, detail: impl Into<Cow<'static, str>>) {
        self.findings.body(code, body.range(), detail);
    }

    /// Reports that the body goes on after its data.
    pub(super) fn report_end_of_data(&mut self, body: &Body<'_, '_>) {
        let (range, end) = (body.range(), body.end_of_data());
        if !trim_fws(&body.octets()[end..]).is_empty() {
            self.findings.body(Code::Base64AfterPadding, range.start + end..range.end, "");
        }
    }

    /// Reports what a decoder of the body found.
    pub(super) fn report_all(&mut self, body: &Body<'_, '_>, tally: Tally) {
        let range = body.range();
        for issue in tally.into_issues() {
            // Content stored with LF was decoded with CR LF, which is longer.
            let span = issue.span().shifted(range.start);
            let span = span.start.min(range.end)..span.end.min(range.end);
            self.findings.body(issue.code(), span, issue.detail().to_owned());
        }
    }
}
