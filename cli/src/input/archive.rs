//! Archives: tar files and ZIP archives, what is packed in them, and archives in archives.
//!
//! An archive in another one is read as a directory of its name. An mbox or a message that is
//! packed in an archive is unpacked, and packed again when the archive is written.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sevenbit::mbox::{Dialect, holds_several};
use sevenbit_store::emlx::message_in;
use sevenbit_store::old::Format;
use sevenbit_store::packed::Packing;
use sevenbit_store::zipped::{Members, Source};
use sevenbit_store::{HEAD, ZIP_WITHOUT_MAIL};

use super::cut::{MailboxMessage, MailboxReader};
use super::item::{MailSource, TextCharset, Within};
use super::kind::{FileKind, Unread, is_eml, is_message_of_maildir, of_octets};
use super::long::Long;
use super::outlook;
use super::packed::{Unpacked, unpack};
use super::select::{OutlookMail, Select};
use super::tar::{Entries, Inside, TarEntry};
use super::zip::ZipEntries;

/// The maximum depth of archives within each other.
const MAX_DEPTH: usize = 4;

/// A stream of octets that is unpacked.
type Octets = Box<dyn Read + Send>;

/// An archive, and those in it.
pub struct Archive {
    /// The archives and mailboxes that are open, the innermost last.
    levels: Vec<Level>,
    /// What was found together with the last one, and comes next.
    waiting: VecDeque<Opened>,
    /// Longer messages are not held.
    max: usize,
    outlook: OutlookMail,
}

/// One thing in an archive.
pub enum Opened {
    /// A message.
    Message(Opening),
    /// An entry that is no file.
    Extra(Box<TarEntry>),
    /// An entry with its content, which is not read.
    Unread(Box<TarEntry>, Unread),
    /// An entry with its content, which stays as it is for this reason.
    Kept(Box<TarEntry>, Cow<'static, str>),
    /// A member that is left out, and why.
    LeftOut(PathBuf, io::Error),
    /// A place that cannot be read.
    Damaged(io::Error),
}

/// A message in an archive.
pub struct Opening {
    /// Its octets.
    pub source: MailSource,
    /// The entry that it is, or is in, without its content.
    pub entry: Box<TarEntry>,
    /// Its octets in the archive.
    pub span: Range<u64>,
    /// Where it is doubtful that a `From ` line separates messages.
    pub doubts: Vec<u64>,
    /// The charsets of its texts, if it is one of Outlook.
    pub charsets: Vec<TextCharset>,
    /// Its place in an mbox.
    pub within: Option<Within>,
}

/// An archive or a mailbox that is open.
enum Level {
    Tar(Box<Entries<Octets>>, Option<Inside>),
    Zip(Box<ZipEntries>, Option<Inside>),
    Mbox(Box<Member>),
}

/// A mailbox in an archive.
struct Member {
    reader: MailboxReader<Octets>,
    entry: TarEntry,
    /// The number of the last message.
    number: u64,
    /// The next message, which is read before the one before it is given: the last one is marked.
    next: Option<Opening>,
}

/// What the next step leads to.
enum Step {
    Found(Opened),
    Enter(Level),
    End,
}

impl Archive {
    /// A tar file.
    pub fn tar(from: Unpacked, select: &Select) -> Self {
        let stream: Box<dyn Read + Send> = Box::new(from.into_stream());
        let entries = Entries::new(stream, select.max_message);
        Self::of(Level::Tar(Box::new(entries), None), select)
    }

    /// A ZIP archive, which is a file, or else is put into one.
    ///
    /// # Errors
    /// It cannot be read at all, or not be put into a file.
    pub fn zip(from: Unpacked, file: Option<File>, select: &Select) -> io::Result<Self> {
        let file = match file {
            Some(file) => file,
            None => Long::spooled(&[], from.into_stream())?.file,
        };
        let entries = ZipEntries::new(Box::new(file), select.max_message)?;
        Ok(Self::of(Level::Zip(Box::new(entries), None), select))
    }

    fn of(level: Level, select: &Select) -> Self {
        let (max, outlook) = (select.max_message, select.outlook);
        Self { levels: vec![level], waiting: VecDeque::new(), max, outlook }
    }

