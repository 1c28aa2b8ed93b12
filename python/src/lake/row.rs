//! The row of a message in a table. A column is computed only if it is wanted.

use std::borrow::Cow;
use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sevenbit::{Mailbox, Message, Normalizer, Plan};
use sha2::{Digest, Sha256};

use super::column::{Buffers, Column, Value};
use super::source::{Mail, Other};
use crate::options;

/// The columns by their names, in the order of the schema; `lib/sevenbit/lake.py` has their types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Name {
    Path,
    Offset,
    MessageId,
    Date,
    From,
    To,
    Cc,
    Bcc,
    ReplyTo,
    Subject,
    InReplyTo,
    References,
    Thread,
    ListId,
    Headers,
    Text,
    Html,
    Attachments,
    AttachmentOctets,
    Charsets,
    Codes,
    Changed,
    Octets,
    Size,
    Mtime,
    FromLine,
    Folder,
    Kind,
    Corrupt,
    Error,
    /// An answer that is one word: its place in [`Message::WORDS`].
    Word(usize),
}

impl Name {
    const ALL: [(&'static str, Self); 30] = [
        ("path", Self::Path),
        ("offset", Self::Offset),
        ("message_id", Self::MessageId),
        ("date", Self::Date),
        ("from", Self::From),
        ("to", Self::To),
        ("cc", Self::Cc),
        ("bcc", Self::Bcc),
        ("reply_to", Self::ReplyTo),
        ("subject", Self::Subject),
        ("in_reply_to", Self::InReplyTo),
        ("references", Self::References),
        ("thread", Self::Thread),
        ("list_id", Self::ListId),
        ("headers", Self::Headers),
        ("text", Self::Text),
        ("html", Self::Html),
        ("attachments", Self::Attachments),
        ("attachment_octets", Self::AttachmentOctets),
        ("charsets", Self::Charsets),
        ("codes", Self::Codes),
        ("changed", Self::Changed),
        ("octets", Self::Octets),
        ("size", Self::Size),
        ("mtime", Self::Mtime),
        ("from_line", Self::FromLine),
        ("folder", Self::Folder),
        ("kind", Self::Kind),
        ("corrupt", Self::Corrupt),
        ("error", Self::Error),
    ];

    fn of(name: &str) -> PyResult<Self> {
        if let Some((_, column)) = Self::ALL.iter().find(|(known, _)| *known == name) {
            return Ok(*column);
        }
        let word = Message::WORDS.iter().position(|word| word.name == name);
        let unknown =
            || PyValueError::new_err(format!("argument 'columns': no column is called {name:?}"));
        word.map(Self::Word).ok_or_else(unknown)
    }

    fn column(self) -> Column {
        match self {
            Self::Offset | Self::Date | Self::Size | Self::Mtime => Column::numbers(),
            Self::Changed => Column::flags(),
            Self::Charsets
            | Self::Codes
            | Self::InReplyTo
            | Self::References
            | Self::AttachmentOctets => Column::lists(Column::strings()),
            Self::From | Self::To | Self::Cc | Self::Bcc | Self::ReplyTo => {
                Column::lists(Column::structs(vec![Column::strings(), Column::strings()]))
            }
            Self::Headers => Column::lists(Column::structs(vec![
                Column::strings(),
                Column::lists(Column::strings()),
            ])),
            Self::Attachments => Column::lists(Column::structs(vec![
                Column::strings(),
                Column::strings(),
                Column::strings(),
                Column::numbers(),
                Column::strings(),
                Column::strings(),
            ])),
            _ => Column::strings(),
        }
    }

    /// Whether it describes the normal form of the message.
    fn is_of_plan(self) -> bool {
        matches!(self, Self::Codes | Self::Changed | Self::Octets)
    }

    /// Whether it describes the message as it came, so that the message has to be parsed.
    fn is_of_view(self) -> bool {
        !self.is_of_plan()
            && !matches!(
                self,
                Self::Path
                    | Self::Offset
                    | Self::Size
                    | Self::Mtime
                    | Self::FromLine
                    | Self::Folder
                    | Self::Kind
                    | Self::Corrupt
                    | Self::Error
            )
    }

    /// Whether a message has to be there whole.
    fn is_of_body(self) -> bool {
        matches!(
            self,
            Self::Text
                | Self::Html
                | Self::Attachments
                | Self::AttachmentOctets
                | Self::Charsets
                | Self::Size
        )
    }
}

/// The treatment of rows that are not those of sound messages, in Spark's words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Such rows stay.
    Permissive,
    /// Such rows are left out.
    DropMalformed,
    /// The first ends the work.
    FailFast,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Mode {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let word = options::word(object)?;
        match word.to_ascii_lowercase().as_str() {
            "permissive" => Ok(Self::Permissive),
            "dropmalformed" => Ok(Self::DropMalformed),
            "failfast" => Ok(Self::FailFast),
            _ => {
                let known = "'permissive', 'dropmalformed' or 'failfast'";
                Err(PyValueError::new_err(format!(
                    "argument 'mode': expected {known}, not {word:?}"
                )))
            }
        }
    }
}

