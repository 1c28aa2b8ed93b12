//! Messages for webmail backends.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};
use self_cell::self_cell;
use sevenbit::MessageIssues as _;

use crate::issue::{self, Issue};
use crate::octets::{Mail, unlocked};
use crate::options::Limits;
use crate::part::Part;
use crate::view::{Address, Attachment, AuthenticationResults, Hop, MailingList, Report, datetime};

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
///
/// >>> message = parse("From: Jörg <j@example.org>\r\nSubject: café\r\n\r\ndéjà vu\r\n".encode())
/// >>> message.subject, message.mailboxes("from")[0].name, message.text
/// ('café', 'Jörg', 'déjà vu\n')
#[pyclass(frozen, weakref, module = "sevenbit")]
pub struct Message(pub Arc<Parsed>);

/// Parses a message: a buffer, a path, or a file that is open for reading octets. Any octets are one, an mbox of several messages
/// too, with a `MailboxWarning`. With `nul="replace"` no text of it contains U+0000, which databases refuse: U+FFFD takes its place,
/// and is reported.
///
/// >>> message = parse("From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.org>\r\nSubject: hi\r\n\r\nhello\r\n".encode())
/// >>> message.subject, message.mailboxes("from"), message.leaves[0].text
/// ('hi', [Mailbox(name='Zoë', address='zoe@example.org')], 'hello\n')
#[pyfunction]
#[pyo3(signature = (message, *, limits = None, nul = "keep"))]
pub fn parse(
    py: Python<'_>,
    message: Mail,
    limits: Option<&Bound<'_, Limits>>,
    nul: &str,
) -> PyResult<Message> {
    let replaces = match nul {
        "keep" => false,
        "replace" => true,
        _ => return Err(PyValueError::new_err(format!("nul is {nul:?}, not 'keep' or 'replace'"))),
    };
    let limits = limits.map(|limits| limits.get().0).unwrap_or_default();
    message.warn_of_mbox(py)?;
    let octets = message.0.into_backed();
    let parse = |octets: PyBackedBytes| {
        Parsed::new(octets, |octets| match Borrowed::parse_with(octets, limits) {
            message if replaces => message.replacing_nul(),
            message => message,
        })
    };
    Ok(Message(Arc::new(unlocked(py, octets.len(), || parse(octets)))))
}

