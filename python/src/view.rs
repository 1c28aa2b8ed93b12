//! The view of a message, for a person: files, groups, the way it came, lists and reports, as plain values.

use std::collections::BTreeMap;
use std::sync::Arc;

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use sevenbit::MessageReport;

use crate::message::{Mailbox, Parsed};
use crate::octets::{Mail, to_bytes, unlocked};
use crate::part::Part;

/// Values: what they are is what their fields are, by which they are equal, hashed, printed and pickled.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $field:ident: $kind:ty,)+ })+) => {$(
        $(#[$doc])*
        #[pyclass(frozen, eq, hash, get_all, from_py_object, module = "sevenbit")]
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub struct $name {
            $($(#[$about])* $field: $kind,)+
        }

        #[pymethods]
        impl $name {
            #[new]
            #[allow(clippy::too_many_arguments, reason = "they are the fields")]
            fn of_fields($($field: $kind),+) -> Self {
                Self { $($field),+ }
            }

            /// For `pickle` and `copy`.
            fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                PyTuple::new(py, [$(self.$field.clone().into_bound_py_any(py)?),+])
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                let fields = [$(concat!(stringify!($field), "="), stringify!($field)),+];
                let shown = fields.chunks(2).map(|field| Ok(format!("{}{}", field[0], slf.getattr(field[1])?.repr()?)));
                Ok(format!("{}({})", stringify!($name), shown.collect::<PyResult<Vec<_>>>()?.join(", ")))
            }
        }
    )+};
}

/// A date as Python has it; None if its calendar has none. A leap second is the second after 59.
pub fn datetime<'py>(
    py: Python<'py>,
    date: &sevenbit::Date,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(read_date(py, &date.to_string())?.ok())
}

/// Reads the text of RFC 3339.
fn read_date<'py>(py: Python<'py>, text: &str) -> PyResult<PyResult<Bound<'py, PyAny>>> {
    let module = py.import("datetime")?;
    let read = |text: &str| module.getattr("datetime")?.call_method1("fromisoformat", (text,));
    let leap = text.replace(":60", ":59");
    Ok(if leap == text {
        read(text)
    } else {
        read(&leap)?.add(module.getattr("timedelta")?.call1((0, 1))?)
    })
}

/// A date that is part of a value: here the text of RFC 3339, in Python a `datetime`.
#[derive(Clone, PartialEq, Eq, Hash)]
struct When(String);

impl When {
    /// None if Python's calendar has no such date.
    fn of(py: Python<'_>, date: &sevenbit::Date) -> Option<Self> {
        let text = date.to_string();
        read_date(py, &text).is_ok_and(|read| read.is_ok()).then_some(Self(text))
    }
}

impl<'py> IntoPyObject<'py> for When {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_date(py, &self.0)?
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for When {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let kind = object.get_type().name()?;
        let text = object.call_method0("isoformat");
        text.map_err(|_| PyTypeError::new_err(format!("expected datetime, not {kind}")))?
            .extract()
            .map(Self)
    }
}

/// A file of a message: a part, one that was uuencoded or in yEnc in the text, or one in a `winmail.dat`.
///
/// >>> [file] = parse(b"Content-Type: application/pdf; name=../a.pdf\r\n\r\n%PDF-1.4\r\n").attachments
/// >>> file.name, file.safe_name, file.media_type, file.size
/// ('../a.pdf', 'a.pdf', 'application/pdf', 10)
#[pyclass(frozen, module = "sevenbit")]
pub struct Attachment {
    message: Arc<Parsed>,
    /// The number of its part.
    part: usize,
    /// Its octets, if they are not those of the part.
    octets: Option<Vec<u8>>,
    /// The name as the message gives it. Never use it as a path.
    #[pyo3(get)]
    name: Option<String>,
    /// A name that is safe to store it under; no other attachment of the message has it.
    #[pyo3(get)]
    safe_name: String,
    /// The media type as labelled, in lower case.
    #[pyo3(get)]
    media_type: String,
    /// The media type that the extension of its name stands for.
    #[pyo3(get)]
    type_by_name: Option<&'static str>,
    /// The id by which `cid:` in HTML names it, without its angle brackets.
    #[pyo3(get)]
    content_id: Option<String>,
    /// Whether it is shown in the message, as a picture between texts.
    #[pyo3(get)]
    is_inline: bool,
    /// How it was put into the message: "part", "text" (uuencoded or in yEnc), "tnef".
    #[pyo3(get)]
    origin: &'static str,
}

