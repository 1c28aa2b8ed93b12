//! The fields that describe the body: kept as they are, changed to what the body became, or added.

use std::borrow::Cow;

use super::ruling::Ruling;
use super::section::Header;
use crate::ascii::trim_fws;
use crate::decode::{self, RawText};
use crate::message::content::OPAQUE_TYPE;
use crate::message::field::{
    Field, HeaderEnd, Judged, Mime, ParameterEdits, RawField, Verdict as FieldVerdict, judge as judge_field,
    judge_edited,
};
use crate::message::line_ends::line_end;
use crate::message::plan::body::{OLD_ENCODING, OLD_TYPE};
use crate::message::plan::context::Context;
use crate::message::plan::edits::ContentEdits;
use crate::message::plan::findings::Findings;
use crate::message::plan::verdict::Verdict;
use crate::message::tree::{Kind, Leaf};
use crate::syntax::field_name::field_name;
use crate::{Code, Rule};

/// Applies rule G6: an entity without a type is given one explicitly if readers differ about its default.
/// They do in a digest, and about the text of an entity without a header: if it looks like a field, or no empty line
/// comes before it (two readers then show nothing of it once there is one); in an archive always.
pub(super) fn with_explicit_type(
    ctx: &Context<'_, '_>,
    index: usize,
    edits: ContentEdits,
    findings: &mut Findings,
) -> ContentEdits {
    let entity = ctx.entity(index);
    let body = ctx.body(index);
    let lacks_empty_line = entity.section.end != HeaderEnd::EmptyLine;
    let is_read_otherwise = || {
        ctx.tree.fields_of(entity).iter().all(Field::precedes_fields)
            && !trim_fws(body).is_empty()
            && (ctx.policy(index).states_types || lacks_empty_line || begins_like_a_header(body))
    };
    let is_in_digest = || {
        let parent = entity.parent.map(|parent| &ctx.entity(parent).content);
        parent.is_some_and(|parent| parent.media_type() == "multipart/digest")
    };
    let is_needed = ctx.is_free(index)
        && !edits.change_type()
        && entity.content.type_field.is_none()
        && (is_in_digest() || is_read_otherwise());
    if !is_needed {
        return edits;
    }
    let at = entity.section.fields_end;
    findings.header(Code::TypeMadeExplicit, at..at, entity.content.media_type().to_owned());
    let media_type = if entity.content.is_message() { "message/rfc822" } else { "text/plain" };
    ContentEdits { media_type: Some(media_type), ..edits }
}

/// Returns whether a reader that skips empty lines takes the beginning of a body for a header.
fn begins_like_a_header(body: &[u8]) -> bool {
    let start = body.iter().position(|octet| !matches!(octet, b'\r' | b'\n')).unwrap_or(body.len());
    field_name(&body[start..line_end(body, start)]).is_some()
}

/// Judges a field that describes the body.
pub(super) fn judge(header: &Header<'_, '_, '_>, at: usize, field: &Field) -> Ruling {
    let content = &header.entity.content;
    let raw = RawField::found(field, header.octets());
    let (read, is_first) = match field.row.mime {
        Some(Mime::Type) => (Some(&content.parameters), content.type_field == Some(at)),
        Some(Mime::Disposition) => (content.disposition.as_ref(), content.disposition_field == Some(at)),
        Some(Mime::TransferEncoding) => (None, content.encoding_field == Some(at)),
        _ => (None, false),
    };
    match field.row.mime.filter(|_| is_first) {
        Some(Mime::Type) if header.edits.change_type() => {
            Ruling::new(edited_type(header, field, &raw), Rule::B7)
        }
        Some(Mime::TransferEncoding) => written_encoding(header, field)
            .unwrap_or_else(|| Ruling::new(judge_field(&raw, &header.rules), Rule::H4)),
        Some(_) => Ruling::new(judge_field(&raw.with_parameters(read), &header.rules), Rule::H7),
        None => Ruling::new(judge_field(&raw, &header.rules), Rule::H4),
    }
}

