//! Header sections: each field by its rules, the Content- fields as bodies and boundaries require.

mod content_fields;
mod limit;
mod mime_version;
pub(super) mod reach;
mod recipient_lists;
mod repeated;
mod ruling;
mod section;

use self::ruling::Ruling;
use self::section::Header;
use super::context::Context;
use super::edits::ContentEdits;
use super::header_end;
use super::verdict::Verdict;
use crate::facts::line_ends::without_line_end;
use crate::message::field::{
    Field, Mime, RawField, Shape, UNPARSED_NAME, judge as judge_field, stands, unparsed_as_field,
    with_folds,
};
use crate::{Code, Rule};

/// Judges the header section of an entity, whose Content- fields get these edits.
pub(super) fn judge(ctx: &Context<'_, '_>, index: usize, mut edits: ContentEdits) -> Verdict {
    let mut of_header = Verdict::new(index, ctx.entity(index));
    let verdict = &mut of_header;
    content_fields::make_type_explicit(ctx, &mut edits, verdict);
    let header = &Header::new(ctx, index, &edits);
    let mut outdone = repeated::outdone(header);
    let mut joined = recipient_lists::join(header, &mut outdone, verdict);
    mime_version::add(header, verdict);
    let none_repeats = outdone.is_empty() && joined.is_empty();
    let octets = header.octets();
    for (at, field) in header.numbered_fields() {
        // Most fields are finished here.
        if none_repeats && stands(field, octets) {
            continue;
        }
        let is_outdone = outdone.binary_search(&at).is_ok();
        let ruling = match joined.pop_if(|(next, _)| *next == at) {
            _ if is_outdone && (field.row.is_content() || ctx.is_free(header.index)) => {
                repeated::rename(header, field)
            }
            Some((_, ruling)) => ruling,
            None => judge_alone(header, at, field),
        };
        let ruling = if is_outdone && repeated::names_another_sender(header, at, field) {
            ruling.reporting(Code::AmbiguousSender, field, "")
        } else {
            ruling
        };
        // Rule H10.
        let ruling = if is_outdone {
            ruling.reporting(Code::DuplicateField, field, field.lower_name(octets))
        } else {
            ruling
        };
        ruling.enter(field, octets, verdict);
    }
    content_fields::add_missing(header, verdict);
    header_end::judge(ctx, verdict);
    of_header
}

/// Drops a byte order mark. Most readers take it into the name of the field after it, so that they
/// find a Content- field only without it.
fn judge_mark(header: &Header<'_, '_, '_>, at: usize, mark: &Field) -> Ruling {
    let ruling = Ruling::written(Vec::new(), Rule::H1);
    let ruling = match header.ctx.tree.fields.get(at + 1) {
        Some(next) if next.span.start == mark.span.end && next.row.is_content() => {
            ruling.reporting(Code::ContentAppeared, mark, next.lower_name(header.octets()))
        }
        _ => ruling,
    };
    ruling.reporting(Code::ByteOrderMarkDropped, mark, "")
}

/// Judges one field by itself.
fn judge_alone(header: &Header<'_, '_, '_>, at: usize, field: &Field) -> Ruling {
    let octets = &header.octets()[field.span.clone()];
    let dropped = || Ruling::written(Vec::new(), Rule::H1);
    match field.shape {
        _ if limit::is_unread(field) => limit::judge(header, field),
        Shape::FromLine => {
            let line = String::from_utf8_lossy(without_line_end(octets)).into_owned();
            dropped().reporting(Code::FromLineDropped, field, line)
        }
        Shape::Mark => judge_mark(header, at, field),
        Shape::Blank => dropped().reporting(Code::LeadingSpaceDropped, field, ""),
        Shape::Unparsed => {
            let raw = unparsed_as_field(without_line_end(octets));
            let ruling = Ruling::rewritten(header, field, &raw, Rule::H1);
            ruling.reporting(Code::UnparsedLine, field, UNPARSED_NAME)
        }
        Shape::LostFold => {
            let raw = with_folds(octets);
            let ruling = judge_by_name(header, at, field, &RawField::split(&raw));
            ruling.of_made(field, &raw).reporting(Code::FoldRestored, field, "")
        }
        Shape::Field | Shape::PastLimit => {
            judge_by_name(header, at, field, &RawField::found(field, header.octets()))
        }
    }
}

/// Judges a field by the rules for its name; `raw` is the field, or was made from it.
fn judge_by_name(
    header: &Header<'_, '_, '_>,
    at: usize,
    field: &Field,
    raw: &RawField<'_>,
) -> Ruling {
    match field.row.mime {
        None => Ruling::new(judge_field(raw, &header.rules), Rule::H4),
        Some(Mime::Version) => mime_version::judge(header, raw),
        Some(_) => content_fields::judge(header, at, field, raw),
    }
}
