//! Blocks of fields in the body of a report (RFC 3464, 2.1).

use std::borrow::Cow;

use crate::view::Message;
use crate::view::part::Part;

/// One block of fields: about a message, or about one recipient of it.
pub(super) struct Block(Vec<u8>);

impl Block {
    /// Returns the fields in order: name, and value as text.
    pub(super) fn fields(&self) -> Vec<(String, String)> {
        let message = Message::parse(&self.0);
        message.headers().map(|(name, text)| (name.to_owned(), text.into_owned())).collect()
    }

    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        Message::parse(&self.0).root().headers_named(name).map(Cow::into_owned).collect()
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.texts(name)
            .into_iter()
            .next()
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
    }

    /// Returns the value of a field with a type before it: `rfc822; ada@example.org`. Several
    /// servers leave out the type, or write angle brackets, or one of them.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        let text = self.text(name)?;
        let (kind, value) = match text.split_once(';') {
            Some((kind, value)) if !kind.trim_end().contains([' ', '@', '<']) => {
                (kind.trim_end(), value.trim())
            }
            _ => ("", &*text),
        };
        let value = value.trim_matches(['<', '>']);
        Some(if kind.eq_ignore_ascii_case("utf-8") { unescaped(value) } else { value.to_owned() })
            .filter(|value| !value.is_empty())
    }

    pub(super) fn id(&self, name: &str) -> Option<String> {
        Message::parse(&self.0).root().ids(name).into_iter().next().map(Cow::into_owned)
    }
}

/// `EmbeddedUnicodeChar = "\x{" HEXPOINT "}"` (RFC 6533, 3): returns an address with these
/// characters.
fn unescaped(address: &str) -> String {
    let mut pieces = address.split("\\x{");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let read = piece
            .split_once('}')
            .and_then(|(digits, rest)| Some((u32::from_str_radix(digits, 16).ok()?, rest)));
        match read.and_then(|(point, rest)| {
            Some((char::from_u32(point).filter(|c| !c.is_control())?, rest))
        }) {
            Some((character, rest)) => {
                out.push(character);
                out.push_str(rest);
            }
            None => out.extend(["\\x{", piece]),
        }
    }
    out
}

/// Returns the blocks in the body of a part: what empty lines separate.
pub(super) fn blocks(part: &Part<'_>) -> Vec<Block> {
    let octets = part.octets();
    let mut blocks = Vec::new();
    let mut block: Vec<u8> = Vec::new();
    for line in octets.split_inclusive(|&octet| octet == b'\n') {
        let is_blank = line.trim_ascii().is_empty();
        if !is_blank {
            block.extend_from_slice(line);
        } else if !block.is_empty() {
            blocks.push(Block(std::mem::take(&mut block)));
        }
    }
    if !block.is_empty() {
        blocks.push(Block(block));
    }
    blocks
}
