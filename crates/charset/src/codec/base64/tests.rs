//! Each fast path against its naive twin.

use proptest::prelude::*;

use super::*;
use crate::Code;
use crate::codec::level;
use crate::report::Tally;

const SYMBOLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn value(octet: u8) -> Option<usize> {
    SYMBOLS.iter().position(|&symbol| symbol == octet)
}

fn octets_of(values: &[usize]) -> Vec<u8> {
    let bits: String = values.iter().map(|value| format!("{value:06b}")).collect();
    let whole = bits.as_bytes().chunks_exact(8);
    whole.map(|bits| bits.iter().fold(0, |octet, bit| octet << 1 | (bit - b'0'))).collect()
}

fn zero_left(values: &[usize]) -> bool {
    match values.len() % 4 {
        2 => values[values.len() - 1] & 15 == 0,
        3 => values[values.len() - 1] & 3 == 0,
        rest => rest == 0,
    }
}

/// Returns where padding from `at` on completes the quad that has `count` symbols.
fn completed(body: &[u8], at: usize, count: usize) -> Option<usize> {
    let wanted = [0, 0, 2, 1][count % 4];
    let mut seen = 0;
    for (index, &octet) in body.iter().enumerate().skip(at) {
        seen += usize::from(octet == b'=');
        if wanted == 0 || octet != b'=' && !b" \t\r\n".contains(&octet) {
            return None;
        }
        if seen == wanted {
            return Some(index + 1);
        }
    }
    None
}

/// The specification of [`decode`]: one octet at a time, no blocks, no tables. Returns the octets,
/// and whether something was repaired, or dropped.
fn naive(body: &[u8]) -> (Vec<u8>, bool, bool) {
    let (mut at, mut values, mut repaired) = (0, Vec::new(), false);
    while at < body.len() {
        let is_blank = b" \t\r\n".contains(&body[at]);
        let ends = body[at] == b'=' && completed(body, at, values.len()).is_some();
        let is_junk = !is_blank && !ends && value(body[at]).is_none();
        if is_junk
            && !repaired
            && let Some(footer) = footer::footer(body)
        {
            return (octets_of(&values[..footer.symbols]), false, true);
        }
        match body[at] {
            b'=' => match completed(body, at, values.len()) {
                Some(end) => {
                    let mut out = octets_of(&values);
                    let (more, dropped) = naive_after_padding(&body[end..], &mut out);
                    return (out, repaired | more | !zero_left(&values), dropped);
                }
                None => repaired = true,
            },
            b' ' | b'\t' | b'\r' | b'\n' => {}
            octet => match value(octet) {
                Some(value) => values.push(value),
                None => repaired = true,
            },
        }
        at += 1;
    }
    let (missing, lone) = (matches!(values.len() % 4, 2 | 3), values.len() % 4 == 1);
    (octets_of(&values), repaired | missing, lone)
}

fn naive_after_padding(body: &[u8], out: &mut Vec<u8>) -> (bool, bool) {
    let (mut at, mut repaired) = (0, false);
    loop {
        while at < body.len() && b" \t\r\n=".contains(&body[at]) {
            repaired |= body[at] == b'=';
            at += 1;
        }
        if at == body.len() {
            return (repaired, false);
        }
        let Some((octets, end)) = naive_segment(body, at) else { return (repaired, true) };
        out.extend(octets);
        (at, repaired) = (end, true);
    }
}

fn naive_segment(body: &[u8], start: usize) -> Option<(Vec<u8>, usize)> {
    let mut values = Vec::new();
    for at in start..body.len() {
        match body[at] {
            b'=' => {
                let end = completed(body, at, values.len())?;
                return zero_left(&values).then(|| (octets_of(&values), end));
            }
            b'\r' | b'\n' => {}
            b' ' | b'\t' => {
                let rest = body[at..].iter().find(|octet| !b" \t".contains(octet));
                matches!(rest, None | Some(b'\r' | b'\n')).then_some(())?;
            }
            octet => values.push(value(octet)?),
        }
    }
    (values.len() % 4 == 0).then(|| (octets_of(&values), body.len()))
}

