//! A mailbox as an entry of an address list, and the addr-spec in it (rule H8).

use std::borrow::Cow;

use super::line_room::fits;
use super::{
    Item, Lines, Octets, Place, Rest, Run, Space, TextWords, Token, domain_to_ascii, phrase, settle,
};
use crate::ascii::is_printable;
use crate::codec::text::from_utf8;
use crate::lengths::MAX_LINE;
use crate::syntax::address::{Entry, NOBODY, list};
use crate::syntax::encoded_word::{MAX_WORD_LINE, holds_word};

/// The name of the field for which a mailbox is folded: the shortest of those that hold mailboxes.
const FIELD: &str = "To";

/// Returns whether 7 bits carry an addr-spec, or a local part alone, as it is. What looks like an
/// encoded-word in an addr-spec is not one: no line is too long for it (rule G3). A local part
/// alone may be one or not.
pub fn addr_spec_may_stay(spec: &[u8]) -> bool {
    spec.iter().all(|&octet| is_printable(octet)) && (spec.contains(&b'@') || fits(spec))
}

/// Returns an addr-spec with its domain in A-labels, if that is all it needs. `read` is asked for
/// the text of a domain that is not US-ASCII.
pub fn with_a_labels<'s>(
    spec: &'s [u8],
    read: impl FnOnce(&'s [u8]) -> Option<Cow<'s, str>>,
) -> Option<Vec<u8>> {
    let at = spec.iter().rposition(|&octet| octet == b'@')?;
    let (local, domain) = (&spec[..at], &spec[at + 1..]);
    let is_fine = !local.is_empty() && local.iter().all(|&octet| is_printable(octet));
    if !is_fine || domain.is_ascii() {
        return None;
    }
    let labels = domain_to_ascii(&read(domain)?)?;
    Some([local, b"@", labels.as_bytes()].concat())
}

/// Writes a mailbox for an address field, folded where it has to be. An address that 7 bits cannot
/// carry is text in the name of a mailbox that nobody has (RFC 6858), one that readers might decode
/// in the name of a group without members.
pub fn mailbox(name: &str, address: &str) -> String {
    let Some(spec) = written_spec(address).map(from_utf8) else {
        return in_name(name, address);
    };
    if name.is_empty() {
        // One or two readers do not find one with a colon that has no brackets.
        return if spec.contains(':') { format!("<{spec}>") } else { spec };
    }
    let name = phrase(name);
    let (before, last_line) = match name.rsplit_once('\n') {
        Some((_, last_line)) => (0, last_line),
        None => (FIELD.len() + ": ".len(), &*name),
    };
    let room = if holds_word(last_line.as_bytes()) { MAX_WORD_LINE } else { MAX_LINE };
    let fits = before + last_line.len() + " <>".len() + spec.len() <= room;
    format!("{name}{}<{spec}>", if fits { " " } else { "\r\n " })
}

/// Writes a name and an address as the name of something else.
fn in_name(name: &str, address: &str) -> String {
    let mut items = Vec::new();
    if !name.is_empty() {
        let mut words = TextWords::default();
        words.whole_text(name);
        words.append_to(&mut items, Place::Phrase);
    }
    let run = Run { label: None, octets: address.as_bytes().into(), place: Place::Phrase };
    items.push(Item::new(Space::ONE, Token::Encode(Box::new(run))));
    let end = if address.bytes().all(is_printable) {
        Octets::from(b":;".as_slice())
    } else {
        Octets::joined([b"<", NOBODY.as_bytes(), b">"])
    };
    items.push(Item::plain(Space::ONE, end));
    items[0].space = Space::ONE;
    settle(&mut items, 0);
    let mut lines = Lines::of_field(FIELD.as_bytes(), name.len() + address.len());
    lines.lay(&items, Rest::Nothing);
    let field = from_utf8(lines.into_value());
    field[FIELD.len() + ":".len()..].trim().to_owned()
}

/// Returns an addr-spec as it is written; `None` if it cannot stand in a field, or would be read as
/// something else there.
fn written_spec(address: &str) -> Option<Vec<u8>> {
    let spec = match address.as_bytes() {
        spec if addr_spec_may_stay(spec) => spec.to_owned(),
        spec => with_a_labels(spec, |_| address.rsplit('@').next().map(Cow::Borrowed))?,
    };
    let read = list(&spec);
    let is_itself = match &read.entries[..] {
        [Entry::Mailbox(mailbox)] => *read.spec(mailbox) == *spec,
        _ => false,
    };
    drop(read);
    (is_itself && !holds_word(&spec)).then_some(spec)
}
