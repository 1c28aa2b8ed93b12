//! A file of many messages, read one message at a time.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::item::{Found, Home, Item, MailSource, Mailbox, MailboxKind, Other, Position, Within};
use super::kind::{FileKind, Unread, is_eml, is_packed, of_octets};
use super::long::Long;
use super::packed::{Unpacked, Unpacking, open, unpack};
use super::tar::{Entries, TarEntry};
use crate::exit::{Exit, Failure};
use sevenbit::mbox::{Dialect, Mbox, holds_several};
use sevenbit_outlook::Message;
use sevenbit_store::HEAD;

/// The messages of a mailbox, what else is in it, and its end.
pub struct Messages {
    mailbox: Arc<Mailbox>,
    /// The file before it was read.
    before: Option<fs::Metadata>,
    stream: Stream,
    /// Items that were found together with the last one, and come next.
    waiting: VecDeque<Result<Found, Failure>>,
    /// The message that was read last.
    last: Option<Position>,
    /// Whether a place in it could not be read.
    damaged: bool,
    ended: bool,
}

/// How it is read.
enum Stream {
    Mbox(Box<Mbox<Unpacking>>),
    Tar(Box<Entries<Unpacking>>),
}

impl Messages {
    /// Opens the mbox of some dialect, or else the tar file, at `path`. `-` is standard input, part of which may already
    /// have been read.
    ///
    /// # Errors
    /// The mailbox cannot be read.
    pub fn open(
        path: &Path,
        relative: &Path,
        dialect: Option<Dialect>,
        read: Option<Unpacked>,
        max_message: usize,
    ) -> Result<Self, Failure> {
        let stdin = path == Path::new("-");
        let before = if stdin { None } else { fs::metadata(path).ok() };
        let stream = match read {
            Some(read) => Ok(read),
            None if stdin => unpack(io::stdin()),
            None => open(path),
        };
        let stream = stream.map_err(|error| Failure::reading(path, &error))?.into_stream();
        let kind = if dialect.is_some() { MailboxKind::Mbox } else { MailboxKind::Tar };
        let stream = match dialect {
            Some(dialect) => Stream::Mbox(Box::new(Mbox::new(stream, dialect).limit(max_message))),
            None => Stream::Tar(Box::new(Entries::new(stream, max_message))),
        };
        let permissions = before.as_ref().map(fs::Metadata::permissions);
        let mailbox = Arc::new(Mailbox { name: path.into(), relative: relative.into(), kind, permissions });
        Ok(Self {
            mailbox,
            before,
            stream,
            waiting: VecDeque::new(),
            last: None,
            damaged: false,
            ended: false,
        })
    }

    /// The mailbox that is read.
    pub fn mailbox(&self) -> Arc<Mailbox> {
        Arc::clone(&self.mailbox)
    }

    fn read(&mut self) -> io::Result<Option<Result<Found, Failure>>> {
        let number = self.last.as_ref().map_or(1, |last| last.number + 1);
        Ok(match &mut self.stream {
            Stream::Mbox(mbox) => {
                let Some(mail) = mbox.next().transpose()? else { return Ok(None) };
                let (span, is_whole) = (mail.span(), mail.is_whole());
                let (postmark, octets) = mail.into_parts();
                let source = match is_whole {
                    true => MailSource::Octets(octets),
                    false => MailSource::Long(Box::new(Long::spooled(&octets, mbox.rest())?)),
                };
                let position = Position { number, span, doubts: mbox.doubts() };
                Some(Ok(Found::Message(self.message(source, Home::Mbox { position, postmark }))))
            }
            Stream::Tar(entries) => match entries.next_entry() {
                None => None,
                Some(Ok(entry)) => Some(self.entry(number, entry)),
                Some(Err(unreadable)) => {
                    self.damaged = true;
                    Some(Err(self.reading(&io::Error::new(unreadable.error.kind(), unreadable.to_string()))))
                }
            },
        })
    }

    fn entry(&mut self, number: u64, mut entry: TarEntry) -> Result<Found, Failure> {
        let place = |span| Position { number, span, doubts: Vec::new() };
        let begins = entry.offset;
        let kind = if entry.is_message() { kind(&mut entry)? } else { FileKind::Message };
        let length = entry.header.size().unwrap_or_default();
        if let FileKind::Unread(unread) = kind {
            return Ok(self.unread(place(begins..begins + length), entry, unread));
        }
        if kind == FileKind::Msg {
            return Ok(self.msg(place(begins..begins + length), entry));
        }
        if let Some(long) = entry.long.take_if(|_| entry.header.entry_type().is_file()) {
            let position = place(begins..begins + long.length);
            let home = Home::Tar { position, entry: Box::new(entry), within: None };
            return Ok(Found::Message(self.message(MailSource::Long(Box::new(long)), home)));
        }
        if !entry.is_message() {
            return Ok(Found::Extra(Box::new(entry)));
        }
        // Reading from memory does not fail.
        if is_mbox(&entry) {
            return Ok(self.mbox(number, &entry));
        }
        let position = place(begins..begins + entry.octets.len() as u64);
        if is_packed(&entry.octets) {
            let home = Home::Tar { position, entry: Box::new(entry), within: None };
            let reason = "is packed, and stays as it is: unpack the tar file first";
            return Ok(Found::Kept(self.message(MailSource::Octets(Vec::new()), home), reason.into()));
        }
        let octets = std::mem::take(&mut entry.octets);
        let home = Home::Tar { position, entry: Box::new(entry), within: None };
        Ok(Found::Message(self.message(MailSource::Octets(octets), home)))
    }

