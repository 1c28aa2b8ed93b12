//! Quoted-printable and base64. Our codecs are not a public interface: they are reached through a
//! message of one leaf, parsed or planned before the clock runs. The time is that of `Part::octets`
//! (the codec, into a new vector) or `Plan::write_to` (the codec after `Write`, into a used one,
//! and a header of a hundred octets); the peers run their bare codec into the same.

use sevenbit::{Message, Normalizer, Plan, Profile};

use super::{ENCODIFY, MAIL_BUILDER, MAIL_PARSER, TEXT};
use crate::checks::same;
use crate::native::{GMIME, Gmime, TransferEncoding};
use crate::race::Race;
use crate::support::Numbers;
use crate::support::text::{LANGUAGES, Language, language};
use crate::table::{Note, Table};

pub fn rows(table: &mut Table) {
    let gmime = Gmime::open();
    for language in LANGUAGES {
        quoted_decode(language.code, &language.prose(TEXT, 1), gmime, table);
    }
    for (name, text) in sparse_texts() {
        quoted_encode(name, &text, gmime, table);
    }
    for language in LANGUAGES {
        body_encode(language, table);
    }
    let octets = Numbers::new(5).octets(BIG);
    base64_decode(&octets[..TEXT], gmime, table);
    base64_encode(&octets, gmime, table);
}

