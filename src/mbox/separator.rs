//! Which `From ` lines separate messages: rule 1 of the module. What is near such a line decides, so that
//! every reader, wherever it begins, sees the same.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Dialect;
use super::postmark::{POSTMARK, blank_at_end, has_date, has_time, is_field, last_line, line};

/// How far a line is examined, and how far back from a `From ` line.
pub(super) const LINE: usize = 4096;

/// A `From ` line after a line end.
pub(super) static FROM_LINE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\nFrom "));

/// Returns whether a `From ` line separates messages: rule 1. `before` is what precedes it, up to [`LINE`]
/// octets; of `after`, which begins with the line, twice as many are examined.
pub(super) fn separates(before: &[u8], after: &[u8], dialect: Dialect) -> bool {
    let after = &after[..after.len().min(2 * LINE)];
    let (found, length) = line(after);
    let (next, _) = line(&after[length..]);
    let has_header = is_field(next) || next.starts_with(b">From ");
    let is_apart = || {
        let last = last_line(before, LINE);
        blank_at_end(before).is_some()
            || last.is_some_and(|last| last.starts_with(POSTMARK) && has_date(last))
    };
    if has_header && has_date(found) {
        return true;
    }
    (dialect.quotes_every_line() || has_header || has_time(found)) && is_apart()
}

/// Returns whether the `From ` line at `at` in octets that go on far enough separates messages.
pub(super) fn separates_at(octets: &[u8], at: usize, dialect: Dialect) -> bool {
    separates(&octets[at.saturating_sub(LINE)..at], &octets[at..], dialect)
}

/// Returns the first `From ` line in `octets` that separates messages, after a line end from `from` on and
/// before `to`.
pub(super) fn first_separator(octets: &[u8], from: usize, to: usize, dialect: Dialect) -> Option<usize> {
    let mut at = from;
    while let Some(found) = FROM_LINE.find(octets.get(at..to)?) {
        at += found + 1;
        if separates_at(octets, at, dialect) {
            return Some(at);
        }
    }
    None
}
