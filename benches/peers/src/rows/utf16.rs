//! UTF-16 to UTF-8 and back: rows of prose in each language.

use encoding_rs::{UTF_16BE, UTF_16LE};
use sevenbit::Charset;

use super::TEXT;
use crate::checks::same;
use crate::native::{ICU, Icu};
use crate::race::Race;
use crate::support::text::{LANGUAGES, Language};
use crate::table::Table;

const ENCODING_RS: &str = "encoding_rs 0.8.44";

/// Times each language in both directions, and one of them in big endian.
pub fn rows(table: &mut Table) {
    for language in LANGUAGES {
        decode(language, table);
    }
    for language in LANGUAGES {
        encode(language, table);
    }
    big_endian(LANGUAGES[2], table);
}

fn charset(label: &str) -> Charset {
    Charset::for_label(label).expect("UTF-16")
}

fn little_endian(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn decode(language: Language, table: &mut Table) {
    let text = language.prose(TEXT, 1);
    let octets = little_endian(&text);
    let octets = octets.as_slice();
    let charset = charset("utf-16le");
    let mut room = vec![0; octets.len() * 2];
    Race::new("UTF-16LE to UTF-8", language.code, octets.len())
        .ours(same(charset.decode(octets).text(), &text), || charset.decode(octets))
        .peer(ENCODING_RS, same(UTF_16LE.decode_without_bom_handling(octets).0.as_bytes(), &text), || {
            UTF_16LE.decode_without_bom_handling(octets)
        })
        .maybe(
            ICU,
            Icu::open("UTF-16LE", "UTF-8"),
            |icu| same(icu.converted(octets), &text),
            |icu| icu.convert(octets, &mut room),
        )
        .goal(ENCODING_RS, 1.5)
        .run(table);
}

/// encoding_rs writes UTF-16 only as units, in the order of the machine: that is timed, into a
/// vector of its own.
fn encode(language: Language, table: &mut Table) {
    let text = language.prose(TEXT, 1);
    let text = text.as_str();
    let expected = little_endian(text);
    let charset = charset("utf-16le");
    let units = || {
        let mut units = vec![0; text.len() + 1];
        let length = encoding_rs::mem::convert_str_to_utf16(text, &mut units);
        units.truncate(length);
        units
    };
    let in_octets: Vec<u8> = units().into_iter().flat_map(u16::to_le_bytes).collect();
    let mut room = vec![0; text.len() * 4];
    Race::new("UTF-8 to UTF-16LE", language.code, text.len())
        .ours(same(charset.encode(text).unwrap_or_default(), &expected), || charset.encode(text))
        .peer(ENCODING_RS, same(in_octets, &expected), units)
        .maybe(
            ICU,
            Icu::open("UTF-8", "UTF-16LE"),
            |icu| same(icu.converted(text.as_bytes()), &expected),
            |icu| icu.convert(text.as_bytes(), &mut room),
        )
        .goal(ENCODING_RS, 1.5)
        .run(table);
}

fn big_endian(language: Language, table: &mut Table) {
    let text = language.prose(TEXT, 1);
    let octets: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let octets = octets.as_slice();
    let charset = charset("utf-16be");
    Race::new("UTF-16BE to UTF-8", language.code, octets.len())
        .ours(same(charset.decode(octets).text(), &text), || charset.decode(octets))
        .peer(ENCODING_RS, same(UTF_16BE.decode_without_bom_handling(octets).0.as_bytes(), &text), || {
            UTF_16BE.decode_without_bom_handling(octets)
        })
        .goal(ENCODING_RS, 1.5)
        .run(table);
}
