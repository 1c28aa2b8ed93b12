//! The gateway and messages that come in chunks; addresses that a next hop without SMTPUTF8 takes
//! in ASCII.

use super::filter;
use super::gateway::FULL;
use super::gateway_cases::{in_memory, run, run_by, with};
use crate::filter::{Filter, OnFailure};
use crate::gateway::{Broken, Room};
use crate::memory::Memory;

/// A transaction up to its message.
const BEGUN: &str =
    "EHLO c\r\nMAIL FROM:<a@example.org> BODY=8BITMIME\r\nRCPT TO:<b@example.org>\r\n";

/// 30 octets, then 16.
const CHUNKS: &str =
    "BDAT 30\r\nSubject: caf\u{e9}\r\n\r\n.dot\r\n.\r\nQUIBDAT 16 LAST\r\nT\r\nMAIL FROM\r\n\r\n";

#[test]
fn a_message_in_chunks_goes_on_whole() {
    for extensions in [&[][..], FULL] {
        for piece in [1, 7, usize::MAX] {
            let says = format!("{BEGUN}{CHUNKS}QUIT\r\n");
            let ran = run_by(says.as_bytes(), piece, with(extensions), &filter(), &in_memory());
            let codes = ["250 2.1.0", "250 2.1.5", "250 2.0.0", "250 2.0.0", "221 2.0.0"];
            assert_eq!(ran.codes, codes, "{}", ran.all);
            assert_eq!(ran.heard[3..], ["DATA", "QUIT"]);
            let message =
                b"Subject: =?utf-8?B?Y2Fmw6k=?=\r\n\r\n..dot\r\n..\r\nQUIT\r\nMAIL FROM\r\n\r\n";
            assert_eq!(ran.messages, [message]);
            assert_eq!(ran.records[0].octets, 46);
        }
    }
}

#[test]
fn a_chunk_is_no_command_whatever_becomes_of_it() {
    let evil = "RSET\r\nMAIL FROM:<evil@example.org>\r\n";
    let chunk = format!("BDAT {}\r\n{evil}", evil.len());
    // Without a recipient; after a message; amid which no other begins.
    let begun = "MAIL FROM:<a@example.org>\r\n";
    let says = format!(
        "EHLO c\r\n{chunk}{begun}{chunk}RCPT TO:<b@example.org>\r\nBDAT 1\r\nx{begun}DATA\r\nNOOP\r\nRSET\r\n{chunk}"
    );
    let ran = run(&says, with(FULL));
    let codes = [
        "503 5.5.1",
        "250 2.1.0",
        "503 5.5.1",
        "250 2.1.5",
        "250 2.0.0",
        "503 5.5.1",
        "503 5.5.1",
        "250 2.0.0",
        "250 2.1.0",
    ];
    assert_eq!(ran.codes[..9], codes);
    assert_eq!(ran.codes[9..], ["503 5.5.1"]);
    assert!(
        ran.messages.is_empty() && !ran.heard.iter().any(|line| line.contains("evil")),
        "{:?}",
        ran.heard
    );
    // Of unknown length: nothing after it is read.
    for wrong in ["BDAT", "BDAT x LAST", "BDAT 1 FIRST", "BDAT 99999999999999999999"] {
        let ran = run(&format!("{BEGUN}{wrong}\r\n{evil}"), with(FULL));
        assert_eq!(ran.codes[2..], ["501 5.5.4"], "{wrong}");
        assert!(!ran.heard.iter().any(|line| line.contains("evil")));
    }
}

#[test]
fn chunks_have_the_limits_of_messages() {
    let small = |on_too_large| Filter { max_message: 40, on_too_large, ..filter() };
    let says = format!("{BEGUN}{CHUNKS}");
    for (policy, code) in [
        (OnFailure::Reject, "552 5.3.4"),
        (OnFailure::TempFail, "451 4.3.4"),
        (OnFailure::Accept, "250 2.0.0"),
    ] {
        let ran = run_by(says.as_bytes(), 100, with(FULL), &small(policy), &in_memory());
        assert_eq!(ran.codes[3], code);
        assert_eq!(ran.records[0].octets, 46);
    }
    // Its file is gone: all chunks are read, and the message is refused.
    let directory = Some("/no/such/place".into());
    let room = Room { memory: 4, directory, total: Memory::default(), files: Memory::default() };
    let ran = run_by(says.as_bytes(), 100, with(FULL), &filter(), &room);
    assert_eq!(ran.codes[2..], ["250 2.0.0", "452 4.3.1"]);
    // A last line without its end gets one, as by DATA.
    let ran = run(&format!("{BEGUN}BDAT 9 LAST\r\nA: b\r\n\r\nx"), with(FULL));
    assert_eq!((ran.records[0].octets, &ran.messages[0][..]), (11, &b"A: b\r\n\r\nx\r\n"[..]));
    let ran = run(&says[..says.len() - 3], with(FULL));
    assert!(ran.messages.is_empty() && matches!(ran.ended, Err(Broken::Client(_))));
}

#[test]
fn chunks_in_lmtp_have_an_answer_for_each_recipient() {
    let says = format!("L{}RCPT TO:<c@example.org>\r\n{CHUNKS}", &BEGUN.replace("EHLO", "HLO"));
    assert_eq!(run(&says, with(FULL)).codes[3..], ["250 2.0.0", "250 2.0.0", "452 4.2.2"]);
}

#[test]
fn a_domain_beyond_ascii_is_written_in_ascii() {
    let says = "EHLO c\r\nMAIL FROM:<a@b\u{fc}cher.example> SMTPUTF8\r\nRCPT TO:<b@b\u{fc}cher.example> ORCPT=utf-8;b@b\u{fc}cher.example\r\n\
        RCPT TO:<\u{fc}@b\u{fc}cher.example>\r\nRCPT TO:<c@\u{1d41a}.example>\r\nDATA\r\nx\r\n.\r\n";
    let ran = run(says, with(&[]));
    assert_eq!(
        ran.codes,
        ["250 2.1.0", "250 2.1.5", "553 5.6.7", "553 5.6.7", "354 go", "250 2.0.0"]
    );
    let recipient = "RCPT TO:<b@xn--bcher-kva.example> ORCPT=utf-8;b@b\\x{FC}cher.example";
    assert_eq!(ran.heard[1..3], ["MAIL FROM:<a@xn--bcher-kva.example>", recipient]);
    assert_eq!(ran.records[0].envelope.to, ["b@xn--bcher-kva.example"]);
    // Where SMTPUTF8 is offered, what needs it is still said.
    let ran = run(says, with(FULL));
    assert!(ran.heard.contains(&"RCPT TO:<\u{fc}@b\u{fc}cher.example>".to_owned()));
    assert_eq!(ran.codes[..4], ["250 2.1.0", "250 2.1.5", "250 2.1.5", "250 2.1.5"]);
    // A client that did not say SMTPUTF8 may not use it.
    let ran = run(&says.replace(" SMTPUTF8", ""), with(&[]));
    assert_eq!(ran.codes[0], "553 5.6.7");
}
