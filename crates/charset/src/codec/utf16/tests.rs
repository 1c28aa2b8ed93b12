//! The vectors at every split, and each fast path against its naive twin.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::codec::level::{self, Level, picking};

const VECTORS: &str = include_str!("../../../../../corpus/vectors/utf16.json");

fn cases(kind: &str) -> Vec<Value> {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    vectors[kind].as_array().expect("a list of cases").clone()
}

fn octets_of(case: &Value) -> Vec<u8> {
    let hex = case["hex"].as_str().expect("octets");
    hex.split(' ').map(|octet| u8::from_str_radix(octet, 16).expect("hexadecimal")).collect()
}

fn label_of(case: &Value) -> Label {
    match case["label"].as_str() {
        Some("UTF-16BE") => Label::Ordered(ByteOrder::Big),
        Some("UTF-16LE") => Label::Ordered(ByteOrder::Little),
        _ => Label::WithBom,
    }
}

/// The result of reading: the text, and code, first octet and detail of each issue.
type Reading = (String, Vec<(&'static str, usize, String)>);

fn reading(text: String, tally: Tally) -> Reading {
    let issues = tally.into_issues();
    (
        text,
        issues
            .iter()
            .map(|i| (i.code().as_str(), i.span().start, i.detail().to_string()))
            .collect(),
    )
}

fn in_chunks<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, label: Label) -> Reading {
    in_chunks_with(picking(), chunks, label)
}

fn in_chunks_with<'a>(
    level: Option<Level>,
    chunks: impl IntoIterator<Item = &'a [u8]>,
    label: Label,
) -> Reading {
    let (mut decoder, mut text, mut tally) =
        (Decoder::with(level, label), String::new(), Tally::default());
    for chunk in chunks {
        decoder.decode(chunk, false, &mut text, &mut tally);
    }
    decoder.decode(b"", true, &mut text, &mut tally);
    reading(text, tally)
}

fn at_every_split(octets: &[u8], label: Label) -> Reading {
    let (mut text, mut tally) = (String::new(), Tally::default());
    Decoder::new(label).decode(octets, true, &mut text, &mut tally);
    let whole = reading(text, tally);
    for at in 0..=octets.len() {
        let (head, tail) = octets.split_at(at);
        assert_eq!(in_chunks([head, b"", tail], label), whole, "{octets:X?} split at {at}");
    }
    assert_eq!(in_chunks(octets.chunks(1), label), whole, "{octets:X?} octet by octet");
    whole
}

#[test]
fn well_formed_vectors() {
    for case in cases("well_formed") {
        let (octets, label) = (octets_of(&case), label_of(&case));
        let text = case["text"].as_str().expect("a text");
        assert_eq!(at_every_split(&octets, label), (text.to_string(), vec![]), "{case}");
        assert_eq!(decode(&octets, label).into_strict().expect("well-formed"), text);
    }
}

#[test]
fn ill_formed_vectors() {
    for case in cases("ill_formed") {
        let (octets, label) = (octets_of(&case), label_of(&case));
        let (read, _) = at_every_split(&octets, label);
        if let Some(replaced) = case["replace"].as_str() {
            assert_eq!(read, replaced, "{case}");
        }
        let error = decode(&octets, label).into_strict().expect_err("ill-formed");
        assert_eq!(Some(error.offset() as u64), case["at"].as_u64(), "{case}");
        assert_eq!(Some(error.code().as_str()), case["code"].as_str(), "{case}");
    }
}

#[test]
fn an_error_names_the_unit() {
    let detail = |octets: &[u8]| decode(octets, Label::WithBom).issues()[0].detail().to_string();
    assert_eq!(detail(b"\xD8\x08\0R"), "D808");
    assert_eq!(detail(b"\xDF\x45\0R\xDC\0"), "2 times, first DF45");
    let error = decode_strict(b"\0R\xDF\x45\xDC\0", Label::WithBom).expect_err("ill-formed");
    assert_eq!((error.offset(), error.value()), (2, Some(0xDF45)));
}

#[test]
fn written_vectors() {
    for case in cases("encode") {
        let label = label_of(&case);
        let bom = if label == Label::WithBom { Bom::With } else { Bom::Without };
        let out = encode(case["text"].as_str().expect("a text"), label.order(), bom);
        assert_eq!(out, octets_of(&case), "{case}");
    }
}

fn naive(octets: &[u8], order: ByteOrder) -> (String, usize) {
    let units = octets.chunks_exact(2).map(|pair| order.unit([pair[0], pair[1]]));
    let mut text: String =
        char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{FFFD}')).collect();
    text.extend((octets.len() % 2 == 1).then_some('\u{FFFD}'));
    let errors = text.matches('\u{FFFD}').count();
    (text, errors)
}

fn text() -> impl Strategy<Value = String> {
    "([ -~]{0,40}|[\u{80}-\u{7FF}]{0,20}|[\u{800}-\u{FFFC}]{0,20}|[\u{10000}-\u{10FFFF}]{0,3}|[a-z\u{e9}]){0,12}"
}

fn order() -> impl Strategy<Value = ByteOrder> {
    prop_oneof![Just(ByteOrder::Big), Just(ByteOrder::Little)]
}

proptest! {
    #[test]
    fn reading_what_is_written_gives_the_text(text in text(), order in order(), chunk in 1_usize..600, times in 1_usize..40) {
        let text = text.repeat(times);
        let (octets, label) = (encode(&text, order, Bom::Without), Label::Ordered(order));
        let naive: Vec<u8> = text.encode_utf16().flat_map(|unit| order.octets(unit)).collect();
        prop_assert_eq!(&octets, &naive);
        for level in level::all_and_none() {
            let mut written = Vec::new();
            Encoder::with(level, order, Bom::Without).encode(&text, &mut written);
            prop_assert_eq!(&written, &naive, "{:?}", level);
            prop_assert_eq!(in_chunks_with(level, octets.chunks(chunk), label), (text.clone(), vec![]), "{:?}", level);
        }
        prop_assert_eq!(decode(&octets, label).into_text(), text);
    }

    #[test]
    fn reading_is_the_naive_reading(
        units in proptest::collection::vec(prop_oneof![0_u16..0x80, 0x80_u16..0x800, 0x800_u16..0xFFF0, 0xD800_u16..0xE000], 0..200),
        long in "([ -~]{0,80}|[\u{80}-\u{7FF}]{0,80}|[\u{800}-\u{FFFC}]{0,80}){0,4}",
        order in order(),
        odd in any::<bool>(),
        chunk in 1_usize..100,
    ) {
        let mut octets = order.octets(0x20).to_vec();
        octets.extend(units.iter().filter(|&&unit| unit != 0xFFFD).flat_map(|&unit| order.octets(unit)));
        octets.extend(long.encode_utf16().flat_map(|unit| order.octets(unit)));
        octets.extend(odd.then_some(0));
        let label = Label::Ordered(order);
        let (text, errors) = naive(&octets, order);
        let decoded = decode(&octets, label);
        prop_assert_eq!(decoded.text(), &text);
        prop_assert_eq!(decoded.is_lossless(), errors == 0);
        let whole = in_chunks([&octets[..]], label);
        prop_assert_eq!(&whole.0, &text);
        for level in level::all_and_none() {
            prop_assert_eq!(&in_chunks_with(level, octets.chunks(chunk), label), &whole, "{:?}", level);
            prop_assert_eq!(&in_chunks_with(level, [&octets[..]], label), &whole, "{:?}", level);
        }
    }
}
