//! The milter over octets: an MTA that shows messages, hears the answers and does what they say.

use std::fs;
use std::path::Path;

use sevenbit::{Normalizer, Profile, Signed};

use super::packet::{self, Packet};
use super::session::{Flow, Session};
use crate::args::OnFailure;
use crate::mta::filter::{Fate, Filter, Record};

/// What Postfix 3.7 offers.
const OFFER: [u32; 3] = [6, 0x1FF, 0x1F_FFFF];
/// What an MTA of 2003 offers.
const OLD_OFFER: [u32; 3] = [2, 0x3F, 0x7F];

fn filter() -> Filter {
    Filter {
        normalizer: Normalizer::new().profile(Profile::Transport),
        max_message: 1 << 20,
        on_error: OnFailure::TempFail,
        header_report: None,
    }
}

fn packet(command: u8, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    packet::write(&mut out, command, &[data]).expect("memory");
    out
}

fn offer(numbers: [u32; 3]) -> Vec<u8> {
    packet(b'O', &numbers.map(u32::to_be_bytes).concat())
}

/// Names and values.
type Fields = Vec<(Vec<u8>, Vec<u8>)>;

/// The fields of a message as an MTA shows them, and its body; nothing if it has lines that an MTA does not show.
fn taken_apart(message: &[u8]) -> Option<(Fields, Vec<u8>)> {
    let end = message.windows(4).position(|four| four == b"\r\n\r\n")? + 2;
    let mut fields = Fields::new();
    for line in message[..end].strip_suffix(b"\r\n")?.split(|&octet| octet == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match (line.first()?, fields.last_mut()) {
            (b' ' | b'\t', Some((_, value))) => {
                value.push(b'\n');
                value.extend_from_slice(line);
            }
            _ => {
                let colon = line.iter().position(|&octet| octet == b':')?;
                let is_name = !line[..colon].is_empty() && line[..colon].iter().all(u8::is_ascii_graphic);
                is_name.then(|| fields.push((line[..colon].to_vec(), line[colon + 1..].to_vec())))?;
            }
        }
    }
    let fits = fields.iter().all(|(_, value)| !value.iter().any(|octet| b"\0\r".contains(octet)));
    fits.then(|| (fields, message[end + 2..].to_vec()))
}

/// One message on the wire.
fn shown(message: &[u8]) -> Vec<u8> {
    shown_by(message, b"")
}

/// The same by an MTA that leaves out what values begin with.
fn shown_by(message: &[u8], left_out: &[u8]) -> Vec<u8> {
    let (fields, body) = taken_apart(message).expect("fields");
    let mut wire = packet(b'D', b"Ei\x004Q1\0v\0Postfix 3.7.11\0");
    wire.extend(packet(b'M', b"<a@example.org>\0"));
    for (name, value) in &fields {
        let value = value.strip_prefix(left_out).expect("it begins so");
        wire.extend(packet(b'L', &[name, &b"\0"[..], value, b"\0"].concat()));
    }
    wire.extend(packet(b'N', b""));
    body.chunks(65_535).for_each(|chunk| wire.extend(packet(b'B', chunk)));
    wire.extend(packet(b'E', b""));
    wire
}

struct Heard {
    replies: Vec<(u8, Vec<u8>)>,
    records: Vec<Record>,
    flow: Flow,
}

/// What the filter says to octets that come in pieces.
fn hear<'p>(pieces: impl IntoIterator<Item = &'p [u8]>, filter: &Filter) -> std::io::Result<Heard> {
    let (mut session, mut octets, mut records) = (Session::new(), Vec::new(), Vec::new());
    let mut flow = Flow::GoesOn;
    for piece in pieces {
        flow = session.receive(piece, filter, &mut octets, &mut records)?;
    }
    let mut replies = Vec::new();
    let mut rest = &octets[..];
    while let Some((packet, length)) = Packet::first(rest).expect("packets") {
        replies.push((packet.command, packet.data.to_vec()));
        rest = &rest[length..];
    }
    assert!(rest.is_empty());
    Ok(Heard { replies, records, flow })
}

/// The answers to messages after the negotiation.
fn answers(wire: &[u8], filter: &Filter) -> Heard {
    let mut heard = hear([&offer(OFFER), wire], filter).expect("the protocol");
    heard.replies.remove(0);
    heard
}

fn words(heard: &Heard) -> String {
    heard.replies.iter().map(|(command, _)| char::from(*command)).collect()
}

const CLEAN: &[u8] = b"From: a@example.org\r\nSubject: x\r\n\r\nHello.\r\n";
const RAW: &[u8] = b"From: a@example.org\r\nX-A: 1\r\nSubject: caf\xE9\r\nx-a: caf\xC3\xA9\r\n\r\nHello.\r\n";

