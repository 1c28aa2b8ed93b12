//! The MAPI properties in a TNEF stream (MS-OXTNEF, 2.1.3.4).

use super::{ended, number};
use crate::Charset;

/// The numbers of the properties that matter.
pub(super) mod tags {
    pub(in super::super) const BODY: u16 = 0x1000;
    pub(in super::super) const RTF_COMPRESSED: u16 = 0x1009;
    pub(in super::super) const BODY_HTML: u16 = 0x1013;
    pub(in super::super) const INTERNET_CODEPAGE: u16 = 0x3fde;
    pub(in super::super) const DISPLAY_NAME: u16 = 0x3001;
    pub(in super::super) const ATTACH_DATA: u16 = 0x3701;
    pub(in super::super) const ATTACH_NAME: u16 = 0x3704;
    pub(in super::super) const ATTACH_LONG_NAME: u16 = 0x3707;
    pub(in super::super) const ATTACH_MIME_TYPE: u16 = 0x370e;
    pub(in super::super) const ATTACH_CONTENT_ID: u16 = 0x3712;
}

/// The first value of a property, as far as values matter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'o> {
    Number(u32),
    /// Text in the charset of the stream.
    Text(&'o [u8]),
    /// Text in UTF-16, little-endian.
    Wide(&'o [u8]),
    Octets(&'o [u8]),
    Object(&'o [u8]),
}

/// The properties of a message or an attachment.
#[derive(Clone, Debug, Default)]
pub(super) struct Properties<'o> {
    found: Vec<(u16, Value<'o>)>,
    is_broken: bool,
}

impl<'o> Properties<'o> {
    /// ```text
    /// properties = count *property
    /// property   = type tag [name] value
    /// name       = guid kind (number / length text)        ; of tags from 0x8000 on
    /// ```
    /// A property that cannot be read ends the list: where the next one begins is unknown.
    pub(super) fn read(octets: &'o [u8]) -> Self {
        let mut reader = Reader { rest: octets };
        let Some(count) = reader.number() else {
            return Self { found: Vec::new(), is_broken: true };
        };
        let mut found = Vec::new();
        for _ in 0..count {
            let Some((tag, value)) = reader.property() else {
                return Self { found, is_broken: true };
            };
            found.extend(value.map(|value| (tag, value)));
        }
        Self { found, is_broken: false }
    }

    /// Whether some properties could not be read.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken
    }

    pub(super) fn get(&self, tag: u16) -> Option<&Value<'o>> {
        self.found.iter().find(|(own, _)| *own == tag).map(|(_, value)| value)
    }

    /// Returns the text of a property; octets are text in `charset`, too.
    pub(super) fn text(&self, tag: u16, charset: Charset) -> Option<String> {
        let text = match self.get(tag)? {
            Value::Text(octets) | Value::Octets(octets) => charset.read(octets),
            Value::Wide(octets) => Charset::for_label("utf-16le")?.decode(octets),
            _ => return None,
        };
        Some(ended(text.text()))
    }
}

struct Reader<'o> {
    rest: &'o [u8],
}

impl<'o> Reader<'o> {
    fn take(&mut self, length: usize) -> Option<&'o [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4).map(number)
    }

    /// Takes octets after their length, with what fills the last four.
    fn counted(&mut self) -> Option<&'o [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let taken = self.take(length)?;
        let filling = length.wrapping_neg() % 4;
        self.rest = self.rest.get(filling..).unwrap_or_default();
        Some(taken)
    }

    fn property(&mut self) -> Option<(u16, Option<Value<'o>>)> {
        const MULTIPLE: u16 = 0x1000;
        const NAMED: u16 = 0x8000;
        let head = self.take(4)?;
        let (kind, tag) =
            (u16::from_le_bytes([head[0], head[1]]), u16::from_le_bytes([head[2], head[3]]));
        if tag >= NAMED {
            self.take(16)?;
            match self.number()? {
                0 => _ = self.number()?,
                _ => _ = self.counted()?,
            }
        }
        let is_counted = matches!(kind & !MULTIPLE, 0x0d | 0x1e | 0x1f | 0x102);
        let count = if kind & MULTIPLE != 0 || is_counted { self.number()? } else { 1 };
        let mut first = None;
        for _ in 0..count {
            let value = self.value(kind & !MULTIPLE)?;
            first = first.or(value);
        }
        Some((tag, first))
    }

    /// Takes a value of a type; those that do not matter are `None` in it.
    fn value(&mut self, kind: u16) -> Option<Option<Value<'o>>> {
        Some(match kind {
            0x02 | 0x04 | 0x0a | 0x0b => {
                self.take(4)?;
                None
            }
            0x03 => Some(Value::Number(self.number()?)),
            0x05 | 0x06 | 0x07 | 0x14 | 0x40 => {
                self.take(8)?;
                None
            }
            0x48 => {
                self.take(16)?;
                None
            }
            0x0d => Some(Value::Object(self.counted()?)),
            0x1e => Some(Value::Text(self.counted()?)),
            0x1f => Some(Value::Wide(self.counted()?)),
            0x102 => Some(Value::Octets(self.counted()?)),
            _ => return None,
        })
    }
}
