//! A message as webmail backends want it: headers as text, mailboxes, leaves with text and octets.

use std::borrow::Cow;

use super::content::Content;
use super::fallback::fallback;
use super::fields::{Field, Shape};
use super::markup;
use super::options::{Limits, Options};
use super::plan::plan;
use super::recode::decode as decode_body;
use super::scan::scan;
use super::tag::Tag;
use super::tree::{Entity, Kind, Leaf, Purpose, Tree};
use crate::ascii::trim_fws;
use crate::charset::{Known, says_nothing};
use crate::codec::lf::with_lf;
use crate::decode::{self, Fallback, RawText};
use crate::issue::Tally;
use crate::{Charset, Code, Decoded, Issue, Span};

/// A parsed message. Parsing finds structure; text is decoded when asked for.
///
/// ```
/// let mail = b"From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.org>\r\nSubject: hi\r\n\r\nhello\r\n";
/// let message = sevenbit::Message::parse(mail);
/// assert_eq!(message.subject().as_deref(), Some("hi"));
/// assert_eq!(message.mailboxes("from")[0].name(), "Zoë");
/// let leaf = message.leaves().next().unwrap();
/// assert_eq!(leaf.text().as_deref(), Some("hello\n"));
/// ```
#[derive(Debug)]
pub struct Message<'a> {
    octets: &'a [u8],
    tree: Tree<'a>,
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
    pub fn parse_with(octets: &'a [u8], limits: Limits) -> Self {
        Self { octets, tree: scan(octets, &limits, Purpose::View) }
    }

    /// The text of the first field of that name (any case), decoded.
    pub fn header(&self, name: &str) -> Option<Cow<'_, str>> {
        self.root().header(name)
    }

    /// Every field of the message's own header in order: name, and value as text.
    pub fn headers(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        self.root().headers()
    }

    /// The subject as text.
    pub fn subject(&self) -> Option<Cow<'_, str>> {
        self.header("subject")
    }

    /// The mailboxes of all fields of that name (`from`, `to`, `cc`...), groups flattened.
    pub fn mailboxes(&self, name: &str) -> Vec<Mailbox> {
        self.root().mailboxes(name)
    }

    /// The entities in document order, the message itself first.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        parts(&self.tree)
    }

    /// The leaves in document order.
    pub fn leaves(&self) -> impl Iterator<Item = Part<'_>> {
        self.parts().filter(Part::is_leaf)
    }

    /// What is odd about the message: what an archive would have to report.
    pub fn issues(&self) -> Vec<Issue> {
        plan(self.octets, &Options::default()).issues
    }

    fn root(&self) -> Part<'_> {
        Part { tree: &self.tree, index: 0 }
    }
}

/// The entities of a tree in document order.
pub(super) fn parts<'m>(tree: &'m Tree<'m>) -> impl Iterator<Item = Part<'m>> {
    (0..tree.entities.len()).map(move |index| Part { tree, index })
}

/// One entity: a leaf, a multipart, or a message in a message.
#[derive(Clone, Copy)]
pub struct Part<'m> {
    tree: &'m Tree<'m>,
    index: usize,
}

impl std::fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Part").field("path", &self.path()).field("media_type", &self.media_type()).finish()
    }
}

impl<'m> Part<'m> {
    /// The IMAP section: `1.2`; empty for a message that is a multipart.
    pub fn path(&self) -> String {
        self.tree.section(self.index).into_owned()
    }

    /// Whether it holds content itself.
    pub fn is_leaf(&self) -> bool {
        self.entity().is_leaf()
    }

    /// How many multiparts and messages are around it; the message itself is 0.
    pub fn depth(&self) -> usize {
        self.entity().depth
    }

