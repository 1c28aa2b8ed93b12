//! `--export`: a Parquet table of mail, one row per message, written in row groups so that memory
//! stays the same however many messages there are.

use std::fs::Permissions;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::row::Row;
use crate::exit::{Exit, Failure};
use crate::output::{About, AtomicFile, Protected, Replaces};

/// A row group is written once it contains this many octets of text
const GROUP_OCTETS: usize = 16 << 20;

/// or this many rows.
const GROUP_ROWS: usize = 50_000;

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

/// The table being written.
pub struct Export {
    path: PathBuf,
    writer: SerializedFileWriter<AtomicFile>,
    rows: Vec<Row>,
    octets: usize,
}

impl Export {
    /// Begins the table at `path`, with these permissions if it is new.
    ///
    /// # Errors
    /// The table cannot be created there.
    pub fn open(
        path: &Path,
        protected: &Protected,
        replaces: Replaces,
        permissions: Option<&Permissions>,
    ) -> Result<Self, Failure> {
        let file = AtomicFile::create(path, permissions, |place| {
            protected.admits_report(path, place)?;
            protected.admits_beside_report(path, place)?;
            replaces.admits_about(About::Table, path, place)
        })?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(|error| failed(path, &error))?);
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties));
        let writer = writer.map_err(|error| failed(path, &error))?;
        Ok(Self { path: path.to_owned(), writer, rows: Vec::new(), octets: 0 })
    }

    /// Adds a message.
    ///
    /// # Errors
    /// The table cannot be written.
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
    /// The table cannot be written.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.group().map_err(|error| failed(&self.path, &error))?;
        let file = self.writer.into_inner().map_err(|error| failed(&self.path, &error))?;
        file.commit().map(drop).map_err(|error| Failure::writing(&self.path, &error))
    }

    /// Writes the pending rows as one row group.
    fn group(&mut self) -> Result<(), ParquetError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        // The text columns surround the numeric ones.
        let mut texts = 0..;
        while let Some(mut column) = group.next_column()? {
            match column.untyped() {
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    let at = texts.next().unwrap_or_default();
                    let values =
                        self.rows.iter().map(|row| row.texts[at].as_deref().map(ByteArray::from));
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

/// Optional values as Parquet wants them: those that are present, and a level for each.
fn levelled<T>(values: impl Iterator<Item = Option<T>>) -> (Vec<T>, Vec<i16>) {
    let mut levels = Vec::new();
    let present = values.filter_map(|value| {
        levels.push(i16::from(value.is_some()));
        value
    });
    (present.collect(), levels)
}

fn failed(path: &Path, error: &ParquetError) -> Failure {
    Failure::new(Exit::CannotWrite, path, format!("cannot be written: {error}"))
}
