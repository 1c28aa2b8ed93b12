//! A message as MAPI keeps it: the one model that every container is read into.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::fault::Fault;

/// A message, an appointment, a contact or another item of Outlook.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// The properties of the message itself.
    pub properties: Properties,
    /// The recipients in their order, each with its properties.
    pub recipients: Vec<Properties>,
    /// The attachments in their order.
    pub attachments: Vec<Attachment>,
    /// The Windows code page of the store around the message, for texts of octets in a message that
    /// names none.
    pub code_page: Option<u32>,
    /// What could not be read.
    pub faults: Vec<Fault>,
}

/// A file, a message or an object in a message.
#[derive(Clone, Debug, Default)]
pub struct Attachment {
    /// The properties of the attachment, without its content.
    pub properties: Properties,
    /// The content.
    pub content: Content,
}

/// The content of an attachment.
#[derive(Clone, Debug, Default)]
pub enum Content {
    /// No content, or content that could not be read.
    #[default]
    None,
    /// A file by value: its octets.
    Octets(Vec<u8>),
    /// A message in the message.
    Message(Box<Message>),
    /// An OLE object: the octets of its storage as a compound file, or of what the store keeps for
    /// it.
    Object(Vec<u8>),
    /// A file elsewhere, which the properties name.
    Reference,
}

/// The properties of a message, a recipient or an attachment: a value by its id, or by its name.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    values: BTreeMap<u16, Value>,
    /// The ids of the properties that have names.
    named: BTreeMap<PropertyName, u16>,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// `PtypInteger16`.
    Integer16(i16),
    /// `PtypInteger32`.
    Integer32(i32),
    /// `PtypInteger64`, and `PtypCurrency` in ten-thousandths.
    Integer64(i64),
    /// `PtypFloating32`, `PtypFloating64`, and `PtypFloatingTime` in days since 30 December 1899.
    Float(f64),
    /// `PtypBoolean`.
    Boolean(bool),
    /// `PtypTime`: hundreds of nanoseconds since 1601 in UTC.
    Time(u64),
    /// `PtypGuid`.
    Guid(Guid),
    /// `PtypString`: text in Unicode, as the container has it, without the NUL that ends it.
    Text(String),
    /// `PtypString8`: text in a code page that other properties name, without the NUL that ends it.
    Octets8(Vec<u8>),
    /// `PtypBinary`.
    Binary(Vec<u8>),
    /// `PtypObject`: what the container keeps in its place.
    Object(Vec<u8>),
    /// `PtypErrorCode`: why there is no value.
    Error(u32),
    /// The values of a `PtypMultiple...`.
    Multiple(Vec<Value>),
}

/// A globally unique identifier: 16 octets in the order of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(pub [u8; 16]);

/// The name of a property whose id differs from file to file: of 0x8000 and above.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyName {
    /// The set of properties that the name belongs to.
    pub set: Guid,
    /// The name in the set.
    pub name: Name,
}

/// A number or a text that names a property in its set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// A number: `dispidLocation` and its like.
    Number(u32),
    /// A text: `Keywords`, or what a user wrote.
    Text(String),
}

/// The names of a file's properties, by their ids.
#[derive(Clone, Debug, Default)]
pub struct Names {
    by_id: HashMap<u16, PropertyName>,
}

impl Names {
    /// Adds the name of the property `id`.
    pub fn insert(&mut self, id: u16, name: PropertyName) {
        self.by_id.insert(id, name);
    }

    /// Returns the name of the property `id`.
    pub fn get(&self, id: u16) -> Option<&PropertyName> {
        self.by_id.get(&id)
    }
}

impl Properties {
    /// Adds a property with its name, if it has one. The first value of an id stays.
    pub fn insert(&mut self, id: u16, value: Value, names: &Names) {
        self.values.entry(id).or_insert(value);
        if let Some(name) = names.get(id) {
            self.named.entry(name.clone()).or_insert(id);
        }
    }

    /// Returns the value of the property `id`.
    pub fn get(&self, id: u16) -> Option<&Value> {
        self.values.get(&id)
    }

    /// Removes the property `id` and returns its value.
    pub fn remove(&mut self, id: u16) -> Option<Value> {
        self.values.remove(&id)
    }

    /// Returns the value of the property that has the number `number` in `set`.
    pub fn numbered(&self, set: Guid, number: u32) -> Option<&Value> {
        self.get(*self.named.get(&PropertyName { set, name: Name::Number(number) })?)
    }

    /// Returns the value of the property that is called `name` in `set`.
    pub fn named(&self, set: Guid, name: &str) -> Option<&Value> {
        self.get(*self.named.get(&PropertyName { set, name: Name::Text(name.to_owned()) })?)
    }

