//! Jobs and their outcomes: data only, on its way between the reader, the workers and the writer.

use std::fs::{File, Metadata};
use std::time::Duration;

use sevenbit::{Abridged, Code, Issue};

use super::ending::Ending;
#[cfg(feature = "parquet")]
use super::row::Row;
use crate::exit::Failure;
use crate::heading::Heading;
use crate::identity::Identity;
use crate::input::{Found, Item, Large, Long, Octets, Taken};
use crate::json::PlacedIssue;

/// The result of reading.
pub enum Job {
    /// A message.
    Message((Item, Read)),
    /// Anything else that was found, or the error of reading it.
    Other(Result<Found, Failure>),
    /// The run cannot go on.
    Stop(Failure),
}

/// A message as it was read.
pub enum Read {
    /// All of it.
    Whole(Octets),
    /// Without the octets that are copied from its file when it is written.
    Large(Box<Large>),
    /// Only its file.
    Long(Box<Long>),
}

impl From<Taken> for Read {
    fn from(taken: Taken) -> Self {
        match taken {
            Taken::Whole(octets) => Self::Whole(octets),
            Taken::Long(long) => Self::Long(Box::new(long)),
        }
    }
}

impl Read {
    /// How many octets of memory the message may take.
    pub fn length(&self) -> usize {
        match self {
            Self::Whole(octets) => octets.message.len(),
            Self::Large(large) => usize::try_from(large.message.length()).unwrap_or(usize::MAX),
            Self::Long(_) => 0, // nothing of it is in memory
        }
    }
}

/// The result of a job.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are messages: a box for each would only cost"
)]
pub enum Outcome {
    /// A message was processed.
    Done(Done),
    /// Something else was found.
    Found(Found),
    /// A message in this file is too long to be replaced in place.
    TooLong(Item, File),
    /// A message cannot be read or processed.
    Failed(Failure),
    /// The run cannot go on.
    Stop(Failure),
}

/// A message that was processed.
pub struct Done {
    /// Where it comes from.
    pub item: Item,
    /// What its copies have in common, if they are left out.
    pub identity: Option<Identity>,
    /// The file that it comes from, if it is one.
    pub file: Option<Metadata>,
    /// Its length in octets.
    pub octets_in: u64,
    /// The content to be written.
    pub body: Body,
    /// The length of the output; of a planned one only if there is a report to put it in.
    pub octets_out: u64,
    /// The issues, for a report.
    pub issues: Vec<Issue>,
    /// The first and the last line of each of them, with `--line-numbers`.
    pub issue_lines: Option<Vec<Option<[usize; 2]>>>,
    /// The codes of those issues, each once, for the summary.
    pub codes: Vec<Code>,
    /// The result of normalising it.
    pub ending: Ending,
    /// Why it is kept as it was, if it is.
    pub objection: Option<String>,
    /// Whether something in it was over a limit.
    pub over_limit: bool,
    /// Whether any issue is listed.
    pub is_listed: bool,
    /// All of it as it came, if it was over a limit and the output differs.
    pub original: Option<Vec<u8>>,
    /// The output of `--check`.
    pub lines: Vec<u8>,
    /// The charsets of its parts, each once, for the summary.
    pub charsets: Vec<String>,
    /// The Message-ID and the subject, for a report.
    pub heading: Heading,
    /// How long it took.
    pub took: Duration,
    /// The row that is exported.
    #[cfg(feature = "parquet")]
    pub row: Option<Row>,
}

impl Done {
    /// The issues for a report, each with its lines if they are asked for.
    pub fn placed_issues(&self) -> impl Iterator<Item = PlacedIssue<'_>> {
        let lines = |at: usize| self.issue_lines.as_ref().map(|lines| lines[at]);
        self.issues
            .iter()
            .enumerate()
            .map(move |(at, issue)| PlacedIssue { issue, lines: lines(at) })
    }
}

/// The content to be written for a message.
pub enum Body {
    /// These octets.
    Octets(Vec<u8>),
    /// The output of [`Task::plan`](super::task::Task::plan) for these octets: a large message is
    /// made while it is written, so that it is in memory once. Planning it again takes less time
    /// than reading it.
    Planned(Vec<u8>),
    /// The output of [`Task::plan_abridged`](super::task::Task::plan_abridged) for a message that
    /// is not in memory at all.
    Abridged {
        /// The part of it that is in memory.
        message: Box<Abridged<File>>,
        /// Whether it is written with LF.
        lf: bool,
    },
    /// The output of [`Opaque`](sevenbit::Opaque) for a message that is too long.
    Opaque {
        /// The file that contains it.
        file: File,
        /// Whether it is written with LF.
        lf: bool,
    },
}