    /// Returns the message in an entry of a tar file that is a file of Outlook. If it cannot be read, the entry stays as it is.
    fn msg(&mut self, position: Position, mut entry: TarEntry) -> Found {
        let read = match &entry.long {
            Some(_) => Err("is longer than `--max-message`, and a file of Outlook".to_owned()),
            None => Message::read_msg(&entry.octets).map_err(|why| format!("cannot be read: {why}")),
        };
        let source = match read {
            Ok(message) => MailSource::Octets(message.compose().into_octets()),
            Err(reason) => {
                let home = Home::Tar { position, entry: Box::new(entry), within: None };
                let item = self.message(MailSource::Octets(Vec::new()), home);
                return Found::Kept(item, format!("{reason}; it stays as it is").into());
            }
        };
        if let Stream::Tar(entries) = &mut self.stream {
            entries.set_opened(&mut entry);
        }
        entry.octets = Vec::new();
        let home = Home::Tar { position, entry: Box::new(entry), within: None };
        Found::Message(self.message(source, home))
    }

    /// Returns an entry of a tar file that is not read. It keeps its content, to be copied.
    fn unread(&mut self, position: Position, entry: TarEntry, unread: Unread) -> Found {
        let octets = position.span.end - position.span.start;
        let home = Home::Tar { position, entry: Box::new(entry), within: None };
        let item = self.message(MailSource::Octets(Vec::new()), home);
        Found::Unread(Box::new(Other { item, unread, octets, is_named: false }))
    }

    /// Returns the first message of an mbox in a tar file, and lets the others wait.
    fn mbox(&mut self, number: u64, entry: &TarEntry) -> Found {
        let mut mbox = Mbox::new(entry.octets.as_slice(), Dialect::Auto);
        let mut found = Vec::new();
        // Reading from memory does not fail.
        while let Some(Ok(mail)) = mbox.next() {
            let (begins, span) = (entry.offset, mail.span());
            let position = Position {
                number: number + found.len() as u64,
                span: begins + span.start..begins + span.end,
                doubts: mbox.doubts().into_iter().map(|place| begins + place).collect(),
            };
            let (postmark, octets) = mail.into_parts();
            found.push((position, postmark, octets));
        }
        let count = found.len() as u64;
        for (number, (position, postmark, octets)) in (1..).zip(found) {
            let within = Some(Within { number, postmark, is_last: number == count });
            let home = Home::Tar { position, entry: Box::new(entry.emptied()), within };
            let item = self.message(MailSource::Octets(octets), home);
            self.waiting.push_back(Ok(Found::Message(item)));
        }
        self.waiting.pop_front().and_then(Result::ok).expect("it holds a message")
    }

    fn message(&mut self, source: MailSource, home: Home) -> Item {
        let (name, relative) = (Arc::clone(&self.mailbox.name), Arc::clone(&self.mailbox.relative));
        let item = Item { name, relative, source, home };
        self.last = item.position().cloned();
        item
    }

    /// The failure to read what comes after the last message.
    fn reading(&self, error: &io::Error) -> Failure {
        Failure::reading(&after(&self.mailbox.name, self.last.as_ref()), error)
    }

    /// Queues the end, preceded by the reason if it is not the end of the mailbox.
    fn end(&mut self, read: io::Result<()>) {
        self.ended = true;
        let path = &*self.mailbox.name;
        let failed = match read {
            Ok(()) if self.before.as_ref().is_some_and(|before| has_changed(before, path)) => {
                Some(Failure::new(Exit::TryAgain, path, "changed while it was read"))
            }
            Ok(()) => None,
            Err(error) => Some(self.reading(&error)),
        };
        let whole = failed.is_none() && !self.damaged;
        self.waiting.extend(failed.map(Err));
        self.waiting.push_back(Ok(Found::Closes { whole }));
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

/// Returns whether a file in a tar file is an mbox: one with a single message counts, unless its name says that it is one.
fn is_mbox(entry: &TarEntry) -> bool {
    let octets = &entry.octets;
    let begins = matches!(of_octets(&octets[..octets.len().min(HEAD)], &entry.path), FileKind::Mbox(_));
    // Reading from memory does not fail.
    let is_several = || holds_several(octets.as_slice()).unwrap_or_default();
    !octets.is_empty() && (begins && !is_eml(&entry.path) || is_several())
}

/// Returns what a file in a tar file is. In a Maildir every file is a message.
fn kind(entry: &mut TarEntry) -> Result<FileKind, Failure> {
    let directory = entry.path.parent().and_then(Path::file_name).unwrap_or_default();
    if directory == "cur" || directory == "new" {
        return Ok(FileKind::Message);
    }
    let first = match &mut entry.long {
        Some(long) => long.first(HEAD).map_err(|error| Failure::reading(&entry.path, &error))?,
        None => entry.octets[..entry.octets.len().min(HEAD)].to_vec(),
    };
    Ok(match of_octets(&first, &entry.path) {
        FileKind::Emlx => FileKind::Unread(Unread::Foreign("a message of Apple Mail in a tar file")),
        FileKind::Folders => FileKind::Unread(Unread::Foreign("a store of Outlook in a tar file")),
        kind => kind,
    })
}

/// The place where reading stopped: `in.mbox: after message 17, octet 123456`.
fn after(path: &Path, last: Option<&Position>) -> PathBuf {
    match last {
        Some(last) => {
            let mut place = path.as_os_str().to_owned();
            place.push(format!(": after message {}, octet {}", last.number, last.span.end));
            place.into()
        }
        None => path.to_owned(),
    }
}

/// Whether a file has changed since reading began.
fn has_changed(before: &fs::Metadata, path: &Path) -> bool {
    before.is_file()
        && !fs::metadata(path)
            .is_ok_and(|after| after.len() == before.len() && after.modified().ok() == before.modified().ok())
}