/// A place that has no message, or not all of one.
pub struct Unread<'m> {
    pub offset: u64,
    /// Why.
    pub error: &'m str,
    /// The beginning of the message, if it is too long.
    pub beginning: Option<&'m Mail<'m>>,
}

/// Which columns are wanted, and how their values are computed.
pub struct Wanted {
    names: Vec<Name>,
    normalizer: Normalizer,
    /// Rows of other dates are left out; microseconds since 1970, the end excluded.
    dates: Option<(i64, i64)>,
    mode: Mode,
}

impl Wanted {
    /// # Errors
    /// A ValueError if there is no such column.
    pub fn new(
        names: &[String],
        normalizer: Normalizer,
        dates: Option<(i64, i64)>,
        mode: Mode,
    ) -> PyResult<Self> {
        let names = names.iter().map(|name| Name::of(name)).collect::<PyResult<_>>()?;
        Ok(Self { names, normalizer, dates, mode })
    }

    /// A table without rows.
    pub fn table(&self) -> Table {
        Table { rows: 0, octets: 0, columns: self.names.iter().map(|name| name.column()).collect() }
    }

    fn wants(&self, name: Name) -> bool {
        self.names.contains(&name)
    }

    /// Appends the row of a message.
    ///
    /// # Errors
    /// A ValueError for the first one that is malformed, if the mode is to fail.
    pub fn push(&self, table: &mut Table, path: &str, mail: &Mail<'_>) -> PyResult<()> {
        let message = &mail.octets[..];
        let needs_view = self.dates.is_some() || self.names.iter().any(|name| name.is_of_view());
        let view = needs_view.then(|| Message::parse(message));
        if let (Some((from, to)), Some(view)) = (self.dates, &view)
            && mail.error.is_none()
            && !date(view).is_some_and(|date| (from..to).contains(&date))
        {
            return Ok(());
        }
        if let Some(error) = &mail.error
            && self.mode != Mode::Permissive
        {
            return self.malformed(path, mail.offset, error);
        }
        let plan =
            self.names.iter().any(|name| name.is_of_plan()).then(|| self.normalizer.plan(message));
        let octets = match &plan {
            Some(plan) if self.wants(Name::Octets) => Some(plan.octets()),
            _ => None,
        };
        for (name, column) in self.names.iter().zip(&mut table.columns) {
            match (name, &plan, &view) {
                (Name::Octets, ..) => {
                    column.push(octets.as_deref().map_or(Value::Nothing, Value::Octets))
                }
                (name, Some(plan), _) if name.is_of_plan() => push_plan(*name, plan, column),
                (name, _, Some(view)) if name.is_of_view() => push_view(*name, view, column),
                _ => push_place(*name, path, mail, column),
            }
        }
        table.rows += 1;
        table.octets += message.len().max(octets.as_ref().map_or(0, |octets| octets.len()));
        Ok(())
    }

    /// Appends the row of what is no mail, or none that is read.
    ///
    /// # Errors
    /// A ValueError if the mode is to fail.
    pub fn push_other(&self, table: &mut Table, path: &str, other: &Other) -> PyResult<()> {
        if self.dates.is_some() && other.error.is_none() {
            return Ok(());
        }
        if self.mode != Mode::Permissive {
            let why =
                other.error.clone().unwrap_or_else(|| format!("is no mail, but {}", other.kind));
            return self.malformed(path, other.offset, &why);
        }
        for (name, column) in self.names.iter().zip(&mut table.columns) {
            column.push(match name {
                Name::Path => Value::Octets(path.as_bytes()),
                Name::Offset => Value::number(other.offset),
                Name::Size => other.size.map_or(Value::Nothing, Value::number),
                Name::Mtime => other.mtime.map_or(Value::Nothing, Value::Number),
                Name::Kind => Value::text(Some(other.kind)),
                Name::Corrupt => Value::Octets(&other.octets),
                Name::Error => Value::text(other.error.as_deref()),
                _ => Value::Nothing,
            });
        }
        table.rows += 1;
        table.octets += other.octets.len();
        Ok(())
    }

