//! The gateway over octets: with a scripted client, and a next hop that behaves as servers do.

use sevenbit::Signed;

use super::client;
use super::gateway::{FULL, check, inputs};
use super::next_hop::NextHop as Next;
use super::{filter, hold};
use crate::filter::{Fate, Filter, OnFailure, Record};
use crate::gateway::{Broken, Room};
use crate::memory::Memory;

pub struct Ran {
    /// The codes that the client received, except for greeting and EHLO.
    pub codes: Vec<String>,
    pub all: String,
    pub heard: Vec<String>,
    pub messages: Vec<Vec<u8>>,
    pub records: Vec<Record>,
    pub ended: Result<(), Broken>,
}

pub fn run_by(says: &[u8], piece: usize, next: Next, filter: &Filter, room: &Room) -> Ran {
    let client::Ran { answers: all, heard, taken, records, ended } =
        client::run(says, piece, next, filter, room);
    let codes = all
        .lines()
        .filter(|line| line.as_bytes().get(3) == Some(&b' '))
        .skip(2)
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    let messages = taken.into_iter().map(|(_, message)| message).collect();
    Ran { codes, all, heard, messages, records, ended }
}

pub fn in_memory() -> Room {
    Room { memory: 1 << 20, directory: None, total: Memory::default(), files: Memory::default() }
}

pub fn run(says: &str, next: Next) -> Ran {
    run_by(says.as_bytes(), usize::MAX, next, &filter(), &in_memory())
}

