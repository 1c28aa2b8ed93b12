//! A file of many messages, read one message at a time.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sevenbit_store::ending::is_damage;

use super::archive::{Archive, Opened};
use super::cut::{MailboxMessage, MailboxReader};
use super::item::{Extent, Found, Home, Item, MailSource, Mailbox, MailboxKind, Other, Position};
use super::kind::FileKind;
use super::packed::{Packing, Unpacked, Unpacking, open, unpack};
use super::select::Select;
use super::tar::TarEntry;
use crate::exit::{Exit, Failure};

/// The messages of a mailbox, what else is in it, and its end.
pub struct Messages {
    mailbox: Arc<Mailbox>,
    /// The file before it was read.
    before: Option<fs::Metadata>,
    stream: Stream,
    /// Items that were found together with the last one, and come next.
    waiting: VecDeque<Result<Found, Failure>>,
    /// The number of messages so far.
    messages: u64,
    /// The octet after the last message or other file.
    reached: u64,
    /// Whether a place in it could not be read.
    damaged: bool,
    ended: bool,
}

/// How it is read.
enum Stream {
    Mailbox(MailboxReader<Unpacking>),
    Archive(Box<Archive>),
}

impl Messages {
    /// Opens the mailbox at `path`. `-` is standard input, part of which may already have been
    /// read.
    ///
    /// # Errors
    /// The mailbox cannot be read.
    pub fn open(
        path: &Path,
        relative: &Path,
        kind: FileKind,
        read: Option<Unpacked>,
        select: &Select,
    ) -> Result<Self, Failure> {
        let stdin = path == Path::new("-");
        let before = if stdin { None } else { fs::metadata(path).ok() };
        let stream = match read {
            Some(read) => Ok(read),
            None if stdin => unpack(io::stdin()),
            None => open(path),
        };
        let failed = |error: io::Error| Failure::reading(path, &error);
        let stream = stream.map_err(failed)?;
        let stream = match kind {
            FileKind::Mbox(dialect) => Stream::Mailbox(MailboxReader::mbox(
                stream.into_stream(),
                dialect,
                select.max_message,
            )),
            FileKind::Old(format) => Stream::Mailbox(MailboxReader::old(
                stream.into_stream(),
                format,
                select.max_message,
            )),
            FileKind::Zip => {
                let is_file = !stdin && stream.packing == Packing::None;
                let file = if is_file { Some(File::open(path).map_err(failed)?) } else { None };
                Stream::Archive(Box::new(Archive::zip(stream, file, select).map_err(failed)?))
            }
            _ => Stream::Archive(Box::new(Archive::tar(stream, select))),
        };
        let kind = kind.mailbox().unwrap_or(MailboxKind::Mbox);
        let file = before.clone().filter(fs::Metadata::is_file);
        let mailbox =
            Arc::new(Mailbox { name: path.into(), relative: relative.into(), kind, file });
        Ok(Self {
            mailbox,
            before,
            stream,
            waiting: VecDeque::new(),
            messages: 0,
            reached: 0,
            damaged: false,
            ended: false,
        })
    }

    /// The mailbox that is read.
    pub fn mailbox(&self) -> Arc<Mailbox> {
        Arc::clone(&self.mailbox)
    }

    fn read(&mut self) -> io::Result<Option<Result<Found, Failure>>> {
        let number = self.messages + 1;
        Ok(match &mut self.stream {
            Stream::Mailbox(reader) => {
                let Some(MailboxMessage { source, postmark, span, doubts }) =
                    reader.next_message()?
                else {
                    return Ok(None);
                };
                let position = Position { span, doubts };
                let home = Home::Mbox { number, position, postmark };
                Some(Ok(Found::Message(self.item(source, home))))
            }
            Stream::Archive(archive) => match archive.next_found() {
                None => None,
                Some(Opened::Message(message)) => {
                    let home = Home::Tar {
                        number: Some(number),
                        position: Position { span: message.span, doubts: message.doubts },
                        entry: message.entry,
                        within: message.within,
                    };
                    let item = self.item(message.source, home);
                    Some(Ok(Found::Message(Item { charsets: message.charsets, ..item })))
                }
                Some(Opened::Extra(entry)) => Some(Ok(Found::Extra(entry))),
                Some(Opened::Unread(entry, unread)) => {
                    let octets = entry.length();
                    let item = self.kept(entry);
                    Some(Ok(Found::Unread(Box::new(Other {
                        item,
                        unread,
                        octets,
                        is_named: false,
                    }))))
                }
                Some(Opened::Kept(entry, reason)) => {
                    Some(Ok(Found::Kept(self.kept(entry), reason)))
                }
                Some(Opened::Damaged(error)) => {
                    self.damaged = true;
                    Some(Err(self.reading(&error)))
                }
                Some(Opened::LeftOut(path, error)) => {
                    let place = within(&self.mailbox.name, &path);
                    Some(Err(Failure::new(Exit::Refused, &place, format!("is left out: {error}"))))
                }
            },
        })
    }

