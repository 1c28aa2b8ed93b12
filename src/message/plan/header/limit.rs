//! Fields past the limit for header sections (rule G13): made safe without being parsed.

use super::ruling::Ruling;
use super::section::Header;
use crate::message::field::{Field, RawField, Verdict, judge_unparsed};
use crate::{Code, Issue, Rule, Span};

pub(super) fn judge_past(header: &Header<'_, '_, '_>, field: &Field) -> Ruling {
    let mut judged = judge_unparsed(&RawField::found(field, header.octets()), &header.rules);
    if judged.verdict != Verdict::Keep {
        judged.issues.push(Issue::new(Code::HeaderTooLarge, Span::new(0, field.span.len())));
    }
    Ruling::new(judged, Rule::G13)
}
