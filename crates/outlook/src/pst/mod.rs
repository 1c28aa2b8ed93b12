//! Stores of Outlook: `.pst` files and the caches `.ost` (MS-PST), read only.
//!
//! The layers, from below: `format` and `encoding` know octets, `file` pages and blocks, `data` the
//! data of nodes, `heap` and `properties` what is in them, `message` and this module what mail it
//! is.

mod data;
mod encoding;
mod error;
mod file;
mod folder;
mod format;
mod heap;
mod message;
mod names;
mod properties;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::{Read, Seek};
use std::sync::Arc;

pub use self::error::Error;
use self::file::{File, Node, Walk};
pub use self::folder::{Folder, FolderName};
use self::format::SIGNATURE;
use self::message::{Common, Reading, types};
use self::properties::{Item, RowIds, Table};
use crate::model::{Message, Names, Properties, Value};
use crate::tags;

/// The ids of nodes that each store has.
mod ids {
    pub(super) const STORE: u32 = 0x21;
    pub(super) const NAMES: u32 = 0x61;
    pub(super) const ROOT: u32 = 0x122;
}

/// The deepest that folders are read.
const MAX_FOLDER_DEPTH: usize = 64;

/// A store: folders of messages.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut store = sevenbit_outlook::Store::open(std::fs::File::open("mail.pst")?)?;
/// let mut messages = store.messages();
/// while let Some(found) = messages.next() {
///     let subject = found.message?.properties.get(sevenbit_outlook::tags::SUBJECT).cloned();
///     println!("{}: {subject:?}", found.folder);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Store<R> {
    file: File<R>,
    common: Common,
    folders: Vec<Arc<Folder>>,
    /// The folders whose lists of folders or messages cannot be read.
    damaged: Vec<(u32, Error)>,
    with_associated: bool,
}

/// A message of a store.
#[derive(Debug)]
pub struct Found {
    /// The folder of the message.
    pub folder: Arc<Folder>,
    /// The id of the node of the message, or of what could not be read.
    pub node: u32,
    /// The message, or why it cannot be read.
    pub message: Result<Message, Error>,
}

impl<R> fmt::Debug for Store<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Store").field("file", &self.file).finish_non_exhaustive()
    }
}

/// Returns whether a file that begins with `octets` is a store.
pub fn is_store(octets: &[u8]) -> bool {
    octets.starts_with(SIGNATURE)
}

impl<R: Read + Seek> Store<R> {
    /// Opens a store and reads its folders. Passwords of stores protect nothing, and are not asked
    /// for.
    pub fn open(reader: R) -> Result<Self, Error> {
        let file = File::open(reader)?;
        let mut store = Self {
            file,
            common: Common::default(),
            folders: Vec::new(),
            damaged: Vec::new(),
            with_associated: false,
        };

        // A store without these is still read.
        if let Ok(properties) = store.properties_of(ids::NAMES) {
            store.common.names = names::read(&properties);
        }
        if let Ok(properties) = store.properties_of(ids::STORE) {
            let code_page = [tags::MESSAGE_CODE_PAGE, CODE_PAGE_ID]
                .into_iter()
                .find_map(|id| properties.integer(id));
            store.common.code_page = code_page.and_then(|code_page| code_page.try_into().ok());
        }
        store.read_folders();
        Ok(store)
    }

    /// Sets whether what folders hold besides their messages is read, too: views, rules, forms.
    #[must_use]
    pub fn with_associated(mut self, with_associated: bool) -> Self {
        self.with_associated = with_associated;
        self
    }

    /// Returns the folders, each one before those in it.
    pub fn folders(&self) -> &[Arc<Folder>] {
        &self.folders
    }

    /// Returns the nodes of folders, or of their lists, that cannot be read.
    pub fn damaged_folders(&self) -> &[(u32, Error)] {
        &self.damaged
    }

    /// Returns the number of messages that the folders claim to have.
    pub fn claimed_messages(&self) -> u64 {
        self.folders.iter().map(|folder| folder.messages).sum()
    }

