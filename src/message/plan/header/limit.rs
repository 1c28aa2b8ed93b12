//! The lines past the limit for header sections (rule G13): turned into one field that is never
//! parsed.

use super::ruling::Ruling;
use super::section::Header;
use crate::message::field::{
    Field, FieldVerdict, Judged, RowId, Shape, is_unread_field, unread_field,
};
use crate::{Code, Issue, Rule, Span};

/// Returns whether the field is past a limit, or was past it in an earlier run.
#[inline]
pub(super) fn is_unread(field: &Field) -> bool {
    field.shape == Shape::PastLimit || field.row == RowId::UNREAD
}

/// Judges a field past the limit.
pub(super) fn judge(header: &Header<'_, '_, '_>, field: &Field) -> Ruling {
    let raw = &header.octets()[field.span.clone()];
    if is_unread_field(raw) {
        return Ruling::new(Judged::silently(FieldVerdict::Keep), Rule::G13);
    }
    let issues = vec![Issue::new(Code::HeaderTooLarge, Span::new(0, raw.len()))];
    Ruling::new(Judged { verdict: FieldVerdict::Write(unread_field(raw)), issues }, Rule::G13)
}
