//! Files of Outlook: a message, and a store, which is read one message at a time. Each folder that
//! has messages becomes an mbox under its own path.

use std::collections::{HashMap, VecDeque};
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sevenbit_outlook::pst::{Folder, FolderName, Found as Stored, IntoMessages};
use sevenbit_outlook::{Message, Store};

use super::item::{
    Extent, Found, Home, Item, MailSource, Mailbox, MailboxKind, Position, TextCharset,
};
use super::long::Long;
use super::names::Names;
use super::select::{OutlookMail, Select};
use crate::exit::{Exit, Failure};

/// Returns the message in a file of Outlook as mail, with the charsets of its texts, or why it
/// cannot be read.
pub fn message(file: &[u8], as_mail: OutlookMail) -> Result<(Vec<u8>, Vec<TextCharset>), String> {
    let message = Message::read_msg(file).map_err(|why| format!("cannot be read: {why}"))?;
    Ok(composed(&message, as_mail))
}

/// Returns a message as mail, with its properties as a part if that is wanted, and the charsets of
/// its texts.
fn composed(message: &Message, as_mail: OutlookMail) -> (Vec<u8>, Vec<TextCharset>) {
    let composed = match as_mail {
        OutlookMail::Alone => message.compose(),
        OutlookMail::WithProperties => message.compose_with_properties(),
    };
    let charsets = composed
        .choices()
        .map(|choice| TextCharset { charset: choice.charset, by: choice.basis.to_string() })
        .collect();
    (composed.into_octets(), charsets)
}

/// The messages of a store, folder by folder.
pub struct Folders {
    /// The file, as messages and reports name it.
    name: Arc<Path>,
    /// The name of that file inside an output directory.
    relative: PathBuf,
    /// The metadata of that file.
    file: Option<Metadata>,
    /// The code page of folder names that are not in Unicode.
    code_page: Option<u32>,
    messages: Box<IntoMessages<File>>,
    /// The length in octets above which a message is kept in a temporary file.
    max_message: usize,
    outlook: OutlookMail,
    /// The names of mailboxes in the output directory.
    names: Names,
    /// The number of messages so far.
    count: u64,
    /// The number of messages that each folder had so far.
    message_counts: HashMap<Vec<FolderName>, u64>,
    open: Option<OpenFolder>,
    /// Items that were read and are not returned yet.
    waiting: VecDeque<Result<Found, Failure>>,
    /// Whether the last message of the store has been read.
    ended: bool,
}

/// The folder that is being read.
struct OpenFolder {
    folder: Arc<Folder>,
    /// Its path, for people.
    path: Arc<Path>,
    /// The path of its mailbox inside an output directory.
    relative: Arc<Path>,
    /// The number of its messages so far.
    number: u64,
    /// The octets of these messages.
    length: u64,
}

