//! The gateway and what is too long, too much, or too often.

use super::filter;
use super::gateway::{ENVELOPE, FULL};
use super::gateway_cases::{CAFE, in_memory, run, run_by, with};
use crate::filter::{Fate, Filter, OnFailure};
use crate::gateway::Room;
use crate::memory::Memory;

#[test]
fn too_large_messages_are_left_to_the_policy() {
    let small = |on_too_large| Filter { max_message: 10, on_too_large, ..filter() };
    let ran = run_by(CAFE.as_bytes(), 100, with(FULL), &small(OnFailure::TempFail), &in_memory());
    assert_eq!(ran.codes, ["250 2.1.0", "250 2.1.5", "354 go", "451 4.3.4", "221 2.0.0"]);
    assert!(ran.messages.is_empty() && ran.records[0].fate == Fate::TooLarge);

    let ran = run_by(CAFE.as_bytes(), 100, with(FULL), &small(OnFailure::Accept), &in_memory());
    assert_eq!(ran.messages, ["Subject: caf\u{e9}\r\n\r\n..dot\r\n".as_bytes()]);
    assert!(ran.heard.contains(&"MAIL FROM:<a@example.org> BODY=8BITMIME SMTPUTF8".to_owned()));

    let ran =
        run_by(CAFE.as_bytes(), 100, with(&["8BITMIME"]), &small(OnFailure::Accept), &in_memory());
    assert_eq!(ran.codes[3], "554 5.6.3");

    // Before it has come, if its client says so; a next hop that takes less is believed.
    let reject = small(OnFailure::Reject);
    let ran = run_by(CAFE.as_bytes(), 100, with(FULL), &reject, &in_memory());
    assert!(ran.all.contains("250-SIZE 10\r\n"), "{}", ran.all);
    assert_eq!(ran.codes[..3], ["552 5.3.4", "250 2.1.5", "503 5.5.1"]);
    let undeclared = CAFE.replace(" SIZE=50", "");
    let ran = run_by(undeclared.as_bytes(), 100, with(FULL), &reject, &in_memory());
    assert_eq!(ran.codes[2..], ["354 go", "552 5.3.4", "221 2.0.0"]);
    assert_eq!(ran.records[0].octets, 24);
    assert_eq!(run(CAFE, with(&["SIZE 40"])).codes[0], "552 5.3.4");
}

#[test]
fn messages_that_outgrow_the_next_hop_are_left_to_the_policy() {
    let policy = |on_too_large| Filter { on_too_large, ..filter() };
    // 24 octets that become 44.
    let says = CAFE.replace(" SIZE=50", "");
    for (size, on_too_large, code) in [
        ("SIZE 44", OnFailure::Reject, "250 2.0.0"),
        ("SIZE 30", OnFailure::Reject, "552 5.3.4"),
        ("SIZE 30", OnFailure::TempFail, "451 4.3.4"),
        ("SIZE 30", OnFailure::Accept, "250 2.0.0"),
    ] {
        let ran = run_by(
            says.as_bytes(),
            100,
            with(&[size, "8BITMIME", "SMTPUTF8"]),
            &policy(on_too_large),
            &in_memory(),
        );
        assert_eq!(ran.codes[3], code, "{size} {on_too_large:?}");
        let is_over = size == "SIZE 30";
        assert_eq!(ran.records[0].fate, if is_over { Fate::TooLarge } else { Fate::Changed });
        assert_eq!(
            ran.messages.first().is_some_and(|message| !message.is_ascii()),
            on_too_large == OnFailure::Accept
        );
    }
}

#[test]
fn commands_that_carry_nothing_on_have_an_end() {
    let ran = run(&format!("EHLO c\r\n{}", "NOOP\r\n".repeat(1000)), with(FULL));
    assert_eq!(ran.codes.last().map(String::as_str), Some("421 4.7.0"));
    assert!(ran.codes.len() <= 101, "{}", ran.codes.len());
    // Each message allows for more.
    let says = CAFE.replace("EHLO c\r\n", "").replace("QUIT", "NOOP");
    let says = format!("EHLO c\r\n{}", format!("{}{says}", "RSET\r\n".repeat(60)).repeat(5));
    assert_eq!(run(&says, with(FULL)).messages.len(), 5);
}

#[test]
fn memory_that_is_used_up_is_a_file_and_then_a_reason_to_try_again() {
    let text = format!("Subject: x\r\n\r\n{}", "d\u{e9}j\u{e0} vu\r\n".repeat(60_000)).into_bytes();
    for (message, total, code) in [
        (&text, 4 << 20, "250 2.0.0"),
        (&text, 512 << 10, "452 4.3.1"),
        // The middle of an attachment stays in the file.
        (&attachment(30_000), 512 << 10, "250 2.0.0"),
    ] {
        let says = [ENVELOPE, message, b".\r\nQUIT\r\n"].concat();
        let room = Room { total: Memory::new(total), ..in_memory() };
        let filter = Filter { max_message: 4 << 20, ..filter() };
        let ran = run_by(&says, 5000, with(FULL), &filter, &room);
        assert_eq!(ran.codes[3], code, "{total}");
        assert_eq!(ran.records[0].fate == Fate::NoRoom, code.starts_with('4'));
        assert_eq!(ran.records[0].octets, message.len() as u64);
    }
}

#[test]
fn a_long_message_goes_through_a_file() {
    let message = attachment(6000);
    let says = [
        b"EHLO c\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n",
        &message[..],
        b".\r\nQUIT\r\n",
    ]
    .concat();
    let room = Room { memory: 1000, ..in_memory() };
    let ran = run_by(&says, 5000, with(FULL), &filter(), &room);
    assert_eq!(ran.messages[0], filter().normalizer.normalize(&message).octets());

    // No room for the file: the message is read to its end, and the conversation goes on.
    let none = Room { memory: 1000, directory: Some("/nowhere/at/all".into()), ..in_memory() };
    let ran = run_by(&says, 5000, with(FULL), &filter(), &none);
    assert_eq!(ran.codes[2..], ["354 go", "452 4.3.1", "221 2.0.0"]);
    assert_eq!(ran.records[0].fate, Fate::Failed);
}

#[test]
fn a_line_without_end_is_refused() {
    let says = format!("EHLO c\r\nMAIL FROM:<{}@b>\r\nNOOP\r\n", "a".repeat(100_000));
    assert_eq!(run(&says, with(FULL)).codes, ["500 5.5.2", "250 2.0.0"]);
}

/// A message with an attachment of so many lines.
fn attachment(lines: usize) -> Vec<u8> {
    let mut message =
        b"Subject: caf\xC3\xA9\r\nMIME-Version: 1.0\r\nContent-Type: application/zip\r\n\
        Content-Transfer-Encoding: base64\r\n\r\n"
            .to_vec();
    (0..lines).for_each(|_| {
        message.extend_from_slice(
            b"UEsDBBQAAAAIAFs8UEsDBBQAAAAIAFs8UEsDBBQAAAAIAFs8UEsDBBQAAAAIAFs8\r\n",
        )
    });
    message
}