    /// Returns the next thing in the archive.
    pub fn next_found(&mut self) -> Option<Opened> {
        loop {
            if let Some(found) = self.waiting.pop_front() {
                return Some(found);
            }
            let mut level = self.levels.pop()?;
            let step = match &mut level {
                Level::Tar(entries, inside) => match entries.next_entry() {
                    None => Step::End,
                    Some(Ok(entry)) => self.entry(entry, inside.as_ref()),
                    Some(Err(place)) => Step::Found(Opened::Damaged(io::Error::new(
                        place.error.kind(),
                        place.to_string(),
                    ))),
                },
                Level::Zip(members, inside) => match members.next_entry() {
                    None => Step::End,
                    Some(Ok(entry)) => self.entry(entry, inside.as_ref()),
                    Some(Err(place)) => Step::Found(match place.path {
                        Some(path) if !place.is_damage => Opened::LeftOut(path, place.error),
                        Some(path) => Opened::Damaged(io::Error::new(
                            place.error.kind(),
                            format!("{}: {}", path.display(), place.error),
                        )),
                        None => Opened::Damaged(place.error),
                    }),
                },
                Level::Mbox(member) => self.next_message(member),
            };
            match step {
                Step::Found(mut found) => {
                    if let Opened::Message(message) = &mut found {
                        level.rename(message);
                    }
                    self.levels.push(level);
                    return Some(found);
                }
                Step::Enter(inner) => self.levels.extend([level, inner]),
                Step::End => {}
            }
        }
    }

    /// Looks at an entry, of an archive inside another one if so.
    fn entry(&mut self, mut entry: TarEntry, inside: Option<&Inside>) -> Step {
        if let Some(inside) = inside {
            entry.lift(inside);
        }
        if !entry.is_message() {
            return Step::Found(Opened::Extra(Box::new(entry)));
        }
        let first = match entry.first() {
            Ok(first) => first,
            Err(error) => return Step::Found(Opened::Damaged(error)),
        };
        match of_octets(&first, &entry.path) {
            FileKind::Packed => self.packed(entry),
            FileKind::Tar | FileKind::Zip if self.is_too_deep() => kept(entry, TOO_DEEP),
            FileKind::Tar => {
                let inside = Some(entry.inside());
                match entry.into_stream() {
                    Ok(octets) => self.enter_tar(octets, inside),
                    Err(error) => Step::Found(Opened::Damaged(error)),
                }
            }
            FileKind::Zip => self.enter_zip(entry),
            kind => self.plain(entry, kind),
        }
    }

    /// Returns what an entry is that is neither packed nor an archive.
    fn plain(&mut self, mut entry: TarEntry, kind: FileKind) -> Step {
        let (span, mut charsets) = (entry.span(), Vec::new());
        let unread =
            |entry, words| Step::Found(Opened::Unread(Box::new(entry), Unread::Foreign(words)));
        let is_mbox = match kind {
            // In a Maildir every file is a message.
            FileKind::Unread(Unread::NoMail(_)) if entry.is_in_maildir() => false,
            FileKind::Unread(kind) => return Step::Found(Opened::Unread(Box::new(entry), kind)),
            FileKind::Old(format) => {
                let emptied = entry.emptied();
                return match entry.into_stream() {
                    Ok(octets) => self.enter_old(octets, format, emptied),
                    Err(error) => Step::Found(Opened::Damaged(error)),
                };
            }
            FileKind::Folders => return unread(entry, "a store of Outlook in an archive"),
            FileKind::Emlx if is_partial(&entry.path) || entry.long.is_some() => {
                return unread(
                    entry,
                    "a message of Apple Mail in an archive, without its attachments",
                );
            }
            FileKind::Emlx => {
                let range = message_in(&entry.octets);
                entry.octets.truncate(range.end);
                entry.octets.drain(..range.start);
                entry.is_opened = true;
                false
            }
            FileKind::Msg if entry.long.is_some() => {
                return kept(
                    entry,
                    "is longer than `--max-message`, and a file of Outlook; it stays as it is",
                );
            }
            FileKind::Msg => match outlook::message(&entry.octets, self.outlook) {
                Ok((message, found)) => {
                    entry.octets = message;
                    entry.is_opened = true;
                    charsets = found;
                    false
                }
                Err(why) => return kept(entry, format!("{why}; it stays as it is")),
            },
            FileKind::Mbox(_) => entry.length() > 0 && (!is_eml(&entry.path) || entry.is_several()),
            FileKind::Message | FileKind::Packed | FileKind::Tar | FileKind::Zip => {
                entry.is_several()
            }
        };
        if is_mbox {
            let emptied = entry.emptied();
            return match entry.into_stream() {
                Ok(octets) => self.enter_mbox(octets, emptied),
                Err(error) => Step::Found(Opened::Damaged(error)),
            };
        }

        let source = match entry.long.take() {
            Some(long) => MailSource::Long(Box::new(long)),
            None => MailSource::Octets(mem::take(&mut entry.octets)),
        };
        let entry = Box::new(entry);
        Step::Found(Opened::Message(Opening {
            source,
            entry,
            span,
            doubts: Vec::new(),
            charsets,
            within: None,
        }))
    }