#[test]
fn a_clean_message_costs_one_answer() {
    let heard = answers(&shown(CLEAN), &filter());
    assert_eq!(words(&heard), "c");
    let [record] = &heard.records[..] else { panic!("one record") };
    assert_eq!((record.fate, record.id.as_str(), record.octets), (Fate::Clean, "4Q1", CLEAN.len() as u64));
}

#[test]
fn fields_change_from_the_last_to_the_first_by_their_numbers() {
    let heard = answers(&shown(RAW), &filter());
    let changes: Vec<&[u8]> = heard.replies.iter().map(|(_, data)| &data[..]).collect();
    assert_eq!(words(&heard), "mmc");
    assert_eq!(changes[0], b"\0\0\0\x02x-a\0 =?utf-8?B?Y2Fmw6k=?=\0");
    assert_eq!(changes[1], b"\0\0\0\x01Subject\0 =?unknown-8bit?Q?caf=E9?=\0");
    assert_eq!(heard.records[0].fate, Fate::Changed);
    assert_eq!(heard.records[0].codes[0].as_str(), "raw-header-text");
}

#[test]
fn the_answers_do_not_depend_on_how_the_octets_come() {
    let body = b"Subject: x\r\n\r\nd\xE9j\xE0 vu\r\n";
    let wire = [offer(OFFER), shown(RAW), packet(b'A', b""), shown(body), shown(CLEAN)].concat();
    let whole = hear([&wire[..]], &filter()).expect("the protocol").replies;
    for size in 1..40 {
        let pieces = hear(wire.chunks(size), &filter()).expect("the protocol").replies;
        assert_eq!(pieces, whole, "by {size}");
    }
    for cut in 0..wire.len() {
        let (first, second) = wire.split_at(cut);
        assert_eq!(hear([first, second], &filter()).expect("the protocol").replies, whole, "at {cut}");
    }
}

/// What an MTA makes of the answers: numbers by name in any case, places as Postfix counts them.
fn applied(message: &[u8], replies: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let (mut fields, mut body) = taken_apart(message).expect("fields");
    // Postfix's own, which it does not show and counts.
    fields.insert(0, (b"Received".to_vec(), b" here".to_vec()));
    let mut new_body = None;
    for (command, data) in replies {
        let two = |data| Packet { command: *command, data }.two_texts().expect("two texts");
        match command {
            b'm' => {
                let (number, rest) = data.split_first_chunk::<4>().expect("a number");
                let (name, value) = two(rest);
                let mut places = (1..fields.len()).filter(|&at| fields[at].0.eq_ignore_ascii_case(name));
                let place =
                    places.nth(u32::from_be_bytes(*number) as usize - 1).expect("a field of that number");
                match value.is_empty() {
                    true => drop(fields.remove(place)),
                    false => fields[place] = (name.to_vec(), value.to_vec()),
                }
            }
            b'i' => {
                let (place, rest) = data.split_first_chunk::<4>().expect("a place");
                let (name, value) = two(rest);
                fields.insert(u32::from_be_bytes(*place) as usize, (name.to_vec(), value.to_vec()));
            }
            b'h' => {
                let (name, value) = two(data);
                fields.push((name.to_vec(), value.to_vec()));
            }
            b'b' => new_body.get_or_insert_with(Vec::new).extend_from_slice(data),
            b'c' => {}
            other => panic!("an answer {other}"),
        }
    }
    body = new_body.unwrap_or(body);
    let mut out = Vec::new();
    for (name, value) in &fields[1..] {
        let value = String::from_utf8_lossy(value).replace('\n', "\r\n");
        out.extend_from_slice(&[name, &b":"[..], value.as_bytes(), b"\r\n"].concat());
    }
    [&out[..], b"\r\n", &body].concat()
}

#[test]
fn the_answers_applied_are_the_normal_form() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/mail");
    let mut tried = 0;
    for entry in fs::read_dir(folder).expect("corpus/mail") {
        let path = entry.expect("an entry").path();
        let message = fs::read(&path).expect("a message");
        if taken_apart(&message).is_none() {
            continue;
        }
        for profile in [Profile::Transport, Profile::Archive] {
            let normalizer = Normalizer::new().profile(profile);
            let normal = normalizer.normalize(&message).into_octets();
            let heard = answers(&shown(&message), &Filter { normalizer, ..filter() });
            let made = applied(&message, &heard.replies);
            assert_eq!(
                made.escape_ascii().to_string(),
                normal.escape_ascii().to_string(),
                "{}",
                path.display()
            );
        }
        tried += 1;
    }
    assert!(tried > 100, "{tried} messages");
}

