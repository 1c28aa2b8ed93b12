//! `sevenbit normalize`: each message is read, processed and written; failures are reported and do
//! not stop the others.

mod check;
mod ending;
#[cfg(feature = "parquet")]
mod export;
mod job;
mod large;
mod line_ends;
mod load;
mod long;
mod made;
mod pool;
mod quarantine;
mod report;
mod resume;
#[cfg(feature = "parquet")]
mod row;
mod single;
mod summary;
mod task;
mod verify;
mod whole;
mod worker;

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::args::{Normalize, Others, Summary as Detail};
use crate::exit::{Exit, Failure};
use crate::identity::Identity;
use crate::input::{
    Extent, Found, Home, Input, Inputs, MailboxKind, Named, Other, Skipped, Unread,
};
use crate::output::{
    Content, Depth, Outgoing, Output, Protected, Put, Replaces, Target, clean_up_when_stopped,
    print, remove_leftovers,
};
use crate::place::{is_stdout, resolve, shown};
use crate::term::{self, Console, Progress};
use ending::Ending;
use job::{Body, Done, Job, Outcome};
use load::{Earlier, Reading, load};
use quarantine::Quarantine;
use report::Report;
use resume::Resume;
use summary::{AsItWas, OthersFate, Summary, Told};
use task::Task;
use worker::work;

/// Runs the command.
///
/// # Errors
/// Those that stop it before the first message, or after the last.
pub fn run(args: &Normalize, console: &Console) -> Result<Exit, Failure> {
    let inputs = args.selection.inputs(&args.inputs)?;
    let would_be = target(args, &inputs)?;
    let skip = would_be.directory().or(args.backup.as_deref()).map(Path::to_owned);
    check_names(&inputs, &would_be, args.backup.is_some(), skip.as_deref())?;
    let mut protected = Protected::new(&inputs, skip.as_deref());
    clean_up_when_stopped(advice(args, console));
    if !args.only_looks() {
        remove_what_killed_runs_left(args, &inputs, &would_be);
    }
    // A run that only looks says what the other would do.
    let is_in_place = args.in_place;
    let target = if args.only_looks() { Target::Nothing } else { would_be.clone() };
    let many = inputs.are_many();
    let mut resume = Resume::new(args, &inputs, &target)?;
    let replaces = if args.force { Replaces::Files } else { Replaces::Outputs };
    let permissions = inputs.permissions();
    let report = Report::open(
        args.report.as_deref(),
        &mut protected,
        replaces,
        args.only_looks(),
        permissions.as_ref(),
        resume.is_on().then(|| resume.report()),
    )?;
    #[cfg(feature = "parquet")]
    let export = args
        .export
        .as_deref()
        .map(|path| export::Export::open(path, &protected, replaces, permissions.as_ref()))
        .transpose()?;
    let mut task = task(args, &inputs, &report, (many || args.dry_run) && !console.is_quiet());
    task.prints &= !console.is_quiet();
    // A message whose file turns out to have changed when half of it is written must leave no
    // trace.
    let reading = if target.can_take_back() && !task.needs_all() {
        Reading::Abridged
    } else {
        Reading::Whole
    };
    let mut run = Run {
        task: &task,
        check: args.check.then_some(if task.prints { Check::Printed } else { Check::Silent }),
        looks: args.only_looks(),
        quarantine: Quarantine::new(args.quarantine.clone(), permissions.clone()),
        others: args.others,
        backup: args.backup.clone().filter(|_| !args.only_looks()),
        output: Output::open(target, protected, replaces, &inputs, resume.output())?
            .would_go_to(would_be)?,
        report,
        summary: Summary::default(),
        progress: Progress::new(console, || inputs.octets(skip.as_deref())),
        console,
        #[cfg(feature = "parquet")]
        export,
        exit: resume.exit(),
        closed: false,
        broken: false,
        seen: HashSet::new(),
        detail: args.summary,
        written_to: shown_path(args.output.as_deref()),
        report_file: shown_path(args.report.as_deref()),
        single: inputs.only().is_some_and(|only| only.mailbox().is_some()),
        has_mailboxes: false,
    };
    let earlier = Earlier { done: resume.done(), last: resume.last().to_owned() };
    if earlier.done > 0 {
        console.say(format_args!("continuing after {}", term::safe_line(&earlier.last)));
    }
    if resume.replaces_other() {
        console.say(if args.resume {
            "begins anew: the job that was stopped here had other options or inputs"
        } else {
            "begins anew what was stopped here: `--resume` would have continued it"
        });
    }
    run.output.keep_in(args.backup.clone());
    let jobs = if many { args.jobs() } else { 1 };
    pool::run(
        jobs,
        load(&inputs, reading, is_in_place, skip.as_deref(), &earlier, console),
        |job| if let Job::Message((_, read)) = job { read.length() } else { 0 },
        |job| work(&task, job),
        |outcome| {
            let last = resume.look(outcome);
            let flow = run.take(outcome);
            if flow.is_continue()
                && let Err(failure) = resume.step(last, &mut run.output, &mut run.report, run.exit)
            {
                run.complain(&failure);
            }
            flow
        },
    );
    if !run.closed {
        inputs.select().tell_unmatched(console);
    }
    run.finish(many || args.dry_run, &mut resume)
}

