//! The header of a message: as it was received, or made from properties.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Source;
use super::address::{self, Address};
use super::mime::one_line;
use super::time;
use crate::model::Value;
use crate::msg::sets;
use crate::tags;

/// The flags of a message.
mod flags {
    pub(super) const READ: i64 = 1;
    pub(super) const UNSENT: i64 = 8;
}

/// Returns the header of a message without the fields of its content.
pub(super) fn octets(source: &Source<'_>) -> Vec<u8> {
    let made = fields_from_properties(source);
    let Some(mut received) = Received::of(source, &made) else { return field_lines(&made) };
    received.drop_names_without_addresses(&made);

    // The fields that a message needs: they are made where the received header lacks them.
    const NEEDED: [&str; 5] = ["From", "Date", "Subject", "Message-ID", "Status"];
    let has_recipients = ["to", "cc", "bcc"].iter().any(|name| received.has(name));
    let missing = made.into_iter().filter(|(name, _)| match *name {
        "To" | "Cc" => !has_recipients || received.is_replaced(name),
        "Bcc" => !received.has("bcc"),
        name => NEEDED.contains(&name) && !received.has(&name.to_ascii_lowercase()),
    });

    let mut octets = received.octets();
    octets.extend(field_lines(&missing.collect::<Vec<_>>()));
    octets
}

/// Returns the value of a field of the header that was received, on one line.
pub(super) fn received_field(source: &Source<'_>, name: &str) -> Option<String> {
    let octets = received_octets(source)?;
    let field = fields(&octets).into_iter().find(|field| field.name == name)?;
    let value = field.octets.splitn(2, |octet| *octet == b':').nth(1)?;
    Some(one_line(&String::from_utf8_lossy(value)).trim().to_owned())
}

/// A field of a header that was received.
struct Field<'h> {
    /// The name in lower case.
    name: String,
    /// The whole field, with its name and its folds.
    octets: &'h [u8],
}

/// A header that was received.
struct Received<'h> {
    octets: Cow<'h, [u8]>,
    /// The names of its fields in lower case, without those in `replaced`.
    names: Vec<String>,
    /// The names of fields that are made from properties instead, in lower case.
    replaced: Vec<String>,
}

impl<'h> Received<'h> {
    /// Returns the received header; `None` if there is none, or if it belongs to another message.
    fn of(source: &Source<'h>, made: &[(&'static str, String)]) -> Option<Self> {
        let flags = source.message.properties.integer(tags::MESSAGE_FLAGS).unwrap_or(0);
        if flags & flags::UNSENT != 0 {
            return None;
        }

        let octets = received_octets(source)?;
        let fields = fields(&octets);
        let names: Vec<_> = fields.iter().map(|field| field.name.clone()).collect();
        let is_header = ["from", "received", "date", "subject"]
            .iter()
            .any(|name| names.iter().any(|own| own == name));
        if !is_header {
            return None;
        }

        let own_id = made.iter().find(|(name, _)| *name == "Message-ID").map(|(_, id)| id);
        let received_id = received_field(source, "message-id");
        if let (Some(own), Some(received)) = (own_id, received_id)
            && without_brackets(own) != without_brackets(&received)
        {
            return None;
        }
        Some(Self { octets, names, replaced: Vec::new() })
    }

    /// Returns whether a field of that name, in lower case, is kept.
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }

    /// Returns whether the field of that name, in any case, is made from properties.
    fn is_replaced(&self, name: &str) -> bool {
        self.replaced.iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Drops fields of addresses that have only names, as Outlook writes them itself, where the
    /// properties have the addresses. These fields are made from the properties instead.
    fn drop_names_without_addresses(&mut self, made: &[(&'static str, String)]) {
        let has_address = |octets: &[u8]| octets.contains(&b'@');
        for (name, value) in
            made.iter().filter(|(name, _)| matches!(*name, "From" | "To" | "Cc" | "Bcc"))
        {
            let name = name.to_ascii_lowercase();
            let is_bare = |field: &Field<'_>| field.name == name && !has_address(field.octets);
            if has_address(value.as_bytes()) && fields(&self.octets).iter().any(is_bare) {
                self.names.retain(|own| *own != name);
                self.replaced.push(name);
            }
        }
    }

    /// Returns the fields that are not of the content, octet for octet but for their line ends.
    fn octets(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.octets.len());
        for field in fields(&self.octets) {
            let is_replaced = self.replaced.contains(&field.name);
            if is_replaced || field.name.starts_with("content-") || field.name == "mime-version" {
                continue;
            }
            for line in field.octets.split(|octet| *octet == b'\n') {
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                if !line.is_empty() {
                    out.extend(line);
                    out.extend(b"\r\n");
                }
            }
        }
        out
    }
}

/// Returns the property that holds the header as it was received.
fn received_octets<'m>(source: &Source<'m>) -> Option<Cow<'m, [u8]>> {
    match source.message.properties.get(tags::TRANSPORT_MESSAGE_HEADERS)? {
        Value::Text(text) => Some(text.as_bytes().into()),
        Value::Octets8(octets) => Some(octets.into()),
        _ => None,
    }
}

