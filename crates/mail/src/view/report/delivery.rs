//! Reports of delivery (RFC 3464).

use super::fields::{Block, blocks};
use crate::Date;
use crate::view::part::Part;

/// Whether a message was delivered to each of its recipients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryReport {
    pub(super) reporter: Option<String>,
    pub(super) envelope_id: Option<String>,
    pub(super) arrival: Option<Date>,
    pub(super) original_id: Option<String>,
    pub(super) recipients: Vec<ReportedRecipient>,
    pub(super) is_standard: bool,
}

/// The fate of a message for one recipient.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportedRecipient {
    pub(super) address: String,
    pub(super) original_address: Option<String>,
    pub(super) action: String,
    pub(super) status: Option<String>,
    pub(super) diagnostic: Option<String>,
    pub(super) remote: Option<String>,
}

impl DeliveryReport {
    /// Returns the name of the server that reports.
    pub fn reporter(&self) -> Option<&str> {
        self.reporter.as_deref()
    }

    /// Returns the number that the sender gave the delivery (`ENVID`, RFC 3461).
    pub fn envelope_id(&self) -> Option<&str> {
        self.envelope_id.as_deref()
    }

    /// Returns when the message came to the server that reports.
    pub fn arrival(&self) -> Option<Date> {
        self.arrival
    }

    /// Returns the id of the message that this is about, without angle brackets, if the report
    /// holds its header.
    pub fn original_id(&self) -> Option<&str> {
        self.original_id.as_deref()
    }

    /// Returns the recipients that are reported, in order.
    pub fn recipients(&self) -> &[ReportedRecipient] {
        &self.recipients
    }

    /// Returns whether it is a report for programs (RFC 3464); otherwise it was read from the text
    /// that qmail, Postfix, Exim or Exchange wrote for people.
    pub fn is_standard(&self) -> bool {
        self.is_standard
    }

    pub(super) fn read(part: &Part<'_>, original_id: Option<String>) -> Self {
        let blocks = blocks(part);
        let of_message = blocks.first();
        let names_recipient = |block: &Block| {
            ["final-recipient", "original-recipient"].iter().any(|name| block.text(name).is_some())
        };
        // An action that stands beside what is said of the message is that of all recipients.
        let (common, own) = match of_message.filter(|block| !names_recipient(block)) {
            Some(block) if blocks.iter().any(names_recipient) => (action(block), &blocks[1..]),
            _ => (None, &blocks[..]),
        };
        let is_recipient = |block: &&Block| names_recipient(block) || action(block).is_some();
        let recipient = |block| {
            let read = ReportedRecipient::read(block);
            let action =
                Some(read.action).filter(|action| !action.is_empty()).or_else(|| common.clone());
            ReportedRecipient { action: action.unwrap_or_default(), ..read }
        };
        Self {
            reporter: of_message.and_then(|block| block.value("reporting-mta")),
            envelope_id: of_message.and_then(|block| block.text("original-envelope-id")),
            arrival: of_message
                .and_then(|block| block.text("arrival-date"))
                .and_then(|text| Date::read(text.as_bytes())),
            recipients: own.iter().filter(is_recipient).map(recipient).collect(),
            original_id,
            is_standard: true,
        }
    }
}

impl ReportedRecipient {
    /// Returns the address that the message was for in the end.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the address that the sender wrote to, if the report says it.
    pub fn original_address(&self) -> Option<&str> {
        self.original_address.as_deref()
    }

    /// Returns what was done, in lower case: `failed`, `delayed`, `delivered`, `relayed`,
    /// `expanded`; of a notification its disposition, of a complaint its kind; empty if that is not
    /// said.
    pub fn action(&self) -> &str {
        &self.action
    }

    /// Returns the status (RFC 3463): `5.1.1`.
    pub fn status(&self) -> Option<&str> {
        self.status.as_deref()
    }

    /// Returns what the server that was asked answered, or what is said of it in words.
    pub fn diagnostic(&self) -> Option<&str> {
        self.diagnostic.as_deref()
    }

    /// Returns the server that was asked.
    pub fn remote(&self) -> Option<&str> {
        self.remote.as_deref()
    }

    fn read(block: &Block) -> Self {
        let original_address = block.value("original-recipient");
        let address = block.value("final-recipient").or_else(|| original_address.clone());
        let diagnostic = block.value("diagnostic-code");
        let status = block.text("status").and_then(|text| status_in(&text));
        Self {
            address: address.unwrap_or_default(),
            original_address,
            action: action(block).unwrap_or_default(),
            status: status.or_else(|| status_in(diagnostic.as_deref()?)),
            diagnostic,
            remote: block.value("remote-mta"),
        }
    }
}

/// `action-field = "Action" ":" action-value`: returns its word in lower case.
fn action(block: &Block) -> Option<String> {
    block
        .text("action")
        .map(|text| text.split([' ', '(', ';']).next().unwrap_or_default().to_ascii_lowercase())
}

/// Returns the first status (RFC 3463) in a text: three numbers with dots between, the first of
/// them 2, 4 or 5.
pub(super) fn status_in(text: &str) -> Option<String> {
    let is_status = |word: &&str| {
        let numbers: Vec<&str> = word.split('.').collect();
        let is_number = |number: &&str| {
            (1..=3).contains(&number.len()) && number.bytes().all(|octet| octet.is_ascii_digit())
        };
        matches!(numbers[..], ["2" | "4" | "5", _, _]) && numbers.iter().all(is_number)
    };
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    words.map(|word| word.trim_end_matches('.')).find(is_status).map(str::to_owned)
}
