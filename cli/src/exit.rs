//! How a run ends: the exit statuses, their order, and failures that name the file and the reason.

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use crate::place::{is_pattern, shown};

/// The exit status (those from 64 on are from sysexits.h). Over many inputs the worst counts, which
/// is the highest number: 75 wins, because running again fixes it and shows what is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// All done.
    #[default]
    Done = 0,
    /// `--check` found something to change.
    Work = 1,
    /// The command line is invalid.
    Usage = 64,
    /// A message was refused, or data was ill-formed where that is an error.
    Refused = 65,
    /// An input cannot be read.
    NoInput = 66,
    /// An output cannot be created.
    CannotCreate = 73,
    /// An output cannot be written.
    CannotWrite = 74,
    /// Something that may well be over in a minute.
    TryAgain = 75,
}

impl Exit {
    /// The status of this number.
    pub fn of(number: u8) -> Self {
        [
            Self::Work,
            Self::Usage,
            Self::Refused,
            Self::NoInput,
            Self::CannotCreate,
            Self::CannotWrite,
            Self::TryAgain,
        ]
        .into_iter()
        .find(|exit| *exit as u8 == number)
        .unwrap_or_default()
    }

    /// Becomes the other status if that is worse.
    pub fn worst(&mut self, other: Exit) {
        *self = other.max(*self);
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why something was not done.
#[derive(Debug)]
pub enum Failure {
    /// Standard output was closed by its reader: the end, but not an error.
    Closed,
    /// `file` and the reason, for people; the status for scripts.
    Said {
        /// The status.
        exit: Exit,
        /// The file that it is about; may be empty.
        file: String,
        /// The reason.
        reason: Cow<'static, str>,
        /// Whether nothing else can be written either, since the disk is full.
        is_of_full_disk: bool,
    },
}

impl Failure {
    /// A failure over `file`.
    pub fn new(exit: Exit, file: &Path, reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Said {
            exit,
            file: shown(file).into_owned(),
            reason: reason.into(),
            is_of_full_disk: false,
        }
    }

    /// An invalid command line.
    pub fn usage(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Exit::Usage, Path::new(""), reason)
    }

    /// Something that running again will fix.
    pub fn try_again(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Exit::TryAgain, Path::new(""), reason)
    }

    /// `file` cannot be read.
    pub fn reading(file: &Path, error: &io::Error) -> Self {
        let reason = match error.kind() {
            io::ErrorKind::NotFound if is_pattern(file) => "matches no file".to_owned(),
            _ => format!("cannot be read: {}", described(error)),
        };
        Self::new(unless_passing(Exit::NoInput, error), file, reason)
    }

    /// `file` cannot be created.
    pub fn creating(file: &Path, error: &io::Error) -> Self {
        Self::Said {
            exit: unless_passing(Exit::CannotCreate, error),
            file: shown(file).into_owned(),
            reason: format!("cannot be created: {}", described(error)).into(),
            is_of_full_disk: is_of_full_disk(error),
        }
    }

    /// `file` cannot be written to its end.
    pub fn writing(file: &Path, error: &io::Error) -> Self {
        Self::Said {
            exit: unless_passing(Exit::CannotWrite, error),
            file: shown(file).into_owned(),
            reason: format!("cannot be written: {}", described(error)).into(),
            is_of_full_disk: is_of_full_disk(error),
        }
    }

    /// A message that is not held in memory.
    pub fn too_long(file: &Path) -> Self {
        Self::new(Exit::Refused, file, "is longer than `--max-message` and left as it is")
    }

    /// Standard output cannot be written.
    pub fn printing(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::writing(Path::new("standard output"), error),
        }
    }

    /// Whether nothing else can be written either, since the disk is full.
    pub fn is_of_full_disk(&self) -> bool {
        matches!(self, Self::Said { is_of_full_disk: true, .. })
    }

    /// The status that it leads to.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Closed => Exit::Done,
            Self::Said { exit, .. } => *exit,
        }
    }
}

/// Returns `exit`, unless the reason is temporary.
fn unless_passing(exit: Exit, error: &io::Error) -> Exit {
    use io::ErrorKind::{
        ExecutableFileBusy, Interrupted, OutOfMemory, ResourceBusy, StaleNetworkFileHandle,
        TimedOut, WouldBlock,
    };
    // 23 and 24 are ENFILE and EMFILE, too many open files, for which there is no ErrorKind.
    let too_many_open = cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24));
    match error.kind() {
        ExecutableFileBusy
        | Interrupted
        | OutOfMemory
        | ResourceBusy
        | StaleNetworkFileHandle
        | TimedOut
        | WouldBlock => Exit::TryAgain,
        _ if too_many_open => Exit::TryAgain,
        _ => exit,
    }
}

fn is_of_full_disk(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// The error in words, without the number that Rust adds.
pub fn described(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_higher_number_is_the_worse() {
        let mut exit = Exit::Done;
        for (next, worst) in [
            (Exit::Work, Exit::Work),
            (Exit::NoInput, Exit::NoInput),
            (Exit::Refused, Exit::NoInput),
            (Exit::TryAgain, Exit::TryAgain),
            (Exit::CannotWrite, Exit::TryAgain),
        ] {
            exit.worst(next);
            assert_eq!(exit, worst);
        }
    }

    #[test]
    fn what_passes_by_itself_is_to_be_tried_again() {
        let busy = io::Error::from(io::ErrorKind::WouldBlock);
        assert_eq!(Failure::reading(Path::new("x"), &busy).exit(), Exit::TryAgain);
        let gone = io::Error::from(io::ErrorKind::NotFound);
        assert_eq!(Failure::reading(Path::new("x"), &gone).exit(), Exit::NoInput);
    }

    #[test]
    fn a_closed_pipe_is_nothing_to_complain_of() {
        let closed = io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(Failure::printing(&closed).exit(), Exit::Done);
    }
}
