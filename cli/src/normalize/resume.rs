//! `--resume`: a job keeps a journal beside its output while it runs. A run with
//! `--resume` continues it if it is the same job, and starts a new one if there is none.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};

use super::job::Outcome;
use super::report::Report;
use crate::args::Normalize;
use crate::exit::{Exit, Failure};
use crate::input::{Input, Inputs};
use crate::output::{Journal, Mark, Output, Resumable, Target, companion};
use crate::place::{resolve, shown};

/// The progress of a job, and where it is recorded.
pub struct Resume {
    journal: Option<Journal>,
    /// How far the earlier run got.
    begun: Mark,
    now: Mark,
    /// Whether another job was stopped here, of which nothing is left now.
    replaces_other: bool,
}

impl Resume {
    /// Looks for an earlier run of the same job.
    ///
    /// # Errors
    /// The place of the journal cannot be determined.
    pub fn new(args: &Normalize, inputs: &Inputs, target: &Target) -> Result<Self, Failure> {
        let journal = journal_place(inputs, target)?.map(Journal::new);
        let job = job(args, inputs);
        let earlier = match &journal {
            Some(journal) if args.resume => journal.mark(&job),
            _ => None,
        };
        let earlier = earlier.filter(|mark| is_there(mark, args, target));
        let replaces_other = earlier.is_none() && journal.as_ref().is_some_and(Journal::is_there);
        if let (Some(journal), None) = (&journal, &earlier) {
            // The leftovers of another job would be wrong for this one.
            journal.remove();
        }
        let begun = earlier.unwrap_or_else(|| Mark { job, ..Mark::default() });
        Ok(Self { journal, now: begun.clone(), begun, replaces_other })
    }

    /// Whether the job can be continued.
    pub fn is_on(&self) -> bool {
        self.journal.is_some()
    }

    /// Whether another job was stopped here, with other options or inputs: it is not continued.
    pub fn replaces_other(&self) -> bool {
        self.replaces_other
    }

    /// How many things the earlier run has done.
    pub fn done(&self) -> u64 {
        self.begun.done
    }

    /// How long its output was.
    pub fn output(&self) -> u64 {
        self.begun.output
    }

    /// How long its report was.
    pub fn report(&self) -> u64 {
        self.begun.report
    }

    /// Its exit status so far.
    pub fn exit(&self) -> Exit {
        Exit::of(self.begun.exit)
    }

    /// The name of a message, if it is time to record the progress after it.
    pub fn look(&self, outcome: &Outcome) -> Option<String> {
        match outcome {
            Outcome::Done(done) if self.journal.as_ref().is_some_and(Journal::is_due) => {
                Some(shown(&done.item.called()).into_owned())
            }
            _ => None,
        }
    }

    /// Counts one more thing as done; records the progress if `last` names a message.
    ///
    /// # Errors
    /// Output, report or journal cannot be written.
    pub fn step(
        &mut self,
        last: Option<String>,
        output: &mut Output,
        report: &mut Report,
        exit: Exit,
    ) -> Result<(), Failure> {
        self.now.done += 1;
        let (Some(last), Some(journal)) = (last, &mut self.journal) else { return Ok(()) };
        self.now.last = last;
        let Some(output) = output.reached()? else { return Ok(()) };
        let report = report.reached()?;
        (self.now.output, self.now.report) = (output.length, report.length);
        self.now.exit = exit as u8;
        let files = output.file.into_iter().chain(report.file).collect();
        journal.write(&self.now, files).map_err(|error| journal.failed(&error))
    }

    /// The name of the last message of the earlier run.
    pub fn last(&self) -> &str {
        &self.begun.last
    }

    /// Ends the job. If everything is done and written, and about to get its name, the next run
    /// begins from scratch: continuing an output that already has its name would start in the
    /// middle of nothing.
    ///
    /// # Errors
    /// The last output could not be synced.
    pub fn finish(&mut self, all_done: bool) -> Result<(), Failure> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let written = journal.wait().map_err(|error| journal.failed(&error));
        if all_done {
            journal.remove();
        }
        written
    }
}

/// Whether output and report are as long as the journal says.
fn is_there(mark: &Mark, args: &Normalize, target: &Target) -> bool {
    let left = |path: &Path| resolve(path).map_or(0, |place| Resumable::left(&place));
    let output = match target {
        Target::Stream { out: Some(out), .. } => left(out),
        _ => 0,
    };
    output >= mark.output && args.report.as_deref().map_or(0, left) >= mark.report
}

/// Beside an output file, in an output directory; none for one message, which is quickly done
/// again.
fn journal_place(inputs: &Inputs, target: &Target) -> Result<Option<PathBuf>, Failure> {
    if !inputs.are_many() {
        return Ok(None);
    }
    let Some(out) = target.journaled() else { return Ok(None) };
    if target.directory().is_some() {
        return Ok(Some(out.join(".sevenbit-journal")));
    }
    let place = resolve(out).map_err(|error| Failure::creating(out, &error))?;
    Ok(place
        .parent()
        .is_some_and(|parent| !parent.starts_with("/dev"))
        .then(|| companion(&place, "journal")))
}

/// Returns the identity of a job: everything that its output depends on, and the files that it
/// reads.
fn job(args: &Normalize, inputs: &Inputs) -> String {
    let mut text = format!("{} {:?}", env!("CARGO_PKG_VERSION"), args.what_matters());
    for input in inputs.iter() {
        // Writing to a string does not fail.
        let _ = match input {
            Input::File(path, kind) => write!(text, "{path:?} {kind:?} {:?}", identity(path)),
            other => write!(text, "{other:?}"),
        };
    }
    Sha256::digest(text).iter().fold(String::new(), |hex, octet| format!("{hex}{octet:02x}"))
}

fn identity(path: &Path) -> Option<(u64, u128)> {
    let found = fs::metadata(path).ok()?;
    let modified = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((found.len(), modified.as_nanos()))
}
