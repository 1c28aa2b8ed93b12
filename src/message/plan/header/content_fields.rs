//! The fields that describe the body: kept as they are, changed to what the body became, or added.

use super::ruling::Ruling;
use super::section::Header;
use crate::ascii::trim_fws;
use crate::decode::{self, RawText};
use crate::facts::content::{Class, OPAQUE_TYPE};
use crate::facts::line_ends::line_end;
use crate::facts::tree::{Kind, Leaf};
use crate::message::field::{
    Field, FieldVerdict, HeaderEnd, Judged, Mime, ParameterEdits, RawField, Shape,
    judge as judge_field, judge_edited,
};
use crate::message::plan::body::{OLD_ENCODING, OLD_TYPE};
use crate::message::plan::context::Context;
use crate::message::plan::edits::ContentEdits;
use crate::message::plan::verdict::Verdict;
use crate::syntax::field_name::field_name;
use crate::{Code, Rule};

/// Applies rule G6: an entity without a type is given one explicitly if readers differ about its
/// default. They do in a digest, and about the text of an entity without a header: if it looks like
/// a field, or no empty line comes before it (two readers then show nothing of it once there is
/// one); in an archive always.
pub(super) fn make_type_explicit(
    ctx: &Context<'_, '_>,
    edits: &mut ContentEdits,
    verdict: &mut Verdict,
) {
    let index = verdict.entity;
    let entity = ctx.entity(index);
    let body = ctx.body(index);
    let lacks_empty_line = entity.section.end != HeaderEnd::EmptyLine;
    let is_read_otherwise = || {
        ctx.tree.fields_of(entity).iter().all(Field::precedes_fields)
            && !trim_fws(body).is_empty()
            && (ctx.policy(index).rewrites || lacks_empty_line || begins_like_a_header(body))
    };
    let is_in_digest = || {
        let parent = entity.parent.map(|parent| &ctx.entity(parent).content);
        parent.is_some_and(|parent| parent.media_type() == "multipart/digest")
    };
    let is_needed = ctx.is_free(index)
        && !edits.change_type()
        && entity.content.type_field.is_none()
        && (is_in_digest() || is_read_otherwise());
    if is_needed {
        let at = entity.section.fields_end;
        verdict.report_header(
            Code::TypeMadeExplicit,
            at..at,
            entity.content.media_type().to_owned(),
        );
        edits.media_type = match entity.content.class {
            Class::Message => Some("message/rfc822"),
            _ => Some("text/plain"),
        };
    }
}

/// Returns whether a reader that skips empty lines takes the beginning of a body for a header.
fn begins_like_a_header(body: &[u8]) -> bool {
    let start = body.iter().position(|octet| !matches!(octet, b'\r' | b'\n')).unwrap_or(body.len());
    field_name(&body[start..line_end(body, start)]).is_some()
}

/// Judges a field that describes the body; `raw` is the field, or was made from it.
pub(super) fn judge(
    header: &Header<'_, '_, '_>,
    at: usize,
    field: &Field,
    raw: &RawField<'_>,
) -> Ruling {
    let (edits, content) = (header.edits, &header.entity.content);
    let (read, first) = match field.row.mime {
        Some(Mime::Type) => (Some(&content.parameters), content.type_field),
        Some(Mime::Disposition) => (content.disposition.as_ref(), content.disposition_field),
        Some(Mime::TransferEncoding) => (None, content.encoding_field),
        _ => (None, None),
    };
    let mime = if first == Some(at) { field.row.mime } else { None };
    match (mime, edits.encoding) {
        (Some(Mime::Type), _) if edits.change_type() || content.mended_type().is_some() => {
            Ruling::new(edited_type(header, raw), Rule::B7)
        }
        (Some(Mime::TransferEncoding), Some(encoding)) => {
            let made =
                [field.name(header.octets()), b": ", encoding.name().as_bytes(), b"\r\n"].concat();
            // Another name of the same encoding, or the name of another one.
            let rule = if encoding == content.encoding { Rule::B1 } else { Rule::B3 };
            Ruling::written(made, rule)
        }
        (Some(_), _) if field.shape == Shape::Field => {
            Ruling::new(judge_field(&raw.with_parameters(read), &header.rules), Rule::H7)
        }
        _ => Ruling::new(judge_field(raw, &header.rules), Rule::H4),
    }
}

/// Returns Content-Type with what the body and its boundary became; `raw` is the field, or was made
/// for it.
fn edited_type(header: &Header<'_, '_, '_>, raw: &RawField<'_>) -> Judged {
    let edits = header.edits;
    if edits.media_type == Some(OPAQUE_TYPE) {
        return opaque_type(header, &joined_text(raw.value()));
    }
    let mut set = Vec::new();
    set.extend(edits.charset.map(|charset| ("charset", charset)));
    set.extend(edits.boundary.as_deref().map(|boundary| ("boundary", boundary)));
    // Under another type it has no meaning.
    let remove: &[&str] = if edits.media_type.is_some() { &["boundary"] } else { &[] };
    let value = edits.media_type.or(header.entity.content.mended_type());
    judge_edited(raw, &header.rules, &ParameterEdits { value, set: &set, remove })
}

/// Adds the Content- fields that are needed and missing.
pub(super) fn add_missing(header: &Header<'_, '_, '_>, verdict: &mut Verdict) {
    let (edits, content) = (header.edits, &header.entity.content);
    let mut made = Vec::new();
    if edits.change_type() && content.type_field.is_none() {
        let raw = format!("Content-Type: {}\r\n", content.media_type()).into_bytes();
        made = match edited_type(header, &RawField::split(&raw)).verdict {
            FieldVerdict::Write(made) => made,
            FieldVerdict::Keep | FieldVerdict::Drop => raw,
        };
    }
    if let (Some(encoding), None) = (edits.encoding, content.encoding_field) {
        made.extend_from_slice(
            format!("Content-Transfer-Encoding: {}\r\n", encoding.name()).as_bytes(),
        );
    }
    if !made.is_empty() {
        verdict.replace(header.end()..header.end(), made, Rule::B3, "fields added");
    }
}

/// Returns the text of a value, on one line.
fn joined_text(value: &[u8]) -> String {
    let text = decode::text(value, &RawText::in_value(value)).into_text();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns Content-Type for an opaque body, with the old value in a parameter.
fn opaque_type(header: &Header<'_, '_, '_>, old: &str) -> Judged {
    let entity = header.entity;
    let mut encoding = String::new();
    if matches!(entity.kind, Kind::Leaf(Leaf::TooLong)) && !entity.content.has_identity_encoding() {
        let field = entity.content.encoding_field.map(|at| &header.ctx.tree.fields[at]);
        encoding =
            field.map(|field| joined_text(field.value_of(header.octets()))).unwrap_or_default();
    }
    let name = entity.content.parameters.get("name").unwrap_or_default();
    let mut set = vec![(OLD_TYPE, old)];
    if !encoding.is_empty() {
        set.push((OLD_ENCODING, &encoding));
    }
    if !name.trim_ascii().is_empty() {
        set.push(("name", name));
    }
    let raw = format!("Content-Type: {OPAQUE_TYPE}\r\n");
    let edits = ParameterEdits { set: &set, ..ParameterEdits::NONE };
    Judged::silently(judge_edited(&RawField::split(raw.as_bytes()), &header.rules, &edits).verdict)
}
