//! `sevenbit normalize`: each message is read, planned and put down; what fails is told and does not stop the
//! rest.

mod check;
mod report;
mod summary;

use std::path::Path;

use sevenbit::{Normalizer, Plan};

use crate::args::Normalize;
use crate::exit::{Exit, Failure};
use crate::input::{Found, Inputs, Item, Octets, read};
use crate::output::{Guard, Output, Target, clean_up_when_stopped};
use crate::place::is_stdout;
use crate::term::{Console, Progress};
use report::Report;
use summary::{Fate, Summary};

/// Runs the command.
///
/// # Errors
/// What stops it before the first message, or at the last.
pub fn run(args: &Normalize, console: &Console) -> Result<Exit, Failure> {
    let inputs = Inputs::new(&args.inputs)?;
    let target = target(args, &inputs)?;
    let out = target.directory().map(Path::to_owned);
    let mut guard = Guard::new(&inputs, out.as_deref());
    clean_up_when_stopped();
    let report = Report::open(args.report.as_deref(), &mut guard)?;
    let progress = Progress::new(console, || inputs.items(out.as_deref()).count() as u64);
    let mut run = Run {
        normalizer: args.normalizer(),
        check: args.check.then_some(if report.is_stdout() { Check::Silent } else { Check::Told }),
        output: Output::open(target, guard, &inputs)?,
        report,
        summary: Summary::default(),
        progress,
        console,
        exit: Exit::Done,
    };
    let closed = run.all(inputs.items(out.as_deref()));
    run.finish(inputs.are_many() && !closed)
}

/// Where mail goes, and whether a report may go beside it.
fn target(args: &Normalize, inputs: &Inputs) -> Result<Target, Failure> {
    let target = if args.check { Target::Nothing } else { Target::new(args.output.as_deref(), inputs)? };
    let to_stdout = args.report.as_deref().is_some_and(is_stdout);
    if to_stdout && matches!(target, Target::Stdout) {
        return Err(Failure::usage("the report and the mail cannot both go to standard output"));
    }
    Ok(target)
}

/// How `--check` tells what would change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// A line each on standard output.
    Told,
    /// In the report, which has standard output for itself.
    Silent,
}

struct Run<'a> {
    normalizer: Normalizer,
    check: Option<Check>,
    output: Output,
    report: Report,
    summary: Summary,
    progress: Progress,
    console: &'a Console,
    exit: Exit,
}

impl Run<'_> {
    /// Every message; whether standard output was closed before the end.
    fn all(&mut self, items: impl Iterator<Item = Result<Found, Failure>>) -> bool {
        for item in items {
            match item.and_then(|found| self.found(&found)) {
                Ok(()) => {}
                Err(Failure::Closed) => return true,
                Err(failure) => self.failed(&failure),
            }
        }
        false
    }

    fn found(&mut self, found: &Found) -> Result<(), Failure> {
        match found {
            Found::Message(item) => self.one(item)?,
            Found::Skipped => self.summary.skipped(),
        }
        Ok(())
    }

    fn one(&mut self, item: &Item) -> Result<(), Failure> {
        let octets = read(item, self.console)?;
        let plan = self.normalizer.plan(&octets.message);
        let written = self.put(item, &octets, &plan)?;
        let fate = Fate::of(&plan);
        self.summary.count(fate, octets.message.len(), plan.report());
        self.judge(item, fate);
        self.progress.step(octets.message.len() as u64);
        self.report.write(item, plan.report(), octets.message.len(), written)
    }

    /// Writes the message, or tells what would change; gives the number of octets that it has or would have.
    fn put(&mut self, item: &Item, octets: &Octets, plan: &Plan<'_>) -> Result<u64, Failure> {
        if self.check == Some(Check::Told) {
            self.progress.aside(|| check::tell(&item.name, plan))?;
        }
        if self.check.is_some() && !self.report.wants_lengths() {
            return Ok(0);
        }
        self.output.put(item, octets.permissions.as_ref(), |out| plan.write_to(out))
    }

    /// What a message's fate means for the exit status.
    fn judge(&mut self, item: &Item, fate: Fate) {
        match fate {
            Fate::Refused => {
                let reason = "refused: signed content would have to change; it passes as it is";
                let failure = Failure::new(Exit::Refused, &item.name, reason);
                self.complain(&failure);
            }
            Fate::Changed if self.check.is_some() => self.exit.worst(Exit::Work),
            Fate::Changed | Fate::Normal => {}
        }
    }

    fn failed(&mut self, failure: &Failure) {
        self.summary.failed();
        self.complain(failure);
        self.progress.step(0);
    }

    fn complain(&mut self, failure: &Failure) {
        let exit = self.progress.aside(|| self.console.complain(failure));
        self.exit.worst(exit);
    }

    fn finish(mut self, with_summary: bool) -> Result<Exit, Failure> {
        self.progress.finish();
        if let Err(failure) = self.report.finish() {
            self.exit.worst(self.console.complain(&failure));
        }
        if with_summary {
            self.console.tell(self.summary.told(self.check.is_some()));
        }
        Ok(self.exit)
    }
}