impl Attachment {
    pub fn new(message: &Arc<Parsed>, part: usize, file: &sevenbit::Attachment<'_>) -> Self {
        let origin = match file.origin() {
            sevenbit::Origin::Text => "text",
            sevenbit::Origin::Tnef => "tnef",
            _ => "part",
        };
        Self {
            message: Arc::clone(message),
            part,
            octets: (origin != "part").then(|| file.octets().into_owned()),
            name: file.name().map(str::to_owned),
            safe_name: file.safe_name().to_owned(),
            media_type: file.media_type().to_owned(),
            type_by_name: file.type_by_name(),
            content_id: file.content_id().map(str::to_owned),
            is_inline: file.is_inline(),
            origin,
        }
    }
}

#[pymethods]
impl Attachment {
    /// Its octets, any encoding removed; an attached message is all of it.
    #[getter]
    fn octets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        match &self.octets {
            Some(octets) => to_bytes(py, octets),
            None => Part::new(&self.message, self.part).decoded(py),
        }
    }

    /// The number of its octets, which are decoded to be counted.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.octets(py)?.as_bytes().len())
    }

    /// The media type that its octets begin like; None if they are of no known kind.
    #[getter]
    fn type_by_octets(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        Ok(sevenbit::file_type(self.octets(py)?.as_bytes()))
    }

    /// The part that it is, or in which it is.
    #[getter]
    fn part(&self) -> Part {
        Part::new(&self.message, self.part)
    }

    fn __repr__(&self) -> String {
        format!("<sevenbit.Attachment {:?} {}>", self.safe_name, self.media_type)
    }
}