    /// Unpacks an entry. What is no mail stays packed.
    fn packed(&mut self, mut entry: TarEntry) -> Step {
        let packed = entry.packed.clone().unwrap_or_else(|| entry.span());
        let octets = Arc::new(mem::take(&mut entry.octets));
        let from: io::Result<Octets> = match &entry.long {
            Some(long) => long.reopened().map(|file| Box::new(file) as Octets),
            None => Ok(Box::new(Cursor::new(Shared(Arc::clone(&octets))))),
        };
        let step =
            from.and_then(unpack).map(|unpacked| self.unpacked(unpacked, &mut entry, packed));

        // Unless the entry was opened, its content goes on.
        let step = step.unwrap_or(Tried::Kept("cannot be unpacked, and stays as it is".into()));
        if let Tried::Step(step) = step {
            return step;
        }
        entry.octets = Arc::try_unwrap(octets).unwrap_or_else(|shared| shared.to_vec());
        match step {
            Tried::Unread(unread) => Step::Found(Opened::Unread(Box::new(entry), unread)),
            Tried::Kept(reason) => kept(entry, reason),
            Tried::Step(step) => step,
        }
    }

    fn unpacked(&mut self, from: Unpacked, entry: &mut TarEntry, packed: Range<u64>) -> Tried {
        let name = Packing::unpacked_name(&entry.path);
        let packing = from.packing;
        let mut inner = entry.emptied();
        inner.packed = Some(packed);
        inner.packing = packing;
        let step = match of_octets(&from.first, &name) {
            FileKind::Packed => {
                return Tried::Kept("is packed more than four times, and stays as it is".into());
            }
            FileKind::Tar | FileKind::Zip if self.is_too_deep() => {
                return Tried::Kept(TOO_DEEP.into());
            }
            FileKind::Tar => {
                let inside = Some(inner.inside());
                self.enter_tar(Box::new(from.into_stream()), inside)
            }
            FileKind::Mbox(_) if !is_eml(&name) => {
                self.enter_mbox(Box::new(from.into_stream()), inner)
            }
            FileKind::Old(format) => self.enter_old(Box::new(from.into_stream()), format, inner),
            FileKind::Unread(unread) if !entry.is_in_maildir() => return Tried::Unread(unread),
            FileKind::Folders => {
                return Tried::Unread(Unread::Foreign("a packed store of Outlook"));
            }
            kind => match self.whole(from, &mut inner) {
                Ok(()) if kind == FileKind::Zip => self.enter_zip(inner),
                Ok(()) if matches!(kind, FileKind::Msg | FileKind::Emlx) => self.plain(inner, kind),
                Ok(()) => self.plain(inner, FileKind::Message),
                Err(reason) => return Tried::Kept(reason.into()),
            },
        };
        match step {
            // What is not opened stays packed.
            Step::Found(Opened::Unread(_, unread)) => Tried::Unread(unread),
            Step::Found(Opened::Kept(_, reason)) => Tried::Kept(reason),
            step => Tried::Step(step),
        }
    }

    /// Reads all of an entry that was packed.
    fn whole(&self, from: Unpacked, entry: &mut TarEntry) -> Result<(), &'static str> {
        let most = (self.max as u64).saturating_add(1);
        match from.into_stream().take(most).read_to_end(&mut entry.octets) {
            Ok(length) if length <= self.max => Ok(()),
            Ok(_) => Err("unpacks to more than `--max-message`, and stays as it is"),
            Err(_) => Err("cannot be unpacked to its end, and stays as it is"),
        }
    }

    fn is_too_deep(&self) -> bool {
        // The level that the entry is in was taken out.
        self.levels.len() + 1 >= MAX_DEPTH
    }

    fn enter_tar(&mut self, octets: Octets, inside: Option<Inside>) -> Step {
        Step::Enter(Level::Tar(Box::new(Entries::new(octets, self.max)), inside))
    }

    fn enter_zip(&mut self, mut entry: TarEntry) -> Step {
        let inside = entry.inside();
        let octets = Arc::new(mem::take(&mut entry.octets));
        let source = || -> io::Result<Box<dyn Source>> {
            Ok(match &entry.long {
                Some(long) => Box::new(long.reopened()?),
                None => Box::new(Cursor::new(Shared(Arc::clone(&octets)))),
            })
        };
        let has_mail = source().and_then(Members::new).map(Members::hold_mail);
        let entries = match has_mail {
            Ok(true) => source().and_then(|source| ZipEntries::new(source, self.max)).map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        };
        match entries {
            Ok(Some(entries)) => Step::Enter(Level::Zip(Box::new(entries), Some(inside))),
            Ok(None) => {
                entry.octets = Arc::try_unwrap(octets).unwrap_or_else(|shared| shared.to_vec());
                Step::Found(Opened::Unread(Box::new(entry), Unread::NoMail(ZIP_WITHOUT_MAIL)))
            }
            Err(error) => Step::Found(Opened::Damaged(error)),
        }
    }

