//! Labels: every registered one, and those found in mail.

use sevenbit::{Charset, Spelling};

const IANA: &str = include_str!("../../corpus/charset/iana-character-sets.csv");

/// The registry's labels with the preferred name of each, by a small reading of its CSV.
fn registered() -> Vec<(String, String)> {
    let mut labels = Vec::new();
    for row in rows(IANA).into_iter().skip(1) {
        let preferred = if row[0].trim().is_empty() { row[1].trim() } else { row[0].trim() };
        let aliases = row[5].lines().chain([row[1].as_str(), preferred]);
        labels.extend(
            aliases
                .map(str::trim)
                .filter(|l| !l.is_empty())
                .map(|l| (l.to_owned(), preferred.to_owned())),
        );
    }
    labels.sort();
    labels.dedup();
    labels
}

fn rows(csv: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    for c in csv.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            '\r' => {}
            _ => field.push(c),
        }
    }
    rows
}

#[test]
fn every_registered_label_gives_its_preferred_name_in_any_case() {
    let labels = registered();
    assert_eq!(labels.len(), 886);
    for (label, name) in labels {
        for label in [label.clone(), label.to_lowercase(), label.to_uppercase()] {
            let charset =
                Charset::for_label(&label).unwrap_or_else(|| panic!("{label} is not known"));
            assert_eq!(charset.name(), name, "{label}");
            assert!(charset.is_registered());
        }
    }
}

#[test]
fn other_projects_names_are_known() {
    let facts = include_str!("../../corpus/charset/aliases.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for fact in facts {
        let [label, name, _] = fact.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("three cells: {fact}")
        };
        let found = Charset::for_label(label).map(Charset::name);
        assert_eq!(found, Some(name), "{label}");
        count += 1;
    }
    assert!(count > 1500, "{count}");
}

/// Where a number or another word follows a known label, that does not decide.
#[test]
fn a_prefix_does_not_decide_over_a_number() {
    for (label, name) in [
        ("ansi-1251", Some("windows-1251")),
        ("ansi-1256", Some("windows-1256")),
        ("ansi-1299", None),
        ("windows-125", None),
        ("hz-gb", Some("HZ-GB-2312")),
        ("Cyrillic (Windows)", Some("windows-1251")),
        ("Central European (ISO)", Some("ISO-8859-2")),
        ("arabic-windows", Some("windows-1256")),
        ("greek-win", Some("windows-1253")),
        ("koi8-c", None),
        ("big5-1999", None),
        ("51936", Some("GB2312")),
        ("52936", Some("HZ-GB-2312")),
        ("936", Some("GBK")),
        ("8859_15", Some("ISO-8859-15")),
        ("x-windows-50221", Some("ISO-2022-JP")),
        ("ms-cyrl", Some("windows-1251")),
        ("cp923", Some("ISO-8859-15")),
        ("MacUkraine", Some("x-mac-cyrillic")),
        ("10029", Some("x-mac-ce")),
        ("winbaltrim", Some("windows-1257")),
        ("iso-ir-203", Some("ISO-8859-15")),
        ("ibm-1252", Some("windows-1252")),
    ] {
        let found = Charset::for_label_lenient(label).map(|(charset, _)| charset.name());
        assert_eq!(found, name, "{label}");
    }
}

/// The pages of IBM with the euro are their parents, but for that.
#[test]
fn pages_with_the_euro_differ_only_there() {
    for (parent, with_euro) in [
        ("IBM037", "IBM01140"),
        ("IBM273", "IBM01141"),
        ("IBM277", "IBM01142"),
        ("IBM278", "IBM01143"),
        ("IBM280", "IBM01144"),
        ("IBM284", "IBM01145"),
        ("IBM285", "IBM01146"),
        ("IBM297", "IBM01147"),
        ("IBM500", "IBM01148"),
        ("IBM871", "IBM01149"),
    ] {
        let [parent, with_euro] =
            [parent, with_euro].map(|name| Charset::for_label(name).expect("known"));
        for octet in 0..=u8::MAX {
            let read = |charset: Charset| charset.decode(&[octet]).text().to_owned();
            let (old, new) = (read(parent), read(with_euro));
            assert!(
                old == new || (&*old, &*new) == ("\u{A4}", "€"),
                "{parent} {octet:02X}: {old} {new}"
            );
        }
    }
}

