//! Address lists (rules H3, H6, H8): read into a model, [repaired](repair), and printed by the
//! grammar.
//!
//! A field stays as it is if nothing was repaired and every word of it may stay. Fields that do not
//! name people (`Return-Path`) are repaired only if they have to be written.

mod print;
mod repair;

use std::borrow::Cow;

use self::print::print;
use self::repair::{ListRules, repaired, set_apart_from_next};
use super::ambiguous::is_ambiguous;
use super::draft::Draft;
use super::raw_field::RawField;
use super::rules::FieldRules;
use super::verdict::FieldVerdict;
use crate::ascii::{are_printable_or_fws, is_fws};
use crate::syntax::address::{AddressList, Entry, SimpleMailbox, list, spec_runs, without_cuts};
use crate::{Code, Issue, Span};

/// Returns whether a clean field is in normal form: a list that names people has to follow the
/// grammar.
pub(super) fn is_normal(field: &RawField<'_>) -> bool {
    !field.row.names_people() || SimpleMailbox::are_plain(field.value())
}

/// Returns the field with the facts that its encoded-words add. What looks like one in an addr-spec
/// is not one (RFC 2047, 5), however long it is.
fn with_word_lengths<'a>(field: &RawField<'a>) -> RawField<'a> {
    let with = |text: &[u8]| RawField { lines: field.lines.with_words(text), ..*field };
    if with(field.raw).lines != field.lines { with(&without_specs(field)) } else { *field }
}

/// Returns the octets of the field with an `x` for each octet of an addr-spec.
pub(super) fn without_specs(field: &RawField<'_>) -> Vec<u8> {
    let mut text = field.raw.to_vec();
    for span in spec_runs(field.value()) {
        let octets = &mut text[field.value_start + span.start..field.value_start + span.end];
        octets.iter_mut().filter(|octet| !is_fws(**octet)).for_each(|octet| *octet = b'x');
    }
    text
}

/// Judges a list of addresses.
pub(super) fn judge(
    field: &RawField<'_>,
    rules: &FieldRules,
    issues: &mut Vec<Issue>,
) -> FieldVerdict {
    let Some(made) = without_cut_domains(field) else {
        return draft(&with_word_lengths(field), rules).finish(issues);
    };
    let whole = RawField::split(&made);
    let mut draft = draft(&with_word_lengths(&whole), rules);
    draft.repair(Code::AddressListRepaired, whole.span());
    let mut found = Vec::new();
    let verdict = draft.finish(&mut found);
    let span = Span::new(0, field.raw.len());
    issues.extend(found.into_iter().map(|issue| issue.at(span)));
    verdict
}

/// Returns the field without the folds that cut domains, if there are any.
fn without_cut_domains(field: &RawField<'_>) -> Option<Vec<u8>> {
    match without_cuts(field.value()) {
        Cow::Owned(value) => Some([field.name(), b":", &value, b"\r\n"].concat()),
        Cow::Borrowed(_) => None,
    }
}

/// Returns the draft of a list of addresses.
fn draft<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let list = list(field.value());
    let list_rules = ListRules::of(field, rules, list.holds_spec());
    let list = repaired(list, &list_rules);
    let asks = field.row.names_people() && list.is_broken;
    let mut draft = Draft::new(field, rules);
    draft.cuts_long |= asks;
    // It may end early if it is written for certain, and as a list: text, which fits on any line,
    // may be shorter.
    draft.rules.max_header_octets =
        if asks && list.is_of_short_entries() { rules.max_header_octets } else { usize::MAX };
    print(&mut draft, &list);
    draft.changed |= !are_printable_or_fws(field.value());
    let of_one = field.row.names_sender();
    let is_repaired = list.is_broken && (asks || draft.changed || field.is_unfit());
    if is_repaired {
        draft.repair(Code::AddressListRepaired, field.span());
    }
    let is_doubtful = if is_repaired {
        of_one && (holds_several(&list) || is_ambiguous(&draft, &list, of_one))
    } else {
        field.row.names_people() && is_ambiguous(&draft, &list, of_one)
    };
    if is_doubtful {
        let code = if of_one { Code::AmbiguousSender } else { Code::AmbiguousRecipient };
        draft.tally.note(code, field.span());
    }
    draft
}

/// Returns whether a list has two different addresses.
fn holds_several(list: &AddressList<'_>) -> bool {
    let mut specs = list.members().filter_map(|entry| match entry {
        Entry::Mailbox(mailbox) => Some(list.spec(mailbox)),
        _ => None,
    });
    let first = specs.next();
    first.is_some_and(|first| specs.any(|spec| !spec.eq_ignore_ascii_case(&first)))
}

/// Returns one list of those in several fields, to be written in the first (rule H10), and the
/// issues of each.
pub(super) fn joined(
    fields: &[RawField<'_>],
    rules: &FieldRules,
) -> (FieldVerdict, Vec<Vec<Issue>>) {
    let made: Vec<Option<Vec<u8>>> = fields.iter().map(without_cut_domains).collect();
    let mut fields = fields.to_vec();
    for (field, made) in fields.iter_mut().zip(&made) {
        *field = made.as_deref().map_or(*field, RawField::split);
    }
    let lists: Vec<AddressList<'_>> = fields.iter().map(|field| list(field.value())).collect();
    let holds_spec = lists.iter().any(AddressList::holds_spec);
    // A list that ended early might be output: whether fields are joined depends on whether their
    // list fits on lines.
    let mut draft = Draft::new(&fields[0], &FieldRules { max_header_octets: usize::MAX, ..*rules });
    draft.cuts_long = true;
    draft.name = Some(fields[0].name().to_vec());
    let mut issues = Vec::new();
    for (field, list) in fields.iter().zip(lists) {
        let mut list = repaired(list, &ListRules::of(field, rules, holds_spec));
        if issues.len() + 1 < fields.len() {
            set_apart_from_next(&mut list);
        }
        draft.field = *field;
        print(&mut draft, &list);
        if list.is_broken {
            draft.repair(Code::AddressListRepaired, field.span());
        } else if is_ambiguous(&draft, &list, false) {
            draft.tally.note(Code::AmbiguousRecipient, field.span());
        }
        issues.push(draft.take_issues());
    }
    (draft.written(), issues)
}
