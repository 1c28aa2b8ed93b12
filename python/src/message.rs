//! Messages for webmail backends.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use self_cell::self_cell;

use crate::issue::{self, Issue};
use crate::octets::{Octets, unlocked};
use crate::options::Limits;
use crate::part::Part;

type Borrowed<'a> = sevenbit::Message<'a>;

self_cell! {
    /// A message together with the octets that it borrows.
    pub struct Parsed {
        owner: PyBackedBytes,
        #[covariant]
        dependent: Borrowed,
    }
}

/// A parsed message: header fields, mailboxes and parts as clean Unicode. Parsing finds structure; text is decoded
/// on demand.
#[pyclass(frozen, module = "sevenbit")]
pub struct Message(pub Arc<Parsed>);

/// Parses a message; any octets are one.
///
/// >>> message = parse("From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.org>\r\nSubject: hi\r\n\r\nhello\r\n".encode())
/// >>> message.subject, message.mailboxes("from"), message.leaves[0].text
/// ('hi', [Mailbox(name='Zoë', address='zoe@example.org')], 'hello\n')
#[pyfunction]
#[pyo3(signature = (message, *, limits = None))]
pub fn parse(py: Python<'_>, message: Octets, limits: Option<&Bound<'_, Limits>>) -> Message {
    let limits = limits.map(|limits| limits.get().0).unwrap_or_default();
    let octets = message.into_backed();
    let parse = |octets: PyBackedBytes| Parsed::new(octets, |octets| Borrowed::parse_with(octets, limits));
    Message(Arc::new(unlocked(py, octets.len(), || parse(octets))))
}

impl Message {
    fn message(&self) -> &Borrowed<'_> {
        self.0.borrow_dependent()
    }

    /// Parts of this message as Python objects.
    fn held(&self, parts: &[sevenbit::Part<'_>]) -> Vec<Part> {
        let index = |wanted| self.message().parts().position(|part| part == wanted);
        parts.iter().filter_map(|part| Some(Part::new(&self.0, index(*part)?))).collect()
    }

    fn parts_that(&self, are_wanted: impl Fn(&sevenbit::Part<'_>) -> bool) -> Vec<Part> {
        let parts = self.message().parts().enumerate().filter(|(_, part)| are_wanted(part));
        parts.map(|(index, _)| Part::new(&self.0, index)).collect()
    }
}

#[pymethods]
impl Message {
    /// The subject.
    #[getter]
    fn subject(&self) -> Option<String> {
        self.message().subject().map(Into::into)
    }

    /// The text of the first field of that name, ignoring case; None if there is none.
    fn header(&self, name: &str) -> Option<String> {
        self.message().header(name).map(Into::into)
    }

    /// Every field of the header in order, as (name, text).
    #[getter]
    fn headers(&self) -> Vec<(String, String)> {
        self.message().headers().map(|(name, text)| (name.to_owned(), text.into_owned())).collect()
    }

    /// The mailboxes of all fields of that name ("from", "to", "cc"...), groups flattened.
    fn mailboxes(&self, name: &str) -> Vec<Mailbox> {
        self.message().mailboxes(name).into_iter().map(Mailbox::from).collect()
    }

    /// When the message was written; None if there is no date, or none that Python's calendar has.
    #[getter]
    fn date<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(date) = self.message().date() else { return Ok(None) };
        let made =
            py.import("datetime")?.getattr("datetime")?.call_method1("fromisoformat", (date.to_string(),));
        Ok(made.ok())
    }

    /// The message id, without its angle brackets.
    #[getter]
    fn message_id(&self) -> Option<String> {
        self.message().message_id().map(Into::into)
    }

    /// The ids of the messages that this answers.
    #[getter]
    fn in_reply_to(&self) -> Vec<String> {
        self.message().in_reply_to().into_iter().map(Into::into).collect()
    }

    /// The ids of the thread, from its first message on.
    #[getter]
    fn references(&self) -> Vec<String> {
        self.message().references().into_iter().map(Into::into).collect()
    }

    /// The parts to show, one after the other, where plain text is preferred; HTML is among them if it has no
    /// alternative. This, `html_body` and `attachments` are those of JMAP (RFC 8621, 4.1.4).
    #[getter]
    fn plain_body(&self) -> Vec<Part> {
        self.held(self.message().body_parts().plain())
    }

    /// The parts to show where HTML is preferred; plain text is among them if it has no alternative.
    #[getter]
    fn html_body(&self) -> Vec<Part> {
        self.held(self.message().body_parts().html())
    }

    /// The parts to offer as files.
    #[getter]
    fn attachments(&self) -> Vec<Part> {
        self.held(self.message().body_parts().attachments())
    }

    /// The entities in document order, the message itself first.
    #[getter]
    fn parts(&self) -> Vec<Part> {
        self.parts_that(|_| true)
    }

    /// The parts that have content of their own, in document order.
    #[getter]
    fn leaves(&self) -> Vec<Part> {
        self.parts_that(|part| part.is_leaf())
    }

    /// What is odd about the message: what an archive would have to report.
    #[getter]
    fn issues(&self, py: Python<'_>) -> Vec<Issue> {
        let octets = self.0.borrow_owner().len();
        issue::all(unlocked(py, octets, || self.message().issues()))
    }

    /// The octets that were parsed.
    #[getter]
    fn octets<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.borrow_owner())
    }

    fn __repr__(&self) -> String {
        let parts = self.message().parts().count();
        format!("<sevenbit.Message of {} octets, {parts} parts>", self.0.borrow_owner().len())
    }
}

/// A mailbox of an address field: a display name, empty if there is none, and an addr-spec.
///
/// >>> match Mailbox("Zoë", "zoe@example.org"):
/// ...     case Mailbox(name, address):
/// ...         print(name, address)
/// Zoë zoe@example.org
#[pyclass(frozen, eq, hash, module = "sevenbit")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Mailbox {
    name: String,
    address: String,
}

impl From<sevenbit::Mailbox> for Mailbox {
    fn from(mailbox: sevenbit::Mailbox) -> Self {
        Self { name: mailbox.name().to_owned(), address: mailbox.address().to_owned() }
    }
}

#[pymethods]
impl Mailbox {
    #[new]
    fn new(name: String, address: String) -> Self {
        Self { name, address }
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("name", "address")
    }

    /// The display name; empty if there is none.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The addr-spec, never decoded.
    #[getter]
    fn address(&self) -> &str {
        &self.address
    }

    /// For `pickle` and `copy`.
    fn __getnewargs__(&self) -> (&str, &str) {
        (&self.name, &self.address)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let quoted = |text: &str| Ok::<_, PyErr>(text.into_pyobject(py)?.repr()?.to_string());
        Ok(format!("Mailbox(name={}, address={})", quoted(&self.name)?, quoted(&self.address)?))
    }
}
