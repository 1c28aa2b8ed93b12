//! The manifest: what was taken out of a message, as JSON. Its keys are an interface that scripts
//! rely on.

use std::borrow::Cow;
use std::path::Path;

use serde::Serialize;
use sevenbit::{AttachmentData, Message};

use crate::args::BodyChoice;
use crate::input::Item;
use crate::json;
use crate::place::shown;

#[derive(Serialize)]
pub struct Manifest<'a> {
    #[serde(skip)]
    item: &'a Item,
    input: Cow<'a, str>,
    /// Its place in a mailbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    mailbox: Option<json::MailboxPlace<'a>>,
    /// The parts that it is of the messages around it, the outermost first.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    within: &'a [String],
    subject: Option<Cow<'a, str>>,
    message_id: Option<Cow<'a, str>>,
    /// The Date in RFC 3339, if that can be read.
    sent: Option<String>,
    pub body: Vec<Body>,
    /// With `file`, where each was written; not with `--list`.
    pub attachments: Vec<AttachmentData<'a>>,
}

#[derive(Serialize)]
pub struct Body {
    kind: BodyChoice,
    /// Where it was written, below the directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    pub octets: usize,
}

impl Body {
    /// Its name in a list for people.
    pub fn said(&self) -> &'static str {
        match self.kind {
            BodyChoice::Text => "text",
            BodyChoice::Unquoted => "text without quotations",
            BodyChoice::Html => "HTML",
        }
    }
}

impl<'a> Manifest<'a> {
    pub fn of(
        item: &'a Item,
        within: &'a [String],
        message: &'a Message<'_>,
        attachments: Vec<AttachmentData<'a>>,
    ) -> Self {
        Self {
            item,
            input: shown(&item.name),
            mailbox: json::MailboxPlace::of(item),
            within,
            subject: message.subject(),
            message_id: message.message_id(),
            sent: message.date().map(|date| date.to_string()),
            body: Vec::new(),
            attachments,
        }
    }

    /// Returns where the message is, in words: `a.eml`, `a.mbox: message 3, part 2`.
    pub fn place(&self) -> String {
        let mut place = shown(&self.item.called()).into_owned();
        place.extend(self.within.iter().map(|part| format!(", part {part}")));
        place
    }

    /// Returns whether the message is in no other.
    pub fn is_outermost(&self) -> bool {
        self.within.is_empty()
    }

    pub fn subject(&self) -> &str {
        self.subject.as_deref().unwrap_or_default()
    }

    pub fn add_body(&mut self, kind: BodyChoice, file: Option<String>, octets: usize) {
        self.body.push(Body { kind, file, octets });
    }
}

/// Where a file was written.
pub fn place(folder: &Path, name: &str) -> String {
    shown(&folder.join(name)).into_owned()
}
