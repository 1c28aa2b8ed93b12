//! The parts of a message.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::charset::{Charset, Guess};
use crate::issue::{self, Issue};
use crate::message::{self, Mailbox, Message, Parsed};
use crate::octets::{to_bytes, unlocked};
use crate::reading::{self, Reading};
use crate::view::Address;

use self_cell::self_cell;

type Borrowed<'a> = sevenbit::Part<'a>;

self_cell! {
    /// A part together with the message that it belongs to.
    struct Held {
        owner: Arc<Parsed>,
        #[covariant]
        dependent: Borrowed,
    }
}

/// One entity of a message: a leaf, a multipart, or a message in a message. Two are equal if they are the same part of equal
/// messages.
///
/// >>> message = parse(b"Content-Type: text/html; charset=koi8-r\r\n\r\n<p>\xf0\xd2\xc9\r\n")
/// >>> [(part.path, part.media_type, part.text) for part in message.parts]
/// [('1', 'text/html', '<p>При\n')]
#[pyclass(frozen, eq, hash, weakref, module = "sevenbit")]
pub struct Part(Held);

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        let (one, another) = (self.0.borrow_owner(), other.0.borrow_owner());
        let is_same_message =
            Arc::ptr_eq(one, another) || one.borrow_owner()[..] == another.borrow_owner()[..];
        is_same_message && self.place() == other.place()
    }
}

impl Hash for Part {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

impl Part {
    /// The part with that number, counted from 0, the message itself.
    pub fn new(message: &Arc<Parsed>, index: usize) -> Self {
        let held = Held::new(Arc::clone(message), |message| {
            message.borrow_dependent().parts().nth(index).expect("the caller counted the parts")
        });
        Self(held)
    }

    fn part(&self) -> &Borrowed<'_> {
        self.0.borrow_dependent()
    }

    /// Its content, transfer encoding removed.
    pub fn decoded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        to_bytes(py, &unlocked(py, self.octets_in(), || self.part().octets()))
    }

    /// Where it is in its message.
    fn place(&self) -> (String, usize, usize) {
        let span = self.part().span();
        (self.part().path(), span.start, span.end)
    }

    fn octets_in(&self) -> usize {
        self.part().span().len()
    }
}

#[pymethods]
impl Part {
    /// The IMAP section, "1.2"; empty for a message that is a multipart.
    #[getter]
    fn path(&self) -> String {
        self.part().path()
    }

    /// Whether it has content of its own.
    #[getter]
    fn is_leaf(&self) -> bool {
        self.part().is_leaf()
    }

    /// How many multiparts and messages are around it; that of the message itself is 0.
    #[getter]
    fn depth(&self) -> usize {
        self.part().depth()
    }

    /// The media type in lower case, "text/plain" if none can be read.
    #[getter]
    fn media_type(&self) -> &str {
        self.part().media_type()
    }

    /// The charset label as given.
    #[getter]
    fn charset_label(&self) -> Option<&str> {
        self.part().charset_label()
    }

    /// The charset that the label names.
    #[getter]
    fn charset(&self) -> Option<Charset> {
        self.part().charset().map(Charset)
    }

