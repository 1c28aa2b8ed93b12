//! The milter over octets: an MTA that sends messages, reads the answers and does what they say.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use sevenbit::{Normalizer, Profile, Signed, Unlabelled};

use super::mail_server::{self, Mail, OFFER, OLD_OFFER, offer, packet};
use super::milter::{Heard, answers_are_the_normal_form, check, cuts_do_not_matter, hear, inputs};
use super::{filter, hold};
use crate::filter::{Fate, Filter, OnFailure};
use crate::memory::Memory;
use crate::milter::packet::Packet;
use crate::milter::{Flow, Session};
use crate::policy::Policies;

/// One message on the wire.
fn shown(message: &[u8]) -> Vec<u8> {
    Mail::of(message).shown()
}

/// The answers to messages after those to the negotiation and to the first MAIL.
fn answers(wire: &[u8], filter: &Filter) -> Heard {
    let mut heard = hear([&offer(OFFER), wire], filter);
    assert_eq!(heard.flow.as_ref().ok(), Some(&Flow::GoesOn));
    let begin: Vec<_> = heard.replies.drain(..2).map(|(command, _)| command).collect();
    assert_eq!(begin, b"Oc");
    heard
}

fn words(heard: &Heard) -> String {
    heard.replies.iter().map(|(command, _)| char::from(*command)).collect()
}

const CLEAN: &[u8] = b"From: a@example.org\r\nSubject: x\r\n\r\nHello.\r\n";
const RAW: &[u8] =
    b"From: a@example.org\r\nX-A: 1\r\nSubject: caf\xE9\r\nx-a: caf\xC3\xA9\r\n\r\nHello.\r\n";

#[test]
fn a_clean_message_costs_an_answer_at_its_end() {
    let heard = answers(&shown(CLEAN), &filter());
    assert_eq!(words(&heard), "c");
    let [record] = &heard.records[..] else { panic!("one record") };
    assert_eq!(
        (record.fate, record.id.as_str(), record.octets),
        (Fate::Clean, "4Q1", CLEAN.len() as u64)
    );
}

#[test]
fn fields_change_from_the_last_to_the_first_by_their_numbers() {
    let heard = answers(&shown(RAW), &filter());
    let changes: Vec<&[u8]> = heard.replies.iter().map(|(_, data)| &data[..]).collect();
    assert_eq!(words(&heard), "mmc");
    assert_eq!(changes[0], b"\0\0\0\x02x-a\0 =?utf-8?B?Y2Fmw6k=?=\0");
    assert_eq!(changes[1], b"\0\0\0\x01Subject\0 =?windows-1252?Q?caf=E9?=\0");
    assert_eq!(heard.records[0].fate, Fate::Changed);
    assert_eq!(heard.records[0].codes[0].as_str(), "raw-header-text");
}

#[test]
fn labels_are_guessed_unless_they_are_to_be_kept() {
    let mail = b"From: a@example.de\r\nSubject: Sch\xF6ne Gr\xFC\xDFe\r\n\r\nHello.\r\n";
    let subject = |unlabelled| {
        let normalizer = filter().normalizer.unlabelled(unlabelled);
        let heard = answers(&shown(mail), &Filter { normalizer, ..filter() });
        String::from_utf8_lossy(&heard.replies[0].1).into_owned()
    };
    let kept = subject(Unlabelled::Keep);
    assert!(kept.contains("=?unknown-8bit?"), "{kept}");
    assert_eq!(subject(Unlabelled::Guess), kept.replace("unknown-8bit", "windows-1252"));
}

#[test]
fn the_answers_do_not_depend_on_how_the_octets_come() {
    let body = b"Subject: x\r\n\r\nd\xE9j\xE0 vu\r\n";
    let wire = [offer(OFFER), shown(RAW), packet(b'A', b""), shown(body), shown(CLEAN)].concat();
    for size in 1..40 {
        cuts_do_not_matter(&wire, size, &filter()).expect("law 1");
    }
    let whole = hear([&wire[..]], &filter()).replies;
    for cut in 0..wire.len() {
        let (first, second) = wire.split_at(cut);
        assert_eq!(hear([first, second], &filter()).replies, whole, "at {cut}");
    }
}

