//! IMAP mailbox names, one call per name.

use sevenbit::mailbox_name;

use super::ENCODIFY;
use crate::checks::all_same;
use crate::native::{ICU, Icu};
use crate::race::Race;
use crate::support::text::LANGUAGES;
use crate::table::Table;

const EACH: usize = 2_000;
const ICU_NAME: &str = "IMAP-mailbox-name";
const UTF7_IMAP: &str = "utf7-imap 0.3.2";

pub fn rows(table: &mut Table) {
    let of_language: Vec<Vec<String>> = LANGUAGES.iter().map(|language| language.mailboxes(EACH)).collect();
    // One of each language in turn: mailboxes are not sorted by script.
    let names: Vec<String> =
        (0..EACH).flat_map(|index| of_language.iter().map(move |names| names[index].clone())).collect();
    let corpus = format!("{} names in eight languages", names.len());
    let encoded: Vec<String> = names.iter().map(|name| encodify::utf7::IMAP.encode(name)).collect();
    decode(&corpus, &names, &encoded).goal(ENCODIFY, 2.0).run(table);
    encode(&corpus, &names, &encoded).goal(ENCODIFY, 2.0).run(table);
}

fn length(names: &[String]) -> usize {
    names.iter().map(String::len).sum()
}

fn text(octets: Vec<u8>) -> String {
    String::from_utf8(octets).unwrap_or_default()
}

fn decode<'a>(corpus: &str, names: &'a [String], encoded: &'a [String]) -> Race<'a> {
    let ours = |name: &String| {
        mailbox_name::decode_strict(name.as_bytes()).map(|name| name.into_owned()).unwrap_or_default()
    };
    let encodify = |name: &String| encodify::utf7::IMAP.decode(name).unwrap_or_default();
    let mut room = vec![0; 4096];
    Race::new("IMAP name decode", corpus, length(encoded))
        .ours(all_same(encoded.iter().map(ours), names), || {
            encoded.iter().filter(|name| mailbox_name::decode_strict(name.as_bytes()).is_ok()).count()
        })
        .peer(ENCODIFY, all_same(encoded.iter().map(encodify), names), || {
            encoded.iter().filter(|name| encodify::utf7::IMAP.decode(name).is_ok()).count()
        })
        .maybe(
            ICU,
            Icu::open(ICU_NAME, "UTF-8"),
            |icu| all_same(encoded.iter().map(|name| text(icu.converted(name.as_bytes()))), names),
            move |icu| encoded.iter().map(|name| icu.convert(name.as_bytes(), &mut room)).sum::<usize>(),
        )
}

fn encode<'a>(corpus: &str, names: &'a [String], encoded: &'a [String]) -> Race<'a> {
    let mut room = vec![0; 4096];
    Race::new("IMAP name encode", corpus, length(names))
        .ours(all_same(names.iter().map(|name| mailbox_name::encode(name)), encoded), || {
            names.iter().map(|name| mailbox_name::encode(name).len()).sum::<usize>()
        })
        .peer(ENCODIFY, "", || {
            names.iter().map(|name| encodify::utf7::IMAP.encode(name).len()).sum::<usize>()
        })
        .peer(
            UTF7_IMAP,
            all_same(names.iter().map(|name| utf7_imap::encode_utf7_imap(name.clone())), encoded),
            || names.iter().map(|name| utf7_imap::encode_utf7_imap(name.clone()).len()).sum::<usize>(),
        )
        .maybe(
            ICU,
            Icu::open("UTF-8", ICU_NAME),
            |icu| all_same(names.iter().map(|name| text(icu.converted(name.as_bytes()))), encoded),
            move |icu| names.iter().map(|name| icu.convert(name.as_bytes(), &mut room)).sum::<usize>(),
        )
}
