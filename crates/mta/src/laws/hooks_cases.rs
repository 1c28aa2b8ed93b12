//! MTA Hooks as JSON: a mail server that asks, reads the answer and does what it says.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sevenbit::{Code, Normalizer, Profile};

use super::hooks::{FORMS, answers_are_the_normal_form, apply, check, inputs, request};
use super::{filter, hold};
use crate::decision::Held;
use crate::filter::{Action, By, Fate, Filter, OnFailure, Outcome};
use crate::hooks::{Answer, Asked, Form, Malformed, Patch, answer, answer_unheld};
use crate::policy::Policies;

const CLEAN: &[u8] = b"From: a@example.org\r\nSubject: x\r\n\r\nHello.\r\n";
const RAW: &[u8] =
    b"From: a@example.org\r\nSubject: caf\xC3\xA9\r\nX-A: 1\r\n\r\nd\xC3\xA9j\xC3\xA0 vu\r\n";
const LATIN: &[u8] = b"From: a@example.org\r\nSubject: caf\xE9\r\n\r\nHello.\r\n";

const OPERATIONS: Form = Form::Draft(Patch::Operations);

fn ask(request: &Value, form: Form) -> Result<Answer, Malformed> {
    let policies = Policies::all(Arc::new(filter()));
    answer(request.to_string().into_bytes(), Asked { form, listener: "inet:test:80" }, &policies)
}

fn said(answered: &Answer) -> Value {
    answered.json.as_ref().map_or(Value::Null, |json| serde_json::from_slice(json).expect("JSON"))
}