impl Message {
    fn message(&self) -> &Borrowed<'_> {
        self.0.borrow_dependent()
    }

    /// Parts of this message as Python objects.
    fn held(&self, parts: &[sevenbit::Part<'_>]) -> Vec<Part> {
        parts.iter().map(|part| Part::new(&self.0, part.number())).collect()
    }

    fn parts_that(&self, are_wanted: impl Fn(&sevenbit::Part<'_>) -> bool) -> Vec<Part> {
        let parts = self.message().parts().filter(are_wanted);
        parts.map(|part| Part::new(&self.0, part.number())).collect()
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
        self.message().date().map_or(Ok(None), |date| datetime(py, &date))
    }

    /// Whether the day, the year or the zone of the date is a guess: it is read as people's clients read it (docs/view.md).
    #[getter]
    fn date_is_guess(&self) -> bool {
        self.message().date().is_some_and(|date| date.is_guess())
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

    /// The text that a person reads: the plain text, or else the HTML as text, all parts of the body in order; lines of
    /// `format=flowed` are joined, files inside of the text are left out.
    ///
    /// >>> parse(b"Content-Type: text/html\r\n\r\n<p>one<p>two").text
    /// 'one\n\ntwo\n'
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        let octets = self.0.borrow_owner().len();
        PyString::new(py, &unlocked(py, octets, || self.message().text()))
    }

    /// The HTML, all parts of the body in order, plain ones escaped between; None if none is HTML. Sanitise it before
    /// it is shown.
    #[getter]
    fn html(&self, py: Python<'_>) -> Option<String> {
        let octets = self.0.borrow_owner().len();
        unlocked(py, octets, || self.message().html(|_| None))
    }

    /// The HTML with the address that `resolve` returns for each `cid:` in it; None leaves it.
    ///
    /// >>> message = parse(b"Content-Type: text/html\r\n\r\n<img src='cid:a@b'>")
    /// >>> message.resolved_html(lambda content_id: f"/parts/{content_id}")
    /// "<img src='/parts/a@b'>"
    fn resolved_html(&self, py: Python<'_>, resolve: Py<PyAny>) -> PyResult<Option<String>> {
        let octets = self.0.borrow_owner().len();
        unlocked(py, octets, || {
            let mut raised = None;
            let html = self.message().html(|id| {
                if raised.is_some() {
                    return None;
                }
                let address =
                    Python::attach(|py| resolve.call1(py, (id,))?.extract::<Option<String>>(py));
                match address {
                    Ok(address) => address,
                    Err(error) => {
                        raised = Some(error);
                        None
                    }
                }
            });
            raised.map_or(Ok(html), Err)
        })
    }

    /// Every file of the message in order: parts, pictures between texts, files inside of text, the contents of a
    /// `winmail.dat`.
    #[getter]
    fn attachments(&self, py: Python<'_>) -> Vec<Attachment> {
        let octets = self.0.borrow_owner().len();
        let made =
            |file: &sevenbit::Attachment<'_>| Attachment::new(&self.0, file.part().number(), file);
        unlocked(py, octets, || self.message().attachments().iter().map(made).collect())
    }

    /// The parts that JMAP calls attachments (RFC 8621, 4.1.4).
    #[getter]
    fn attachment_parts(&self) -> Vec<Part> {
        self.held(self.message().body_parts().attachments())
    }

    /// The texts of all fields of that name in order, ignoring case.
    fn headers_named(&self, name: &str) -> Vec<String> {
        self.message().root().headers_named(name).map(Into::into).collect()
    }

    /// The entries of all fields of that name, each a `Mailbox` or a `Group`.
    ///
    /// >>> parse(b"To: undisclosed-recipients:;\r\n\r\n").addresses("to")[0].name
    /// 'undisclosed-recipients'
    fn addresses(&self, name: &str) -> Vec<Address> {
        self.message().addresses(name).into_iter().map(Address::from).collect()
    }

    /// The ids of the messages that this follows, from the first of the thread on: `references` with those of
    /// `in_reply_to` that are missing there.
    #[getter]
    fn ancestors(&self) -> Vec<String> {
        self.message().ancestors().into_iter().map(Into::into).collect()
    }

    /// A key that the messages of a thread have in common.
    #[getter]
    fn thread_key(&self) -> Option<String> {
        self.message().thread_key()
    }

    /// The mailing list that the message came by.
    #[getter]
    fn mailing_list(&self) -> Option<MailingList> {
        self.message().list().map(MailingList::from)
    }

    /// The word of Auto-Submitted, in lower case: "auto-replied", "no"...
    #[getter]
    fn auto_submitted(&self) -> Option<String> {
        self.message().auto_submitted()
    }

    /// The word of Precedence, in lower case: "bulk", "list"...
    #[getter]
    fn precedence(&self) -> Option<String> {
        self.message().precedence()
    }

    /// How much the message matters, as its sender says: "high", "normal" or "low".
    #[getter]
    fn importance(&self) -> Option<&'static str> {
        self.message().importance()
    }

    /// The stations on the message's way, the first one first.
    #[getter]
    fn hops(&self, py: Python<'_>) -> Vec<Hop> {
        self.message().hops().iter().map(|hop| Hop::new(py, hop)).collect()
    }

    /// The servers' results about the message's origin, one for each method, the newest server first.
    #[getter]
    fn authentication_results(&self) -> Vec<AuthenticationResults> {
        self.message().authentication_results().iter().map(AuthenticationResults::from).collect()
    }

    /// The report of the message about another one: that it was not delivered, was read, or was called spam.
    #[getter]
    fn report(&self, py: Python<'_>) -> Option<Report> {
        self.message().report().map(|report| Report::of(py, &report))
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

    /// The issues of the message: what an archive would have to report.
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
#[pyclass(frozen, eq, hash, from_py_object, module = "sevenbit")]
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

    /// The mailbox as a header field shows it to a person: the name as text, quoted where it has to be.
    ///
    /// >>> str(Mailbox("Zoë", "zoe@example.org")), str(Mailbox("Doe, J.", "j@example.org"))
    /// ('Zoë <zoe@example.org>', '"Doe, J." <j@example.org>')
    fn __str__(&self) -> String {
        let Self { name, address } = self;
        if name.is_empty() {
            return address.clone();
        }
        let name = if name.chars().any(|c| "()<>[]:;@\\,.\"".contains(c)) {
            format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
        } else {
            name.clone()
        };
        if address.is_empty() { name } else { format!("{name} <{address}>") }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let quoted = |text: &str| Ok::<_, PyErr>(text.into_pyobject(py)?.repr()?.to_string());
        Ok(format!("Mailbox(name={}, address={})", quoted(&self.name)?, quoted(&self.address)?))
    }
}
