//! Standard error, for people.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use super::{safe_line, style};
use crate::exit::{Exit, Failure};

/// Where failures, the summary and progress go. That nobody is listening is no reason to fail.
#[derive(Debug)]
pub struct Console {
    quiet: bool,
}

impl Console {
    /// A console; a quiet one prints only failures.
    pub fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Says what failed, and gives the status that it leads to.
    pub fn complain(&self, failure: &Failure) -> Exit {
        if let Failure::Said { file, reason, .. } = failure {
            let colon = if file.is_empty() { "" } else { ": " };
            let bad = style::BAD;
            line(format_args!("{bad}sevenbit{bad:#}: {}{colon}{}", safe_line(file), safe_line(reason)));
        }
        failure.exit()
    }

    /// Says something that is good to know.
    pub fn say(&self, text: impl Display) {
        if !self.quiet {
            line(text);
        }
    }

    /// Whether only failures are printed.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether a person may be watching who wants to see more than failures.
    pub fn is_watched(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }
}

fn line(text: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
