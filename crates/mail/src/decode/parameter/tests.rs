use serde_json::Value;

use super::*;
use crate::decode::ParameterTexts;
use crate::syntax::parameter::{FILE_OF_DISPOSITION, FILE_OF_TYPE, list};

fn parameters(value: &str) -> Parameters<'_> {
    of_list(
        value.as_bytes(),
        &list(value.as_bytes()),
        of_file(value),
        Wanted::All,
        &|_| RawText::Alone,
        &mut Tally::default(),
    )
}

/// Returns the parameter that names a file where this value may stand.
fn of_file(value: &str) -> &'static str {
    if value.contains('/') { FILE_OF_TYPE } else { FILE_OF_DISPOSITION }
}

fn texts(value: &str) -> ParameterTexts {
    ParameterTexts::read(value.as_bytes(), of_file(value), Wanted::All, |_| RawText::Alone)
}

#[test]
fn vectors() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../../../../corpus/vectors/parameter.json")).unwrap();
    for case in vectors["decode"].as_array().unwrap() {
        let value = case["in"].as_str().unwrap();
        let (read, texts) = (parameters(value), texts(value));
        assert_eq!(texts.value(), case["value"].as_str().unwrap(), "{case}");
        let expected = case["params"].as_object().unwrap();
        assert_eq!(read.list.len(), expected.len(), "{case}");
        for (name, text) in expected {
            assert_eq!(texts.get(name), text.as_str(), "{case}");
        }
        for (name, language) in case["language"].as_object().into_iter().flatten() {
            let parameter = read.list.iter().find(|p| p.name == *name).unwrap();
            assert_eq!(parameter.language.as_deref(), language.as_str(), "{case}");
        }
    }
}

#[test]
fn odd_parameters() {
    let read = texts;
    assert_eq!(read("text/html charset=utf-8").get("charset"), Some("utf-8"));
    assert_eq!(read("text/plain; charset=utf-8 format=flowed").get("format"), Some("flowed"));
    assert_eq!(read("attachment; filename=\"a;b.txt").get("filename"), Some("a"));
    assert_eq!(read("attachment; FileName=\"a\"; filename=\"b\"").get("filename"), Some("a"));
    assert_eq!(read("attachment filename=a; filename=b").get("filename"), Some("b"));
    assert_eq!(read("attachment; filename*0=a;\r\nfilename*1=b").get("filename"), Some("ab"));
    assert_eq!(
        read("a; filename*0=\"a\"; filename*2=\"c\"; filename*0=\"x\"").get("filename"),
        Some("ac")
    );
    assert_eq!(read("a; filename*=utf-8''a%0D%0Ab%00").get("filename"), Some("a b "));
    assert_eq!(read("a; filename*=\"=?utf-8?Q?=C3=A9?=\"").get("filename"), Some("\u{e9}"));
    assert_eq!(read("a; filename*=caf%C3%A9").get("filename"), Some("caf\u{e9}"));
    assert_eq!(read("text / plain; a=b").value(), "text/plain");
    assert_eq!(read("(c) text(c)/(c (c)) plain (c); a=b").value(), "text/plain");
    assert_eq!(read("text (c); /plain").value(), "text");
    assert_eq!(read("").value(), "");
    assert_eq!(parameters(";=;\"").list, []);
    // No label, however it is written.
    assert_eq!(
        read("text/html; charset*=windows-1252''u%8Fsascii").get("charset"),
        Some("u\u{fffd}sascii")
    );
    assert_eq!(
        read("text/html; charset*=windows-1252''%12%8Fascii").get("charset"),
        Some(" \u{fffd}ascii")
    );
}

#[test]
fn charset_labels_end_where_they_must() {
    for (value, label) in [
        ("text/html; charset=\"U\"TF-8", "UTF-8"),
        ("text/html; charset=utf-8\r\n <div style=\"width: 5px\">", "utf-8"),
        ("text/html; charset=\"utf-8\"<br>", "utf-8"),
        ("text/html; charset=\"utf-8\"format=flowed", "utf-8"),
        ("text/html; charset=utf-8\"; x=\"y\"", "utf-8"),
        ("text/html; charset=iso 8859-1", "iso 8859-1"),
    ] {
        assert_eq!(texts(value).get("charset"), Some(label), "{value}");
    }
}

