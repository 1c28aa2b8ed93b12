//! A message as webmail backends want it: headers as text, mailboxes, leaves with text and octets.

use std::borrow::Cow;

use crate::{Charset, Issue, Limits, Span};

/// A parsed message. Parsing finds structure; text is decoded when asked for.
#[derive(Debug)]
pub struct Message<'a> {
    octets: &'a [u8],
}

/// A mailbox of an address field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mailbox {
    name: String,
    address: String,
}

impl Mailbox {
    /// The display name as text; empty if there is none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The addr-spec, never decoded.
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl<'a> Message<'a> {
    /// Parses any octets, with default limits.
    pub fn parse(octets: &'a [u8]) -> Self {
        Self::parse_with(octets, Limits::default())
    }

    /// Parses any octets.
    pub fn parse_with(octets: &'a [u8], _limits: Limits) -> Self {
        Self { octets }
    }

    /// The text of the first field of that name (any case), decoded.
    pub fn header(&self, _name: &str) -> Option<Cow<'_, str>> {
        None
    }

    /// Every field of the message's own header in order: name, and value as text.
    pub fn headers(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        std::iter::empty()
    }

    /// The subject as text.
    pub fn subject(&self) -> Option<Cow<'_, str>> {
        self.header("subject")
    }

    /// The mailboxes of all fields of that name (`from`, `to`, `cc`...), groups flattened.
    pub fn mailboxes(&self, _name: &str) -> Vec<Mailbox> {
        Vec::new()
    }

    /// The entities in document order, the message itself first.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        std::iter::once(Part { octets: self.octets })
    }

    /// The leaves in document order.
    pub fn leaves(&self) -> impl Iterator<Item = Part<'_>> {
        self.parts().filter(Part::is_leaf)
    }

    /// What is odd about the structure and headers.
    pub fn issues(&self) -> Vec<Issue> {
        Vec::new()
    }
}

/// One entity: a leaf, a multipart, or a message in a message.
#[derive(Clone, Copy, Debug)]
pub struct Part<'m> {
    octets: &'m [u8],
}

impl<'m> Part<'m> {
    /// The IMAP section: `1.2`; the message itself is `0`... of a message that is no multipart the leaf is `1`.
    pub fn path(&self) -> &'m str {
        "1"
    }

    /// Whether it holds content itself.
    pub fn is_leaf(&self) -> bool {
        true
    }

    /// How deep it is nested; the message itself is 0.
    pub fn depth(&self) -> usize {
        0
    }

    /// The media type in lower case, `text/plain` where none is given.
    pub fn media_type(&self) -> &'m str {
        "text/plain"
    }

    /// The charset label as it stands.
    pub fn charset_label(&self) -> Option<&'m str> {
        None
    }

    /// The charset that the label names.
    pub fn charset(&self) -> Option<Charset> {
        None
    }

    /// The transfer encoding in lower case, as it was read: `7bit`, `8bit`, `binary`, `quoted-printable`, `base64`, `x-uuencode`...
    pub fn transfer_encoding(&self) -> &'m str {
        "7bit"
    }

    /// `inline`, `attachment`..., in lower case.
    pub fn disposition(&self) -> Option<&'m str> {
        None
    }

    /// The file name, from Content-Disposition or Content-Type.
    pub fn filename(&self) -> Option<Cow<'m, str>> {
        None
    }

    /// The text of the first field of that name in this entity's header.
    pub fn header(&self, _name: &str) -> Option<Cow<'m, str>> {
        None
    }

    /// The entity's octets in the input.
    pub fn span(&self) -> Span {
        Span::new(0, self.octets.len())
    }

    /// The content, transfer encoding removed.
    pub fn octets(&self) -> Cow<'m, [u8]> {
        Cow::Borrowed(self.octets)
    }

    /// The content of a text leaf as text, line ends as LF; nothing for other types.
    pub fn text(&self) -> Option<Cow<'m, str>> {
        None
    }

    /// What is odd about this entity.
    pub fn issues(&self) -> Vec<Issue> {
        Vec::new()
    }
}
