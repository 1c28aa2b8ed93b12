//! Everything that a message says, as one object.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::Named;
use crate::{
    Address, Attachment, Charset, Guess, Mailbox, Message, MessageIssues as _, Part, base_subject,
};

/// A function that makes a digest of octets, as text.
type Digest = fn(&[u8]) -> String;

/// The answers of a [`Message`] as one object, whose keys `docs/cli.md` lists: what `sevenbit
/// inspect --json` writes of it (feature `serde`). Each answer is computed when it is serialized.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// let message = sevenbit::Message::parse(b"From: a@b\r\nSubject: =?utf-8?Q?caf=C3=A9?=\r\n\r\nx");
/// let data = serde_json::to_value(sevenbit::MessageData::of(&message)).unwrap();
/// assert_eq!(data["subject"], "café");
/// assert_eq!(data["from"][0]["address"], "a@b");
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct MessageData<'m> {
    message: &'m Message<'m>,
    digest: Option<Digest>,
    headers: Option<&'m [String]>,
    text: bool,
    issues: bool,
    only: Option<&'m [&'m str]>,
}

impl fmt::Debug for MessageData<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageData").field("message", self.message).finish_non_exhaustive()
    }
}

impl<'m> MessageData<'m> {
    /// Returns the answers of `message`, without its header fields and texts, with its issues.
    pub fn of(message: &'m Message<'m>) -> Self {
        Self { message, digest: None, headers: None, text: false, issues: true, only: None }
    }

    /// Adds the header fields of these names (any case), all of them if `names` is empty:
    /// `headers`.
    #[must_use]
    pub fn headers(self, names: &'m [String]) -> Self {
        Self { headers: Some(names), ..self }
    }

    /// Says whether the text of each leaf is among `parts`: `text`.
    #[must_use]
    pub fn text(self, wanted: bool) -> Self {
        Self { text: wanted, ..self }
    }

    /// Says whether `issues` are found, which takes longer than everything else.
    #[must_use]
    pub fn issues(self, wanted: bool) -> Self {
        Self { issues: wanted, ..self }
    }

    /// Adds a digest of the octets of each part and attachment: `sha256`.
    #[must_use]
    pub fn digest(self, sha256: fn(&[u8]) -> String) -> Self {
        Self { digest: Some(sha256), ..self }
    }

    /// Leaves out all keys but these, and what it takes to find their values.
    #[must_use]
    pub fn only(self, keys: &'m [&'m str]) -> Self {
        Self { only: Some(keys), ..self }
    }

    fn put_people<S: SerializeStruct>(&self, object: &mut Keys<'_, S>) -> Result<(), S::Error> {
        const KEYS: [(&str, &str); 6] = [
            ("from", "from"),
            ("to", "to"),
            ("cc", "cc"),
            ("bcc", "bcc"),
            ("sender", "sender"),
            ("reply_to", "reply-to"),
        ];
        for (key, field) in KEYS {
            object.put(key, || self.message.mailboxes(field))?;
        }
        object.put("groups", || groups(self.message))
    }

    /// Puts when it was written, and what it follows.
    fn put_thread<S: SerializeStruct>(&self, object: &mut Keys<'_, S>) -> Result<(), S::Error> {
        let message = self.message;
        object.put("date", || message.header("date"))?;
        object.put("sent", || message.date())?;
        object.put("sent_is_guess", || message.date().is_some_and(|date| date.is_guess()))?;
        object.put("message_id", || message.message_id())?;
        object.put("in_reply_to", || message.in_reply_to())?;
        object.put("references", || message.references())?;
        object.put("thread", || message.thread_key())
    }

    /// Puts who sent it by what way, and what it reports.
    fn put_origin<S: SerializeStruct>(&self, object: &mut Keys<'_, S>) -> Result<(), S::Error> {
        let message = self.message;
        object.put("list", || message.list())?;
        for word in Message::WORDS {
            object.put(word.name, || word.of(message))?;
        }
        object.put("hops", || message.hops())?;
        object.put("authentication_results", || message.authentication_results())?;
        object.put("report", || message.report())
    }

    fn put_content<S: SerializeStruct>(&self, object: &mut Keys<'_, S>) -> Result<(), S::Error> {
        let message = self.message;
        if object.wants("attachments") {
            let files = message.attachments();
            let files: Vec<_> = files
                .iter()
                .map(|file| AttachmentData { digest: self.digest, ..file.into() })
                .collect();
            object.put("attachments", || files)?;
        }
        if let Some(names) = self.headers {
            let is_wanted = |name: &str| {
                names.is_empty() || names.iter().any(|own| own.eq_ignore_ascii_case(name))
            };
            object.put("headers", || {
                let fields = message.headers().filter(|(name, _)| is_wanted(name));
                fields.map(|(name, value)| Named { name, value }).collect::<Vec<_>>()
            })?;
        }
        let leaf = |part| Leaf { part, digest: self.digest, text: self.text };
        object.put("parts", || message.leaves().map(leaf).collect::<Vec<_>>())?;
        object.put("messages", || {
            let inner = message
                .parts()
                .filter(|part| part.parent().is_some_and(|around| !around.is_multipart()));
            inner.map(Inner).collect::<Vec<_>>()
        })
    }
}

/// An object that is written, of which only some keys may be wanted.
struct Keys<'k, S> {
    object: S,
    only: Option<&'k [&'k str]>,
}

impl<S: SerializeStruct> Keys<'_, S> {
    fn wants(&self, key: &str) -> bool {
        self.only.is_none_or(|only| only.contains(&key))
    }

    /// Puts a value, which is found only if it is wanted.
    fn put<V: Serialize>(
        &mut self,
        key: &'static str,
        value: impl FnOnce() -> V,
    ) -> Result<(), S::Error> {
        if self.wants(key) { self.object.serialize_field(key, &value()) } else { Ok(()) }
    }
}

