//! Examples that the standards give, and facts about single charsets.

use serde_json::Value;
use sevenbit::utf8::{from_utf8b, to_utf8b};
use sevenbit::{Charset, Code, DecodeFault, Malformed};

fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap_or_else(|| panic!("{label} is not known"))
}

fn octets(hex: &str) -> Vec<u8> {
    hex.split_whitespace()
        .map(|octet| u8::from_str_radix(octet, 16).expect("hexadecimal"))
        .collect()
}

/// Decodes in one piece, at every split with empty chunks around it, and octet by octet.
fn assert_reads(label: &str, octets: &[u8], text: &str) {
    assert_eq!(charset(label).decode(octets).text(), text, "{label} {octets:02X?}");
    for at in 0..=octets.len() {
        let (mut decoder, mut read) = (charset(label).decoder(), String::new());
        for chunk in [b"", &octets[..at], b"", &octets[at..], b""] {
            decoder.push(chunk, &mut read);
        }
        decoder.finish(&mut read);
        assert_eq!(read, text, "{label} split at {at}");
    }
}

#[test]
fn documents() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../corpus/charset/vectors.json")).expect("JSON");
    for vector in vectors.as_array().expect("a list") {
        let label = vector["label"].as_str().expect("a label");
        let (text, octets) = (
            vector["text"].as_str().expect("text"),
            octets(vector["hex"].as_str().expect("octets")),
        );
        assert_reads(label, &octets, text);
        assert_eq!(
            charset(label).decode_strict(&octets).ok().is_some(),
            vector["ok"] != false,
            "{label} {text}"
        );
        if vector["writes"] == true {
            assert_eq!(charset(label).encode(text).as_deref(), Ok(&*octets), "{label} {text}");
        }
    }
}

#[test]
fn utf_16_by_its_labels() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../corpus/vectors/utf16.json")).expect("JSON");
    let field = |vector: &Value, name: &str| vector[name].as_str().expect("a string").to_owned();
    for vector in vectors["well_formed"].as_array().expect("a list") {
        assert_reads(
            &field(vector, "label"),
            &octets(&field(vector, "hex")),
            &field(vector, "text"),
        );
    }
    for vector in vectors["ill_formed"].as_array().expect("a list") {
        let error = charset(&field(vector, "label"))
            .decode_strict(&octets(&field(vector, "hex")))
            .expect_err("ill-formed");
        assert_eq!(
            (Some(error.offset() as u64), error.code().as_str()),
            (vector["at"].as_u64(), &*field(vector, "code"))
        );
    }
    for vector in vectors["encode"].as_array().expect("a list") {
        let (label, text) =
            (vector["label"].as_str().expect("a label"), vector["text"].as_str().expect("text"));
        let octets = octets(vector["hex"].as_str().expect("octets"));
        assert_eq!(charset(label).encode(text).as_deref(), Ok(&*octets), "{label}");
    }
}

#[test]
fn a_label_of_unicode_1_1_reports_what_may_be_hangul() {
    let codes = |label: &str, like: &str| {
        let octets = charset(like).encode("\u{3400} text").expect("Unicode").into_owned();
        let decoded = charset(label).decode(&octets).into_parts();
        assert_eq!(decoded.0, "\u{3400} text");
        decoded.1.iter().map(|issue| issue.code()).collect::<Vec<_>>()
    };
    assert_eq!(codes("unicode-1-1-utf-7", "utf-7"), [Code::OldHangul]);
    assert_eq!(codes("unicode-1-1-utf-8", "utf-8"), [Code::OldHangul]);
    assert_eq!(codes("unicode-1-1", "utf-16"), [Code::OldHangul]);
    assert_eq!(
        [codes("utf-7", "utf-7"), codes("utf-8", "utf-8"), codes("utf-16", "utf-16")],
        [[], [], []]
    );
}

