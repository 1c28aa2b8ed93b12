//! The facts that the rules for header sections may query.

use super::reach;
use crate::decode::may_hold_unlabelled;
use crate::facts::evidence::{guess_for_header, labels};
use crate::facts::guesses::Labels;
use crate::facts::tree::Entity;
use crate::message::field::{Field, FieldRules, Repeat, RowSet};
use crate::message::plan::context::Context;
use crate::message::plan::edits::ContentEdits;

/// A header section, the rules for its fields, and what they must say afterwards.
pub(super) struct Header<'h, 'p, 'a> {
    pub(super) ctx: &'h Context<'p, 'a>,
    pub(super) index: usize,
    pub(super) entity: &'p Entity,
    pub(super) edits: &'h ContentEdits,
    pub(super) rules: FieldRules,
    /// The rows that occur more than once, though their fields may not repeat freely.
    pub(super) repeated: RowSet,
}

impl<'h, 'p, 'a> Header<'h, 'p, 'a> {
    pub(super) fn new(ctx: &'h Context<'p, 'a>, index: usize, edits: &'h ContentEdits) -> Self {
        let entity = ctx.entity(index);
        let policy = *ctx.policy(index);
        let section = &ctx.octets(index)[entity.start..entity.section.fields_end];
        let asks = || (policy.rewrites || policy.guesses_labels) && may_hold_unlabelled(section);
        let may_ask = entity.section.counted.unclean > 0;
        let (guess, labels) = if may_ask && asks() {
            (guess_for_header(ctx.tree, index), labels(ctx.tree))
        } else {
            (None, Labels::default())
        };
        let rules = FieldRules { policy, guess, labels, max_header_octets: ctx.max_header_octets };
        let rows = ctx.tree.fields_of(entity).iter().map(|field| field.row);
        let repeated = RowSet::repeated(rows.filter(|row| row.repeat != Repeat::Freely));
        Self { ctx, index, entity, edits, rules, repeated }
    }

    /// Returns the octets that spans of fields point into.
    pub(super) fn octets(&self) -> &'p [u8] {
        self.ctx.octets(self.index)
    }

    pub(super) fn fields(&self) -> &'p [Field] {
        self.ctx.tree.fields_of(self.entity)
    }

    /// Returns the fields with their indices in the tree.
    pub(super) fn numbered_fields(&self) -> impl Iterator<Item = (usize, &'p Field)> + use<'p> {
        self.entity.fields.clone().zip(self.fields())
    }

    /// Returns where the fields that are read end.
    pub(super) fn end(&self) -> usize {
        reach::read_end(self.ctx, self.ctx.entity(self.index))
    }
}
