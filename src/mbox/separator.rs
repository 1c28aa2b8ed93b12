//! Which `From ` lines separate messages: rule 1 of the module. What is near such a line decides,
//! and how the file begins, so that every reader, wherever it begins, sees the same.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Dialect;
use super::postmark::{
    POSTMARK, blank, blank_at_end, from_line, has_date, has_time, is_bare, is_field, is_numbered,
    is_patch, is_postmark, last_line, line, nuls_at_end,
};

/// How far a line is examined, and how far back from a `From ` line.
pub(super) const LINE: usize = 4096;

/// The beginning of a `From ` line.
static FROM: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(POSTMARK));

/// Returns where the first line of `octets` that begins with `From ` does so, at `from` or after
/// it, but not at 0. Octets 00 may have taken the place of the line end before it.
pub(super) fn next_from(octets: &[u8], from: usize) -> Option<usize> {
    let mut at = from.max(1);
    loop {
        at += FROM.find(octets.get(at..)?)?;
        if matches!(octets[at - 1], b'\n' | b'\r' | 0) {
            return Some(at);
        }
        at += 1;
    }
}

/// How a file begins: programs that write separators of a kind of their own begin with one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum First {
    /// In any other way.
    #[default]
    Other,
    /// With the separator of Thunderbird, a bare `From `, or that of its older versions, `From - `
    /// and a date.
    Bare,
    /// With the first line of `git format-patch`.
    Patch,
}

impl First {
    /// Returns how a file begins, by its first octets after empty lines.
    pub(super) fn of(octets: &[u8]) -> Self {
        let octets = &octets[..octets.len().min(2 * LINE)];
        let (first, length) = from_line(octets);
        let (next, _) = line(&octets[length..]);
        if is_bare(first) && has_header(next) || first.starts_with(b"From - ") && has_date(first) {
            Self::Bare
        } else if is_patch(first) {
            Self::Patch
        } else {
            Self::Other
        }
    }
}

/// The facts that decide, apart from what is near a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) dialect: Dialect,
    pub(super) first: First,
}

/// The answer for a `From ` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    /// Whether it separates messages.
    pub(super) separates: bool,
    /// Whether that is not certain.
    pub(super) is_doubtful: bool,
}

impl Rules {
    /// Judges a `From ` line by rule 1. `before` is what precedes it, up to [`LINE`] octets; of
    /// `after`, which begins with the line, twice as many are examined.
    pub(super) fn judge(self, before: &[u8], after: &[u8]) -> Judged {
        let after = &after[..after.len().min(2 * LINE)];
        let (found, length) = from_line(after);
        let rest = &after[length..];
        let has_header = has_header(line(rest).0);
        let judged = |separates, is_doubtful| Judged { separates, is_doubtful };
        let whole = &before[..before.len() - nuls_at_end(before)];
        let is_torn = whole.len() < before.len();
        if is_torn && !matches!(whole.last(), None | Some(b'\n' | b'\r')) {
            // The end of the line before was lost with what came after it.
            let separates = has_header && (has_date(found) || is_numbered(found));
            return judged(separates, separates);
        }
        let last = || last_line(whole, LINE);
        let is_apart = is_torn
            || blank_at_end(whole).is_some()
            || last().is_some_and(|last| last.starts_with(POSTMARK) && has_date(last));
        if self.dialect.quotes_every_line() && is_apart {
            return judged(true, false);
        }
        if is_patch(found) && self.first != First::Patch {
            return judged(false, is_apart && has_header);
        }
        if self.first == First::Bare && is_bare(found) {
            return judged(has_header, !has_header);
        }
        match (has_header, is_apart) {
            (true, true) => judged(true, !has_date(found) && !is_numbered(found)),
            (true, false) => judged(has_date(found), has_date(found) || is_bare(found)),
            // A message without a header.
            (false, true) if is_postmark(found) && ends_or_begins(rest) => judged(true, true),
            (false, true) => judged(false, has_time(found)),
            (false, false) => judged(false, false),
        }
    }

    /// Judges the `From ` line at `at` in octets that go on far enough.
    pub(super) fn judge_at(self, octets: &[u8], at: usize) -> Judged {
        self.judge(&octets[at.saturating_sub(LINE)..at], &octets[at..])
    }

    /// Returns the first `From ` line in `octets` that separates messages, from `from` on and
    /// before `to`; each place that is doubtful is given to `doubt`.
    pub(super) fn first_separator(
        self,
        octets: &[u8],
        from: usize,
        to: usize,
        mut doubt: impl FnMut(usize),
    ) -> Option<usize> {
        let mut at = from;
        while let Some(found) = next_from(octets.get(..to)?, at) {
            let judged = self.judge_at(octets, found);
            if judged.is_doubtful {
                doubt(found);
            }
            if judged.separates {
                return Some(found);
            }
            at = found + 1;
        }
        None
    }
}

/// Returns whether a header begins with this line. Some programs left a quoted `From ` line before
/// it.
pub(super) fn has_header(line: &[u8]) -> bool {
    is_field(line) || line.starts_with(b">From ")
}

/// Returns whether what follows a `From ` line is nothing, an empty line or the next one.
fn ends_or_begins(rest: &[u8]) -> bool {
    rest.is_empty() || blank(rest).is_some() || rest.starts_with(POSTMARK)
}