/// Returns the fields of a header. Lines before the first field belong to none, and an empty line
/// behind a field ends the header.
fn fields(octets: &[u8]) -> Vec<Field<'_>> {
    let mut found: Vec<Field<'_>> = Vec::new();
    let mut start = 0;
    while start < octets.len() {
        let length = octets[start..]
            .iter()
            .position(|octet| *octet == b'\n')
            .map_or(octets.len() - start, |at| at + 1);
        let line = &octets[start..start + length];
        let end = start + length;

        if line.trim_ascii().is_empty() {
            if !found.is_empty() {
                break;
            }
        } else if line.starts_with(b" ") || line.starts_with(b"\t") {
            // A continuation: the field grows by its line, which is beside it.
            if let Some(field) = found.last_mut() {
                let begin = field.octets.as_ptr() as usize - octets.as_ptr() as usize;
                field.octets = &octets[begin..end];
            }
        } else if let Some(name) = field_name(line) {
            found.push(Field { name, octets: line });
        }
        start = end;
    }
    found
}

/// Returns the name at the beginning of a line, in lower case, if the line begins a field.
fn field_name(line: &[u8]) -> Option<String> {
    let length = line.iter().position(|octet| *octet == b':')?;
    let name = line[..length].trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    is_name.then(|| String::from_utf8_lossy(name).to_ascii_lowercase())
}