#[test]
fn nothing_is_left_to_decode() {
    for (value, text) in [
        ("a; name*=utf-8''=?utf-8?q?b.exe?=", "=_utf-8?q?b.exe?="),
        ("a; name=\"=?utf-8?q?=3D=3Futf-8=3Fq=3Fb=3F=3D?=\"", "=_utf-8?q?b?="),
        ("a; name*0=\"=?UTF-8?B?w6TD\"; name*1=\"tg==?=\"; name*2=\".txt\"", "\u{e4}\u{f6}.txt"),
        // A word that cannot be read may stay.
        ("a; name=\"=?x-unknown?q?b?=\"", "=?x-unknown?q?b?="),
    ] {
        let read = parameters(value);
        assert!(read.list[0].holds_word, "{value}");
        assert_eq!(read.list[0].text, text, "{value}");
    }
}

#[test]
fn a_value_in_words_is_that_of_a_leaf() {
    let read = texts;
    let pdf = read("=?utf-8?q?application/pdf=3B_name=3D=22a=2Epdf=22?=");
    assert_eq!((pdf.value(), pdf.get("name")), ("application/pdf", Some("a.pdf")));
    let raw = read(" =?unknown-8bit?b?YXR0YWNobWVudDsgZmlsZW5hbWU9IunpIg==?=\r\n");
    assert_eq!((raw.value(), raw.get("filename")), ("attachment", Some("\u{e9}\u{e9}")));
    for hidden in [
        "=?utf-8?q?multipart/mixed=3Bboundary=3Db?=",
        "=?utf-8?q?message/rfc822?=",
        "=?x?q?a/b?=",
        "=?utf-8?q?a?= b",
    ] {
        assert!(
            read(hidden).get("boundary").is_none() && read(hidden).value().contains("=?"),
            "{hidden}"
        );
    }
}

#[test]
fn a_word_without_a_name_is_the_name_of_a_file_or_nothing() {
    for (value, name) in [
        ("text/plain; =?us-ascii?Q?charset=3Dutf-8?=", None),
        ("text/plain; =?us-ascii?B?Y2hhcnNldD0iSVNPLTg4NTktMiI=?=", None),
        ("multipart/mixed; =?utf-8?Q?boundary=3Db?=", None),
        ("text/plain; =?us-ascii?Q?a=3Db.pdf?=", Some("a=b.pdf")),
        ("text/plain; =?us-ascii?Q?a.pdf?=", Some("a.pdf")),
        ("text/plain; =?us-ascii?Q?a.pdf?=; name=b.pdf", Some("b.pdf")),
    ] {
        let read = texts(value);
        assert_eq!(read.get("name"), name, "{value}");
        assert_eq!(read.get("charset").or(read.get("boundary")), None, "{value}");
    }
}

#[test]
fn octets_of_code_units_are_no_controls() {
    for (value, kept) in [
        (
            "a; name*=UTF-16''%00e%00v%00i%00l%00.%00e%00x%00e%00",
            &b"\0e\0v\0i\0l\0.\0e\0x\0e\0"[..],
        ),
        ("a; name*=UTF-16LE''%FE%FF%00e%0D%00%0A", b"\xFE\xFF\0e\r\0\n"),
        ("a; name*=iso-2022-jp''%1B$Ba%0D%00", b"\x1B$Ba  "),
        ("a; name*=x-mine''%E9%0D%00", b"\xE9  "),
    ] {
        let undecoded = parameters(value).list[0].undecoded.clone();
        assert_eq!(undecoded.map(|(_, octets)| octets).as_deref(), Some(kept), "{value}");
    }
}

#[test]
fn many_sections_are_read_in_linear_time() {
    let sections: String = (0..20_000).rev().map(|n| format!("; filename*{n}=\"x\"")).collect();
    let value = format!("attachment{sections}");
    assert_eq!(texts(&value).get("filename").map(str::len), Some(20_000));
}
