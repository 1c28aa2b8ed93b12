//! The vectors at every split, and each fast path against its naive twin.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::codec::level::{self, Level, picking_at_once};

const VECTORS: &str = include_str!("../../../../../corpus/vectors/utf7.json");

fn cases(kind: &str) -> Vec<Value> {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    vectors[kind].as_array().expect("a list of cases").clone()
}

fn octets_of(case: &Value) -> Vec<u8> {
    match case["hex"].as_str() {
        Some(hex) => hex
            .split(' ')
            .map(|octet| u8::from_str_radix(octet, 16).expect("hexadecimal"))
            .collect(),
        None => case["octets"].as_str().expect("octets").into(),
    }
}

/// The result of reading: the text, and code and first octet of each issue.
type Reading = (String, Vec<(&'static str, usize)>);

fn in_chunks<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Reading {
    in_chunks_with(picking_at_once(), chunks)
}

fn in_chunks_with<'a>(level: Option<Level>, chunks: impl IntoIterator<Item = &'a [u8]>) -> Reading {
    let (mut decoder, mut text, mut tally) =
        (Decoder::with(level), String::new(), Tally::default());
    for chunk in chunks {
        decoder.decode(chunk, false, &mut text, &mut tally);
    }
    decoder.decode(b"", true, &mut text, &mut tally);
    (
        text,
        tally
            .into_issues()
            .iter()
            .map(|issue| (issue.code().as_str(), issue.span().start))
            .collect(),
    )
}

fn whole(octets: &[u8]) -> Reading {
    let (text, issues) = decode(octets).into_parts();
    assert!(
        issues
            .iter()
            .all(|issue| issue.span().start < issue.span().end && issue.span().end <= octets.len())
    );
    (
        text.into_owned(),
        issues.iter().map(|issue| (issue.code().as_str(), issue.span().start)).collect(),
    )
}

/// Reads at every split, with empty chunks, one octet at a time.
fn at_every_split(octets: &[u8]) -> Reading {
    let reading = whole(octets);
    for at in 0..=octets.len() {
        let (head, tail) = octets.split_at(at);
        assert_eq!(in_chunks([head, b"", tail]), reading, "{octets:?} split at {at}");
    }
    assert_eq!(in_chunks(octets.chunks(1)), reading, "{octets:?} octet by octet");
    reading
}

/// Reads after some other octets, so that everything is elsewhere in its vectors and pieces.
fn shifted(octets: &[u8], by: usize) -> Reading {
    let (text, mut issues) = whole(&[&b"x".repeat(by), octets].concat());
    issues.iter_mut().for_each(|(_, start)| *start -= by);
    (text[by..].into(), issues)
}

#[test]
fn well_formed_vectors() {
    for case in cases("well_formed") {
        let (octets, text) = (octets_of(&case), case["text"].as_str().expect("a text"));
        let (read, issues) = at_every_split(&octets);
        assert_eq!(read, text);
        assert_eq!(issues.first().map(|(code, _)| *code), case["note"].as_str());
        assert_eq!(decode(&octets).into_strict().expect("well-formed"), text);
        for by in (1..20).chain(1000..1026) {
            assert_eq!(shifted(&octets, by), (read.clone(), issues.clone()));
        }
    }
}

#[test]
fn ill_formed_vectors() {
    for case in cases("ill_formed") {
        let octets = octets_of(&case);
        let (read, issues) = at_every_split(&octets);
        assert_eq!(Some(read.as_str()), case["lenient"].as_str(), "{case}");
        let error = decode(&octets).into_strict().expect_err("ill-formed");
        assert_eq!(Some(error.offset() as u64), case["at"].as_u64(), "{case}");
        assert_eq!(Some(error.code().as_str()), case["code"].as_str(), "{case}");
        for by in (1..20).chain(1000..1026) {
            assert_eq!(shifted(&octets, by), (read.clone(), issues.clone()));
        }
    }
}

fn written(text: &str, direct: Direct) -> String {
    let out = encode(text, direct);
    for (at, _) in text.char_indices() {
        let (mut encoder, mut parts) = (Encoder::new(direct), Vec::new());
        [&text[..at], "", &text[at..]].iter().for_each(|part| encoder.encode(part, &mut parts));
        encoder.finish(&mut parts);
        assert_eq!(parts, out.as_bytes(), "{text:?} split at {at}");
    }
    out.into_owned()
}

/// Writes piece by piece, `chunk` characters at a time.
fn written_with(level: Option<Level>, text: &str, direct: Direct, chunk: usize) -> String {
    let (mut encoder, mut parts) = (Encoder::with(level, direct), Vec::new());
    let characters: Vec<char> = text.chars().collect();
    for part in characters.chunks(chunk) {
        encoder.encode(&part.iter().collect::<String>(), &mut parts);
    }
    encoder.finish(&mut parts);
    String::from_utf8(parts).expect("US-ASCII")
}

#[test]
fn written_vectors() {
    for case in cases("encode") {
        let text = case["text"].as_str().expect("a text");
        let safe = case["mail_safe"].as_str().expect("a form");
        assert_eq!(written(text, Direct::MailSafe), safe);
        assert_eq!(
            written(text, Direct::OptionalDirect),
            case["optional_direct"].as_str().unwrap_or(safe)
        );
    }
}

#[test]
fn lines_are_broken_while_encoding() {
    let lines = |text: &str, limit| encode_lines(text, Direct::MailSafe, limit);
    assert_eq!(lines("日本\u{2028}語\n", 76), "+ZeVnLA\r\n+ip4\r\n");
    assert_eq!(lines("one two three four five", 16), "one two three \r\nfour five");
    assert_eq!(lines("日本語日本語", 16), "+ZeVnLIqeZeVnLA\r\n+ip4-");
    assert_eq!(lines("a\rb\r\nc\u{2029}", 16), "a\r\nb\r\nc\r\n");
}

/// The specification of the decoder: unit by unit over the whole text.
fn naive(octets: &[u8]) -> Reading {
    let (mut text, mut tally, mut at) = (String::new(), Tally::default(), 0);
    let symbols = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let value = |octet: &u8| symbols.iter().position(|symbol| symbol == octet);
    while at < octets.len() {
        let start = at;
        at += 1;
        match octets[start] {
            b'+' => {
                let values: Vec<usize> = octets[at..].iter().map_while(value).collect();
                at += values.len();
                let absorbed = octets.get(at) == Some(&b'-');
                let note = |tally: &mut Tally, code| tally.note(code, crate::Span::new(start, at));
                match (values.len(), absorbed) {
                    (0, true) => text.push('+'),
                    (0..=2, false) => {
                        note(&mut tally, crate::DecodeFault::ShiftWithoutBase64);
                        text.extend(octets[start..at].iter().map(|&octet| char::from(octet)));
                    }
                    _ => {
                        let bits: String =
                            values.iter().map(|value| format!("{value:06b}")).collect();
                        let (whole, rest) = bits.split_at(bits.len() / 16 * 16);
                        let unit = |bits: &[u8]| {
                            bits.iter().fold(0, |unit, bit| unit << 1 | u16::from(bit - b'0'))
                        };
                        for unit in char::decode_utf16(whole.as_bytes().chunks(16).map(unit)) {
                            text.push(*unit.as_ref().unwrap_or(&'\u{FFFD}'));
                            if unit.is_err() {
                                note(&mut tally, crate::DecodeFault::UnpairedSurrogate);
                            }
                        }
                        if rest.len() >= 6 || rest.contains('1') {
                            note(&mut tally, crate::DecodeFault::LeftoverBits);
                            text.push('\u{FFFD}');
                        }
                    }
                }
                at += usize::from(absorbed);
            }
            0x80.. => {
                tally.note(crate::DecodeFault::NotAscii, crate::Span::new(start, at));
                text.push('\u{FFFD}');
            }
            octet => {
                if b"~\\".contains(&octet)
                    || octet.is_ascii_control() && !b"\t\r\n".contains(&octet)
                {
                    tally.note(crate::DecodeFault::NotDirect, crate::Span::new(start, at));
                }
                text.push(octet.into());
            }
        }
    }
    (
        text,
        tally
            .into_issues()
            .iter()
            .map(|issue| (issue.code().as_str(), issue.span().start))
            .collect(),
    )
}

/// The specification of the encoder.
fn naive_written(text: &str, direct: Direct) -> String {
    let set_d = |c: char| c.is_ascii_alphanumeric() || "'(),-./:? \t\r\n".contains(c);
    let set_o = |c: char| "!\"#$%&*;<=>@[]^_`{|}".contains(c);
    let is_direct = |c: char| set_d(c) || direct == Direct::OptionalDirect && set_o(c);
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let run = rest.find(is_direct).unwrap_or(rest.len());
        if is_direct(first) {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        } else if first == '+' {
            out.push_str("+-");
            rest = &rest[1..];
        } else {
            let mut symbols = Vec::new();
            let units: Vec<u8> = rest[..run].encode_utf16().flat_map(u16::to_be_bytes).collect();
            crate::codec::base64::encode(&units, &mut symbols);
            out += "+";
            out += String::from_utf8(symbols).expect("US-ASCII").trim_end_matches('=');
            rest = &rest[run..];
            if rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "+/-".contains(c))
                || rest.is_empty()
            {
                out.push('-');
            }
        }
    }
    out
}

