//! Address lists (rules H3, H6, H8): read into a model, [repaired](repair), and printed by the grammar.
//!
//! A field stays as it is if nothing was repaired and every word of it may stay. Fields that do not name people
//! (`Return-Path`) are repaired only if they have to be written.

mod print;
mod repair;

use self::print::print;
use self::repair::{ListRules, repaired, set_apart_from_next};
use super::ambiguous::is_ambiguous;
use super::draft::Draft;
use super::raw_field::RawField;
use super::rules::FieldRules;
use super::verdict::FieldVerdict;
use crate::ascii::{are_printable_or_fws, is_fws};
use crate::syntax::address::{AddressList, SimpleMailbox, list, spec_runs};
use crate::{Code, Issue};

/// Returns whether a clean field is in normal form: a list that names people has to follow the grammar.
pub(super) fn is_normal(field: &RawField<'_>) -> bool {
    !field.row.names_people() || SimpleMailbox::are_plain(field.value())
}

/// Returns the field with the facts that its encoded-words add. What looks like one in an addr-spec is not
/// one (RFC 2047, 5), however long it is.
pub(super) fn with_word_lengths<'a>(field: &RawField<'a>) -> RawField<'a> {
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

/// Returns the draft of a list of addresses.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let list = list(field.value());
    let list_rules = ListRules::of(field, rules, list.holds_spec());
    let list = repaired(list, &list_rules);
    let asks = field.row.names_people() && list.is_broken;
    let mut draft = Draft::new(field, rules);
    draft.cuts_long |= asks;
    // It may end early if it is written for certain, and as a list: text, which fits on any line, may be shorter.
    draft.rules.most = if asks && list.is_of_short_entries() { rules.most } else { usize::MAX };
    print(&mut draft, &list);
    draft.changed |= !are_printable_or_fws(field.value());
    let of_one = field.row.names_sender();
    if list.is_broken && (asks || draft.changed || field.is_unfit()) {
        draft.repair(Code::AddressListRepaired, field.span());
    } else if field.row.names_people() && is_ambiguous(&draft, &list, of_one) {
        let code = if of_one { Code::AmbiguousSender } else { Code::AmbiguousRecipient };
        draft.tally.note(code, field.span());
    }
    draft
}

/// Returns one list of those in several fields, to be written in the first (rule H10), and the issues of each.
pub(super) fn joined(fields: &[RawField<'_>], rules: &FieldRules) -> (FieldVerdict, Vec<Vec<Issue>>) {
    let lists: Vec<AddressList<'_>> = fields.iter().map(|field| list(field.value())).collect();
    let holds_spec = lists.iter().any(AddressList::holds_spec);
    // A list that ended early might be output: whether fields are joined depends on whether their list fits on lines.
    let mut draft = Draft::new(&fields[0], &FieldRules { most: usize::MAX, ..*rules });
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
