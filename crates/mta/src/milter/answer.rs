//! The answer to the MTA at the end of a message: only *continue* if it is in its normal form.

use std::borrow::Cow;
use std::io::{self, Sink, Write};
use std::time::Instant;

use sevenbit::Plan;

use super::changes;
use super::macros::Macros;
use super::negotiation::Agreement;
use super::packet;
use super::shown::Shown;
use crate::filter::{By, Fate, Filter, OnFailure, Outcome, Record, codes, guarded, report_value};
use crate::octets::{Octets, Path};

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
    let plan = message.is_whole() && !filter.skip;
    let plan = plan.then(|| guarded(|| filter.normalizer.plan(message.octets()))).flatten();
    if let Some(plan) = &plan {
        record.codes = codes(plan.report());
    }
    record.fate = fate(message, plan.as_ref(), &record, filter);
    let mut sent = Sent { outcome: Outcome::Passed, octets: 0 };
    if filter.dry_run {
        packet::write(replies, b'c', &[])?;
    } else {
        let mta = changes::Mta { agreed, version: &macros.version, filter };
        sent = answer(message, plan.as_ref(), &record, &mta, filter, replies)?;
    }
    record.outcome = sent.outcome;
    let removed = if filter.dry_run || filter.skip {
        0
    } else {
        own_octets(message, plan.as_ref(), &record, filter)
    };
    if matches!(sent.outcome, Outcome::Passed | Outcome::Quarantined) {
        let goes_on_changed =
            !filter.dry_run && matches!(record.fate, Fate::Changed | Fate::Quarantined);
        let changed = match &plan {
            Some(plan) if goes_on_changed => written(plan, message),
            _ => None,
        };
        let octets = changed.unwrap_or(message.length()).saturating_sub(removed);
        record.octets_out = Some(octets + sent.octets);
        // What becomes of it, the mail server does not say.
        record.by = By::MailServer;
    }
    if record.fate == Fate::Clean && removed > 0 {
        record.fate = Fate::Changed;
    }
    record.time = begun.elapsed();
    Ok(record)
}

fn fate(message: &Shown, plan: Option<&Plan<'_>>, record: &Record, filter: &Filter) -> Fate {
    let Some(plan) = plan else {
        return if filter.skip {
            Fate::Skipped
        } else if message.is_too_large() {
            Fate::TooLarge
        } else if !message.is_whole() {
            Fate::NoRoom
        } else {
            Fate::Failed
        };
    };
    let path =
        Path { smtputf8: filter.carries.smtputf8 && message.asks_smtputf8(), ..filter.carries };
    let octets = || {
        let mut octets = Octets::default();
        octets.write_all(message.octets()).ok().map(|()| Cow::Owned(octets))
    };
    let fate = filter.judged(Fate::of(plan.report()), plan.report(), &record.codes, path, octets);
    let measure = |_: &mut Sink| written(plan, message).ok_or_else(|| io::ErrorKind::Other.into());
    match fate {
        Fate::Changed | Fate::Quarantined
            if Filter::outgrows(filter.max_output, message.length(), measure) =>
        {
            Fate::TooLarge
        }
        fate => fate,
    }
}

/// How long the message is once it is changed. The MTA's own field is not counted, as it was not
/// before.
fn written(plan: &Plan<'_>, message: &Shown) -> Option<u64> {
    let own = message.octets().len() as u64 - message.length();
    plan.write_to(io::sink()).ok().map(|written| written.saturating_sub(own))
}

/// The number of octets of the message that are left out, because they are fields that only this
/// filter may write.
fn own_octets(message: &Shown, plan: Option<&Plan<'_>>, record: &Record, filter: &Filter) -> u64 {
    let is_planned = matches!(record.fate, Fate::Changed | Fate::Quarantined);
    changes::count_own(if is_planned { plan } else { None }, message, filter)
}

fn answer(
    message: &Shown,
    plan: Option<&Plan<'_>>,
    record: &Record,
    mta: &changes::Mta<'_>,
    filter: &Filter,
    replies: &mut impl Write,
) -> io::Result<Sent> {
    let mut sent = Sent { outcome: Outcome::Passed, octets: 0 };
    match (record.fate, plan) {
        (Fate::Changed, Some(plan)) => changes::write(plan, message, mta, replies)?,
        // As with one that cannot be looked at: without the right to quarantine, it comes again.
        (Fate::Quarantined, _) if !mta.agreed.may_quarantine() => {
            packet::write(replies, b't', &[])?;
            return Ok(Sent { outcome: Outcome::Deferred, octets: 0 });
        }
        (Fate::Quarantined, Some(plan)) => {
            changes::write(plan, message, mta, replies)?;
            packet::write(replies, b'q', &[FOUND])?;
            sent.outcome = Outcome::Quarantined;
        }
        (Fate::TooLarge | Fate::NoRoom | Fate::Failed | Fate::Rejected, _) => {
            let is_rejected = record.fate == Fate::Rejected;
            let report = if is_rejected { plan.map(Plan::report) } else { None };
            let refusal = report.map(|report| filter.refusal(report, message.octets()));
            return give_up(message, record.fate, &refusal.unwrap_or_default(), mta, replies);
        }
        (Fate::Skipped, _) => {}
        _ => changes::remove_own(message, mta, replies)?,
    }
    if let Some((name, found)) = filter.found_field(&record.codes)
        && record.fate != Fate::Left
    {
        changes::add_report(name, &found, mta.agreed, replies)?;
        sent.octets =
            (name.len() + report_value(name, &found, "\r\n").len() + ":\r\n".len()) as u64;
    }
    packet::write(replies, b'c', &[])?;
    Ok(sent)
}

/// What the mail server was told.
#[derive(Clone, Copy, Debug)]
struct Sent {
    outcome: Outcome,
    /// How many octets were added beside the plan.
    octets: u64,
}

/// Answers for a message that was not processed.
fn give_up(
    message: &Shown,
    fate: Fate,
    refusal: &str,
    mta: &changes::Mta<'_>,
    replies: &mut impl Write,
) -> io::Result<Sent> {
    let agreed = mta.agreed;
    let (policy, words) = mta.filter.on_failure(fate, refusal);
    let outcome = match policy {
        OnFailure::Accept => {
            changes::remove_own(message, mta, replies)?;
            packet::write(replies, b'c', &[])?;
            Outcome::Passed
        }
        OnFailure::Quarantine if agreed.may_quarantine() => {
            changes::remove_own(message, mta, replies)?;
            packet::write(replies, b'q', &[NOT_LOOKED_AT])?;
            packet::write(replies, b'c', &[])?;
            Outcome::Quarantined
        }
        OnFailure::Quarantine | OnFailure::TempFail => {
            packet::write(replies, b't', &[])?;
            Outcome::Deferred
        }
        OnFailure::Reject => {
            packet::write(replies, b'y', &[words.as_bytes(), b"\0"])?;
            Outcome::Refused
        }
    };
    Ok(Sent { outcome, octets: 0 })
}
