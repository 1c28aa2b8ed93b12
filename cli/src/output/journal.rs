//! The progress of a job, in a small file beside the output, for `--resume`.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::own;
use crate::exit::Failure;

/// How much work, in time, may have to be repeated after an interruption. Syncing this often also
/// leaves little to wait for at the end.
const INTERVAL: Duration = Duration::from_millis(100);

/// How much of a file is written, and the file, if it has to be synced.
#[derive(Debug, Default)]
pub struct Reached {
    /// How many octets were written.
    pub length: u64,
    /// The file.
    pub file: Option<File>,
}

/// The recorded progress of a job: everything before is done and written.
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

/// The journal of a running job. It is written by a separate thread, which first syncs the files
/// that it describes: the job goes on meanwhile.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    begun: Option<Instant>,
    writing: Option<JoinHandle<io::Result<()>>>,
}

impl Journal {
    /// The journal at `path`.
    pub fn new(path: PathBuf) -> Self {
        Self { path, begun: None, writing: None }
    }

    /// Returns what an earlier run of the job has recorded, if it was the same job.
    pub fn mark(&self, job: &str) -> Option<Mark> {
        let mut text = Vec::new();
        own::read(&self.path).and_then(|mut file| file.read_to_end(&mut text)).ok()?;
        serde_json::from_slice(&text).ok().filter(|mark: &Mark| mark.job == job)
    }

    /// Whether an earlier run has left one.
    pub fn is_there(&self) -> bool {
        own::read(&self.path).is_ok()
    }

    /// Whether it is time to write again.
    pub fn is_due(&self) -> bool {
        self.begun.is_none_or(|begun| begun.elapsed() >= INTERVAL)
            && self.writing.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Starts to record the progress, once these `files` are synced.
    ///
    /// # Errors
    /// The mark before this one could not be written; then the one before that is still valid.
    pub fn write(&mut self, mark: &Mark, files: Vec<File>) -> io::Result<()> {
        let written = self.wait();
        let (path, text) = (self.path.clone(), serde_json::to_vec(mark)?);
        let write = move || {
            files.iter().try_for_each(File::sync_data)?;
            replace(&path, &text)
        };
        self.begun = Some(Instant::now());
        self.writing = Some(thread::Builder::new().spawn(write)?);
        written
    }

    /// Waits until the current mark is written.
    ///
    /// # Errors
    /// The mark could not be written.
    pub fn wait(&mut self) -> io::Result<()> {
        let Some(writing) = self.writing.take() else { return Ok(()) };
        writing
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the thread that writes it has ended")))
    }

    /// The failure that it cannot be written.
    pub fn failed(&self, error: &io::Error) -> Failure {
        Failure::writing(&self.path, error)
    }

    /// Removes the journal: the job is done, and there is nothing left to continue.
    pub fn remove(&self) {
        // A run that finds it repeats finished work, with the same result.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(successor(&self.path));
    }
}

/// Writes the journal at `path` in one step.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let successor = successor(path);
    // Left by a killed run.
    let _ = fs::remove_file(&successor);
    let mut file = own::create(&successor, false)?;
    file.write_all(text)?;
    file.sync_data()?;
    fs::rename(successor, path)
}

/// A name of its own, so that what a run killed here leaves is always reused by the next.
fn successor(journal: &Path) -> PathBuf {
    journal.with_extension("sevenbit-journal-new")
}
