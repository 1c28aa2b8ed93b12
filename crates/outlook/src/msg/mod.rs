//! Messages in files of their own: `.msg` and `.oft` (MS-OXMSG), a compound file of properties.

mod compound;
mod object;

use std::fmt;

use self::compound::{Compound, Entry};
use crate::fault::Fault;
use crate::model::{
    Attachment, Content, Guid, Message, Name, Names, Properties, PropertyName, Value, kinds,
};
use crate::tags;

const PROPERTIES: &str = "__properties_version1.0";
const STREAM: &str = "__substg1.0_";
const RECIPIENT: &str = "__recip_version1.0_#";
const ATTACHMENT: &str = "__attach_version1.0_#";

/// The storage of a message in an attachment, or of an object.
const CONTENT_STORAGE: &str = "__substg1.0_3701000D";

/// How deeply messages in messages are read.
const MAX_DEPTH: usize = 32;

/// The octets before the first property of a list.
mod heads {
    pub(super) const MESSAGE: usize = 32;
    pub(super) const INNER_MESSAGE: usize = 24;
    pub(super) const OTHER: usize = 8;
}

/// Why octets are not read as a `.msg`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MsgError {
    /// The octets are no compound file, or one that is damaged too badly, with what is wrong.
    NotCompound(String),
    /// A compound file that holds no message, but perhaps a document.
    NoMessage,
}

impl fmt::Display for MsgError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotCompound(why) => write!(formatter, "not a file of Outlook: {why}"),
            Self::NoMessage => {
                write!(formatter, "a compound file without a message of Outlook in it")
            }
        }
    }
}

impl std::error::Error for MsgError {}

impl Message {
    /// Reads a `.msg` or `.oft`. What is damaged inside is left out, and listed in
    /// [`faults`](Self::faults).
    ///
    /// # Errors
    /// The octets are no compound file, or no message is in it.
    pub fn read_msg(octets: &[u8]) -> Result<Self, MsgError> {
        let mut reader = Reader::open(octets)?;
        let root = reader.file.entries("/");
        if !root.iter().any(|entry| entry.name == PROPERTIES) {
            return Err(MsgError::NoMessage);
        }

        reader.read_names();
        let mut message = reader.message("/", root, heads::MESSAGE, 0);
        message.faults.append(&mut reader.faults);
        if reader.file.is_exhausted() {
            message.faults.push(Fault::TooLarge);
        }
        Ok(message)
    }
}

struct Reader<'o> {
    file: Compound<'o>,
    names: Names,
    faults: Vec<Fault>,
}

impl<'o> Reader<'o> {
    fn open(octets: &'o [u8]) -> Result<Self, MsgError> {
        let file =
            Compound::open(octets).map_err(|error| MsgError::NotCompound(error.to_string()))?;
        Ok(Self { file, names: Names::default(), faults: Vec::new() })
    }

    /// Reads the message whose storage is `path`.
    fn message(&mut self, path: &str, entries: Vec<Entry>, head: usize, depth: usize) -> Message {
        let properties = self.properties(path, &entries, head);
        let mut message = Message { properties, ..Message::default() };

        for entry in numbered(&entries, RECIPIENT) {
            let path = format!("{path}{}/", entry.name);
            let entries = self.file.entries(&path);
            message.recipients.push(self.properties(&path, &entries, heads::OTHER));
        }

        for entry in numbered(&entries, ATTACHMENT) {
            let path = format!("{path}{}/", entry.name);
            let attachment = self.attachment(&path, depth);
            if matches!(attachment.content, Content::None) {
                message.faults.push(Fault::Attachment { number: message.attachments.len() });
            }
            message.attachments.push(attachment);
        }
        message
    }

    fn attachment(&mut self, path: &str, depth: usize) -> Attachment {
        const BY_REFERENCE: [Option<i64>; 4] = [Some(2), Some(3), Some(4), Some(7)];

        let entries = self.file.entries(path);
        let mut properties = self.properties(path, &entries, heads::OTHER);
        let content = properties.remove(tags::ATTACH_DATA);
        let method = properties.integer(tags::ATTACH_METHOD);

        let has_storage =
            entries.iter().any(|entry| !entry.is_stream && entry.name == CONTENT_STORAGE);
        let content = match content {
            _ if has_storage => self.storage(&format!("{path}{CONTENT_STORAGE}/"), depth),
            Some(Value::Binary(octets)) => Content::Octets(octets),
            _ if BY_REFERENCE.contains(&method) => Content::Reference,
            _ => Content::None,
        };
        Attachment { properties, content }
    }

    /// Reads a message in the message, or an object.
    fn storage(&mut self, path: &str, depth: usize) -> Content {
        let entries = self.file.entries(path);
        if !entries.iter().any(|entry| entry.name == PROPERTIES) {
            return object::copy(&mut self.file, path).map_or(Content::None, Content::Object);
        }
        if depth >= MAX_DEPTH {
            self.faults.push(Fault::TooDeep);
            return Content::None;
        }
        Content::Message(Box::new(self.message(path, entries, heads::INNER_MESSAGE, depth + 1)))
    }

