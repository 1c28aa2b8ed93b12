//! What is done to one message, wherever it comes from and goes to: no file is touched here, so that many can be
//! worked on at a time.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::Metadata;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use sevenbit::{Code, Issue, Message, Normalizer, Plan, Report};

use super::check;
#[cfg(feature = "parquet")]
use super::export::Row;
use super::line_ends::{wants_lf, with_lf};
use super::summary::Fate;
use super::verify::objection;
use crate::args::{LineEnds, Normalize};
use crate::exit::{Exit, Failure};
use crate::input::{Found, Item, Octets, Select};

/// What the reader hands on.
pub enum Job {
    /// A message.
    Message(Box<(Item, Octets)>),
    /// Anything else that was found, or that reading failed.
    Other(Result<Found, Failure>),
    /// Nothing can be done.
    Stop(Failure),
}

/// What comes of it.
pub enum Outcome {
    /// A message was worked on.
    Done(Box<Done>),
    /// It was handed through.
    Other(Result<Found, Failure>),
    /// Nothing can be done.
    Stop(Failure),
}

/// A message that was worked on.
pub struct Done {
    /// Where it comes from.
    pub item: Item,
    /// The file that it comes from, if it is one.
    pub file: Option<Metadata>,
    /// Its octets as they came, if they are asked for again.
    pub input: Option<Vec<u8>>,
    /// How many they were.
    pub octets_in: usize,
    /// The octets to write.
    pub octets: Vec<u8>,
    /// What was found and done.
    pub issues: Vec<Issue>,
    /// What became of it.
    pub fate: Fate,
    /// Why it is kept as it was, if it is.
    pub objection: Option<String>,
    /// What `--check` says.
    pub lines: Vec<u8>,
    /// The charsets of its parts.
    pub charsets: BTreeSet<String>,
    /// How long it took.
    pub took: Duration,
    /// What is exported.
    #[cfg(feature = "parquet")]
    pub row: Option<Row>,
}

/// What is to be done to each message.
pub struct Worker {
    normalizer: Normalizer,
    line_ends: Option<LineEnds>,
    in_place: bool,
    verify: bool,
    /// Whether `--check` says what would change.
    pub tells: bool,
    /// Whether the octets are written, or their number told.
    pub writes: bool,
    /// Whether the summary wants to know the charsets.
    pub charsets: bool,
    /// Whether a row of `--export` is asked for.
    #[cfg(feature = "parquet")]
    pub exports: bool,
    select: Select,
}

impl Worker {
    /// A worker as the options say.
    pub fn new(args: &Normalize, select: Select) -> Self {
        Self {
            normalizer: args.normalizer(),
            line_ends: args.line_ends,
            in_place: args.in_place,
            verify: args.verifies(),
            tells: false,
            writes: true,
            charsets: false,
            #[cfg(feature = "parquet")]
            exports: false,
            select,
        }
    }

    /// Does it.
    pub fn work(&self, job: Job) -> Outcome {
        let (item, octets) = match job {
            Job::Message(message) => *message,
            Job::Other(other) => return Outcome::Other(other),
            Job::Stop(failure) => return Outcome::Stop(failure),
        };
        if self.select.is_too_old(&octets.message) {
            return Outcome::Other(Ok(Found::Skipped));
        }
        // The library promises never to panic. A promise broken on one message of a million costs that one.
        let Octets { message, file } = octets;
        match catch_unwind(AssertUnwindSafe(|| self.message(&item, &message))) {
            Ok(made) => Outcome::Done(Box::new(made.with(item, file, message))),
            Err(_) => Outcome::Other(Err(Failure::new(
                Exit::Refused,
                &item.called(),
                "cannot be worked on; left out",
            ))),
        }
    }

    fn message(&self, item: &Item, message: &[u8]) -> Made {
        let begun = Instant::now();
        let plan = self.normalizer.plan(message);
        let lf = wants_lf(self.line_ends, self.in_place, item, message);
        let octets = if self.writes || lf { self.octets(&plan, lf, message) } else { None };
        let changed = if self.writes || lf { octets.is_some() } else { !plan.is_clean() };
        let objection = match &octets {
            Some(octets) if self.verify && !plan.is_refused() => objection(message, octets, plan.report()),
            _ => None,
        };
        let fate = Fate::of(plan.is_refused(), changed, objection.is_some());
        let lines = if self.tells && fate == Fate::Changed {
            check::lines(&item.called(), &plan)
        } else {
            Vec::new()
        };
        Made {
            octets: octets.filter(|_| objection.is_none()),
            issues: issues(plan.report(), lf),
            charsets: if self.charsets { charsets(message) } else { BTreeSet::new() },
            took: begun.elapsed(),
            #[cfg(feature = "parquet")]
            row: self.exports.then(|| Row::of(item, message, plan.report(), fate)),
            fate,
            objection,
            lines,
        }
    }

    /// The octets to write, if they are others than came.
    fn octets(&self, plan: &Plan<'_>, lf: bool, message: &[u8]) -> Option<Vec<u8>> {
        if plan.is_refused() || plan.is_clean() && !lf {
            return None;
        }
        let octets = plan.octets();
        let octets = if lf { with_lf(octets) } else { octets };
        match octets {
            Cow::Borrowed(_) => None,
            Cow::Owned(octets) => (octets != message).then_some(octets),
        }
    }
}

/// What was made of a message.
struct Made {
    octets: Option<Vec<u8>>,
    issues: Vec<Issue>,
    fate: Fate,
    objection: Option<String>,
    lines: Vec<u8>,
    charsets: BTreeSet<String>,
    took: Duration,
    #[cfg(feature = "parquet")]
    row: Option<Row>,
}

impl Made {
    fn with(self, item: Item, file: Option<Metadata>, message: Vec<u8>) -> Done {
        let octets_in = message.len();
        let (octets, input) = match self.octets {
            Some(octets) => (octets, None),
            None if self.objection.is_some() => (message.clone(), Some(message)),
            None => (message, None),
        };
        Done {
            item,
            file,
            input,
            octets_in,
            octets,
            issues: self.issues,
            fate: self.fate,
            objection: self.objection,
            lines: self.lines,
            charsets: self.charsets,
            took: self.took,
            #[cfg(feature = "parquet")]
            row: self.row,
        }
    }
}

/// What is to be told. Where LF is written, no line end was made CRLF.
fn issues(report: &Report, lf: bool) -> Vec<Issue> {
    let told = |issue: &&Issue| !(lf && issue.code() == Code::LineEndsNormalized);
    report.issues().iter().filter(told).cloned().collect()
}

/// The charsets that the parts of a message are labelled with, in lower case.
fn charsets(message: &[u8]) -> BTreeSet<String> {
    let message = Message::parse(message);
    message.leaves().filter_map(|part| part.charset_label().map(str::to_ascii_lowercase)).collect()
}
