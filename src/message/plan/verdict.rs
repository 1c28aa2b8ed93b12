//! What a rule decides: which octets are replaced, and what is to be reported. [`Ledger`](super::ledger::Ledger) acts on it.

use std::borrow::Cow;
use std::ops::Range;

use crate::message::splice::{Place, Replacement, Splice};
use crate::message::tree::Entity;
use crate::{Code, Issue, Rule, Span};

/// What was decided about one entity.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) entity: usize,
    /// Each with the source whose octets it replaces.
    pub(super) splices: Vec<(usize, Splice)>,
    pub(super) findings: Findings,
}

/// What is to be reported about one entity.
#[derive(Debug)]
pub(super) struct Findings {
    /// The source of the entity.
    source: usize,
    pub(super) list: Vec<Finding>,
}

/// An issue whose span is in a source, not yet in the message.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) issue: Issue,
    pub(super) source: usize,
    pub(super) of: Of,
}

/// Which part of an entity an issue is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Header,
    Body,
}

impl Findings {
    pub(super) fn new(entity: &Entity) -> Self {
        Self { source: entity.source, list: Vec::new() }
    }

    /// Something in the entity's body; `range` is in its source.
    pub(super) fn body(&mut self, code: Code, range: Range<usize>, detail: impl Into<Cow<'static, str>>) {
        self.body_in(self.source, code, range, detail);
    }

    /// Something in the entity's body, where that was decoded to another source.
    pub(super) fn body_in(
        &mut self,
        source: usize,
        code: Code,
        range: Range<usize>,
        detail: impl Into<Cow<'static, str>>,
    ) {
        let issue = Issue::new(code, range.into()).with_detail(detail);
        self.list.push(Finding { issue, source, of: Of::Body });
    }

    /// Something in the entity's header; `range` is in its source.
    pub(super) fn header(&mut self, code: Code, range: Range<usize>, detail: impl Into<Cow<'static, str>>) {
        self.header_issue(Issue::new(code, range.into()).with_detail(detail), 0);
    }

    /// Something in the entity's body that comes before all else.
    pub(super) fn put_first(&mut self, issue: Issue) {
        self.list.insert(0, Finding { issue, source: self.source, of: Of::Body });
    }

    /// An issue of the entity's header whose span begins at `base` of its source.
    pub(super) fn header_issue(&mut self, issue: Issue, base: usize) {
        let span: Span = issue.span().shifted(base);
        self.list.push(Finding { issue: issue.at(span), source: self.source, of: Of::Header });
    }
}

impl Verdict {
    /// Nothing changes yet.
    pub(super) fn new(index: usize, entity: &Entity) -> Self {
        Self { entity: index, splices: Vec::new(), findings: Findings::new(entity) }
    }

    /// Whether nothing changes, and nothing is to be reported.
    pub(super) fn is_empty(&self) -> bool {
        self.splices.is_empty() && self.findings.list.is_empty()
    }

    /// Replaces octets of the entity's source.
    pub(super) fn replace(
        &mut self,
        span: Range<usize>,
        with: impl Into<Cow<'static, [u8]>>,
        rule: Rule,
        reason: &'static str,
    ) {
        self.replace_in(self.findings.source, span, Replacement::Octets(with.into()), rule, reason);
    }

    /// Replaces octets of any source.
    pub(super) fn replace_in(
        &mut self,
        source: usize,
        span: Range<usize>,
        with: Replacement,
        rule: Rule,
        reason: &'static str,
    ) {
        let splice = Splice { span, with, rule, reason, entity: self.entity, place: Place::InOrder };
        self.splices.push((source, splice));
    }
}
