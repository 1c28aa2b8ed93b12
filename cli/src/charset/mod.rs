//! `sevenbit charset`: the charsets themselves.

mod convert;
mod detect;
mod list;

use crate::args::{Charset, CharsetCommand};
use crate::exit::{Exit, Failure};

/// Runs the command.
///
/// # Errors
/// An input or output fails, or text that is to be converted strictly cannot be.
pub fn run(args: &Charset) -> Result<Exit, Failure> {
    match &args.command {
        CharsetCommand::List(args) => list::run(args).map(|()| Exit::Done),
        CharsetCommand::Convert(args) => convert::run(args).map(|()| Exit::Done),
        CharsetCommand::Detect(args) => detect::run(args),
    }
}
