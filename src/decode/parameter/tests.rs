use serde_json::Value;

use super::*;
use crate::decode::{Fallback, ParameterTexts};
use crate::syntax::parameter::list;

fn parameters(value: &str) -> Parameters {
    of_list(
        value.as_bytes(),
        &list(value.as_bytes()),
        Wanted::All,
        |_, _| RawText::Guess(Fallback::NONE),
        &mut Tally::default(),
    )
}

fn texts(value: &str) -> ParameterTexts {
    ParameterTexts::read(value.as_bytes(), Wanted::All, |_| RawText::Guess(Fallback::NONE))
}

#[test]
fn vectors() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../../corpus/vectors/parameter.json")).unwrap();
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
    assert_eq!(read("a; filename*0=\"a\"; filename*2=\"c\"; filename*0=\"x\"").get("filename"), Some("ac"));
    assert_eq!(read("a; filename*=utf-8''a%0D%0Ab%00").get("filename"), Some("a b "));
    assert_eq!(read("a; filename*=\"=?utf-8?Q?=C3=A9?=\"").get("filename"), Some("\u{e9}"));
    assert_eq!(read("a; filename*=caf%C3%A9").get("filename"), Some("caf\u{e9}"));
    assert_eq!(read("text / plain; a=b").value(), "text/plain");
    assert_eq!(read("(c) text(c)/(c (c)) plain (c); a=b").value(), "text/plain");
    assert_eq!(read("text (c); /plain").value(), "text");
    assert_eq!(read("").value(), "");
    assert_eq!(parameters(";=;\"").list, []);
    // No label, however it is written.
    assert_eq!(read("text/html; charset*=windows-1252''u%8Fsascii").get("charset"), Some("u\u{fffd}sascii"));
    assert_eq!(read("text/html; charset*=windows-1252''%12%8Fascii").get("charset"), Some(" \u{fffd}ascii"));
}

#[test]
fn many_sections_are_read_in_linear_time() {
    let sections: String = (0..20_000).rev().map(|n| format!("; filename*{n}=\"x\"")).collect();
    let value = format!("attachment{sections}");
    assert_eq!(texts(&value).get("filename").map(str::len), Some(20_000));
}
