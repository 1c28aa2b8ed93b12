//! Header sections: each field by its rules, the Content- fields as bodies and boundaries require.

mod content_fields;
mod limit;
mod mime_version;
pub(super) mod reach;
mod recipient_lists;
mod repeated;
mod ruling;
mod section;

use self::recipient_lists::Joined;
use self::repeated::Seen;
use self::ruling::Ruling;
use self::section::Header;
use super::context::Context;
use super::edits::ContentEdits;
use super::header_end;
use super::verdict::Verdict;
use crate::message::field::{
    Field, Judged, Mime, RawField, Shape, UNPARSED_NAME, Verdict as FieldVerdict, judge as judge_field,
    stands, unparsed_as_field, with_folds,
};
use crate::message::line_ends::without_line_end;
use crate::{Code, Rule};

/// Judges the header section of an entity, whose body, boundary and structure are described by `edits`.
pub(super) fn judge(ctx: &Context<'_, '_>, index: usize, edits: ContentEdits) -> Verdict {
    let mut verdict = Verdict::new(index, ctx.entity(index));
    let edits = content_fields::with_explicit_type(ctx, index, edits, &mut verdict.findings);
    let header = &Header::new(ctx, index, &edits);
    let outdone = repeated::outdone(header);
    let mut joined = recipient_lists::join(header, &outdone, &mut verdict.findings);
    mime_version::add(header, &mut verdict);
    let mut seen = Seen::of_repeated(header);
    let none_repeats = seen.is_none() && outdone.is_empty() && joined.is_empty();
    let octets = header.octets();
    for (at, field) in header.numbered_fields() {
        // Most fields are finished here.
        if none_repeats && stays_as_it_is(octets, field) {
            continue;
        }
        // Rule H10.
        let of_content = seen.as_mut().and_then(|seen| seen.again(field, octets));
        let is_outdone = outdone.binary_search(&at).is_ok();
        let again = of_content.or_else(|| is_outdone.then_some(field.row.name.into()));
        let is_renamed = again.is_some() && (field.row.is_content() || ctx.is_free(index));
        if let Some(name) = again {
            verdict.findings.header(Code::DuplicateField, field.span.clone(), name);
        }
        let ruling = match joined.pop_if(|(next, _)| *next == at) {
            _ if limit::is_unread(octets, field) => limit::judge(header, field),
            _ if is_renamed => repeated::rename(header, field),
            Some((_, Joined::List(list))) => {
                Ruling::new(Judged::silently(FieldVerdict::Write(list)), Rule::H10)
            }
            Some((_, Joined::Dropped)) => Ruling::dropped(Rule::H10, "recipients joined with the first"),
            None => judge_alone(header, at, field),
        };
        ruling.enter(field, octets, &mut verdict);
    }
    content_fields::add_missing(header, &mut verdict);
    header_end::judge(ctx, index, &mut verdict);
    verdict
}

/// Returns whether a field that is not a MIME field is in normal form, found without parsing it.
#[inline]
fn stays_as_it_is(octets: &[u8], field: &Field) -> bool {
    field.row.mime.is_none() && stands(field, octets) && !limit::is_unread(octets, field)
}

/// Judges one field by itself.
fn judge_alone(header: &Header<'_, '_, '_>, at: usize, field: &Field) -> Ruling {
    let octets = &header.octets()[field.span.clone()];
    match field.shape {
        Shape::FromLine => {
            let line = String::from_utf8_lossy(without_line_end(octets)).into_owned();
            Ruling::dropped(Rule::H1, "mbox From line dropped").reporting(Code::FromLineDropped, field, line)
        }
        Shape::Mark => Ruling::dropped(Rule::H1, "signature of UTF-8 dropped").reporting(
            Code::ByteOrderMarkDropped,
            field,
            String::new(),
        ),
        Shape::PastLimit => limit::judge(header, field),
        Shape::Blank => Ruling::dropped(Rule::H1, "white space before the first field dropped").reporting(
            Code::LeadingSpaceDropped,
            field,
            String::new(),
        ),
        Shape::Unparsed => {
            let raw = unparsed_as_field(without_line_end(octets));
            Ruling::rewritten(header, field, &raw, Rule::H1).reporting(
                Code::UnparsedLine,
                field,
                UNPARSED_NAME.to_owned(),
            )
        }
        Shape::LostFold => {
            let raw = with_folds(octets);
            content_fields::judge_lost_fold(header, at, field, &raw)
                .unwrap_or_else(|| Ruling::rewritten(header, field, &raw, Rule::H1))
                .reporting(Code::FoldRestored, field, String::new())
        }
        Shape::Field => match field.row.mime {
            None => {
                Ruling::new(judge_field(&RawField::found(field, header.octets()), &header.rules), Rule::H4)
            }
            Some(Mime::Version) => mime_version::judge(header, field),
            Some(_) => content_fields::judge(header, at, field),
        },
    }
}
