//! Processes one large message, as far as that is possible without most of it.

use std::fs::File;
use std::io;
use std::time::Instant;

use sevenbit::Abridged;

use super::ending::Ending;
use super::line_ends::wants_lf;
use super::made::{Made, New, issues};
use super::single;
use super::task::Task;
use crate::input::Item;

/// Processes it, and returns whether it is written with LF; nothing if its plan is not that of the
/// whole, or if something else needs the whole: `--verify` and `--check` look at a message that
/// changes.
pub fn make(
    task: &Task,
    item: &Item,
    message: &mut Abridged<File>,
    has_cr: impl Fn() -> io::Result<bool>,
) -> io::Result<Option<(Made, bool)>> {
    let begun = Instant::now();
    let head = message.head();
    let heading = task.heading(head);
    let lf = wants_lf(task.line_ends, task.in_place, item, head);
    let is_doubtful = single::doubt(task, item, head, || File::open(&item.name))?.is_some();
    let Some(mut plan) = task.plan_abridged(message) else { return Ok(None) };
    let stays = if lf {
        // Only line ends would change, from LF to CRLF and back.
        plan.edits().next().is_none() && !has_cr()?
    } else {
        !plan.report().is_changed()
    };
    let new = if task.prints && task.asks_for_issues() {
        return Ok(None);
    } else if plan.report().is_refused() || stays {
        New::Same
    } else if task.verify || task.prints || is_doubtful {
        return Ok(None);
    } else if !task.reports {
        New::Planned(0)
    } else if lf {
        New::Planned(plan.write_lf_to(io::sink())?)
    } else {
        New::Planned(plan.write_to(io::sink())?)
    };
    let ending = Ending::of(plan.report().is_refused(), !matches!(new, New::Same), false);
    let made = Made::new(
        task,
        heading,
        new,
        ending,
        issues(plan.report().issues(), lf),
        plan.charset_labels(),
        begun,
    );
    // A refused message passes as it is.
    Ok(Some((made, lf && !plan.report().is_refused())))
}