#[test]
fn a_long_body_goes_in_packets() {
    let mut message = b"Subject: x\r\n\r\n".to_vec();
    (0..4000).for_each(|_| {
        message.extend_from_slice("d\u{e9}j\u{e0} vu, d\u{e9}j\u{e0} vu, d\u{e9}j\u{e0} vu\r\n".as_bytes())
    });
    let heard = answers(&shown(&message), &filter());
    let chunks: Vec<usize> =
        heard.replies.iter().filter(|(command, _)| *command == b'b').map(|(_, data)| data.len()).collect();
    assert!(chunks.len() >= 3 && chunks[..chunks.len() - 1].iter().all(|&length| length == 65_535));
    assert_eq!(applied(&message, &heard.replies), filter().normalizer.normalize(&message).octets());
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
                &[&wire[..at], &super::tests::packet(ending, b""), &shown(CLEAN)].concat(),
                &filter(),
            );
            assert_eq!(heard.replies, alone, "after {}", char::from(packet.command));
            assert_eq!(heard.records.len(), 1);
        }
        // A message that is forgotten without a word.
        let heard = answers(&[&wire[..at], &shown(CLEAN)[..]].concat(), &filter());
        assert_eq!(heard.replies, alone, "after {}", char::from(packet.command));
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
        assert!(hear([&good[..], bad], &filter()).is_err(), "{}", bad.escape_ascii());
    }
    for first in [packet(b'L', b"Subject\0 x\0"), packet(b'E', b""), offer([1, 0x3F, 0]), offer([6, 0, 0])] {
        assert!(hear([&first[..]], &filter()).is_err(), "{}", first.escape_ascii());
    }
}

#[test]
fn macros_of_any_form_are_no_harm() {
    for macros in [&b""[..], b"E", b"Ei", b"Ei\0", b"Ei\0\0", b"E\0\0\0\0", b"Ei\0\xFF\xFE\0v"] {
        let heard = answers(&[packet(b'D', macros), shown(CLEAN)].concat(), &filter());
        assert_eq!(words(&heard), "c");
    }
}

#[test]
fn quit_ends_the_connection() {
    let heard =
        hear([&offer(OFFER)[..], &shown(CLEAN), &packet(b'Q', b"")], &filter()).expect("the protocol");
    assert_eq!(heard.flow, Flow::Ends);
    assert_eq!(hear([&packet(b'Q', b"")[..]], &filter()).expect("the protocol").flow, Flow::Ends);
}

#[test]
fn an_old_mta_hears_an_answer_at_each_step() {
    let wire =
        [offer(OLD_OFFER), packet(b'C', b"host\0U"), packet(b'R', b"<b@example.org>\0"), shown_by(RAW, b" ")]
            .concat();
    let heard = hear([&wire[..]], &filter()).expect("the protocol");
    // CONNECT, RCPT, MAIL, four fields, their end, the body; then the changes.
    assert_eq!(words(&heard), "Occcccccccmmc");
    // A value goes without the space that it puts in itself.
    assert_eq!(heard.replies[11].1, b"\0\0\0\x01Subject\0=?unknown-8bit?Q?caf=E9?=\0");
}

#[test]
fn what_is_too_large_is_left_to_the_policy() {
    let heard = |on_error| {
        let filter = Filter { max_message: 60, on_error, ..filter() };
        let heard = answers(&shown(RAW), &filter);
        assert_eq!(heard.records[0].fate, Fate::TooLarge);
        words(&heard)
    };
    assert_eq!(heard(OnFailure::Accept), "c");
    assert_eq!(heard(OnFailure::TempFail), "t");
    assert_eq!(heard(OnFailure::Quarantine), "qc");
}

#[test]
fn what_is_skipped_is_not_lost() {
    // An MTA that waits for an answer to each chunk, and may be told to skip the rest.
    let offered = [6, 0x1FF, 0x400];
    let filter = Filter { max_message: 100, on_error: OnFailure::Accept, ..filter() };
    let mut wire = offer(offered);
    wire.extend(packet(b'L', b"Subject\0caf\xE9\0"));
    wire.extend(packet(b'N', b""));
    wire.extend(packet(b'B', &[b'\xE9'; 200]));
    wire.extend(packet(b'E', b""));
    let heard = hear([&wire[..]], &filter).expect("the protocol");
    assert_eq!(words(&heard), "Occsc");
}

#[test]
fn signed_mail_is_left_alone_if_that_is_asked() {
    let signed = b"Content-Type: multipart/signed; boundary=b; protocol=\"application/pgp-signature\"\r\n\
        MIME-Version: 1.0\r\n\r\n--b\r\n\r\nd\xE9j\xE0 vu\r\n--b\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--b--\r\n";
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