    /// Returns all messages, folder by folder; then those that no list of a folder has.
    pub fn messages(&mut self) -> Messages<'_, R> {
        let way = Way::new(self.folders.clone(), true);
        Messages { store: self, way }
    }

    /// Returns all messages as [`messages`](Self::messages) does, with the store.
    pub fn into_messages(self) -> IntoMessages<R> {
        let way = Way::new(self.folders.clone(), true);
        IntoMessages { store: self, way }
    }

    /// Returns the messages that the list of a folder has.
    pub fn messages_of(&mut self, folder: &Arc<Folder>) -> Messages<'_, R> {
        let way = Way::new(vec![Arc::clone(folder)], false);
        Messages { store: self, way }
    }

    /// Returns the Windows code page of texts that are not in Unicode, if the store names it.
    pub fn code_page(&self) -> Option<u32> {
        self.common.code_page
    }

    fn properties_of(&mut self, node: u32) -> Result<Properties, Error> {
        let node = self.file.node(node)?;
        let (properties, _) =
            Item::open(&mut self.file, node)?.properties(&mut self.file, &Names::default())?;
        Ok(properties)
    }

    /// Reads all folders, from the root on.
    fn read_folders(&mut self) {
        let mut seen = HashSet::from([ids::ROOT]);
        let mut next = vec![(ids::ROOT, Vec::new())];
        while let Some((id, around)) = next.pop() {
            let folder = self.folder(id, around);
            let path = match folder {
                Ok(folder) => {
                    let path = folder.path.clone();
                    self.folders.push(Arc::new(folder));
                    path
                }
                Err(error) => {
                    self.damaged.push((id, error));
                    continue;
                }
            };
            if path.len() >= MAX_FOLDER_DEPTH {
                self.damaged.push((id, Error::TooDeep));
                continue;
            }

            let inside = self.folders_in(id);
            let inside = inside.into_iter().rev().filter(|inside| seen.insert(*inside));
            next.extend(inside.map(|inside| (inside, path.clone())));
        }
    }

    /// Reads a folder; its name is appended to the names `around` it.
    fn folder(&mut self, id: u32, mut around: Vec<FolderName>) -> Result<Folder, Error> {
        let properties = match self.properties_of(id) {
            Ok(properties) => properties,
            // What is in the root can be read without it.
            Err(_) if id == ids::ROOT => Properties::default(),
            Err(error) => return Err(error),
        };
        if id != ids::ROOT {
            around.push(match properties.get(tags::DISPLAY_NAME) {
                Some(Value::Text(text)) => FolderName::Text(text.clone()),
                Some(Value::Octets8(octets)) => FolderName::Octets(octets.clone()),
                _ => FolderName::Text(format!("{id:x}")),
            });
        }
        let class = match properties.get(CONTAINER_CLASS) {
            Some(Value::Text(text)) => Some(text.clone()),
            Some(Value::Octets8(octets)) => Some(String::from_utf8_lossy(octets).into_owned()),
            _ => None,
        };
        let messages = properties.integer(CONTENT_COUNT).and_then(|count| count.try_into().ok());
        Ok(Folder { node: id, path: around, messages: messages.unwrap_or_default(), class })
    }

    /// Reads a folder that no list of folders has, with the names that its nodes give.
    fn unlisted_folder(&mut self, id: u32) -> Folder {
        let mut inside = Vec::new();
        let mut around = Vec::new();
        let mut next = id;
        while next != ids::ROOT && inside.len() < MAX_FOLDER_DEPTH && !inside.contains(&next) {
            if let Some(known) = self.folders.iter().find(|folder| folder.node == next) {
                around.clone_from(&known.path);
                break;
            }
            inside.push(next);
            match self.file.node(next) {
                Ok(node) => next = node.parent,
                Err(_) => break,
            }
        }

        let mut folder = Folder { node: 0, path: around, messages: 0, class: None };
        for id in inside.into_iter().rev() {
            let around = folder.path.clone();
            folder = self.folder(id, around).unwrap_or_else(|_| {
                folder.path.push(FolderName::Text(format!("{id:x}")));
                folder
            });
        }
        folder
    }

    /// Returns the ids of the folders in a folder. Those that only search others are none.
    fn folders_in(&mut self, id: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let list = list_of(id, types::FOLDERS);
        let ids = self.table(list).and_then(|mut table| {
            let ids = table.ids(&mut self.file)?;
            Ok((table, ids))
        });
        let (mut table, mut ids) = match ids {
            Ok(ids) => ids,
            Err(error) => {
                self.damaged.push((list, error));
                return found;
            }
        };
        while let Some(row) = table.next_id(&mut self.file, &mut ids) {
            match row {
                Ok((row, _)) if row & 0x1f == types::FOLDER => found.push(row),
                Ok(_) => {}
                Err(error) => self.damaged.push((list, error)),
            }
        }
        found
    }

    fn table(&mut self, id: u32) -> Result<Table, Error> {
        let node = self.file.node(id)?;
        Table::open(&mut self.file, node)
    }

    fn message(&mut self, node: Node) -> Result<Message, Error> {
        Reading::new(&mut self.file, &self.common).message(node)
    }
}

