//! UTF-7 (RFC 2152), one language at a time.

use sevenbit::Charset;

use super::{ENCODIFY, MAIL_PARSER, TEXT};
use crate::checks::same;
use crate::native::{ICU, Icu};
use crate::race::Race;
use crate::support::text::{LANGUAGES, Language};
use crate::table::Table;

pub fn rows(table: &mut Table) {
    for language in LANGUAGES {
        decode(language, table);
    }
    for language in LANGUAGES {
        encode(language, table);
    }
}

/// How many times as fast as encodify we should be.
fn wanted(language: Language) -> f64 {
    if matches!(language.code, "en" | "fr") { 1.0 } else { 2.0 }
}

fn decode(language: Language, table: &mut Table) {
    let text = language.prose(TEXT, 1);
    let octets = encodify::utf7::MAIL.encode(&text).into_bytes();
    let [octets, expected] = [&octets[..], text.as_bytes()];
    let known = charset::Charset::for_label(b"utf-7").expect("UTF-7");
    let mut room = vec![0; octets.len() * 4];
    Race::new("UTF-7 decode", language.code, octets.len())
        .ours(same(Charset::UTF_7.decode(octets).text(), expected), || Charset::UTF_7.decode(octets))
        .peer(ENCODIFY, same(encodify::utf7::MAIL.decode(octets).unwrap_or_default(), expected), || {
            encodify::utf7::MAIL.decode(octets)
        })
        .maybe(
            ICU,
            Icu::open("UTF-7", "UTF-8"),
            |icu| same(icu.converted(octets), expected),
            |icu| icu.convert(octets, &mut room),
        )
        .peer("charset 0.1.5", same(known.decode_without_bom_handling(octets).0.as_bytes(), expected), || {
            known.decode_without_bom_handling(octets)
        })
        .peer(
            MAIL_PARSER,
            same(mail_parser::decoders::charsets::decode(b"utf-7", octets).as_bytes(), expected),
            || mail_parser::decoders::charsets::decode(b"utf-7", octets),
        )
        .goal(ENCODIFY, wanted(language))
        .goal(ICU, 3.0)
        .run(table);
}

fn encode(language: Language, table: &mut Table) {
    let text = language.prose(TEXT, 1);
    let text = text.as_str();
    // Which characters are direct and which are shifted may differ; the decoded text may not.
    let back = |octets: &[u8]| same(encodify::utf7::MAIL.decode_lossy(octets), text);
    let ours = Charset::UTF_7.encode(text).map(|octets| octets.into_owned()).unwrap_or_default();
    let mut room = vec![0; text.len() * 4];
    Race::new("UTF-7 encode", language.code, text.len())
        .ours(back(&ours), || Charset::UTF_7.encode(text))
        .peer(ENCODIFY, back(encodify::utf7::MAIL.encode(text).as_bytes()), || {
            encodify::utf7::MAIL.encode(text)
        })
        .maybe(
            ICU,
            Icu::open("UTF-8", "UTF-7"),
            |icu| back(&icu.converted(text.as_bytes())),
            |icu| icu.convert(text.as_bytes(), &mut room),
        )
        .goal(ENCODIFY, wanted(language))
        .goal(ICU, 3.0)
        .run(table);
}
