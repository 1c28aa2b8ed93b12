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
    input: Cow<'a, str>,
    /// Its place in a mailbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    mailbox: Option<json::MailboxPlace<'a>>,
    subject: Option<Cow<'a, str>>,
    message_id: Option<Cow<'a, str>>,
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
        message: &'a Message<'_>,
        attachments: Vec<AttachmentData<'a>>,
    ) -> Self {
        Self {
            input: shown(&item.name),
            mailbox: json::MailboxPlace::of(item),
            subject: message.subject(),
            message_id: message.message_id(),
            body: Vec::new(),
            attachments,
        }
    }

    pub fn add_body(&mut self, kind: BodyChoice, file: Option<String>, octets: usize) {
        self.body.push(Body { kind, file, octets });
    }
}

/// Where a file was written.
pub fn place(folder: &Path, name: &str) -> String {
    shown(&folder.join(name)).into_owned()
}