/// Judges a field that the body changes and that had lost folds: `raw` has them again. `None` if it stays as it
/// reads.
pub(super) fn judge_lost_fold(
    header: &Header<'_, '_, '_>,
    at: usize,
    field: &Field,
    raw: &[u8],
) -> Option<Ruling> {
    let content = &header.entity.content;
    if content.encoding_field == Some(at) {
        return written_encoding(header, field);
    }
    let is_changed = content.type_field == Some(at) && header.edits.change_type();
    is_changed
        .then(|| Ruling::of_made(edited_type(header, field, &RawField::split(raw)), field, raw, Rule::H1))
}

/// Returns Content-Transfer-Encoding, if the body now has another one.
fn written_encoding(header: &Header<'_, '_, '_>, field: &Field) -> Option<Ruling> {
    let encoding = header.edits.encoding?;
    let made = [field.name(header.octets()), b": ", encoding.name().as_bytes(), b"\r\n"].concat();
    Some(Ruling::new(Judged::silently(FieldVerdict::Write(made)), Rule::B1))
}

/// Returns Content-Type with what the body and its boundary became; `raw` is the field, or was made from it.
fn edited_type(header: &Header<'_, '_, '_>, field: &Field, raw: &RawField<'_>) -> Judged {
    let edits = header.edits;
    if edits.opaque {
        let old = joined_text(field.value_of(header.octets()));
        return Judged::silently(FieldVerdict::Write(made_opaque_type(header, &old)));
    }
    let mut set = Vec::new();
    set.extend(edits.charset.map(|charset| ("charset", charset)));
    set.extend(edits.boundary.as_deref().map(|boundary| ("boundary", boundary)));
    let remove: &[&str] = if edits.no_boundary { &["boundary"] } else { &[] };
    let edits = ParameterEdits { value: edits.media_type, set: &set, remove };
    judge_edited(raw, &header.rules, &edits)
}

/// Adds the Content- fields that are needed and missing.
pub(super) fn add_missing(header: &Header<'_, '_, '_>, verdict: &mut Verdict) {
    let (edits, content) = (header.edits, &header.entity.content);
    let mut made = Vec::new();
    if edits.change_type() && content.type_field.is_none() {
        made.extend(match edits.opaque {
            true => made_opaque_type(header, content.media_type()),
            false => {
                let set: Vec<_> = edits.charset.map(|charset| ("charset", charset)).into_iter().collect();
                made_type(header, edits.media_type.unwrap_or(content.media_type()), &set)
            }
        });
    }
    if let Some(encoding) = edits.encoding.filter(|_| content.encoding_field.is_none()) {
        made.extend_from_slice(format!("Content-Transfer-Encoding: {}\r\n", encoding.name()).as_bytes());
    }
    if !made.is_empty() {
        verdict.replace(header.end()..header.end(), Cow::Owned(made), Rule::B3, "fields added");
    }
}

/// Returns the text of a value, on one line.
fn joined_text(value: &[u8]) -> String {
    let text = decode::text(value, &RawText::in_value(value)).into_text();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns Content-Type for an opaque body, with the old value in a parameter.
fn made_opaque_type(header: &Header<'_, '_, '_>, old: &str) -> Vec<u8> {
    let entity = header.entity;
    let encoding = match (&entity.kind, entity.content.encoding_field) {
        (Kind::Leaf(Leaf::TooLong), Some(field)) if !entity.content.has_identity_encoding() => {
            joined_text(header.ctx.tree.fields[field].value_of(header.octets()))
        }
        _ => String::new(),
    };
    let set = [(OLD_TYPE, old), (OLD_ENCODING, &*encoding)];
    let count = if encoding.is_empty() { 1 } else { 2 };
    made_type(header, OPAQUE_TYPE, &set[..count])
}

fn made_type(header: &Header<'_, '_, '_>, media_type: &str, set: &[(&str, &str)]) -> Vec<u8> {
    let raw = format!("Content-Type: {media_type}\r\n").into_bytes();
    let edits = ParameterEdits { set, ..ParameterEdits::NONE };
    match judge_edited(&RawField::split(&raw), &header.rules, &edits).verdict {
        FieldVerdict::Write(made) => made,
        FieldVerdict::Keep | FieldVerdict::Drop => raw,
    }
}
