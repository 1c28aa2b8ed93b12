//! A message as webmail backends want it: headers as text, mailboxes, what to show and what to
//! offer as files.

mod address;
mod attachment;
mod body;
mod date;
mod embedded;
mod file_name;
#[cfg(feature = "files")]
mod file_type;
mod flowed;
mod header;
mod header_text;
mod html;
#[cfg(feature = "html")]
mod html_text;
mod inner;
mod issues;
mod list;
mod mailbox;
mod part;
mod passages;
mod report;
mod shown;
mod text;
mod thread;
mod tnef;
mod trace;
mod words;

use std::borrow::Cow;

use crate::Limits;
use crate::facts::scan::scan;
use crate::facts::tree::{Purpose, Tree};

pub use address::{Address, Group};
pub use attachment::{Attachment, Origin, may_be_tnef};
pub use body::BodyParts;
pub use date::Date;
pub use file_name::{disguised_type, extension, safe_file_name};
#[cfg(feature = "files")]
pub use file_type::file_type;
pub use list::MailingList;
pub use mailbox::Mailbox;
pub use part::Part;
pub use passages::{Passage, passages};
pub use report::{
    DeliveryReport, DispositionReport, FeedbackReport, MessageReport, ReportedRecipient,
};
pub use thread::base_subject;
pub use tnef::{Tnef, TnefFile};
pub use trace::{AuthenticationResult, AuthenticationResults, Hop};
pub use words::WordSchema;

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
///
/// For anything else about a message (calendars, Received fields, lists of any field by its
/// grammar), use the crate mail-parser; `examples/with_mail_parser.rs` reads one message with both.
#[derive(Debug)]
pub struct Message<'a> {
    octets: &'a [u8],
    limits: Limits,
    tree: Tree<'a>,
}

impl<'a> Message<'a> {
    /// Parses any octets, with default limits.
    pub fn parse(octets: &'a [u8]) -> Self {
        Self::parse_with(octets, Limits::default())
    }

    /// Parses any octets.
    pub fn parse_with(octets: &'a [u8], limits: Limits) -> Self {
        Self { octets, limits, tree: scan(octets, &limits, Purpose::View) }
    }

    /// Returns the octets of the message, as they were given.
    pub fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// Returns the limits within which it was parsed.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Makes U+0000 in the text of parts U+FFFD, and reports that (`control-replaced`): databases
    /// and JSON columns refuse it. Text of header fields never contains it.
    ///
    /// ```
    /// let message = sevenbit::Message::parse(b"Subject: x\r\n\r\na\0b").replacing_nul();
    /// assert_eq!(message.text(), "a\u{fffd}b");
    /// let is_replaced = |issue: &sevenbit::Issue| issue.code() == sevenbit::Code::ControlReplaced;
    /// assert!(message.root().issues().iter().any(is_replaced));
    /// ```
    #[must_use]
    pub fn replacing_nul(mut self) -> Self {
        self.tree.replaces_nul = true;
        self
    }

