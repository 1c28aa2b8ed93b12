//! The answers of the view as data: mailboxes, lists, hops, reports.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::{Named, as_object};
use crate::{
    Address, AuthenticationResult, AuthenticationResults, Group, Hop, Mailbox, MailingList,
    MessageReport, Origin, ReportedRecipient,
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
    "via" => hop.via(),
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
    "properties" => named(one.properties()),
);

fn named<'r>(values: impl Iterator<Item = (&'r str, &'r str)>) -> Vec<Named<'r>> {
    values.map(|(name, value)| Named { name, value: value.into() }).collect()
}

as_object!(ReportedRecipient, recipient:
    "address" => recipient.address(),
    "original_address" => recipient.original_address(),
    "action" => recipient.action(),
    "status" => recipient.status(),
    "diagnostic" => recipient.diagnostic(),
    "remote" => recipient.remote(),
);

impl Serialize for MessageReport {
    /// Writes the members that reports of each kind have, then those of one kind only, null or
    /// empty in others.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("MessageReport", 13)?;
        object.serialize_field("kind", self.kind())?;
        object.serialize_field("original_id", &self.original_id())?;
        object.serialize_field("reporter", &self.reporter())?;
        object.serialize_field("recipients", &self.recipients())?;
        let delivery = if let Self::Delivery(report) = self { Some(report) } else { None };
        object.serialize_field("envelope_id", &delivery.and_then(|report| report.envelope_id()))?;
        object.serialize_field("arrival", &delivery.and_then(|report| report.arrival()))?;
        let disposition = if let Self::Disposition(report) = self { Some(report) } else { None };
        object
            .serialize_field("disposition", &disposition.and_then(|report| report.disposition()))?;
        object.serialize_field("is_automatic", &disposition.map(|report| report.is_automatic()))?;
        object.serialize_field("errors", disposition.map_or(&[][..], |report| report.errors()))?;
        let feedback = if let Self::Feedback(report) = self { Some(report) } else { None };
        object.serialize_field("feedback_type", &feedback.and_then(|report| report.kind()))?;
        object.serialize_field("source_ip", &feedback.and_then(|report| report.source_ip()))?;
        object.serialize_field("sender", &feedback.and_then(|report| report.sender()))?;
        let fields = feedback.iter().flat_map(|report| report.fields());
        object.serialize_field("fields", &named(fields))?;
        object.end()
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
