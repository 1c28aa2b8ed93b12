//! A plan in the terms of the milter protocol: fields by their names and numbers, places, a new
//! body.
//!
//! 1. Changes and deletions go from the last field to the first, so that a number (the rank among
//!    the fields of that name, from 1, ignoring case) is still true when its turn comes. An empty
//!    value deletes.
//! 2. Insertions go from the first to the last, each at its final place, if the MTA supports
//!    places; those after every field that stays, and otherwise all of them, are added at the end,
//!    in order.
//! 3. The body goes in chunks, if it changes.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};

use sevenbit::{Code, Plan, PlannedField, WrittenField};

use super::negotiation::Agreement;
use super::packet;
use super::shown::Shown;
use crate::fields::{Change, Known, by_start, has_value, is_own, numbered};
use crate::filter::{Filter, report_value};

/// How many octets of a body one packet contains (`MILTER_CHUNK_SIZE`).
const CHUNK: usize = 65_535;

/// The MTA that gets the answers.
#[derive(Debug)]
pub struct Mta<'a> {
    /// The agreement with it.
    pub agreed: Agreement,
    /// The MTA's name and version, if it sent that.
    pub version: &'a str,
    /// The options of the message, whose own fields are removed.
    pub filter: &'a Filter,
}

impl Mta<'_> {
    /// Whether it inserts a field where it is told to.
    ///
    /// Postfix counts the fields that it passes on, from 1, and before them its own `Received`,
    /// which it does not pass on. Sendmail also counts fields that its configuration may add: no
    /// filter can know where a number leads.
    fn knows_places(&self) -> bool {
        self.version.starts_with("Postfix")
    }
}

/// A value as it goes to the MTA: with LF for CR LF, and without the space if the MTA inserts that
/// itself.
fn value(value: &[u8], agreed: Agreement) -> Cow<'_, [u8]> {
    let value = if agreed.keeps_leading_space() {
        value
    } else {
        value.strip_prefix(b" ").unwrap_or(value)
    };
    match memchr::memchr(b'\r', value) {
        None => Cow::Borrowed(value),
        Some(_) => value.iter().copied().filter(|&octet| octet != b'\r').collect(),
    }
}

/// Writes the changes that turn the received message into the planned one.
pub fn write(
    plan: &Plan<'_>,
    shown: &Shown,
    mta: &Mta<'_>,
    replies: &mut impl Write,
) -> io::Result<()> {
    let fields = plan.header_fields();
    let planned = by_start(&fields);
    let known = numbered(shown.fields());
    for field in known.iter().rev() {
        change(field, planned.get(&field.start).copied(), mta, replies)?;
    }
    let first = known.first().map_or(0, |field| field.start);
    let known: HashSet<usize> = known.iter().map(|field| field.start).collect();
    // Those before the first are the MTA's own.
    let own = fields.iter().take_while(|field| field.span().start < first).count();
    insert(&fields[own..], &known, mta, replies)?;
    let ends_early = !known.iter().all(|start| planned.contains_key(start));
    if plan.changes_body() || ends_early {
        let mut body = Body { chunk: Vec::with_capacity(CHUNK), is_empty: true, replies };
        plan.write_body_to(&mut body)?;
        body.finish()?;
    }
    Ok(())
}

/// Removes the filter's own fields from a message that is not changed otherwise.
pub fn remove_own(shown: &Shown, mta: &Mta<'_>, replies: &mut impl Write) -> io::Result<()> {
    let known = numbered(shown.fields());
    let mut own = known.into_iter().rev().filter(|field| mta.filter.is_own_field(field.name));
    own.try_for_each(|field| delete(&field, replies))
}

/// Adds the field of `--header-report`.
pub fn add_report(
    name: &str,
    codes: &[Code],
    agreed: Agreement,
    replies: &mut impl Write,
) -> io::Result<()> {
    let codes = report_value(name, codes, "\n");
    packet::write(replies, b'h', &[name.as_bytes(), b"\0", &value(codes.as_bytes(), agreed), b"\0"])
}

/// Whether it keeps its place among the MTA's fields, with its value or another one.
fn stays(field: &PlannedField<'_>, known: &HashSet<usize>) -> bool {
    has_value(field) && known.contains(&field.span().start)
}

/// Gives a field its new value, or deletes it if something else replaces it.
fn change(
    field: &Known<'_>,
    planned: Option<&PlannedField<'_>>,
    mta: &Mta<'_>,
    replies: &mut impl Write,
) -> io::Result<()> {
    let written = match field.change(planned, mta.filter) {
        Change::Kept => return Ok(()),
        Change::Deleted => return delete(field, replies),
        Change::Written(written) => written,
    };

    let number = field.number.to_be_bytes();
    let value = value(written.value(), mta.agreed);
    // An empty value would delete the field.
    let value: &[u8] = if value.is_empty() { b" " } else { &value };
    packet::write(replies, b'm', &[&number, written.name(), b"\0", value, b"\0"])
}

fn delete(field: &Known<'_>, replies: &mut impl Write) -> io::Result<()> {
    packet::write(replies, b'm', &[&field.number.to_be_bytes(), field.name, b"\0\0"])
}

/// Inserts the fields that are new.
fn insert(
    fields: &[PlannedField<'_>],
    known: &HashSet<usize>,
    mta: &Mta<'_>,
    replies: &mut impl Write,
) -> io::Result<()> {
    // The filter's own have been deleted, or the MTA does not know them.
    let fields: Vec<_> = fields.iter().filter(|field| !is_own(field, mta.filter)).collect();
    let stays = |field: &PlannedField<'_>| stays(field, known);
    let last =
        if mta.knows_places() { fields.iter().rposition(|field| stays(field)) } else { None };
    let end = last.map_or(0, |last| last + 1);
    // Counts the MTA's own field, and everything before the next place.
    let mut place = 1_u32;
    for field in &fields[..end] {
        if stays(field) {
            place += 1;
            continue;
        }
        for written in field.written() {
            write_field(b'i', &place.to_be_bytes(), written, mta, replies)?;
            place += 1;
        }
    }
    let rest = fields[end..].iter().filter(|field| !stays(field));
    let mut rest = rest.flat_map(|field| field.written());
    rest.try_for_each(|written| write_field(b'h', b"", written, mta, replies))
}

fn write_field(
    command: u8,
    place: &[u8],
    field: WrittenField<'_>,
    mta: &Mta<'_>,
    replies: &mut impl Write,
) -> io::Result<()> {
    packet::write(
        replies,
        command,
        &[place, field.name(), b"\0", &value(field.value(), mta.agreed), b"\0"],
    )
}

/// The new body, cut into packets while it is written.
struct Body<'r, W> {
    chunk: Vec<u8>,
    is_empty: bool,
    replies: &'r mut W,
}

impl<W: Write> Body<'_, W> {
    fn send(&mut self) -> io::Result<()> {
        packet::write(self.replies, b'b', &[&self.chunk])?;
        self.is_empty = false;
        self.chunk.clear();
        Ok(())
    }

    /// Sends the rest; an empty body is an empty packet.
    fn finish(mut self) -> io::Result<()> {
        if self.is_empty || !self.chunk.is_empty() { self.send() } else { Ok(()) }
    }
}

impl<W: Write> Write for Body<'_, W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let taken = octets.len().min(CHUNK - self.chunk.len());
        self.chunk.extend_from_slice(&octets[..taken]);
        if self.chunk.len() == CHUNK {
            self.send()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
