//! The verdict on an entity: which octets are replaced, what its Content- fields must say, and what
//! is to be reported. Each step returns its own, given what was decided before;
//! [`Ledger`](super::ledger::Ledger) acts on all of them together.

use std::borrow::Cow;
use std::ops::Range;

use super::body::Basis;
use super::boundaries::Exposed;
use super::edits::ContentEdits;
use super::issue_log::IssueLog;
use crate::facts::tree::Entity;
use crate::message::splice::{Replacement, Splice, SpliceOrder};
use crate::{Code, Detail, Issue, Rule};

/// The decision about one entity.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) entity: usize,
    /// The source that the entity is in, and its body there.
    pub(super) source: usize,
    pub(super) body: Range<usize>,
    pub(super) splices: Vec<Splice>,
    /// The changes to the entity's Content- fields.
    pub(super) edits: ContentEdits,
    /// The boundaries in what was encoded in its body and now becomes visible.
    pub(super) exposed: Exposed,
    /// The basis of the decisions about its body.
    pub(super) basis: Basis,
    /// The issues in its header, and in its body.
    pub(super) in_header: IssueLog,
    pub(super) in_body: IssueLog,
}

impl Verdict {
    /// Returns a verdict that changes nothing yet.
    pub(super) fn new(index: usize, entity: &Entity) -> Self {
        Self {
            entity: index,
            source: entity.source,
            body: entity.body.clone(),
            splices: Vec::new(),
            edits: ContentEdits::default(),
            exposed: Exposed::default(),
            basis: Basis::Header,
            in_header: IssueLog::default(),
            in_body: IssueLog::default(),
        }
    }

    /// Gives a multipart a new boundary.
    pub(super) fn rename_boundary(&mut self, boundary: String) {
        self.report(Code::BoundaryRenamed, "");
        self.edits.boundary = Some(boundary);
    }

    /// Adds what another step has decided about the same entity.
    pub(super) fn add(&mut self, mut other: Self) {
        self.splices.append(&mut other.splices);
        self.edits.add(other.edits);
        self.in_header.absorb(other.in_header, &|issue| issue);
        self.in_body.absorb(other.in_body, &|issue| issue);
    }

    /// Returns whether octets are replaced; of a verdict about a body alone, whether that is
    /// rewritten.
    pub(super) fn is_rewritten(&self) -> bool {
        !self.splices.is_empty()
    }

    /// Replaces octets of the entity's source.
    pub(super) fn replace(
        &mut self,
        span: Range<usize>,
        with: impl Into<Cow<'static, [u8]>>,
        rule: Rule,
        reason: &'static str,
    ) {
        self.replace_in(self.source, span, Replacement::Octets(with.into()), rule, reason);
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
        let place = match with {
            Replacement::Source(_) => SpliceOrder::Decoded,
            _ => SpliceOrder::InOrder,
        };
        self.splices.push(Splice { source, span, with, rule, reason, entity: self.entity, place });
    }

    /// Reports something about the entity's whole body.
    pub(super) fn report(&mut self, code: Code, detail: impl Into<Detail>) {
        self.report_body(code, self.body.clone(), detail);
    }

    /// Reports something in the entity's body; `range` is in its source.
    pub(super) fn report_body(
        &mut self,
        code: Code,
        range: Range<usize>,
        detail: impl Into<Detail>,
    ) {
        self.in_body.push(Issue::new(code, range.into()).with_detail(detail));
    }

    /// Reports something in the entity's header; `range` is in its source.
    pub(super) fn report_header(
        &mut self,
        code: Code,
        range: Range<usize>,
        detail: impl Into<Detail>,
    ) {
        self.in_header.push(Issue::new(code, range.into()).with_detail(detail));
    }
}
