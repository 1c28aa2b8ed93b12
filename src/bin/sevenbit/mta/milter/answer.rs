//! The answer to the MTA at the end of a message: only *continue* if it is in its normal form.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::changes;
use super::macros::Macros;
use super::negotiation::Agreement;
use super::packet;
use super::shown::Shown;
use crate::mta::filter::{Fate, Filter, OnFailure, Record, codes, guarded};

/// Why a message is quarantined, for those who look for it.
const REASON: &[u8] = b"sevenbit could not look at this message\0";

/// Writes the answer.
pub fn write(
    message: &Shown,
    agreed: Agreement,
    macros: &Macros,
    filter: &Filter,
    replies: &mut impl Write,
) -> io::Result<Record> {
    let begun = Instant::now();
    let mut record = Record {
        id: macros.queue_id.clone(),
        octets: message.length(),
        fate: Fate::TooLarge,
        codes: Vec::new(),
        time: Duration::ZERO,
        answer: String::new(),
    };
    if !message.is_too_large() {
        record.fate = Fate::Failed;
        if let Some(plan) = guarded(|| filter.normalizer.plan(message.octets())) {
            record.codes = codes(plan.report());
            let mta = changes::Mta { agreed, version: &macros.version };
            record.fate = Fate::of(plan.report());
            if record.fate == Fate::Changed {
                changes::write(&plan, message, &mta, replies)?;
            }
        }
    }
    match (record.fate, &filter.header_report) {
        (Fate::TooLarge | Fate::Failed, _) => give_up(agreed, filter.on_error, replies)?,
        (_, Some(name)) if !record.codes.is_empty() => {
            changes::add_report(name, &record.codes, agreed, replies)?;
            packet::write(replies, b'c', &[])?;
        }
        _ => packet::write(replies, b'c', &[])?,
    }
    record.time = begun.elapsed();
    Ok(record)
}

/// Answers for a message that was not processed.
fn give_up(agreed: Agreement, on_error: OnFailure, replies: &mut impl Write) -> io::Result<()> {
    match on_error {
        OnFailure::Accept => packet::write(replies, b'c', &[]),
        OnFailure::Quarantine if agreed.may_quarantine() => {
            packet::write(replies, b'q', &[REASON])?;
            packet::write(replies, b'c', &[])
        }
        OnFailure::Quarantine | OnFailure::TempFail => packet::write(replies, b't', &[]),
    }
}
