//! Bodies: what becomes of each leaf, and what its Content- fields must say afterwards (rules B1 to B9).

mod archive;
mod facts;
mod fields;
mod file;
mod label;
mod message;
mod rewrite;
mod text;
mod verdict;

pub(in crate::message) use self::facts::Basis;
use self::facts::Body;
pub(super) use self::rewrite::{OLD_ENCODING, OLD_TYPE};
pub(super) use self::verdict::BodyVerdict;
use super::context::Context;
use crate::ascii::{are_printable_or_fws, trim_fws};
use crate::message::tree::{Entity, Kind, Leaf};
use crate::transfer::{NameSpelling, TransferEncoding};
use crate::{Code, Issue};

/// Returns what becomes of each entity's body. An entity that is not a leaf is judged by its structure; a
/// frozen one stays.
pub(super) fn judge_all(ctx: &Context<'_, '_>) -> Vec<BodyVerdict> {
    let verdict = |(index, entity): (usize, &Entity)| {
        if entity.is_leaf() && !ctx.is_frozen(index) { judge(ctx, index) } else { BodyVerdict::keep(entity) }
    };
    ctx.tree.entities.iter().enumerate().map(verdict).collect()
}

/// Returns what becomes of one leaf.
pub(super) fn judge(ctx: &Context<'_, '_>, index: usize) -> BodyVerdict {
    let body = Body::new(ctx, index);
    let content = body.content;
    let mut verdict = match body.entity.kind {
        Kind::Leaf(Leaf::PastLimit) => rewrite::opaque(&body, Code::PartOpaque),
        Kind::Leaf(Leaf::TooLong) => rewrite::opaque_as_it_is(&body),
        Kind::Leaf(Leaf::Encoded) => rewrite::opaque(&body, Code::EncodedPartOpaque),
        Kind::Leaf(Leaf::NoBoundary) => judge_without_boundary(&body),
        _ if content.is_fields() && body.is_free() => fields::judge(&body),
        _ if content.media_type().starts_with("message/") => message::judge(&body),
        _ if content.is_inline_text() => text::judge(&body),
        _ => file::judge(&body),
    };
    correct_encoding_label(&body, &mut verdict);
    verdict.basis = body.basis();
    verdict
}

/// Applies rule B8: a multipart without its boundary is text.
fn judge_without_boundary(body: &Body<'_, '_>) -> BodyVerdict {
    let may_stay_signed = || body.has_safe_lines() && !body.has_half_encoded_line_ends();
    if body.is_blank() || (!body.is_free() && may_stay_signed()) {
        return BodyVerdict::keep(body.entity);
    }
    let text = body.as_plain_text();
    let mut verdict = if body.content.is_file() { file::judge(&text) } else { text::judge(&text) };
    verdict.edits.media_type = Some("text/plain");
    verdict.edits.no_boundary = true;
    let issue = Issue::new(Code::BoundaryMissing, body.range().into());
    verdict.findings.put_first(issue.with_detail("the body is written as text/plain"));
    verdict
}

/// Applies rule B1: a label with an odd spelling is written properly, and a wrong one is not kept.
fn correct_encoding_label(body: &Body<'_, '_>, verdict: &mut BodyVerdict) {
    let content = body.content;
    let Some(field) = content.encoding_field.map(|at| &body.ctx.tree.fields[at]) else { return };
    let span = field.span.clone();
    // In signed content, a label that cannot stay would be renamed, and the body be read without it.
    let has_to_change = body.is_free() || !are_printable_or_fws(field.value_of(body.ctx.octets(body.index)));
    if content.encoding == TransferEncoding::Unknown {
        // An unknown label stays if the octets do.
        if verdict.edits.encoding.is_some() {
            let value = field.value_of(body.ctx.octets(body.index));
            let label = String::from_utf8_lossy(trim_fws(value)).into_owned();
            verdict.findings.header(Code::EncodingUnknown, span, label);
        }
    } else if content.ignores_encoding() && (has_to_change || verdict.edits.encoding.is_some()) {
        let encoding = *verdict.edits.encoding.get_or_insert(content.encoding);
        verdict.report(body, Code::EncodingIgnored, encoding.name());
    } else if content.spelling != NameSpelling::Exact && has_to_change {
        let encoding = *verdict.edits.encoding.get_or_insert(content.encoding);
        verdict.findings.header(Code::EncodingLabelRepaired, span, encoding.name());
    }
}
