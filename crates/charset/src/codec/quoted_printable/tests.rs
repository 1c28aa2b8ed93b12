//! Each fast path against its naive twin, and what rule B4 requires of the lines.

use proptest::prelude::*;

use super::encode::Encoder;
use super::*;
use crate::Code;
use crate::codec::level;
use crate::report::Tally;

fn decoded(body: &[u8]) -> (Vec<u8>, bool) {
    let (mut out, mut tally) = (b"before".to_vec(), Tally::default());
    decode(body, &mut out, &mut tally);
    let issues = tally.into_issues();
    for issue in &issues {
        assert_eq!(issue.code(), Code::QuotedPrintableRepaired);
        assert!(
            issue.span().start <= issue.span().end && issue.span().end <= body.len(),
            "{issue}"
        );
    }
    (out.split_off(6), !issues.is_empty())
}

/// The specification of [`decode`]: lines, then octets.
fn naive_decoded(body: &[u8]) -> (Vec<u8>, bool) {
    let (mut out, mut repaired, mut at) = (Vec::new(), !body.is_ascii(), 0);
    while at < body.len() {
        let end = body[at..]
            .iter()
            .position(|octet| b"\r\n".contains(octet))
            .map_or(body.len(), |end| at + end);
        let after =
            if body[end..].starts_with(b"\r\n") { end + 2 } else { body.len().min(end + 1) };
        let mut line = &body[at..end];
        while let [rest @ .., b' ' | b'\t'] = line {
            line = rest;
        }
        let soft = line.last() == Some(&b'=');
        line = &line[..line.len() - usize::from(soft)];
        repaired |= soft && after == end;
        let mut octets = line;
        while let [octet, rest @ ..] = octets {
            let digit = |at: usize| rest.get(at).and_then(|&digit| char::from(digit).to_digit(16));
            match (octet, digit(0), digit(1)) {
                (b'=', Some(high), Some(low)) => {
                    repaired |= rest[..2].iter().any(u8::is_ascii_lowercase);
                    out.push((high * 16 + low) as u8);
                    octets = &rest[2..];
                }
                _ => {
                    repaired |= *octet == b'=';
                    out.push(*octet);
                    octets = rest;
                }
            }
        }
        if !soft {
            out.extend_from_slice(&body[end..after]);
        }
        at = after;
    }
    (out, repaired)
}

/// Returns what no line may begin with in mail, among some boundaries.
fn starts(boundaries: &[&[u8]]) -> LineStarts {
    let delimiters = boundaries.iter().map(|boundary| [b"--", *boundary].concat());
    LineStarts::new(&[b"From ", b"."], delimiters.collect())
}

fn encoded(octets: &[u8], boundaries: &[&[u8]]) -> Vec<u8> {
    let starts = &starts(boundaries);
    let mut out = Vec::new();
    encode_text_to(octets, starts, &mut out).expect("a vector takes all");
    assert_eq!(text_fits(octets, starts, usize::MAX), Some(out.len()));
    assert_eq!(text_fits(octets, starts, out.len()), Some(out.len()));
    assert!(out.is_empty() || text_fits(octets, starts, out.len() - 1).is_none());
    for level in level::all() {
        let mut same = Vec::new();
        let given: Result<(), ()> = Encoder::new(level, octets, starts).give_lines(|lines| {
            same.extend_from_slice(lines);
            Ok(())
        });
        assert_eq!((given, &same), (Ok(()), &out), "{level:?}");
    }
    out
}

/// The specification of the encoder: piece by piece.
fn naive_encoded(octets: &[u8], boundaries: &[&[u8]]) -> Vec<u8> {
    let mut lines = vec![Vec::new()];
    let mut rest = octets;
    while let [octet, more @ ..] = rest {
        rest = more;
        match (octet, more) {
            (b'\r', [b'\n', more @ ..]) => {
                lines.push(Vec::new());
                rest = more;
            }
            _ => lines.last_mut().expect("there is a first line").push(*octet),
        }
    }
    let lines: Vec<Vec<u8>> = lines.iter().map(|line| naive_line(line, boundaries)).collect();
    lines.join(&b"\r\n"[..])
}

