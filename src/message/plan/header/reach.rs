//! How far a header section is read (rule G13), so that what is written of it is read again (rule G7).

use crate::message::field::Shape;
use crate::message::plan::context::Context;
use crate::message::splice::{Replacement, Splices};

/// No lower limit is kept, so that the fields which say how a body is written are never past it.
pub(in crate::message::plan) const LEAST: usize = 4096;

/// By how much the limit has to be lower, so that what was read of each header section is still read of what is written
/// (rule G7): fields may become longer. Nothing, if all of them fit.
pub(in crate::message::plan) fn lower_limit(ctx: &Context<'_, '_>, splices: &[Splices]) -> Option<usize> {
    let limit = ctx.options.limits.header_octets;
    let grown: usize = splices.iter().map(Splices::growth).sum();
    let largest = ctx.tree.entities.iter().map(|entity| entity.section.fields_end - entity.start).max()?;
    if largest + grown <= limit {
        return None;
    }
    let written = (0..ctx.tree.entities.len()).map(|index| written_octets(ctx, index, splices)).max()?;
    let lower = |written: usize| limit.saturating_mul(limit) / written.max(1);
    (written > limit).then(|| lower(written).min(limit / 2))
}

/// How long what was read of a header section is as it is written.
fn written_octets(ctx: &Context<'_, '_>, index: usize, splices: &[Splices]) -> usize {
    let entity = ctx.entity(index);
    let end = read_end(ctx, index);
    let of_section = splices[entity.source].as_slice();
    let first = of_section.partition_point(|splice| splice.span.start < entity.start);
    let mut octets = end - entity.start;
    for splice in of_section[first..].iter().take_while(|splice| splice.span.end <= end) {
        if let Replacement::Octets(with) = &splice.with {
            octets = octets + with.len() - splice.span.len();
        }
    }
    octets
}

/// Where what was read of a header section ends.
pub(super) fn read_end(ctx: &Context<'_, '_>, index: usize) -> usize {
    let entity = ctx.entity(index);
    let last = ctx.tree.fields_of(entity).last().filter(|field| field.shape == Shape::PastLimit);
    last.map_or(entity.section.fields_end, |field| field.span.start)
}
