//! What is done to one message, wherever it comes from and goes to: nothing is written here, so that many can be worked
//! on at a time.

use std::fs::{File, Metadata};
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use memchr::memchr;
use sevenbit::{Abridged, Code, Issue, Normalizer, Plan, Profile, Report};

use super::check;
#[cfg(feature = "parquet")]
use super::export::Row;
use super::line_ends::wants_lf;
use super::summary::Fate;
use super::verify::{is_no_mail, objection};
use crate::args::{LineEnds, Normalize};
use crate::exit::{Exit, Failure};
use crate::input::{Found, Home, Item, LARGE, Large, Octets, Select, Skipped};

/// What is read.
pub enum Job {
    /// A message.
    Message((Item, Read)),
    /// Anything else that was found, or that reading failed.
    Other(Result<Found, Failure>),
    /// Nothing can be done.
    Stop(Failure),
}

/// A message as it was read.
pub enum Read {
    /// All of it.
    Whole(Octets),
    /// Without what is copied from its file when it is written.
    Large(Box<Large>),
}

impl Read {
    /// How many octets the message has.
    pub fn length(&self) -> usize {
        match self {
            Self::Whole(octets) => octets.message.len(),
            Self::Large(large) => usize::try_from(large.message.length()).unwrap_or(usize::MAX),
        }
    }
}

/// What comes of it.
#[expect(clippy::large_enum_variant, reason = "nearly all are messages: a box for each would only cost")]
pub enum Outcome {
    /// A message was worked on.
    Done(Done),
    /// Something else was found.
    Found(Found),
    /// It cannot be read or worked on.
    Failed(Failure),
    /// Nothing can be done.
    Stop(Failure),
}

/// A message that was worked on.
pub struct Done {
    /// Where it comes from.
    pub item: Item,
    /// The file that it comes from, if it is one.
    pub file: Option<Metadata>,
    /// How many octets it has.
    pub octets_in: u64,
    /// What is to be written.
    pub body: Body,
    /// How many octets that are; of a planned one, if anybody wants to know.
    pub octets_out: u64,
    /// What was found and done, for a report.
    pub issues: Vec<Issue>,
    /// The codes of that, each once, for the summary.
    pub codes: Vec<Code>,
    /// What became of it.
    pub fate: Fate,
    /// Why it is kept as it was, if it is.
    pub objection: Option<String>,
    /// What `--check` says.
    pub lines: Vec<u8>,
    /// The charsets of its parts, each once, for the summary.
    pub charsets: Vec<String>,
    /// How long it took.
    pub took: Duration,
    /// What is exported.
    #[cfg(feature = "parquet")]
    pub row: Option<Row>,
}

/// What is to be written of a message.
pub enum Body {
    /// These octets.
    Octets(Vec<u8>),
    /// What [`Worker::plan`] makes of these: a large message is made while it is written, so that it is in memory
    /// once. Planning it again takes less time than reading it.
    Planned(Vec<u8>),
    /// What [`Worker::plan_abridged`] makes of a message that is not in memory at all.
    Abridged {
        /// What is in memory of it.
        message: Box<Abridged<File>>,
        /// Whether it is written with LF.
        lf: bool,
    },
}

/// What is to be done to each message.
pub struct Worker {
    pub(super) normalizer: Normalizer,
    profile: Profile,
    pub(super) line_ends: Option<LineEnds>,
    pub(super) in_place: bool,
    pub(super) verify: bool,
    /// Whether `--check` says what would change.
    pub tells: bool,
    /// Whether nothing is written.
    pub looks: bool,
    /// Whether a report is written: the issues, and how many octets come of it.
    pub reports: bool,
    /// Whether a summary is told: codes and charsets.
    pub sums: bool,
    /// Whether a row of `--export` is asked for.
    #[cfg(feature = "parquet")]
    pub exports: bool,
    pub(super) select: Select,
}

impl Worker {
    /// A worker as the options say.
    pub fn new(args: &Normalize, select: Select) -> Self {
        Self {
            normalizer: args.normalizer(),
            profile: args.profile.into(),
            line_ends: args.line_ends,
            in_place: args.in_place,
            verify: args.verifies(),
            tells: false,
            looks: args.only_looks(),
            reports: false,
            sums: false,
            #[cfg(feature = "parquet")]
            exports: false,
            select,
        }
    }

    /// Whether what is to be done to a message takes all of its octets, whatever they are.
    pub fn needs_all(&self) -> bool {
        #[cfg(feature = "parquet")]
        return self.exports;
        #[cfg(not(feature = "parquet"))]
        return false;
    }

    /// Does it.
    pub fn work(&self, job: Job) -> Outcome {
        let (item, octets) = match job {
            Job::Message((item, Read::Whole(octets))) => (item, octets),
            Job::Message((item, Read::Large(large))) => return self.large(item, large),
            Job::Other(Ok(found)) => return Outcome::Found(found),
            Job::Other(Err(failure)) => return Outcome::Failed(failure),
            Job::Stop(failure) => return Outcome::Stop(failure),
        };
        if self.select.is_too_old(&octets.message) {
            return Outcome::Found(Found::Skipped(Skipped::TooOld));
        }
        // The library promises never to panic. A promise broken on one message of a million costs that one.
        let Octets { message, file } = octets;
        match catch_unwind(AssertUnwindSafe(|| self.message(&item, &message))) {
            Ok(made) => Outcome::Done(made.with(item, file, message)),
            Err(_) => left_out(&item),
        }
    }

