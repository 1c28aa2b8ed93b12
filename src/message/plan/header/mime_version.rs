//! `MIME-Version: 1.0` wherever MIME is used (rule G5).
//!
//! Deviation:
//! 1. A message inside the message is given the field only if its own Content- fields are
//!    rewritten. RFC 2045, section 4, asks for it in an enclosed message only if that claims to be
//!    MIME; no reader treats one that has the field differently; and a returned or forwarded
//!    message is evidence.

use super::ruling::Ruling;
use super::section::Header;
use crate::message::field::{FieldVerdict, Mime, RawField, judge as judge_field};
use crate::message::plan::verdict::Verdict;
use crate::{Code, Rule};

const FIELD: &[u8] = b"MIME-Version: 1.0\r\n";

/// Adds the field to a message that uses MIME without saying so.
pub(super) fn add(header: &Header<'_, '_, '_>, verdict: &mut Verdict) {
    let Header { ctx, entity, edits, .. } = header;
    if !ctx.tree.is_message(header.index)
        || header.fields().iter().any(|field| field.row.mime == Some(Mime::Version))
        || entity.parent.is_some() && !edits.is_any()
    {
        return;
    }
    let content = &entity.content;
    let content_fields = [content.type_field, content.encoding_field, content.disposition_field];
    // Not `flatten().min()`: optimised, that also compares what is in a `None` before it discards
    // the result, and valgrind reports it to everyone who tests a program of theirs with it.
    let first = content_fields
        .into_iter()
        .map(|field| field.unwrap_or(usize::MAX))
        .fold(usize::MAX, usize::min);
    let (at, rule, reason) = match ctx.tree.fields.get(first) {
        Some(first) => (first.span.start, Rule::G5, "MIME-Version added"),
        None if edits.is_any() => (header.end(), Rule::B3, "fields added"),
        None => return,
    };
    verdict.report_header(Code::MimeVersionAdded, at..at, "");
    verdict.replace(at..at, FIELD, rule, reason);
}

/// Judges a MIME-Version as it was found: it stays if it is 7-bit safe; whatever else it says, it
/// means 1.0.
pub(super) fn judge(header: &Header<'_, '_, '_>, raw: &RawField<'_>) -> Ruling {
    let mut judged = judge_field(raw, &header.rules);
    if judged.verdict != FieldVerdict::Keep {
        judged.verdict = FieldVerdict::Write(FIELD.to_vec());
    }
    Ruling::new(judged, Rule::G5)
}
