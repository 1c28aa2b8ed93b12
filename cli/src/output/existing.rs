//! Files that are in the way of an output.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use sevenbit::{Normalizer, Profile, Unlabelled};

use super::Outgoing;
use crate::exit::{Exit, Failure};
use crate::explain::PAGE_BEGINS;
use crate::identity::{Identity, name};
use crate::input::{FileKind, Format, Found, Inputs, Item, MailboxKind, Select, Taken, take};
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
    /// message has this name.
    ///
    /// # Errors
    /// Somebody else has put it there, or it is another message.
    pub fn admits(
        self,
        path: &Path,
        place: &Path,
        named: impl FnOnce() -> Option<Identity>,
    ) -> Result<(), Failure> {
        if self == Self::Files || is_output(place, named) {
            return Ok(());
        }
        let reason = "is there already, and no output of sevenbit: `--force` replaces it";
        Err(Failure::new(Exit::CannotCreate, path, reason))
    }

    /// Checks whether what is at `place`, called `path`, may be replaced by a file of many messages;
    /// returns it, if it is one whose messages have to be in the new one.
    ///
    /// # Errors
    /// Somebody else has put it there, or it is a file of another kind.
    pub fn earlier(
        self,
        path: &Path,
        place: &Path,
        kind: MailboxKind,
    ) -> Result<Option<Box<Earlier>>, Failure> {
        if self == Self::Files || is_nothing(place) {
            return Ok(None);
        }
        self.admits(path, place, || None)?;
        let (path, place) = (path.to_owned(), place.to_owned());
        let earlier = Earlier { path, place, written: HashMap::new(), others: 0 };
        if FileKind::of_file(&earlier.place, Format::Auto).mailbox() != Some(kind) {
            return Err(earlier.stays("is a file of another kind"));
        }
        Ok(Some(Box::new(earlier)))
    }
}

/// A file of many messages that a new one is to take the place of: it may if each message of it is
/// an output, and in the new one, and both begin with the same, which tells soon.
#[derive(Debug)]
pub struct Earlier {
    path: PathBuf,
    place: PathBuf,
    /// The messages of the new one.
    written: HashMap<Identity, Written>,
    /// How many members of the new one are no messages.
    others: usize,
}

/// The messages of one name in a new file.
#[derive(Debug, Default)]
struct Written {
    /// Their number.
    count: usize,
    /// Whether one is as it came: it may have been refused, and is no normal form then.
    is_as_it_came: bool,
}

impl Earlier {
    /// Adds a message of the new file.
    ///
    /// # Errors
    /// It is the first, and another one than that of the earlier file.
    pub fn add(&mut self, outgoing: &Outgoing<'_>) -> Result<(), Failure> {
        let own = name(&outgoing.beginning());
        let is_first = self.written.is_empty();
        let written = self.written.entry(own).or_default();
        written.count += 1;
        written.is_as_it_came |= !outgoing.changed;
        if !is_first {
            return Ok(());
        }
        match first_item(&self.place).and_then(|mut item| beginning(&mut item)) {
            Some(octets) if name(&octets) == own => Ok(()),
            _ => Err(self.stays("begins with another message")),
        }
    }

    /// Adds a member of the new file that is no message.
    pub fn add_other(&mut self) {
        self.others += 1;
    }

    /// Checks whether the new file, which is whole, has all that the earlier one has.
    ///
    /// # Errors
    /// It has not.
    pub fn check(&mut self) -> Result<(), Failure> {
        let inputs =
            Inputs::new(std::slice::from_ref(&self.place), Format::Auto, Select::default())?;
        for found in inputs.look(None) {
            match found {
                Ok(Found::Message(mut item)) => self.check_message(&mut item)?,
                Ok(Found::Extra(_) | Found::Unread(_) | Found::Kept(..)) if self.others > 0 => {
                    self.others -= 1;
                }
                Ok(Found::Extra(_) | Found::Unread(_) | Found::Kept(..)) => {
                    return Err(self.stays("has a file that the new one has not"));
                }
                Ok(_) => {}
                Err(_) => return Err(self.stays("cannot be read to its end")),
            }
        }
        Ok(())
    }

