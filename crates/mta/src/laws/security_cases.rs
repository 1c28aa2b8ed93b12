//! STARTTLS on both sides, and AUTH. That the encryption is one is for `cli/tests/mta/tls.rs`.

use std::io::ErrorKind;

use super::client::{From, Ran, run_from};
use super::filter;
use super::gateway_cases::{CAFE, in_memory, with};
use super::next_hop::NextHop as Next;
use crate::gateway::Broken;

const LOGINS: &[&str] = &["AUTH PLAIN LOGIN CRAM-MD5", "STARTTLS"];

fn run(from: From, says: &str, next: Next) -> Ran {
    run_from(from, says.as_bytes(), 1, next, &filter(), &in_memory())
}

fn private() -> From {
    From { is_private: true, ..From::default() }
}

#[test]
fn a_client_may_encrypt_its_connection() {
    let from = From { offers_tls: true, ..From::default() };
    let says = format!(
        "EHLO c\r\nMAIL FROM:<evil@example.org>\r\nSTARTTLS x\r\nSTARTTLS\r\n{}STARTTLS\r\n",
        CAFE.replace("QUIT\r\n", "")
    );
    let ran = run(from, &says, with(&[]));
    let offers: Vec<bool> = ran
        .answers
        .split("-gw.test\r\n")
        .skip(1)
        .map(|part| part.contains("STARTTLS\r\n"))
        .collect();
    // The part before the second EHLO has the word in no other line.
    assert_eq!(offers, [true, false], "{}", ran.answers);
    assert!(ran.answers.contains("501 5.5.4 ") && ran.answers.contains("220 2.0.0 go on\r\n"));
    assert!(ran.answers.ends_with("502 5.5.1 not offered here\r\n"));
    // The transaction begun in clear has ended.
    let heard =
        ["EHLO c", "MAIL FROM:<evil@example.org>", "RSET", "EHLO c", "MAIL FROM:<a@example.org>"];
    assert_eq!(ran.heard[..5], heard);
    assert_eq!(ran.taken.len(), 1);
    let ran = run(From::default(), "EHLO c\r\nSTARTTLS\r\n", with(LOGINS));
    assert!(
        ran.answers.ends_with("502 5.5.1 not offered here\r\n")
            && !ran.answers.contains("STARTTLS")
    );
}

/// Anyone on the way could add commands to those of the client.
#[test]
fn what_comes_in_clear_after_starttls_is_not_read() {
    let from = From { offers_tls: true, ..From::default() };
    let says = format!("EHLO c\r\nSTARTTLS\r\n{CAFE}");
    let ran = run_from(from, says.as_bytes(), usize::MAX, with(&[]), &filter(), &in_memory());
    assert!(
        matches!(ran.ended, Err(Broken::Client(error)) if error.kind() == ErrorKind::InvalidData)
    );
    assert_eq!(ran.heard, ["EHLO c", "QUIT"]);
}

#[test]
fn the_connection_to_the_next_hop_is_encrypted_before_anything_else() {
    let next = |leaves_before| Next { has_tls: true, leaves_before, ..with(&["STARTTLS"]) };
    let ran =
        run(From::default(), &format!("MAIL FROM:<a@example.org>\r\nNOOP\r\n{CAFE}"), next("DATA"));
    assert_eq!(ran.answers.matches("503 5.5.1 EHLO").count(), 2);
    let begun = [
        "EHLO c",
        "STARTTLS",
        "(encrypted)",
        "EHLO c",
        "MAIL FROM:<a@example.org>",
        "RCPT TO:<b@example.org>",
    ];
    assert_eq!(ran.heard, [&begun[..], &begun, &["DATA", "QUIT"]].concat());
    assert_eq!(ran.taken.len(), 1);
    for next in [
        Next { has_tls: true, ..with(&[]) },
        Next {
            has_tls: true,
            answers: vec![("STARTTLS", "454 4.7.0 not now")],
            ..with(&["STARTTLS"])
        },
    ] {
        let ran = run(From::default(), CAFE, next);
        assert!(matches!(ran.ended, Err(Broken::Next(_))) && ran.taken.is_empty());
        assert!(!ran.heard.iter().any(|line| line.starts_with("MAIL")), "{:?}", ran.heard);
    }
}

