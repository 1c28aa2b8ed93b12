//! `--json`: one object per message. Its keys are an interface that scripts rely on.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use sevenbit::{Address, Issue, Mailbox, Message, Part};

use super::history::{List, Reported, Results, Station};
use crate::args::Inspect;
use crate::extract::Entry;
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
    bcc: Vec<Person>,
    sender: Vec<Person>,
    reply_to: Vec<Person>,
    /// The groups of From, To, Cc...
    groups: Vec<Group>,
    /// The field as it is.
    date: Option<Cow<'a, str>>,
    /// The same in RFC 3339.
    sent: Option<String>,
    sent_is_guess: bool,
    message_id: Option<Cow<'a, str>>,
    in_reply_to: Vec<Cow<'a, str>>,
    references: Vec<Cow<'a, str>>,
    thread: Option<String>,
    list: Option<List>,
    auto_submitted: Option<String>,
    precedence: Option<String>,
    hops: Vec<Station>,
    authentication_results: Vec<Results>,
    report: Option<Reported>,
    attachments: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headers: Option<Vec<Field<'a>>>,
    parts: Vec<Leaf<'a>>,
    issues: &'a [Issue],
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

/// A group of mailboxes, and the field that it is in.
#[derive(Serialize)]
struct Group {
    field: &'static str,
    name: String,
    members: Vec<Person>,
}

/// The fields of mailboxes.
const ADDRESSES: [&str; 6] = ["from", "sender", "reply-to", "to", "cc", "bcc"];

fn groups(message: &Message<'_>) -> Vec<Group> {
    let of_field = |field: &'static str| {
        message.addresses(field).into_iter().filter_map(move |address| match address {
            Address::Group(group) => Some(Group {
                field,
                name: group.name().to_owned(),
                members: group.members().iter().map(person).collect(),
            }),
            Address::Mailbox(_) => None,
        })
    };
    ADDRESSES.into_iter().flat_map(of_field).collect()
}

/// Writes the object of `message`, found in `item`, on one line.
///
/// # Errors
/// Those of `out`.
pub fn write(out: &mut dyn Write, item: &Item, message: &Message<'_>, args: &Inspect) -> io::Result<()> {
    let is_wanted =
        |name: &str| args.header.is_empty() || args.header.iter().any(|own| own.eq_ignore_ascii_case(name));
    let fields = || {
        let wanted = message.headers().filter(|(name, _)| is_wanted(name));
        wanted.map(|(name, value)| Field { name, value }).collect()
    };
    let issues = message.issues();
    let date = message.date();
    let object = Object {
        input: shown(&item.name),
        mailbox: json::Place::of(item),
        subject: message.subject(),
        from: people(message, "from"),
        to: people(message, "to"),
        cc: people(message, "cc"),
        bcc: people(message, "bcc"),
        sender: people(message, "sender"),
        reply_to: people(message, "reply-to"),
        groups: groups(message),
        date: message.header("date"),
        sent: date.map(|date| date.to_string()),
        sent_is_guess: date.is_some_and(|date| date.is_guess()),
        message_id: message.header("message-id"),
        in_reply_to: message.in_reply_to(),
        references: message.references(),
        thread: message.thread_key(),
        list: message.list().as_ref().map(List::of),
        auto_submitted: message.auto_submitted(),
        precedence: message.precedence(),
        hops: message.hops().iter().map(Station::of).collect(),
        authentication_results: message.authentication_results().iter().map(Results::of).collect(),
        report: message.report().as_ref().and_then(Reported::of),
        attachments: message.attachments().iter().map(Entry::of).collect(),
        headers: (args.headers || !args.header.is_empty()).then(fields),
        parts: message.leaves().map(|part| leaf(&part, args.text)).collect(),
        issues: &issues,
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
        sha256: json::sha256(&octets),
        text: with_text.then(|| part.text()),
    }
}
