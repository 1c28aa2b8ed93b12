//! How far a header section is read (rule G13), so that what is written for it is read again (rule G7).

use std::io;

use crate::message::field::{HeaderEnd, Shape};
use crate::message::line_ends::{Lines, line_end};
use crate::message::plan::context::Context;
use crate::message::splice::{Counted, Replacement, Splices};
use crate::message::tree::Entity;

/// No limit goes lower than this, so that the fields that say how a body is written are never past it.
pub(in crate::message) const MIN_LIMIT: usize = 4096;

/// Returns a lower limit, so that what was read of each header section is still within `wanted` octets as it
/// is written, and so is read again (rule G7): fields may become longer. `None` if all of them fit, or
/// nothing is read any more.
pub(in crate::message::plan) fn lower_limit(
    ctx: &Context<'_, '_>,
    splices: &[Splices],
    wanted: usize,
) -> Option<usize> {
    let limit = ctx.options.limits.header_octets;
    let grown: usize = splices.iter().map(Splices::growth).sum();
    let entities = 0..ctx.tree.entities.len();
    let read = |index: usize| reach(ctx, index) - ctx.entity(index).start;
    let largest = entities.clone().map(read).max()?;
    // Line ends that are mended while they are copied add one octet each, and there are no more of them than
    // octets.
    let mended = if splices.iter().any(|of_source| of_source.bare_line_ends) { largest } else { 0 };
    if limit == 0 || largest + mended + grown <= wanted {
        return None;
    }
    let written = entities.map(|index| written_octets(ctx, index, splices)).max()?;
    // A little less than would be enough on average, and at most half of the limit, so that few rounds are
    // needed.
    let enough = largest.min(limit).saturating_mul(wanted) / written.max(1);
    (written > wanted).then(|| (enough - enough / 16).min(limit / 2))
}

/// Returns the length, as it is written, of what was read of a header section.
fn written_octets(ctx: &Context<'_, '_>, index: usize, splices: &[Splices]) -> usize {
    let (entity, octets) = (ctx.entity(index), ctx.octets(index));
    let of_source = &splices[entity.source];
    let first = of_source.as_slice().partition_point(|splice| splice.span.start < entity.start);
    let (mut at, end) = (entity.start, reach(ctx, index));
    let mut written = 0;
    for splice in of_source.as_slice()[first..].iter().take_while(|splice| splice.span.end <= end) {
        if let Replacement::Octets(with) = &splice.with {
            written += copied_octets(&octets[at..splice.span.start], of_source.bare_line_ends) + with.len();
            at = splice.span.end;
        }
    }
    written + copied_octets(&octets[at..end], of_source.bare_line_ends)
}

/// Returns the length of octets that stay, as they are written.
fn copied_octets(octets: &[u8], bare_line_ends: bool) -> usize {
    let mut counted = Counted { output: io::sink(), octets: 0 };
    counted.copy(octets, bare_line_ends).expect("counting does not fail");
    counted.octets as usize
}

/// Returns the end of what must be within the limit for a header section to be read as it was: in signed content,
/// which stays, also the line of text that ends it, since no empty line is inserted before that.
fn reach(ctx: &Context<'_, '_>, index: usize) -> usize {
    let entity = ctx.entity(index);
    let end = read_end(ctx, entity);
    match entity.section.end {
        HeaderEnd::Text if ctx.is_frozen(index) => line_end(ctx.octets(index), end),
        _ => end,
    }
}

/// Returns the end of what was read of a header section.
pub(super) fn read_end(ctx: &Context<'_, '_>, entity: &Entity) -> usize {
    let last = ctx.tree.fields_of(entity).last().filter(|field| field.shape == Shape::PastLimit);
    last.map_or(entity.section.fields_end, |field| field.span.start)
}

#[cfg(test)]
mod tests {
    use super::MIN_LIMIT;
    use crate::{Limits, Normalizer};

    #[test]
    fn line_ends_that_become_longer_count() {
        let normalizer = Normalizer::new().limits(Limits::new().with_header_octets(MIN_LIMIT));
        for line_end in ["\n", "\r"] {
            for octets in MIN_LIMIT / 2..MIN_LIMIT + 2 {
                let field = format!("X-A: b{line_end}");
                let fields = field.repeat(octets / field.len());
                let more = "b".repeat(octets % field.len());
                let message = format!(
                    "MIME-Version: 1.0{line_end}X-B: {more}{line_end}{fields}{line_end}text{line_end}"
                );
                let once = normalizer.normalize(message.as_bytes()).into_octets();
                let twice = normalizer.normalize(&once);
                assert_eq!(
                    String::from_utf8_lossy(&once),
                    String::from_utf8_lossy(twice.octets()),
                    "{octets}"
                );
            }
        }
    }
}