/// Returns what a person reads who stops the command.
fn advice(args: &Normalize, console: &Console) -> Option<&'static str> {
    if console.is_quiet() || args.only_looks() {
        None
    } else if args.in_place {
        Some(
            "what was replaced so far is whole, all else is as it was; the same command goes on from there",
        )
    } else if args.resume {
        Some("the same command continues from here")
    } else {
        Some("with `--resume`, a job can be continued after it was stopped")
    }
}

/// Returns a path as it was named, unless it is standard output.
fn shown_path(path: Option<&Path>) -> Option<String> {
    path.filter(|path| !is_stdout(path)).map(|path| path.display().to_string())
}

/// Refuses inputs of which one would replace the other in the output.
fn check_names(
    inputs: &Inputs,
    target: &Target,
    has_backup: bool,
    skip: Option<&Path>,
) -> Result<(), Failure> {
    let named = match target {
        _ if has_backup => Named::Files,
        Target::Directory { .. } | Target::Stream { kind: MailboxKind::Tar, .. } => Named::Files,
        Target::Mailboxes(_) | Target::Maildir(_) => Named::Folders,
        _ => return Ok(()),
    };
    let found = inputs.of_one_name(named, skip);
    match found {
        Some([before, path]) => {
            let option = if has_backup { "--backup" } else { "-o" };
            let reason = format!(
                "would have the same name in the output as {}: run the command once for each INPUT, with a directory of its own for `{option}`",
                shown(&before)
            );
            Err(Failure::new(Exit::CannotCreate, &path, reason))
        }
        None => Ok(()),
    }
}

/// Removes what killed runs left in the directories that the job writes in, if it goes on with them
/// or writes in place.
fn remove_what_killed_runs_left(args: &Normalize, inputs: &Inputs, target: &Target) {
    if args.in_place {
        for input in inputs.iter() {
            if let Input::Directory(directory) = input {
                remove_leftovers(directory, Depth::Tree);
            }
        }
    }
    if !args.resume {
        return;
    }

    if let Some(directory) = target.directory() {
        remove_leftovers(directory, Depth::Tree);
    }
    let output = if target.directory().is_none() { args.output.as_deref() } else { None };
    let files = [output, args.report.as_deref()];
    for file in files.into_iter().flatten() {
        if let Some(directory) = resolve(file).ok().as_deref().and_then(Path::parent) {
            remove_leftovers(directory, Depth::Directory);
        }
    }
    if let Some(quarantine) = &args.quarantine {
        remove_leftovers(quarantine, Depth::Directory);
    }
}