#[test]
fn a_clean_message_goes_on_without_a_change() {
    for (form, expected) in
        FORMS.into_iter().zip([Some(&br#"{"action":"accept"}"#[..]), None, Some(b"[]")])
    {
        let policies = Policies::all(Arc::new(filter()));
        let asked = Asked { form, listener: "inet:test:80" };
        let answered = answer(request(CLEAN, form), asked, &policies).expect("an answer");
        assert_eq!(answered.json.as_deref(), expected, "{form:?}");
        let record = answered.record.expect("a record");
        assert_eq!(
            (record.fate, record.outcome, record.by, record.octets, record.octets_out),
            (
                Fate::Clean,
                Outcome::Passed,
                By::MailServer,
                CLEAN.len() as u64,
                Some(CLEAN.len() as u64)
            )
        );
        assert_eq!((&*record.id, &*record.client), ("4q1", "192.0.2.7"));
        assert_eq!(record.envelope.from, "a@example.org");
        assert_eq!(record.envelope.to, ["b@example.com"]);
    }
}

#[test]
fn stalwart_is_told_of_fields_and_a_body() {
    let policies = Policies::all(Arc::new(filter()));
    let asked = Asked { form: Form::Stalwart, listener: "" };
    let mail = b"From: a@example.org\r\nSubject: caf\xC3\xA9\r\n\r\nHello.\r\n";
    let answered = answer(request(mail, Form::Stalwart), asked, &policies).expect("an answer");
    assert_eq!(
        said(&answered),
        json!({
            "action": "accept",
            "modifications": [{
                "type": "changeHeader",
                "index": 1,
                "name": "Subject",
                "value": " =?utf-8?B?Y2Fmw6k=?=\r\n",
            }],
        })
    );

    let answered = answer(request(RAW, Form::Stalwart), asked, &policies).expect("an answer");
    let kinds: Vec<String> = said(&answered)["modifications"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|change| change["type"].as_str().expect("a type").to_owned())
        .collect();
    assert_eq!(kinds.last().map(String::as_str), Some("replaceContents"), "{kinds:?}");
}

/// The values of Stalwart's documents have no line ends and no space before them.
#[test]
fn values_may_be_trimmed() {
    let asked = json!({
        "context": { "stage": "DATA", "client": { "ip": "192.0.2.7" } },
        "envelope": { "from": { "address": "a@example.org" }, "to": [] },
        "message": {
            "headers": [["From", "a@example.org"], ["Subject", "caf\u{E9}"]],
            "contents": "Hello.\r\n",
            "size": 60,
        },
    });
    let answered = ask(&asked, Form::Stalwart).expect("an answer");
    assert_eq!(
        said(&answered)["modifications"],
        json!([{
            "type": "changeHeader",
            "index": 1,
            "name": "Subject",
            "value": "=?utf-8?B?Y2Fmw6k=?=",
        }])
    );
}

#[test]
fn the_answers_applied_are_the_normal_form() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/mail");
    for entry in fs::read_dir(folder).expect("corpus/mail") {
        let path = entry.expect("an entry").path();
        let mail = fs::read(&path).expect("a message");
        for profile in [Profile::Transport, Profile::Archive] {
            let filter = Filter { normalizer: Normalizer::new().profile(profile), ..filter() };
            for form in FORMS {
                answers_are_the_normal_form(&mail, form, &filter)
                    .unwrap_or_else(|why| panic!("{}, {profile:?}: {why}", path.display()));
            }
        }
    }
}

#[test]
fn the_laws_hold() {
    hold("hooks", inputs, check);
}

/// Stalwart shows what is not UTF-8 as U+FFFD: changed by that, the message would lose it.
#[test]
fn what_stalwart_cannot_show_stays() {
    let (applied, record) = apply(LATIN, Form::Stalwart, &filter()).expect("an answer");
    assert_eq!((&applied.octets[..], record.fate), (LATIN, Fate::Garbled));
    assert_eq!((record.outcome, &*applied.action), (Outcome::Passed, "accept"));
    let (applied, record) = apply(LATIN, OPERATIONS, &filter()).expect("an answer");
    assert!(applied.octets.is_ascii() && record.fate == Fate::Changed);

    let own = "From: a@example.org\r\nSubject: \u{FFFD}\r\n\r\nHello.\r\n".as_bytes();
    let (applied, record) = apply(own, Form::Stalwart, &filter()).expect("an answer");
    assert!(applied.octets.is_ascii() && record.fate == Fate::Changed);
}

#[test]
fn a_policy_refuses_or_defers() {
    let twice = b"From: a@example.org\r\nFrom: b@example.org\r\nSubject: x\r\n\r\nHello.\r\n";
    let on = |action| Filter { on: vec![(Code::DuplicateField, action)], ..filter() };
    for form in FORMS {
        let (applied, record) = apply(twice, form, &on(Action::Reject)).expect("an answer");
        let reply = applied.reply.expect("a reply");
        assert!(reply.starts_with("554 5.6.0 ") && reply.ends_with("[duplicate-field]"), "{reply}");
        assert_eq!(
            (&*applied.action, record.outcome, record.by),
            ("reject", Outcome::Refused, By::Sevenbit)
        );
        assert_eq!((record.fate, record.octets_out), (Fate::Rejected, None));

        let dry = Filter { dry_run: true, ..on(Action::Reject) };
        let (applied, record) = apply(twice, form, &dry).expect("an answer");
        assert_eq!((&applied.octets[..], &*applied.action), (&twice[..], "accept"));
        assert_eq!((record.fate, record.outcome), (Fate::Rejected, Outcome::Passed));

        // Stalwart drops what it is to quarantine.
        let (applied, record) = apply(twice, form, &on(Action::Quarantine)).expect("an answer");
        match form {
            Form::Stalwart => {
                let reply = applied.reply.expect("a reply");
                assert!(reply.starts_with("451 4.7.1 ") && applied.action == "reject", "{reply}");
                assert_eq!(record.outcome, Outcome::Deferred);
            }
            Form::Draft(_) => {
                assert_eq!(applied.action, "quarantine");
                assert_eq!(record.outcome, Outcome::Quarantined);
                let normal = filter().normalizer.normalize(twice);
                assert_eq!(applied.octets, normal.octets());
            }
        }
    }
}

#[test]
fn a_field_is_added_and_no_other_of_its_name_stays() {
    let mail = b"From: a@example.org\r\nX-Found: none\r\nSubject: caf\xC3\xA9\r\n\r\nHello.\r\n";
    let own_fields = vec!["X-Found".to_owned()];
    let filter = Filter { header_report: Some("X-Found".to_owned()), own_fields, ..filter() };
    for form in FORMS {
        let (applied, record) = apply(mail, form, &filter).expect("an answer");
        let text = String::from_utf8(applied.octets).expect("text");
        assert!(text.starts_with("X-Found: raw-header-text"), "{form:?}: {text}");
        assert_eq!(text.matches("X-Found").count(), 1, "{form:?}: {text}");
        assert_eq!(record.octets_out, Some(text.len() as u64), "{form:?}: {text}");

        let clean = b"From: a@example.org\r\nX-Found: none\r\n\r\nHello.\r\n";
        let (applied, record) = apply(clean, form, &filter).expect("an answer");
        assert_eq!(applied.octets, b"From: a@example.org\r\n\r\nHello.\r\n", "{form:?}");
        assert_eq!(record.fate, Fate::Changed);
    }
}

#[test]
fn one_that_is_too_large_is_treated_as_is_asked() {
    let limited = |on_too_large| Filter { max_message: 20, on_too_large, ..filter() };
    for form in FORMS {
        let (applied, record) = apply(RAW, form, &limited(OnFailure::Reject)).expect("an answer");
        assert!(applied.reply.is_some_and(|reply| reply.starts_with("552 5.3.4 ")), "{form:?}");
        assert_eq!((record.fate, record.outcome), (Fate::TooLarge, Outcome::Refused));
        let (applied, record) = apply(RAW, form, &limited(OnFailure::Accept)).expect("an answer");
        assert_eq!((&applied.octets[..], record.outcome), (RAW, Outcome::Passed), "{form:?}");

        let policies = Policies::all(Arc::new(limited(OnFailure::Reject)));
        let asked = Asked { form, listener: "" };
        for (why, status) in [(Held::TooLarge, "552"), (Held::NoRoom, "452")] {
            let answered = answer_unheld(1 << 30, why, asked, &policies);
            let text = said(&answered).to_string();
            assert!(text.contains(status) && text.contains("reject"), "{form:?}: {text}");
            assert_eq!(answered.record.map(|record| record.octets), Some(1 << 30));
        }
    }
}

#[test]
fn other_stages_go_on() {
    let connected = json!({
        "context": { "stage": "connect", "client": { "ip": "192.0.2.7" }, "protocol": { "version": 1 } },
    });
    let answered = ask(&connected, Form::Stalwart).expect("an answer");
    assert!(answered.record.is_none() && said(&answered) == json!({ "action": "accept" }));
    let answered = ask(&json!({ "stage": "rcpt", "action": "accept" }), OPERATIONS);
    let answered = answered.expect("an answer");
    assert!(answered.record.is_none() && answered.json.is_none());
}

/// The inbound request of the draft's example (-01, 5.11) has no raw message. With one, its other
/// members are read.
#[test]
fn a_request_as_the_draft_has_it_is_read() {
    let mut asked = json!({
        "stage": "data",
        "action": "accept",
        "timestamp": "2024-12-21T16:30:00Z",
        "response": { "code": 250, "enhancedCode": "2.0.0", "message": "OK" },
        "protocol": { "version": "1.0" },
        "queue": { "id": "queue_abc123" },
        "envelope": {
            "from": { "address": null, "parameters": { "SMTPUTF8": "" } },
            "to": [{ "address": "recipient@example.com", "parameters": {} }],
        },
        "message": {
            "size": 2048,
            "subject": "Meeting Tomorrow",
            "headers": [{ "name": "Subject", "value": "Meeting Tomorrow" }],
            "bodyStructure": { "type": "text/plain", "charset": "utf-8", "size": 28 },
        },
        "client": { "ip": "192.0.2.100", "port": 54321, "ehlo": "mail.example.org" },
        "server": { "name": "mx1.example.com", "ip": "198.51.100.25", "port": 25 },
        "tls": { "version": "TLSv1.3", "cipher": "TLS_AES_256_GCM_SHA384", "cipherBits": 256 },
        "senderAuth": { "spf-mail": "pass", "dkim": "pass", "dmarc": "pass" },
    });
    let Err(Malformed(why)) = ask(&asked, OPERATIONS) else { panic!("it has no message") };
    assert!(why.contains("`/rawMessage`"), "{why}");

    asked["rawMessage"] = STANDARD.encode(RAW).into();
    let answered = ask(&asked, OPERATIONS).expect("an answer");
    let answer = said(&answered);
    assert_eq!(answer["set"][0]["path"], "/rawMessage");
    let record = answered.record.expect("a record");
    assert_eq!((&*record.id, &*record.client), ("queue_abc123", "192.0.2.100"));
    assert_eq!((&*record.envelope.from, record.envelope.to.len()), ("", 1));

    // The next draft's slides have an address as a text.
    asked["envelope"]["from"] = "alice@example.org".into();
    let record = ask(&asked, OPERATIONS).expect("an answer").record.expect("a record");
    assert_eq!(record.envelope.from, "alice@example.org");
}

/// A refusal has the members of the draft's example (-01, 6.9.2).
#[test]
fn a_refusal_has_the_members_of_the_draft() {
    let mail = b"From: a@example.org\r\nFrom: b@example.org\r\n\r\n";
    let on = vec![(Code::DuplicateField, Action::Reject)];
    let reject_texts = vec![(Code::DuplicateField, "two From fields".to_owned())];
    let policies = Policies::all(Arc::new(Filter { on, reject_texts, ..filter() }));
    let asked = Asked { form: OPERATIONS, listener: "" };
    let answered = answer(request(mail, OPERATIONS), asked, &policies).expect("an answer");
    assert_eq!(
        said(&answered),
        json!({ "set": [
            { "path": "/action", "value": "reject" },
            { "path": "/response", "value": {
                "code": 554,
                "enhancedCode": "5.6.0",
                "message": "two From fields [duplicate-field]",
            } },
        ] })
    );
}

#[test]
fn what_is_no_request_is_said_to_be_none() {
    for form in FORMS {
        for wrong in [
            &b""[..],
            b"{",
            b"null",
            b"[]",
            b"{}",
            b"\xFF",
            br#"{"stage": 1, "context": 2}"#,
            br#"{"stage": "data", "context": {"stage": "data"}}"#,
            br#"{"stage": "data", "rawMessage": "%", "context": {"stage": "data"}, "message": {}}"#,
            &[b'['; 100_000],
        ] {
            let policies = Policies::all(Arc::new(filter()));
            let answered = answer(wrong.to_vec(), Asked { form, listener: "" }, &policies);
            assert!(answered.is_err(), "{form:?}: {}", wrong.escape_ascii());
        }
    }
}
