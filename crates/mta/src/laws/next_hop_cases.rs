//! The gateway with a next hop that refuses, dies, or does not wait.

use sevenbit::Signed;

use super::gateway::FULL;
use super::gateway_cases::{CAFE, SIGNED, in_memory, run, run_by, with};
use super::next_hop::NextHop as Next;
use super::{client, filter};
use crate::filter::{Filter, OnFailure};
use crate::gateway::Broken;

#[test]
fn a_transaction_that_cannot_restart_is_kept_as_it_was() {
    let says = "EHLO c\r\nMAIL FROM:<a@example.org> SMTPUTF8\r\nRCPT TO:<b@example.org>\r\nRCPT TO:<\u{e9}@example.org>\r\n\
        DATA\r\nx\r\n.\r\n";
    let answers = vec![("MAIL FROM:<a@example.org> SMTPUTF8", "550 5.6.7 not today")];
    let ran = run(says, Next { answers, ..with(FULL) });
    assert_eq!(ran.codes, ["250 2.1.0", "250 2.1.5", "550 5.6.7", "354 go", "250 2.0.0"]);
    let again = ["RSET", "MAIL FROM:<a@example.org>", "RCPT TO:<b@example.org>", "DATA", "QUIT"];
    assert_eq!(ran.heard[5..], again);
}

#[test]
fn the_answer_is_the_next_hops() {
    let ran = run(CAFE, Next { answers: vec![(".", "550 5.7.1 no")], ..with(FULL) });
    assert_eq!(ran.codes[3], "550 5.7.1");
    let ran = run(CAFE, Next { answers: vec![("DATA", "451 4.7.1 later")], ..with(FULL) });
    assert_eq!(ran.codes[2..4], ["354 go", "451 4.7.1"]);
    let ran = run(CAFE, Next { answers: vec![("RCPT", "550 5.1.1 who")], ..with(FULL) });
    assert_eq!(ran.codes[1..3], ["550 5.1.1", "503 5.5.1"]);
    let ran = run(CAFE, Next { answers: vec![("MAIL", "421 4.3.2 bye")], ..with(FULL) });
    assert_eq!(ran.codes, ["421 4.3.2"]);
}

/// Replies that are out of step, for example.
#[test]
fn a_next_hop_that_says_yes_to_data_has_no_message() {
    let ran = run(CAFE, Next { answers: vec![("DATA", "250 2.0.0 Ok")], ..with(FULL) });
    assert_eq!(ran.codes[2..], ["354 go", "421 4.3.0"]);
    assert!(matches!(ran.ended, Err(Broken::Next(_))) && ran.messages.is_empty());
    assert_eq!(ran.records[0].answer, "none: it answers DATA by 250 2.0.0 Ok");
}

#[test]
fn nothing_is_accepted_where_the_next_hop_dies() {
    for dies_at in ["EHLO", "MAIL", "RCPT", "DATA", "."] {
        let ran = run(CAFE, Next { dies_at, ..with(FULL) });
        assert!(matches!(ran.ended, Err(Broken::Next(_))));
        assert!(ran.all.contains("\r\n421 4.3.0 ") || dies_at == "EHLO", "{dies_at}: {}", ran.all);
        assert!(!ran.all.contains("queued"));
    }
    let busy = Next { replies: b"421 4.3.2 busy\r\n".to_vec(), ..with(FULL) };
    assert_eq!(run(CAFE, busy).all, "421 4.3.2 busy\r\n");
    let silent = Next { replies: b"what?\r\n".to_vec(), ..with(FULL) };
    assert!(matches!(run(CAFE, silent).ended, Err(Broken::Next(_))));
}

