//! The answer to the MTA at the end of a message: only *continue* if it is in its normal form.

use std::io::{self, Sink, Write};
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
        client: macros.client.clone(),
        envelope: message.addresses().clone(),
        octets: message.length(),
        octets_out: None,
        fate: if message.is_too_large() { Fate::TooLarge } else { Fate::NoRoom },
        codes: Vec::new(),
        time: Duration::ZERO,
        answer: String::new(),
    };
    if message.is_whole() {
        record.fate = Fate::Failed;
        if let Some(plan) = guarded(|| filter.normalizer.plan(message.octets())) {
            record.codes = codes(plan.report());
            let mta = changes::Mta { agreed, version: &macros.version };
            record.fate = Fate::of(plan.report());
            let measure = |out: &mut Sink| plan.write_to(out);
            if record.fate == Fate::Changed && Filter::outgrows(filter.max_output, message.length(), measure)
            {
                record.fate = Fate::TooLarge;
            }
            if record.fate == Fate::Changed {
                changes::write(&plan, message, &mta, replies)?;
            }
        }
    }
    match (record.fate, &filter.header_report) {
        (Fate::TooLarge | Fate::NoRoom | Fate::Failed, _) => give_up(agreed, record.fate, filter, replies)?,
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
fn give_up(agreed: Agreement, fate: Fate, filter: &Filter, replies: &mut impl Write) -> io::Result<()> {
    let (policy, words) = filter.on_failure(fate);
    match policy {
        OnFailure::Accept => packet::write(replies, b'c', &[]),
        OnFailure::Quarantine if agreed.may_quarantine() => {
            packet::write(replies, b'q', &[REASON])?;
            packet::write(replies, b'c', &[])
        }
        OnFailure::Quarantine | OnFailure::TempFail => packet::write(replies, b't', &[]),
        OnFailure::Reject => packet::write(replies, b'y', &[words.as_bytes(), b"\0"]),
    }
}