#[test]
fn an_unmappable_character_is_named_and_never_becomes_something_else() {
    for label in [
        "iso-8859-1",
        "koi8-r",
        "iso-2022-jp",
        "hz-gb-2312",
        "cp850",
        "us-ascii",
        "gb2312",
        "ibm037",
    ] {
        let error = charset(label).encode("ab\u{1F4A9}c").expect_err("no such character");
        assert_eq!(
            (error.code(), error.offset(), error.character()),
            (Code::Unmappable, 2, Some('\u{1F4A9}'))
        );
        assert_eq!(
            error.to_string(),
            "a character that the charset does not have at octet 2: U+1F4A9 (unmappable)"
        );
    }
    assert_eq!(charset("iso-8859-1").encode("€").expect_err("windows-1252 has it").offset(), 0);
    assert_eq!(
        charset("shift_jis").encode("a¥").expect_err("it would become a backslash").offset(),
        1
    );
}

#[test]
fn us_ascii_is_strict_and_iso_8859_1_is_windows_1252() {
    let ascii = Charset::US_ASCII.decode(b"caf\xE9");
    assert_eq!(
        (ascii.text(), ascii.issues()[0].code(), ascii.is_lossless()),
        ("caf\u{FFFD}", Code::Decode(DecodeFault::NotAscii), false)
    );
    assert_eq!(
        Charset::ISO_8859_1.decode_strict(b"\x93caf\xE9\x94").ok().as_deref(),
        Some("\u{201C}café\u{201D}")
    );
}

#[test]
fn a_byte_order_mark_never_overrides_the_label() {
    assert_eq!(
        Charset::WINDOWS_1252.decode_strict(b"\xFF\xFE caf\xE9").ok().as_deref(),
        Some("ÿþ café")
    );
    assert_eq!(Charset::UTF_8.decode_strict(b"\xEF\xBB\xBFa").ok().as_deref(), Some("\u{FEFF}a"));
}

#[test]
fn ascii_and_utf_8_are_borrowed() {
    for label in [
        "utf-8",
        "us-ascii",
        "iso-8859-1",
        "gb18030",
        "koi8-r",
        "cp850",
        "iso-2022-jp",
        "shift_jis",
    ] {
        let decoded = charset(label).decode(b"plain text").into_text();
        assert!(matches!(decoded, std::borrow::Cow::Borrowed("plain text")), "{label}");
        let encoded = charset(label).encode("plain text").expect("ASCII");
        assert!(matches!(encoded, std::borrow::Cow::Borrowed(b"plain text")), "{label}");
    }
}

#[test]
fn policies_for_ill_formed_utf_8() {
    let octets = b"caf\xE9 \xE2\x82\xAC \x93";
    for (policy, text) in [
        (Malformed::Strict, "caf"),
        (Malformed::Replace, "caf\u{FFFD} € \u{FFFD}"),
        (Malformed::Latin1, "café € \u{93}"),
        (Malformed::Windows1252, "café € \u{201C}"),
    ] {
        let (mut decoder, mut read) =
            (Charset::UTF_8.decoder().on_malformed(policy), String::new());
        octets.chunks(1).for_each(|chunk| decoder.push(chunk, &mut read));
        let loses = matches!(policy, Malformed::Strict | Malformed::Replace);
        assert_eq!(decoder.error().is_some(), loses);
        decoder.finish(&mut read);
        assert_eq!(read, text);
    }
    assert_eq!(
        Malformed::ALL.iter().map(|policy| policy.as_str()).collect::<Vec<_>>(),
        ["strict", "replace", "latin1", "windows-1252"]
    );
    let error = Charset::UTF_8.decode_strict(octets).expect_err("ill-formed");
    assert_eq!(error.offset(), 3);
}

#[test]
fn utf_8b_keeps_any_octets() {
    let octets: Vec<u8> = (0..=0xFF).rev().chain(*b"\xE2\x82\xAC\xED\xB2\x80").collect();
    assert_eq!(from_utf8b(&to_utf8b(&octets)), Some(octets));
}

#[test]
fn shifts_and_signatures_are_state() {
    for label in
        ["iso-2022-jp", "iso-2022-kr", "iso-2022-cn", "hz-gb-2312", "utf-7", "utf-16", "utf-32"]
    {
        assert!(charset(label).is_stateful(), "{label}");
    }
    for label in [
        "utf-8",
        "utf-16be",
        "utf-32le",
        "gb18030",
        "euc-tw",
        "johab",
        "cp850",
        "t.61-8bit",
        "us-ascii",
    ] {
        assert!(!charset(label).is_stateful(), "{label}");
    }
}