#[test]
fn the_answers_applied_are_the_normal_form() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/mail");
    for entry in fs::read_dir(folder).expect("corpus/mail") {
        let path = entry.expect("an entry").path();
        let mail = Mail::of(&fs::read(&path).expect("a message"));
        for profile in [Profile::Transport, Profile::Archive] {
            let filter = Filter { normalizer: Normalizer::new().profile(profile), ..filter() };
            answers_are_the_normal_form(&mail, &filter)
                .unwrap_or_else(|why| panic!("{}, {profile:?}: {why}", path.display()));
        }
    }
}

#[test]
fn the_laws_hold() {
    hold("milter", inputs, check);
}

#[test]
fn a_long_body_goes_in_packets() {
    let mut message = b"Subject: x\r\n\r\n".to_vec();
    (0..4000).for_each(|_| {
        message.extend_from_slice(
            "d\u{e9}j\u{e0} vu, d\u{e9}j\u{e0} vu, d\u{e9}j\u{e0} vu\r\n".as_bytes(),
        )
    });
    let heard = answers(&shown(&message), &filter());
    let chunks: Vec<usize> = heard
        .replies
        .iter()
        .filter(|(command, _)| *command == b'b')
        .map(|(_, data)| data.len())
        .collect();
    assert!(chunks.len() >= 3 && chunks[..chunks.len() - 1].iter().all(|&length| length == 65_535));
    let made = Mail::of(&message).changed(&heard.replies, b"").expect("changes");
    assert_eq!(made.octets(), filter().normalizer.normalize(&message).octets());
}

#[test]
fn nothing_is_carried_from_one_message_to_the_next() {
    let wire = shown(RAW);
    let alone = answers(&shown(CLEAN), &filter()).replies;
    let mut at = 0;
    while let Some((packet, length)) = Packet::first(&wire[at..]).expect("packets") {
        at += length;
        if packet.command == b'E' {
            break;
        }
        for ending in [b'A', b'K'] {
            let heard = answers(
                &[&wire[..at], &mail_server::packet(ending, b""), &shown(CLEAN)].concat(),
                &filter(),
            );
            assert!(heard.replies.ends_with(&alone), "after {}", char::from(packet.command));
            assert_eq!(heard.records.len(), 1);
        }
        // A message that is abandoned without a word.
        let heard = answers(&[&wire[..at], &shown(CLEAN)[..]].concat(), &filter());
        assert!(heard.replies.ends_with(&alone), "after {}", char::from(packet.command));
    }
}

#[test]
fn what_is_not_the_protocol_ends_the_connection() {
    let good = offer(OFFER);
    let bad: [&[u8]; 12] = [
        b"\0\0\0\0",
        b"\xFF\xFF\xFF\xFFL",
        &packet(b'?', b""),
        &packet(b'L', b"Subject"),
        &packet(b'L', b"Subject\0 x"),
        &packet(b'L', b"Sub\0ject\0 x\0"),
        &packet(b'L', b""),
        &packet(b'B', b"no header"),
        &[packet(b'N', b""), packet(b'N', b"")].concat(),
        &[packet(b'N', b""), packet(b'L', b"Subject\0 x\0")].concat(),
        &[packet(b'M', b""), packet(b'B', b"no end of the header")].concat(),
        &good,
    ];
    for bad in bad {
        assert!(hear([&good[..], bad], &filter()).flow.is_err(), "{}", bad.escape_ascii());
    }
    for first in
        [packet(b'L', b"Subject\0 x\0"), packet(b'E', b""), offer([1, 0x3F, 0]), offer([6, 0, 0])]
    {
        assert!(hear([&first[..]], &filter()).flow.is_err(), "{}", first.escape_ascii());
    }
}