fn naive_encoded(octets: &[u8]) -> Vec<u8> {
    let bits: String = octets.iter().map(|octet| format!("{octet:08b}")).collect();
    let six = |bits: &[u8]| {
        let value = bits.iter().fold(0, |value, bit| value << 1 | usize::from(bit - b'0'));
        SYMBOLS[value << (6 - bits.len())]
    };
    let mut symbols: Vec<u8> = bits.as_bytes().chunks(6).map(six).collect();
    symbols.resize(symbols.len().next_multiple_of(4), b'=');
    symbols
}

fn fast(body: &[u8]) -> (Vec<u8>, bool, bool) {
    let (mut out, mut tally) = (b"before".to_vec(), Tally::default());
    decode(body, &mut out, &mut tally);
    let issues = tally.into_issues();
    for issue in &issues {
        assert!(
            issue.span().start <= issue.span().end && issue.span().end <= body.len(),
            "{issue}"
        );
    }
    let has = |code| issues.iter().any(|issue| issue.code() == code);
    let repaired = has(Code::Base64Repaired) || has(Code::Base64AfterPadding);
    (out.split_off(6), repaired, has(Code::Base64Dropped))
}

fn naive_lines(octets: &[u8]) -> Vec<u8> {
    let mut flat = Vec::new();
    encode(octets, &mut flat);
    flat.chunks(76).flat_map(|line| [line, b"\r\n"].concat()).collect()
}

#[test]
fn reads_what_comes() {
    let cases: &[(&str, &str, bool, bool)] = &[
        ("", "", false, false),
        ("Zm9vYmFy", "foobar", false, false),
        ("Zm9v\r\nYmE=\r\n", "fooba", false, false),
        ("Zm 9v\tYm\n\nE==\r\n", "fooba", true, false),
        ("Zm9vYmE", "fooba", true, false),
        ("Zm9vY", "foo", false, true),
        ("Zm!9v-YmE=", "fooba", true, false),
        ("Zm=9v", "foo", true, false),
        ("=Zm9v", "foo", true, false),
        ("YQ==Yg==", "ab", true, false),
        ("YQ==\r\nYmJi\r\n", "abbb", true, false),
        ("YQ====", "a", true, false),
        ("YQ=\r\n=\r\n", "a", false, false),
        ("YQ==\r\n_____\r\nlist mailing list", "a", false, true),
        ("YQ==\r\nSent from my pad", "a", false, true),
        ("YR==", "a", true, false),
        ("Zm9v\r\n_____\r\nlist mailing list", "foo", false, true),
        ("Zm9v\r\n\r\nmailing list: x", "foo", false, true),
    ];
    for &(body, octets, repaired, dropped) in cases {
        assert_eq!(fast(body.as_bytes()), (octets.into(), repaired, dropped), "{body:?}");
        assert_eq!(naive(body.as_bytes()), (octets.into(), repaired, dropped), "naive {body:?}");
    }
}

#[test]
fn lines_of_every_length_around_lines_and_blocks() {
    for length in (0..130).chain(3600..3720).chain(57 * 64 - 2..57 * 64 + 60) {
        let octets: Vec<u8> = (0..length).map(|at| (at * 7 + at / 256) as u8).collect();
        let expected = naive_lines(&octets);
        for level in level::all() {
            let mut lines = Vec::new();
            lines::encode_lines_by(level, &octets, &mut lines).expect("a vector takes all");
            assert_eq!(lines, expected, "{level:?}");
        }
        let lines = expected;
        assert_eq!(lines.len(), lines_len(length));
        assert!(is_well_formed(&lines));
        assert_eq!(fast(&lines), (octets, false, false));
    }
}