    /// The transfer encoding in lower case, as it was read.
    #[getter]
    fn transfer_encoding(&self) -> &'static str {
        self.part().transfer_encoding()
    }

    /// "inline", "attachment"..., in lower case.
    #[getter]
    fn disposition(&self) -> Option<&str> {
        self.part().disposition()
    }

    /// The file name, from Content-Disposition or Content-Type.
    #[getter]
    fn filename(&self) -> Option<&str> {
        self.part().filename()
    }

    /// The id by which `cid:` in HTML names it, without its angle brackets.
    #[getter]
    fn content_id(&self) -> Option<String> {
        self.part().content_id().map(Into::into)
    }

    /// The text of a parameter of its Content-Type, by its name in lower case.
    fn parameter(&self, name: &str) -> Option<&str> {
        self.part().parameter(name)
    }

    /// The text of the first field of that name in this part's header, ignoring case.
    fn header(&self, name: &str) -> Option<String> {
        self.part().header(name).map(Into::into)
    }

    /// Every field of this part's header in order, as (name, text).
    #[getter]
    fn headers(&self) -> Vec<(String, String)> {
        self.part().headers().map(|(name, text)| (name.to_owned(), text.into_owned())).collect()
    }

    /// Every field of this part's header in order, as (name, octets): what stands after the colon, with white space and folds,
    /// without the last line end.
    ///
    /// >>> parse(b"Subject: caf\xe9\r\n au lait\r\n\r\n").parts[0].raw_headers
    /// [('Subject', b' caf\xe9\r\n au lait')]
    #[getter]
    fn raw_headers<'py>(&self, py: Python<'py>) -> Vec<(String, Bound<'py, PyBytes>)> {
        let octets =
            |(name, value)| (String::from_utf8_lossy(name).into_owned(), PyBytes::new(py, value));
        self.part().raw_headers().map(octets).collect()
    }

    /// The mailboxes of all fields of that name in this part's header.
    fn mailboxes(&self, name: &str) -> Vec<Mailbox> {
        self.part().mailboxes(name).into_iter().map(Mailbox::from).collect()
    }

    /// The texts of all fields of that name in this part's header, in order.
    fn headers_named(&self, name: &str) -> Vec<String> {
        self.part().headers_named(name).map(Into::into).collect()
    }

    /// The entries of all fields of that name in this part's header, each a `Mailbox` or a `Group`.
    fn addresses(&self, name: &str) -> Vec<Address> {
        self.part().addresses(name).into_iter().map(Address::from).collect()
    }

    /// Its octets in the message, as (from, to).
    #[getter]
    fn span(&self) -> (usize, usize) {
        let span = self.part().span();
        (span.start, span.end)
    }

    /// The content, transfer encoding removed. Line ends are as they were stored.
    #[getter]
    fn octets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.decoded(py)
    }

    /// The content of a text leaf, line ends as LF; None for other types.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, pyo3::types::PyString>>> {
        let text = unlocked(py, self.octets_in(), || self.part().text());
        Ok(text.map(|text| pyo3::types::PyString::new(py, &text)))
    }

    /// The text of a text leaf as a person reads it: HTML as text, lines of `format=flowed` joined; None for other types.
    #[getter]
    fn plain_text<'py>(&self, py: Python<'py>) -> Option<Bound<'py, pyo3::types::PyString>> {
        let text = unlocked(py, self.octets_in(), || self.part().plain_text());
        text.map(|text| pyo3::types::PyString::new(py, &text))
    }

    /// The message in a message/rfc822, as a message of its own.
    #[getter]
    fn message(&self, py: Python<'_>) -> PyResult<Option<Message>> {
        if self.part().message().is_none() {
            return Ok(None);
        }
        message::parse(py, self.decoded(py)?.into_any().extract()?, None, "keep").map(Some)
    }

    /// The method of a calendar, in upper case: "REQUEST", "REPLY", "CANCEL"...
    #[getter]
    fn calendar_method(&self) -> Option<String> {
        self.part().calendar_method()
    }

    /// The charset in which its text is read, if that is a guess, with its alternatives.
    #[getter]
    fn charset_guess(&self, py: Python<'_>) -> Option<Guess> {
        unlocked(py, self.octets_in(), || {
            let guess = self.part().charset_guess()?;
            Some(Guess::among(guess, sevenbit::Charset::guesses(&self.part().octets())))
        })
    }

    /// The plausible readings of a text leaf, the most probable first, line ends as LF: for a person who finds the text
    /// unreadable. Of other types there are none.
    ///
    /// >>> mail = "Content-Type: text/plain; charset=utf-8\r\n\r\nschÃ¶ne GrÃ¼ÃŸe\r\n".encode()
    /// >>> best = parse(mail).parts[0].readings()[0]
    /// >>> best.text, best.by
    /// ('schöne Grüße\n', 'repair')
    fn readings(&self, py: Python<'_>) -> Vec<Reading> {
        reading::of_all(unlocked(py, self.octets_in(), || self.part().readings()))
    }

    /// The issues of this part's content and header, with spans in the message.
    #[getter]
    fn issues(&self, py: Python<'_>) -> Vec<Issue> {
        issue::all(unlocked(py, self.octets_in(), || self.part().issues()))
    }

    fn __repr__(&self) -> String {
        let part = self.part();
        format!(
            "<sevenbit.Part {:?} {} of {} octets>",
            part.path(),
            part.media_type(),
            self.octets_in()
        )
    }
}