/// Determines where mail goes, or would go if the run did more than look, and whether a report may
/// go beside it.
fn target(args: &Normalize, inputs: &Inputs) -> Result<Target, Failure> {
    let target = if args.in_place {
        Target::in_place(inputs)?
    } else if args.only_looks() && args.output.is_none() {
        Target::Nothing
    } else {
        Target::new(args.output.as_deref(), args.to, inputs)?
    };
    let to_stdout = args.report.as_deref().is_some_and(is_stdout);
    if to_stdout && target.is_stdout() && !args.only_looks() {
        return Err(Failure::usage("the report and the mail cannot both go to standard output"));
    }
    if args.line_numbers && !args.check && args.report.is_none() {
        return Err(Failure::usage("`--line-numbers` needs `--check` or `--report`"));
    }
    if !args.issue.is_empty() && !args.check && args.report.is_none() {
        return Err(Failure::usage("`--issue` needs `--check` or `--report`"));
    }
    if args.others == Others::Copy && !matches!(target, Target::Directory { .. }) {
        return Err(Failure::usage(match args.to {
            Some(_) => {
                "`--others copy` does not go with `--to`: it keeps files under their names in `-o DIR`"
            }
            None => "`--others copy` needs `-o DIR`",
        }));
    }
    if let Some(backup) = &args.backup {
        if !args.in_place {
            return Err(Failure::usage("`--backup` needs `--in-place`"));
        }
        let place = resolve(backup).ok();
        if inputs
            .iter()
            .any(|input| matches!(input, Input::Directory(path) if resolve(path).ok() == place))
        {
            return Err(Failure::usage(
                "`--backup` needs a directory of its own: this one is an INPUT",
            ));
        }
    }
    if let Some(quarantine) = &args.quarantine
        && inputs.surround(quarantine)
    {
        let reason = "is inside an input, where copies would be messages";
        return Err(Failure::new(Exit::Usage, quarantine, reason));
    }
    if args.resume && target.is_stdout() {
        return Err(Failure::usage("standard output cannot be resumed: `--resume` needs `-o`"));
    }
    Ok(target)
}

fn task(args: &Normalize, inputs: &Inputs, report: &Report, sums: bool) -> Task {
    let mut task = Task::new(args, inputs.select().clone());
    task.prints = args.check && !report.is_stdout();
    task.reports = report.is_written();
    task.sums = sums;
    #[cfg(feature = "parquet")]
    {
        task.exports = args.export.is_some();
    }
    task
}

/// How `--check` reports what would change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// With lines on standard output.
    Printed,
    /// With the exit status alone, or in the report, which needs standard output for itself.
    Silent,
}

struct Run<'a> {
    task: &'a Task,
    check: Option<Check>,
    /// Nothing is written.
    looks: bool,
    quarantine: Quarantine,
    /// What becomes of files that are no mail.
    others: Others,
    /// The directory for files as they were.
    backup: Option<PathBuf>,
    output: Output,
    report: Report,
    summary: Summary,
    progress: Progress,
    console: &'a Console,
    #[cfg(feature = "parquet")]
    export: Option<export::Export>,
    exit: Exit,
    /// Whether standard output was closed before the end.
    closed: bool,
    /// Whether it cannot be completed.
    broken: bool,
    /// The messages that were written, if copies are left out.
    seen: HashSet<Identity>,
    /// What is said in the end.
    detail: Detail,
    /// The file or directory that mail goes to, as it was named.
    written_to: Option<String>,
    /// The file of the report, as it was named.
    report_file: Option<String>,
    /// Whether the only input is a mailbox.
    single: bool,
    /// Whether mailboxes stay as they are in place.
    has_mailboxes: bool,
}

