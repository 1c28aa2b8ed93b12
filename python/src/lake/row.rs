//! The row of a message in a table. A column is computed only if it is wanted.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sevenbit::{Message, Normalizer};

use super::column::{Buffers, Column, Value};

/// The columns, in the order of the schema, by their names. `lib/sevenbit/lake.py` has their types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Name {
    Path,
    Offset,
    MessageId,
    Date,
    From,
    To,
    Cc,
    Subject,
    Text,
    Charsets,
    Codes,
    Changed,
    Octets,
    Error,
}

impl Name {
    const ALL: [(&'static str, Self); 14] = [
        ("path", Self::Path),
        ("offset", Self::Offset),
        ("message_id", Self::MessageId),
        ("date", Self::Date),
        ("from", Self::From),
        ("to", Self::To),
        ("cc", Self::Cc),
        ("subject", Self::Subject),
        ("text", Self::Text),
        ("charsets", Self::Charsets),
        ("codes", Self::Codes),
        ("changed", Self::Changed),
        ("octets", Self::Octets),
        ("error", Self::Error),
    ];

    fn of(name: &str) -> PyResult<Self> {
        let known = Self::ALL.iter().find(|(known, _)| *known == name);
        let unknown = || PyValueError::new_err(format!("argument 'columns': no column is called {name:?}"));
        known.map(|(_, column)| *column).ok_or_else(unknown)
    }

    fn column(self) -> Column {
        match self {
            Self::Path | Self::MessageId | Self::Subject | Self::Text | Self::Octets | Self::Error => {
                Column::strings()
            }
            Self::Offset | Self::Date => Column::numbers(),
            Self::Changed => Column::flags(),
            Self::Charsets | Self::Codes => Column::texts(),
            Self::From | Self::To | Self::Cc => Column::people(),
        }
    }

    /// Whether it describes the message as it came.
    fn is_of_view(self) -> bool {
        !matches!(self, Self::Path | Self::Offset | Self::Codes | Self::Changed | Self::Octets | Self::Error)
    }

    /// Whether it describes the normal form of the message.
    fn is_of_plan(self) -> bool {
        matches!(self, Self::Codes | Self::Changed | Self::Octets)
    }
}

/// Which columns are wanted, and how their values are computed.
pub struct Wanted {
    names: Vec<Name>,
    normalizer: Normalizer,
    /// Rows of other dates are left out; microseconds since 1970, the end excluded.
    dates: Option<(i64, i64)>,
}

impl Wanted {
    /// # Errors
    /// A ValueError if there is no such column.
    pub fn new(names: &[String], normalizer: Normalizer, dates: Option<(i64, i64)>) -> PyResult<Self> {
        let names = names.iter().map(|name| Name::of(name)).collect::<PyResult<_>>()?;
        Ok(Self { names, normalizer, dates })
    }

    /// A table without rows.
    pub fn table(&self) -> Table {
        Table { rows: 0, octets: 0, columns: self.names.iter().map(|name| name.column()).collect() }
    }

    /// Appends the row of a message.
    pub fn push(&self, table: &mut Table, path: &str, offset: u64, message: &[u8]) {
        let needs_view = self.dates.is_some() || self.names.iter().any(|name| name.is_of_view());
        let view = needs_view.then(|| Message::parse(message));
        if let (Some((from, to)), Some(view)) = (self.dates, &view)
            && !date(view).is_some_and(|date| (from..to).contains(&date))
        {
            return;
        }
        let plan = self.names.iter().any(|name| name.is_of_plan()).then(|| self.normalizer.plan(message));
        let octets = plan.as_ref().filter(|_| self.names.contains(&Name::Octets)).map(|plan| plan.octets());
        for (name, column) in self.names.iter().zip(&mut table.columns) {
            match name {
                Name::Path => column.push(Value::Octets(path.as_bytes())),
                Name::Offset => column.push(Value::Number(i64::try_from(offset).unwrap_or(i64::MAX))),
                Name::Octets => column.push(octets.as_deref().map_or(Value::Nothing, Value::Octets)),
                Name::Changed => {
                    column.push(
                        plan.as_ref().map_or(Value::Nothing, |plan| Value::Flag(plan.report().changed())),
                    );
                }
                Name::Codes => {
                    let issues = plan.iter().flat_map(|plan| plan.report().issues());
                    column.push(Value::Texts(&each_once(issues.map(|issue| issue.code().as_str()))));
                }
                Name::Error => column.push(Value::Nothing),
                _ => view.iter().for_each(|view| push_view(*name, view, column)),
            }
        }
        table.rows += 1;
        table.octets += message.len().max(octets.as_ref().map_or(0, |octets| octets.len()));
    }

    /// Appends a row that says what was wrong; for a message that is too long, with the values from its beginning.
    pub fn push_error(
        &self,
        table: &mut Table,
        path: &str,
        offset: u64,
        error: &str,
        beginning: Option<&[u8]>,
    ) {
        let view = beginning.map(Message::parse);
        for (name, column) in self.names.iter().zip(&mut table.columns) {
            match (name, &view) {
                (Name::Path, _) => column.push(Value::Octets(path.as_bytes())),
                (Name::Offset, _) => column.push(Value::Number(i64::try_from(offset).unwrap_or(i64::MAX))),
                (Name::Error, _) => column.push(Value::Octets(error.as_bytes())),
                (Name::Text | Name::Charsets, _) => column.push(Value::Nothing),
                (name, Some(view)) if name.is_of_view() => push_view(*name, view, column),
                _ => column.push(Value::Nothing),
            }
        }
        table.rows += 1;
    }
}

/// Appends a value of the message as it came.
fn push_view(name: Name, view: &Message<'_>, column: &mut Column) {
    match name {
        Name::MessageId => column.push(Value::text(view.message_id().as_deref())),
        Name::Date => column.push(date(view).map_or(Value::Nothing, Value::Number)),
        Name::From => column.push(Value::People(&view.mailboxes("from"))),
        Name::To => column.push(Value::People(&view.mailboxes("to"))),
        Name::Cc => column.push(Value::People(&view.mailboxes("cc"))),
        Name::Subject => column.push(Value::text(view.subject().as_deref())),
        Name::Text => column.push(Value::text(text(view).as_deref())),
        Name::Charsets => {
            let leaves = view.leaves();
            column.push(Value::Texts(&each_once(leaves.filter_map(|leaf| leaf.charset_label()))));
        }
        _ => column.push(Value::Nothing),
    }
}

/// The date of the message, in microseconds since 1970.
fn date(view: &Message<'_>) -> Option<i64> {
    view.date()?.timestamp().checked_mul(1_000_000)
}

/// The text to search: what a reader that prefers plain text shows; HTML source if it has no alternative.
fn text(view: &Message<'_>) -> Option<String> {
    let body = view.body_parts();
    let texts: Vec<_> = body.plain().iter().filter_map(|part| part.text()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Removes repetitions, keeping the order.
fn each_once<'v>(values: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// Rows, column by column.
pub struct Table {
    pub rows: usize,
    /// Octets of its messages: a measure of its size.
    pub octets: usize,
    columns: Vec<Column>,
}

impl Table {
    pub fn into_buffers(self, py: Python<'_>) -> Vec<Buffers> {
        self.columns.into_iter().map(|column| column.into_buffers(py)).collect()
    }
}