#[test]
fn macros_of_any_form_do_no_harm() {
    for macros in [&b""[..], b"E", b"Ei", b"Ei\0", b"Ei\0\0", b"E\0\0\0\0", b"Ei\0\xFF\xFE\0v"] {
        let heard = answers(&[packet(b'D', macros), shown(CLEAN)].concat(), &filter());
        assert_eq!(words(&heard), "c");
    }
}

#[test]
fn quit_ends_the_connection() {
    let quits =
        |pieces: &[&[u8]]| matches!(hear(pieces.iter().copied(), &filter()).flow, Ok(Flow::Ends));
    assert!(quits(&[&offer(OFFER), &shown(CLEAN), &packet(b'Q', b"")]));
    assert!(quits(&[&packet(b'Q', b"")]));
}

#[test]
fn an_old_mta_hears_an_answer_at_each_step() {
    let wire = [
        offer(OLD_OFFER),
        packet(b'C', b"host\0U"),
        packet(b'R', b"<b@example.org>\0"),
        Mail::of(RAW).shown_by(b"Postfix 2.3", b" "),
    ]
    .concat();
    let heard = hear([&wire[..]], &filter());
    // CONNECT, RCPT, MAIL, four fields, their end, the body; then the changes.
    assert_eq!(words(&heard), "Occcccccccmmc");
    // A value is sent without the space that the MTA inserts itself.
    assert_eq!(heard.replies[11].1, b"\0\0\0\x01Subject\0=?windows-1252?Q?caf=E9?=\0");
}

#[test]
fn too_large_messages_are_left_to_the_policy() {
    let heard = |on_too_large| {
        let filter = Filter { max_message: 60, on_too_large, ..filter() };
        let heard = answers(&shown(RAW), &filter);
        assert_eq!(heard.records[0].fate, Fate::TooLarge);
        words(&heard)
    };
    assert_eq!(heard(OnFailure::Accept), "c");
    assert_eq!(heard(OnFailure::TempFail), "t");
    assert_eq!(heard(OnFailure::Quarantine), "qc");
    assert_eq!(heard(OnFailure::Reject), "y");
}

#[test]
fn messages_that_outgrow_the_server_are_left_to_the_policy() {
    let grown = filter().normalizer.normalize(RAW).octets().len() as u64;
    for (max_output, on_too_large, answers_are) in [
        (grown, OnFailure::Reject, "mmc"),
        (grown - 1, OnFailure::Reject, "y"),
        (grown - 1, OnFailure::Accept, "c"),
        // The message was longer before.
        (RAW.len() as u64 - 1, OnFailure::Reject, "mmc"),
    ] {
        let heard = answers(&shown(RAW), &Filter { max_output, on_too_large, ..filter() });
        assert_eq!(words(&heard), answers_are, "{max_output} {on_too_large:?}");
    }
}

#[test]
fn the_record_has_the_addresses_of_the_message() {
    let wire = [
        packet(b'D', b"M{client_addr}\x00192.0.2.1\0"),
        packet(b'M', b"<a@example.org>\0SIZE=7\0"),
        packet(b'R', b"<b@example.org>\0"),
        packet(b'R', b"c@example.org\0NOTIFY=NEVER\0"),
        packet(b'N', b""),
        packet(b'E', b""),
    ];
    let heard = answers(&wire.concat(), &filter());
    let record = &heard.records[0];
    assert_eq!(
        (record.client.as_str(), record.envelope.from.as_str()),
        ("192.0.2.1", "a@example.org")
    );
    assert_eq!(record.envelope.to, ["b@example.org", "c@example.org"]);
}

