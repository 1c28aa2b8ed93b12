//! Parts that claim to be signed but do not bear it out (rule G12): each is a multipart like any other, but
//! users who look for signatures in the report have to be informed.

use super::context::Context;
use super::verdict::Verdict;
use crate::Code;
use crate::message::splice::Splices;

/// Reports each multipart whose signature is not one and whose content changes.
pub(super) fn judge(ctx: &Context<'_, '_>, splices: &[Splices]) -> Vec<Verdict> {
    let is_false = |index: usize| ctx.tree.control_part(index).is_some() && !ctx.tree.is_seal(index);
    let false_ones: Vec<usize> = (0..ctx.tree.entities.len()).filter(|&index| is_false(index)).collect();
    if false_ones.is_empty() {
        return Vec::new();
    }
    let starts = |of_source: &Splices| {
        let mut starts: Vec<usize> = of_source.iter().map(|splice| splice.span.start).collect();
        starts.sort_unstable();
        starts
    };
    let starts: Vec<Vec<usize>> = splices.iter().map(starts).collect();
    let changes = |index: &usize| {
        let entity = ctx.entity(*index);
        let starts = &starts[entity.source];
        let first = starts.partition_point(|&start| start < entity.body.start);
        starts.get(first).is_some_and(|&start| start < entity.body.end)
    };
    let report = |index: usize| {
        let entity = ctx.entity(index);
        let mut verdict = Verdict::new(index, entity);
        let why = "what should be the signature does not look like one";
        verdict.report(Code::SignatureBroken, why);
        verdict
    };
    false_ones.into_iter().filter(changes).map(report).collect()
}