impl Serialize for MessageData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let object = serializer.serialize_struct("MessageData", 28)?;
        let mut object = Keys { object, only: self.only };
        object.put("subject", || self.message.subject())?;
        object.put("base_subject", || self.message.subject().as_deref().map(base_subject))?;
        self.put_people(&mut object)?;
        self.put_thread(&mut object)?;
        self.put_origin(&mut object)?;
        self.put_content(&mut object)?;
        if self.issues {
            object.put("issues", || self.message.issues())?;
        }
        object.object.end()
    }
}

/// An [`Attachment`] as an object, as [`MessageData`] has it (feature `serde`).
#[derive(Clone, Debug)]
pub struct AttachmentData<'m> {
    file: &'m Attachment<'m>,
    digest: Option<Digest>,
    place: Option<String>,
}

impl<'m> From<&'m Attachment<'m>> for AttachmentData<'m> {
    fn from(file: &'m Attachment<'m>) -> Self {
        Self { file, digest: None, place: None }
    }
}

impl AttachmentData<'_> {
    /// Adds a digest of its octets: `sha256`.
    #[must_use]
    pub fn digest(self, sha256: fn(&[u8]) -> String) -> Self {
        Self { digest: Some(sha256), ..self }
    }

    /// Says where it was stored: `file`.
    pub fn set_place(&mut self, place: String) {
        self.place = Some(place);
    }
}

impl Serialize for AttachmentData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (file, octets) = (self.file, self.file.octets());
        let mut object = serializer.serialize_struct("AttachmentData", 12)?;
        object.serialize_field("name", &file.name())?;
        object.serialize_field("safe_name", file.safe_name())?;
        if let Some(place) = &self.place {
            object.serialize_field("file", place)?;
        }
        object.serialize_field("type", file.media_type())?;
        #[cfg(feature = "files")]
        {
            object.serialize_field("type_by_name", &file.type_by_name())?;
            object.serialize_field("type_by_octets", &crate::file_type(&octets))?;
        }
        object.serialize_field("octets", &octets.len())?;
        if let Some(digest) = self.digest {
            object.serialize_field("sha256", &digest(&octets))?;
        }
        object.serialize_field("content_id", &file.content_id())?;
        object.serialize_field("inline", &file.is_inline())?;
        object.serialize_field("origin", &file.origin())?;
        object.serialize_field("part", &file.part().path())?;
        object.end()
    }
}

struct Leaf<'m> {
    part: Part<'m>,
    digest: Option<Digest>,
    text: bool,
}

impl Serialize for Leaf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (part, octets) = (self.part, self.part.octets());
        let mut object = serializer.serialize_struct("Leaf", 11)?;
        object.serialize_field("path", &part.path())?;
        object.serialize_field("type", part.media_type())?;
        // In lower case like the other words, which are compared without regard to it.
        object.serialize_field("charset", &part.charset_label().map(str::to_ascii_lowercase))?;
        object.serialize_field(
            "charset_guess",
            &part.charset_guess().map(|guess| Guessed { guess, octets: &octets }),
        )?;
        object.serialize_field("encoding", part.transfer_encoding())?;
        object.serialize_field("disposition", &part.disposition())?;
        object.serialize_field("filename", &part.filename())?;
        object.serialize_field("calendar_method", &part.calendar_method())?;
        object.serialize_field("octets", &octets.len())?;
        if let Some(digest) = self.digest {
            object.serialize_field("sha256", &digest(&octets))?;
        }
        if self.text {
            object.serialize_field("text", &part.text())?;
        }
        object.end()
    }
}

/// The charset that was guessed for octets.
struct Guessed<'o> {
    guess: Guess,
    octets: &'o [u8],
}

impl Serialize for Guessed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let others = Charset::guesses(self.octets)
            .into_iter()
            .filter(|one| one.charset() != self.guess.charset());
        let mut object = serializer.serialize_struct("Guessed", 3)?;
        object.serialize_field("charset", &self.guess.charset())?;
        object.serialize_field("sureness", &self.guess.sureness())?;
        object.serialize_field("alternatives", &others.collect::<Vec<_>>())?;
        object.end()
    }
}

/// A message in the message; `extract` and `parse` give the whole of it.
struct Inner<'m>(Part<'m>);

impl Serialize for Inner<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let message = &self.0;
        let mut object = serializer.serialize_struct("Inner", 7)?;
        object.serialize_field("part", &message.parent().map(|around| around.path()))?;
        object.serialize_field("subject", &message.header("subject"))?;
        for (key, field) in [("from", "from"), ("to", "to"), ("cc", "cc")] {
            object.serialize_field(key, &message.mailboxes(field))?;
        }
        object.serialize_field("sent", &message.date())?;
        object.serialize_field("message_id", &message.ids("message-id").first())?;
        object.end()
    }
}

/// A group of mailboxes, and the field that it is in.
struct FieldGroup {
    field: &'static str,
    name: String,
    members: Vec<Mailbox>,
}

super::as_object!(FieldGroup, group:
    "field" => group.field,
    "name" => group.name,
    "members" => group.members,
);

fn groups(message: &Message<'_>) -> Vec<FieldGroup> {
    let of_field = |field: &'static str| {
        message.addresses(field).into_iter().filter_map(move |address| match address {
            Address::Group(group) => Some(FieldGroup {
                field,
                name: group.name().to_owned(),
                members: group.members().to_vec(),
            }),
            Address::Mailbox(_) => None,
        })
    };
    ["from", "sender", "reply-to", "to", "cc", "bcc"].into_iter().flat_map(of_field).collect()
}
