//! The answers of the view as data: mailboxes, lists, hops, reports.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::as_object;
use crate::{
    Address, AuthenticationResult, AuthenticationResults, Group, Hop, Mailbox, MailingList, MessageReport,
    Origin, ReportedRecipient,
};

as_object!(Mailbox, mailbox:
    "name" => mailbox.name(),
    "address" => mailbox.address(),
);

as_object!(Group, group:
    "name" => group.name(),
    "members" => group.members(),
);

impl Serialize for Address {
    /// Its mailbox, or its group: only that has `members`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Mailbox(mailbox) => mailbox.serialize(serializer),
            Self::Group(group) => group.serialize(serializer),
        }
    }
}

as_object!(MailingList, list:
    "id" => list.id(),
    "name" => list.name(),
    "post" => list.post(),
    "unsubscribe" => list.unsubscribe(),
    "one_click" => list.one_click(),
    "subscribe" => list.subscribe(),
    "help" => list.help(),
    "owner" => list.owner(),
    "archive" => list.archive(),
);

as_object!(Hop, hop:
    "from" => hop.sender(),
    "from_info" => hop.sender_info(),
    "by" => hop.by(),
    "with" => hop.with(),
    "id" => hop.id(),
    "for" => hop.recipient(),
    "date" => hop.date(),
    "delay" => hop.delay(),
);

as_object!(AuthenticationResults, found:
    "server" => found.server(),
    "results" => found.results(),
);

as_object!(AuthenticationResult, one:
    "method" => one.method(),
    "result" => one.result(),
    "comment" => one.comment(),
    "properties" => one.properties().map(|(name, value)| Property { name, value }).collect::<Vec<_>>(),
);

struct Property<'r> {
    name: &'r str,
    value: &'r str,
}

impl Serialize for Property<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Property", 2)?;
        object.serialize_field("name", self.name)?;
        object.serialize_field("value", self.value)?;
        object.end()
    }
}

as_object!(ReportedRecipient, recipient:
    "address" => recipient.address(),
    "action" => recipient.action(),
    "status" => recipient.status(),
    "diagnostic" => recipient.diagnostic(),
    "remote" => recipient.remote(),
);

as_object!(MessageReport, report:
    "kind" => kind(report),
    "original_id" => original_id(report),
    "recipients" => report.recipients(),
    "what" => what(report),
);

fn kind(report: &MessageReport) -> &'static str {
    match report {
        MessageReport::Delivery(_) => "delivery",
        MessageReport::Disposition(_) => "disposition",
        MessageReport::Feedback(_) => "feedback",
    }
}

/// The id of the message that it is about.
fn original_id(report: &MessageReport) -> Option<&str> {
    match report {
        MessageReport::Delivery(report) => report.original_id(),
        MessageReport::Disposition(report) => report.original_id(),
        MessageReport::Feedback(report) => report.original_id(),
    }
}

/// What a notification says (`displayed`), or what a complaint is about (`abuse`).
fn what(report: &MessageReport) -> Option<&str> {
    match report {
        MessageReport::Delivery(_) => None,
        MessageReport::Disposition(report) => report.disposition(),
        MessageReport::Feedback(report) => report.kind(),
    }
}

impl Serialize for Origin {
    /// `part`, `text` or `tnef`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Part => "part",
            Self::Text => "text",
            Self::Tnef => "tnef",
        })
    }
}
