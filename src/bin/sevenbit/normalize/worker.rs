//! What is done to one job, wherever its message comes from and goes to: nothing is written here, so that many can be
//! worked on at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::job::{Body, Job, Outcome, Read};
use super::made::New;
use super::task::Task;
use super::{large, whole};
use crate::exit::{Exit, Failure};
use crate::input::{Found, Item, Large, Octets, Skipped};

/// Does it.
pub fn work(task: &Task, job: Job) -> Outcome {
    match job {
        Job::Message((item, Read::Whole(octets))) => message(task, item, octets),
        Job::Message((item, Read::Large(large))) => large_message(task, item, large),
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
    match catch_unwind(AssertUnwindSafe(|| large::make(task, &item, &mut large.message))) {
        // If there is a plan, all of its header is in its head.
        Ok(Ok(Some(_))) if is_too_old => Outcome::Found(Found::Skipped(Skipped::TooOld)),
        Ok(Ok(Some((made, lf)))) => {
            let length = large.message.length();
            let octets_out = if let New::Planned(octets) = made.new { octets } else { length };
            let body = Body::Abridged { message: Box::new(large.message), lf };
            Outcome::Done(made.done(item, Some(large.file), length, octets_out, body))
        }
        Ok(Ok(None)) => match large.into_whole(&item, task.select.max_message) {
            Ok(octets) => message(task, item, octets),
            Err(failure) => Outcome::Failed(failure),
        },
        Ok(Err(error)) => Outcome::Failed(Failure::reading(&item.called(), &error)),
        Err(_) => left_out(&item),
    }
}

fn left_out(item: &Item) -> Outcome {
    Outcome::Failed(Failure::new(Exit::Refused, &item.called(), "cannot be worked on; left out"))
}