/// Returns the octets of fields.
fn field_lines(fields: &[(&'static str, String)]) -> Vec<u8> {
    fields.iter().flat_map(|(name, value)| format!("{name}: {value}\r\n").into_bytes()).collect()
}

/// Returns the fields that the properties of a message make, in order.
fn fields_from_properties(source: &Source<'_>) -> Vec<(&'static str, String)> {
    let properties = &source.message.properties;
    let line = |id| source.text(id).map(|text| one_line(text.trim()));
    let mut fields: Vec<(&'static str, String)> = Vec::new();
    let mut add = |name, value: Option<String>| fields.extend(value.map(|value| (name, value)));

    let times = [
        tags::CLIENT_SUBMIT_TIME,
        tags::MESSAGE_DELIVERY_TIME,
        tags::CREATION_TIME,
        tags::LAST_MODIFICATION_TIME,
    ];
    add("Date", times.iter().find_map(|id| time::date(properties.time(*id)?)));

    let sender = Address::of(properties, &address::SENDER, &source.characters);
    let represented = Address::of(properties, &address::REPRESENTED, &source.characters);
    let from = represented.or_else(|| sender.clone());
    let sent_by_other =
        sender.filter(|sender| from.as_ref().is_some_and(|from| from.mailbox != sender.mailbox));
    add("From", from.as_ref().map(Address::written));
    add(
        "Sender",
        sent_by_other.filter(|sender| sender.mailbox.is_some()).map(|sender| sender.written()),
    );
    add("Reply-To", address_list(&address::reply_recipients(source)));

    let recipients = recipients(source);
    for (name, kind) in [("To", 1), ("Cc", 2), ("Bcc", 3)] {
        let of_kind: Vec<_> = recipients
            .iter()
            .filter(|(own, _)| *own == kind)
            .map(|(_, address)| address.clone())
            .collect();
        add(name, address_list(&of_kind));
    }

    add("Subject", subject(source));
    add("Message-ID", line(tags::INTERNET_MESSAGE_ID).map(|id| bracketed(&id)));
    add("In-Reply-To", line(tags::IN_REPLY_TO_ID).map(|id| bracketed(&id)));
    add("References", line(tags::INTERNET_REFERENCES));
    add("Thread-Topic", line(tags::CONVERSATION_TOPIC));
    add(
        "Thread-Index",
        properties.binary(tags::CONVERSATION_INDEX).map(|index| STANDARD.encode(index)),
    );
    add("Importance", word_of(properties.integer(tags::IMPORTANCE), &["low", "", "high"]));
    let privacy = ["", "personal", "private", "company-confidential"];
    add("Sensitivity", word_of(properties.integer(tags::SENSITIVITY), &privacy));
    add("Keywords", categories(source));

    if properties.is_true(tags::READ_RECEIPT_REQUESTED) {
        add("Disposition-Notification-To", from.map(|from| from.written()));
    }
    let flags = properties.integer(tags::MESSAGE_FLAGS);
    add("Status", flags.map(|flags| if flags & flags::READ != 0 { "RO" } else { "O" }.to_owned()));
    add("X-Unsent", flags.filter(|flags| flags & flags::UNSENT != 0).map(|_| "1".to_owned()));
    fields
}

/// Returns the recipients, each with its kind (1 To, 2 Cc, 3 Bcc), in the order of the list.
pub(super) fn recipients(source: &Source<'_>) -> Vec<(i64, Address)> {
    const KIND: i64 = 0xf;
    source
        .message
        .recipients
        .iter()
        .filter_map(|properties| {
            // The low bits are the kind, and 0 is the originator, who is no recipient. Flags in the
            // high bits change nothing: their owner is still a recipient.
            let kind = properties.integer(tags::RECIPIENT_TYPE).unwrap_or(1) & KIND;
            let address = Address::of(properties, &address::RECIPIENT, &source.characters)?;
            (kind != 0).then_some((kind, address))
        })
        .collect()
}

/// Returns addresses as a list, one on each line.
fn address_list(addresses: &[Address]) -> Option<String> {
    let written: Vec<_> = addresses.iter().map(Address::written).collect();
    (!written.is_empty()).then(|| written.join(",\r\n "))
}

/// Returns the subject with its prefix. In stores it begins with U+0001 and a character whose
/// number is the prefix's length and one.
pub(super) fn subject(source: &Source<'_>) -> Option<String> {
    let whole = source.text(tags::SUBJECT).map(|subject| match subject.strip_prefix('\u{1}') {
        Some(rest) => rest.chars().skip(1).collect(),
        None => subject,
    });
    let subject = whole.or_else(|| {
        let prefix = source.text(tags::SUBJECT_PREFIX).unwrap_or_default();
        source.text(tags::NORMALIZED_SUBJECT).map(|subject| format!("{prefix}{subject}"))
    })?;

    let line = one_line(subject.trim_end());
    (!line.is_empty()).then_some(line)
}

/// Returns the categories of an item, which users see as colours.
fn categories(source: &Source<'_>) -> Option<String> {
    let Value::Multiple(values) =
        source.message.properties.named(sets::PUBLIC_STRINGS, "Keywords")?
    else {
        return None;
    };
    let words: Vec<_> = values
        .iter()
        .filter_map(|value| source.characters.text_of(value))
        .map(|word| one_line(word.trim()))
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Returns the word at the place `number` of a list; `None` if there is none, or if it is empty.
fn word_of(number: Option<i64>, words: &[&str]) -> Option<String> {
    let word = words.get(usize::try_from(number?).ok()?)?;
    (!word.is_empty()).then(|| (*word).to_owned())
}

/// Returns a msg-id without the angle brackets around it.
fn without_brackets(id: &str) -> &str {
    id.trim().trim_matches(['<', '>'])
}

/// Returns a msg-id in angle brackets.
fn bracketed(id: &str) -> String {
    if id.contains('<') { id.to_owned() } else { format!("<{id}>") }
}
