//! Fields that may stand once, and stand again (rule H10).

use std::borrow::Cow;
use std::collections::HashSet;

use super::ruling::Ruling;
use super::section::Header;
use crate::Rule;
use crate::message::field::{Field, Repeat, Row, RowId, Shape, with_folds};

/// The fields that came before, of those that may stand once.
pub(super) struct Seen {
    rows: [bool; RowId::COUNT],
    /// In lower case, of those whose row speaks of several names.
    names: HashSet<String>,
}

impl Seen {
    /// No field yet; nothing at all, if no name can come again, as in most headers.
    pub(super) fn of_repeated(fields: &[Field]) -> Option<Self> {
        let is_once = |row: &Row| row.repeat == Repeat::Once;
        may_repeat(fields, is_once).then(|| Self { rows: [false; RowId::COUNT], names: HashSet::new() })
    }

    /// The name of the field, in lower case, if it may stand once and one of that name came before.
    pub(super) fn again(&mut self, field: &Field, source: &[u8]) -> Option<Cow<'static, str>> {
        if field.row.repeat != Repeat::Once {
            return None;
        }
        if field.row.is_one_name() {
            let again = std::mem::replace(&mut self.rows[field.row.index()], true);
            return again.then_some(field.row.name.into());
        }
        let name = String::from_utf8_lossy(field.name(source)).to_ascii_lowercase();
        if self.names.contains(&name) {
            return Some(name.into());
        }
        self.names.insert(name);
        None
    }
}

/// Whether any two of the fields that `is_asked` selects could have one name, judged by their rows.
pub(super) fn may_repeat(fields: &[Field], is_asked: fn(&Row) -> bool) -> bool {
    let mut seen = [false; RowId::COUNT];
    let again = |field: &Field| std::mem::replace(&mut seen[field.row.index()], true);
    fields.iter().filter(|field| is_asked(&field.row)).any(again)
}

/// The field under a name that says so.
pub(super) fn rename(header: &Header<'_, '_, '_>, field: &Field) -> Ruling {
    let octets = header.octets();
    let raw = [b"X-Duplicate-", field.name(octets), b":", field.value_of(octets)].concat();
    let raw = if field.shape == Shape::LostFold { with_folds(&raw) } else { raw };
    Ruling::written_anew(header, field, &raw, Rule::H10)
}