    fn enter_mbox(&mut self, octets: Octets, entry: TarEntry) -> Step {
        Self::enter(MailboxReader::mbox(octets, Dialect::Auto, self.max), entry)
    }

    fn enter_old(&mut self, octets: Octets, format: Format, entry: TarEntry) -> Step {
        Self::enter(MailboxReader::old(octets, format, self.max), entry)
    }

    fn enter(reader: MailboxReader<Octets>, entry: TarEntry) -> Step {
        let mut member = Box::new(Member { reader, entry, number: 0, next: None });
        match member.read() {
            Ok(next) => member.next = next,
            Err(error) => return Step::Found(Opened::Damaged(error)),
        }
        Step::Enter(Level::Mbox(member))
    }

    /// Returns the next message of an mbox.
    fn next_message(&mut self, member: &mut Member) -> Step {
        let Some(mut message) = member.next.take() else { return Step::End };
        match member.read() {
            Ok(next) => member.next = next,
            Err(error) => self.waiting.push_back(Opened::Damaged(error)),
        }
        if let Some(within) = &mut message.within {
            within.is_last = member.next.is_none();
        }
        Step::Found(Opened::Message(message))
    }
}

impl Level {
    /// Gives a message that was made from an entry a path that no other entry has.
    fn rename(&mut self, message: &mut Opening) {
        let entry = &mut message.entry;
        if !entry.is_opened {
            return;
        }
        let of = |inside: &Option<Inside>| match inside {
            Some(inside) => (inside.unique.clone(), inside.path.clone()),
            None => (PathBuf::new(), PathBuf::new()),
        };
        let (prefix, unique) = match self {
            Self::Tar(entries, inside) => {
                let (prefix, path) = of(inside);
                (prefix, entries.unique(entry.path.strip_prefix(path).unwrap_or(&entry.path)))
            }
            Self::Zip(members, inside) => {
                let (prefix, path) = of(inside);
                (prefix, members.unique(entry.path.strip_prefix(path).unwrap_or(&entry.path)))
            }
            Self::Mbox(_) => return,
        };
        entry.unique = prefix.join(unique);
    }
}

impl Member {
    fn read(&mut self) -> io::Result<Option<Opening>> {
        let Some(MailboxMessage { source, postmark, span: own, doubts }) =
            self.reader.next_message()?
        else {
            return Ok(None);
        };
        self.number += 1;
        let within = Some(Within { number: self.number, postmark, is_last: false });

        let entry = Box::new(self.entry.emptied());
        let (span, doubts) = match entry.packed.clone() {
            // Octets of the mbox are nowhere in the archive.
            Some(packed) => (packed, Vec::new()),
            None => {
                let begin = entry.offset;
                let doubts = doubts.into_iter().map(|place| begin + place).collect();
                (begin + own.start..begin + own.end, doubts)
            }
        };
        Ok(Some(Opening { source, entry, span, doubts, charsets: Vec::new(), within }))
    }
}

/// The result of unpacking an entry.
enum Tried {
    Step(Step),
    Unread(Unread),
    Kept(Cow<'static, str>),
}

const TOO_DEEP: &str = "is an archive within others, too deep to be read, and stays as it is";

fn kept(entry: TarEntry, reason: impl Into<Cow<'static, str>>) -> Step {
    Step::Found(Opened::Kept(Box::new(entry), reason.into()))
}

/// Octets that are read while others keep them.
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Whether it is a message of Apple Mail whose attachments are in other files.
fn is_partial(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem.as_encoded_bytes().ends_with(b".partial"))
}

impl TarEntry {
    /// Its first octets.
    fn first(&mut self) -> io::Result<Vec<u8>> {
        match &mut self.long {
            Some(long) => long.first(HEAD),
            None => Ok(self.octets[..self.octets.len().min(HEAD)].to_vec()),
        }
    }

    /// All of its octets.
    fn into_stream(self) -> io::Result<Octets> {
        Ok(match self.long {
            Some(mut long) => {
                long.file.rewind()?;
                Box::new(long.file)
            }
            None => Box::new(Cursor::new(self.octets)),
        })
    }

    fn inside(&self) -> Inside {
        Inside { path: self.path.clone(), unique: self.unique.clone(), span: self.span() }
    }

    /// Whether it certainly has several messages. If it cannot be read, reading it again will
    /// report that.
    fn is_several(&self) -> bool {
        match &self.long {
            Some(long) => long.reopened().and_then(holds_several).unwrap_or_default(),
            None => holds_several(self.octets.as_slice()).unwrap_or_default(),
        }
    }

    fn is_in_maildir(&self) -> bool {
        is_message_of_maildir(&self.path)
    }
}