fn naive_line(line: &[u8], boundaries: &[&[u8]]) -> Vec<u8> {
    let (mut out, mut current, mut at) = (Vec::new(), Vec::new(), 0);
    while at < line.len() {
        let literal = is_literal(line[at]) && !(at + 1 == line.len() && b" \t".contains(&line[at]));
        let risky = current.is_empty() && is_risky_when_encoded(&line[at..], boundaries);
        let length = match line[at] {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        let more = line.get(at + 1..at + length);
        let sequence =
            more.filter(|more| more.iter().all(|octet| octet & 0xC0 == 0x80)).map(|_| length);
        let taken = if literal || risky { 1 } else { sequence.unwrap_or(1) };
        let piece = if literal && !risky {
            vec![line[at]]
        } else {
            line[at..at + taken]
                .iter()
                .flat_map(|octet| format!("={octet:02X}").into_bytes())
                .collect()
        };
        let room = if at + taken == line.len() { 76 } else { 75 };
        if current.len() + piece.len() <= room {
            current.extend(piece);
            at += taken;
        } else {
            out.extend(std::mem::take(&mut current));
            out.extend(b"=\r\n");
        }
    }
    out.extend(current);
    out
}

/// Returns whether a line, as it is going to be written, begins as no line may.
fn is_risky_when_encoded(line: &[u8], boundaries: &[&[u8]]) -> bool {
    let mut written = Vec::new();
    for (at, &octet) in line.iter().enumerate() {
        let literal =
            is_literal(octet) && !(at > 4 && at + 1 == line.len() && b" \t".contains(&octet));
        if literal {
            written.push(octet);
        } else {
            written.extend(format!("={octet:02X}").into_bytes());
        }
    }
    let boundaries: Vec<_> =
        boundaries.iter().map(|boundary| boundary.strip_suffix(b"=").unwrap_or(boundary)).collect();
    starts(&boundaries).begin(&written)
}

/// Checks at each level that whatever is decoded without a fault is as specified, and that
/// everything without a fault is decoded.
fn check_strict(body: &[u8]) {
    let (octets, repaired) = naive_decoded(body);
    let bare = body.windows(2).any(|pair| pair == b"=\n")
        || body.windows(3).any(|three| &three[..2] == b"=\r" && three[2] != b'\n');
    let blank = body
        .split(|&octet| octet == b'\r' || octet == b'\n')
        .any(|line| line.ends_with(b" ") || line.ends_with(b"\t"));
    if blank || bare || body.ends_with(b"=\r") || !body.is_ascii() {
        return;
    }
    for level in level::all() {
        let mut out = vec![0; body.len() + strict::SLACK];
        let decoded = strict::decode(level, body, &mut out).map(|length| &out[..length]);
        assert_eq!(decoded, (!repaired).then_some(&octets[..]), "{level:?}");
    }
}

fn check_lines(encoded: &[u8], boundaries: &[&[u8]]) {
    for line in encoded.split(|&octet| octet == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        assert!(line.len() <= 76, "too long");
        assert!(line.iter().all(|&octet| is_literal(octet) || octet == b'='));
        assert!(!line.last().is_some_and(|octet| b" \t".contains(octet)), "ends in white space");
        assert!(!starts(boundaries).begin(line), "{}", String::from_utf8_lossy(line));
    }
    assert!(is_well_formed(encoded));
}

#[test]
fn reads_what_comes() {
    let cases: &[(&str, &str, bool)] = &[
        ("", "", false),
        ("plain\r\ntext\n", "plain\r\ntext\n", false),
        (
            "Now's the time =\r\nfor all folk to come=\r\n to the aid\r\n",
            "Now's the time for all folk to come to the aid\r\n",
            false,
        ),
        ("a=3Db=\nc=  \t\r\nd  \r\ne=\t\n", "a=bcd\r\ne", false),
        ("a=3db", "a=b", true),
        ("a=b=4=zz==3D=", "a=b=4=zz==", true),
        ("a=", "a", true),
        ("a= ", "a", true),
        ("a==\r\nb", "a=b", true),
        ("a=\rb \rc", "ab\rc", false),
        ("\u{e9}", "\u{e9}", true),
    ];
    for &(body, octets, repaired) in cases {
        assert_eq!(decoded(body.as_bytes()), (octets.into(), repaired), "{body:?}");
        assert_eq!(naive_decoded(body.as_bytes()), (octets.into(), repaired), "naive {body:?}");
    }
}

#[test]
fn reads_words() {
    let word = |text: &str| {
        let (mut out, mut tally) = (Vec::new(), Tally::default());
        decode_word(text.as_bytes(), &mut out, &mut tally);
        (out, tally.is_empty())
    };
    assert_eq!(word("a_b=5F=c3=A9_"), ("a b_\u{e9} ".into(), true));
    assert_eq!(word("a=b=_=4"), ("a=b= =4".into(), false));
    assert_eq!(word(&"=41".repeat(40)), ("A".repeat(40).into(), true));
}

proptest! {
    #[test]
    fn words_are_written_as_octet_by_octet(
        octets in prop::collection::vec(prop_oneof![any::<u8>(), 0x20_u8..0x7F, 0x20_u8..0x7F], 0..150),
        start in any::<prop::sample::Index>(), length in any::<prop::sample::Index>(),
    ) {
        let start = start.index(octets.len() + 1);
        let range = start..start + length.index(octets.len() - start + 1);
        for allowed in [QLiterals::Printable, QLiterals::Restricted, QLiterals::NoDelimiters] {
            let escaped = |&octet: &u8| match octet {
                b' ' => "_".to_owned(),
                _ if q_encoding::is_q_literal(octet, allowed) => char::from(octet).to_string(),
                _ => format!("={octet:02X}"),
            };
            let naive: String = octets[range.clone()].iter().map(escaped).collect();
            for level in level::all() {
                let mut out = Vec::new();
                q_encoding::encode_word(level, &octets, range.clone(), allowed, &mut out);
                prop_assert_eq!(String::from_utf8_lossy(&out), &naive[..], "{:?}", level);
            }
        }
    }
}

#[test]
fn escapes_starts_of_lines() {
    let boundaries: &[&[u8]] = &[b"b1", b"=3Dx", b"ends="];
    let text = b"From me\r\n.\r\n..\r\n--b1\r\n--b10--\r\n-- \r\n--b\r\n--=x\r\n--ends\r\nFromage\r\n-\r\n";
    let encoded = encoded(text, boundaries);
    let wanted = b"=46rom me\r\n=2E\r\n=2E.\r\n=2D-b1\r\n=2D-b10--\r\n--=20\r\n--b\r\n=2D-=3Dx\r\n=2D-ends\r\nFromage\r\n-\r\n";
    assert_eq!(String::from_utf8_lossy(&encoded), String::from_utf8_lossy(wanted));
    let starts = starts(boundaries);
    assert!(starts.begin_any_line(text));
    assert!(starts.begin_any_line(b"a\r\n--b1"));
    assert!(!starts.begin_any_line(b"a\r\n--b\r\nFrom\r\n-.\r\n"));
}

#[test]
fn fills_lines_to_the_last_column() {
    let line = |length| encoded(&b"x".repeat(length), &[]);
    assert_eq!(line(76), b"x".repeat(76));
    assert_eq!(line(77), [&b"x".repeat(75)[..], b"=\r\nxx"].concat());
    let wide = [&b"x".repeat(70)[..], "\u{e9}".as_bytes()].concat();
    assert_eq!(encoded(&wide, &[]), [&b"x".repeat(70)[..], b"=C3=A9"].concat());
    let wider = [&b"x".repeat(70)[..], "\u{e9}a".as_bytes()].concat();
    assert_eq!(encoded(&wider, &[]), [&b"x".repeat(70)[..], b"=\r\n=C3=A9a"].concat());
}

fn boundaries_of(texts: &[String]) -> Vec<&[u8]> {
    texts.iter().map(String::as_bytes).collect()
}

proptest! {
    #[test]
    fn decoding_is_the_naive_reading(body in "([a-z]|=|=[0-9A-Fa-f]{2}|=?[ \t]{0,3}(\r\n|\n|\r)|[ \t]|\u{e9}){0,60}") {
        prop_assert_eq!(decoded(body.as_bytes()), naive_decoded(body.as_bytes()));
        check_strict(body.as_bytes());
    }

    #[test]
    fn decoding_in_pieces_is_the_naive_reading(body in "([a-z]{0,40}|(=[0-9A-F]{2}){0,9}|=?(\r\n|\n)){0,60}", times in 1_usize..40) {
        let body = body.repeat(times);
        prop_assert_eq!(decoded(body.as_bytes()), naive_decoded(body.as_bytes()));
        check_strict(body.as_bytes());
    }

    #[test]
    fn encoding_text_is_the_naive_writing(
        text in "([ -~]{0,40}|[\u{80}-\u{10FFFF}]{0,9}|From |[.]|--|--[a-c=]{1,3}|\r\n|\r\n|\r|\n|\t| |\0){0,40}",
        boundaries in proptest::collection::vec("[a-c=3D]{1,3}", 0..3),
    ) {
        let (octets, boundaries) = (text.as_bytes(), boundaries_of(&boundaries));
        let text_encoded = encoded(octets, &boundaries);
        prop_assert_eq!(&text_encoded, &naive_encoded(octets, &boundaries));
        check_lines(&text_encoded, &boundaries);
        prop_assert_eq!(decoded(&text_encoded), (octets.to_vec(), false));
    }

    #[test]
    fn encoding_text_in_pieces_is_the_naive_writing(
        text in "([ -~]{0,99}|[ \u{80}-\u{10FFFF}]{0,30}|[\u{e9}\u{3b1}-\u{3c9}]{0,80}|[.]|From |--b|\r\n|[ \t]\r\n|(.\r\n){9}|\r|\n){0,60}",
        before in 0_usize..70,
        times in 1_usize..9,
    ) {
        let text = " ".repeat(before) + &text.repeat(times);
        let octets = text.as_bytes();
        prop_assert_eq!(encoded(octets, &[b"b"]), naive_encoded(octets, &[b"b"]));
    }

    #[test]
    fn encoding_octets_is_the_naive_writing(octets in proptest::collection::vec(any::<u8>(), 0..400)) {
        let out = encoded(&octets, &[]);
        prop_assert_eq!(&out, &naive_encoded(&octets, &[]));
        check_lines(&out, &[]);
        prop_assert_eq!(decoded(&out).0, octets);
    }

    #[test]
    fn clean_is_what_is_written(body in "([a-z]|=[0-9A-Fa-f]{2}|=?[ \t]?(\r\n|\n|\r)|[ \t=]|\u{e9}|\0){0,12}") {
        let repaired = naive_decoded(body.as_bytes()).1;
        let clean = is_well_formed(body.as_bytes());
        let unfit = body.replace("\r\n", "").contains('\r') || body.contains('\0');
        let soft = body.split(['\r', '\n']).any(|line| {
            line.ends_with([' ', '\t']) && line.trim_end_matches([' ', '\t']).ends_with('=')
        });
        prop_assert_eq!(clean, !repaired && !unfit && !soft);
        for level in level::all() {
            for before in [0, 60, 200] {
                let longer = "a".repeat(before) + &body;
                prop_assert_eq!(well_formed::is_well_formed_by(level, longer.as_bytes()), clean, "{:?}", level);
            }
        }
    }
}
