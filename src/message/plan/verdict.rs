//! What a rule decides: which octets are replaced, and what is to be reported.
//! [`Ledger`](super::ledger::Ledger) acts on it.

use std::borrow::Cow;
use std::ops::Range;

use super::findings::Findings;
use crate::Rule;
use crate::message::splice::{Place, Replacement, Splice};
use crate::message::tree::Entity;

/// The decision about one entity.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) entity: usize,
    /// Each with the source whose octets it replaces.
    pub(super) splices: Vec<(usize, Splice)>,
    pub(super) findings: Findings,
}

impl Verdict {
    /// Returns a verdict that changes nothing yet.
    pub(super) fn new(index: usize, entity: &Entity) -> Self {
        Self { entity: index, splices: Vec::new(), findings: Findings::new(entity) }
    }

    /// Returns whether nothing changes, and nothing is to be reported.
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
        self.replace_in(self.findings.source(), span, Replacement::Octets(with.into()), rule, reason);
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
