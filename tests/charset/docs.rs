//! Checks docs/charsets.md: its numbers, its examples, its reasons, and the tests that it names.

use std::fs;

use sevenbit::{Charset, Malformed};

const PAGE: &str = include_str!("../../docs/charsets.md");

/// The cells of each row of the tables under a heading.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let start =
        PAGE.find(&format!("\n## {heading}")).unwrap_or_else(|| panic!("no heading {heading}")) + 4;
    let end = PAGE[start..].find("\n## ").map_or(PAGE.len(), |end| start + end);
    let is_row = |line: &&str| line.starts_with("| ");
    let cells =
        |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    let heads = ["label", "policy", "set", "rule"];
    PAGE[start..end]
        .lines()
        .filter(is_row)
        .map(cells)
        .filter(|row| !heads.contains(&row[0]))
        .collect()
}

#[test]
fn the_numbers_are_right() {
    let labels = |charset: Charset| 1 + charset.aliases().len();
    let all = Charset::all().count();
    let registered = || Charset::all().filter(|charset| charset.is_registered());
    let read = registered().filter(|charset| charset.is_decodable()).count();
    assert_eq!(registered().count(), 257);
    let known: usize = Charset::all().map(labels).sum();
    assert!(
        PAGE.contains(&format!("{all} sets are known by {known} labels")),
        "{all} sets, {known} labels"
    );
    assert!(PAGE.contains(&format!("with 886 labels, {read} are read and written")), "{read}");

    // Other pages say hundreds of labels.
    let decodable = || Charset::all().filter(|charset| charset.is_decodable());
    let hundreds = |labels: usize| format!("{},{}00", labels / 1000, labels % 1000 / 100);
    let readable: usize = decodable().map(labels).sum();
    let readme = include_str!("../../README.md");
    let (all_labels, read) = (hundreds(known), decodable().count());
    let sentence =
        format!("{all} charsets are known by {all_labels} labels, and {read} of them are read");
    assert!(readme.contains(&sentence), "README.md: {sentence}");
    let sentence = format!("{read} charsets by {} labels", hundreds(readable));
    assert!(include_str!("../../js/README.md").contains(&sentence), "js/README.md: {sentence}");
}

#[test]
fn supersets_are_read_so() {
    let rows = rows("Read as more");
    assert!(rows.len() > 10);
    for row in rows {
        let [label, _, hex, text, because] = row[..] else { panic!("five cells: {row:?}") };
        let charset = Charset::for_label(label.trim_matches('`')).expect("a label");
        let octets: Vec<u8> =
            hex.split(' ').map(|octet| u8::from_str_radix(octet, 16).expect("an octet")).collect();
        let read = charset.decode_strict(&octets).ok().map(|read| match read.chars().next() {
            Some(c) if c.is_control() => format!("U+{:04X}", u32::from(c)),
            _ => read.into_owned(),
        });
        assert_eq!(
            read.as_deref(),
            if label == "`us-ascii`" { None } else { Some(text) },
            "{label} {hex}"
        );
        assert!(!because.is_empty());
    }
}

#[test]
fn policies_are_all_there() {
    let named: Vec<&str> = rows("Ill-formed octets").iter().map(|row| row[0]).collect();
    for policy in Malformed::ALL {
        assert!(named.contains(&&*format!("`Malformed::{policy:?}`")), "{policy:?}");
    }
}

#[test]
fn what_is_not_read_is_listed_with_its_reason() {
    let expected: Vec<[&str; 3]> = Charset::all()
        .filter_map(|charset| {
            let registered = if charset.is_registered() { "yes" } else { "no" };
            charset.why_not_decodable().map(|why| [charset.name(), registered, why])
        })
        .collect();
    assert_eq!(rows("Not read"), expected);
}

#[test]
fn every_rule_has_its_test() {
    let file = |name: &str| match name {
        "" => "tests/charset/documents.rs".to_owned(),
        "command" => "cli/tests/command/charset.rs".to_owned(),
        "utf7" | "utf8" | "utf16" => format!("crates/charset/src/codec/{name}/tests.rs"),
        _ => format!("tests/charset/{name}.rs"),
    };
    let rows = rows("Rules and their tests");
    assert!(rows.len() > 50, "{}", rows.len());
    for row in rows {
        let tests: Vec<&str> = row[2].split(", ").map(|test| test.trim_matches('`')).collect();
        for test in tests {
            let (of, name) = test.split_once(": ").unwrap_or(("", test));
            let path = format!("{}/{}", env!("CARGO_MANIFEST_DIR"), file(of));
            let source =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(source.contains(&format!("fn {name}(")), "{}: {path} has no {name}", row[0]);
        }
    }
    // And each test of the documents covers a rule.
    let source = include_str!("documents.rs");
    for (_, test) in
        source.match_indices("#[test]\nfn ").map(|(at, head)| (at, &source[at + head.len()..]))
    {
        let name = test.split('(').next().expect("a name");
        assert!(PAGE.contains(&format!("`{name}`")), "docs/charsets.md does not speak of {name}");
    }
}
