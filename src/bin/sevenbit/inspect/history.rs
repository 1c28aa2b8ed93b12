//! Where a message comes from, and what it reports, as JSON.

use serde::Serialize;
use sevenbit::{AuthenticationResults, DeliveryReport, Hop, MailingList, MessageReport};

/// The mailing list.
#[derive(Serialize)]
pub struct List {
    id: Option<String>,
    name: Option<String>,
    post: Vec<String>,
    unsubscribe: Vec<String>,
    /// Where `List-Unsubscribe=One-Click` is posted.
    one_click: Option<String>,
    archive: Vec<String>,
}

impl List {
    pub fn of(list: &MailingList) -> Self {
        Self {
            id: owned(list.id()),
            name: owned(list.name()),
            post: list.post().to_vec(),
            unsubscribe: list.unsubscribe().to_vec(),
            one_click: owned(list.one_click()),
            archive: list.archive().to_vec(),
        }
    }
}

/// A station on its way.
#[derive(Serialize)]
pub struct Station {
    from: Option<String>,
    from_info: Option<String>,
    by: Option<String>,
    with: Option<String>,
    id: Option<String>,
    #[serde(rename = "for")]
    recipient: Option<String>,
    /// In RFC 3339.
    date: Option<String>,
    /// In seconds.
    delay: Option<i64>,
}

impl Station {
    pub fn of(hop: &Hop) -> Self {
        Self {
            from: owned(hop.sender()),
            from_info: owned(hop.sender_info()),
            by: owned(hop.by()),
            with: owned(hop.with()),
            id: owned(hop.id()),
            recipient: owned(hop.recipient()),
            date: hop.date().map(|date| date.to_string()),
            delay: hop.delay(),
        }
    }
}

/// What a server found out.
#[derive(Serialize)]
pub struct Results {
    server: String,
    results: Vec<Method>,
}

#[derive(Serialize)]
struct Method {
    method: String,
    result: String,
    comment: String,
    properties: Vec<Property>,
}

#[derive(Serialize)]
struct Property {
    name: String,
    value: String,
}

impl Results {
    pub fn of(found: &AuthenticationResults) -> Self {
        let property =
            |(name, value): (&str, &str)| Property { name: name.to_owned(), value: value.to_owned() };
        let results = found.results().iter().map(|one| Method {
            method: one.method().to_owned(),
            result: one.result().to_owned(),
            comment: one.comment().to_owned(),
            properties: one.properties().map(property).collect(),
        });
        Self { server: found.server().to_owned(), results: results.collect() }
    }
}

/// What the message reports about another one.
#[derive(Serialize)]
pub struct Reported {
    /// `delivery`, `disposition` or `feedback`.
    kind: &'static str,
    /// The id of the message that it is about.
    original_id: Option<String>,
    /// Of a delivery report.
    recipients: Vec<Recipient>,
    /// Of a notification: `displayed`...; of a complaint: `abuse`...
    what: Option<String>,
}

#[derive(Serialize)]
struct Recipient {
    address: String,
    action: String,
    status: Option<String>,
    diagnostic: Option<String>,
    remote: Option<String>,
}

impl Reported {
    pub fn of(report: &MessageReport) -> Option<Self> {
        let made = |kind, original_id, what: Option<&str>| Self {
            kind,
            original_id: owned(original_id),
            recipients: Vec::new(),
            what: owned(what),
        };
        Some(match report {
            MessageReport::Delivery(report) => {
                Self { recipients: recipients(report), ..made("delivery", report.original_id(), None) }
            }
            MessageReport::Disposition(read) => made("disposition", read.original_id(), read.disposition()),
            MessageReport::Feedback(spam) => made("feedback", spam.original_id(), spam.kind()),
            _ => return None,
        })
    }
}

fn recipients(report: &DeliveryReport) -> Vec<Recipient> {
    let recipients = report.recipients().iter().map(|one| Recipient {
        address: one.address().to_owned(),
        action: one.action().to_owned(),
        status: owned(one.status()),
        diagnostic: owned(one.diagnostic()),
        remote: owned(one.remote()),
    });
    recipients.collect()
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}