values! {
    /// A group of an address field.
    ///
    /// >>> [group] = parse(b"To: Team: Ada <ada@example.org>, bob@example.org;\r\n\r\n").addresses("to")
    /// >>> group.name, [member.address for member in group.members]
    /// ('Team', ['ada@example.org', 'bob@example.org'])
    Group {
        /// The name.
        name: String,
        /// The mailboxes in order.
        members: Vec<Mailbox>,
    }

    /// One station on the way of a message: what a Received field says.
    ///
    /// >>> received = b"from a.example by b.example with ESMTPS; Thu, 19 Nov 2026 10:00:00 +0100"
    /// >>> [hop] = parse(b"Received: " + received + b"\r\n\r\n").hops
    /// >>> hop.sender, hop.by, hop.protocol, hop.date.isoformat()
    /// ('a.example', 'b.example', 'ESMTPS', '2026-11-19T10:00:00+01:00')
    Hop {
        /// How the sender called itself.
        sender: Option<String>,
        /// The sender as the server saw it, as comments.
        sender_info: Option<String>,
        /// The server that wrote the field.
        by: Option<String>,
        /// The network, if that is said: "TCP".
        via: Option<String>,
        /// The protocol: "ESMTPS", "LMTP"...
        protocol: Option<String>,
        /// The number that the server gave the message.
        id: Option<String>,
        /// For whom it was.
        recipient: Option<String>,
        /// When the server received it.
        date: Option<When>,
        /// The seconds since the hop before.
        delay: Option<i64>,
    }

    /// The results of a server's checks of where a message comes from (RFC 8601): one field.
    ///
    /// >>> field = b"Authentication-Results: mx.example; dkim=pass header.d=example.org\r\n\r\n"
    /// >>> [found] = parse(field).authentication_results
    /// >>> found.server, [(one.method, one.result, one.properties) for one in found.results]
    /// ('mx.example', [('dkim', 'pass', {'header.d': 'example.org'})])
    AuthenticationResults {
        /// The server that says so. Believe only your own.
        server: String,
        /// The result of each method; nothing for "none".
        results: Vec<AuthenticationResult>,
    }

    /// The result of one method of authentication.
    ///
    /// >>> AuthenticationResult("spf", "fail", "not permitted", {"smtp.mailfrom": "a@example.com"}).properties
    /// {'smtp.mailfrom': 'a@example.com'}
    AuthenticationResult {
        /// The method: "dkim", "spf", "dmarc"...
        method: String,
        /// The result: "pass", "fail", "none"...
        result: String,
        /// The comments, joined by spaces.
        comment: String,
        /// The properties by their names: "header.d", "smtp.mailfrom", "reason"...
        properties: BTreeMap<String, String>,
    }

    /// The mailing list that a message came by.
    ///
    /// >>> fields = b"List-Id: Cats <cats.example.org>\r\nList-Unsubscribe: <https://example.org/leave>\r\n\r\n"
    /// >>> mailing_list = parse(fields).mailing_list
    /// >>> mailing_list.name, mailing_list.id, mailing_list.unsubscribe
    /// ('Cats', 'cats.example.org', ['https://example.org/leave'])
    MailingList {
        /// The identifier of the list.
        id: Option<String>,
        /// The name of the list.
        name: Option<String>,
        /// The addresses to write to.
        post: Vec<String>,
        /// The addresses by which one leaves it.
        unsubscribe: Vec<String>,
        /// The address to which `List-Unsubscribe=One-Click` is posted (RFC 8058).
        one_click: Option<String>,
        /// The addresses by which one joins it.
        subscribe: Vec<String>,
        /// The addresses of its instructions.
        help: Vec<String>,
        /// The addresses of its owner.
        owner: Vec<String>,
        /// The addresses of its archive.
        archive: Vec<String>,
    }

    /// The fate of a message for one recipient.
    ///
    /// >>> recipient = ReportedRecipient("a@example.org", None, "failed", "5.1.1", None, None)
    /// >>> recipient.address, recipient.action, recipient.status
    /// ('a@example.org', 'failed', '5.1.1')
    ReportedRecipient {
        /// The address that the message was for in the end.
        address: String,
        /// The address that the sender wrote to.
        original_address: Option<String>,
        /// The action: "failed", "delayed", "delivered", "relayed", "expanded"; of a notification its disposition, of a
        /// complaint its kind.
        action: String,
        /// The status (RFC 3463): "5.1.1".
        status: Option<String>,
        /// The answer of the server that was asked.
        diagnostic: Option<String>,
        /// The server that was asked.
        remote: Option<String>,
    }

    /// The report of a message about another one.
    ///
    /// >>> status = b"Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; a@example.org\r\nAction: failed\r\n"
    /// >>> kind = b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
    /// >>> report = parse(kind + b"--b\r\nContent-Type: message/delivery-status\r\n\r\n" + status + b"--b--\r\n").report
    /// >>> report.kind, report.reporter, report.recipients[0].action
    /// ('delivery', 'mx.example', 'failed')
    Report {
        /// "delivery", "disposition" or "feedback".
        kind: String,
        /// The id of the message that it is about.
        original_id: Option<String>,
        /// The server or program that reports.
        reporter: Option<String>,
        /// Of a delivery report: what became of the message for each recipient; of a notification: who got it, and what was done;
        /// of a complaint: the recipients of the envelope.
        recipients: Vec<ReportedRecipient>,
        /// Of a delivery report: the number that the sender gave the delivery.
        envelope_id: Option<String>,
        /// Of a delivery report: when the message came to the server that reports.
        arrival: Option<When>,
        /// Of a notification: "displayed", "deleted"...
        disposition: Option<String>,
        /// Of a notification: whether a program did that, not a person.
        is_automatic: Option<bool>,
        /// Of a notification: errors, failures and warnings.
        errors: Vec<String>,
        /// Of a complaint: "abuse", "fraud"...
        feedback_type: Option<String>,
        /// Of a complaint: the address that the message came from.
        source_ip: Option<String>,
        /// Of a complaint: the sender of the envelope.
        sender: Option<String>,
        /// Of a complaint: all its fields, each with its name and its value.
        fields: Vec<(String, String)>,
    }

    /// Lines of a text that belong together: the sender's own, quoted equally deep, or the signature.
    ///
    /// >>> [(passage.text, passage.quote_depth) for passage in passages("> Tea?\nYes.\n")]
    /// [('> Tea?\n', 1), ('Yes.\n', 0)]
    Passage {
        /// The lines with their line ends.
        text: String,
        /// How many quote marks each line begins with.
        quote_depth: usize,
        /// Whether it is the signature.
        is_signature: bool,
    }
}

/// An entry of an address field: a mailbox or a group.
#[derive(IntoPyObject)]
pub enum Address {
    Mailbox(Mailbox),
    Group(Group),
}

impl From<sevenbit::Address> for Address {
    fn from(address: sevenbit::Address) -> Self {
        match address {
            sevenbit::Address::Mailbox(mailbox) => Self::Mailbox(mailbox.into()),
            sevenbit::Address::Group(group) => Self::Group(Group {
                name: group.name().to_owned(),
                members: group.members().iter().cloned().map(Mailbox::from).collect(),
            }),
        }
    }
}

impl Hop {
    pub fn new(py: Python<'_>, hop: &sevenbit::Hop) -> Self {
        Self {
            sender: owned(hop.sender()),
            sender_info: owned(hop.sender_info()),
            by: owned(hop.by()),
            via: owned(hop.via()),
            protocol: owned(hop.with()),
            id: owned(hop.id()),
            recipient: owned(hop.recipient()),
            date: hop.date().and_then(|date| When::of(py, &date)),
            delay: hop.delay(),
        }
    }
}