#[test]
fn a_login_is_the_next_hops_and_said_again_on_a_new_connection() {
    let next = |leaves_before| Next { is_private: true, leaves_before, ..with(LOGINS) };
    let login = "EHLO c\r\nAUTH LOGIN\r\nYWRh\r\nc2VjcmV0\r\nAUTH LOGIN\r\n";
    let says = format!("{login}{}", CAFE.replace("EHLO c\r\n", ""));
    let ran = run(private(), &says, next("DATA"));
    assert!(ran.answers.contains("250-AUTH PLAIN LOGIN\r\n") && !ran.answers.contains("CRAM"));
    assert!(
        ran.answers
            .contains("334 VXNlcm5hbWU6\r\n334 UGFzc3dvcmQ6\r\n235 2.7.0 welcome\r\n503 5.5.1 ")
    );
    let begun = [
        "EHLO c",
        "AUTH LOGIN",
        "YWRh",
        "c2VjcmV0",
        "MAIL FROM:<a@example.org>",
        "RCPT TO:<b@example.org>",
    ];
    assert_eq!(ran.heard, [&begun[..], &begun, &["DATA", "QUIT"]].concat());
    assert_eq!(ran.taken.len(), 1);
    // One that is no longer accepted: its client is to try again.
    let refuses = Next { answers_again: vec![("AUTH", "535 5.7.8 no")], ..next("DATA") };
    assert!(run(private(), &says, refuses).answers.contains("\r\n451 4.3.0 "));
}

#[test]
fn nothing_but_an_answer_passes_as_one() {
    let next = || Next { is_private: true, ..with(LOGINS) };
    for wrong in ["MAIL FROM:<evil@example.org>", "YWRh\nDATA", "\u{e9}", &"a".repeat(9000)] {
        let ran = run(private(), &format!("EHLO c\r\nAUTH LOGIN\r\n{wrong}\r\nNOOP\r\n"), next());
        assert_eq!(ran.heard, ["EHLO c", "AUTH LOGIN", "*", "NOOP", "QUIT"]);
        assert!(ran.answers.contains("501 5.5.2 "), "{}", ran.answers);
    }
    let ran = run(
        private(),
        "EHLO c\r\nAUTH CRAM-MD5\r\nAUTH\r\nMAIL FROM:<>\r\nAUTH PLAIN AGEAYg==\r\n",
        next(),
    );
    assert_eq!(
        (ran.answers.matches("504 5.5.4 ").count(), ran.answers.matches("503 5.5.1 ").count()),
        (2, 1)
    );
}

/// A password in clear is everyone's.
#[test]
fn a_login_is_not_offered_where_others_hear_it() {
    for (from, next) in [
        (From::default(), Next { is_private: true, ..with(LOGINS) }),
        (private(), with(LOGINS)),
        (private(), Next { is_private: true, ..with(&["AUTH CRAM-MD5"]) }),
    ] {
        let ran = run(from, "EHLO c\r\nAUTH PLAIN AGFkYQBzZWNyZXQ=\r\n", next);
        assert!(
            ran.answers.ends_with("502 5.5.1 not offered here\r\n")
                && !ran.answers.contains("AUTH")
        );
        assert_eq!(ran.heard, ["EHLO c", "QUIT"]);
    }
}

/// The next hop would take a client that a proxy does not name for the gateway, and relay for it.
#[test]
fn a_client_that_is_not_known_is_said_to_be_so() {
    let from = From { is_unknown: true, is_stranger: true, tells_client: true, ..From::default() };
    let ran = run(from, CAFE, with(&["XCLIENT NAME ADDR"]));
    let told = "XCLIENT ADDR=[UNAVAILABLE] NAME=[UNAVAILABLE]".to_owned();
    assert_eq!(ran.heard[..3], ["EHLO c".to_owned(), told, "EHLO c".to_owned()]);
    assert_eq!(ran.taken.len(), 1);
    // A Unix socket has no address either, and is known.
    let from = From { is_unknown: false, ..from };
    assert!(
        !run(from, CAFE, with(&["XCLIENT NAME ADDR"]))
            .heard
            .iter()
            .any(|line| line.starts_with("XCLIENT"))
    );
}