    /// Whether the octets of what is no mail are wanted.
    pub fn wants_others(&self) -> bool {
        self.wants(Name::Corrupt)
    }

    /// Appends a row that says what was wrong; for a message that is too long, with the values from its beginning.
    ///
    /// # Errors
    /// A ValueError if the mode is to fail.
    pub fn push_unread(&self, table: &mut Table, path: &str, unread: &Unread<'_>) -> PyResult<()> {
        let &Unread { offset, error, beginning } = unread;
        if self.mode != Mode::Permissive {
            return self.malformed(path, offset, error);
        }
        let nothing = Mail::default();
        let mail = beginning.unwrap_or(&nothing);
        let view = beginning.map(|mail| Message::parse(&mail.octets));
        for (name, column) in self.names.iter().zip(&mut table.columns) {
            match (name, &view) {
                (Name::Path, _) => column.push(Value::Octets(path.as_bytes())),
                (Name::Offset, _) => column.push(Value::number(offset)),
                (Name::Error, _) => column.push(Value::Octets(error.as_bytes())),
                (Name::Corrupt, Some(_)) => column.push(Value::Octets(&mail.octets)),
                (name, _) if name.is_of_body() || name.is_of_plan() => column.push(Value::Nothing),
                (name, Some(view)) if name.is_of_view() => push_view(*name, view, column),
                (name, Some(_)) => push_place(*name, path, mail, column),
                _ => column.push(Value::Nothing),
            }
        }
        table.rows += 1;
        table.octets += if self.wants(Name::Corrupt) { mail.octets.len() } else { 0 };
        Ok(())
    }

    /// Leaves out a row, or fails.
    fn malformed(&self, path: &str, offset: u64, error: &str) -> PyResult<()> {
        match self.mode {
            Mode::FailFast => {
                Err(PyValueError::new_err(format!("{path}, octet {offset}: {error}")))
            }
            _ => Ok(()),
        }
    }
}

/// Appends a value that needs neither the message parsed nor its normal form.
fn push_place(name: Name, path: &str, mail: &Mail<'_>, column: &mut Column) {
    let from_line = String::from_utf8_lossy(mail.from_line.trim_ascii_end());
    column.push(match name {
        Name::Path => Value::Octets(path.as_bytes()),
        Name::Offset => Value::number(mail.offset),
        Name::Size => Value::size(mail.octets.len()),
        Name::Mtime => mail.mtime.map_or(Value::Nothing, Value::Number),
        Name::FromLine if !from_line.is_empty() => Value::text(Some(&from_line)),
        Name::Folder => Value::text(mail.folder.as_deref()),
        Name::Kind => Value::text(Some(mail.kind.unwrap_or("message"))),
        Name::Corrupt if mail.kind.is_some() => Value::Octets(&mail.octets),
        Name::Error => Value::text(mail.error.as_deref()),
        _ => Value::Nothing,
    });
}

/// Appends a value of the normal form, except its octets.
fn push_plan(name: Name, plan: &Plan<'_>, column: &mut Column) {
    match name {
        Name::Changed => column.push(Value::Flag(plan.report().is_changed())),
        _ => {
            let codes = plan.report().issues().iter().map(|issue| issue.code().as_str());
            column.push(Value::texts(each_once(codes)));
        }
    }
}