    /// Returns an entry of an archive that is not read. It keeps its content, to be copied.
    fn kept(&mut self, entry: Box<TarEntry>) -> Item {
        let position = Position { span: entry.span(), doubts: Vec::new() };
        let home = Home::Tar { number: None, position, entry, within: None };
        self.item(MailSource::Octets(Vec::new()), home)
    }

    fn item(&mut self, source: MailSource, home: Home) -> Item {
        let (name, relative) = (Arc::clone(&self.mailbox.name), Arc::clone(&self.mailbox.relative));
        let item = Item { name, relative, source, home, charsets: Vec::new() };
        self.messages = item.number().unwrap_or(self.messages);
        self.reached = item.position().map_or(self.reached, |position| position.span.end);
        item
    }

    /// The failure to read what comes next, whose place is called
    /// `in.mbox: after message 17, octet 123456`.
    fn reading(&self, error: &io::Error) -> Failure {
        let mut place = self.mailbox.name.as_os_str().to_owned();
        match (self.messages, self.reached) {
            (0, 0) => {}
            (0, octet) => place.push(format!(": after octet {octet}")),
            (number, octet) => place.push(format!(": after message {number}, octet {octet}")),
        }
        Failure::reading(Path::new(&place), error)
    }

    /// Queues the end, preceded by the reason if it is not the end of the mailbox.
    fn end(&mut self, read: io::Result<()>) {
        self.ended = true;
        let path = &*self.mailbox.name;
        let (extent, failed) =
            if self.before.as_ref().is_some_and(|before| has_changed(before, path)) {
                (
                    Extent::Unfinished,
                    Some(Failure::new(Exit::TryAgain, path, "changed while it was read")),
                )
            } else {
                match read {
                    Ok(()) if self.damaged => (Extent::Damaged, None),
                    Ok(()) => (Extent::Whole, None),
                    Err(error) if is_of_octets(&error) => {
                        (Extent::Damaged, Some(self.reading(&error)))
                    }
                    Err(error) => (Extent::Unfinished, Some(self.reading(&error))),
                }
            };
        self.waiting.extend(failed.map(Err));
        self.waiting.push_back(Ok(Found::Closes(extent)));
    }
}

impl Iterator for Messages {
    type Item = Result<Found, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.waiting.is_empty() && !self.ended {
            match self.read() {
                Ok(None) => self.end(Ok(())),
                Err(error) => self.end(Err(error)),
                Ok(found) => return found,
            }
        }
        self.waiting.pop_front()
    }
}

/// The place of a member in an archive: `in.zip: a.eml`.
fn within(path: &Path, member: &Path) -> PathBuf {
    let mut place = path.as_os_str().to_owned();
    place.push(": ");
    place.push(member);
    place.into()
}

/// Whether an error would come again: it is one of the octets, of the system only otherwise.
fn is_of_octets(error: &io::Error) -> bool {
    is_damage(error) || error.kind() == io::ErrorKind::FileTooLarge
}

/// Whether a file has changed since reading began.
fn has_changed(before: &fs::Metadata, path: &Path) -> bool {
    before.is_file()
        && !fs::metadata(path).is_ok_and(|after| {
            after.len() == before.len() && after.modified().ok() == before.modified().ok()
        })
}