/// Texts that are shorter in quoted-printable than in base64: only these are written in it.
fn sparse_texts() -> [(&'static str, String); 4] {
    let mixed = |code: &str, seed: u64| {
        let (some, much) = (language(code).prose(BIG / 12, seed), language("en").prose(BIG * 11 / 12, seed));
        // A line of the one among eleven of the other.
        let mut some = some.lines().map(str::to_owned).collect::<Vec<_>>().into_iter();
        let lines = much.lines().enumerate().map(|(number, line)| match number % 12 {
            0 => some.next().unwrap_or_default() + "\r\n" + line,
            _ => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\r\n") + "\r\n"
    };
    [
        ("en", language("en").prose(BIG, 1)),
        ("fr", language("fr").prose(BIG, 1)),
        ("en with some ru", mixed("ru", 1)),
        ("en with some zh", mixed("zh", 1)),
    ]
}

fn leaf(encoding: &str, kind: &str, content: &[u8]) -> Vec<u8> {
    let head =
        format!("MIME-Version: 1.0\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n");
    [head.as_bytes(), content].concat()
}

/// A plan encodes a small body in advance and a big one while it is written: only for a big one is
/// writing the codec's work.
const BIG: usize = 512 << 10;

const TEXT_TYPE: &str = "text/plain; charset=utf-8";
const FILE_TYPE: &str = "application/octet-stream";

fn content(message: &Message<'_>) -> Vec<u8> {
    message.leaves().next().expect("a leaf").octets().into_owned()
}

/// The plan, its output without the header, and the encoding that the header names.
fn planned(message: &[u8]) -> (Plan<'_>, Vec<u8>, String) {
    let plan = Normalizer::new().profile(Profile::Transport).plan(message);
    let mut out = Vec::new();
    plan.write_to(&mut out).expect("memory");
    let body = out.windows(4).position(|octets| octets == b"\r\n\r\n").map_or(out.len(), |at| at + 4);
    let encoding = Message::parse(&out).leaves().next().expect("a leaf").transfer_encoding().to_owned();
    (plan, out.split_off(body), encoding)
}

fn quoted_decode(corpus: &str, text: &str, gmime: Option<Gmime>, table: &mut Table) {
    let octets = encodify::qp::BODY.encode(text).into_bytes();
    let (octets, expected) = (octets.as_slice(), text.as_bytes());
    let mail = leaf("quoted-printable", TEXT_TYPE, octets);
    let message = Message::parse(&mail);
    let part = message.leaves().next().expect("a leaf");
    let with_encodify = || encodify::qp::BODY.decode(octets).unwrap_or_default();
    let with_mail_parser = || mail_parser::Encoding::QuotedPrintable.decode(octets);
    let mut room = vec![0; octets.len() + 100];
    let mut decoded = room.clone();
    Race::new("quoted-printable decode", corpus, octets.len())
        .ours(same(content(&message), expected), || part.octets())
        .peer(ENCODIFY, same(with_encodify(), expected), with_encodify)
        .peer(MAIL_PARSER, same(with_mail_parser(), expected), with_mail_parser)
        .maybe(
            GMIME,
            gmime,
            |gmime| {
                let length = gmime.decode(TransferEncoding::QuotedPrintable, octets, &mut decoded);
                same(&decoded[..length], expected)
            },
            |gmime| gmime.decode(TransferEncoding::QuotedPrintable, octets, &mut room),
        )
        .goal(ENCODIFY, 1.0)
        .run(table);
}

fn quoted_encode(corpus: &str, text: &str, gmime: Option<Gmime>, table: &mut Table) {
    let mail = leaf("8bit", TEXT_TYPE, text.as_bytes());
    let (plan, body, encoding) = planned(&mail);
    let back = |octets: &[u8]| same(encodify::qp::BODY.decode(octets).unwrap_or_default(), text);
    let note =
        if encoding == "quoted-printable" { back(&body) } else { Note::Wrong(format!("wrote {encoding}")) };
    let (mut out, mut used) = (Vec::new(), Vec::new());
    let mut room = vec![0; text.len() * 4 + 100];
    let mut encoded = room.clone();
    Race::new("quoted-printable encode", corpus, text.len())
        .ours(note, || {
            out.clear();
            plan.write_to(&mut out)
        })
        .peer(ENCODIFY, back(encodify::qp::BODY.encode(text).as_bytes()), || {
            used.clear();
            encodify::qp::BODY.encode_append(text, &mut used)
        })
        .maybe(
            GMIME,
            gmime,
            |gmime| {
                let length = gmime.encode(TransferEncoding::QuotedPrintable, text.as_bytes(), &mut encoded);
                back(&encoded[..length])
            },
            |gmime| gmime.encode(TransferEncoding::QuotedPrintable, text.as_bytes(), &mut room),
        )
        .goal(ENCODIFY, 1.0)
        .run(table);
}

/// Planned and written: the body is examined, the shorter encoding chosen and written.
fn body_encode(language: Language, table: &mut Table) {
    use mail_builder::mime::{BodyPart, MimePart};
    let text = language.prose(TEXT, 1);
    let text = text.as_str();
    let mail = leaf("8bit", TEXT_TYPE, text.as_bytes());
    let normalizer = Normalizer::new().profile(Profile::Transport);
    let back = |octets: &[u8]| same(content(&Message::parse(octets)), text);
    let (mut out, mut built) = (Vec::new(), Vec::new());
    let build = |built: &mut Vec<u8>| {
        built.clear();
        MimePart::new("text/plain", BodyPart::Text(text.into())).write_part(built);
    };
    build(&mut built);
    Race::new("text body, the encoding chosen", language.code, mail.len())
        .ours(back(normalizer.normalize(&mail).octets()), || {
            out.clear();
            normalizer.plan(&mail).write_to(&mut out)
        })
        .peer(MAIL_BUILDER, back(&built.clone()), || build(&mut built))
        .goal(MAIL_BUILDER, 1.0)
        .run(table);
}

fn base64_decode(content_octets: &[u8], gmime: Option<Gmime>, table: &mut Table) {
    let octets = encodify::base64::MIME.encode(content_octets).into_bytes();
    let (octets, expected) = (octets.as_slice(), content_octets);
    let mail = leaf("base64", FILE_TYPE, octets);
    let message = Message::parse(&mail);
    let part = message.leaves().next().expect("a leaf");
    let with_encodify = || encodify::base64::MIME.decode(octets).unwrap_or_default();
    let with_mail_parser = || mail_parser::Encoding::Base64.decode(octets);
    let mut room = vec![0; octets.len() + 100];
    let mut decoded = room.clone();
    Race::new("base64 decode, lines of 76", "random octets", octets.len())
        .ours(same(content(&message), expected), || part.octets())
        .peer(ENCODIFY, same(with_encodify(), expected), with_encodify)
        .peer(MAIL_PARSER, same(with_mail_parser(), expected), with_mail_parser)
        .maybe(
            GMIME,
            gmime,
            |gmime| {
                let length = gmime.decode(TransferEncoding::Base64, octets, &mut decoded);
                same(&decoded[..length], expected)
            },
            |gmime| gmime.decode(TransferEncoding::Base64, octets, &mut room),
        )
        .goal(ENCODIFY, 0.5)
        .run(table);
}

fn base64_encode(octets: &[u8], gmime: Option<Gmime>, table: &mut Table) {
    let expected = encodify::base64::MIME.encode(octets);
    let mail = leaf("binary", FILE_TYPE, octets);
    let (plan, body, encoding) = planned(&mail);
    let note = if encoding == "base64" {
        same(body.trim_ascii_end(), expected.trim_end())
    } else {
        Note::Wrong(format!("wrote {encoding}"))
    };
    let (mut out, mut used) = (Vec::new(), Vec::new());
    let mut room = vec![0; octets.len() * 4 + 100];
    let mut encoded = room.clone();
    Race::new("base64 encode, lines of 76", "random octets", octets.len())
        .ours(note, || {
            out.clear();
            plan.write_to(&mut out)
        })
        .peer(ENCODIFY, "", || {
            used.clear();
            encodify::base64::MIME.encode_append(octets, &mut used)
        })
        .maybe(
            GMIME,
            gmime,
            |gmime| {
                let length = gmime.encode(TransferEncoding::Base64, octets, &mut encoded);
                same(&encoded[..length], expected.replace("\r\n", "\n"))
            },
            |gmime| gmime.encode(TransferEncoding::Base64, octets, &mut room),
        )
        .goal(ENCODIFY, 0.7)
        .run(table);
}