impl Folders {
    /// Opens the store at `path`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn open(path: &Path, relative: &Path, select: &Select) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::reading(path, &error);
        let file = File::open(path).map_err(failed)?;
        let found = file.metadata().ok();
        let store = Store::open(file).map_err(|error| failure_at(path, &error))?;
        let damaged = store.damaged_folders().iter();
        let waiting = damaged.map(|(node, error)| {
            Err(failure_at(&place_within(path, &format!("node {node:x}")), error))
        });
        Ok(Self {
            name: path.into(),
            relative: relative.to_owned(),
            file: found,
            code_page: store.code_page(),
            waiting: waiting.collect(),
            messages: Box::new(store.into_messages()),
            max_message: select.max_message,
            outlook: select.outlook,
            names: Names::default(),
            count: 0,
            message_counts: HashMap::new(),
            open: None,
            ended: false,
        })
    }

    /// Reads the next message of the store, and adds it to what is waiting, with the end and the
    /// beginning of a folder before it and its faults after it.
    fn read_next(&mut self) {
        let Some(Stored { folder, node, message }) = self.messages.next() else {
            self.close_folder();
            self.ended = true;
            return;
        };
        let message = match message {
            Ok(message) => message,
            Err(error) => {
                let place = place_within(
                    &self.name,
                    &format!("{}: node {node:x}", folder.safe_path(self.code_page).display()),
                );
                self.waiting.push_back(Err(failure_at(&place, &error)));
                return;
            }
        };

        if self.open.as_ref().is_none_or(|open| open.folder != folder) {
            self.close_folder();
            self.open_folder(folder);
        }

        let (octets, charsets) = composed(&message, self.outlook);
        let Some(item) = self.next_item(octets) else { return };
        let item = Item { charsets, ..item };
        let faults = message.faults.iter().map(ToString::to_string).collect::<Vec<_>>();
        let place = item.called();
        self.waiting.push_back(Ok(Found::Message(item)));
        if !faults.is_empty() {
            let reason = format!("is not read whole: {}", faults.join("; "));
            self.waiting.push_back(Err(Failure::new(Exit::Refused, &place, reason)));
        }
    }

    /// Returns the message that `octets` are, as the next one of the open folder; `None` if there is
    /// no room for it, which is then among what is waiting.
    fn next_item(&mut self, octets: Vec<u8>) -> Option<Item> {
        let open = self.open.as_mut()?;
        let begins = open.length;
        let length = octets.len() as u64;
        let source = if octets.len() <= self.max_message {
            MailSource::Octets(octets)
        } else {
            match Long::spooled(&octets, io::empty()) {
                Ok(long) => MailSource::Long(Box::new(long)),
                Err(error) => {
                    self.waiting.push_back(Err(Failure::reading(&self.name, &error)));
                    return None;
                }
            }
        };

        self.count += 1;
        open.number += 1;
        open.length += length;
        let home = Home::Folder {
            number: self.count,
            in_folder: open.number,
            position: Position { span: begins..open.length, doubts: Vec::new() },
            path: Arc::clone(&open.path),
        };
        Some(Item {
            name: Arc::clone(&self.name),
            relative: Arc::clone(&open.relative),
            source,
            home,
            charsets: Vec::new(),
        })
    }

    /// Begins the mailbox of a folder. A folder may come twice: messages that are missing in its
    /// list come last, and go into a second mailbox beside the first.
    fn open_folder(&mut self, folder: Arc<Folder>) {
        let path = folder.safe_path(self.code_page);
        let number = self.message_counts.get(&folder.path).copied().unwrap_or_default();
        let relative: Arc<Path> = self.relative_path(&path).into();
        let mailbox = Mailbox {
            name: Arc::clone(&self.name),
            relative: Arc::clone(&relative),
            kind: MailboxKind::Mbox,
            file: self.file.clone(),
        };
        self.waiting.push_back(Ok(Found::Opens(Arc::new(mailbox))));
        self.open = Some(OpenFolder { folder, path: path.into(), relative, number, length: 0 });
    }

    /// Ends the mailbox of the open folder, if there is one.
    fn close_folder(&mut self) {
        if let Some(open) = self.open.take() {
            self.message_counts.insert(open.folder.path.clone(), open.number);
            self.waiting.push_back(Ok(Found::Closes(Extent::Whole)));
        }
    }

    /// Returns the name of a folder's mbox below an output directory, which no other folder has.
    fn relative_path(&mut self, path: &Path) -> PathBuf {
        let mut file = path.as_os_str().to_owned();
        file.push(".mbox");
        self.relative.join(self.names.unique(Path::new(&file)))
    }
}

impl Iterator for Folders {
    type Item = Result<Found, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.waiting.is_empty() && !self.ended {
            self.read_next();
        }
        self.waiting.pop_front()
    }
}

/// Returns the failure to read what is at `place` in a store. It does not end the reading.
fn failure_at(place: &Path, error: &sevenbit_outlook::pst::Error) -> Failure {
    match error {
        sevenbit_outlook::pst::Error::Io(error) => Failure::reading(place, error),
        _ => Failure::new(Exit::Refused, place, error.to_string()),
    }
}

/// Returns `PATH: PLACE`, the name of a place in a store for people.
fn place_within(path: &Path, place: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(": {place}"));
    name.into()
}
