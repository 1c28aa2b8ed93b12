//! The laws of the milter.

use std::io;
use std::sync::Arc;

use super::mail_server::{Answer, Mail, OFFER, OLD_OFFER, offer};
use crate::filter::{Fate, Filter, OnFailure, Record};
use crate::memory::Memory;
use crate::milter::packet::Packet;
use crate::milter::{Flow, Session};
use crate::policy::Policies;

/// The field that a mail server puts on top of everything that it sends.
const TRACE: &[u8] = b"Received: by mx.test;\r\n\tThu, 19 Nov 2026 10:00:00 +0000\r\n";

/// The answers of a filter.
#[derive(Debug)]
pub struct Heard {
    pub replies: Vec<Answer>,
    pub records: Vec<Record>,
    /// How the connection ended.
    pub flow: io::Result<Flow>,
}

/// Returns the filter's answers to octets that come in pieces, until it or the MTA ends the
/// connection.
pub fn hear<'p>(pieces: impl IntoIterator<Item = &'p [u8]>, filter: &Filter) -> Heard {
    let policies = Arc::new(Policies::all(Arc::new(filter.clone())));
    let (mut session, mut octets, mut records) =
        (Session::new(&Memory::default(), "inet:test:25"), Vec::new(), Vec::new());
    let mut flow = Ok(Flow::GoesOn);
    for piece in pieces {
        flow = session.receive(piece, &policies, &mut octets, &mut records);
        if !matches!(flow, Ok(Flow::GoesOn)) {
            break;
        }
    }
    let mut replies = Vec::new();
    let mut rest = &octets[..];
    while let Ok(Some((packet, length))) = Packet::first(rest) {
        replies.push((packet.command, packet.data.to_vec()));
        rest = &rest[length..];
    }
    assert!(rest.is_empty(), "an answer that is no packet");
    Heard { replies, records, flow }
}

/// Checks any octets: the choice of how they come and what becomes of them, then a message or what
/// an MTA might send.
///
/// # Errors
/// The law that is broken.
pub fn check(octets: &[u8]) -> Result<(), String> {
    let (&choice, rest) = octets.split_first().unwrap_or((&0, &[]));
    let piece = 1 + usize::from(choice >> 3);
    if choice & 1 == 0 {
        let mail = Mail::of(rest);
        let filter = super::filter();
        return answers_are_the_normal_form(&mail, &filter).and_then(|()| {
            cuts_do_not_matter(&[offer(OFFER), mail.shown()].concat(), piece, &filter)
        });
    }
    let numbers = if choice & 2 == 0 { OFFER } else { OLD_OFFER };
    let mut filter = super::filter();
    if choice & 4 != 0 {
        filter.max_message = 200;
        filter.on_too_large = OnFailure::Accept;
        filter.header_report = Some("X-Found".to_owned());
    }
    // Input that does not begin with an offer gets one.
    let has_offer = rest.get(4) == Some(&b'O');
    let wire = if has_offer { rest.to_vec() } else { [&offer(numbers), rest].concat() };
    cuts_do_not_matter(&wire, piece, &filter)
}

/// Inputs for [`check`] of a message.
pub fn inputs(message: &[u8]) -> Vec<Vec<u8>> {
    let wire = Mail::of(message).shown();
    [(0x28, message), (0x29, &wire), (0x2F, &wire)]
        .map(|(choice, rest)| [&[choice], rest].concat())
        .into()
}

/// Law 1.
pub fn cuts_do_not_matter(wire: &[u8], piece: usize, filter: &Filter) -> Result<(), String> {
    let facts = |heard: Heard| {
        let records = heard
            .records
            .into_iter()
            .map(|record| (record.id, record.octets, record.fate, record.codes));
        (heard.replies, records.collect::<Vec<_>>(), heard.flow.map_err(|error| error.to_string()))
    };
    let whole = facts(hear([wire], filter));
    let cut = facts(hear(wire.chunks(piece), filter));
    if whole == cut { Ok(()) } else { Err(format!("whole {whole:?}, by {piece} {cut:?}")) }
}

/// Law 2, for an MTA that knows places and one that does not.
pub fn answers_are_the_normal_form(mail: &Mail, filter: &Filter) -> Result<(), String> {
    // The older one puts a space before each value.
    let mut spaced = mail.clone();
    for (_, value) in spaced.fields.iter_mut().filter(|(_, value)| !value.starts_with(b" ")) {
        value.insert(0, b' ');
    }
    for (mail, numbers, version, left_out) in
        [(mail, OFFER, &b"Postfix 3.7.11"[..], &b""[..]), (&spaced, OLD_OFFER, b"8.12", b" ")]
    {
        let wire = [offer(numbers), mail.shown_by(version, left_out)].concat();
        let heard = hear([&wire[..]], filter);
        let [record] = &heard.records[..] else {
            return Err(format!("not one message: {heard:?}"));
        };
        if record.fate == Fate::Failed {
            return Err("a message that cannot be looked at".to_owned());
        }
        let answers: Vec<Answer> = heard.replies.into_iter().skip(1).collect();
        let made = comparable(mail.clone().changed(&answers, left_out)?, numbers == OLD_OFFER);
        // An archive adds one field to a message without any.
        let trace = if mail.fields.is_empty() { b"" } else { TRACE };
        let sent = [trace, &mail.octets()].concat();
        let normal = filter.normalizer.normalize(&sent);
        let normal = normal.octets().strip_prefix(trace).ok_or("the trace changes")?;
        let normal = comparable(Mail::of(normal), numbers == OLD_OFFER);
        if made != normal {
            let shown = |mail: &Mail| mail.octets().escape_ascii().to_string();
            let version = version.escape_ascii();
            return Err(format!(
                "{version} made \"{}\" instead of \"{}\"",
                shown(&made),
                shown(&normal)
            ));
        }
    }
    Ok(())
}

/// Makes a message comparable: an empty value becomes one of white space, since no value at all
/// would delete its field; an MTA that is given no places has its fields in any order, and each
/// value begins with a space of its own.
fn comparable(mut mail: Mail, has_no_places: bool) -> Mail {
    for (_, value) in mail.fields.iter_mut().filter(|(_, value)| value.trim_ascii().is_empty()) {
        value.clear();
    }
    if has_no_places {
        for (_, value) in mail.fields.iter_mut().filter(|(_, value)| value.starts_with(b" ")) {
            value.remove(0);
        }
        mail.fields.sort();
    }
    mail
}