    /// The media type in lower case, `text/plain` where none can be read.
    pub fn media_type(&self) -> &'m str {
        match self.entity().kind {
            Kind::Leaf(Leaf::NoBoundary) => "text/plain",
            _ => self.content().media_type(),
        }
    }

    /// The charset label as it stands.
    pub fn charset_label(&self) -> Option<&'m str> {
        self.content().charset_label()
    }

    /// The charset that the label names.
    pub fn charset(&self) -> Option<Charset> {
        let (charset, _) = Charset::for_label_lenient(self.charset_label()?)?;
        Some(charset)
    }

    /// The transfer encoding in lower case, as it was read: `7bit`, `8bit`, `binary`, `quoted-printable`, `base64`, `x-uuencode`...
    pub fn transfer_encoding(&self) -> &'static str {
        self.content().encoding.name()
    }

    /// `inline`, `attachment`..., in lower case.
    pub fn disposition(&self) -> Option<&'m str> {
        self.content().disposition_type()
    }

    /// The file name, from Content-Disposition or Content-Type.
    pub fn filename(&self) -> Option<&'m str> {
        self.content().filename()
    }

    /// The text of the first field of that name in this entity's header.
    pub fn header(&self, name: &str) -> Option<Cow<'m, str>> {
        self.named(name).next().map(|field| self.field_text(field).into_text())
    }

    /// Every field of this entity's header in order: name, and value as text.
    pub fn headers(&self) -> impl Iterator<Item = (&'m str, Cow<'m, str>)> + use<'m> {
        let part = *self;
        self.fields().map(move |field| {
            let name = std::str::from_utf8(field.name(part.source())).unwrap_or_default();
            (name, part.field_text(field).into_text())
        })
    }

    /// The mailboxes of all fields of that name in this entity's header.
    pub fn mailboxes(&self, name: &str) -> Vec<Mailbox> {
        let source = self.source();
        let of_value = |value| decode::mailboxes(value, &self.raw_text(value));
        let mut values = self.named(name).map(|field| field.value_of(source));
        // Most often there is one, whose list needs no copy.
        let mut found = values.next().map(of_value).unwrap_or_default();
        found.extend(values.flat_map(of_value));
        found.into_iter().map(|(name, address)| Mailbox { name, address }).collect()
    }

    /// The entity's octets in the input.
    pub fn span(&self) -> Span {
        let entity = self.entity();
        self.tree.span_in_message(entity.source, entity.start..entity.body.end).into()
    }

    /// The content, transfer encoding removed. Line ends are as they were stored.
    pub fn octets(&self) -> Cow<'m, [u8]> {
        decode_body(self.content().encoding, self.tree.body_of(self.entity()), &mut Tally::default())
    }

    /// The content of a text leaf as text, line ends as LF; nothing for other types.
    pub fn text(&self) -> Option<Cow<'m, str>> {
        self.decoded().map(Decoded::into_text)
    }

    /// The same with what was odd on the way; spans are octets of the decoded content.
    pub fn decoded(&self) -> Option<Decoded<'m>> {
        if !self.is_leaf() || !self.media_type().starts_with("text/") {
            return None;
        }
        Some(match self.octets() {
            Cow::Borrowed(octets) => self.text_of(octets),
            Cow::Owned(octets) => owned(self.text_of(&octets)),
        })
    }

    /// What is odd about this entity's content and header, spans in the input.
    pub fn issues(&self) -> Vec<Issue> {
        let mut tally = Tally::default();
        let entity = self.entity();
        let body = entity.body.clone();
        if self.is_leaf() {
            decode_body(entity.content.encoding, self.tree.body_of(entity), &mut tally);
        }
        let of_body = tally.into_issues().into_iter().map(|issue| {
            // What was stored with LF was decoded with CR LF, which is longer.
            let span = issue.span().shifted(body.start);
            issue.at(Span::new(span.start.min(body.end), span.end.min(body.end)))
        });
        let of_text = self.decoded().map(|decoded| decoded.into_parts().1).unwrap_or_default();
        let of_text = of_text.into_iter().map(|issue| issue.at(Span::from(body.clone())));
        let path = self.path();
        of_body.chain(of_text).map(|issue| issue.in_part(path.clone())).collect()
    }

    fn entity(&self) -> &'m Entity {
        &self.tree.entities[self.index]
    }

    fn content(&self) -> &'m Content {
        &self.entity().content
    }

    fn source(&self) -> &'m [u8] {
        self.tree.source_of(self.entity())
    }

    fn fields(&self) -> impl Iterator<Item = &'m Field> + use<'m> {
        let fields = self.tree.fields_of(self.entity()).iter();
        fields.filter(|field| matches!(field.shape, Shape::Field | Shape::LostFold))
    }

    fn named<'n>(&self, name: &'n str) -> impl Iterator<Item = &'m Field> + use<'m, 'n> {
        let (source, tag) = (self.source(), Tag::of(name.as_bytes()));
        self.fields().filter(move |field| field.tag == tag && field.is(source, name))
    }

    fn field_text(&self, field: &Field) -> Decoded<'m> {
        let value = trim_fws(field.value_of(self.source()));
        decode::text(value, &self.raw_text(value))
    }

    /// How raw octets in a value of this header are read: as an archive reads them.
    fn raw_text(&self, value: &[u8]) -> RawText {
        RawText::Guess(if value.is_ascii() { Fallback::NONE } else { fallback(self.tree, self.index) })
    }

    fn text_of<'o>(&self, octets: &'o [u8]) -> Decoded<'o> {
        let known = Known::of(octets);
        let (charset, mut issues) = self.text_charset(octets, known);
        let (text, found) = charset.decode_known(known).into_parts();
        issues.extend(found);
        Decoded::new(with_lf(text), issues)
    }

    /// The charset of the content: as labelled, or guessed where the label says nothing or cannot be true.
    fn text_charset(&self, octets: &[u8], known: Known<'_>) -> (Charset, Vec<Issue>) {
        let whole = Span::new(0, octets.len());
        let label = self.charset_label().filter(|label| !says_nothing(label));
        let named = label.and_then(Charset::for_label_lenient).map(|(charset, _)| charset);
        let ascii = matches!(known, Known::Ascii(_));
        let believed = named.filter(|&charset| ascii || !charset.is_belied_by(octets));
        if let Some(charset) = believed {
            return (charset, Vec::new());
        }
        if ascii {
            return (Charset::US_ASCII, Vec::new());
        }
        let guess = match known {
            Known::Utf8(_) => Charset::UTF_8,
            _ => markup::guess(octets, self.content().media_type()),
        };
        let mut issues = vec![Issue::new(Code::CharsetGuessed, whole).with_detail(guess.name())];
        if let (Some(label), None) = (label, named) {
            issues.push(Issue::new(Code::CharsetUnknown, whole).with_detail(label.to_owned()));
        }
        (guess, issues)
    }
}

fn owned(decoded: Decoded<'_>) -> Decoded<'static> {
    let (text, issues) = decoded.into_parts();
    Decoded::new(Cow::Owned(text.into_owned()), issues)
}