fn text() -> impl Strategy<Value = String> {
    "([ -~]{0,20}|[\u{80}-\u{7FF}]{0,9}|[\u{800}-\u{FFFD}]{0,9}|[\u{10000}-\u{10FFFF}]{0,3}|[a-z+~!-]|\r\n){0,12}"
}

proptest! {
    #[test]
    fn reading_is_the_naive_reading(octets in "([A-Za-z0-9]{0,20}|[+][A-Za-z0-9+/]{0,40}-?|[+]2[A-Pg-v][A-Za-z0-9]{0,9}|[ -~\t\r\n\0\u{e9}]){0,12}", chunk in 1_usize..300) {
        let naive = naive(octets.as_bytes());
        prop_assert_eq!(&whole(octets.as_bytes()), &naive);
        for level in level::all_and_none() {
            prop_assert_eq!(&in_chunks_with(level, octets.as_bytes().chunks(chunk)), &naive, "{:?}", level);
        }
    }

    #[test]
    fn reading_what_is_written_gives_the_text(text in text(), chunk in 1_usize..300) {
        for direct in [Direct::MailSafe, Direct::OptionalDirect] {
            let octets = written(&text, direct);
            prop_assert_eq!(&octets, &naive_written(&text, direct));
            for level in level::all_and_none() {
                prop_assert_eq!(&written_with(level, &text, direct, chunk), &octets, "{:?}", level);
            }
            let reading = (text.clone(), vec![]);
            prop_assert_eq!(&whole(octets.as_bytes()), &reading);
            prop_assert_eq!(&in_chunks(octets.as_bytes().chunks(chunk)), &reading);
        }
    }

    #[test]
    fn lines_keep_to_their_limit(text in text(), limit in 16_usize..100, set_o in any::<bool>()) {
        let lines = encode_lines(&text, if set_o { Direct::OptionalDirect } else { Direct::MailSafe }, limit);
        prop_assert!(lines.split("\r\n").all(|line| line.len() <= limit && !line.contains(['\r', '\n'])));
        let white = |c: char| matches!(c, '\r' | '\n' | '\u{2028}' | '\u{2029}');
        prop_assert_eq!(whole(lines.as_bytes()).0.replace(white, ""), text.replace(white, ""));
    }

    #[test]
    fn takes_anything(octets in proptest::collection::vec(any::<u8>(), 0..300), chunk in 1_usize..40) {
        prop_assert_eq!(whole(&octets), in_chunks(octets.chunks(chunk)));
    }
}

/// Half a pair at the end of what vectors take in one go: they leave the sequence alone.
#[test]
fn half_a_pair_at_the_end_of_a_vector_is_no_part_of_it() {
    let octets = b"+4000A0AA++AA0A+/4+0A+/aA4aAAaa-++0aA+aa00A0a+00Aa/+aAa+a+++2gAA+2gA+00+0A0aAa0a00a/aaAaA+aa+AaAA+A0a/a+A000aaa+0aAaaAa+a\r";
    for level in level::all_and_none() {
        assert_eq!(in_chunks_with(level, [&octets[..]]), naive(octets), "{level:?}");
    }
}

#[test]
fn there_is_room_for_the_longest() {
    for unit in ["=a", "=-", "=", "+a", "=é", "é-", "éa", "日a", "日é", "😀a", "=日a"] {
        for by in 0..4 {
            let text = "x".repeat(by) + &unit.repeat(1200);
            assert_eq!(decode(encode(&text, Direct::MailSafe).as_bytes()).text(), text);
            let name = text.replace('=', "\u{1}").replace('+', "&");
            assert_eq!(
                crate::mailbox_name::decode(crate::mailbox_name::encode(&name).as_bytes()).text(),
                name
            );
        }
    }
}
