//! An answer in Stalwart's form: fields by their names and numbers, a new body.
//!
//! 1. Changes and deletions go from the last field to the first, so that a number is still true when
//!    its turn comes.
//! 2. Stalwart inserts a field on top, or before another one of the same name, and nowhere else. So
//!    that the fields are in the order of the plan, those before the last new one are deleted, and
//!    all of them are inserted on top. A field without a space after its colon would get one, which
//!    breaks signatures: if there is one, only the new fields go on top.
//! 3. Where the two do not agree on what is a field, all fields and the body are replaced.
//! 4. A value with a line end is written as it is; without, it gets one, and a space before it.

use std::collections::HashSet;

use serde::Serialize;

use super::answer::{Reply, Told};
use super::request::Message;
use crate::decision::{Decided, Decision};
use crate::fields::{Change, Known, by_start, count_own, has_value, is_own, numbered};
use crate::filter::{Filter, guarded, report_value};

use sevenbit::{Plan, PlannedField};

#[derive(Serialize)]
struct Answer<'a> {
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<Response>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    modifications: &'a [Modification],
}

/// A reply to the client. Stalwart's documents and its program do not agree on the name of the
/// member for the enhanced status: it is part of the message.
#[derive(Serialize)]
struct Response {
    status: u16,
    message: String,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum Modification {
    ChangeHeader { index: u32, name: String, value: String },
    DeleteHeader { index: u32, name: String },
    InsertHeader { index: u32, name: String, value: String },
    ReplaceContents { value: String },
}

/// The answer that changes nothing.
pub(super) fn go_on() -> Option<Vec<u8>> {
    written(None, &[])
}

/// Puts a decision on a message into an answer; the message is missing if it is not held. Returns
/// nothing if the answer would not be UTF-8.
pub(super) fn tell(
    decided: &Decided<'_>,
    message: Option<&Message>,
    filter: &Filter,
) -> Option<Told> {
    let mut told = Told { json: None, removed: 0, added: 0 };
    let mut modifications = Vec::new();
    if let Some(message) = message
        && !matches!(
            decided.decision,
            Decision::Untouched | Decision::Deferred(_) | Decision::Refused(_)
        )
    {
        let plan = decided.followed_plan();
        let planned = plan.map(Plan::header_fields);
        match (plan, &planned) {
            (Some(plan), Some(planned)) => {
                guarded(|| change(plan, planned, message, filter, &mut modifications))??;
            }
            _ => remove_own(message, filter, &mut modifications)?,
        }
        told.removed = count_own(planned.as_deref(), message.fields(), filter);

        if let Some((name, found)) = decided.added_field(filter) {
            let value = report_value(name, &found, "\r\n");
            told.added = (name.len() + value.len() + ":\r\n".len()) as u64;
            let value = of_field(value.as_bytes(), message)?;
            modifications.push(Modification::InsertHeader {
                index: 0,
                name: name.to_owned(),
                value,
            });
        }
    }
    told.json = written(Reply::of(&decided.decision), &modifications);
    Some(told)
}

fn written(reply: Option<Reply<'_>>, modifications: &[Modification]) -> Option<Vec<u8>> {
    let response = reply.map(|Reply { code, enhanced, text }| Response {
        status: code,
        message: format!("{enhanced} {text}"),
    });
    let action = if response.is_some() { "reject" } else { "accept" };
    serde_json::to_vec(&Answer { action, response, modifications }).ok()
}

/// A field of the header as it goes on.
struct Entry {
    name: String,
    value: String,
    /// Whether it stays where it is, if no new one comes after it.
    stays: bool,
}

/// Adds what turns the message into the planned one.
fn change(
    plan: &Plan<'_>,
    fields: &[PlannedField<'_>],
    message: &Message,
    filter: &Filter,
    modifications: &mut Vec<Modification>,
) -> Option<()> {
    let known = numbered(message.fields());
    let planned = by_start(fields);
    let change_of = |field: &Known<'_>| {
        let planned = planned.get(&field.start).copied();
        match (field.change(planned, filter), planned) {
            // A field that stays has its line ends mended.
            (Change::Kept, Some(planned)) if !is_as_it_came(planned, field, message) => {
                planned.written().next().map_or(Change::Kept, Change::Written)
            }
            (change, _) => change,
        }
    };
    let is_planned = |field: &Known<'_>| {
        planned.get(&field.start).is_some_and(|planned| planned.span().end == field.end)
    };
    let is_agreed = planned.len() == known.len() && known.iter().all(is_planned);
    let staying: HashSet<usize> = known
        .iter()
        .filter(|field| match change_of(field) {
            Change::Kept => is_agreed,
            // A name cannot be changed.
            Change::Written(written) => is_agreed && written.name() == field.name,
            Change::Deleted => false,
        })
        .map(|field| field.start)
        .collect();