/// `PidTagCodePageId`: the code page of a store.
const CODE_PAGE_ID: u16 = 0x66c3;
/// `PidTagContentCount`: the number of messages in a folder.
const CONTENT_COUNT: u16 = 0x3602;
/// `PidTagContainerClass`: the class of the items of a folder.
const CONTAINER_CLASS: u16 = 0x3613;

/// Returns the id of a list of a folder.
const fn list_of(folder: u32, kind: u32) -> u32 {
    folder & !0x1f | kind
}

/// The messages of a store, or of a folder.
pub struct Messages<'s, R> {
    store: &'s mut Store<R>,
    way: Way,
}

/// The messages of a store, which it owns.
pub struct IntoMessages<R> {
    store: Store<R>,
    way: Way,
}

/// A message that is found and not read.
struct Place {
    folder: Arc<Folder>,
    /// The id of its node, or of what could not be read.
    id: u32,
    node: Result<Node, Error>,
}

impl Place {
    /// Reads the message.
    fn read<R: Read + Seek>(self, store: &mut Store<R>) -> Found {
        let message = self.node.and_then(|node| store.message(node));
        Found { folder: self.folder, node: self.id, message }
    }
}

/// A way through the messages of a store.
struct Way {
    folders: std::vec::IntoIter<Arc<Folder>>,
    state: State,
    seen: Seen,
    /// Whether messages that no folder lists are looked for.
    is_all: bool,
}

impl<R> fmt::Debug for Messages<'_, R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Messages").field("store", &self.store).finish_non_exhaustive()
    }
}

impl<R> fmt::Debug for IntoMessages<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("IntoMessages").field("store", &self.store).finish_non_exhaustive()
    }
}

/// How far the way through a store is.
enum State {
    /// The next folder is to be opened.
    Next,
    /// A list of a folder is gone through.
    List {
        folder: Arc<Folder>,
        list: u32,
        table: Box<(Table, RowIds)>,
    },
    /// All nodes are gone through for messages that no list has.
    Orphans {
        walk: Walk,
        folders: HashMap<u32, Arc<Folder>>,
    },
    End,
}

/// A set of the nodes that were found, a bit for each: ids are close together.
#[derive(Debug, Default)]
struct Seen {
    bits: HashMap<u32, u64>,
}

impl Seen {
    /// Adds a node; returns whether it is new.
    fn insert(&mut self, id: u32) -> bool {
        // The type of a node is no part of its number; messages and associated ones have numbers of
        // their own.
        let (number, bit) = (id >> 5, 1 << (id >> 5 & 63));
        let bits = self.bits.entry(number >> 6 | (id & types::ASSOCIATED) << 26).or_default();
        let is_new = *bits & bit == 0;
        *bits |= bit;
        is_new
    }
}

impl<R: Read + Seek> Iterator for Messages<'_, R> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        Some(self.way.next(self.store)?.read(self.store))
    }
}

impl<R: Read + Seek> Iterator for IntoMessages<R> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        Some(self.way.next(&mut self.store)?.read(&mut self.store))
    }
}

impl<R: Read + Seek> IntoMessages<R> {
    /// Goes past at most so many messages without reading them; returns how many there were. The
    /// order is always the same, so that parts of a store can be read apart from each other.
    pub fn pass(&mut self, most: u64) -> u64 {
        (0..most).take_while(|_| self.way.next(&mut self.store).is_some()).count() as u64
    }
}