    /// ```text
    /// list     = head *property
    /// property = type id flags value      ; 2, 2, 4 and 8 octets, little-endian
    /// ```
    /// A value that does not fit is in a stream that is named by its id and type, and each of
    /// several texts in one that is named by its position, too.
    fn properties(&mut self, path: &str, entries: &[Entry], head: usize) -> Properties {
        let mut properties = Properties::default();
        let list = self.file.stream(&format!("{path}{PROPERTIES}"));
        if list.is_none() {
            self.faults.push(Fault::Properties);
        }
        let list = list.unwrap_or_default();
        let list = list.get(head..).unwrap_or_default();

        for property in list.chunks_exact(16) {
            let kind = u16::from_le_bytes([property[0], property[1]]);
            let id = u16::from_le_bytes([property[2], property[3]]);
            if let Some(value) = Value::fixed(kind, &property[8..]) {
                properties.insert(id, value, &self.names);
            }
        }

        for entry in entries.iter().filter(|entry| entry.is_stream) {
            let Some((id, kind, None)) = stream_name(&entry.name) else { continue };
            let path = format!("{path}{}", entry.name);
            match self.value(&path, kind, entries, &entry.name) {
                Some(value) => properties.insert(id, value, &self.names),
                None => self.faults.push(Fault::Property { id }),
            }
        }
        properties
    }

    /// Reads a value in a stream, or in a stream for each of several.
    fn value(&mut self, path: &str, kind: u16, entries: &[Entry], name: &str) -> Option<Value> {
        let octets = self.file.stream(path)?;
        let single = kind & !kinds::MULTIPLE;
        if kind & kinds::MULTIPLE == 0 {
            return Value::fixed(kind, &octets).or_else(|| Value::variable(kind, octets));
        }

        if let Some(size) = kinds::size(single) {
            let values =
                octets.chunks_exact(size).filter_map(|octets| Value::fixed(single, octets));
            return Some(Value::Multiple(values.collect()));
        }

        let mut values = Vec::new();
        let width = if single == kinds::BINARY { 8 } else { 4 };
        let count = octets.len() / width;
        let mut numbers: Vec<_> = entries
            .iter()
            .filter(|entry| entry.name.len() > name.len() && entry.name.starts_with(name))
            .filter_map(|entry| Some((stream_name(&entry.name)?.2?, entry)))
            .collect();
        numbers.sort_by_key(|(number, _)| *number);
        for (_, entry) in numbers.into_iter().take(count) {
            let path = path.replace(name, &entry.name);
            values
                .extend(self.file.stream(&path).and_then(|octets| Value::variable(single, octets)));
        }
        Some(Value::Multiple(values))
    }

    /// ```text
    /// entry = number index kind position  ; 4, 2 and 2 octets: the set and, in the lowest bit, whether a text is the name
    /// ```
    fn read_names(&mut self) {
        const SETS: &str = "/__nameid_version1.0/__substg1.0_00020102";
        const ENTRIES: &str = "/__nameid_version1.0/__substg1.0_00030102";
        const TEXTS: &str = "/__nameid_version1.0/__substg1.0_00040102";
        let [sets, entries, texts] =
            [SETS, ENTRIES, TEXTS].map(|path| self.file.stream(path).unwrap_or_default());

        for entry in entries.as_chunks::<8>().0 {
            let number = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
            let index = u16::from_le_bytes([entry[4], entry[5]]);
            let position = u16::from_le_bytes([entry[6], entry[7]]);

            let set = match index >> 1 {
                1 => Some(sets::MAPI),
                2 => Some(sets::PUBLIC_STRINGS),
                other => usize::from(other)
                    .checked_sub(3)
                    .and_then(|place| sets.as_chunks::<16>().0.get(place))
                    .map(|octets| Guid(*octets)),
            };
            let name = match index & 1 {
                0 => Some(Name::Number(number)),
                _ => name_at(&texts, number).map(Name::Text),
            };
            match (set, name, 0x8000u16.checked_add(position)) {
                (Some(set), Some(name), Some(id)) => {
                    self.names.insert(id, PropertyName { set, name })
                }
                _ => self.faults.push(Fault::Names),
            }
        }
    }
}

/// The sets of names that every file knows.
pub(crate) mod sets {
    use crate::model::Guid;

    pub(crate) const MAPI: Guid = Guid::of_outlook(0x0002_0328);
    pub(crate) const PUBLIC_STRINGS: Guid = Guid::of_outlook(0x0002_0329);
}

/// Returns the name at a place of the stream of names: its length in octets, and UTF-16.
fn name_at(texts: &[u8], place: u32) -> Option<String> {
    const MAX_NAME: usize = 1024;
    let (length, rest) = texts.get(usize::try_from(place).ok()?..)?.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?.min(MAX_NAME);
    let Some(Value::Text(name)) = Value::variable(kinds::TEXT, rest.get(..length)?.to_vec()) else {
        return None;
    };
    Some(name)
}

/// Returns the storages whose names are `prefix` and a number in hexadecimal digits, in order.
fn numbered<'e>(entries: &'e [Entry], prefix: &str) -> Vec<&'e Entry> {
    let mut found: Vec<_> = entries
        .iter()
        .filter(|entry| !entry.is_stream)
        .filter_map(|entry| {
            Some((u32::from_str_radix(entry.name.strip_prefix(prefix)?, 16).ok()?, entry))
        })
        .collect();
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, entry)| entry).collect()
}

/// Returns the id, the type and the position that the name of a stream states.
fn stream_name(name: &str) -> Option<(u16, u16, Option<u32>)> {
    let rest = name.strip_prefix(STREAM)?;
    let id = u16::from_str_radix(rest.get(..4)?, 16).ok()?;
    let kind = u16::from_str_radix(rest.get(4..8)?, 16).ok()?;
    match rest.get(8..)? {
        "" => Some((id, kind, None)),
        position => {
            Some((id, kind, Some(u32::from_str_radix(position.strip_prefix('-')?, 16).ok()?)))
        }
    }
}
