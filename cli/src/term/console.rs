//! Standard error, for people.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use super::{safe_line, style};
use crate::exit::{Exit, Failure};

/// Where failures, the summary and progress go. If it cannot be written, that is not a failure.
#[derive(Debug)]
pub struct Console {
    quiet: bool,
}

impl Console {
    /// A console; a quiet one prints only failures.
    pub fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Prints what failed, and returns the exit status for it.
    pub fn complain(&self, failure: &Failure) -> Exit {
        if let Failure::Said { file, reason, .. } = failure {
            let colon = if file.is_empty() { "" } else { ": " };
            let bad = style::BAD;
            line(format_args!(
                "{bad}sevenbit{bad:#}: {}{colon}{}",
                safe_line(file),
                safe_line(reason)
            ));
        }
        failure.exit()
    }

    /// Prints useful information.
    pub fn say(&self, text: impl Display) {
        if !self.quiet {
            line(text);
        }
    }

    /// Whether only failures are printed.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether a person who wants to see more than failures may be watching.
    pub fn is_watched(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }
}

fn line(text: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
