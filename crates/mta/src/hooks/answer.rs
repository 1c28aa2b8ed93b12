//! The answer to a request: what becomes of its message, in the form that it was asked in.

use std::time::Instant;

use super::request::{Malformed, Request};
use super::{Form, draft, stalwart};
use crate::decision::{Decided, Decision, Held, Incoming};
use crate::filter::{Filter, LONGEST_HEADER, Record};
use crate::policy::{Content, Facts, Policies};

/// A request to be answered.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Its form.
    pub form: Form,
    /// The listener at which it came in, as the option names it.
    pub listener: &'a str,
}

/// The answer to a request.
#[derive(Debug)]
pub struct Answer {
    /// The JSON; nothing if there is nothing to say.
    pub json: Option<Vec<u8>>,
    /// The record of the message, if it was about one.
    pub record: Option<Record>,
}

/// The answer to a mail server about a message, and how much of it that changes.
#[derive(Debug)]
pub(super) struct Told {
    pub json: Option<Vec<u8>>,
    /// The number of octets that were left out because only this filter may write them.
    pub removed: u64,
    /// The number of octets that were added beside the plan.
    pub added: u64,
}

/// Answers a request.
///
/// # Errors
/// A request that cannot be answered.
pub fn answer(octets: Vec<u8>, asked: Asked<'_>, policies: &Policies) -> Result<Answer, Malformed> {
    let begun = Instant::now();
    let Some(request) = Request::read(&octets, asked.form)? else {
        let json = match asked.form {
            Form::Stalwart => stalwart::go_on(),
            Form::Draft(patch) => draft::go_on(patch),
        };
        return Ok(Answer { json, record: None });
    };
    // All of it has been copied.
    drop(octets);

    let incoming = request.incoming(policies.base.max_message);
    let filter = policies.of(&Facts {
        client: request.client.parse().ok(),
        is_authenticated: request.is_authenticated,
        listener: asked.listener,
        envelope: &request.envelope,
        content: Some(Content { header: request.message.header(), octets: incoming.length }),
    });
    let mut record = Record {
        id: request.id.clone(),
        client: request.client.clone(),
        envelope: request.envelope.clone(),
        ..Record::new(&filter, incoming.length)
    };
    if policies.records_header {
        let header = request.message.header();
        record.header = header[..header.len().min(LONGEST_HEADER)].to_vec();
    }

    let may_quarantine = may_quarantine(asked.form);
    let mut decided = Decided::on(incoming, &filter, may_quarantine);
    let mut told = tell(&decided, Some(&request), asked.form, &filter);
    if told.is_none() {
        decided = Decided::failed(incoming, &filter, may_quarantine);
        told = tell(&decided, Some(&request), asked.form, &filter);
    }
    let told =
        told.ok_or_else(|| Malformed("no answer to this message can be written".to_owned()))?;

    decided.complete(&mut record, incoming, told.removed, told.added);
    record.time = begun.elapsed();
    Ok(Answer { json: told.json, record: Some(record) })
}

/// Answers a request of so many octets that is not held. Who asks for whom is not known then: no
/// rule decides.
pub fn answer_unheld(length: u64, why: Held, asked: Asked<'_>, policies: &Policies) -> Answer {
    let filter = &policies.base;
    let incoming = Incoming { octets: &[], length, held: why, asks_smtputf8: false };
    let decided = Decided::on(incoming, filter, may_quarantine(asked.form));
    let told = tell(&decided, None, asked.form, filter);

    let mut record = Record::new(filter, length);
    decided.complete(&mut record, incoming, 0, 0);
    Answer { json: told.and_then(|told| told.json), record: Some(record) }
}

/// Stalwart drops what it is to quarantine, and says that it was accepted.
fn may_quarantine(form: Form) -> bool {
    matches!(form, Form::Draft(_))
}

/// Puts a decision into the form that was asked in; returns nothing if that cannot carry it.
fn tell(
    decided: &Decided<'_>,
    request: Option<&Request>,
    form: Form,
    filter: &Filter,
) -> Option<Told> {
    let message = request.map(|request| &request.message);
    match form {
        Form::Stalwart => stalwart::tell(decided, message, filter),
        Form::Draft(patch) => draft::tell(decided, message, patch, filter),
    }
}

/// A reply in its parts: `554 5.6.0 text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply<'r> {
    pub code: u16,
    pub enhanced: &'r str,
    pub text: &'r str,
}

impl<'r> Reply<'r> {
    /// The reply of a decision, if it has one.
    pub fn of(decision: &'r Decision) -> Option<Self> {
        let (Decision::Deferred(words) | Decision::Refused(words)) = decision else {
            return None;
        };
        let (code, rest) = words.split_once(' ')?;
        let (enhanced, text) = rest.split_once(' ')?;
        Some(Self { code: code.parse().ok()?, enhanced, text })
    }
}
