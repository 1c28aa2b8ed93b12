//! What was taken out of a message, as JSON. Its keys are an interface that scripts rely on.

use std::borrow::Cow;
use std::path::Path;

use serde::Serialize;
use sevenbit::{Attachment, Message, Origin};

use crate::args::BodyChoice;
use crate::input::Item;
use crate::json;
use crate::place::shown;

#[derive(Serialize)]
pub struct Manifest<'a> {
    input: Cow<'a, str>,
    /// Its place in a mailbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    mailbox: Option<json::Place<'a>>,
    subject: Option<Cow<'a, str>>,
    message_id: Option<Cow<'a, str>>,
    body: Vec<Body>,
    pub attachments: Vec<Entry>,
}

#[derive(Serialize)]
struct Body {
    kind: &'static str,
    /// Where it was written, below the directory.
    file: String,
    octets: usize,
}

/// An attachment.
#[derive(Serialize)]
pub struct Entry {
    /// As the message gives it.
    name: Option<String>,
    pub safe_name: String,
    /// Where it was written, below the directory; not with `--list`.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// As labelled.
    #[serde(rename = "type")]
    pub media_type: String,
    type_by_name: Option<&'static str>,
    type_by_octets: Option<&'static str>,
    pub octets: usize,
    sha256: String,
    content_id: Option<String>,
    inline: bool,
    /// `part`, `text` or `tnef`.
    origin: &'static str,
    /// The IMAP section of its part.
    part: String,
}

impl<'a> Manifest<'a> {
    pub fn of(item: &'a Item, message: &'a Message<'_>, attachments: Vec<Entry>) -> Self {
        Self {
            input: shown(&item.name),
            mailbox: json::Place::of(item),
            subject: message.subject(),
            message_id: message.message_id(),
            body: Vec::new(),
            attachments,
        }
    }

    pub fn add_body(&mut self, kind: BodyChoice, folder: &Path, name: &str, octets: usize) {
        let kind = match kind {
            BodyChoice::Text => "text",
            BodyChoice::Html => "html",
        };
        self.body.push(Body { kind, file: place(folder, name), octets });
    }
}

impl Entry {
    pub fn of(file: &Attachment<'_>) -> Self {
        let octets = file.octets();
        Self {
            name: file.name().map(str::to_owned),
            safe_name: file.safe_name().to_owned(),
            file: None,
            media_type: file.media_type().to_owned(),
            type_by_name: file.type_by_name(),
            type_by_octets: file.type_by_octets(),
            octets: octets.len(),
            sha256: json::sha256(&octets),
            content_id: file.content_id().map(str::to_owned),
            inline: file.is_inline(),
            origin: match file.origin() {
                Origin::Part => "part",
                Origin::Text => "text",
                Origin::Tnef => "tnef",
                _ => "other",
            },
            part: file.part().path(),
        }
    }

    /// Says where it was written.
    pub fn place(&mut self, folder: &Path, name: &str) {
        self.file = Some(place(folder, name));
    }
}

fn place(folder: &Path, name: &str) -> String {
    shown(&folder.join(name)).into_owned()
}