#[test]
fn a_next_hop_that_does_not_wait_for_a_slow_client_is_asked_again() {
    let says = format!(
        "EHLO c\r\nXCLIENT ADDR=192.0.2.1\r\n{}",
        CAFE.replace("MAIL", "XFORWARD IDENT=4QABC\r\nMAIL")
    );
    let leaves = |leaves_before| Next { leaves_before, ..with(FULL) };
    let ran = run(&says, leaves("DATA"));
    assert_eq!(
        ran.codes[3..],
        ["250 2.1.0", "250 2.1.5", "354 go", "250 2.0.0", "221 2.0.0"],
        "{}",
        ran.all
    );
    let asked = ["EHLO c", "XCLIENT ADDR=192.0.2.1", "EHLO c", "XFORWARD IDENT=4QABC"];
    let asked = [&asked[..], &["MAIL FROM:<a@example.org>", "RCPT TO:<b@example.org>"]].concat();
    assert_eq!(ran.heard, [&asked[..], &asked[..], &["DATA", "QUIT"]].concat());
    assert_eq!(ran.messages, [b"Subject: =?utf-8?B?Y2Fmw6k=?=\r\n\r\n..dot\r\n"]);

    // The next hop takes back what it had accepted, which may be one recipient of many: the client
    // is to ask again.
    for (again, code) in [("550 5.1.1 who", "451 4.3.0"), ("450 4.2.0 later", "450 4.2.0")] {
        let ran = run(CAFE, Next { answers_again: vec![("RCPT", again)], ..leaves("DATA") });
        assert_eq!(ran.codes[3..], [code, "221 2.0.0"]);
        assert!(ran.messages.is_empty());
    }
    // The next hop does not come back.
    let ran = run(CAFE, Next { answers_again: vec![("EHLO", "421 4.3.2 bye")], ..leaves("DATA") });
    assert_eq!(ran.codes[3..], ["421 4.3.2"]);
}

#[test]
fn a_next_hop_that_has_gone_is_asked_again_for_what_has_to_stay_and_for_the_next_message() {
    let refuses = Filter { normalizer: filter().normalizer.signed(Signed::Refuse), ..filter() };
    let leaves = || Next { leaves_before: "RSET", ..with(FULL) };
    let ran = run_by(SIGNED.as_bytes(), 100, leaves(), &refuses, &in_memory());
    assert_eq!(ran.codes.last().map(String::as_str), Some("250 2.0.0"));
    let again = [
        "EHLO c",
        "MAIL FROM:<a@example.org> BODY=8BITMIME",
        "RCPT TO:<b@example.org>",
        "DATA",
        "QUIT",
    ];
    assert_eq!(ran.heard[3..], again);

    let small = Filter { max_message: 10, on_too_large: OnFailure::TempFail, ..filter() };
    let says = CAFE.replace(
        "QUIT\r\n",
        "MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\nx\r\n.\r\nQUIT\r\n",
    );
    let ran = run_by(says.as_bytes(), 100, leaves(), &small, &in_memory());
    assert_eq!(
        ran.codes[3..],
        ["451 4.3.4", "250 2.1.0", "250 2.1.5", "354 go", "250 2.0.0", "221 2.0.0"]
    );
}

#[test]
fn a_next_hop_that_wants_to_hear_it_is_told_whose_message_this_is() {
    let says = CAFE.replace("QUIT\r\n", "XFORWARD ADDR=192.0.2.9\r\nMAIL FROM:<a@example.org>\r\n");
    let run = |peer: &str, extensions| {
        let from = client::From {
            peer: Some(peer.parse().expect("an address")),
            ..client::From::default()
        };
        client::run_from(from, says.as_bytes(), 100, with(extensions), &filter(), &in_memory())
    };
    let forwarded = |ran: &client::Ran| -> Vec<String> {
        ran.heard.iter().filter(|line| line.starts_with("XFORWARD")).cloned().collect()
    };
    // Not where the client has said it.
    let ran = run("2001:db8::1", &["XFORWARD NAME ADDR", "SIZE 1000"]);
    assert_eq!(forwarded(&ran), ["XFORWARD ADDR=IPV6:2001:db8::1", "XFORWARD ADDR=192.0.2.9"]);
    assert_eq!((ran.taken.len(), ran.records[0].client.as_str()), (1, "IPV6:2001:db8::1"));
    assert_eq!(forwarded(&run("192.0.2.1", &["XFORWARD IDENT"])), ["XFORWARD ADDR=192.0.2.9"]);
    assert_eq!(forwarded(&run("192.0.2.1", FULL)), ["XFORWARD ADDR=192.0.2.9"]);
}

