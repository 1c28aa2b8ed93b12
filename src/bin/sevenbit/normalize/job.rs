//! What there is to do, and what came of it: data only, on its way between the reader, the workers and the writer.

use std::fs::{File, Metadata};
use std::time::Duration;

use sevenbit::{Abridged, Code, Issue};

#[cfg(feature = "parquet")]
use super::row::Row;
use super::verdict::Verdict;
use crate::exit::Failure;
use crate::input::{Found, Item, Large, Long, Octets, Taken};

/// What was read.
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
    /// Only what holds it.
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
    /// How many octets the message may take in memory.
    pub fn length(&self) -> usize {
        match self {
            Self::Whole(octets) => octets.message.len(),
            Self::Large(large) => usize::try_from(large.message.length()).unwrap_or(usize::MAX),
            Self::Long(_) => 0, // nothing of it is in memory
        }
    }
}

/// What came of a job.
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
    /// How many octets that is; of a planned one only if there is a report to put it in.
    pub octets_out: u64,
    /// What was found and done, for a report.
    pub issues: Vec<Issue>,
    /// The codes of that, each once, for the summary.
    pub codes: Vec<Code>,
    /// What became of it.
    pub verdict: Verdict,
    /// Why it is kept as it was, if it is.
    pub objection: Option<String>,
    /// Whether something in it was over a limit.
    pub over_limit: bool,
    /// All of it as it came, if it was over a limit and is written otherwise.
    pub original: Option<Vec<u8>>,
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
    /// What [`Task::plan`](super::task::Task::plan) makes of these: a large message is made while it is written, so that
    /// it is in memory once. Planning it again takes less time than reading it.
    Planned(Vec<u8>),
    /// What [`Task::plan_abridged`](super::task::Task::plan_abridged) makes of a message that is not in memory at all.
    Abridged {
        /// What is in memory of it.
        message: Box<Abridged<File>>,
        /// Whether it is written with LF.
        lf: bool,
    },
    /// What [`Opaque`](sevenbit::Opaque) makes of a message that is too long.
    Opaque {
        /// What holds it.
        file: File,
        /// Whether it is written with LF.
        lf: bool,
    },
}
