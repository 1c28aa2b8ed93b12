//! Plain parameters with edits, without the full rules: what stays needs no repair.

use super::Fate;
use super::field::Field;
use super::parameter::ParameterEdits;
use crate::encode::{self, Item, Level, Lines, Octets, Rest, Space};
use crate::syntax::plain::PlainParameters;

/// What becomes of a field with clean lines whose value is plain.
pub(super) fn edited(field: &Field<'_>, plain: &PlainParameters<'_>, edits: &ParameterEdits<'_>) -> Fate {
    let named = |name: &str, given: &[u8]| name.as_bytes().eq_ignore_ascii_case(given);
    let value = edits.value.map(str::as_bytes).filter(|other| !other.eq_ignore_ascii_case(plain.value));
    let mut changed = value.is_some();
    let mut items = vec![Item::plain(Space::ONE, value.unwrap_or(plain.value))];
    for ((name, text), octets) in plain.with_octets() {
        let set = edits.set.iter().find(|(other, _)| named(other, name));
        if edits.remove.iter().any(|other| named(other, name)) {
            changed = true;
        } else if let Some((name, other)) = set.filter(|(_, other)| other.as_bytes() != text) {
            changed = true;
            encode::sections(name, other).into_iter().for_each(|section| push(&mut items, section));
        } else {
            push(&mut items, octets);
        }
    }
    for (name, text) in edits.set {
        if !plain.list().iter().any(|(given, _)| named(name, given)) {
            changed = true;
            encode::sections(name, text).into_iter().for_each(|section| push(&mut items, section));
        }
    }
    if !changed {
        return Fate::Keep;
    }
    let mut lines = Lines::of_field(field.name, field.value.len());
    lines.lay(&items, Rest::Nothing);
    Fate::Write(lines.into_field())
}

/// Adds what stands behind a semicolon.
fn push<'a>(items: &mut Vec<Item<'a>>, section: impl Into<Octets<'a>>) {
    items.push(Item::plain(Space::default(), b";"));
    items.push(Item { level: Level::Unit, ..Item::plain(Space::ONE, section) });
}
