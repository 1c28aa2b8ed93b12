//! The commands of a filter that do not run it: `report` and `health`.

use std::io::{self, ErrorKind};

use super::{http, report};
use crate::args::FilterCommand;
use crate::exit::{Exit, Failure};

/// Runs the command.
///
/// # Errors
/// The report cannot be read, or mail cannot go on from the filter that is asked.
pub fn run(command: &FilterCommand) -> Result<Exit, Failure> {
    match command {
        FilterCommand::Report { file } => match report::sum_up(file, io::stdout().lock()) {
            // A reader that has seen enough, as `head`, is no failure.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::reading(file, &error))
            }
            _ => Ok(Exit::Done),
        },
        FilterCommand::Health { address } => match http::ask(*address) {
            Ok(()) => Ok(Exit::Done),
            Err(error) => Err(Failure::try_again(format!("{address}: {error}"))),
        },
    }
}
