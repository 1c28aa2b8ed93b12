//! How far a header section is read (rule G13), so that what is written for it is read again (rule
//! G7).

use memchr::memchr2_iter;

use crate::facts::line_ends::line_end;
use crate::facts::tree::Entity;
use crate::message::field::{HeaderEnd, Shape};
use crate::message::plan::context::Context;
use crate::message::plan::verdict::Verdict;
use crate::message::splice::Splice;

/// No limit goes lower than this, so that the fields that say how a body is written are never past
/// it.
pub(in crate::message) const MIN_LIMIT: usize = 4096;

/// Returns a lower limit, half of the last one, if what was read of an entity's header section
/// becomes longer than what will be read of the output (rule G7); `None` otherwise, and if nothing
/// is read any more.
pub(in crate::message::plan) fn lower_limit(
    ctx: &Context<'_, '_>,
    verdict: &Verdict,
) -> Option<usize> {
    let limit = ctx.options.limits.header_octets;
    (limit > 0 && most_written(ctx, verdict) > ctx.max_header_octets).then_some(limit / 2)
}

/// Returns how long what was read of a header section can be as it is written.
fn most_written(ctx: &Context<'_, '_>, verdict: &Verdict) -> usize {
    let index = verdict.entity;
    let (start, end) = (ctx.entity(index).start, reach(ctx, index));
    let is_in_header = |splice: &&Splice| {
        splice.source == verdict.source && start <= splice.span.start && splice.span.end <= end
    };
    let growth = verdict.splices.iter().filter(is_in_header).map(Splice::growth);
    // Line ends that are mended while they are copied add one octet each, one that is missing two.
    let (octets, mends) = (&ctx.octets(index)[start..end], ctx.source(index).has_bare_line_ends());
    let mended = if mends { memchr2_iter(b'\r', b'\n', octets).count() } else { 0 };
    octets.len() + mended + growth.sum::<usize>() + 2 * usize::from(!octets.ends_with(b"\n"))
}

/// Returns the end of what must be within the limit for a header section to be read as it was: in
/// signed content, which stays, also the line of text that ends it, since no empty line is inserted
/// before that.
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
    fn a_list_that_ends_early_is_not_output() {
        let normalizer = Normalizer::new().limits(Limits::new().with_header_octets(MIN_LIMIT));
        // Commas and folds take it past the limit.
        let message = format!("To: {}\r\n\r\ntext\r\n", "a@b c@d, ".repeat(430));
        let once = normalizer.normalize(message.as_bytes()).into_octets();
        let shown = String::from_utf8_lossy(&once);
        assert!(shown.contains("X-Unread:") && !shown.contains("To:"), "{shown}");
        assert_eq!(normalizer.normalize(&once).octets(), &once[..]);
    }

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
