//! Both filters with what their configuration says of messages and of what is found in them.

use sevenbit::Code;

use super::filter;
use super::gateway::{ENVELOPE, FULL};
use super::gateway_cases::{self, CAFE, in_memory, run_by, with};
use super::mail_server::{Mail, OFFER, offer, packet};
use super::milter::hear;
use super::next_hop::NextHop as Next;
use crate::filter::{Action, By, Fate, Filter, OnFailure, Only, Outcome, Record};
use crate::octets::Path;

const RAW: &[u8] = b"Subject: caf\xC3\xA9\r\n\r\nHello.\r\n";
const WORD: &[u8] = b"Subject: =?utf-8?Q?caf=C3=A9 au lait?=\r\n\r\nHello.\r\n";

fn gateway(message: &[u8], filter: &Filter) -> gateway_cases::Ran {
    run_by(&[ENVELOPE, message, b".\r\nQUIT\r\n"].concat(), 100, with(FULL), filter, &in_memory())
}

/// The commands of a milter's answer, and its record.
fn milter(message: &[u8], filter: &Filter) -> (String, Record) {
    let wire = [offer(OFFER), Mail::of(message).shown()].concat();
    let mut heard = hear([&wire[..]], filter);
    // After the answers to the offer and to MAIL.
    let commands = heard.replies.iter().skip(2).map(|(command, _)| char::from(*command)).collect();
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

/// What a client sends in a dry run reaches the next hop as it would without the gateway, and the
/// record says so.
#[test]
fn a_dry_run_never_refuses() {
    let dry = Filter { dry_run: true, ..filter() };
    let bare = b"Subject: x\r\n\r\none\ntwo\rthree\n.\nfour\r\n";
    let says = [
        &b"EHLO c\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nBDAT 36 LAST\r\n"[..],
        bare,
    ]
    .concat();
    let chunks = &["CHUNKING", "8BITMIME"];
    let ran = run_by(&says, 100, with(chunks), &dry, &in_memory());
    assert_eq!((ran.messages, ran.records[0].dry_run), (vec![bare.to_vec()], true), "{}", ran.all);
    assert!(ran.heard.contains(&"BDAT 36 LAST".to_owned()), "{:?}", ran.heard);
    assert_eq!((ran.records[0].outcome, ran.records[0].by), (Outcome::Delivered, By::NextHop));
    assert_eq!(ran.records[0].octets_out, Some(bare.len() as u64));

    // By DATA, to a next hop that takes no chunks: with a dot more where a server may see an end.
    let skips = Filter { skip: true, ..filter() };
    for (lines, sent) in [
        (&b"one\ntwo\rthree\r\n"[..], &b"one\ntwo\rthree\r\n"[..]),
        (b"one\n.\nfour\r\n", b"one\n..\nfour\r\n"),
        (b"one\n.\r\nfour\r\n", b"one\n..\r\nfour\r\n"),
        (b"one\r.\rfour\r\n", b"one\r..\rfour\r\n"),
    ] {
        let header = &b"Subject: x\r\n\r\n"[..];
        let message = [header, lines].concat();
        for filter in [&dry, &skips] {
            let ran = asked(&message, filter, &["8BITMIME"], false);
            assert_eq!(ran.messages, [[header, sent].concat()], "{}", ran.all);
            let [record] = &ran.records[..] else { panic!("one record") };
            assert_eq!((record.outcome, record.by), (Outcome::Delivered, By::NextHop));
            assert_eq!(record.octets_out, Some(message.len() as u64));
        }
    }

    // What the client declares is the next hop's to judge.
    let ran = asked(RAW, &dry, &[], false);
    assert!(
        ran.heard.contains(&"MAIL FROM:<a@example.org> BODY=8BITMIME".to_owned()),
        "{:?}",
        ran.heard
    );
    assert_eq!(ran.messages, [RAW]);
    let refuses = Next { answers: vec![("MAIL", "555 5.5.4 what")], ..with(&[]) };
    let says = [&b"EHLO c\r\nMAIL FROM:<a@example.org> BODY=8BITMIME\r\n"[..]].concat();
    assert_eq!(run_by(&says, 100, refuses, &dry, &in_memory()).codes, ["555 5.5.4"]);
}

#[test]
fn the_record_says_what_the_client_was_told() {
    let lmtp = "LHLO c\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nRCPT TO:<c@example.org>\r\nDATA\r\nx: y\r\n\r\n.\r\n";
    let smtp = CAFE;
    let says = |answer| Next { answers: vec![(".", answer)], ..with(FULL) };
    for (commands, next, outcome, by, goes_on) in [
        (smtp, with(FULL), Outcome::Delivered, By::NextHop, true),
        (lmtp, with(FULL), Outcome::Partly, By::NextHop, true),
        (smtp, says("550 5.7.1 spam"), Outcome::Refused, By::NextHop, true),
        (smtp, says("451 4.7.1 later"), Outcome::Deferred, By::NextHop, true),
        (smtp, Next { dies_at: ".", ..with(FULL) }, Outcome::Deferred, By::NextHop, false),
    ] {
        let ran = run_by(commands.as_bytes(), 100, next, &filter(), &in_memory());
        let record = &ran.records[0];
        assert_eq!((record.outcome, record.by), (outcome, by), "{record:?}");
        assert_eq!(record.octets_out.is_some(), goes_on, "{record:?}");
        let sent = ran.messages.first().map(|message| message.len() as u64);
        assert!(
            !goes_on
                || record
                    .octets_out
                    .is_some_and(|out| sent.is_some_and(|sent| sent.abs_diff(out) <= 1))
        );
    }
    let rejects = Filter { on: vec![(Code::RawHeaderText, Action::Reject)], ..filter() };
    let record = &gateway(RAW, &rejects).records[0];
    assert_eq!(
        (record.outcome, record.by, record.octets_out),
        (Outcome::Refused, By::Sevenbit, None)
    );

    let record = milter(RAW, &rejects).1;
    assert_eq!(
        (record.outcome, record.by, record.octets_out),
        (Outcome::Refused, By::Sevenbit, None)
    );
    let record = milter(RAW, &filter()).1;
    let normal = filter().normalizer.normalize(RAW).octets().len() as u64;
    assert_eq!((record.outcome, record.by), (Outcome::Passed, By::MailServer));
    assert_eq!(record.octets_out, Some(normal));
}

#[test]
fn what_is_skipped_is_not_looked_at() {
    let skips = Filter { skip: true, rule: Some("lists".to_owned()), ..filter() };
    let ran = gateway(RAW, &skips);
    assert_eq!((&ran.messages[0][..], ran.records[0].fate), (RAW, Fate::Skipped));
    assert!(ran.heard.contains(&"MAIL FROM:<a@example.org> BODY=8BITMIME".to_owned()));
    let (commands, record) = milter(RAW, &skips);
    assert_eq!(
        (commands.as_str(), record.fate, record.rule.as_deref()),
        ("c", Fate::Skipped, Some("lists"))
    );
}

#[test]
fn a_code_may_be_a_reason_to_refuse_or_to_put_aside() {
    let does = |action| Filter {
        on: vec![(Code::RawHeaderText, action)],
        on_error: OnFailure::Accept,
        ..filter()
    };
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

/// A message of an internationalised sender, whose address 7 bits cannot carry.
const INTERNATIONAL: &[u8] =
    b"From: J\xC3\xB6rg <j\xC3\xB6rg@example.org>\r\nSubject: Gr\xC3\xBC\xC3\x9Fe\r\n\r\nHello.\r\n";

/// The gateway's transaction, whose client has said SMTPUTF8 or not.
fn asked(
    message: &[u8],
    filter: &Filter,
    extensions: &[&'static str],
    smtputf8: bool,
) -> gateway_cases::Ran {
    let parameters = if smtputf8 { " BODY=8BITMIME SMTPUTF8" } else { " BODY=8BITMIME" };
    let envelope = format!(
        "EHLO c\r\nMAIL FROM:<a@example.org>{parameters}\r\nRCPT TO:<b@example.org>\r\nDATA\r\n"
    );
    let says = [envelope.as_bytes(), message, b".\r\nQUIT\r\n"].concat();
    run_by(&says, 100, with(extensions), filter, &in_memory())
}

#[test]
fn addresses_in_utf8_stay_where_they_are_asked_for_and_offered() {
    // What the next hop offers, what the client has asked for, and whether the message stays.
    for (extensions, smtputf8, stays) in [
        (&["8BITMIME", "SMTPUTF8"][..], true, true),
        (&["8BITMIME", "SMTPUTF8"], false, false),
        (&["8BITMIME"], true, false),
        (&[], true, false),
    ] {
        let ran = asked(INTERNATIONAL, &filter(), extensions, smtputf8);
        let expected = if stays { Fate::Left } else { Fate::Changed };
        assert_eq!(ran.records[0].fate, expected, "{extensions:?} {smtputf8}: {}", ran.all);
        assert_eq!(ran.messages[0] == INTERNATIONAL, stays);
        let demands = "MAIL FROM:<a@example.org> BODY=8BITMIME SMTPUTF8".to_owned();
        assert_eq!(ran.heard.contains(&demands), stays, "{:?}", ran.heard);
    }

    // What readers take in different ways is mended, whatever the path takes; so is all, if the
    // configuration says so.
    let ambiguous = [b"Subject: one\r\n", INTERNATIONAL].concat();
    let full = &["8BITMIME", "SMTPUTF8"];
    assert_eq!(asked(&ambiguous, &filter(), full, true).records[0].fate, Fate::Changed);
    let fixes = Filter { on: vec![(Code::AddressNotAscii, Action::Fix)], ..filter() };
    assert_eq!(asked(INTERNATIONAL, &fixes, full, true).records[0].fate, Fate::Changed);
    let leaves = Filter { on: vec![(Code::AddressNotAscii, Action::Leave)], ..filter() };
    assert_eq!(asked(&ambiguous, &leaves, full, true).messages[0], ambiguous);
    assert_eq!(asked(&ambiguous, &leaves, full, false).records[0].fate, Fate::Changed);
}

/// A message under a signature that any change to its subject breaks.
const SIGNED: &[u8] =
    b"DKIM-Signature: v=1; a=rsa-sha256; c=simple/simple; d=example.org; s=s; h=subject; bh=AAAA; b=AAAA\r\n\
    Subject: =?utf-8?Q?caf=C3=A9 au lait?=\r\n\r\nHello.\r\n";

#[test]
fn a_signature_is_left_whole_where_the_path_carries_the_message() {
    let leaves = Filter { on: vec![(Code::DkimBroken, Action::Leave)], ..filter() };
    for (message, fate) in [
        (SIGNED.to_vec(), Fate::Left),
        ([SIGNED, b"d\xC3\xA9j\xC3\xA0 vu\r\n"].concat(), Fate::Left),
        // No server may be given these.
        ([SIGNED, b"bare\nline\r\n"].concat(), Fate::Changed),
        ([SIGNED, b"NUL \0\r\n"].concat(), Fate::Changed),
    ] {
        let ran = asked(&message, &leaves, &["8BITMIME"], false);
        let shown = message.escape_ascii().to_string();
        assert_eq!(ran.records[0].fate, fate, "{shown}");
        assert_eq!(ran.messages[0] == message, fate == Fate::Left, "{shown}");
        // Without the action, the signature breaks.
        let ran = asked(&message, &filter(), &["8BITMIME"], false);
        assert_eq!(
            (ran.records[0].fate, ran.records[0].codes.contains(&Code::DkimBroken)),
            (Fate::Changed, true)
        );
        // A milter's path is what the configuration says.
        let carries = Path { eight_bit: true, smtputf8: false };
        assert_eq!(milter(&message, &Filter { carries, ..leaves.clone() }).1.fate, fate, "{shown}");
    }
}

#[test]
fn only_what_the_path_cannot_carry_is_mended_if_it_is_said_so() {
    let unsafe_only = Filter { only: Only::Unsafe, ..filter() };
    let eight_bit = b"Subject: x\r\n\r\nd\xE9j\xE0 vu\r\n";
    let in_part = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Description: \xC3\xA9\r\n\r\nx\r\n--b--\r\n";
    let full = &["8BITMIME", "SMTPUTF8"][..];
    for (message, extensions, smtputf8, fate) in [
        (WORD, &[][..], false, Fate::Left),
        (WORD, full, true, Fate::Left),
        (&eight_bit[..], &[], false, Fate::Changed),
        (eight_bit, &["8BITMIME"], false, Fate::Left),
        (RAW, &["8BITMIME"], false, Fate::Changed),
        (RAW, full, false, Fate::Changed),
        (RAW, full, true, Fate::Left),
        // Raw octets in a header that are no UTF-8 are nobody's.
        (b"Subject: caf\xE9\r\n\r\n", full, true, Fate::Changed),
        (in_part, full, false, Fate::Changed),
        (in_part, full, true, Fate::Left),
        (b"Subject: x\r\n\r\nbare\n\r\n", full, true, Fate::Changed),
    ] {
        let shown = format!("{} {extensions:?} {smtputf8}", message.escape_ascii());
        let ran = asked(message, &unsafe_only, extensions, smtputf8);
        assert_eq!(ran.records[0].fate, fate, "{shown}");
        match fate {
            Fate::Left => assert_eq!(ran.messages[0], message, "{shown}"),
            _ => assert_eq!(
                ran.messages[0],
                filter().normalizer.normalize(message).octets(),
                "{shown}"
            ),
        }
    }

    // What `on` names is done all the same.
    let fixes =
        Filter { on: vec![(Code::EncodedWordRepaired, Action::Fix)], ..unsafe_only.clone() };
    assert_eq!(gateway(WORD, &fixes).records[0].fate, Fate::Changed);

    // The milter: what the configuration says that its servers take, and what the client has asked
    // for.
    let wire = |parameter: &[u8]| {
        let mail = packet(b'M', &[b"<a@example.org>\0BODY=8BITMIME\0", parameter].concat());
        let rest = Mail::of(RAW).shown();
        let after_mail =
            rest.windows(5).position(|five| five == b"LSubj").expect("the first field") - 4;
        [offer(OFFER), mail, rest[after_mail..].to_vec()].concat()
    };
    let both = Path { eight_bit: true, smtputf8: true };
    for (carries, parameter, fate) in [
        (both, &b"smtputf8\0"[..], Fate::Left),
        (both, b"", Fate::Changed),
        (Path { smtputf8: false, ..both }, b"SMTPUTF8\0", Fate::Changed),
    ] {
        let heard = hear([&wire(parameter)[..]], &Filter { carries, ..unsafe_only.clone() });
        assert_eq!(heard.records[0].fate, fate, "{carries:?} {}", parameter.escape_ascii());
    }
}

#[test]
fn a_code_may_be_named_in_a_field() {
    let tags = Filter { on: vec![(Code::RawHeaderText, Action::Tag)], ..filter() };
    let ran = gateway(RAW, &tags);
    assert!(ran.messages[0].starts_with(b"X-Sevenbit: raw-header-text\r\nSubject: =?"));
    assert_eq!(milter(RAW, &tags).0, "mhc");
    assert_eq!(milter(WORD, &tags).0, "mc");
}

/// A reader believes the fields that this configuration adds: nobody else's pass.
#[test]
fn own_fields_that_come_from_outside_are_removed() {
    let own_fields = vec!["X-Sevenbit".to_owned(), "X-Found".to_owned()];
    let tags = Filter { on: vec![(Code::RawHeaderText, Action::Tag)], own_fields, ..filter() };
    let accepts = Filter { max_message: 64, on_too_large: OnFailure::Accept, ..tags.clone() };
    let leaves = Filter { only: Only::Unsafe, ..tags.clone() };
    let dry = Filter { dry_run: true, ..tags.clone() };
    let skips = Filter { skip: true, ..tags.clone() };

    let outside = |field: &[u8]| {
        [b"X-SEVENBIT: a\r\n b\r\nFrom: a@b\r\n", field, b"X-Found:c\r\n\r\nHi.\r\n"].concat()
    };
    let without = |field: &[u8]| [b"From: a@b\r\n", field, b"\r\nHi.\r\n"].concat();
    let clean = b"MIME-Version: 1.0\r\n";
    let word = b"Subject: =?utf-8?Q?caf=C3=A9 au lait?=\r\n";
    let raw = b"Subject: caf\xC3\xA9\r\n";
    for (filter, field, fate, stays) in [
        (&tags, &clean[..], Fate::Changed, false),
        (&tags, word, Fate::Changed, false),
        (&tags, raw, Fate::Changed, false),
        (&leaves, word, Fate::Left, false),
        (&accepts, clean, Fate::TooLarge, false),
        (&dry, clean, Fate::Clean, true),
        (&skips, clean, Fate::Skipped, true),
    ] {
        let message = outside(field);
        let expected = match fate {
            _ if stays => message.clone(),
            Fate::Changed => {
                filter.normalizer.normalize(&without(field)).into_octets().into_owned()
            }
            _ => without(field),
        };
        let tag = b"X-Sevenbit: raw-header-text\r\n";
        let is_tagged = field == raw;

        let ran = gateway(&message, filter);
        let tagged = [if is_tagged { &tag[..] } else { b"" }, &expected].concat();
        assert_eq!(ran.messages[0], tagged, "{fate:?}: {}", ran.messages[0].escape_ascii());
        assert_eq!(ran.records[0].fate, fate);
        assert_eq!(ran.records[0].octets_out, Some(tagged.len() as u64), "{fate:?}");

        let mail = Mail::of(&message);
        let mut heard = hear([&[offer(OFFER), mail.shown()].concat()[..]], filter);
        let mut changed =
            mail.changed(&heard.replies.split_off(1), b"").expect("changes of what is there");
        if is_tagged {
            let (name, value) = changed.fields.pop().expect("the tag");
            assert_eq!((&name[..], &value[..]), (&b"X-Sevenbit"[..], &b" raw-header-text"[..]));
        }
        assert_eq!(changed.octets(), expected, "{fate:?}: {}", changed.octets().escape_ascii());
        let record = &heard.records[0];
        assert_eq!(
            (record.fate, record.octets_out),
            (fate, Some(tagged.len() as u64)),
            "{record:?}"
        );
    }

    // A field that a bare CR hides from the mail server appears by no repair.
    let hidden = b"Subject: x\rX-Sevenbit: clean\r\n\r\nHi.\r\n";
    let ran = gateway(hidden, &tags);
    assert!(
        !ran.messages[0].to_ascii_lowercase().windows(12).any(|octets| octets == b"\nx-sevenbit:")
    );
    let (commands, _) = milter(hidden, &tags);
    assert!(!commands.contains('i') && !commands.contains('h'), "{commands}");
}

#[test]
fn a_refusal_says_why() {
    let twice = b"From: a@example.org\r\nFrom: b@example.com\r\n\r\nHi.\r\n";
    let rejects = Filter { on: vec![(Code::DuplicateField, Action::Reject)], ..filter() };
    let reject_texts = vec![(Code::DuplicateField, "two From fields".to_owned())];
    let in_words = Filter { reject_texts, ..rejects.clone() };
    for (filter, said) in [
        (&rejects, "554 5.6.0 a field that may stand only once: From [duplicate-field]"),
        (&in_words, "554 5.6.0 two From fields [duplicate-field]"),
    ] {
        let ran = gateway(twice, filter);
        assert!(ran.all.contains(&format!("{said}\r\n")), "{}", ran.all);
        // In a file as well, of which only a part is planned.
        let room = crate::gateway::Room { memory: 1, ..in_memory() };
        let says = [ENVELOPE, twice, b".\r\nQUIT\r\n"].concat();
        assert!(run_by(&says, 100, with(FULL), filter, &room).all.contains(said));

        let heard = hear([&[offer(OFFER), Mail::of(twice).shown()].concat()[..]], filter);
        assert_eq!(heard.replies[2], (b'y', [said.as_bytes(), b"\0"].concat()));
    }
}