/// Appends a value of the message as it came.
fn push_view(name: Name, view: &Message<'_>, column: &mut Column) {
    match name {
        Name::MessageId => column.push(Value::text(view.message_id().as_deref())),
        Name::Date => column.push(date(view).map_or(Value::Nothing, Value::Number)),
        Name::From => push_people(&view.mailboxes("from"), column),
        Name::To => push_people(&view.mailboxes("to"), column),
        Name::Cc => push_people(&view.mailboxes("cc"), column),
        Name::Bcc => push_people(&view.mailboxes("bcc"), column),
        Name::ReplyTo => push_people(&view.mailboxes("reply-to"), column),
        Name::Subject => column.push(Value::text(view.subject().as_deref())),
        Name::InReplyTo => push_texts(&view.in_reply_to(), column),
        Name::References => push_texts(&view.references(), column),
        Name::Thread => column.push(Value::text(view.thread_key().as_deref())),
        Name::ListId => {
            let field = view.header("list-id");
            column.push(Value::text(field.as_deref().map(list_id)));
        }
        Name::Headers => push_headers(view, column),
        Name::Text => column.push(Value::text(Some(&*view.text()).filter(|text| !text.is_empty()))),
        Name::Html => column.push(Value::text(view.html(|_| None).as_deref())),
        Name::Attachments => push_attachments(view, column),
        Name::AttachmentOctets => {
            let files = view.attachments();
            let octets: Vec<_> = files.iter().map(|file| file.octets()).collect();
            column.push(Value::List(octets.iter().map(|octets| Value::Octets(octets)).collect()));
        }
        Name::Charsets => {
            let leaves = view.leaves();
            column.push(Value::texts(each_once(leaves.filter_map(|leaf| leaf.charset_label()))));
        }
        Name::Word(place) => {
            column.push(Value::text(Message::WORDS[place].of(view).as_deref()));
        }
        _ => column.push(Value::Nothing),
    }
}

fn push_texts(texts: &[Cow<'_, str>], column: &mut Column) {
    column.push(Value::texts(texts.iter().map(|text| &**text)));
}

fn push_people(mailboxes: &[Mailbox], column: &mut Column) {
    let people = mailboxes.iter().map(|mailbox| {
        Value::Struct(vec![Value::text(Some(mailbox.name())), Value::text(Some(mailbox.address()))])
    });
    column.push(Value::List(people.collect()));
}

/// Appends the fields of the header by their names in lower case, each with its texts in order.
fn push_headers(view: &Message<'_>, column: &mut Column) {
    let mut fields: Vec<(String, Vec<Cow<'_, str>>)> = Vec::new();
    let mut places = HashMap::new();
    for (name, text) in view.headers() {
        let name = name.to_ascii_lowercase();
        let place = *places.entry(name.clone()).or_insert(fields.len());
        if place == fields.len() {
            fields.push((name, Vec::new()));
        }
        fields[place].1.push(text);
    }
    let values = fields.iter().map(|(name, texts)| {
        Value::Struct(vec![
            Value::Octets(name.as_bytes()),
            Value::texts(texts.iter().map(|text| &**text)),
        ])
    });
    column.push(Value::List(values.collect()));
}

/// Appends the files: name as given, safe name, media type, length, content id, and SHA-256 in hexadecimal digits.
fn push_attachments(view: &Message<'_>, column: &mut Column) {
    let files = view.attachments();
    let facts = files.iter().map(|file| {
        let octets = file.octets();
        let digest: String =
            Sha256::digest(&octets).iter().map(|octet| format!("{octet:02x}")).collect();
        (file, octets.len(), digest)
    });
    let facts: Vec<_> = facts.collect();
    let attachments = facts.iter().map(|(file, length, digest)| {
        Value::Struct(vec![
            Value::text(file.name()),
            Value::text(Some(file.safe_name())),
            Value::text(Some(file.media_type())),
            Value::size(*length),
            Value::text(file.content_id()),
            Value::text(Some(digest)),
        ])
    });
    column.push(Value::List(attachments.collect()));
}

/// The date of the message, in microseconds since 1970.
fn date(view: &Message<'_>) -> Option<i64> {
    // Python's calendar has the years 1 to 9999.
    let seconds = view.date()?.timestamp();
    (-62_135_596_800..253_402_300_800).contains(&seconds).then(|| seconds * 1_000_000)
}

/// The id in a List-Id field, which is between its angle brackets (RFC 2919, 3).
fn list_id(field: &str) -> &str {
    let inside = field.rsplit_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inside.map_or(field, |(id, _)| id).trim()
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
    /// The place of a column that has become too long.
    pub fn full_column(&self) -> Option<usize> {
        self.columns.iter().position(|column| !column.has_ends())
    }

    pub fn into_buffers(self, py: Python<'_>) -> Vec<Buffers> {
        self.columns.into_iter().map(|column| column.into_buffers(py)).collect()
    }
}