pub fn with(extensions: &[&'static str]) -> Next {
    Next::with(extensions)
}

/// A whole transaction with a subject that is not 7-bit.
pub const CAFE: &str = "EHLO c\r\nMAIL FROM:<a@example.org> SIZE=50 BODY=8BITMIME SMTPUTF8\r\nRCPT TO:<b@example.org>\r\n\
    DATA\r\nSubject: caf\u{e9}\r\n\r\n..dot\r\n.\r\nQUIT\r\n";

#[test]
fn seven_bit_output_demands_nothing() {
    for extensions in [&[][..], FULL] {
        let ran = run(CAFE, with(extensions));
        assert_eq!(
            ran.codes,
            ["250 2.1.0", "250 2.1.5", "354 go", "250 2.0.0", "221 2.0.0"],
            "{}",
            ran.all
        );
        let mail = "MAIL FROM:<a@example.org>";
        assert_eq!(ran.heard, ["EHLO c", mail, "RCPT TO:<b@example.org>", "DATA", "QUIT"]);
        assert_eq!(ran.messages, [b"Subject: =?utf-8?B?Y2Fmw6k=?=\r\n\r\n..dot\r\n"]);
        assert!(ran.ended.is_ok());
        let [record] = &ran.records[..] else { panic!("one record") };
        assert_eq!((record.fate, record.octets), (Fate::Changed, 24));
        assert_eq!(record.answer, "250 2.0.0 queued as X");
    }
}

#[test]
fn the_client_is_offered_what_works_through_the_gateway() {
    let all = [
        "SIZE 1000000",
        "DSN",
        "XFORWARD NAME ADDR",
        "CHUNKING",
        "BINARYMIME",
        "STARTTLS",
        "AUTH PLAIN",
    ];
    for (extensions, passed) in
        [(&[][..], &["SIZE 1048576"][..]), (&all, &["SIZE 1000000", "XFORWARD NAME ADDR"])]
    {
        let ran = run("EHLO c\r\n", with(extensions));
        let words = ["8BITMIME", "SMTPUTF8", "PIPELINING", "CHUNKING", "DSN"].iter().chain(passed);
        for word in words {
            let line = |mark| ran.all.contains(&format!("\r\n250{mark}{word}\r\n"));
            assert!(line("-") || line(" "), "{word}: {}", ran.all);
        }
        for word in ["BINARYMIME", "STARTTLS", "AUTH"] {
            assert!(!ran.all.contains(word), "{word}: {}", ran.all);
        }
    }
}

#[test]
fn parameters_that_are_not_the_gateways_pass_as_they_are() {
    let mail = "MAIL FROM:<a@example.org> RET=HDRS ENVID=QQ+2B314159 SIZE=7 X-NEW=\"1\"";
    let rcpt = "rcpt to: <b@example.org> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;Bob+2B@example.org";
    let ran =
        run(&format!("EHLO c\r\n{mail} BODY=8BITMIME\r\n{rcpt}\r\nDATA\r\nx\r\n.\r\n"), with(&[]));
    assert_eq!(ran.heard[1..3], [&mail.replace(" SIZE=7", ""), rcpt]);
    assert_eq!(ran.messages.len(), 1);
}

#[test]
fn nothing_depends_on_how_the_octets_come() {
    let whole = run(CAFE, with(FULL));
    for piece in 1..30 {
        let pieces = run_by(CAFE.as_bytes(), piece, with(FULL), &filter(), &in_memory());
        assert_eq!(
            (&pieces.all, &pieces.heard, &pieces.messages),
            (&whole.all, &whole.heard, &whole.messages)
        );
    }
}

#[test]
fn the_laws_hold() {
    hold("gateway", inputs, check);
}

#[test]
fn a_recipient_beyond_ascii_restarts_the_transaction() {
    let says = "EHLO c\r\nMAIL FROM:<a@example.org> SMTPUTF8\r\nRCPT TO:<b@example.org>\r\nRCPT TO:<\u{e9}@example.org>\r\n\
        RCPT TO:<\u{e8}@example.org>\r\nDATA\r\nx\r\n.\r\n";
    let ran = run(says, with(FULL));
    assert_eq!(
        ran.codes,
        ["250 2.1.0", "250 2.1.5", "250 2.1.5", "250 2.1.5", "354 go", "250 2.0.0"]
    );
    let expected = [
        "EHLO c",
        "MAIL FROM:<a@example.org>",
        "RCPT TO:<b@example.org>",
        "RSET",
        "MAIL FROM:<a@example.org> SMTPUTF8",
        "RCPT TO:<b@example.org>",
        "RCPT TO:<\u{e9}@example.org>",
        "RCPT TO:<\u{e8}@example.org>",
        "DATA",
        "QUIT",
    ];
    assert_eq!(ran.heard, expected);

    let ran = run(says, with(&["8BITMIME"]));
    assert_eq!(
        ran.codes,
        ["250 2.1.0", "250 2.1.5", "553 5.6.7", "553 5.6.7", "354 go", "250 2.0.0"]
    );
    assert_eq!(ran.messages.len(), 1);
}

#[test]
fn a_parameter_beyond_ascii_goes_where_it_is_accepted() {
    let says = "EHLO c\r\nMAIL FROM:<a@example.org> ENVID=\u{e9}\r\nMAIL FROM:<a@example.org> SMTPUTF8\r\n\
        RCPT TO:<b@example.org> ORCPT=utf-8;\u{e9}@example.org\r\nRCPT TO:<c@example.org> ORCPT=rfc822;\u{e9}@example.org\r\n\
        VRFY \u{e9}\r\nRSET\r\nRCPT TO:<\u{e9}@example.org>\r\n";
    let ran = run(says, with(&["8BITMIME"]));
    let codes =
        ["553 5.6.7", "250 2.1.0", "250 2.1.5", "553 5.6.7", "502 5.5.1", "250 2.1.0", "553 5.6.7"];
    assert_eq!(ran.codes, codes);
    let written = "RCPT TO:<b@example.org> ORCPT=utf-8;\\x{E9}@example.org";
    assert_eq!(ran.heard, ["EHLO c", "MAIL FROM:<a@example.org>", written, "RSET", "QUIT"]);

    let ran = run(says, with(FULL));
    assert_eq!(ran.codes[3], "250 2.1.5");
    let again = ["RSET", "MAIL FROM:<a@example.org> SMTPUTF8", written];
    assert_eq!(ran.heard[3..6], again);
    assert_eq!(ran.heard[6], "RCPT TO:<c@example.org> ORCPT=rfc822;\u{e9}@example.org");
}

#[test]
fn a_sender_beyond_ascii_needs_a_next_hop_that_takes_it() {
    let says = "EHLO c\r\nMAIL FROM:<\u{e9}@example.org> BODY=8BITMIME SMTPUTF8\r\nRCPT TO:<b@example.org>\r\n";
    assert_eq!(run(says, with(FULL)).heard[1], "MAIL FROM:<\u{e9}@example.org> SMTPUTF8");
    assert_eq!(run(says, with(&[])).codes, ["553 5.6.7", "250 2.1.5"]);
}

pub const SIGNED: &str = "EHLO c\r\nMAIL FROM:<a@example.org> BODY=8BITMIME\r\nRCPT TO:<b@example.org>\r\nDATA\r\n\
    Content-Type: multipart/signed; boundary=b; protocol=\"application/pgp-signature\"\r\nMIME-Version: 1.0\r\n\r\n\
    --b\r\n\r\nd\u{e9}j\u{e0} vu\r\n--b\r\nContent-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n--b--\r\n.\r\n";

#[test]
fn what_has_to_stay_8bit_needs_a_next_hop_that_takes_it() {
    let refuses = Filter { normalizer: filter().normalizer.signed(Signed::Refuse), ..filter() };
    let ran = run_by(SIGNED.as_bytes(), 100, with(FULL), &refuses, &in_memory());
    assert_eq!(ran.codes.last().map(String::as_str), Some("250 2.0.0"));
    assert_eq!(ran.records[0].fate, Fate::Refused);
    assert!(SIGNED.as_bytes().windows(ran.messages[0].len()).any(|part| part == ran.messages[0]));
    let again = [
        "RSET",
        "MAIL FROM:<a@example.org> BODY=8BITMIME",
        "RCPT TO:<b@example.org>",
        "DATA",
        "QUIT",
    ];
    assert_eq!(ran.heard[3..], again);

    let ran = run_by(SIGNED.as_bytes(), 100, with(&[]), &refuses, &in_memory());
    assert_eq!(ran.codes.last().map(String::as_str), Some("554 5.6.3"));
    assert!(ran.messages.is_empty());
    assert_eq!(ran.heard[3..], ["RSET", "QUIT"]);
}

#[test]
fn bare_line_ends_do_not_pass_as_they_are() {
    let says = "EHLO c\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\nSubject: x\r\n\r\na\n.\n\
        MAIL FROM:<evil@example.org>\nb\r\n.\r\n";
    let ran = run(says, with(FULL));
    assert_eq!(ran.messages.len(), 1, "smuggled");
    let message = String::from_utf8_lossy(&ran.messages[0]);
    assert!(message.contains("\r\n..\r\nMAIL FROM:<evil@example.org>\r\n"), "{message}");

    let accepts = Filter { max_message: 10, on_too_large: OnFailure::Accept, ..filter() };
    let ran = run_by(says.as_bytes(), 100, with(FULL), &accepts, &in_memory());
    assert!(ran.messages.is_empty());
    assert_eq!(ran.codes.last().map(String::as_str), Some("554 5.6.0"));
}

#[test]
fn a_client_that_disconnects_leaves_nothing_behind() {
    let end = CAFE.find("QUIT").expect("QUIT");
    for cut in 0..end {
        if !CAFE.is_char_boundary(cut) {
            continue;
        }
        let ran = run(&CAFE[..cut], with(FULL));
        assert!(ran.messages.is_empty(), "cut at {cut}");
    }
}

#[test]
fn lmtp_has_an_answer_for_each_recipient() {
    let says = "LHLO c\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nRCPT TO:<c@example.org>\r\nDATA\r\n\
        Subject: caf\u{e9}\r\n\r\n.\r\nQUIT\r\n";
    let ran = run(says, with(FULL));
    assert_eq!(ran.heard[0], "LHLO c");
    assert_eq!(ran.codes[3..], ["354 go", "250 2.0.0", "452 4.2.2", "221 2.0.0"]);
    let small = Filter { max_message: 3, ..filter() };
    let ran = run_by(says.as_bytes(), 100, with(FULL), &small, &in_memory());
    assert_eq!(ran.codes[3..], ["354 go", "552 5.3.4", "552 5.3.4", "221 2.0.0"]);
}

#[test]
fn helo_is_answered_and_asked_as_ehlo() {
    let says = "HELO c\r\nMAIL FROM:<a@example.org>\r\n";
    let ran = run(says, with(FULL));
    assert_eq!(ran.heard[0], "EHLO c");
    assert!(ran.all.contains("\r\n250 gw.test\r\n"));
    let old = Next { answers: vec![("EHLO", "502 5.5.1 what")], ..with(&[]) };
    assert_eq!(run(says, old).heard[..2], ["EHLO c", "HELO c"]);
}

#[test]
fn what_a_postfix_forwards_is_said_of_its_message_and_of_no_other() {
    let says = "EHLO c\r\nXFORWARD NAME=x IDENT=4QABC\r\nXFORWARD SOURCE=LOCAL\r\nMAIL FROM:<a@example.org> SMTPUTF8\r\n\
        RCPT TO:<b@example.org>\r\nRCPT TO:<\u{e9}@example.org>\r\nDATA\r\n.\r\n\
        MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n.\r\n";
    let ran = run(says, with(FULL));
    assert_eq!(
        ran.records.iter().map(|record| record.id.as_str()).collect::<Vec<_>>(),
        ["4QABC", ""]
    );
    // RSET makes a server forget it.
    let again = [
        "RSET",
        "XFORWARD NAME=x IDENT=4QABC",
        "XFORWARD SOURCE=LOCAL",
        "MAIL FROM:<a@example.org> SMTPUTF8",
    ];
    assert_eq!(ran.heard[5..9], again);
}

#[test]
fn other_commands_pass_or_are_not_offered() {
    let says = "EHLO c\r\nXFORWARD NAME=x ADDR=192.0.2.1\r\nNOOP\r\nSTARTTLS\r\nBURL x LAST\r\nMAIL FROM:<a@b> BODY=BINARYMIME\r\n\
        DATA\r\nNOOP\nQUIT\r\n\r\nRSET\r\n";
    let ran = run(says, with(FULL));
    let codes = [
        "250 2.0.0",
        "250 2.0.0",
        "502 5.5.1",
        "502 5.5.1",
        "555 5.5.4",
        "503 5.5.1",
        "502 5.5.1",
        "502 5.5.1",
    ];
    assert_eq!(ran.codes[..8], codes);
    assert_eq!(ran.heard[1..], ["XFORWARD NAME=x ADDR=192.0.2.1", "NOOP", "RSET", "QUIT"]);
}

#[test]
fn what_was_found_is_added_if_that_is_asked() {
    let reports = Filter { header_report: Some("X-Found".to_owned()), ..filter() };
    let ran = run_by(CAFE.as_bytes(), 100, with(FULL), &reports, &in_memory());
    assert!(
        ran.messages[0].starts_with(b"X-Found: raw-header-text\r\nSubject: "),
        "{}",
        ran.messages[0].escape_ascii()
    );
}

#[test]
fn an_answer_does_not_wait_for_half_a_command() {
    let ran = run("EHLO c\r\nNOOP\r\nNO", with(FULL));
    assert_eq!(ran.codes, ["250 2.0.0"]);
}

#[test]
fn an_address_that_is_not_utf8_goes_nowhere() {
    let says = b"EHLO c\r\nMAIL FROM:<\xE9@example.org> SMTPUTF8\r\nMAIL FROM:<a@example.org> SMTPUTF8\r\nRCPT TO:<\xE9@example.org>\r\n";
    let ran = run_by(says, 100, with(FULL), &filter(), &in_memory());
    assert_eq!(ran.codes, ["553 5.6.7", "250 2.1.0", "553 5.6.7"], "{}", ran.all);
    assert_eq!(ran.heard, ["EHLO c", "MAIL FROM:<a@example.org>", "QUIT"]);
}
