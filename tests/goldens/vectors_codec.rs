//! The vectors of the codecs in the public API: IMAP names, and UTF-7, UTF-8 and UTF-16 by label.

use serde_json::Value;
use sevenbit::mailbox_name;

fn cases(file: &str, kind: &str) -> Vec<Value> {
    let path = format!("{}/corpus/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let vectors = std::fs::read_to_string(path).expect("the vectors are in the repository");
    let vectors: Value = serde_json::from_str(&vectors).expect("the vectors are JSON");
    vectors[kind].as_array().expect("a list of cases").clone()
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("{case} has no {key}"))
}

#[test]
fn mailbox_names_that_are_well_formed() {
    for case in cases("imap_mailbox.json", "well_formed") {
        let read = mailbox_name::decode_strict(text(&case, "name").as_bytes());
        assert_eq!(read.as_deref(), Ok(text(&case, "text")), "{case}");
    }
}

#[test]
fn mailbox_names_that_are_ill_formed() {
    for case in cases("imap_mailbox.json", "ill_formed") {
        let error =
            mailbox_name::decode_strict(text(&case, "name").as_bytes()).expect_err("ill-formed");
        assert_eq!(Some(error.offset() as u64), case["at"].as_u64(), "{case}");
        assert_eq!(error.code().as_str(), text(&case, "code"), "{case}");
        let decoded = mailbox_name::decode(text(&case, "name").as_bytes());
        let first =
            decoded.issues().iter().min_by_key(|issue| issue.span().start).expect("an issue");
        assert_eq!((first.code(), first.span().start), (error.code(), error.offset()), "{case}");
    }
}

#[test]
fn mailbox_names_written() {
    for case in cases("imap_mailbox.json", "encode") {
        assert_eq!(mailbox_name::encode(text(&case, "text")), text(&case, "name"));
    }
}

#[test]
fn mailbox_names_read_leniently() {
    let read = |name: &str| mailbox_name::decode(name.as_bytes()).into_text().into_owned();
    assert_eq!(read("&Jjo!"), "☺!");
    assert_eq!(read("&Jjo"), "☺");
    assert_eq!(read("&U,BTFw-&ZeVnLIqe-"), "台北日本語");
    assert_eq!(read("&AGE-"), "a");
    assert_eq!(read("a&b"), "a&b");
    assert_eq!(read("R&D"), "R&D");
    assert_eq!(read("Q&As"), "Q&As");
    assert_eq!(read("&"), "&");
    assert_eq!(read("R& D"), "R& D");
    assert_eq!(read("R&D-"), "R\u{FFFD}");
    assert_eq!(read("日本"), "日本");
    assert_eq!(read("a\tb"), "a\tb");
    assert_eq!(read("&2D0-x"), "\u{FFFD}x");
    assert_eq!(mailbox_name::decode(b"a\xFFb").text(), "a\u{FFFD}b");
}

#[test]
fn a_plain_name_is_borrowed() {
    use std::borrow::Cow;
    assert!(matches!(mailbox_name::decode_strict(b"INBOX"), Ok(Cow::Borrowed("INBOX"))));
    assert!(matches!(mailbox_name::encode("INBOX"), Cow::Borrowed("INBOX")));
}

proptest::proptest! {
    #[test]
    fn every_text_comes_back(name in "([ -~]{0,9}|[\u{0}-\u{1F}]|[\u{80}-\u{7FF}]{0,9}|[\u{800}-\u{FFFD}]{0,9}|[\u{10000}-\u{10FFFF}]{0,3}|&){0,9}") {
        let written = mailbox_name::encode(&name);
        proptest::prop_assert!(written.bytes().all(|octet| (0x20..0x7F).contains(&octet)));
        let read = mailbox_name::decode_strict(written.as_bytes());
        proptest::prop_assert_eq!(read.as_deref(), Ok(name.as_str()));
    }

    #[test]
    fn any_octets_give_a_name(name in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..100)) {
        let decoded = mailbox_name::decode(&name);
        proptest::prop_assert!(decoded.issues().iter().all(|issue| issue.span().end <= name.len()));
        if let Ok(text) = mailbox_name::decode_strict(&name) {
            proptest::prop_assert_eq!(mailbox_name::encode(&text).into_owned().into_bytes(), name);
        }
    }
}
