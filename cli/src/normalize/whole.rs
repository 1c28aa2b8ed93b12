//! Processes one message that is in memory.

use std::borrow::Cow;
use std::io;
use std::time::Instant;

use memchr::memchr;
use sevenbit::{Issue, Plan, UnpackedTnef};

use super::check;
use super::ending::Ending;
use super::line_ends::wants_lf;
use super::made::{Made, New, issues};
#[cfg(feature = "parquet")]
use super::row::Row;
use super::single;
use super::task::Task;
use super::verify;
use crate::input::{Item, LARGE};

/// Processes it.
pub fn make(task: &Task, item: &Item, message: &[u8]) -> Made {
    let begun = Instant::now();
    let unpacked = if task.unpacks_tnef { UnpackedTnef::of(message) } else { None };
    let source = unpacked.as_ref().map_or(message, UnpackedTnef::octets);
    let plan = task.plan(source);
    let unpacked = if plan.report().is_refused() { None } else { unpacked.as_ref() };
    let found: Cow<'_, [Issue]> = match unpacked {
        Some(unpacked) => unpacked.issues(plan.report()).into(),
        None => plan.report().issues().into(),
    };
    let lf = wants_lf(task.line_ends, task.in_place, item, message);
    let new = match (new_octets(task, &plan, lf, source), unpacked) {
        (New::Same, Some(_)) => New::Octets(source.to_vec()),
        (New::Planned(_), Some(_)) => New::Octets(plan.octets().into_owned()),
        (new, _) => new,
    };
    let objection = match &new {
        New::Same => None,
        New::Octets(_) | New::Planned(_) => doubt(task, item, message),
    };
    let objection = match &new {
        New::Octets(octets) if task.verify && objection.is_none() => {
            verify::objection(source, octets, plan.report(), task.limits)
        }
        _ => objection,
    };
    let ending =
        Ending::of(plan.report().is_refused(), !matches!(new, New::Same), objection.is_some());
    let lines = if task.prints && (ending == Ending::Changed || task.asks_for_issues()) {
        check::lines(task, &item.called(), message, issues(&found, lf))
    } else {
        Vec::new()
    };
    let new = if objection.is_some() { New::Same } else { new };
    let mut made = Made::new(
        task,
        task.heading(message),
        new,
        ending,
        issues(&found, lf),
        plan.charset_labels(),
        begun,
    );
    #[cfg(feature = "parquet")]
    {
        made.row = task.exports.then(|| Row::of(item, message, plan.report(), ending));
    }
    (made.objection, made.lines) = (objection, lines);
    if task.reports && task.line_numbers {
        made.find_lines(message);
    }
    made
}

/// Reading from memory does not fail.
fn doubt(task: &Task, item: &Item, message: &[u8]) -> Option<String> {
    single::doubt(task, item, message, || Ok(message)).unwrap_or_default().map(str::to_owned)
}

fn new_octets(task: &Task, plan: &Plan<'_>, lf: bool, message: &[u8]) -> New {
    if plan.report().is_refused() || !plan.report().is_changed() && !lf {
        return New::Same;
    }
    // Only line ends would change, from LF to CRLF and back.
    if lf && plan.edits().next().is_none() && memchr(b'\r', message).is_none() {
        return New::Same;
    }
    if !lf && !task.verify && (task.only_looks || message.len() >= LARGE) {
        let count = || plan.write_to(io::sink()).unwrap_or_default();
        return New::Planned(if task.reports { count() } else { 0 });
    }
    let octets = if lf { octets_with_lf(plan, message.len()) } else { plan.octets().into_owned() };
    if octets == message { New::Same } else { New::Octets(octets) }
}

fn octets_with_lf(plan: &Plan<'_>, length: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(length + length / 8);
    // Writing to memory does not fail.
    let _ = plan.write_lf_to(&mut out);
    out
}
