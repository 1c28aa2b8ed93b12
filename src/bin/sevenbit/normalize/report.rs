//! `--report`: JSON Lines, one object a message.

use std::io::{self, Stdout};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::exit::Failure;
use crate::input::Item;
use crate::json;
use crate::output::{Aside, Guard};
use crate::place::is_stdout;

/// The object: its keys are what others script against.
#[derive(Serialize)]
struct Line<'a> {
    input: &'a str,
    changed: bool,
    octets_in: usize,
    octets_out: u64,
    issues: Vec<json::Issue<'a>>,
}

/// The report file. Once it cannot be written, it is given up: mail goes on, and the end tells.
pub struct Report {
    sink: Sink,
}

enum Sink {
    Nowhere,
    Stdout(Stdout),
    File { path: PathBuf, file: Aside },
    GivenUp(Failure),
}

impl Report {
    /// Begins the report.
    ///
    /// # Errors
    /// It cannot be created there.
    pub fn open(path: Option<&Path>, guard: &mut Guard) -> Result<Self, Failure> {
        let sink = match path {
            None => Sink::Nowhere,
            Some(path) if is_stdout(path) => Sink::Stdout(io::stdout()),
            Some(path) => {
                let file = Aside::create(path, None, |place| guard.admits_report(path, place))?;
                guard.keep_report(file.place());
                Sink::File { path: path.to_owned(), file }
            }
        };
        Ok(Self { sink })
    }

    /// Whether it goes to standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self.sink, Sink::Stdout(_))
    }

    /// Whether anybody wants to know how long an output would be.
    pub fn wants_lengths(&self) -> bool {
        matches!(self.sink, Sink::Stdout(_) | Sink::File { .. })
    }

    /// Adds a message.
    ///
    /// # Errors
    /// Standard output was closed.
    pub fn write(
        &mut self,
        item: &Item,
        report: &sevenbit::Report,
        octets_in: usize,
        octets_out: u64,
    ) -> Result<(), Failure> {
        let input = item.name.to_string_lossy();
        let issues = report.issues().iter().map(json::Issue::from).collect();
        let line = Line { input: &input, changed: report.changed(), octets_in, octets_out, issues };
        match self.sink.write(&line) {
            Ok(()) => Ok(()),
            Err(Failure::Closed) => Err(Failure::Closed),
            Err(failure) => {
                self.sink = Sink::GivenUp(failure);
                Ok(())
            }
        }
    }

    /// Gives the report its name.
    ///
    /// # Errors
    /// It could not be written.
    pub fn finish(self) -> Result<(), Failure> {
        match self.sink {
            Sink::Nowhere | Sink::Stdout(_) => Ok(()),
            Sink::File { path, file } => {
                file.commit().map(drop).map_err(|error| Failure::writing(&path, &error))
            }
            Sink::GivenUp(failure) => Err(failure),
        }
    }
}

impl Sink {
    fn write(&mut self, line: &Line<'_>) -> Result<(), Failure> {
        match self {
            Self::Nowhere | Self::GivenUp(_) => Ok(()),
            Self::Stdout(out) => json::write_line(out, line).map_err(|error| Failure::printing(&error)),
            Self::File { path, file } => {
                json::write_line(file, line).map_err(|error| Failure::writing(path, &error))
            }
        }
    }
}