impl From<&sevenbit::AuthenticationResults> for AuthenticationResults {
    fn from(found: &sevenbit::AuthenticationResults) -> Self {
        let result = |one: &sevenbit::AuthenticationResult| AuthenticationResult {
            method: one.method().to_owned(),
            result: one.result().to_owned(),
            comment: one.comment().to_owned(),
            properties: one
                .properties()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        };
        Self {
            server: found.server().to_owned(),
            results: found.results().iter().map(result).collect(),
        }
    }
}

impl From<sevenbit::MailingList> for MailingList {
    fn from(list: sevenbit::MailingList) -> Self {
        Self {
            id: owned(list.id()),
            name: owned(list.name()),
            post: list.post().to_vec(),
            unsubscribe: list.unsubscribe().to_vec(),
            one_click: owned(list.one_click()),
            subscribe: list.subscribe().to_vec(),
            help: list.help().to_vec(),
            owner: list.owner().to_vec(),
            archive: list.archive().to_vec(),
        }
    }
}

impl Report {
    pub fn of(py: Python<'_>, report: &MessageReport) -> Self {
        let recipient = |one: &sevenbit::ReportedRecipient| ReportedRecipient {
            address: one.address().to_owned(),
            original_address: owned(one.original_address()),
            action: one.action().to_owned(),
            status: owned(one.status()),
            diagnostic: owned(one.diagnostic()),
            remote: owned(one.remote()),
        };
        let common = Self {
            kind: report.kind().to_owned(),
            original_id: owned(report.original_id()),
            reporter: owned(report.reporter()),
            recipients: report.recipients().iter().map(recipient).collect(),
            envelope_id: None,
            arrival: None,
            disposition: None,
            is_automatic: None,
            errors: Vec::new(),
            feedback_type: None,
            source_ip: None,
            sender: None,
            fields: Vec::new(),
        };
        match report {
            MessageReport::Delivery(report) => Self {
                envelope_id: owned(report.envelope_id()),
                arrival: report.arrival().and_then(|date| When::of(py, &date)),
                ..common
            },
            MessageReport::Disposition(report) => Self {
                disposition: owned(report.disposition()),
                is_automatic: Some(report.is_automatic()),
                errors: report.errors().to_vec(),
                ..common
            },
            MessageReport::Feedback(report) => Self {
                feedback_type: owned(report.kind()),
                source_ip: owned(report.source_ip()),
                sender: owned(report.sender()),
                fields: report
                    .fields()
                    .map(|(name, value)| (name.to_owned(), value.to_owned()))
                    .collect(),
                ..common
            },
            _ => common,
        }
    }
}

/// Cuts a text into passages; joined, their texts are the whole text.
///
/// >>> [(passage.quote_depth, passage.is_signature) for passage in passages("> Tea?\nYes.\n-- \nAda\n")]
/// [(1, False), (0, False), (0, True)]
#[pyfunction]
pub fn passages(text: &str) -> Vec<Passage> {
    let made = |passage: sevenbit::Passage<'_>| Passage {
        text: passage.text().to_owned(),
        quote_depth: passage.quote_depth(),
        is_signature: passage.is_signature(),
    };
    sevenbit::passages(text).map(made).collect()
}

/// A message whose parts in TNEF (`winmail.dat`) were replaced by the parts that are in them, to be normalised; None if there is
/// none. Signed and encrypted content stays as it is.
///
/// >>> unpack_tnef(b"Subject: x\r\n\r\nno winmail.dat\r\n") is None
/// True
#[pyfunction]
pub fn unpack_tnef<'py>(py: Python<'py>, message: Mail) -> Option<Bound<'py, PyBytes>> {
    let message = message.0.as_slice();
    let unpacked = unlocked(py, message.len(), || sevenbit::UnpackedTnef::of(message));
    unpacked.map(|unpacked| PyBytes::new(py, unpacked.octets()))
}

/// A name that is safe to store a file under, on any usual system.
///
/// >>> safe_file_name("../../etc/passwd")
/// 'passwd'
#[pyfunction]
pub fn safe_file_name(name: &str) -> String {
    sevenbit::safe_file_name(name)
}

/// The subject without `Re:`, `Fwd:`, `Aw:` and their like.
///
/// >>> base_subject("Re: AW: Cats (fwd)")
/// 'Cats'
#[pyfunction]
pub fn base_subject(subject: &str) -> String {
    sevenbit::base_subject(subject)
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}
