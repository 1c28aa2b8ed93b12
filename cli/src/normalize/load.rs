//! The reader's side of a run: reads everything that is found, except what an earlier run has done.

use std::iter;
use std::path::Path;

use super::job::{Job, Read};
use crate::exit::Failure;
use crate::input::{Found, Inputs, Item, Large, Look, take};
use crate::place::shown;
use crate::term::Console;

/// The progress of an earlier run of the job.
pub struct Earlier {
    /// How many things were found and done.
    pub done: u64,
    /// The name of the last message among them.
    pub last: String,
}

/// How large messages are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Without the octets that are copied from their files when they are written.
    Abridged,
    /// Like all others.
    Whole,
}

/// Reads everything that is found, except what an earlier run has done.
pub fn load<'a>(
    inputs: &'a Inputs,
    reading: Reading,
    is_in_place: bool,
    skip: Option<&'a Path>,
    earlier: &Earlier,
    console: &'a Console,
) -> impl Iterator<Item = Job> + Send + 'a {
    let mut look = inputs.look(skip).in_place(is_in_place);
    let mut changed = (!is_as_before(&mut look, earlier)).then(|| {
        Job::Stop(Failure::try_again("the inputs have changed since; run it without `--resume`"))
    });
    iter::from_fn(move || {
        changed.take().or_else(|| {
            Some(match look.next()? {
                Ok(Found::Message(item)) => {
                    job(item, reading, inputs.select().max_message, console)
                }
                other => Job::Other(other),
            })
        })
    })
}

fn job(mut item: Item, reading: Reading, max: usize, console: &Console) -> Job {
    let large = if reading == Reading::Abridged { Large::read(&item, max) } else { None };
    let read = match large {
        Some(large) => large.map(|large| Read::Large(Box::new(large))),
        None => take(&mut item, max, console).map(Read::from),
    };
    match read {
        Ok(read) => Job::Message((item, read)),
        Err(failure) => Job::Other(Err(failure)),
    }
}

/// Skips what is done; returns whether that ends with the same message as in the earlier run.
fn is_as_before(look: &mut Look<'_>, earlier: &Earlier) -> bool {
    let Some(before) = earlier.done.checked_sub(1) else { return true };
    let last = look.nth(usize::try_from(before).unwrap_or(usize::MAX));
    matches!(last, Some(Ok(Found::Message(item))) if shown(&item.called()).into_owned() == earlier.last)
}