/// Anyone could say that someone else had sent a message, or had logged in.
#[test]
fn a_client_that_is_not_trusted_does_not_say_who_it_is() {
    let says =
        CAFE.replace("MAIL", "XFORWARD ADDR=127.0.0.1\r\nXCLIENT ADDR=127.0.0.1 LOGIN=ada\r\nMAIL");
    let peer = Some("192.0.2.1".parse().expect("an address"));
    let extensions = &["XFORWARD NAME ADDR", "XCLIENT NAME ADDR LOGIN"];
    for tells_client in [false, true] {
        let from =
            client::From { peer, is_stranger: true, tells_client, ..client::From::default() };
        let ran =
            client::run_from(from, says.as_bytes(), 100, with(extensions), &filter(), &in_memory());
        assert!(
            !ran.answers.contains("250-XFORWARD") && !ran.answers.contains("250-XCLIENT"),
            "{}",
            ran.answers
        );
        assert_eq!(ran.answers.matches("550 5.7.0 not from here\r\n").count(), 2);
        let told = if tells_client {
            &[
                "EHLO c",
                "XCLIENT ADDR=192.0.2.1 NAME=[UNAVAILABLE] LOGIN=[UNAVAILABLE]",
                "EHLO c",
                "MAIL FROM:<a@example.org>",
            ][..]
        } else {
            // The next hop hears the true one, once.
            &["EHLO c", "XFORWARD ADDR=192.0.2.1", "MAIL FROM:<a@example.org>"]
        };
        assert_eq!(ran.heard[..told.len()], *told);
        assert_eq!(ran.taken.len(), 1);
    }
}

#[test]
fn a_next_hop_that_has_to_know_the_client_is_told_before_anything_else() {
    let peer = Some("2001:db8::1".parse().expect("an address"));
    let from =
        client::From { peer, is_stranger: true, tells_client: true, ..client::From::default() };
    let run = |says: &str, next: Next| {
        client::run_from(from, says.as_bytes(), 100, next, &filter(), &in_memory())
    };
    let (_, without_hello) = CAFE.split_once("\r\n").expect("lines");
    let ran = run(
        &without_hello
            .replace("DATA\r\nSubject: caf\u{e9}\r\n\r\n..dot\r\n.\r\n", "VRFY ada\r\nNOOP\r\n"),
        with(&["XCLIENT ADDR"]),
    );
    assert_eq!(
        (ran.answers.matches("503 5.5.1 EHLO").count(), &ran.heard[..]),
        (4, &["QUIT".to_owned()][..])
    );
    // Told again on a new connection; a second EHLO of the client tells nothing new.
    let next = Next { leaves_before: "DATA", ..with(&["XCLIENT ADDR"]) };
    let ran = run(&CAFE.replace("MAIL", "EHLO d\r\nMAIL"), next);
    let told = "XCLIENT ADDR=IPV6:2001:db8::1";
    let begun = [
        "EHLO c",
        told,
        "EHLO c",
        "EHLO d",
        "MAIL FROM:<a@example.org>",
        "RCPT TO:<b@example.org>",
    ];
    let again = [
        "EHLO d",
        told,
        "EHLO d",
        "MAIL FROM:<a@example.org>",
        "RCPT TO:<b@example.org>",
        "DATA",
        "QUIT",
    ];
    assert_eq!(ran.heard, [&begun[..], &again].concat());
    assert_eq!(ran.taken.len(), 1);
    // The next hop would take the client for the gateway: then nothing goes on.
    let ran = run(CAFE, with(FULL));
    assert!(
        matches!(ran.ended, Err(Broken::Next(_))) && ran.heard == ["EHLO c"],
        "{:?}",
        ran.heard
    );
    let refuses =
        Next { answers: vec![("XCLIENT", "554 5.7.1 blocked")], ..with(&["XCLIENT ADDR"]) };
    let ran = run(CAFE, refuses);
    assert!(
        ran.answers.contains("\r\n554 5.7.1 blocked\r\n503 5.5.1 EHLO") && ran.taken.is_empty(),
        "{}",
        ran.answers
    );
}
