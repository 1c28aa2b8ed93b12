//! A writer of `.msg` files, by MS-OXMSG.

use std::io::{Cursor, Write};

use cfb::CompoundFile;

type File = CompoundFile<Cursor<Vec<u8>>>;

/// A property: its id, its type and the octets of its value.
pub type Property = (u16, u16, Vec<u8>);

pub mod kinds {
    pub const OCTETS8: u16 = 0x001e;
    pub const TEXT: u16 = 0x001f;
    pub const BINARY: u16 = 0x0102;
}

/// A message that is to be written.
#[derive(Default)]
pub struct Msg {
    properties: Vec<Property>,
    recipients: Vec<Vec<Property>>,
    attachments: Vec<(Vec<Property>, Option<Msg>)>,
    /// The names of the properties from 0x8000 on, in the set of a user's own.
    names: Vec<String>,
}

impl Msg {
    pub fn add(&mut self, id: u16, kind: u16, value: Vec<u8>) {
        self.properties.push((id, kind, value));
    }

    /// Adds a property of the user's own, in Unicode.
    pub fn named(&mut self, name: &str, value: &str) {
        let id = 0x8000 + u16::try_from(self.names.len()).expect("few");
        self.names.push(name.to_owned());
        self.add(id, kinds::TEXT, wide(value));
    }

    pub fn recipient(&mut self, properties: &[Property]) {
        self.recipients.push(properties.to_vec());
    }

    pub fn attachment(&mut self, properties: &[Property]) {
        self.attachments.push((properties.to_vec(), None));
    }

    pub fn message(&mut self, properties: &[Property], message: Msg) {
        self.attachments.push((properties.to_vec(), Some(message)));
    }

    /// Returns the message as a file.
    pub fn octets(&self) -> Vec<u8> {
        let mut file = CompoundFile::create(Cursor::new(Vec::new())).expect("a file");
        file.create_storage("/__nameid_version1.0").expect("a storage");
        self.write_names(&mut file);
        self.write(&mut file, "/", 32);
        file.flush().expect("written");
        file.into_inner().into_inner()
    }

    /// Writes the names of properties (MS-OXMSG, 2.2.3), each with the number of its set, which is 2
    /// for that of a user's own.
    fn write_names(&self, file: &mut File) {
        let (mut entries, mut texts) = (Vec::new(), Vec::new());
        for (number, name) in (0u16..).zip(&self.names) {
            let name = wide(name);
            entries.extend(u32::try_from(texts.len()).expect("short").to_le_bytes());
            entries.extend((2u16 << 1 | 1).to_le_bytes());
            entries.extend(number.to_le_bytes());
            texts.extend(u32::try_from(name.len()).expect("short").to_le_bytes());
            texts.extend(name);
            texts.resize(texts.len().next_multiple_of(4), 0);
        }
        for (id, octets) in [("0002", &Vec::new()), ("0003", &entries), ("0004", &texts)] {
            write_stream(file, &format!("/__nameid_version1.0/__substg1.0_{id}0102"), octets);
        }
    }

    fn write(&self, file: &mut File, path: &str, head: usize) {
        write_properties(file, path, head, &self.properties);
        for (number, recipient) in self.recipients.iter().enumerate() {
            let path = format!("{path}__recip_version1.0_#{number:08X}/");
            file.create_storage(&path).expect("a storage");
            write_properties(file, &path, 8, recipient);
        }
        for (number, (properties, message)) in self.attachments.iter().enumerate() {
            let path = format!("{path}__attach_version1.0_#{number:08X}/");
            file.create_storage(&path).expect("a storage");
            write_properties(file, &path, 8, properties);
            if let Some(message) = message {
                let path = format!("{path}__substg1.0_3701000D/");
                file.create_storage(&path).expect("a storage");
                message.write(file, &path, 24);
            }
        }
    }
}

fn write_properties(file: &mut File, path: &str, head: usize, properties: &[Property]) {
    let mut list = vec![0; head];
    for (id, kind, value) in properties {
        list.extend(kind.to_le_bytes());
        list.extend(id.to_le_bytes());
        list.extend(6u32.to_le_bytes());
        if value.len() <= 8 && !matches!(*kind, kinds::OCTETS8 | kinds::TEXT | kinds::BINARY) {
            let mut fixed = [0; 8];
            fixed[..value.len()].copy_from_slice(value);
            list.extend(fixed);
        } else {
            list.extend(u64::try_from(value.len()).expect("short").to_le_bytes());
            write_stream(file, &format!("{path}__substg1.0_{id:04X}{kind:04X}"), value);
        }
    }
    write_stream(file, &format!("{path}__properties_version1.0"), &list);
}

fn write_stream(file: &mut File, path: &str, octets: &[u8]) {
    file.create_stream(path).expect("a stream").write_all(octets).expect("written");
}

/// Returns a compound file that is no message.
pub fn document() -> Vec<u8> {
    let mut file = CompoundFile::create(Cursor::new(Vec::new())).expect("a file");
    write_stream(&mut file, "/WordDocument", b"text");
    file.flush().expect("written");
    file.into_inner().into_inner()
}

pub fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Returns RTF in its container, not compressed.
pub fn compressed(rtf: &[u8]) -> Vec<u8> {
    let length = u32::try_from(rtf.len()).expect("short");
    [&(length + 12).to_le_bytes()[..], &length.to_le_bytes(), b"MELA\0\0\0\0", rtf].concat()
}
