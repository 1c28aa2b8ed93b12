//! What is done to one job, wherever its message comes from and goes to: nothing is written here, so that many can be
//! worked on at a time.

use std::fs::File;
use std::io::{self, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};

use sevenbit::Abridged;

use super::job::{Body, Job, Outcome, Read};
use super::made::{Made, New};
use super::task::Task;
use super::{large, long, whole};
use crate::exit::{Exit, Failure};
use crate::input::{Found, Item, Large, Long, Octets, Skipped, Taken, has_cr};

/// Does it.
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
    if task.select.is_too_old(&octets.message) {
        return Outcome::Found(Found::Skipped(Skipped::TooOld));
    }
    // The library promises never to panic. A promise broken on one message of a million costs that one.
    let Octets { message, file } = octets;
    match catch_unwind(AssertUnwindSafe(|| whole::make(task, &item, &message))) {
        Ok(made) => Outcome::Done(made.with(item, file, message)),
        Err(_) => left_out(&item),
    }
}

/// A message of which more has to be known is read whole.
fn large_message(task: &Task, item: Item, mut large: Box<Large>) -> Outcome {
    let is_too_old = task.select.is_too_old(large.message.head());
    let has_cr = || has_cr(&File::open(&item.name)?);
    match catch_unwind(AssertUnwindSafe(|| large::make(task, &item, &mut large.message, has_cr))) {
        // If there is a plan, all of its header is in its head.
        Ok(Ok(Some(_))) if is_too_old => Outcome::Found(Found::Skipped(Skipped::TooOld)),
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

/// A message that is not held. In its place it stays as it is: nobody could make it again of what it would become.
fn long_message(task: &Task, item: Item, long: Long) -> Outcome {
    if task.in_place {
        return Outcome::Failed(Failure::too_long(&item.called()));
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
        Ok(Ok(None)) => Outcome::Found(Found::Skipped(Skipped::TooOld)),
        Ok(Ok(Some((made, lf, octets_out)))) => {
            let body = Body::Opaque { file: long.file, lf };
            Outcome::Done(made.done(item, long.from, long.length, octets_out, body))
        }
        Ok(Err(error)) => Outcome::Failed(Failure::reading(&item.called(), &error)),
        Err(_) => left_out(&item),
    }
}

/// What is held of any message that is left in its file: the ends of attachments (see [`Abridged`]).
const LEAST_HELD: usize = 1 << 20;

/// What is made of a long message if what makes it long stays in its file.
fn without_most(task: &Task, item: &Item, long: &Long) -> io::Result<Option<(Made, bool, Abridged<File>)>> {
    let mut file = long.file.try_clone()?;
    file.rewind()?;
    let most = task.select.max_message;
    let mut message = Abridged::read_within(file, most.max(LEAST_HELD))?;
    let made = large::make(task, item, &mut message, || has_cr(&long.file))?;
    // Of a short one all is held; what it is written as says more if it is not.
    let is_held = message.held() > most && message.held() as u64 == long.length;
    let fits = |made: &Made| matches!(made.new, New::Same) || !is_held;
    let is_too_old = task.select.is_too_old(message.head());
    Ok(made.filter(|(made, _)| !is_too_old && fits(made)).map(|(made, lf)| (made, lf, message)))
}

fn left_out(item: &Item) -> Outcome {
    Outcome::Failed(Failure::new(Exit::Refused, &item.called(), "cannot be worked on; left out"))
}
