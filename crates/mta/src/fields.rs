//! The fields of a message as a mail server knows them, beside those of a plan.
//!
//! The mail server knows its fields by their names and numbers, the plan knows them by where they
//! begin, and the two need not agree on what is a field: if a name is too long for a field, the plan
//! may treat it as the beginning of the body.

use std::collections::HashMap;

use sevenbit::{FieldChange, PlannedField, WrittenField};

use crate::filter::Filter;

/// A field as the mail server knows it.
#[derive(Clone, Copy, Debug)]
pub struct Known<'s> {
    /// The offset at which it begins.
    pub start: usize,
    /// The offset at which it ends.
    pub end: usize,
    /// Its name.
    pub name: &'s [u8],
    /// Its rank among those of that name in any case, from 1.
    pub number: u32,
}

/// The fate of a field that the mail server knows.
#[derive(Clone, Copy, Debug)]
pub enum Change<'p> {
    /// Kept as it is.
    Kept,
    /// Written anew in its place.
    Written(WrittenField<'p>),
    /// Deleted, though something else may be inserted for it.
    Deleted,
}

/// Numbers fields: where each begins, its name, and where it ends.
pub fn numbered<'s>(fields: impl Iterator<Item = (usize, &'s [u8], usize)>) -> Vec<Known<'s>> {
    let mut last: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut next = |name: &[u8]| {
        let number = last.entry(name.to_ascii_lowercase()).or_default();
        *number += 1;
        *number
    };
    fields.map(|(start, name, end)| Known { start, end, name, number: next(name) }).collect()
}

/// Returns the planned fields that stood in the message, by where they began.
pub fn by_start<'f, 'p>(fields: &'f [PlannedField<'p>]) -> HashMap<usize, &'f PlannedField<'p>> {
    let stood = fields.iter().filter(|field| field.change() != FieldChange::Inserted);
    stood.map(|field| (field.span().start, field)).collect()
}

/// Returns whether a field is one of the filter's own, as it stood or as it is written.
pub fn is_own(field: &PlannedField<'_>, filter: &Filter) -> bool {
    filter.is_own_field(field.name())
        || field.written().any(|written| filter.is_own_field(written.name()))
}

/// Returns whether a planned field keeps its place, with its value or another one.
pub fn has_value(field: &PlannedField<'_>) -> bool {
    matches!(field.change(), FieldChange::Kept | FieldChange::NewValue)
}

impl Known<'_> {
    /// Returns what becomes of it by a plan, of which `planned` is the field that began here.
    pub fn change<'p>(&self, planned: Option<&'p PlannedField<'_>>, filter: &Filter) -> Change<'p> {
        if filter.is_own_field(self.name) || planned.is_some_and(|planned| is_own(planned, filter))
        {
            return Change::Deleted;
        }

        // A field of the mail server's may hold several lines that end with CR alone: of that only
        // the first field stays.
        let is_whole = |planned: &PlannedField<'_>| planned.span().end + b"\r\n".len() >= self.end;
        match planned.filter(|planned| has_value(planned)) {
            Some(planned) if planned.change() == FieldChange::Kept && is_whole(planned) => {
                Change::Kept
            }
            Some(planned) => planned.written().next().map_or(Change::Deleted, Change::Written),
            None => Change::Deleted,
        }
    }
}

/// Returns the number of octets of the filter's own fields: in the plan, or in the message if that
/// does not change otherwise.
pub fn count_own<'s>(
    planned: Option<&[PlannedField<'_>]>,
    fields: impl Iterator<Item = (usize, &'s [u8], usize)>,
    filter: &Filter,
) -> u64 {
    if filter.own_fields.is_empty() {
        return 0;
    }
    let octets: usize = match planned {
        Some(planned) => {
            let own = planned.iter().filter(|field| is_own(field, filter));
            own.flat_map(PlannedField::written).map(|written| written.octets().len()).sum()
        }
        None => {
            let own = fields.filter(|(_, name, _)| filter.is_own_field(name));
            own.map(|(start, _, end)| end - start).sum()
        }
    };
    octets as u64
}