    /// What is to be done to a message.
    pub fn plan<'a>(&self, message: &'a [u8]) -> Plan<'a> {
        self.normalizer.plan(message)
    }

    fn message(&self, item: &Item, message: &[u8]) -> Made {
        let begun = Instant::now();
        let plan = self.plan(message);
        let lf = wants_lf(self.line_ends, self.in_place, item, message);
        let new = self.new_octets(&plan, lf, message);
        let objection = match &new {
            // What lies in a Maildir is mail, whatever it looks like.
            New::Octets(_) | New::Planned(_)
                if self.in_place && !matches!(item.home, Home::Maildir) && is_no_mail(message) =>
            {
                Some("it has no header field: no mail".to_owned())
            }
            New::Octets(octets) if self.verify => objection(message, octets, plan.report()),
            _ => None,
        };
        let fate = Fate::of(plan.is_refused(), !matches!(new, New::Same), objection.is_some());
        let lines = if self.tells && fate == Fate::Changed {
            check::lines(&item.called(), message, issues(plan.report(), lf), self.profile)
        } else {
            Vec::new()
        };
        let new = if objection.is_some() { New::Same } else { new };
        Made {
            #[cfg(feature = "parquet")]
            row: self.exports.then(|| Row::of(item, message, plan.report(), fate)),
            objection,
            lines,
            ..self.made(new, fate, plan.report(), lf, plan.charset_labels(), begun)
        }
    }

    /// What is told of a message wherever it is.
    pub(super) fn made<'a>(
        &self,
        new: New,
        fate: Fate,
        report: &Report,
        lf: bool,
        labels: impl Iterator<Item = &'a str>,
        begun: Instant,
    ) -> Made {
        Made {
            new,
            issues: if self.reports { issues(report, lf).cloned().collect() } else { Vec::new() },
            codes: if self.sums { codes(issues(report, lf)) } else { Vec::new() },
            charsets: if self.sums { charsets(labels) } else { Vec::new() },
            took: begun.elapsed(),
            #[cfg(feature = "parquet")]
            row: None,
            fate,
            objection: None,
            lines: Vec::new(),
        }
    }

    fn new_octets(&self, plan: &Plan<'_>, lf: bool, message: &[u8]) -> New {
        if plan.is_refused() || plan.is_clean() && !lf {
            return New::Same;
        }
        // Nothing but line ends: CRLF for LF, and LF for that again.
        if lf && plan.edits().next().is_none() && memchr(b'\r', message).is_none() {
            return New::Same;
        }
        if !lf && !self.verify && (self.looks || message.len() >= LARGE) {
            let count = || plan.write_to(io::sink()).unwrap_or_default();
            return New::Planned(if self.reports { count() } else { 0 });
        }
        let octets = if lf { octets_with_lf(plan, message.len()) } else { plan.octets().into_owned() };
        if octets == message { New::Same } else { New::Octets(octets) }
    }
}

fn octets_with_lf(plan: &Plan<'_>, length: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(length + length / 8);
    // Writing to memory does not fail.
    let _ = plan.write_lf_to(&mut out);
    out
}

/// What is to be written instead of what came.
pub(super) enum New {
    /// Nothing else.
    Same,
    /// These octets.
    Octets(Vec<u8>),
    /// So many that are still to be made.
    Planned(u64),
}

/// What was made of a message.
pub(super) struct Made {
    pub(super) new: New,
    issues: Vec<Issue>,
    codes: Vec<Code>,
    fate: Fate,
    objection: Option<String>,
    lines: Vec<u8>,
    charsets: Vec<String>,
    took: Duration,
    #[cfg(feature = "parquet")]
    row: Option<Row>,
}

impl Made {
    fn with(mut self, item: Item, file: Option<Metadata>, message: Vec<u8>) -> Done {
        let octets_in = message.len() as u64;
        let (octets_out, body) = match mem::replace(&mut self.new, New::Same) {
            New::Same => (octets_in, Body::Octets(message)),
            New::Octets(octets) => (octets.len() as u64, Body::Octets(octets)),
            New::Planned(length) => (length, Body::Planned(message)),
        };
        self.done(item, file, octets_in, octets_out, body)
    }

    pub(super) fn done(
        self,
        item: Item,
        file: Option<Metadata>,
        octets_in: u64,
        octets_out: u64,
        body: Body,
    ) -> Done {
        Done {
            item,
            file,
            octets_in,
            body,
            octets_out,
            issues: self.issues,
            codes: self.codes,
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

pub(super) fn left_out(item: &Item) -> Outcome {
    Outcome::Failed(Failure::new(Exit::Refused, &item.called(), "cannot be worked on; left out"))
}

/// What is to be told. Where LF is written, no line end was made CRLF.
fn issues(report: &Report, lf: bool) -> impl Iterator<Item = &Issue> {
    report.issues().iter().filter(move |issue| !(lf && issue.code() == Code::LineEndsNormalized))
}

/// A code counts once a message: how many messages are concerned is what a person asks.
fn codes<'a>(issues: impl Iterator<Item = &'a Issue>) -> Vec<Code> {
    let mut codes: Vec<Code> = issues.map(Issue::code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The charsets that the parts of a message are labelled with, in lower case.
fn charsets<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
    let labels = labels.filter(|label| !label.is_empty());
    let mut labels: Vec<String> = labels.map(str::to_ascii_lowercase).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}
