//! How far a header section is read (rule G13), so that what is written of it is read again (rule G7).

use crate::message::field::Shape;
use crate::message::plan::context::Context;
use crate::message::splice::{Replacement, Splices};
use crate::message::tree::Entity;

/// No lower limit is kept, so that the fields which say how a body is written are never past it.
pub(in crate::message) const LEAST: usize = 4096;

/// A lower limit, so that what was read of each header section is still within `wanted` octets as it is written, and read
/// again (rule G7): fields may become longer. Nothing, if all of them fit, or nothing is read any more.
pub(in crate::message::plan) fn lower_limit(
    ctx: &Context<'_, '_>,
    splices: &[Splices],
    wanted: usize,
) -> Option<usize> {
    let limit = ctx.options.limits.header_octets;
    let grown: usize = splices.iter().map(Splices::growth).sum();
    let largest = ctx.tree.entities.iter().map(|entity| read_end(ctx, entity) - entity.start).max()?;
    if limit == 0 || largest + grown <= wanted {
        return None;
    }
    let written = ctx.tree.entities.iter().map(|entity| written_octets(ctx, entity, splices)).max()?;
    // A little less than would be enough on average, and at most half of the limit, so that few rounds are enough.
    let enough = largest.min(limit).saturating_mul(wanted) / written.max(1);
    (written > wanted).then(|| (enough - enough / 16).min(limit / 2))
}

/// How long what was read of a header section is as it is written.
fn written_octets(ctx: &Context<'_, '_>, entity: &Entity, splices: &[Splices]) -> usize {
    let end = read_end(ctx, entity);
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
pub(super) fn read_end(ctx: &Context<'_, '_>, entity: &Entity) -> usize {
    let last = ctx.tree.fields_of(entity).last().filter(|field| field.shape == Shape::PastLimit);
    last.map_or(entity.section.fields_end, |field| field.span.start)
}
