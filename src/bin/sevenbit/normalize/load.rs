//! The reader's side of a run: what there is, read, but for what an earlier run has done.

use std::iter;
use std::path::Path;

use super::worker::Job;
use crate::exit::Failure;
use crate::input::{Found, Inputs, Look, read};
use crate::term::Console;

/// What an earlier run of the job has done.
pub struct Earlier {
    /// How many things were found and done.
    pub done: u64,
    /// The last message of them.
    pub last: String,
}

/// Reads what there is, but for what an earlier run has done.
pub fn load<'a>(
    inputs: &'a Inputs,
    skip: Option<&'a Path>,
    earlier: &Earlier,
    console: &'a Console,
) -> impl Iterator<Item = Job> + Send + 'a {
    let mut look = inputs.look(skip);
    let mut changed = (!is_as_before(&mut look, earlier))
        .then(|| Job::Stop(Failure::try_again("the inputs have changed since; run it without `--resume`")));
    iter::from_fn(move || {
        changed.take().or_else(|| {
            Some(match look.next()? {
                Ok(Found::Message(mut item)) => match read(&mut item, console) {
                    Ok(octets) => Job::Message((item, octets)),
                    Err(failure) => Job::Other(Err(failure)),
                },
                other => Job::Other(other),
            })
        })
    })
}

/// Passes over what is done; whether it ends with the message that it ended with then.
fn is_as_before(look: &mut Look<'_>, earlier: &Earlier) -> bool {
    let Some(before) = earlier.done.checked_sub(1) else { return true };
    let last = look.nth(usize::try_from(before).unwrap_or(usize::MAX));
    matches!(last, Some(Ok(Found::Message(item))) if item.called().display().to_string() == earlier.last)
}