#[test]
fn pieces_of_a_text_are_encoded_as_if_they_were_alone() {
    let text: Vec<u8> = (0..150).map(|at| (at * 37) as u8).collect();
    for level in level::all() {
        for (start, length) in
            (0..150).flat_map(|start| (0..=(150 - start).min(99)).map(move |n| (start, n)))
        {
            let pieces = [start..start + length, 0..start];
            let [one, other] = pieces.clone().map(|piece| naive_encoded(&text[piece]));
            let naive = [one, b"?=".to_vec(), other].concat();
            for room in [0, 1024] {
                let mut joined = Vec::with_capacity(room);
                encode::encode_joined_by(
                    level,
                    &text,
                    pieces.clone().into_iter(),
                    b"?=",
                    &mut joined,
                );
                assert_eq!(joined, naive, "{level:?} {start} {length} {room}");
            }
        }
    }
}

#[test]
fn a_quad_is_four_values() {
    for alphabet in [&MIME, &IMAP] {
        for octet in 0..=255 {
            assert_eq!(
                alphabet.quad([b'A', octet, b'A', b'A']),
                alphabet.value(octet).map(|v| u32::from(v) << 12)
            );
        }
        let [a, b] = alphabet.pair(62 << 6 | 63);
        assert_eq!((alphabet.value(a), alphabet.value(b)), (Some(62), Some(63)));
    }
}

proptest! {
    #[test]
    fn decoding_is_the_naive_reading(
        body in "[A-Za-z0-9+/]{0,9}([A-Za-z0-9+/]{4}|=|==|\r\n|\n|[ \t!\u{e9}-]|A){0,40}"
    ) {
        prop_assert_eq!(fast(body.as_bytes()), naive(body.as_bytes()));
    }

    #[test]
    fn decoding_lines_is_the_naive_reading(
        octets in proptest::collection::vec(any::<u8>(), 0..9000),
        width in 1_usize..100,
        end in prop_oneof![Just("\r\n"), Just("\n"), Just(" \n")],
        junk in proptest::collection::vec((any::<prop::sample::Index>(), prop_oneof![Just(b'='), Just(b'-'), Just(b'A')]), 0..3),
    ) {
        let mut flat = Vec::new();
        encode(&octets, &mut flat);
        let width = if width > 90 { 76 } else { width };
        let mut body: Vec<u8> = flat.chunks(width).flat_map(|line| [line, end.as_bytes()].concat()).collect();
        for (at, octet) in junk {
            if !body.is_empty() {
                let at = at.index(body.len());
                body.insert(at, octet);
            }
        }
        prop_assert_eq!(fast(&body), naive(&body));
    }

    #[test]
    fn lines_hold_what_one_line_does(octets in proptest::collection::vec(any::<u8>(), 0..9000)) {
        for level in level::all() {
            let mut lines = Vec::new();
            lines::encode_lines_by(level, &octets, &mut lines).expect("a vector takes all");
            prop_assert_eq!(&lines, &naive_lines(&octets), "{:?}", level);
        }
    }

    #[test]
    fn short_and_sound_is_what_needs_nothing(body in "[A-Za-z0-9+/]{0,150}[A-Za-z0-9+/]{0,3}(=|==|!|)") {
        let body = body.as_bytes();
        let (octets, repaired, dropped) = naive(body);
        for level in level::all().into_iter().filter(|&level| level::picks(level)) {
            let mut out = b"before".to_vec();
            let sound = strict::decode_strict(level, body, &mut out);
            prop_assert_eq!(sound, !repaired && !dropped, "{:?}", level);
            prop_assert_eq!(&out[6..], if sound { &octets[..] } else { b"" });
        }
    }

    #[test]
    fn clean_is_what_needs_no_repair(
        body in "[A-Za-z0-9+/]{0,9}([A-Za-z0-9+/]{4}|=|==|\r\n|\n|\r|A| ){0,9}"
    ) {
        let octets = body.as_bytes();
        let (_, repaired, dropped) = naive(octets);
        let bare_cr = body.replace("\r\n", "").contains('\r');
        let symbols = body.trim_end_matches(['\r', '\n']).trim_end_matches('=');
        let padding_ends = !symbols.contains('=') && (!body.contains('=') || !symbols.ends_with('\n'));
        prop_assert_eq!(is_well_formed(octets), !repaired && !dropped && !bare_cr && !body.contains(' ') && padding_ends);
    }
}
