//! Reports by machines about messages: that they were not delivered, were read, or were called
//! spam.

mod delivery;
mod fields;
mod old;

use std::borrow::Cow;

use super::Message;
use super::part::Part;
use fields::{Block, blocks};

pub use delivery::{DeliveryReport, ReportedRecipient};

/// A report about another message, as data.
///
/// ```
/// use sevenbit::{Message, MessageReport};
///
/// let mail = b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
///     --b\r\n\r\nSorry.\r\n\
///     --b\r\nContent-Type: message/delivery-status\r\n\r\n\
///     Reporting-MTA: dns; mx.example.org\r\n\r\n\
///     Final-Recipient: rfc822; ada@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n\
///     Diagnostic-Code: smtp; 550 no such user\r\n\
///     --b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <a@b.example>\r\n\r\nhi\r\n--b--\r\n";
/// let message = Message::parse(mail);
/// let Some(MessageReport::Delivery(report)) = message.report() else { panic!() };
/// assert_eq!(report.original_id(), Some("a@b.example"));
/// let ada = &report.recipients()[0];
/// assert_eq!((ada.address(), ada.action(), ada.status()), ("ada@example.org", "failed", Some("5.1.1")));
/// assert_eq!(ada.diagnostic(), Some("550 no such user"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageReport {
    /// Whether a message was delivered (RFC 3464, and what mail servers wrote before it).
    Delivery(DeliveryReport),
    /// The disposition of a message by its reader (RFC 8098).
    Disposition(DispositionReport),
    /// A complaint about a message (RFC 5965).
    Feedback(FeedbackReport),
}

impl MessageReport {
    /// Returns the name of its kind: `delivery`, `disposition`, `feedback`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Delivery(_) => "delivery",
            Self::Disposition(_) => "disposition",
            Self::Feedback(_) => "feedback",
        }
    }

    /// Returns the id of the message that this is about, without angle brackets.
    pub fn original_id(&self) -> Option<&str> {
        match self {
            Self::Delivery(report) => report.original_id(),
            Self::Disposition(report) => report.original_id(),
            Self::Feedback(report) => report.original_id(),
        }
    }

    /// Returns the server or the program that reports.
    pub fn reporter(&self) -> Option<&str> {
        match self {
            Self::Delivery(report) => report.reporter(),
            Self::Disposition(report) => report.reporter(),
            Self::Feedback(report) => report.get("user-agent"),
        }
    }

    /// Returns the recipients that the report is about: those of a delivery report; of a
    /// notification the one who got the message, whose action is the disposition (`displayed`); of
    /// a complaint those of the envelope, whose action is its kind (`abuse`).
    pub fn recipients(&self) -> Cow<'_, [ReportedRecipient]> {
        match self {
            Self::Delivery(report) => report.recipients().into(),
            Self::Disposition(report) => Vec::from_iter(report.as_recipient()).into(),
            Self::Feedback(report) => Vec::from_iter(report.as_recipients()).into(),
        }
    }
}

/// The disposition of a message by its reader: displayed, deleted, denied (RFC 8098).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DispositionReport {
    recipient: Option<String>,
    original_recipient: Option<String>,
    original_id: Option<String>,
    disposition: Option<String>,
    is_automatic: bool,
    reporter: Option<String>,
    errors: Vec<String>,
}

impl DispositionReport {
    /// Returns who got the message.
    pub fn recipient(&self) -> Option<&str> {
        self.recipient.as_deref()
    }

    /// Returns to whom it was sent, if that was another address.
    pub fn original_recipient(&self) -> Option<&str> {
        self.original_recipient.as_deref()
    }

    /// Returns the id of the message that this is about, without angle brackets.
    pub fn original_id(&self) -> Option<&str> {
        self.original_id.as_deref()
    }

    /// Returns what was done, in lower case: `displayed`, `deleted`, `processed`, `dispatched`;
    /// after a slash what became of it: `deleted/error`.
    pub fn disposition(&self) -> Option<&str> {
        self.disposition.as_deref()
    }

    /// Returns whether a program did that, not a person.
    pub fn is_automatic(&self) -> bool {
        self.is_automatic
    }

    /// Returns the program that reports.
    pub fn reporter(&self) -> Option<&str> {
        self.reporter.as_deref()
    }

    /// Returns the errors, failures and warnings.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }

    fn as_recipient(&self) -> Option<ReportedRecipient> {
        Some(ReportedRecipient {
            address: self.recipient.clone()?,
            original_address: self.original_recipient.clone(),
            action: self.disposition.clone().unwrap_or_default(),
            ..ReportedRecipient::default()
        })
    }

