//! Processes one job, wherever its message comes from and goes to: nothing is written here, so that
//! many can be processed at a time.

use std::fs::File;
use std::io::{self, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};

use sevenbit::Abridged;

use super::job::{Body, Done, Job, Outcome, Read};
use super::made::{Made, New};
use super::task::Task;
use super::{large, long, whole};
use crate::exit::{Exit, Failure};
use crate::identity::identity;
use crate::input::{Found, Item, Large, Long, Octets, Skipped, Taken, has_cr};

/// Processes it.
pub fn work(task: &Task, job: Job) -> Outcome {
    match job {
        Job::Message((item, Read::Whole(octets))) => message(task, item, octets),
        Job::Message((item, Read::Large(large))) => large_message(task, item, large),
        Job::Message((item, Read::Long(long))) => long_message(task, item, *long),
        Job::Other(Ok(found)) => Outcome::Found(found),
        Job::Other(Err(failure)) => Outcome::Failed(failure),
        Job::Stop(failure) => Outcome::Stop(failure),
    }
}

fn message(task: &Task, item: Item, octets: Octets) -> Outcome {
    if task.select.is_of_other_day(&octets.message) {
        return Outcome::Found(Found::Skipped(Skipped::OtherDay));
    }
    // The library promises never to panic. If it breaks that promise on one message of a million,
    // only that one is lost.
    let Octets { message, file } = octets;
    let made = || (whole::make(task, &item, &message), task.is_unique.then(|| identity(&message)));
    match catch_unwind(AssertUnwindSafe(made)) {
        Ok((made, identity)) => Outcome::Done(Done { identity, ..made.with(item, file, message) }),
        Err(_) => left_out(&item),
    }
}

/// Processes a large message; it is read whole if more of it has to be known.
fn large_message(task: &Task, item: Item, mut large: Box<Large>) -> Outcome {
    let is_of_other_day = task.select.is_of_other_day(large.message.head());
    let has_cr = || has_cr(&File::open(&item.name)?);
    match catch_unwind(AssertUnwindSafe(|| large::make(task, &item, &mut large.message, has_cr))) {
        // If there is a plan, all of its header is in its head.
        Ok(Ok(Some(_))) if is_of_other_day => Outcome::Found(Found::Skipped(Skipped::OtherDay)),
        Ok(Ok(Some((made, lf)))) => {
            let length = large.message.length();
            let octets_out = if let New::Planned(octets) = made.new { octets } else { length };
            let body = Body::Abridged { message: Box::new(large.message), lf };
            Outcome::Done(made.done(item, Some(large.file), length, octets_out, body))
        }
        Ok(Ok(None)) => match large.into_whole(&item, task.select.max_message) {
            Ok(Taken::Whole(octets)) => message(task, item, octets),
            Ok(Taken::Long(long)) => long_message(task, item, long),
            Err(failure) => Outcome::Failed(failure),
        },
        Ok(Err(error)) => Outcome::Failed(Failure::reading(&item.called(), &error)),
        Err(_) => left_out(&item),
    }
}

/// Processes a message that is not held. In place it stays as it is: the original could not be
/// restored from the output.
fn long_message(task: &Task, item: Item, long: Long) -> Outcome {
    if task.in_place {
        return Outcome::TooLong(item, long.file);
    }
    let long = match catch_unwind(AssertUnwindSafe(|| without_most(task, &item, &long))) {
        Ok(Ok(Some((made, lf, message)))) => {
            let octets_out = if let New::Planned(octets) = made.new { octets } else { long.length };
            let body = Body::Abridged { message: Box::new(message), lf };
            return Outcome::Done(made.done(item, long.from, long.length, octets_out, body));
        }
        _ => long,
    };
    match catch_unwind(AssertUnwindSafe(|| long::make(task, &item, &long))) {
        Ok(Ok(None)) => Outcome::Found(Found::Skipped(Skipped::OtherDay)),
        Ok(Ok(Some((made, lf, octets_out)))) => {
            let body = Body::Opaque { file: long.file, lf };
            Outcome::Done(made.done(item, long.from, long.length, octets_out, body))
        }
        Ok(Err(error)) => Outcome::Failed(Failure::reading(&item.called(), &error)),
        Err(_) => left_out(&item),
    }
}

/// The least that may be held of a message left in its file: the ends of attachments (see
/// [`Abridged`]).
const MIN_HELD: usize = 1 << 20;

/// Processes a long message if the octets that make it long can stay in its file.
fn without_most(
    task: &Task,
    item: &Item,
    long: &Long,
) -> io::Result<Option<(Made, bool, Abridged<File>)>> {
    let mut file = long.file.try_clone()?;
    file.rewind()?;
    let max = task.select.max_message;
    let mut message = Abridged::read_within(file, max.max(MIN_HELD))?;
    let made = large::make(task, item, &mut message, || has_cr(&long.file))?;
    // Below the minimum a message is held whole even if it is over the limit: then it is carried
    // opaque, unless it is clean.
    let is_held = message.held() > max && message.held() as u64 == long.length;
    let fits = |made: &Made| matches!(made.new, New::Same) || !is_held;
    let is_of_other_day = task.select.is_of_other_day(message.head());
    Ok(made
        .filter(|(made, _)| !is_of_other_day && fits(made))
        .map(|(made, lf)| (made, lf, message)))
}

fn left_out(item: &Item) -> Outcome {
    Outcome::Failed(Failure::new(Exit::Refused, &item.called(), "cannot be worked on; left out"))
}
