//! Parts that claim to be signed but do not bear it out (rule G12): each is a multipart like any
//! other, but users who look for signatures in the report have to be informed.

use std::ops::Range;

use super::context::Context;
use super::verdict::Verdict;
use crate::Code;
use crate::facts::tree::Entity;
use crate::message::splice::{Splice, Splices};

/// Reports each multipart whose signature is not one and whose content changes; `splices` are in
/// order.
pub(super) fn judge(ctx: &Context<'_, '_>, splices: &[Splices]) -> Vec<Verdict> {
    let changes = |body: &Range<usize>, of_source: &[Splice]| {
        let first = of_source.partition_point(|splice| splice.span.start < body.start);
        of_source.get(first).is_some_and(|splice| splice.span.start < body.end)
    };
    let report = |(index, entity): (usize, &Entity)| {
        if !entity.is_multipart()
            || !entity.content.claims_seal()
            || ctx.tree.is_seal(index)
            || !changes(&entity.body, &splices[entity.source].list)
        {
            return None;
        }
        let mut verdict = Verdict::new(index, entity);
        verdict
            .report(Code::SignatureBroken, "what should be the signature does not look like one");
        Some(verdict)
    };
    ctx.tree.entities.iter().enumerate().filter_map(report).collect()
}
