//! What a run over many messages came to, for a person.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Write as _};
use std::time::{Duration, Instant};

use sevenbit::{Code, Plan, Report};

use crate::term::{grouped, rate, seconds, size, style};

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was, or would be, written otherwise than it came.
    Changed,
    /// It was in its normal form.
    Normal,
    /// It passed as it was because a signature would have broken.
    Refused,
}

impl Fate {
    /// That of a planned message.
    pub fn of(plan: &Plan<'_>) -> Self {
        if plan.is_refused() {
            Self::Refused
        } else if plan.is_clean() {
            Self::Normal
        } else {
            Self::Changed
        }
    }
}

/// Counts over a run.
#[derive(Debug)]
pub struct Summary {
    begun: Instant,
    changed: u64,
    normal: u64,
    refused: u64,
    failed: u64,
    skipped: u64,
    octets: u64,
    codes: BTreeMap<Code, u64>,
}

impl Default for Summary {
    fn default() -> Self {
        let (begun, codes) = (Instant::now(), BTreeMap::new());
        Self { begun, changed: 0, normal: 0, refused: 0, failed: 0, skipped: 0, octets: 0, codes }
    }
}

impl Summary {
    /// Counts a message.
    pub fn count(&mut self, fate: Fate, octets: usize, report: &Report) {
        match fate {
            Fate::Changed => self.changed += 1,
            Fate::Normal => self.normal += 1,
            Fate::Refused => self.refused += 1,
        }
        self.octets += octets as u64;
        // A code counts once a message: how many messages are concerned is what a person asks.
        let codes: BTreeSet<Code> = report.issues().iter().map(sevenbit::Issue::code).collect();
        for code in codes {
            *self.codes.entry(code).or_default() += 1;
        }
    }

    /// Counts an input that failed.
    pub fn failed(&mut self) {
        self.failed += 1;
    }

    /// Counts what was left alone.
    pub fn skipped(&mut self) {
        self.skipped += 1;
    }

    /// The table; `checked` if nothing was written.
    pub fn told(&self, checked: bool) -> impl Display {
        Told { summary: self, checked, time: self.begun.elapsed() }
    }

    /// The most frequent first.
    fn by_frequency(&self) -> Vec<(Code, u64)> {
        let mut codes: Vec<_> = self.codes.iter().map(|(code, count)| (*code, *count)).collect();
        codes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        codes
    }
}

struct Told<'a> {
    summary: &'a Summary,
    checked: bool,
    time: Duration,
}

impl Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head(f)?;
        let summary = self.summary;
        let changed = if self.checked { "would change" } else { "changed" };
        row(f, changed, summary.changed, style::STRONG)?;
        row(f, "already normal", summary.normal, style::STRONG)?;
        row(f, "refused", summary.refused, style::ODD)?;
        row(f, "failed", summary.failed, style::BAD)?;
        if summary.skipped > 0 {
            row(f, "skipped (links and special files)", summary.skipped, style::STRONG)?;
        }
        let codes = summary.by_frequency();
        if codes.is_empty() {
            return Ok(());
        }
        let label = style::LABEL;
        write!(f, "\n\n{label}  messages  what was found{label:#}")?;
        codes.into_iter().try_for_each(|(code, count)| found(f, code, count))
    }
}

impl Told<'_> {
    /// `5,231 messages, 132.4 MB in 3.2 s (41.2 MB/s, 1,634 messages/s)`
    fn head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { summary, time, .. } = self;
        let messages = summary.changed + summary.normal + summary.refused;
        let plural = if messages == 1 { "" } else { "s" };
        let strong = style::STRONG;
        write!(f, "{strong}{} message{plural}{strong:#}, {}", grouped(messages), size(summary.octets))?;
        write!(f, " in {} ({}/s, ", seconds(*time), size(rate(summary.octets, *time)))?;
        write!(f, "{} messages/s)", grouped(rate(messages, *time)))
    }
}

/// One count; what did not happen is faint.
fn row(f: &mut fmt::Formatter<'_>, name: &str, count: u64, style: anstyle::Style) -> fmt::Result {
    let style = if count == 0 { style::FAINT } else { style };
    write!(f, "\n{style}{:>10}  {name}{style:#}", grouped(count))
}

fn found(f: &mut fmt::Formatter<'_>, code: Code, count: u64) -> fmt::Result {
    let (style, faint) = (style::of(code.severity()), style::FAINT);
    f.write_char('\n')?;
    write!(f, "{:>10}  {style}{:<28}{style:#}", grouped(count), code.as_str())?;
    write!(f, " {faint}{}{faint:#}", code.summary())
}
