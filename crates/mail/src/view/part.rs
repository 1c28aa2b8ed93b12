//! One entity of a message: its place in the tree, and what its Content- fields say.

use std::borrow::Cow;
use std::fmt;

use crate::facts::content::Content;
use crate::facts::evidence::{guess_for_header, labels, raw_in_parameter};
use crate::facts::tree::{Entity, Kind, Leaf, Tree};
use crate::{Charset, Span};

/// One entity: a leaf, a multipart, or a message in a message.
#[derive(Clone, Copy)]
pub struct Part<'m> {
    pub(super) tree: &'m Tree<'m>,
    pub(super) index: usize,
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part")
            .field("path", &self.path())
            .field("media_type", &self.media_type())
            .finish()
    }
}

/// Two parts are equal if they are the same entity of the same parsed message.
impl PartialEq for Part<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.index == other.index
    }
}

impl Eq for Part<'_> {}

impl<'m> Part<'m> {
    pub(super) fn new(tree: &'m Tree<'m>, index: usize) -> Self {
        Self { tree, index }
    }

    /// Returns the tree that the part is in, for sevenbit.
    #[doc(hidden)]
    pub fn tree(&self) -> &'m Tree<'m> {
        self.tree
    }

    /// Returns the place of the part in document order: the index of the part in
    /// [`Message::parts`](crate::Message::parts), 0 for the message itself. Unlike a section, a
    /// number names one part alone: a message in a message has the section of its content.
    ///
    /// ```
    /// let mail = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n";
    /// let message = sevenbit::Message::parse(mail);
    /// let numbers: Vec<_> = message.leaves().map(|part| part.number()).collect();
    /// assert_eq!(numbers, [1, 2]);
    /// assert_eq!(message.body_parts().plain()[0].number(), 1);
    /// ```
    pub fn number(&self) -> usize {
        self.index
    }

    /// Returns the IMAP section: `1.2`; empty for a message that is a multipart.
    pub fn path(&self) -> String {
        self.tree.section(self.index).into_owned()
    }

    /// Returns whether it holds content itself.
    pub fn is_leaf(&self) -> bool {
        self.entity().is_leaf()
    }

    /// Returns whether it holds parts (RFC 2046, 5.1): not if its boundary never occurs.
    pub fn is_multipart(&self) -> bool {
        self.entity().is_multipart()
    }

    /// Returns how many multiparts and messages are around it; the message itself is 0.
    pub fn depth(&self) -> usize {
        self.entity().depth
    }

    /// Returns the multipart or message that it is in; `None` for the message itself.
    pub fn parent(&self) -> Option<Part<'m>> {
        self.entity().parent.map(|index| Part::new(self.tree, index))
    }

    /// Returns the parts of a multipart in order, or the one message in a `message/rfc822`; none
    /// for a leaf.
    pub fn children(&self) -> impl ExactSizeIterator<Item = Part<'m>> + use<'m> {
        let tree = self.tree;
        tree.children(self.index).iter().map(move |&index| Part::new(tree, index))
    }

    /// Returns the media type in lower case; `text/plain` if none can be read.
    pub fn media_type(&self) -> &'m str {
        match self.entity().kind {
            Kind::Leaf(Leaf::NoBoundary) => "text/plain",
            _ => self.content().media_type(),
        }
    }

    /// Returns the text of the parameter `name` (in lower case) of Content-Type: `format`,
    /// `start`...
    pub fn parameter(&self, name: &str) -> Option<&'m str> {
        let field = &self.tree.fields[self.content().type_field?];
        self.content().parameter(name, field.value_of(self.source()))
    }

    /// Returns the charset label as it is spelt.
    pub fn charset_label(&self) -> Option<&'m str> {
        self.content().charset_label()
    }

    /// Returns the charset that the label names.
    pub fn charset(&self) -> Option<Charset> {
        let (charset, _) = Charset::for_label_lenient(self.charset_label()?)?;
        Some(charset)
    }

    /// Returns the transfer encoding in lower case, as it was read: `7bit`, `8bit`, `binary`,
    /// `quoted-printable`, `base64`, `x-uuencode`...
    pub fn transfer_encoding(&self) -> &'static str {
        self.content().encoding.name()
    }

    /// Returns `inline`, `attachment`..., in lower case.
    pub fn disposition(&self) -> Option<&'m str> {
        self.content().disposition_type()
    }

    /// Returns the file name, from Content-Disposition or Content-Type.
    pub fn filename(&self) -> Option<&'m str> {
        let content = self.content();
        let value = |at: Option<usize>| at.map(|at| self.tree.fields[at].value_of(self.source()));
        let (guess, labels) = (|| guess_for_header(self.tree, self.index), || labels(self.tree));
        let values = [value(content.disposition_field), value(content.type_field)];
        content.filename_read_by(values, |octets| raw_in_parameter(octets, guess(), labels()))
    }

    /// Returns the entity's octets in the input.
    pub fn span(&self) -> Span {
        let entity = self.entity();
        self.tree.span_in_message(entity.source, entity.start..entity.body.end).into()
    }

    /// Returns the octets of its header section as they are, without the empty line that ends it.
    pub fn header_octets(&self) -> &'m [u8] {
        let entity = self.entity();
        &self.source()[entity.start..entity.section.fields_end]
    }

    /// Returns the octets of its body as they are, still in their transfer encoding.
    pub fn body_octets(&self) -> &'m [u8] {
        self.tree.body_of(self.entity())
    }

    /// Returns the IMAP section of its header: `0` for that of the message itself.
    pub(super) fn header_path(&self) -> Cow<'static, str> {
        self.tree.header_section(self.index)
    }

    /// Returns the part's own place in the tree, for sevenbit.
    #[doc(hidden)]
    pub fn entity(&self) -> &'m Entity {
        &self.tree.entities[self.index]
    }

    pub(super) fn content(&self) -> &'m Content {
        &self.entity().content
    }

    /// Returns the octets that its ranges point into.
    pub(super) fn source(&self) -> &'m [u8] {
        self.tree.source_of(self.entity())
    }
}

#[cfg(test)]
mod tests {
    use crate::Message;

    /// Parameters that decide how a message is read are read at once, any other when it is asked
    /// for.
    #[test]
    fn every_parameter_can_be_asked_for() {
        let parameter = |value: &str, name: &str| {
            let mail = format!("Content-Type: {value}\r\n\r\n");
            Message::parse(mail.as_bytes()).root().parameter(name).map(str::to_owned)
        };
        let plain = "text/plain; charset=utf-8; format=flowed";
        let odd = "text/plain; charset*=us-ascii''utf-8; x*0*=x''a%E9; x*1=\"b\"; title*=utf-8''caf%C3%A9 (c)";
        for (value, name, text) in [
            (plain, "charset", Some("utf-8")),
            (plain, "format", Some("flowed")),
            (plain, "x", None),
            (odd, "charset", Some("utf-8")),
            (odd, "title", Some("café")),
            (odd, "x", Some("aéb")),
            (odd, "format", None),
        ] {
            assert_eq!(parameter(value, name).as_deref(), text, "{name} of {value}");
        }
        assert_eq!(Message::parse(b"Subject: x\r\n\r\n").root().parameter("format"), None);
    }
}