impl Way {
    fn new(folders: Vec<Arc<Folder>>, is_all: bool) -> Self {
        Self { folders: folders.into_iter(), state: State::Next, seen: Seen::default(), is_all }
    }

    fn next<R: Read + Seek>(&mut self, store: &mut Store<R>) -> Option<Place> {
        loop {
            match std::mem::replace(&mut self.state, State::End) {
                State::End => return None,
                State::Next => match self.folders.next() {
                    Some(folder) => {
                        if let Some(found) = self.begin(store, folder, types::CONTENTS) {
                            return Some(found);
                        }
                    }
                    None if self.is_all => {
                        let folders = store.folders.iter();
                        let folders =
                            folders.map(|folder| (folder.node, Arc::clone(folder))).collect();
                        self.state = State::Orphans { walk: store.file.walk(), folders };
                    }
                    None => {}
                },
                State::List { folder, list, table } => {
                    if let Some(found) = self.next_in(store, folder, list, table) {
                        return Some(found);
                    }
                }
                State::Orphans { walk, folders } => return self.next_orphan(store, walk, folders),
            }
        }
    }

    /// Begins with a list of a folder; returns why if it cannot.
    fn begin<R: Read + Seek>(
        &mut self,
        store: &mut Store<R>,
        folder: Arc<Folder>,
        kind: u32,
    ) -> Option<Place> {
        let list = list_of(folder.node, kind);
        let opened = store.table(list).and_then(|mut table| {
            let ids = table.ids(&mut store.file)?;
            Ok(Box::new((table, ids)))
        });
        match opened {
            Ok(table) => {
                self.state = State::List { folder, list, table };
                None
            }
            Err(error) => {
                self.state = State::Next;
                // The root has no messages in many stores, and then no list of them.
                let is_absent = matches!(error, Error::Node { .. }) && folder.messages == 0;
                (!is_absent).then_some(Place { folder, id: list, node: Err(error) })
            }
        }
    }

    /// Returns the next message of a list; goes on with the next list at its end.
    fn next_in<R: Read + Seek>(
        &mut self,
        store: &mut Store<R>,
        folder: Arc<Folder>,
        list: u32,
        mut table: Box<(Table, RowIds)>,
    ) -> Option<Place> {
        let (rows, ids) = &mut *table;
        while let Some(row) = rows.next_id(&mut store.file, ids) {
            let (id, node) = match row {
                Ok((row, _))
                    if !is_message(row, store.with_associated) || !self.seen.insert(row) =>
                {
                    continue;
                }
                Ok((row, _)) => (row, store.file.node(row)),
                Err(error) => (list, Err(error)),
            };
            let found = Place { folder: Arc::clone(&folder), id, node };
            self.state = State::List { folder, list, table };
            return Some(found);
        }

        self.state = State::Next;
        if store.with_associated && list & 0x1f == types::CONTENTS {
            return self.begin(store, folder, types::ASSOCIATED_CONTENTS);
        }
        None
    }

    /// Returns the next message that no list of a folder has.
    fn next_orphan<R: Read + Seek>(
        &mut self,
        store: &mut Store<R>,
        mut walk: Walk,
        mut folders: HashMap<u32, Arc<Folder>>,
    ) -> Option<Place> {
        while let Some(node) = walk.next(&mut store.file) {
            let (parent, id, node) = match node {
                Ok(node) if !is_message(node.id, store.with_associated) => continue,
                Ok(node) if !self.seen.insert(node.id) => continue,
                Ok(node) => (node.parent, node.id, Ok(node)),
                Err(error) => (0, 0, Err(error)),
            };
            let folder = match folders.get(&parent) {
                Some(folder) => Arc::clone(folder),
                None => {
                    let folder = Arc::new(store.unlisted_folder(parent));
                    folders.insert(parent, Arc::clone(&folder));
                    folder
                }
            };
            self.state = State::Orphans { walk, folders };
            return Some(Place { folder, id, node });
        }
        None
    }
}

/// Returns whether a node is a message.
fn is_message(id: u32, with_associated: bool) -> bool {
    id & 0x1f == types::MESSAGE || with_associated && id & 0x1f == types::ASSOCIATED
}
