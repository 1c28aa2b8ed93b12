//! Files that are in the way of an output.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use sevenbit::{Message, Normalizer, Profile, Unlabelled};

use super::Outgoing;
use crate::exit::{Exit, Failure};
use crate::explain::PAGE_BEGINS;
use crate::input::{Format, Found, Inputs, Select, Taken, take};
use crate::term::Console;

/// The files that an output may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaces {
    /// Outputs of earlier runs.
    Outputs,
    /// Any file that is no input.
    Files,
}

impl Replaces {
    /// Checks whether a file called `path`, at `place`, may be replaced by mail of which the only
    /// message has this Message-ID.
    ///
    /// # Errors
    /// Somebody else has put it there, or it is another message.
    pub fn admits(
        self,
        path: &Path,
        place: &Path,
        message_id: impl FnOnce() -> Option<String>,
    ) -> Result<(), Failure> {
        if self == Self::Files || is_output(place, message_id) {
            return Ok(());
        }
        let reason = "is there already, and no output of sevenbit: `--force` replaces it";
        Err(Failure::new(Exit::CannotCreate, path, reason))
    }
}

impl Replaces {
    /// Checks whether what is at `place`, called `path`, may be replaced by a file of many messages;
    /// returns it, if it is one whose messages have to be in the new one.
    ///
    /// # Errors
    /// Somebody else has put it there.
    pub fn earlier(self, path: &Path, place: &Path) -> Result<Option<Box<Earlier>>, Failure> {
        if self == Self::Files || is_nothing(place) {
            return Ok(None);
        }
        self.admits(path, place, || None)?;
        let (path, place) = (path.to_owned(), place.to_owned());
        Ok(Some(Box::new(Earlier { path, place, written: 0 })))
    }
}

/// A file of many messages that a new one is to take the place of: it may if both begin with the
/// same message, and the new one has no fewer.
#[derive(Debug)]
pub struct Earlier {
    path: PathBuf,
    place: PathBuf,
    /// How many messages the new one has.
    written: usize,
}

impl Earlier {
    /// Counts a message of the new file.
    ///
    /// # Errors
    /// It is the first, and another one than that of the earlier file.
    pub fn is_followed_by(&mut self, outgoing: &Outgoing<'_>) -> Result<(), Failure> {
        self.written += 1;
        let is_other = || match first_message(&self.place) {
            First::Message(octets) => !are_same(&octets, &outgoing.beginning()),
            First::None | First::Long => true,
        };
        if self.written == 1 && is_other() {
            return Err(self.stays("begins with another message"));
        }
        Ok(())
    }

    /// Checks whether the new file, which is whole, has all messages.
    ///
    /// # Errors
    /// It has fewer than the earlier file.
    pub fn is_covered(&self) -> Result<(), Failure> {
        let found = count_messages(&self.place, self.written + 1);
        if found > self.written {
            return Err(self.stays("has more messages"));
        }
        Ok(())
    }

    fn stays(&self, why: &str) -> Failure {
        let reason = format!("is there already, and {why}: `--force` replaces it");
        Failure::new(Exit::CannotCreate, &self.path, reason)
    }
}

/// The kinds of files that a run writes about mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A report in JSON Lines.
    Report,
    /// A table in Parquet.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "no other build writes any"))]
    Table,
    /// A page of `explain`.
    Page,
}

impl About {
    /// The octets that each such file begins with, in letters of any case.
    fn beginning(self) -> &'static [u8] {
        match self {
            Self::Report => b"{\"input\":",
            Self::Table => b"PAR1",
            Self::Page => PAGE_BEGINS.as_bytes(),
        }
    }

    /// The reason for which something else stays.
    fn reason(self) -> &'static str {
        match self {
            Self::Report => "is there already, and no report: `--force` replaces it",
            Self::Table => "is there already, and no table: `--force` replaces it",
            Self::Page => "is there already, and no page",
        }
    }
}

impl Replaces {
    /// Checks whether what is at `place`, called `path`, may be replaced by a file about mail: an
    /// earlier one, or nothing that somebody would miss. What cannot be read is seen to when it is
    /// written.
    ///
    /// # Errors
    /// It is something else, such as mail.
    pub fn admits_about(self, about: About, path: &Path, place: &Path) -> Result<(), Failure> {
        let is_file = fs::symlink_metadata(place).is_ok_and(|found| found.is_file());
        if self == Self::Files || !is_file {
            return Ok(());
        }
        let mut first = Vec::new();
        let length = about.beginning().len() as u64;
        let read = File::open(place).and_then(|file| file.take(length).read_to_end(&mut first));
        if read.is_err() || first.is_empty() || first.eq_ignore_ascii_case(about.beginning()) {
            return Ok(());
        }
        Err(Failure::new(Exit::CannotCreate, path, about.reason()))
    }
}