#[test]
fn labels_of_the_wild() {
    use Spelling::{Known, Repaired};
    for (label, name, spelling) in [
        ("utf8", "UTF-8", Known),
        ("cp-850", "IBM850", Known),
        ("x-gbk", "GBK", Known),
        ("ks_c_5601-1987", "KS_C_5601-1987", Known),
        ("iso-8859-8-i", "ISO-8859-8-I", Known),
        ("x-unicode-2-0-utf-7", "UTF-7", Known),
        ("unicode-1-1-utf-7", "UNICODE-1-1-UTF-7", Known),
        ("_iso-2022-jp$esc", "ISO-2022-JP", Known),
        ("x-ias-german", "DIN_66003", Known),
        ("x-mac-cyrillic", "x-mac-cyrillic", Known),
        ("windows1251", "windows-1251", Repaired),
        ("iso8859-15", "ISO-8859-15", Known),
        ("437", "IBM437", Known),
        ("unicodebig", "UTF-16BE", Known),
        ("ansi_x3.4-1968", "US-ASCII", Known),
        ("ansi-x3.4-1968", "US-ASCII", Repaired),
        ("ansi_x3.110-1983", "ANSI_X3.110-1983", Known),
        ("\"utf-8\"", "UTF-8", Repaired),
        ("'utf-8'", "UTF-8", Repaired),
        ("utf-8;", "UTF-8", Repaired),
        ("utf-8; format=flowed", "UTF-8", Repaired),
        ("utf-8 (Plain text)", "UTF-8", Repaired),
        ("utf-8'en'", "UTF-8", Repaired),
        ("charset=utf-8", "UTF-8", Repaired),
        ("3Dutf-8", "UTF-8", Repaired),
        ("=utf-8", "UTF-8", Repaired),
        ("???utf-8", "UTF-8", Repaired),
        ("uft-8", "UTF-8", Repaired),
        ("chinesebig5", "Big5", Repaired),
        ("gb2312_charset", "GB2312", Repaired),
        ("shift-jis", "Shift_JIS", Known),
        ("Shift JIS", "Shift_JIS", Repaired),
        (" utf-8 ", "UTF-8", Known),
        ("utf-8*fr", "UTF-8", Repaired),
        ("utf8_general_ci", "UTF-8", Repaired),
        ("latin1_swedish_ci", "ISO-8859-1", Repaired),
        ("windows-1252http-equivContent-Type", "windows-1252", Repaired),
        ("utf-8 <div", "UTF-8", Repaired),
        ("iso-8859-15-x", "ISO-8859-15", Repaired),
        ("en_US.UTF-8", "UTF-8", Repaired),
        ("ja_JP.eucJP", "EUC-JP", Repaired),
        ("zh_CN.GBK", "GBK", Repaired),
        ("de_DE.ISO8859-15@euro", "ISO-8859-15", Repaired),
        ("134", "GB2312", Repaired),
        ("204", "windows-1251", Repaired),
    ] {
        let found =
            Charset::for_label_lenient(label).map(|(charset, spelling)| (charset.name(), spelling));
        assert_eq!(found, Some((name, spelling)), "{label}");
    }
    for label in [
        "",
        "3d",
        "\\",
        "x-nobody-knows",
        "somecharset",
        "invalid-charset",
        "none",
        "?",
        &"x".repeat(5000),
        "utf-7-like",
        "utf-16-like",
        "big50",
        "en_US.nothing",
        "a_b.utf-8x",
    ] {
        assert_eq!(Charset::for_label_lenient(label), None, "{label}");
    }
}

#[test]
fn known_but_not_decodable_is_not_unknown() {
    let printer = Charset::for_label("Ventura-Math").expect("registered");
    assert!(
        !printer.is_decodable() && !printer.is_encodable() && printer.why_not_decodable().is_some()
    );
    assert_eq!(printer.decode_strict(b"text").ok(), None);
}

#[test]
fn registered_sets_that_are_decodable() {
    let (can, cannot): (Vec<_>, Vec<_>) = Charset::all()
        .filter(|charset| charset.is_registered())
        .partition(|charset| charset.is_decodable());
    for charset in &cannot {
        println!("{charset}: {}", charset.why_not_decodable().expect("a reason"));
    }
    assert_eq!((can.len(), cannot.len()), (237, 20));
    assert!(
        can.iter().all(|charset| charset.is_encodable() && charset.why_not_decodable().is_none())
    );
}
