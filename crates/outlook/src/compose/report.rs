//! Reports of delivery and of reading, as `multipart/report` (RFC 3464, RFC 8098).

use super::Source;
use super::address::{self, Address};
use super::body::Bodies;
use super::mime::{Part, one_line};
use super::time;
use crate::model::Properties;
use crate::tags;

/// The id of the message that is reported on.
const ORIGINAL_MESSAGE_ID: u16 = 0x1046;

/// Returns a report: what a person reads, what a program reads, and the message that it is about.
pub(super) fn part(
    source: &Source<'_>,
    bodies: Bodies,
    shown: Vec<Part>,
    attached: Vec<Part>,
) -> Part {
    let is_of_reading = source.class.ends_with(".IPNRN") || source.class.ends_with(".IPNNRN");
    let (kind, media_type, fields) = if is_of_reading {
        ("disposition-notification", "message/disposition-notification", disposition(source))
    } else {
        ("delivery-status", "message/delivery-status", delivery(source))
    };

    let bodies = bodies.or_text(source.text(tags::REPORT_TEXT));
    let status = Part::of_message(media_type, fields.into_bytes());
    let parts = [bodies.into_part(source, shown), status].into_iter().chain(attached).collect();
    Part::multipart(&format!("report; report-type={kind}"), parts)
}

/// Returns the fields of a report of delivery: a group for the report, and one for each recipient.
fn delivery(source: &Source<'_>) -> String {
    let mut out = String::from("Reporting-MTA: x-unknown; unknown\r\n");
    if let Some(date) =
        source.message.properties.time(tags::MESSAGE_DELIVERY_TIME).and_then(time::date)
    {
        out.push_str(&format!("Arrival-Date: {date}\r\n"));
    }

    let is_failed = !source.class.ends_with(".DR");
    for properties in &source.message.recipients {
        let Some(recipient) = Address::of(properties, &address::RECIPIENT, &source.characters)
        else {
            continue;
        };
        let text = |id| source.characters.get(properties, id).map(|text| one_line(text.trim()));
        let mailbox = recipient.mailbox.or(recipient.name).unwrap_or_default();
        out.push_str(&format!("\r\nFinal-Recipient: rfc822; {mailbox}\r\n"));
        out.push_str(if is_failed { "Action: failed\r\n" } else { "Action: delivered\r\n" });
        out.push_str(&format!("Status: {}\r\n", status(properties, is_failed)));
        for (name, id) in [
            ("Remote-MTA: dns", tags::REMOTE_MTA),
            ("Diagnostic-Code: smtp", tags::SUPPLEMENTARY_INFO),
        ] {
            if let Some(text) = text(id) {
                out.push_str(&format!("{name}; {text}\r\n"));
            }
        }
    }
    out
}

/// Returns the status of a delivery (RFC 3463).
fn status(properties: &Properties, is_failed: bool) -> String {
    let digits =
        properties.integer(tags::NON_DELIVERY_STATUS_CODE).filter(|code| (200..600).contains(code));
    match digits {
        Some(code) => format!("{}.{}.{}", code / 100, code / 10 % 10, code % 10),
        None if is_failed => "5.0.0".to_owned(),
        None => "2.0.0".to_owned(),
    }
}

/// Returns the fields of a report of reading.
fn disposition(source: &Source<'_>) -> String {
    let properties = &source.message.properties;
    let sender = Address::of(properties, &address::SENDER, &source.characters);
    let mailbox = sender.and_then(|sender| sender.mailbox.or(sender.name)).unwrap_or_default();
    let mut out = format!("Final-Recipient: rfc822; {mailbox}\r\n");
    if let Some(id) = source.text(ORIGINAL_MESSAGE_ID) {
        out.push_str(&format!("Original-Message-ID: {}\r\n", one_line(id.trim())));
    }
    let what = if source.class.ends_with(".IPNRN") { "displayed" } else { "deleted" };
    out.push_str(&format!("Disposition: manual-action/MDN-sent-manually; {what}\r\n"));
    out
}