    /// Returns the message itself as a part: the one around all others, with the message's own
    /// header.
    pub fn root(&self) -> Part<'_> {
        Part::new(&self.tree, 0)
    }

    /// Returns the text of the first field of that name (any case), decoded.
    pub fn header(&self, name: &str) -> Option<Cow<'_, str>> {
        self.root().header(name)
    }

    /// Returns every field of the message's own header in order: name, and value as text.
    pub fn headers(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        self.root().headers()
    }

    /// Returns the subject as text.
    pub fn subject(&self) -> Option<Cow<'_, str>> {
        self.header("subject")
    }

    /// Returns the mailboxes of all fields of that name (`from`, `to`, `cc`...), groups flattened.
    pub fn mailboxes(&self, name: &str) -> Vec<Mailbox> {
        self.root().mailboxes(name)
    }

    /// Returns the entries of all fields of that name (`from`, `to`, `cc`...), groups kept: also
    /// `undisclosed-recipients:;`, which has no mailbox.
    pub fn addresses(&self, name: &str) -> Vec<Address> {
        self.root().addresses(name)
    }

    /// Returns when the message was written: the first `Date:` field that can be read (RFC 5322,
    /// 3.3 and 4.3).
    pub fn date(&self) -> Option<Date> {
        self.root().date()
    }

    /// Returns the first id of `Message-ID:`, without its angle brackets (RFC 5322, 3.6.4).
    pub fn message_id(&self) -> Option<Cow<'_, str>> {
        self.root().ids("message-id").into_iter().next()
    }

    /// Returns the ids of `In-Reply-To:`, without their angle brackets: the messages that this one
    /// answers (RFC 5322, 3.6.4).
    pub fn in_reply_to(&self) -> Vec<Cow<'_, str>> {
        self.root().ids("in-reply-to")
    }

    /// Returns the ids of `References:`, without their angle brackets, from the first message of
    /// the thread to the one that this one answers (RFC 5322, 3.6.4).
    pub fn references(&self) -> Vec<Cow<'_, str>> {
        self.root().ids("references")
    }

    /// Returns the ids of the messages that this one follows, the first of the thread first: those
    /// of `References:`, then the first of `In-Reply-To:`, each once; never its own. Ids that were
    /// torn by a fold are whole.
    ///
    /// ```
    /// let mail = b"In-Reply-To: <c@d>\r\nReferences: <a@\r\n b>\r\n\r\n";
    /// assert_eq!(sevenbit::Message::parse(mail).ancestors(), ["a@b", "c@d"]);
    /// ```
    pub fn ancestors(&self) -> Vec<Cow<'_, str>> {
        self.root().ancestors()
    }

    /// Returns a key that the messages of a thread have in common: the id of its first message in
    /// angle brackets, its own if it follows none; without any id, the [base](base_subject) of its
    /// subject in lower case. Threads of whose first message nobody knows (Zawinski's algorithm)
    /// come from [`ancestors`](Self::ancestors).
    pub fn thread_key(&self) -> Option<String> {
        self.root().thread_key()
    }

    /// Returns the mailing list that the message came by: its List- fields (RFC 2369, 2919, 8058).
    pub fn list(&self) -> Option<MailingList> {
        self.root().list()
    }

    /// Returns the stations on the message's way, the first one first: its Received fields, from
    /// the last to the first (RFC 5321, 4.4).
    pub fn hops(&self) -> Vec<Hop> {
        self.root().hops()
    }

    /// Returns what servers found out about the message's origin: its Authentication-Results fields
    /// in order, the newest first (RFC 8601).
    pub fn authentication_results(&self) -> Vec<AuthenticationResults> {
        self.root().authentication_results()
    }

    /// Returns the entities in document order, the message itself first.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        (0..self.tree.entities.len()).map(|index| Part::new(&self.tree, index))
    }

    /// Returns the leaves in document order.
    pub fn leaves(&self) -> impl Iterator<Item = Part<'_>> {
        self.parts().filter(Part::is_leaf)
    }

    /// Returns which parts are to be shown, and which are attachments.
    pub fn body_parts(&self) -> BodyParts<'_> {
        BodyParts::of(self.root())
    }

    /// Returns the text of the message as a person reads it: its plain text, or else its HTML as
    /// text, all parts of the body in order; each part as [`Part::plain_text`] says; if it has
    /// none, the body in a `winmail.dat`. Line ends are LF.
    ///
    /// HTML is read with feature `html`; without it, HTML that has no alternative is left out.
    ///
    /// ```
    /// let mail = b"Content-Type: text/html\r\n\r\n<p>See <a href=https://example.org/x>this</a>.</p>";
    /// # #[cfg(feature = "html")]
    /// assert_eq!(sevenbit::Message::parse(mail).text(), "See this <https://example.org/x>.\n");
    /// ```
    pub fn text(&self) -> Cow<'_, str> {
        self.body_parts().text()
    }

    /// Returns the HTML of the message: all parts of the body in order where HTML is preferred,
    /// plain ones escaped between; `None` if none is HTML.
    ///
    /// `resolve` is asked for the address of each part that the HTML refers to by its Content-ID
    /// (`cid:`, RFC 2392); without an answer the reference stays. Anything may be in the result:
    /// scripts, pictures that report who looks at them. Before it is shown it goes through a
    /// sanitiser, such as the crate `ammonia`; `examples/show_html.rs` does that.
    ///
    /// ```
    /// let mail = b"Content-Type: text/html\r\n\r\n<img src=\"cid:cat@example.org\">";
    /// let message = sevenbit::Message::parse(mail);
    /// let html = message.html(|id| Some(format!("/parts/{id}")));
    /// assert_eq!(html.as_deref(), Some("<img src=\"/parts/cat@example.org\">"));
    /// ```
    pub fn html(&self, mut resolve: impl FnMut(&str) -> Option<String>) -> Option<String> {
        self.body_parts().joined_html(&mut resolve)
    }

    /// Returns every file of the message in order: the parts that are offered as files, those that
    /// are shown between texts, and files inside of text.
    pub fn attachments(&self) -> Vec<Attachment<'_>> {
        Attachment::all(&self.body_parts())
    }
}
