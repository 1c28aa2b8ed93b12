//! The answer to the MTA at the end of a message: only *continue* if it is in its normal form.

use std::io::{self, Write};
use std::time::Instant;

use sevenbit::Plan;

use super::changes;
use super::macros::Macros;
use super::negotiation::Agreement;
use super::packet;
use super::shown::Shown;
use crate::decision::{Decided, Decision};
use crate::fields::count_own;
use crate::filter::{Filter, Record, report_value};

/// Why a message is quarantined, for those who look for it.
const NOT_LOOKED_AT: &[u8] = b"sevenbit could not look at this message\0";
const FOUND: &[u8] = b"sevenbit found in this message what its configuration quarantines\0";

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
        ..Record::new(filter, message.length())
    };

    let decided = Decided::on(message.incoming(), filter, agreed.may_quarantine());
    let mta = changes::Mta { agreed, version: &macros.version, filter };
    let added = answer(message, &decided, &mta, replies)?;

    let removed = if decided.decision == Decision::Untouched {
        0
    } else {
        let planned = decided.followed_plan().map(Plan::header_fields);
        count_own(planned.as_deref(), message.fields(), filter)
    };
    decided.complete(&mut record, message.incoming(), removed, added);
    record.time = begun.elapsed();
    Ok(record)
}

/// Tells the MTA what is done with a message; returns how many octets were added beside the plan.
fn answer(
    message: &Shown,
    decided: &Decided<'_>,
    mta: &changes::Mta<'_>,
    replies: &mut impl Write,
) -> io::Result<u64> {
    match &decided.decision {
        Decision::Deferred(_) => return packet::write(replies, b't', &[]).map(|()| 0),
        Decision::Refused(words) => {
            return packet::write(replies, b'y', &[words.as_bytes(), b"\0"]).map(|()| 0);
        }
        Decision::Untouched => {}
        Decision::AsItCame => changes::remove_own(message, mta, replies)?,
        Decision::QuarantinedAsItCame => {
            changes::remove_own(message, mta, replies)?;
            packet::write(replies, b'q', &[NOT_LOOKED_AT])?;
        }
        Decision::Changed | Decision::QuarantinedChanged => {
            if let Some(plan) = decided.followed_plan() {
                changes::write(plan, message, mta, replies)?;
            }
            if decided.decision == Decision::QuarantinedChanged {
                packet::write(replies, b'q', &[FOUND])?;
            }
        }
    }

    let mut added = 0;
    if let Some((name, found)) = decided.added_field(mta.filter) {
        changes::add_report(name, &found, mta.agreed, replies)?;
        added = (name.len() + report_value(name, &found, "\r\n").len() + ":\r\n".len()) as u64;
    }
    packet::write(replies, b'c', &[])?;
    Ok(added)
}
