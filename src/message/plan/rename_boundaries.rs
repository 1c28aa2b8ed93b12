//! Boundaries that could be misread (rule G6): illegal, repeated, or a prefix of another one or of
//! a line of content. They are renamed, always to the same names.

use std::cmp::Reverse;

use memchr::memmem;

use super::boundaries::{is_like_new, new_boundary, numbers_in, stem_beside};
use super::context::Context;
use super::verdict::Verdict;
use crate::facts::delimiters::delimiter_start;
use crate::facts::tree::{Kind, Leaf};
use crate::lengths::MAX_BOUNDARY;
use crate::syntax::parameter::SimpleParameters;

/// A multipart and its boundary.
type Named<'p> = (usize, &'p [u8]);

/// Returns the multiparts that need a new boundary, each with that, given the verdicts on all
/// bodies.
pub(super) fn judge(ctx: &Context<'_, '_>, bodies: &[Verdict]) -> Vec<(usize, String)> {
    let boundaries = boundaries(ctx, bodies);
    if boundaries.is_empty() {
        return Vec::new();
    }
    let mut renamed = suspects(ctx, bodies, &boundaries);
    renamed.retain(|&index| !ctx.is_frozen(index));
    if renamed.is_empty() {
        return Vec::new();
    }
    let (frozen, free): (Vec<_>, Vec<_>) =
        boundaries.iter().partition(|(index, _)| ctx.is_frozen(*index));
    let stem = stem_beside(frozen.iter().map(|&(_, boundary)| boundary));
    // With a new name in the message, these are prefixes of another one.
    let alike = free.into_iter().filter(|(_, boundary)| is_like_new(boundary, stem));
    renamed.extend(alike.map(|(index, _)| index));
    renamed.sort_unstable();
    renamed.dedup();
    let mut taken: Vec<usize> =
        ctx.tree.sources.iter().flat_map(|source| numbers_in(&source.octets)).collect();
    taken.extend(bodies.iter().flat_map(|body| &body.exposed.numbers));
    taken.sort_unstable();
    let numbers = (1..).filter(|number| taken.binary_search(number).is_err());
    let renamed = renamed.into_iter().zip(numbers);
    renamed.map(|(index, number)| (index, new_boundary(stem, number))).collect()
}

/// Returns the multiparts whose boundary could be misread, in document order.
fn suspects(ctx: &Context<'_, '_>, bodies: &[Verdict], boundaries: &[Named<'_>]) -> Vec<usize> {
    let stays = |leaf: Option<usize>| leaf.is_none_or(|leaf| !bodies[leaf].is_rewritten());
    let delimiter_like = ctx.tree.delimiter_like.iter().filter(|line| stays(line.leaf));
    let exposed = bodies.iter().flat_map(|body| &body.exposed.multiparts).copied();
    let mut is_mistaken = vec![false; bodies.len()];
    delimiter_like.map(|line| line.multipart).chain(exposed).for_each(|at| is_mistaken[at] = true);
    let is_suspect = |&(index, boundary): &Named<'_>| {
        is_mistaken[index]
            || !is_legal(boundary)
            || !is_plainly_given(ctx, index, boundary)
            || is_named_around(ctx, index)
    };
    let mut suspects = vec![false; bodies.len()];
    boundaries.iter().for_each(|named| suspects[named.0] = is_suspect(named));
    // Those that another one begins with; if they have to stay, that one. Of equal ones the first
    // stays, unless another one has to.
    let mut sorted = boundaries.to_vec();
    sorted.sort_unstable_by_key(|&(index, boundary)| {
        (boundary, !ctx.is_frozen(index), Reverse(index))
    });
    let mut held: Option<&[u8]> = None;
    for (at, &(index, boundary)) in sorted.iter().enumerate() {
        held = held.filter(|held| boundary.starts_with(held));
        if held.is_some() || sorted.get(at + 1).is_some_and(|(_, next)| next.starts_with(boundary))
        {
            suspects[index] = true;
        }
        held = held.or(ctx.is_frozen(index).then_some(boundary));
    }
    (0..bodies.len()).filter(|&at| suspects[at]).collect()
}

/// Returns every multipart with its boundary, even one without parts.
fn boundaries<'p>(ctx: &Context<'p, '_>, bodies: &[Verdict]) -> Vec<Named<'p>> {
    let multiparts = (0..bodies.len()).filter(|&index| has_boundary(ctx, bodies, index));
    let boundary = |index: usize| match &ctx.entity(index).kind {
        Kind::Multipart(multipart) => multipart.boundary.as_slice(),
        _ => ctx.entity(index).content.parameters.get("boundary").unwrap_or_default().as_bytes(),
    };
    let named = |&(_, boundary): &Named<'p>| !boundary.is_empty();
    multiparts.map(|index| (index, boundary(index))).filter(named).collect()
}

/// Returns whether an entity is a multipart in the output.
fn has_boundary(ctx: &Context<'_, '_>, bodies: &[Verdict], index: usize) -> bool {
    match ctx.entity(index).kind {
        Kind::Multipart(_) => true,
        Kind::Leaf(Leaf::NoBoundary) => {
            !bodies[index].is_rewritten() && bodies[index].edits.media_type.is_none()
        }
        _ => false,
    }
}

/// Returns whether every reader takes the same boundary out of the Content-Type of a multipart: it
/// is a token or a quoted-string without anything to decode, and nothing odd comes before it.
fn is_plainly_given(ctx: &Context<'_, '_>, index: usize, boundary: &[u8]) -> bool {
    let content = &ctx.entity(index).content;
    let Some(field) = content.type_field else { return true };
    let value = ctx.tree.fields[field].value_of(ctx.octets(index));
    let is_it =
        |(name, text): (&[u8], &[u8])| name.eq_ignore_ascii_case(b"boundary") && text == boundary;
    // Of several the field keeps one, which may not be the one that the body has.
    content.parameters.get("boundary").is_some_and(|kept| kept.trim_end().as_bytes() == boundary)
        && (SimpleParameters::first(value).is_some_and(is_it)
            || SimpleParameters::read(value)
                .is_some_and(|simple| simple.list().iter().copied().any(is_it)))
}

/// Returns whether the text around the parts of a multipart has its delimiter anywhere in a line:
/// some readers do not check the position.
fn is_named_around(ctx: &Context<'_, '_>, index: usize) -> bool {
    let Kind::Multipart(multipart) = &ctx.entity(index).kind else { return false };
    let source = ctx.entity(index).inner_source();
    let octets = &ctx.tree.sources[source].octets;
    let around = [Some(multipart.preamble.clone()), multipart.epilogue.clone()];
    let delimiter = delimiter_start(&multipart.boundary);
    around.into_iter().flatten().any(|range| memmem::find(&octets[range], &delimiter).is_some())
}

/// ```text
/// boundary      := 0*69<bchars> bcharsnospace         ; RFC 2046, 5.1.1
/// bcharsnospace := DIGIT / ALPHA / "'" / "(" / ")" / "+" / "_" / "," / "-" / "." / "/" / ":" / "=" / "?"
/// ```
fn is_legal(boundary: &[u8]) -> bool {
    let bchars = |octet: &u8| octet.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(octet);
    (1..=MAX_BOUNDARY).contains(&boundary.len())
        && boundary.iter().all(bchars)
        && boundary.first() != Some(&b' ')
        && boundary.last() != Some(&b' ')
}