    fn read(part: &Part<'_>) -> Self {
        let blocks = blocks(part);
        let text = |name| blocks.iter().find_map(|block| block.text(name));
        let value = |name| blocks.iter().find_map(|block| block.value(name));
        let disposition = text("disposition").unwrap_or_default();
        let (mode, kind) = disposition.split_once(';').unwrap_or(("", &disposition));
        let kind: String = kind.split_whitespace().collect::<String>().to_ascii_lowercase();
        let all = |name: &'static str| blocks.iter().flat_map(move |block| block.texts(name));
        Self {
            recipient: value("final-recipient"),
            original_recipient: value("original-recipient"),
            original_id: blocks.iter().find_map(|block| block.id("original-message-id")),
            is_automatic: mode.to_ascii_lowercase().contains("automatic-action"),
            disposition: Some(kind).filter(|kind| !kind.is_empty()),
            reporter: text("reporting-ua"),
            errors: all("error").chain(all("failure")).chain(all("warning")).collect(),
        }
    }
}

/// A complaint about a message, or a failed authentication: a report in the Abuse Reporting Format
/// (RFC 5965, 6591).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedbackReport {
    kind: Option<String>,
    fields: Vec<(String, String)>,
    original_id: Option<String>,
}

impl FeedbackReport {
    /// Returns what kind of report it is, in lower case: `abuse`, `fraud`, `not-spam`, `virus`,
    /// `auth-failure`.
    pub fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    /// Returns the address that the message came from.
    pub fn source_ip(&self) -> Option<&str> {
        self.get("source-ip")
    }

    /// Returns the sender of the envelope, without angle brackets.
    pub fn sender(&self) -> Option<&str> {
        self.get("original-mail-from").map(bare)
    }

    /// Returns the recipients of the envelope, without angle brackets.
    pub fn recipients(&self) -> impl Iterator<Item = &str> {
        self.all("original-rcpt-to").map(bare)
    }

    /// Returns the first value of the field of that name, in any case: `reported-domain`,
    /// `incidents`...
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Returns the values of all fields of that name, in any case, in order.
    pub fn all<'r>(&'r self, name: &str) -> impl Iterator<Item = &'r str> {
        self.fields().filter(move |(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Returns all fields of the report in order, each with its name and its value.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Returns the id of the message that this is about, without angle brackets.
    pub fn original_id(&self) -> Option<&str> {
        self.original_id.as_deref()
    }

    fn as_recipients(&self) -> impl Iterator<Item = ReportedRecipient> {
        self.recipients().map(|address| ReportedRecipient {
            address: address.to_owned(),
            action: self.kind.clone().unwrap_or_default(),
            ..ReportedRecipient::default()
        })
    }

    fn read(part: &Part<'_>, original_id: Option<String>) -> Self {
        let fields: Vec<_> = blocks(part).iter().flat_map(Block::fields).collect();
        let mut report = Self { kind: None, fields, original_id };
        report.kind = report.get("feedback-type").map(str::to_ascii_lowercase);
        report
    }
}

fn bare(address: &str) -> &str {
    address.trim().trim_matches(['<', '>'])
}

impl Message<'_> {
    /// Returns what the message reports about another one, if it is a report: that it was not
    /// delivered, was read, or was called spam. A message that only holds a report as
    /// `message/rfc822` is none, nor is one that quotes one.
    pub fn report(&self) -> Option<MessageReport> {
        report(&self.root(), &self.parts().filter(is_own).collect::<Vec<_>>())
    }
}

/// Returns whether a part stands in the message itself, not in a message in that.
fn is_own(part: &Part<'_>) -> bool {
    std::iter::successors(part.parent(), Part::parent).all(|around| around.is_multipart())
}

/// Returns the report that a message is, by its own parts: the first of its leaves that is data of
/// a report.
fn report(message: &Part<'_>, parts: &[Part<'_>]) -> Option<MessageReport> {
    let original_id = || original_id(parts);
    let data =
        parts.iter().filter(|part| part.is_leaf()).find_map(|part| match part.media_type() {
            "message/delivery-status" | "message/global-delivery-status" => {
                Some(MessageReport::Delivery(DeliveryReport::read(part, original_id())))
            }
            "message/disposition-notification" | "message/global-disposition-notification" => {
                Some(MessageReport::Disposition(DispositionReport::read(part)))
            }
            "message/feedback-report" => {
                Some(MessageReport::Feedback(FeedbackReport::read(part, original_id())))
            }
            _ => None,
        });
    data.or_else(|| {
        let text = parts.iter().find(|part| part.media_type() == "text/plain")?.text()?;
        old::read(message, &text, original_id()).map(MessageReport::Delivery)
    })
}

/// Returns the id of the message that a report holds, whole or only its header.
fn original_id(parts: &[Part<'_>]) -> Option<String> {
    let of_part = |part: &Part<'_>| match part.media_type() {
        "text/rfc822-headers" | "message/rfc822-headers" | "message/global-headers" => {
            blocks(part).first().and_then(|block| block.id("message-id"))
        }
        "message/rfc822" | "message/global" => part.children().next().and_then(|message| {
            message.ids("message-id").first().map(|id| id.clone().into_owned())
        }),
        _ => None,
    };
    parts.iter().skip(1).find_map(of_part)
}

#[cfg(test)]
mod tests;