/// The longest message that is read to know whose a file is, since it is in memory beside the one to
/// be written. A longer one is taken for an output.
const LONGEST: usize = 1 << 20;

/// Returns whether what is at `place` is nothing that somebody would miss: no file with anything in
/// it, a link, which is replaced itself, or mail of which the first message is in its normal form,
/// and has this Message-ID if both have one.
fn is_output(place: &Path, message_id: impl FnOnce() -> Option<String>) -> bool {
    if is_nothing(place) {
        return true;
    }
    match first_message(place) {
        First::None => false,
        First::Long => true,
        // Line ends are those that the earlier run was asked for.
        First::Message(octets) => {
            normalizers().iter().any(|one| one.plan(&octets).edits().next().is_none())
                && !is_other(&octets, message_id())
        }
    }
}

/// Returns whether there is no file at `place`, or one without an octet, or a link.
fn is_nothing(place: &Path) -> bool {
    !fs::symlink_metadata(place).is_ok_and(|found| found.is_file() && found.len() > 0)
}

/// Returns whether two messages, of each its beginning, have one Message-ID; or, if neither has
/// any, what people write instead.
fn are_same(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (Message::parse(one), Message::parse(other));
    let ids = (one.message_id(), other.message_id());
    let are_alike = |name| one.header(name) == other.header(name);
    match ids {
        (None, None) => ["from", "date", "subject"].into_iter().all(are_alike),
        (id, other) => id == other,
    }
}

/// Returns how many messages a file has, up to `enough`.
fn count_messages(place: &Path, enough: usize) -> usize {
    let Ok(inputs) = Inputs::new(&[place.to_owned()], Format::Auto, Select::default()) else {
        return 0;
    };
    let messages = inputs.look(None).filter(|found| matches!(found, Ok(Found::Message(_))));
    messages.take(enough).count()
}

/// Returns whether a message has another Message-ID.
fn is_other(message: &[u8], message_id: Option<String>) -> bool {
    let own = Message::parse(message).message_id().map(Cow::into_owned);
    own.zip(message_id).is_some_and(|(own, other)| own != other)
}

/// Returns those by which an earlier run may have made its output.
fn normalizers() -> [Normalizer; 3] {
    let transport = Normalizer::new().profile(Profile::Transport);
    [transport.clone(), transport.unlabelled(Unlabelled::Keep), Normalizer::new()]
}

/// The first message in a file.
enum First {
    None,
    Long,
    Message(Vec<u8>),
}

/// Looks for the first message in a file, as in any input.
fn first_message(place: &Path) -> First {
    let select = Select { max_message: LONGEST, ..Select::default() };
    let Ok(inputs) = Inputs::new(&[place.to_owned()], Format::Auto, select) else {
        return First::None;
    };
    let message = inputs.look(None).find_map(|found| match found {
        Ok(Found::Message(item)) => Some(item),
        _ => None,
    });
    let Some(mut item) = message else { return First::None };
    match take(&mut item, LONGEST, &Console::new(true)) {
        Ok(Taken::Whole(octets)) => First::Message(octets.message),
        Ok(Taken::Long(_)) => First::Long,
        Err(_) => First::None,
    }
}

/// Returns whether the file at `path` has these octets, which are as many as `length`. A file that
/// cannot be read has not.
pub fn has_octets(path: &Path, octets: impl BufRead, length: u64) -> bool {
    let is_as_long =
        fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() == length);
    let file = if is_as_long { File::open(path).ok() } else { None };
    file.is_some_and(|file| are_alike(BufReader::new(file), octets).unwrap_or(false))
}

/// Returns whether two readers have the same octets.
///
/// # Errors
/// Those of the readers.
pub fn are_alike(mut one: impl BufRead, mut other: impl BufRead) -> io::Result<bool> {
    loop {
        let (here, there) = (one.fill_buf()?, other.fill_buf()?);
        let count = here.len().min(there.len());
        if count == 0 {
            return Ok(here.is_empty() && there.is_empty());
        }
        if here[..count] != there[..count] {
            return Ok(false);
        }
        one.consume(count);
        other.consume(count);
    }
}
