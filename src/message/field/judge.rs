//! The gate: every field of every header section is judged here, and only here.
//!
//! Most fields are in normal form. The short way finds that out without parsing: each kind of field says in its own file
//! what a clean field of it has to show for that (`is_normal`). The long way parses the field and writes it anew from its
//! tokens; it would say the same of what the short way keeps, which `tests/ways.rs` holds.

use super::parameter_edits::ParameterEdits;
use super::raw_field::RawField;
use super::rules::FieldRules;
use super::table::Kind;
use super::verdict::{Judged, Verdict};
use super::{address_list, opaque, parameters, phrase_list, text};
use crate::{Code, Issue, Span};

/// Which ways of judging may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ways {
    ShortOrLong,
    #[cfg_attr(not(test), expect(dead_code, reason = "tests hold that the short way says the same"))]
    Long,
}

/// Judges a field by the rules for its name.
#[inline]
pub(crate) fn judge(field: &RawField<'_>, rules: &FieldRules) -> Judged {
    judge_by(Ways::ShortOrLong, field, rules, &ParameterEdits::NONE)
}

/// Judges Content-Type or Content-Disposition, of which something is to be said otherwise.
pub(crate) fn judge_edited(field: &RawField<'_>, rules: &FieldRules, edits: &ParameterEdits<'_>) -> Judged {
    judge_by(Ways::ShortOrLong, field, rules, edits)
}

#[inline]
pub(super) fn judge_by(
    ways: Ways,
    field: &RawField<'_>,
    rules: &FieldRules,
    edits: &ParameterEdits<'_>,
) -> Judged {
    if ways == Ways::ShortOrLong
        && field.is_clean()
        && let Some(verdict) = judge_clean(field, rules, edits)
    {
        return Judged::silently(verdict);
    }
    judge_parsed(field, rules, edits)
}

/// The short way, for a field with clean lines.
#[inline]
fn judge_clean(field: &RawField<'_>, rules: &FieldRules, edits: &ParameterEdits<'_>) -> Option<Verdict> {
    let is_normal = match field.row.kind {
        Kind::Text => text::is_normal(field),
        Kind::AddressList => address_list::is_normal(field, rules),
        Kind::PhraseList => phrase_list::is_normal(field),
        Kind::Opaque => opaque::is_normal(field),
        Kind::Parameters => return parameters::judge_simple(field, edits),
        Kind::Unparsed => false,
    };
    is_normal.then_some(Verdict::Keep)
}

/// The long way.
#[inline(never)]
fn judge_parsed(field: &RawField<'_>, rules: &FieldRules, edits: &ParameterEdits<'_>) -> Judged {
    let field = &field.with_word_lengths();
    let mut issues = Vec::new();
    let draft = match field.row.kind {
        Kind::Text => text::draft(field, rules),
        Kind::AddressList => address_list::draft(field, rules),
        Kind::PhraseList => phrase_list::draft(field, rules),
        Kind::Parameters => parameters::draft(field, rules, edits),
        Kind::Opaque => opaque::draft(field, rules),
        Kind::Unparsed => {
            issues.push(Issue::new(Code::UnparsedLine, Span::new(0, field.raw.len())));
            text::draft_of_unparsed(field, rules)
        }
    };
    let verdict = draft.finish(&mut issues);
    Judged { verdict, issues }
}
