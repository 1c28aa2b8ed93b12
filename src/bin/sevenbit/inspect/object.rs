//! `--json`: one object per message. Its keys are an interface that scripts rely on.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;
use sevenbit::{Mailbox, Message, Part};
use sha2::{Digest, Sha256};

use crate::args::Inspect;
use crate::input::Item;
use crate::json;
use crate::place::shown;

#[derive(Serialize)]
struct Object<'a> {
    input: Cow<'a, str>,
    /// Its place in a mailbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    mailbox: Option<json::Place<'a>>,
    subject: Option<Cow<'a, str>>,
    from: Vec<Person>,
    to: Vec<Person>,
    cc: Vec<Person>,
    date: Option<Cow<'a, str>>,
    message_id: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headers: Option<Vec<Field<'a>>>,
    parts: Vec<Leaf<'a>>,
    issues: Vec<json::Issue<'a>>,
}

#[derive(Serialize)]
struct Field<'a> {
    name: &'a str,
    value: Cow<'a, str>,
}

#[derive(Serialize)]
struct Person {
    name: String,
    address: String,
}

#[derive(Serialize)]
struct Leaf<'a> {
    path: String,
    #[serde(rename = "type")]
    media_type: &'a str,
    charset: Option<String>,
    encoding: &'a str,
    disposition: Option<&'a str>,
    filename: Option<&'a str>,
    octets: usize,
    sha256: String,
    /// The outer option is `--text`, the inner one whether there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Option<Cow<'a, str>>>,
}

/// Writes the object of `message`, found in `item`, on one line.
///
/// # Errors
/// Those of `out`.
pub fn write(out: &mut dyn Write, item: &Item, message: &Message<'_>, args: &Inspect) -> io::Result<()> {
    let fields = || message.headers().map(|(name, value)| Field { name, value }).collect();
    let issues = message.issues();
    let object = Object {
        input: shown(&item.name),
        mailbox: json::Place::of(item),
        subject: message.subject(),
        from: people(message, "from"),
        to: people(message, "to"),
        cc: people(message, "cc"),
        date: message.header("date"),
        message_id: message.header("message-id"),
        headers: args.headers.then(fields),
        parts: message.leaves().map(|part| leaf(&part, args.text)).collect(),
        issues: issues.iter().map(json::Issue::from).collect(),
    };
    json::write_line(out, &object)
}

fn people(message: &Message<'_>, field: &str) -> Vec<Person> {
    message.mailboxes(field).iter().map(person).collect()
}

fn person(mailbox: &Mailbox) -> Person {
    Person { name: mailbox.name().to_owned(), address: mailbox.address().to_owned() }
}

fn leaf<'m>(part: &Part<'m>, with_text: bool) -> Leaf<'m> {
    let octets = part.octets();
    Leaf {
        path: part.path(),
        media_type: part.media_type(),
        // In lower case like the other words, which are compared without regard to it.
        charset: part.charset_label().map(str::to_ascii_lowercase),
        encoding: part.transfer_encoding(),
        disposition: part.disposition(),
        filename: part.filename(),
        octets: octets.len(),
        sha256: digest(&octets),
        text: with_text.then(|| part.text()),
    }
}

fn digest(octets: &[u8]) -> String {
    Sha256::digest(octets).iter().fold(String::with_capacity(64), |mut hex, octet| {
        // Writing to a string does not fail.
        let _ = write!(hex, "{octet:02x}");
        hex
    })
}