    /// Returns the name of the property `id`, if it has one.
    pub fn name_of(&self, id: u16) -> Option<&PropertyName> {
        self.named.iter().find(|(_, named)| **named == id).map(|(name, _)| name)
    }

    /// Returns the properties that have names.
    pub fn names(&self) -> impl Iterator<Item = (&PropertyName, &Value)> {
        self.named.iter().filter_map(|(name, id)| Some((name, self.get(*id)?)))
    }

    /// Returns all properties by their ids.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &Value)> {
        self.values.iter().map(|(id, value)| (*id, value))
    }

    /// Returns whether there is no property.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the property `id` as an integer.
    pub fn integer(&self, id: u16) -> Option<i64> {
        self.get(id)?.integer()
    }

    /// Returns whether the property `id` is there and true.
    pub fn is_true(&self, id: u16) -> bool {
        self.get(id) == Some(&Value::Boolean(true))
    }

    /// Returns the property `id` as a time: hundreds of nanoseconds since 1601.
    pub fn time(&self, id: u16) -> Option<u64> {
        match self.get(id)? {
            Value::Time(time) => Some(*time),
            _ => None,
        }
    }

    /// Returns the property `id` as octets that are no text.
    pub fn binary(&self, id: u16) -> Option<&[u8]> {
        match self.get(id)? {
            Value::Binary(octets) | Value::Object(octets) => Some(octets),
            _ => None,
        }
    }
}

impl Value {
    /// Returns the value as an integer.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer16(number) => Some((*number).into()),
            Self::Integer32(number) => Some((*number).into()),
            Self::Integer64(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns a value of a fixed size by the number of its type (MS-OXCDATA, 2.11.1) and its
    /// octets, which may be longer; `None` for other types, and for octets that are cut off.
    pub fn fixed(kind: u16, octets: &[u8]) -> Option<Self> {
        Some(match kind {
            kinds::INTEGER16 => Self::Integer16(i16::from_le_bytes(*octets.first_chunk()?)),
            kinds::INTEGER32 => Self::Integer32(i32::from_le_bytes(*octets.first_chunk()?)),
            kinds::INTEGER64 | kinds::CURRENCY => {
                Self::Integer64(i64::from_le_bytes(*octets.first_chunk()?))
            }
            kinds::FLOAT32 => Self::Float(f32::from_le_bytes(*octets.first_chunk()?).into()),
            kinds::FLOAT64 | kinds::FLOATING_TIME => {
                Self::Float(f64::from_le_bytes(*octets.first_chunk()?))
            }
            kinds::BOOLEAN => Self::Boolean(*octets.first()? != 0),
            kinds::TIME => Self::Time(u64::from_le_bytes(*octets.first_chunk()?)),
            kinds::GUID => Self::Guid(Guid(*octets.first_chunk()?)),
            kinds::ERROR => Self::Error(u32::from_le_bytes(*octets.first_chunk()?)),
            _ => return None,
        })
    }

    /// Returns a value of a variable size by the number of its type and all its octets; `None` for
    /// other types.
    pub fn variable(kind: u16, octets: Vec<u8>) -> Option<Self> {
        Some(match kind {
            kinds::TEXT => Self::Text(text_of_units(&octets)),
            kinds::OCTETS8 => Self::Octets8(until_nul(octets)),
            kinds::BINARY => Self::Binary(octets),
            kinds::OBJECT => Self::Object(octets),
            _ => return None,
        })
    }
}

/// The numbers of types of values (MS-OXCDATA, 2.11.1).
pub mod kinds {
    /// `PtypInteger16`.
    pub const INTEGER16: u16 = 0x0002;
    /// `PtypInteger32`.
    pub const INTEGER32: u16 = 0x0003;
    /// `PtypFloating32`.
    pub const FLOAT32: u16 = 0x0004;
    /// `PtypFloating64`.
    pub const FLOAT64: u16 = 0x0005;
    /// `PtypCurrency`.
    pub const CURRENCY: u16 = 0x0006;
    /// `PtypFloatingTime`.
    pub const FLOATING_TIME: u16 = 0x0007;
    /// `PtypErrorCode`.
    pub const ERROR: u16 = 0x000a;
    /// `PtypBoolean`.
    pub const BOOLEAN: u16 = 0x000b;
    /// `PtypObject`.
    pub const OBJECT: u16 = 0x000d;
    /// `PtypInteger64`.
    pub const INTEGER64: u16 = 0x0014;
    /// `PtypString8`.
    pub const OCTETS8: u16 = 0x001e;
    /// `PtypString`.
    pub const TEXT: u16 = 0x001f;
    /// `PtypTime`.
    pub const TIME: u16 = 0x0040;
    /// `PtypGuid`.
    pub const GUID: u16 = 0x0048;
    /// `PtypBinary`.
    pub const BINARY: u16 = 0x0102;
    /// The bit of a type that stands for several values.
    pub const MULTIPLE: u16 = 0x1000;