impl Run<'_> {
    fn take(&mut self, outcome: &mut Outcome) -> ControlFlow<()> {
        let taken = match outcome {
            Outcome::Done(done) => self.message(done),
            Outcome::Found(found) => self.found(found),
            Outcome::TooLong(item, file) => {
                self.failed(&Failure::too_long(&item.called()));
                self.quarantine.put(item, file)
            }
            Outcome::Failed(failure) => {
                self.failed(failure);
                self.report.failed(failure)
            }
            Outcome::Stop(failure) => {
                self.complain(failure);
                self.broken = true;
                return ControlFlow::Break(());
            }
        };
        match taken {
            Ok(()) => {}
            Err(Failure::Closed) => {
                self.closed = true;
                return ControlFlow::Break(());
            }
            Err(failure) => {
                self.failed(&failure);
                if failure.is_of_full_disk() {
                    self.broken = true;
                    return ControlFlow::Break(());
                }
            }
        }
        if self.output.is_lost() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn found(&mut self, found: &Found) -> Result<(), Failure> {
        match found {
            Found::Message(_) => Ok(()),
            Found::Skipped(what) => {
                self.summary.skipped(*what);
                Ok(())
            }
            Found::Extra(entry) => {
                if !self.output.extra(entry)?
                    && let Some(what) = entry.skipped()
                {
                    self.summary.skipped(what);
                }
                Ok(())
            }
            Found::Kept(item, reason) => {
                self.failed(&Failure::new(Exit::Refused, &item.called(), reason.clone()));
                if let Home::Tar { entry, .. } = &item.home {
                    self.output.extra(entry)?;
                }
                self.report.kept(item, reason)
            }
            Found::Unread(other) => self.unread(other),
            Found::NotInPlace(path) => {
                let reason = "is a file of many messages, which is not changed in place";
                self.failed(&Failure::new(Exit::CannotCreate, path, reason));
                self.has_mailboxes = true;
                Ok(())
            }
            Found::Folder(item) => {
                self.output.folder(item);
                Ok(())
            }
            Found::MaildirFile(item) => {
                if !self.output.copy(item)? {
                    self.summary.skipped(Skipped::MaildirFile);
                }
                Ok(())
            }
            Found::Opens(mailbox) => self.output.opens(mailbox),
            Found::Closes(extent) => {
                // A part of the only mailbox is not the mailbox, if the rest can be had, nor is
                // nothing of it: it does not get its name.
                let is_none = match extent {
                    Extent::Whole => false,
                    Extent::Damaged => !self.summary.has_messages(),
                    Extent::Unfinished => true,
                };
                self.broken |= is_none && self.single;
                self.progress.mailbox_done();
                self.output.closes(*extent)
            }
        }
    }

    /// Returns the fate of files that are no mail.
    fn others_fate(&self) -> OthersFate {
        match self.others {
            Others::Copy => OthersFate::Copied,
            Others::Leave if self.task.in_place || self.written_to.is_none() => OthersFate::Stay,
            Others::Leave if self.output.keeps_files() => OthersFate::Missing,
            Others::Leave => OthersFate::LeftOut,
        }
    }

    /// Leaves a file that is not read as it is, or copies it.
    fn unread(&mut self, other: &Other) -> Result<(), Failure> {
        let Other { item, unread, octets, .. } = other;
        let mut octets_out = *octets;
        if let Home::Tar { entry, .. } = &item.home {
            self.output.extra(entry)?;
        } else if self.others == Others::Copy {
            self.output.copy(item)?;
        } else if !self.task.in_place {
            octets_out = 0;
        }

        match unread {
            Unread::NoMail(kind) if !other.is_missed() => self.summary.no_mail(*kind),
            _ => self.failed(&Failure::new(Exit::Refused, &item.called(), unread.reason())),
        }
        if self.task.asks_for_issues() && !other.is_missed() {
            return Ok(());
        }
        self.report.unread(other, octets_out)
    }

    fn message(&mut self, done: &mut Done) -> Result<(), Failure> {
        if let Some(identity) = done.identity
            && !self.seen.insert(identity)
        {
            self.summary.copy();
            self.progress.step(done.octets_in, done.item.position().map(|at| at.span.end));
            return self.report.copy(done);
        }
        if self.check == Some(Check::Printed) && !done.lines.is_empty() {
            self.progress.suspended(|| print(|out| out.write_all(&done.lines)))?;
        }
        self.keep(done)?;
        let changed = done.ending == Ending::Changed;
        let (plan, abridged);
        let content = match &mut done.body {
            Body::Octets(octets) => Content::Octets(octets),
            Body::Planned(message) => {
                plan = self.task.plan(message);
                Content::Plan(&plan)
            }
            Body::Abridged { message, lf } => {
                let planned = self.task.plan_abridged(message);
                abridged = RefCell::new(planned.expect("the same message by the same rules"));
                Content::Abridged { plan: &abridged, lf: *lf }
            }
            Body::Opaque { file, lf } => {
                Content::Opaque { file: &*file, normalizer: &self.task.normalizer, lf: *lf }
            }
        };
        let outgoing = Outgoing { item: &done.item, file: done.file.as_ref(), content, changed };
        let put = self.output.put(&outgoing);
        if let Err(failure) = &put {
            self.report.not_written(done, failure)?;
        }
        let Put::Done(not_kept) = put? else {
            self.summary.failed();
            return Ok(());
        };
        let as_it_was = match &self.backup {
            Some(backup) if changed => AsItWas::Below(backup),
            None if changed && self.task.in_place && !self.looks => AsItWas::Nowhere,
            _ => AsItWas::Input,
        };
        self.summary.count(done, as_it_was);
        self.summary.not_kept(&not_kept);
        self.judge(done);
        self.progress.step(done.octets_in, done.item.position().map(|at| at.span.end));
        if self.task.issues.is_empty() || !done.issues.is_empty() {
            self.report.write(done, &not_kept)?;
        }
        #[cfg(feature = "parquet")]
        if let (Some(export), Some(row)) = (&mut self.export, done.row.take()) {
            let added = export.add(row);
            if added.is_err() {
                // Reported once; mail goes on.
                self.export = None;
            }
            added?;
        }
        Ok(())
    }

    /// Copies a message that is kept as it was, or over a limit, before anything else is done.
    fn keep(&mut self, done: &Done) -> Result<(), Failure> {
        if let (Some(objection), Body::Octets(input)) = (&done.objection, &done.body) {
            let reason = format!("kept as it was: {objection}");
            self.complain(&Failure::new(Exit::Refused, &done.item.called(), reason));
            return self.quarantine.put(&done.item, Cursor::new(input));
        }
        if let Body::Opaque { .. } = done.body {
            let reason = "is longer than `--max-message`: its body is carried as it is";
            self.complain(&Failure::new(Exit::Done, &done.item.called(), reason));
        }
        match (&done.original, &done.body) {
            _ if !done.over_limit => Ok(()),
            (Some(original), _) => self.quarantine.put(&done.item, Cursor::new(original)),
            (None, Body::Octets(message) | Body::Planned(message)) => {
                self.quarantine.put(&done.item, Cursor::new(message))
            }
            (None, Body::Opaque { file, .. }) => self.quarantine.put(&done.item, file),
            (None, Body::Abridged { .. }) => {
                let file = File::open(&done.item.name);
                self.quarantine.put(
                    &done.item,
                    file.map_err(|error| Failure::reading(&done.item.name, &error))?,
                )
            }
        }
    }

    /// Updates the exit status for an ending of a message.
    fn judge(&mut self, done: &Done) {
        match done.ending {
            Ending::Refused => {
                let reason = "refused: signed content would have to change; it passes as it is";
                self.complain(&Failure::new(Exit::Refused, &done.item.called(), reason));
            }
            _ if self.check.is_none() => {}
            _ if self.task.asks_for_issues() => {
                if done.is_listed {
                    self.exit.worst(Exit::Work);
                }
            }
            Ending::Changed => self.exit.worst(Exit::Work),
            Ending::Normal | Ending::Kept => {}
        }
    }

    fn failed(&mut self, failure: &Failure) {
        self.summary.failed();
        self.complain(failure);
    }

    fn complain(&mut self, failure: &Failure) {
        let exit = self.progress.suspended(|| self.console.complain(failure));
        self.exit.worst(exit);
    }

    fn finish(mut self, with_summary: bool, resume: &mut Resume) -> Result<Exit, Failure> {
        self.progress.finish();
        let lost = self.output.is_lost() || self.broken;
        let (others, earlier) = (self.others_fate(), resume.done());
        for (path, names) in self.output.cut_links() {
            self.summary.cut_links(names);
            // A report that cannot be written says so at its end.
            let _ = self.report.cut_links(&path, names);
        }
        let mut ends = vec![resume.finish(!lost), self.report.finish(lost)];
        let finished = if lost || self.closed { Ok(()) } else { self.output.finish() };
        let is_written = !lost && finished.is_ok();
        ends.push(finished);
        #[cfg(feature = "parquet")]
        ends.extend(self.export.map(export::Export::finish));
        for failure in ends.into_iter().filter_map(Result::err) {
            self.exit.worst(self.console.complain(&failure));
        }
        if lost && resume.is_on() && self.summary.has_messages() {
            self.console.say("what is done so far is kept; `--resume` continues from it");
        }
        if self.has_mailboxes {
            self.console.say(
                "`-o` writes a copy with the mailboxes normalised (of a directory with `--others copy`), to put in their place",
            );
        }
        if with_summary && !self.closed && self.detail != Detail::None {
            self.console.say(self.summary.text(Told {
                is_full: self.detail == Detail::Full,
                checked: self.looks,
                others,
                output: if is_written { self.written_to.as_deref() } else { None },
                earlier,
                report: self.report_file.as_deref(),
                reports_all: self.task.issues.is_empty(),
            }));
        }
        Ok(self.exit)
    }
}
