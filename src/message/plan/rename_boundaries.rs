//! Boundaries that could be misread (rule G6): illegal, repeated, or a prefix of another one or of a line of
//! content. They are renamed, always to the same names.

use std::collections::HashSet;

use memchr::memmem;

use super::boundaries::{is_like_new, new_boundary, numbers_in, stem_beside};
use super::context::Context;
use super::verdict::Verdict;
use crate::Code;
use crate::lengths::MAX_BOUNDARY;
use crate::message::delimiters::delimiter_start;
use crate::message::tree::{Kind, Leaf};
use crate::syntax::parameter::SimpleParameters;

/// A multipart and its boundary.
type Named<'p> = (usize, &'p [u8]);

/// Gives those multiparts a new boundary that need one; `bodies` are the verdicts so far.
pub(super) fn judge(ctx: &Context<'_, '_>, bodies: &mut [Verdict]) {
    let boundaries = boundaries(ctx, bodies);
    if boundaries.is_empty() {
        return;
    }
    let frozen = boundaries.iter().filter(|&&(index, _)| ctx.is_frozen(index));
    let stem = stem_beside(frozen.map(|&(_, boundary)| boundary));
    let renamed = renamed(ctx, bodies, &boundaries, stem);
    if renamed.is_empty() {
        return;
    }
    let mut taken: HashSet<usize> =
        ctx.tree.sources.iter().flat_map(|source| numbers_in(&source.octets)).collect();
    taken.extend(bodies.iter().flat_map(|body| &body.exposed.numbers));
    let numbers = (1..).filter(|number| !taken.contains(number));
    for (index, number) in renamed.into_iter().zip(numbers) {
        bodies[index].report(Code::BoundaryRenamed, "");
        bodies[index].edits.boundary = Some(new_boundary(stem, number));
    }
}

/// Returns the multiparts to rename, in document order.
fn renamed(ctx: &Context<'_, '_>, bodies: &[Verdict], boundaries: &[Named<'_>], stem: &str) -> Vec<usize> {
    let mut suspects: HashSet<usize> =
        bodies.iter().flat_map(|body| body.exposed.multiparts.iter().copied()).collect();
    let mistaken = ctx.tree.delimiter_like.iter().filter(|delimiter_like| {
        has_boundary(ctx, bodies, delimiter_like.multipart)
            && delimiter_like.leaf.is_none_or(|leaf| !bodies[leaf].is_rewritten())
    });
    suspects.extend(mistaken.map(|delimiter_like| delimiter_like.multipart));
    let illegal = boundaries.iter().filter(|(_, boundary)| !is_legal(boundary));
    suspects.extend(illegal.map(|&(index, _)| index));
    let odd = boundaries.iter().filter(|&&(index, boundary)| !is_plainly_given(ctx, index, boundary));
    suspects.extend(odd.map(|&(index, _)| index));
    suspects.extend(boundaries.iter().map(|&(index, _)| index).filter(|&index| is_named_around(ctx, index)));
    add_alike(ctx, boundaries, &mut suspects);
    suspects.retain(|&index| !ctx.is_frozen(index));
    if !suspects.is_empty() {
        // With a new name in the message, these are prefixes of another one.
        let alike = boundaries.iter().filter(|(_, boundary)| is_like_new(boundary, stem));
        suspects.extend(alike.map(|&(index, _)| index).filter(|&index| !ctx.is_frozen(index)));
    }
    let mut renamed: Vec<usize> = suspects.into_iter().collect();
    renamed.sort_unstable();
    renamed
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

/// Adds boundaries that are equal to another one, or a prefix of one; if one cannot be renamed, the other one
/// is.
fn add_alike(ctx: &Context<'_, '_>, boundaries: &[Named<'_>], suspects: &mut HashSet<usize>) {
    let mut sorted = boundaries.to_vec();
    sorted.sort_by(|a, b| a.1.cmp(b.1).then(a.0.cmp(&b.0)));
    let equal: Vec<&[Named<'_>]> = sorted.chunk_by(|a, b| a.1 == b.1).collect();
    for equal in &equal {
        // The first keeps it, unless another one has to.
        let kept = usize::from(!equal[1..].iter().any(|&(index, _)| ctx.is_frozen(index)));
        suspects.extend(equal[kept..].iter().map(|&(index, _)| index));
    }
    for (at, shorter) in equal.iter().enumerate() {
        let mut longer = equal[at + 1..].iter().take_while(|longer| longer[0].1.starts_with(shorter[0].1));
        if shorter.iter().any(|&(index, _)| ctx.is_frozen(index)) {
            suspects.extend(longer.flat_map(|equal| equal.iter()).map(|&(index, _)| index));
        } else if longer.next().is_some() {
            suspects.insert(shorter[0].0);
        }
    }
}

/// Returns whether every reader takes the same boundary out of the Content-Type of a multipart: it is a token
/// or a quoted-string without anything to decode, and nothing odd comes before it.
fn is_plainly_given(ctx: &Context<'_, '_>, index: usize, boundary: &[u8]) -> bool {
    let Some(field) = ctx.entity(index).content.type_field else { return true };
    let value = ctx.tree.fields[field].value_of(ctx.octets(index));
    let is_it = |(name, text): (&[u8], &[u8])| name.eq_ignore_ascii_case(b"boundary") && text == boundary;
    SimpleParameters::first(value).is_some_and(is_it)
        || SimpleParameters::read(value).is_some_and(|simple| simple.list().iter().copied().any(is_it))
}

/// Returns whether the text around the parts of a multipart has its delimiter anywhere in a line: some
/// readers do not check the position.
fn is_named_around(ctx: &Context<'_, '_>, index: usize) -> bool {
    let Kind::Multipart(multipart) = &ctx.entity(index).kind else { return false };
    let source = multipart.inner.decoded.unwrap_or(ctx.entity(index).source);
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
