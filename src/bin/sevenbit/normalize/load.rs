//! The reader's side of a run: what there is, read and handed on, but for what an earlier run has done.

use std::ops::ControlFlow;
use std::path::Path;

use super::pool::Feed;
use super::worker::Job;
use crate::exit::Failure;
use crate::input::{Found, Inputs, read};
use crate::term::Console;

/// What an earlier run of the job has done.
pub struct Earlier {
    /// How many things were found and done.
    pub done: u64,
    /// The last message of them.
    pub last: String,
}

/// Reads what there is, but for what an earlier run has done.
pub fn load(inputs: &Inputs, skip: Option<&Path>, earlier: &Earlier, console: &Console, feed: Feed<'_, Job>) {
    let mut seen = 0;
    let mut found_last = earlier.done == 0;
    let flow = inputs.each(skip, &mut |found| {
        seen += 1;
        if seen <= earlier.done {
            if seen == earlier.done
                && let Ok(Found::Message(item)) = &found
            {
                found_last = item.called().display().to_string() == earlier.last;
            }
            return ControlFlow::Continue(());
        }
        if !found_last {
            feed(changed())?;
        }
        feed(match found {
            Ok(Found::Message(mut item)) => match read(&mut item, console) {
                Ok(octets) => Job::Message(Box::new((item, octets))),
                Err(failure) => Job::Other(Err(failure)),
            },
            other => Job::Other(other),
        })
    });
    if flow.is_continue() && !found_last {
        let _ = feed(changed());
    }
}

fn changed() -> Job {
    Job::Stop(Failure::try_again("the inputs have changed since; run it without `--resume`"))
}