    /// Returns how many octets a value of a type of fixed size has where several are beside each
    /// other.
    pub fn size(kind: u16) -> Option<usize> {
        Some(match kind {
            INTEGER16 | BOOLEAN => 2,
            INTEGER32 | FLOAT32 | ERROR => 4,
            INTEGER64 | FLOAT64 | CURRENCY | FLOATING_TIME | TIME => 8,
            GUID => 16,
            _ => return None,
        })
    }
}

/// Returns the text in octets of UTF-16, little-endian, up to the NUL that ends it. Half a pair
/// becomes U+FFFD.
fn text_of_units(octets: &[u8]) -> String {
    let units = octets.as_chunks::<2>().0;
    let length = units.iter().position(|unit| *unit == [0, 0]).unwrap_or(units.len());
    let units = &units[..length];
    if units.iter().all(|[low, high]| *high == 0 && low.is_ascii()) {
        return units.iter().map(|[low, _]| char::from(*low)).collect();
    }
    char::decode_utf16(units.iter().map(|unit| u16::from_le_bytes(*unit)))
        .map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// Returns octets up to the NUL that ends them.
fn until_nul(mut octets: Vec<u8>) -> Vec<u8> {
    let length = octets.iter().position(|octet| *octet == 0).unwrap_or(octets.len());
    octets.truncate(length);
    octets
}

impl Guid {
    /// Returns a set of properties of Outlook, whose identifiers differ only in their beginning:
    /// `{0006XXXX-0000-0000-C000-000000000046}`.
    pub const fn of_outlook(number: u32) -> Self {
        let [a, b, c, d] = number.to_le_bytes();
        Self([a, b, c, d, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0x46])
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(octets) = self;
        for (position, index) in
            [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15].into_iter().enumerate()
        {
            if matches!(position, 4 | 6 | 8 | 10) {
                write!(formatter, "-")?;
            }
            write!(formatter, "{:02x}", octets[index])?;
        }
        Ok(())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guid_is_written_as_windows_writes_it() {
        assert_eq!(
            Guid::of_outlook(0x0006_2008).to_string(),
            "00062008-0000-0000-c000-000000000046"
        );
    }

    #[test]
    fn a_property_is_found_by_its_id_and_by_its_name() {
        let set = Guid::of_outlook(0x0006_2008);
        let mut names = Names::default();
        names.insert(0x8000, PropertyName { set, name: Name::Number(0x8554) });
        names.insert(0x8001, PropertyName { set, name: Name::Text("Keywords".to_owned()) });

        let mut properties = Properties::default();
        properties.insert(0x8000, Value::Integer32(7), &names);
        properties.insert(0x8001, Value::Boolean(true), &names);
        properties.insert(0x8001, Value::Boolean(false), &names);

        assert_eq!(properties.integer(0x8000), Some(7));
        assert_eq!(properties.numbered(set, 0x8554), Some(&Value::Integer32(7)));
        assert_eq!(properties.named(set, "Keywords"), Some(&Value::Boolean(true)));
        assert_eq!(properties.named(Guid([0; 16]), "Keywords"), None);
        assert_eq!(properties.names().count(), 2);
    }

    #[test]
    fn values_are_read_from_their_octets() {
        for (kind, octets, expected) in [
            (kinds::INTEGER16, &[0xff, 0xff, 9, 9][..], Some(Value::Integer16(-1))),
            (kinds::INTEGER32, &[1, 0, 0, 0], Some(Value::Integer32(1))),
            (kinds::BOOLEAN, &[1], Some(Value::Boolean(true))),
            (kinds::TIME, &[1, 0, 0, 0], None),
            (kinds::TEXT, &[1, 0, 0, 0], None),
        ] {
            assert_eq!(Value::fixed(kind, octets), expected, "{kind:04x}");
        }
        for (kind, octets, expected) in [
            (kinds::TEXT, &b"a\0=\xd8\0\xdeb\0\0\0c\0"[..], Some(Value::Text("a😀b".to_owned()))),
            (kinds::TEXT, b"\0\xd8a\0z", Some(Value::Text("\u{fffd}a".to_owned()))),
            (kinds::OCTETS8, b"a\0b", Some(Value::Octets8(b"a".to_vec()))),
            (kinds::BINARY, b"a\0b", Some(Value::Binary(b"a\0b".to_vec()))),
            (kinds::BOOLEAN, b"a", None),
        ] {
            assert_eq!(Value::variable(kind, octets.to_vec()), expected, "{kind:04x}");
        }
    }
}