    /// Checks whether a message of the earlier file is in the new one, and not only there.
    fn check_message(&mut self, item: &mut Item) -> Result<(), Failure> {
        let octets = beginning(item);
        let known = octets.as_deref().and_then(|octets| self.written.get_mut(&name(octets)));
        let (Some(octets), Some(known)) = (&octets, known.filter(|known| known.count > 0)) else {
            return Err(self.stays("has a message that the new one has not"));
        };
        known.count -= 1;
        let is_output = known.is_as_it_came || octets.len() >= LONGEST || is_in_normal_form(octets);
        if is_output {
            Ok(())
        } else {
            Err(self.stays("has a message that is not in its normal form"))
        }
    }

    fn stays(&self, why: &str) -> Failure {
        let reason = format!("is there already, and {why}: `--force` replaces it");
        Failure::new(Exit::CannotCreate, &self.path, reason)
    }
}

/// Returns the first octets of a message, if it can be read.
fn beginning(item: &mut Item) -> Option<Vec<u8>> {
    match take(item, LONGEST, &Console::new(true)).ok()? {
        Taken::Whole(octets) => Some(octets.message),
        Taken::Long(long) => {
            let mut first = Vec::new();
            long.file.take(LONGEST as u64).read_to_end(&mut first).ok()?;
            Some(first)
        }
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

    /// Returns whether the first octets of a file are those of such a file.
    fn is_begun_by(self, first: &[u8]) -> bool {
        let begins = first
            .get(..self.beginning().len())
            .is_some_and(|octets| octets.eq_ignore_ascii_case(self.beginning()));
        if self != Self::Report {
            return begins;
        }
        // Lists of messages by other commands begin alike.
        let line = first.split(|octet| *octet == b'\n').next().unwrap_or_default();
        let is_whole = line.len() < first.len();
        let keys = ["\"changed\":", "\"octets_in\":", "\"octets_out\":"];
        begins
            && (!is_whole
                || keys.iter().all(|key| memchr::memmem::find(line, key.as_bytes()).is_some()))
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
        let read = File::open(place).and_then(|file| file.take(LINE).read_to_end(&mut first));
        if read.is_err() || first.is_empty() || about.is_begun_by(&first) {
            return Ok(());
        }
        Err(Failure::new(Exit::CannotCreate, path, about.reason()))
    }
}

/// The octets of the first line of a report that are looked at.
const LINE: u64 = 64 << 10;

/// The longest message that is read to know whose a file is, since it is in memory beside the one to
/// be written. A longer one is taken for an output.
const LONGEST: usize = 1 << 20;

/// Returns whether what is at `place` is nothing that somebody would miss: no file with anything in
/// it, a link, which is replaced itself, or mail of which the first message is in its normal form,
/// and has this name if one is given.
fn is_output(place: &Path, named: impl FnOnce() -> Option<Identity>) -> bool {
    if is_nothing(place) {
        return true;
    }
    match first_message(place) {
        First::None => false,
        First::Long => true,
        First::Message(octets) => {
            is_in_normal_form(&octets) && named().is_none_or(|named| named == name(&octets))
        }
    }
}

/// Returns whether a message is in a normal form. Line ends are those that the earlier run was asked
/// for.
fn is_in_normal_form(message: &[u8]) -> bool {
    normalizers().iter().any(|one| one.plan(message).edits().next().is_none())
}

/// Returns whether there is no file at `place`, or one without an octet, or a link.
fn is_nothing(place: &Path) -> bool {
    !fs::symlink_metadata(place).is_ok_and(|found| found.is_file() && found.len() > 0)
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

/// Returns the first message of a file, if there is one.
fn first_item(place: &Path) -> Option<Item> {
    let select = Select { max_message: LONGEST, ..Select::default() };
    let inputs = Inputs::new(&[place.to_owned()], Format::Auto, select).ok()?;
    inputs.look(None).find_map(|found| match found {
        Ok(Found::Message(item)) => Some(item),
        _ => None,
    })
}

/// Looks for the first message in a file, as in any input.
fn first_message(place: &Path) -> First {
    let Some(mut item) = first_item(place) else { return First::None };
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
