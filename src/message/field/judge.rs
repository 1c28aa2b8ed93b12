//! The gate: every field of every header section is judged here, and only here.
//!
//! Most fields are in normal form. The short way finds that out without parsing: `is_normal` says
//! what a clean field of each kind must look like. The long way parses the field and rewrites it
//! from its tokens; it would give the same verdict about anything that the short way keeps, as
//! `field/tests/ways.rs` checks.

use super::Field;
use super::FieldKind;
use super::draft::Draft;
use super::parameter_edits::ParameterEdits;
use super::raw_field::RawField;
use super::rules::FieldRules;
use super::verdict::{FieldVerdict, Judged};
use super::{address_list, opaque, parameters, phrase_list, text};
use crate::Issue;
use crate::lengths::MAX_LINE;

/// Judges a field by the rules for its name.
#[inline]
pub(crate) fn judge(field: &RawField<'_>, rules: &FieldRules) -> Judged {
    judge_edited(field, rules, &ParameterEdits::NONE)
}

/// Judges a field, with edits to make if it is Content-Type or Content-Disposition.
#[inline]
pub(crate) fn judge_edited(
    field: &RawField<'_>,
    rules: &FieldRules,
    edits: &ParameterEdits<'_>,
) -> Judged {
    let short = if !field.is_clean() {
        None
    } else if edits.are_none() {
        is_normal(field).then_some(FieldVerdict::Keep)
    } else {
        parameters::with_charset(field, edits).map(FieldVerdict::Write)
    };
    short.map_or_else(|| judge_long(field, rules, edits), Judged::silently)
}

/// Judges a field without the short way for clean fields.
#[inline]
pub(super) fn judge_long(
    field: &RawField<'_>,
    rules: &FieldRules,
    edits: &ParameterEdits<'_>,
) -> Judged {
    let judged = judge_parsed(field, rules, edits);
    match &judged.verdict {
        FieldVerdict::Write(made) if !fits_lines(made) => {
            judge_as_text(field, rules, judged.issues)
        }
        _ => judged,
    }
}

/// Judges several fields of one name as one list of addresses, to be written in the first (rule
/// H10), and returns it with the issues of each; `None` if it fits on no lines.
pub(crate) fn judge_joined(
    fields: &[RawField<'_>],
    rules: &FieldRules,
) -> Option<(Vec<u8>, Vec<Vec<Issue>>)> {
    match address_list::joined(fields, rules) {
        (FieldVerdict::Write(made), issues) if fits_lines(&made) => Some((made, issues)),
        _ => None,
    }
}

/// Returns whether no line is too long (rule G3), whatever the rule for the field has made of it.
fn fits_lines(made: &[u8]) -> bool {
    made.len() <= MAX_LINE
        || made.split(|&octet| octet == b'\n').all(|line| line.len() <= MAX_LINE + 1)
}

/// Judges a field that does not fit on any lines as text, which fits wherever it is cut (rule H9).
#[cold]
fn judge_as_text(field: &RawField<'_>, rules: &FieldRules, mut issues: Vec<Issue>) -> Judged {
    let mut draft = Draft::new(field, rules);
    text::rename(&mut draft);
    let verdict = draft.finish(&mut issues);
    Judged { verdict, issues }
}

/// Returns whether a field with clean lines is in normal form. Most kinds are without being looked
/// at: such a field is its own text, or its tokens stay as they are. A rule that changes clean
/// fields must be reflected here; `field/tests/ways.rs` fails until it is.
#[inline(always)]
fn is_normal(field: &RawField<'_>) -> bool {
    match field.row.kind {
        FieldKind::Text | FieldKind::PhraseList | FieldKind::Opaque => true,
        FieldKind::AddressList => address_list::is_normal(field),
        FieldKind::Parameters => parameters::is_normal(field),
        FieldKind::Unparsed => false,
    }
}

/// Returns whether a field other than those of MIME stays as it is, by the short way alone:
/// [`judge`] would keep it and report nothing.
#[inline]
pub(crate) fn stands(field: &Field, source: &[u8]) -> bool {
    let is_plain = || address_list::is_normal(&RawField::found(field, source));
    field.is_clean()
        && (!field.row.is_read() || field.row.names_people() && is_plain())
        && source[..field.span.end].ends_with(b"\n")
}

/// Judges a field the long way.
#[inline(never)]
fn judge_parsed(field: &RawField<'_>, rules: &FieldRules, edits: &ParameterEdits<'_>) -> Judged {
    let mut issues = Vec::new();
    let worded = &RawField { lines: field.lines.with_words(field.raw), ..*field };
    let draft = match field.row.kind {
        FieldKind::Text => text::draft(worded, rules),
        FieldKind::AddressList => {
            let verdict = address_list::judge(field, rules, &mut issues);
            return Judged { verdict, issues };
        }
        FieldKind::PhraseList => phrase_list::draft(worded, rules),
        FieldKind::Parameters => {
            let verdict = parameters::judge(worded, rules, edits, &mut issues);
            return Judged { verdict, issues };
        }
        FieldKind::Opaque => opaque::draft(worded, rules),
        FieldKind::Unparsed => text::draft_of_unparsed(worded, rules),
    };
    let verdict = draft.finish(&mut issues);
    Judged { verdict, issues }
}
