//! Simple parameters with edits, without the full rules: what stays needs no repair.

use super::parameter_edits::ParameterEdits;
use super::raw_field::RawField;
use super::verdict::Verdict;
use crate::encode::{self, Item, Level, Lines, Octets, Rest, Space};
use crate::syntax::parameter::SimpleParameters;

/// Returns what becomes of a clean field whose value is simple.
pub(super) fn edited(
    field: &RawField<'_>,
    given: &SimpleParameters<'_>,
    edits: &ParameterEdits<'_>,
) -> Verdict {
    let named = |name: &str, other: &[u8]| name.as_bytes().eq_ignore_ascii_case(other);
    let value = edits.value.map(str::as_bytes).filter(|other| !other.eq_ignore_ascii_case(given.value));
    let mut changed = value.is_some();
    let mut items = vec![Item::plain(Space::ONE, value.unwrap_or(given.value))];
    for ((name, text), octets) in given.with_octets() {
        let set = edits.set.iter().find(|(other, _)| named(other, name));
        if edits.remove.iter().any(|other| named(other, name)) {
            changed = true;
        } else if let Some((name, other)) = set.filter(|(_, other)| other.as_bytes() != text) {
            changed = true;
            push_sections(&mut items, encode::sections(name, other));
        } else {
            push_section(&mut items, octets);
        }
    }
    for (name, text) in edits.set {
        if !given.list().iter().any(|(other, _)| named(name, other)) {
            changed = true;
            push_sections(&mut items, encode::sections(name, text));
        }
    }
    if !changed {
        return Verdict::Keep;
    }
    let mut lines = Lines::of_field(field.name(), field.value().len());
    lines.lay(&items, Rest::Nothing);
    Verdict::Write(lines.into_field())
}

/// Adds sections after semicolons.
pub(super) fn push_sections(items: &mut Vec<Item<'_>>, sections: Vec<Vec<u8>>) {
    sections.into_iter().for_each(|section| push_section(items, section));
}

/// Adds a section after a semicolon, which is attached to what precedes it.
fn push_section<'a>(items: &mut Vec<Item<'a>>, section: impl Into<Octets<'a>>) {
    items.push(Item::plain(Space::default(), b";"));
    items.push(Item { level: Level::Unit, ..Item::plain(Space::ONE, section) });
}
