//! What people look for a message by in their mail program: in a report beside its place.

use serde::Serialize;
use sevenbit::Message;

/// The Message-ID and the subject of a message, as far as it has them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// Its Message-ID, without brackets.
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<String>,
    /// Its subject, decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
}

impl Heading {
    /// Returns those of a message, of which the header is enough.
    pub fn of(message: &[u8]) -> Self {
        let view = Message::parse(message);
        Self {
            message_id: view.message_id().map(|id| id.into_owned()),
            subject: view.subject().map(|subject| subject.into_owned()),
        }
    }
}
