//! Encoding in chunks.

use super::Charset;
use super::route::Route;
use super::single::Table;
use super::tables::single::TABLES;
use crate::{Code, Error};

/// Encodes a text that arrives in chunks of any size.
#[derive(Debug)]
pub struct Encoder {
    charset: Charset,
    at: usize,
}

impl Encoder {
    pub(super) fn new(charset: Charset) -> Self {
        Self { charset, at: 0 }
    }

    /// Encodes the next piece of text and appends its octets.
    ///
    /// # Errors
    /// `unmappable` at the offset of the character that the charset does not have, counted over all that was pushed.
    pub fn push(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), Error> {
        for (offset, c) in text.char_indices() {
            if !one(self.charset.entry().route, c, octets) {
                return Err(Error::new(Code::Unmappable, self.at + offset));
            }
        }
        self.at += text.len();
        Ok(())
    }

    /// Ends the text.
    pub fn finish(self, _octets: &mut Vec<u8>) {}
}

fn one(route: Route, c: char, octets: &mut Vec<u8>) -> bool {
    let mut room = [0; 4];
    match route {
        Route::Utf8 => octets.extend(c.encode_utf8(&mut room).as_bytes()),
        Route::Ascii if c.is_ascii() => octets.push(c as u8),
        Route::Utf16 | Route::Utf16Be => {
            octets.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|u| u.to_be_bytes()))
        }
        Route::Utf16Le => octets.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|u| u.to_le_bytes())),
        Route::Utf32 | Route::Utf32Be => octets.extend(u32::from(c).to_be_bytes()),
        Route::Utf32Le => octets.extend(u32::from(c).to_le_bytes()),
        Route::Table(number) => return table(&TABLES[usize::from(number)], c, octets),
        Route::Web(encoding) => {
            let (out, _, bad) = encoding.encode(c.encode_utf8(&mut room));
            octets.extend(out.iter());
            return !bad;
        }
        _ => return false,
    }
    true
}

fn table(table: &Table, c: char, octets: &mut Vec<u8>) -> bool {
    let octet = (0..=255).find(|octet| table.char(*octet) == Some(c));
    octets.extend(octet);
    octet.is_some()
}
