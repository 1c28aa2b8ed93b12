//! The Message-ID and the subject of a message, by which people find it in their mail program.

use serde::{Deserialize, Serialize};
use sevenbit::Message;

/// The Message-ID and the subject of a message, as far as it has them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Heading {
    /// The Message-ID, without brackets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The subject, decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

impl Heading {
    /// Returns the heading of a message; its header is enough.
    pub fn of(message: &[u8]) -> Self {
        let view = Message::parse(message);
        Self {
            message_id: view.message_id().map(|id| id.into_owned()),
            subject: view.subject().map(|subject| subject.into_owned()),
        }
    }
}
