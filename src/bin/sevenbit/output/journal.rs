//! How far a job has come, in a small file beside the output, for `--resume`.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::exit::Failure;

/// How long the work may be that is done again after an interruption.
const INTERVAL: Duration = Duration::from_millis(250);

/// Where a job was when it was last looked at: everything before is done and written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Which job it is: options and inputs.
    pub job: String,
    /// How many things were found and done.
    pub done: u64,
    /// The name of the last of them.
    pub last: String,
    /// The length of the output then.
    pub output: u64,
    /// The length of the report then.
    pub report: u64,
    /// The worst exit status up to then.
    pub exit: u8,
}

/// The journal of a running job.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    written: Option<Instant>,
}

impl Journal {
    /// The journal at `path`.
    pub fn new(path: PathBuf) -> Self {
        Self { path, written: None }
    }

    /// What an earlier run of the job has written, if it was the same job.
    pub fn mark(&self, job: &str) -> Option<Mark> {
        let text = fs::read(&self.path).ok()?;
        serde_json::from_slice(&text).ok().filter(|mark: &Mark| mark.job == job)
    }

    /// Whether it is time to write again.
    pub fn is_due(&self) -> bool {
        self.written.is_none_or(|written| written.elapsed() >= INTERVAL)
    }

    /// Writes how far the job is, in one step.
    ///
    /// # Errors
    /// It cannot be written; then the mark before it stands.
    pub fn write(&mut self, mark: &Mark) -> io::Result<()> {
        let text = serde_json::to_vec(mark)?;
        // Under a name of its own, so that a run that is killed here leaves nothing that the next does not use.
        let path = self.path.with_extension("sevenbit-journal-new");
        let mut file = File::create(&path)?;
        file.write_all(&text)?;
        file.sync_data()?;
        fs::rename(&path, &self.path)?;
        self.written = Some(Instant::now());
        Ok(())
    }

    /// That it cannot be written.
    pub fn failed(&self, error: &io::Error) -> Failure {
        Failure::writing(&self.path, error)
    }

    /// The job is done: nothing is left to go on with.
    pub fn remove(&self) {
        // Whoever finds it does finished work again, to the same end.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(self.path.with_extension("sevenbit-journal-new"));
    }
}
