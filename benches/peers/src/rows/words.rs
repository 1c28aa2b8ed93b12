//! Encoded-words (RFC 2047): values of unstructured fields, one call per value.

use std::borrow::Cow;

use mail_builder::headers::{Header, text::Text};
use mail_parser::HeaderForm;
use sevenbit::{Charset, decode_header, encode_header};

use super::{ENCODIFY, MAIL_BUILDER, MAIL_PARSER};
use crate::checks::all_same;
use crate::race::Race;
use crate::support::text::LANGUAGES;
use crate::table::Table;

/// The number of subjects in each language.
const EACH: usize = 250;

/// Times decoding and encoding of subjects: in UTF-8, and in older charsets.
pub fn rows(table: &mut Table) {
    let texts: Vec<String> = LANGUAGES.iter().flat_map(|language| language.subjects(EACH)).collect();
    let folded: Vec<Vec<u8>> = texts.iter().map(|text| built(text)).collect();
    decode("subjects in UTF-8, eight languages", &texts, &folded).goal(MAIL_PARSER, 1.5).run(table);
    let (texts, values) = legacy();
    decode("subjects in seven older charsets", &texts, &values)
        .goal(MAIL_PARSER, 1.5)
        .goal(ENCODIFY, 1.5)
        .run(table);
    let texts: Vec<String> = LANGUAGES
        .iter()
        .flat_map(|language| language.subjects(EACH))
        .filter(|text| !text.is_ascii())
        .collect();
    encode("subjects in eight languages", &texts).goal(MAIL_BUILDER, 1.5).run(table);
}

/// The value of a Subject field with this text, as mail-builder writes it.
fn built(text: &str) -> Vec<u8> {
    let mut value = Vec::new();
    Text::new(text).write_header(&mut value, "Subject: ".len());
    value.truncate(value.trim_ascii_end().len());
    value
}

/// Subjects in older charsets, and each of them as one encoded-word in B that fits on a line.
fn legacy() -> (Vec<String>, Vec<Vec<u8>>) {
    let charsets = [
        ("fr", "iso-8859-1"),
        ("ru", "koi8-r"),
        ("el", "iso-8859-7"),
        ("zh", "gb2312"),
        ("ja", "iso-2022-jp"),
        ("ja", "shift_jis"),
        ("ko", "euc-kr"),
    ];
    let mut pairs = Vec::new();
    for (code, label) in charsets {
        let language = LANGUAGES.iter().find(|language| language.code == code).expect("one of the eight");
        let charset = Charset::for_label(label).expect("a known label");
        for subject in language.subjects(EACH) {
            let text: String = subject.chars().take(14).collect::<String>().trim().to_owned();
            let word = charset
                .encode(&text)
                .map(|octets| format!("=?{label}?B?{}?=", encodify::base64::STANDARD.encode(octets)));
            pairs.extend(word.map(|word| (text, word.into_bytes())));
        }
    }
    pairs.into_iter().unzip()
}

/// The length of all values together.
fn octets(values: &[impl AsRef<[u8]>]) -> usize {
    values.iter().map(|value| value.as_ref().len()).sum()
}

/// Appends the text of octets under a label to `text`, as encodify asks a program to.
fn with_encoding_rs(label: &[u8], octets: &[u8], text: &mut String) {
    match encoding_rs::Encoding::for_label_no_replacement(label) {
        Some(encoding) => text.push_str(&encoding.decode_without_bom_handling(octets).0),
        None => text.push_str(&String::from_utf8_lossy(octets)),
    }
}

/// The race of decoding `values`, whose texts are `texts`.
fn decode<'a>(corpus: &str, texts: &'a [String], values: &'a [Vec<u8>]) -> Race<'a> {
    let corpus = format!("{} {corpus}", values.len());
    let with_encodify = |value: &'a Vec<u8>| encodify::rfc2047::decode_text(value, with_encoding_rs);
    let with_mail_parser =
        |value: &Vec<u8>| HeaderForm::Text.parse(value).value().as_text().map_or(0, str::len);
    let mail_parser_text =
        |value: &Vec<u8>| HeaderForm::Text.parse(value).value().as_text().unwrap_or_default().to_owned();
    Race::new("encoded-words decode", corpus, octets(values))
        .ours(all_same(values.iter().map(|value| decode_header(value).into_text()), texts), || {
            values.iter().map(|value| decode_header(value).text().len()).sum::<usize>()
        })
        .peer(MAIL_PARSER, all_same(values.iter().map(mail_parser_text), texts), move || {
            values.iter().map(with_mail_parser).sum::<usize>()
        })
        .peer(ENCODIFY, all_same(values.iter().map(with_encodify), texts), move || {
            values.iter().map(|value| with_encodify(value).len()).sum::<usize>()
        })
}

/// The race of writing `texts` as values.
fn encode<'a>(corpus: &str, texts: &'a [String]) -> Race<'a> {
    let back = |value: &[u8]| encodify::rfc2047::decode_text(value, with_encoding_rs).into_owned();
    let corpus = format!("{} {corpus}", texts.len());
    let ours = |text: &'a String| -> Cow<'a, str> { encode_header(text) };
    Race::new("encoded-words encode", corpus, octets(texts))
        .ours(all_same(texts.iter().map(|text| back(ours(text).as_bytes())), texts), move || {
            texts.iter().map(|text| ours(text).len()).sum::<usize>()
        })
        .peer(MAIL_BUILDER, all_same(texts.iter().map(|text| back(&built(text))), texts), || {
            texts.iter().map(|text| built(text).len()).sum::<usize>()
        })
        .peer("encodify 1.0.2, B only", "", || {
            let words = |text: &String| {
                let mut value = String::new();
                encodify::rfc2047::B.encode_words(
                    "utf-8",
                    text,
                    &mut "Subject: ".len(),
                    encodify::Fold::HEADER,
                    &mut value,
                );
                value.len()
            };
            texts.iter().map(words).sum::<usize>()
        })
}
