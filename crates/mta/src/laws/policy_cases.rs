//! Both filters with what their configuration says of messages and of what is found in them.

use sevenbit::Code;

use super::filter;
use super::gateway::{ENVELOPE, FULL};
use super::gateway_cases::{self, in_memory, run_by, with};
use super::mail_server::{Mail, OFFER, offer};
use super::milter::hear;
use crate::filter::{Action, Fate, Filter, OnFailure, Record};

const RAW: &[u8] = b"Subject: caf\xC3\xA9\r\n\r\nHello.\r\n";
const WORD: &[u8] = b"Subject: =?utf-8?Q?caf=C3=A9 au lait?=\r\n\r\nHello.\r\n";

fn gateway(message: &[u8], filter: &Filter) -> gateway_cases::Ran {
    run_by(&[ENVELOPE, message, b".\r\nQUIT\r\n"].concat(), 100, with(FULL), filter, &in_memory())
}

/// The commands of a milter's answer, and its record.
fn milter(message: &[u8], filter: &Filter) -> (String, Record) {
    let wire = [offer(OFFER), Mail::of(message).shown()].concat();
    let mut heard = hear([&wire[..]], filter);
    let commands = heard.replies.iter().skip(1).map(|(command, _)| char::from(*command)).collect();
    (commands, heard.records.remove(0))
}

#[test]
fn what_would_change_passes_as_it_is_in_a_dry_run() {
    let dry = Filter { dry_run: true, on: vec![(Code::RawHeaderText, Action::Reject)], ..filter() };
    for (message, fate) in [(RAW, Fate::Rejected), (WORD, Fate::Changed)] {
        let ran = gateway(message, &dry);
        assert_eq!(ran.messages, [message]);
        assert_eq!((ran.records[0].fate, ran.records[0].dry_run), (fate, true));
        assert!(!ran.records[0].codes.is_empty());
        let (commands, record) = milter(message, &dry);
        assert_eq!((commands.as_str(), record.fate, record.dry_run), ("c", fate, true));
    }
    let small = Filter { max_message: 10, ..dry };
    assert_eq!(gateway(RAW, &small).messages, [RAW]);
    assert_eq!(milter(RAW, &small).0, "c");
}

#[test]
fn what_is_skipped_is_not_looked_at() {
    let skips = Filter { skip: true, rule: Some("lists".to_owned()), ..filter() };
    let ran = gateway(RAW, &skips);
    assert_eq!((&ran.messages[0][..], ran.records[0].fate), (RAW, Fate::Skipped));
    assert!(ran.heard.contains(&"MAIL FROM:<a@example.org> BODY=8BITMIME".to_owned()));
    let (commands, record) = milter(RAW, &skips);
    assert_eq!((commands.as_str(), record.fate, record.rule.as_deref()), ("c", Fate::Skipped, Some("lists")));
}

#[test]
fn a_code_may_be_a_reason_to_refuse_or_to_put_aside() {
    let does =
        |action| Filter { on: vec![(Code::RawHeaderText, action)], on_error: OnFailure::Accept, ..filter() };
    let ran = gateway(RAW, &does(Action::Reject));
    assert_eq!((ran.codes[3].as_str(), ran.records[0].fate), ("554 5.6.0", Fate::Rejected));
    assert_eq!(milter(RAW, &does(Action::Reject)).0, "y");
    // The gateway has nowhere to put it.
    let ran = gateway(RAW, &does(Action::Quarantine));
    assert_eq!((ran.codes[3].as_str(), ran.records[0].fate), ("451 4.7.1", Fate::Quarantined));
    assert_eq!(milter(RAW, &does(Action::Quarantine)).0, "mqc");
    assert_eq!(milter(WORD, &does(Action::Quarantine)).0, "mc");
}

#[test]
fn a_code_may_be_left_where_nothing_else_changes() {
    let leaves = Filter { on: vec![(Code::EncodedWordRepaired, Action::Leave)], ..filter() };
    let ran = gateway(WORD, &leaves);
    assert_eq!((&ran.messages[0][..], ran.records[0].fate), (WORD, Fate::Left));
    let (commands, record) = milter(WORD, &leaves);
    assert_eq!((commands.as_str(), record.fate), ("c", Fate::Left));
    // With something that has to be mended, all of it is.
    let both = [WORD, b"d\xC3\xA9j\xC3\xA0 vu\r\n"].concat();
    assert_eq!(gateway(&both, &leaves).messages[0], filter().normalizer.normalize(&both).octets());
    // A line that is too long for servers.
    let long = [WORD, &[b'x'; 1200], b"\r\n"].concat();
    assert_eq!(gateway(&long, &leaves).records[0].fate, Fate::Changed);
}

#[test]
fn a_code_may_be_named_in_a_field() {
    let tags = Filter { on: vec![(Code::RawHeaderText, Action::Tag)], ..filter() };
    let ran = gateway(RAW, &tags);
    assert!(ran.messages[0].starts_with(b"X-Sevenbit: raw-header-text\r\nSubject: =?"));
    assert_eq!(milter(RAW, &tags).0, "mhc");
    assert_eq!(milter(WORD, &tags).0, "mc");
}