#[test]
fn memory_that_is_used_up_is_a_reason_to_try_again() {
    let memory = Memory::new(256 << 10);
    let mut session = Session::new(&memory, "inet:test:25");
    let mut receive = |octets: &[u8]| {
        let (mut replies, mut records) = (Vec::new(), Vec::new());
        let flow = session.receive(
            octets,
            &Arc::new(Policies::all(Arc::new(filter()))),
            &mut replies,
            &mut records,
        );
        (flow, replies, records)
    };
    let long = Mail { fields: Vec::new(), body: vec![b'x'; 200 << 10] };
    receive(&offer(OFFER)).0.expect("an agreement");
    let mut replies = Vec::new();
    let mut records = Vec::new();
    for piece in long.shown().chunks(10_000) {
        let (flow, said, made) = receive(piece);
        assert!(flow.is_ok());
        replies.extend(said);
        records.extend(made);
    }
    assert_eq!(
        (replies.as_slice(), records[0].fate),
        (&b"\0\0\0\x01c\0\0\0\x01t"[..], Fate::NoRoom)
    );
    // The next one has room; a packet that has none ends the connection.
    assert!(receive(&shown(RAW)).1.ends_with(b"\0\0\0\x01c"));
    let begun = [&(1_u32 << 20).to_be_bytes()[..], b"B", &[b'x'; 300 << 10]].concat();
    assert_eq!(receive(&begun).0.map_err(|error| error.kind()), Err(ErrorKind::OutOfMemory));
}

/// A service that stops ends what has begun; its mail server hears at MAIL that there is no more.
#[test]
fn no_message_begins_once_no_more_are_taken() {
    let policies = Arc::new(Policies::all(Arc::new(filter())));
    let mut session = Session::new(&Memory::default(), "inet:test:25");
    let (mut replies, mut records) = (Vec::new(), Vec::new());
    let wire = shown(CLEAN);
    let after_mail =
        wire.windows(5).position(|five| five == b"LFrom").expect("the first field") - 4;
    let mut receive = |session: &mut Session, octets: &[u8]| {
        replies.clear();
        session.receive(octets, &policies, &mut replies, &mut records).expect("the protocol");
        replies.clone()
    };
    receive(&mut session, &offer(OFFER));
    assert_eq!(receive(&mut session, &wire[..after_mail]), b"\0\0\0\x01c");
    session.take_no_more();
    assert!(session.is_busy());
    assert_eq!(receive(&mut session, &wire[after_mail..]), b"\0\0\0\x01c");
    assert_eq!(receive(&mut session, &wire[..after_mail]), b"\0\0\0\x01t");
    assert!(!session.is_busy() && records.len() == 1);
}

#[test]
fn skipped_octets_are_not_lost() {
    // An MTA that waits for an answer to each chunk, and may be told to skip the rest.
    let offered = [6, 0x1FF, 0x400];
    let filter = Filter { max_message: 100, on_too_large: OnFailure::Accept, ..filter() };
    let mut wire = offer(offered);
    wire.extend(packet(b'L', b"Subject\0caf\xE9\0"));
    wire.extend(packet(b'N', b""));
    wire.extend(packet(b'B', &[b'\xE9'; 200]));
    wire.extend(packet(b'E', b""));
    let heard = hear([&wire[..]], &filter);
    assert_eq!(words(&heard), "Occsc");
}

#[test]
fn signed_mail_is_left_alone_if_that_is_asked() {
    let signed = b"Content-Type: multipart/signed; boundary=b; protocol=\"application/pgp-signature\"\r\n\
        MIME-Version: 1.0\r\n\r\n--b\r\n\r\nd\xE9j\xE0 vu\r\n--b\r\nContent-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n--b--\r\n";
    let normalizer = filter().normalizer.signed(Signed::Refuse);
    let heard = answers(&shown(signed), &Filter { normalizer, ..filter() });
    assert_eq!((words(&heard).as_str(), heard.records[0].fate), ("c", Fate::Refused));
    assert!(words(&answers(&shown(signed), &filter())).contains('b'));
}

#[test]
fn what_was_found_is_added_if_that_is_asked() {
    let filter = Filter { header_report: Some("X-Found".to_owned()), ..filter() };
    let heard = answers(&shown(RAW), &filter);
    assert_eq!(words(&heard), "mmhc");
    assert!(heard.replies[2].1.starts_with(b"X-Found\0 raw-header-text"), "{:?}", heard.replies[2]);
    assert_eq!(words(&answers(&shown(CLEAN), &filter)), "c");
}