    let entries = entries(fields, &staying, message, filter)?;
    let first_staying = entries.iter().rposition(|entry| !entry.stays).map_or(0, |last| last + 1);
    let (first, rest) = entries.split_at(first_staying);
    let is_moved = first.iter().all(|entry| !entry.stays || entry.value.starts_with([' ', '\t']));
    let count_of_rest = rest.len();
    let moved = if is_moved { staying.len() - count_of_rest } else { 0 };

    let mut number_of_staying = staying.len();
    for field in known.iter().rev() {
        let stays = staying.contains(&field.start);
        number_of_staying -= usize::from(stays);
        let is_deleted = !stays || number_of_staying < moved;
        let (index, name) = (field.number, text(field.name)?);
        match change_of(field) {
            _ if is_deleted => modifications.push(Modification::DeleteHeader { index, name }),
            Change::Written(written) => {
                let value = of_field(written.value(), message)?;
                modifications.push(Modification::ChangeHeader { index, name, value });
            }
            Change::Kept | Change::Deleted => {}
        }
    }
    for entry in first.iter().rev().filter(|entry| is_moved || !entry.stays) {
        let (name, value) = (entry.name.clone(), entry.value.clone());
        modifications.push(Modification::InsertHeader { index: 0, name, value });
    }

    if plan.changes_body() || !is_agreed {
        let mut body = Vec::new();
        plan.write_body_to(&mut body).ok()?;
        // No body at all would replace nothing.
        let value =
            if body.is_empty() { "\r\n".to_owned() } else { String::from_utf8(body).ok()? };
        modifications.push(Modification::ReplaceContents { value });
    }
    Some(())
}

/// Returns whether a field is written as it came, its line ends too.
fn is_as_it_came(planned: &PlannedField<'_>, field: &Known<'_>, message: &Message) -> bool {
    !message.has_line_ends || planned.octets() == &message.octets[field.start..field.end]
}

/// Returns the fields of a plan in order, without the filter's own.
fn entries(
    fields: &[PlannedField<'_>],
    staying: &HashSet<usize>,
    message: &Message,
    filter: &Filter,
) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    for field in fields.iter().filter(|field| !is_own(field, filter)) {
        let stays = has_value(field) && staying.contains(&field.span().start);
        for written in field.written() {
            let name = text(written.name())?;
            entries.push(Entry { name, value: of_field(written.value(), message)?, stays });
        }
    }
    Some(entries)
}

/// Deletes the filter's own fields of a message that is not changed otherwise.
fn remove_own(
    message: &Message,
    filter: &Filter,
    modifications: &mut Vec<Modification>,
) -> Option<()> {
    for field in numbered(message.fields()).into_iter().rev() {
        if filter.is_own_field(field.name) {
            let (index, name) = (field.number, text(field.name)?);
            modifications.push(Modification::DeleteHeader { index, name });
        }
    }
    Some(())
}

/// A value as the request has values: with its line end, or trimmed.
fn of_field(value: &[u8], message: &Message) -> Option<String> {
    let value = text(value)?;
    if message.has_line_ends {
        return Some(value + "\r\n");
    }
    // An empty value would delete the field.
    let trimmed = value.strip_prefix(' ').unwrap_or(&value);
    Some(if trimmed.is_empty() { " ".to_owned() } else { trimmed.to_owned() })
}

fn text(octets: &[u8]) -> Option<String> {
    std::str::from_utf8(octets).ok().map(ToOwned::to_owned)
}
