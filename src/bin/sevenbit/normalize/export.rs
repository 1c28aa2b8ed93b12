//! `--export`: a Parquet table of mail, a row a message, written in row groups so that memory stays the same
//! however many there are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use sevenbit::{Message, Part, Report};

use super::summary::Fate;
use crate::exit::{Exit, Failure};
use crate::input::{Item, parse_date};
use crate::output::{AtomicFile, Protected};

/// A row group is written once it holds so many octets of text
const GROUP_OCTETS: usize = 16 << 20;

/// Or so many rows.
const GROUP_ROWS: usize = 50_000;

/// The longest text body that goes in whole.
const LONGEST_TEXT: usize = 4 << 20;

const SCHEMA: &str = "message mail {
    required binary path (UTF8);
    required int64 offset;
    optional binary message_id (UTF8);
    optional int64 date (TIMESTAMP_MILLIS);
    optional binary from (UTF8);
    optional binary to (UTF8);
    optional binary subject (UTF8);
    optional binary text (UTF8);
    required binary charsets (UTF8);
    required binary codes (UTF8);
    required boolean changed;
}";

/// What is exported of a message.
pub struct Row {
    offset: i64,
    date: Option<i64>,
    changed: bool,
    /// The columns of text, in the order of the schema.
    texts: [Option<String>; 8],
}

impl Row {
    /// The row of a message as a reader sees it. Lists are words, separated by spaces.
    pub fn of(item: &Item, message: &[u8], report: &Report, fate: Fate) -> Self {
        let view = Message::parse(message);
        let header = |name: &str| view.header(name).map(|text| text.into_owned());
        let charsets = view.leaves().filter_map(|part| part.charset_label().map(str::to_ascii_lowercase));
        let codes = report.issues().iter().map(|issue| issue.code().as_str().to_owned());
        Self {
            offset: item.position().map_or(0, |position| position.span.start.cast_signed()),
            date: view.header("date").and_then(|date| parse_date(&date)).map(|seconds| seconds * 1000),
            changed: fate == Fate::Changed,
            texts: [
                Some(item.name.to_string_lossy().into_owned()),
                header("message-id").map(|id| id.trim().to_owned()),
                header("from"),
                header("to"),
                header("subject"),
                text(&view),
                Some(words(charsets)),
                Some(words(codes)),
            ],
        }
    }

    fn octets(&self) -> usize {
        self.texts.iter().flatten().map(String::len).sum()
    }
}

fn words(words: impl Iterator<Item = String>) -> String {
    words.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ")
}

/// The text body: the first plain text that is no attachment, else the first of any kind.
fn text(view: &Message<'_>) -> Option<String> {
    let inline = |part: &Part<'_>| part.disposition() != Some("attachment") && part.filename().is_none();
    let plain = view.leaves().find(|part| inline(part) && part.media_type() == "text/plain");
    let body = plain.or_else(|| view.leaves().find(|part| inline(part) && part.text().is_some()))?;
    let mut text = body.text()?.into_owned();
    let end = (0..=LONGEST_TEXT.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.truncate(end.unwrap_or_default());
    Some(text)
}

/// The table being written.
pub struct Export {
    path: PathBuf,
    writer: SerializedFileWriter<AtomicFile>,
    rows: Vec<Row>,
    octets: usize,
}

impl Export {
    /// Begins the table at `path`.
    ///
    /// # Errors
    /// It cannot be created there.
    pub fn open(path: &Path, protected: &Protected) -> Result<Self, Failure> {
        let file = AtomicFile::create(path, None, |place| protected.admits_report(path, place))?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(|error| failed(path, &error))?);
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties));
        let writer = writer.map_err(|error| failed(path, &error))?;
        Ok(Self { path: path.to_owned(), writer, rows: Vec::new(), octets: 0 })
    }

    /// Adds a message.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, row: Row) -> Result<(), Failure> {
        self.octets += row.octets();
        self.rows.push(row);
        if self.octets < GROUP_OCTETS && self.rows.len() < GROUP_ROWS {
            return Ok(());
        }
        self.group().map_err(|error| failed(&self.path, &error))
    }

    /// Ends the table and gives it its name.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.group().map_err(|error| failed(&self.path, &error))?;
        let file = self.writer.into_inner().map_err(|error| failed(&self.path, &error))?;
        file.commit().map(drop).map_err(|error| Failure::writing(&self.path, &error))
    }

    /// Writes what waits as one row group.
    fn group(&mut self) -> Result<(), ParquetError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        // The columns of text lie around those of numbers.
        let mut texts = 0..;
        while let Some(mut column) = group.next_column()? {
            match column.untyped() {
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    let at = texts.next().unwrap_or_default();
                    let values = self.rows.iter().map(|row| row.texts[at].as_deref().map(ByteArray::from));
                    let (values, levels) = levelled(values);
                    writer.write_batch(&values, Some(&levels), None)?;
                }
                ColumnWriter::Int64ColumnWriter(writer) if texts.start == 1 => {
                    let values: Vec<i64> = self.rows.iter().map(|row| row.offset).collect();
                    writer.write_batch(&values, None, None)?;
                }
                ColumnWriter::Int64ColumnWriter(writer) => {
                    let (values, levels) = levelled(self.rows.iter().map(|row| row.date));
                    writer.write_batch(&values, Some(&levels), None)?;
                }
                ColumnWriter::BoolColumnWriter(writer) => {
                    let values: Vec<bool> = self.rows.iter().map(|row| row.changed).collect();
                    writer.write_batch(&values, None, None)?;
                }
                _ => return Err(ParquetError::General("a column of no known kind".to_owned())),
            }
            column.close()?;
        }
        group.close()?;
        self.rows.clear();
        self.octets = 0;
        Ok(())
    }
}

/// Values that may be missing, as Parquet wants them: those that are there, and a level for each.
fn levelled<T>(values: impl Iterator<Item = Option<T>>) -> (Vec<T>, Vec<i16>) {
    let mut levels = Vec::new();
    let there = values.filter_map(|value| {
        levels.push(i16::from(value.is_some()));
        value
    });
    (there.collect(), levels)
}

fn failed(path: &Path, error: &ParquetError) -> Failure {
    Failure::new(Exit::CannotWrite, path, format!("cannot be written: {error}"))
}
