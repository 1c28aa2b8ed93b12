//! A parsed message: its structure as one JSON text, with the contents as octets beside it.

use std::borrow::Cow;

use serde::Serialize;
use sevenbit::{Date, Mailbox, Message, MessageIssues as _, Part};
use wasm_bindgen::prelude::*;

use crate::issue::{Issue, to_json};
use crate::options::Options;

/// A parsed message.
#[wasm_bindgen]
pub struct Parsed {
    structure: String,
    contents: Vec<u8>,
}

impl Parsed {
    pub fn new(structure: String, contents: Vec<u8>) -> Self {
        Self { structure, contents }
    }
}

#[wasm_bindgen]
impl Parsed {
    /// The structure, as JSON; can be taken once.
    pub fn structure(&mut self) -> String {
        std::mem::take(&mut self.structure)
    }

    /// The contents, one after the other, texts in UTF-8; can be taken once.
    pub fn contents(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.contents)
    }
}

/// The message, whose text has no U+0000 if `nul` is false.
pub fn message<'o>(octets: &'o [u8], options: &Options, nul: bool) -> Message<'o> {
    let message = Message::parse_with(octets, options.limits());
    if nul { message } else { message.replacing_nul() }
}

/// Parses a message; `issues` are what an archive would have to report, `raw` whether header fields are given as octets, too.
#[wasm_bindgen]
pub fn parse(octets: &[u8], options: &Options, issues: bool, nul: bool, raw: bool) -> Parsed {
    let message = message(octets, options, nul);
    let issues = if issues { message.issues() } else { Vec::new() };
    let mut contents = Vec::new();
    let structure = Structure::of(&message, &issues, raw, &mut contents);
    Parsed::new(to_json(&structure), contents)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Structure<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<String>,
    in_reply_to: Vec<String>,
    references: Vec<String>,
    from: Vec<Person>,
    sender: Vec<Person>,
    reply_to: Vec<Person>,
    to: Vec<Person>,
    cc: Vec<Person>,
    bcc: Vec<Person>,
    parts: Vec<Row<'a>>,
    plain_body: Vec<usize>,
    html_body: Vec<usize>,
    attachments: Vec<usize>,
    issues: Vec<Issue<'a>>,
}

#[derive(Serialize)]
struct Person {
    name: String,
    address: String,
}

#[derive(Serialize)]
struct Moment {
    timestamp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<i16>,
}

#[derive(Serialize)]
struct Field<'a> {
    name: &'a str,
    text: String,
    /// Where its value is in the contents.
    #[serde(skip_serializing_if = "Option::is_none")]
    octets: Option<[usize; 2]>,
}

/// A part. Its children are the deeper parts that follow it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    path: String,
    depth: usize,
    media_type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    charset_label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    charset: Option<&'a str>,
    transfer_encoding: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    disposition: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    filename: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calendar_method: Option<String>,
    span: [usize; 2],
    headers: Vec<Field<'a>>,
    /// Where its text is in the contents.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<[usize; 2]>,
    /// Where its octets are in the contents.
    #[serde(skip_serializing_if = "Option::is_none")]
    octets: Option<[usize; 2]>,
}

impl<'a> Structure<'a> {
    fn of(
        message: &'a Message<'_>,
        issues: &'a [sevenbit::Issue],
        raw: bool,
        contents: &mut Vec<u8>,
    ) -> Self {
        let body = message.body_parts();
        let attachments = numbers(body.attachments());
        let mut is_file = vec![false; message.parts().count()];
        attachments.iter().for_each(|&at| is_file[at] = true);
        let parts = message.parts().zip(is_file);
        let people = |name: &str| message.mailboxes(name).into_iter().map(Person::from).collect();
        Self {
            subject: message.subject().map(Into::into),
            date: message.date().map(Moment::from),
            message_id: message.message_id().map(Into::into),
            in_reply_to: owned(message.in_reply_to()),
            references: owned(message.references()),
            from: people("from"),
            sender: people("sender"),
            reply_to: people("reply-to"),
            to: people("to"),
            cc: people("cc"),
            bcc: people("bcc"),
            plain_body: numbers(body.plain()),
            html_body: numbers(body.html()),
            attachments,
            parts: parts.map(|(part, is_file)| Row::of(&part, is_file, raw, contents)).collect(),
            issues: issues.iter().map(Issue::from).collect(),
        }
    }
}

impl<'a> Row<'a> {
    fn of(part: &Part<'a>, is_file: bool, raw: bool, contents: &mut Vec<u8>) -> Self {
        let mut put = |octets: &[u8]| {
            let start = contents.len();
            contents.extend_from_slice(octets);
            [start, contents.len()]
        };
        let text = part.text().map(|text| put(text.as_bytes()));
        // Text that is shown is rarely wanted as octets; an attached message is a file.
        let wanted = is_file || part.is_leaf() && text.is_none();
        let octets = wanted.then(|| put(&part.octets()));
        let headers = part.headers().zip(part.raw_headers()).map(|((name, text), (_, value))| {
            Field { name, text: text.into(), octets: raw.then(|| put(value)) }
        });
        let headers = headers.collect();
        let span = part.span();
        Self {
            path: part.path(),
            depth: part.depth(),
            media_type: part.media_type(),
            charset_label: part.charset_label(),
            charset: part.charset().map(sevenbit::Charset::name),
            transfer_encoding: part.transfer_encoding(),
            disposition: part.disposition(),
            filename: part.filename(),
            content_id: part.content_id().map(Into::into),
            calendar_method: part.calendar_method(),
            span: [span.start, span.end],
            headers,
            text,
            octets,
        }
    }
}

fn numbers(parts: &[Part<'_>]) -> Vec<usize> {
    parts.iter().map(|part| part.number()).collect()
}

fn owned(texts: Vec<Cow<'_, str>>) -> Vec<String> {
    texts.into_iter().map(Into::into).collect()
}

impl From<Mailbox> for Person {
    fn from(mailbox: Mailbox) -> Self {
        Self { name: mailbox.name().to_owned(), address: mailbox.address().to_owned() }
    }
}

impl From<Date> for Moment {
    fn from(date: Date) -> Self {
        Self { timestamp: date.timestamp(), offset: date.offset() }
    }
}
