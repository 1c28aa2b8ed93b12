//! Processes one message that is too long to be held: its header is written as always, its body as
//! it is.

use std::io::{self, Seek};
use std::time::Instant;

use sevenbit::Opaque;

use super::check;
use super::ending::Ending;
use super::line_ends::wants_lf;
use super::made::{Made, New, issues};
#[cfg(feature = "parquet")]
use super::row::Row;
use super::task::Task;
use crate::input::{Item, Long};

/// Processes it, and returns whether it is written with LF and the length of the output, if there
/// is a report to put it in; nothing if it is too old.
pub fn make(task: &Task, item: &Item, long: &Long) -> io::Result<Option<(Made, bool, u64)>> {
    let begun = Instant::now();
    (&long.file).rewind()?;
    let opaque = Opaque::read(&long.file, &task.normalizer)?;
    let head = opaque.head();
    if task.select.is_of_other_day(head) {
        return Ok(None);
    }
    let lf = wants_lf(task.line_ends, task.in_place, item, head);
    let found = || issues(opaque.report().issues(), lf);
    let labels = std::iter::empty();
    let mut made =
        Made::new(task, task.heading(head), New::Same, Ending::Changed, found(), labels, begun);
    if task.prints {
        made.lines = check::lines(task, &item.called(), head, found());
    }
    #[cfg(feature = "parquet")]
    {
        made.row = task.exports.then(|| Row::of(item, head, opaque.report(), Ending::Changed));
    }
    let octets = match (task.reports, lf) {
        (false, _) => 0,
        (true, true) => opaque.write_lf_to(io::sink())?,
        (true, false) => opaque.write_to(io::sink())?,
    };
    Ok(Some((made, lf, octets)))
}
