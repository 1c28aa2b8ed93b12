//! `charset`: the list, conversion of text of any size, guesses.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{World, keys};

#[test]
fn the_list_has_every_registered_label() {
    let world = World::new();
    let list = world.run(&["charset", "list", "--json"]).exits(0).json().remove(0);
    let list = list.as_array().expect("a list");
    assert!(
        list.iter().all(|charset| keys(charset) == ["aliases", "decodable", "encodable", "name"])
    );
    let mut labels = BTreeMap::new();
    for charset in list {
        let name = charset["name"].as_str().expect("a name");
        let aliases = charset["aliases"].as_array().expect("aliases").iter();
        for label in aliases.map(|alias| alias.as_str().expect("a label")).chain([name]) {
            assert_eq!(labels.insert(label.to_owned(), charset), None, "{label} twice");
        }
    }
    let registered = registered();
    let of_lines: BTreeSet<&String> = registered.values().flatten().collect();
    assert_eq!((registered.len(), of_lines.len()), (257, 886));
    let mut decodable = 0;
    for (name, of_name) in &registered {
        for label in of_name {
            assert_eq!(
                labels.get(label).map(|charset| &charset["name"]),
                Some(&name.as_str().into()),
                "{label}"
            );
        }
        decodable +=
            usize::from(labels[name]["decodable"] == true && labels[name]["encodable"] == true);
    }
    assert!(decodable >= 170, "{decodable}");
    let rows = world.run(&["charset", "list"]).exits(0).text();
    assert_eq!(rows.lines().count(), list.len());
    assert!(
        rows.contains("Ventura-Math") && rows.contains("not decodable: a symbol set of printers"),
        "{rows}"
    );
}

/// Preferred name and all labels of each set in IANA's registry.
fn registered() -> BTreeMap<String, BTreeSet<String>> {
    let csv = include_str!("../../../corpus/charset/iana-character-sets.csv");
    let mut fields = vec![String::new()];
    let mut sets = BTreeMap::new();
    let mut quoted = false;
    for c in csv.chars().filter(|c| *c != '\r') {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            '\n' if !quoted => {
                let row: Vec<String> = std::mem::replace(&mut fields, vec![String::new()]);
                let name = if row[0].is_empty() { row[1].trim() } else { row[0].trim() };
                let labels = row[5]
                    .lines()
                    .chain([name, row[1].as_str()])
                    .map(|label| label.trim().to_owned());
                sets.insert(name.to_owned(), labels.filter(|label| !label.is_empty()).collect());
            }
            _ => fields.last_mut().expect("a field").push(c),
        }
    }
    sets.remove("Preferred MIME Name");
    sets
}

#[test]
fn text_is_converted_like_iconv_does() {
    let world = World::new();
    let latin = world
        .run_on(&["charset", "convert", "--to", "iso-8859-1"], "Grüße\n".as_bytes())
        .exits(0)
        .out;
    assert_eq!(latin, b"Gr\xfc\xdfe\n");
    let text = world.run_on(&["charset", "convert", "--from", "Latin1"], &latin).exits(0).text();
    assert_eq!(text, "Grüße\n");
    world.write("a", "ab");
    world.write("b", "cd");
    world.run(&["charset", "convert", "-t", "utf-16be", "a", "b", "-o", "c"]).exits(0);
    assert_eq!(world.read("c"), b"\0a\0b\0c\0d");
}

#[test]
fn chunks_do_not_show() {
    let world = World::new();
    let text = format!("x{}", "日本語ü".repeat(50_000));
    let wide =
        world.run_on(&["charset", "convert", "--to", "utf-16le"], text.as_bytes()).exits(0).out;
    assert_eq!(wide.len(), 2 * text.chars().count());
    assert_eq!(
        world.run_on(&["charset", "convert", "--from", "utf-16le"], &wide).exits(0).text(),
        text
    );
}

#[test]
fn strict_stops_after_all_text_before_the_error() {
    let world = World::new();
    let bad = b"abc\xff\xffdef\n";
    let strict = ["charset", "convert", "--from", "utf-8", "--to", "utf-8"];
    let ran =
        world.run_on(&strict, bad).exits(65).says(&["UTF-8", "octet 3", "utf8-never-appears"]);
    assert_eq!(ran.text(), "abc");
    world.run_on(&[&strict[..], &["-o", "out"]].concat(), bad).exits(65);
    assert!(world.files().is_empty(), "nothing half-converted");
    let many = [&b"x".repeat(200_000)[..], b"\xf8\x88\x80\x80\x80y"].concat();
    let ran = world.run_on(&strict, &many).exits(65).says(&["octet 200000", "value 200000"]);
    assert_eq!(ran.out, many[..200_000]);
    world.write("good", "text, ");
    world.write("bad", bad);
    let both = [&strict[..], &["good", "bad"]].concat();
    world.run(&both).exits(65).says(&["bad: ", "octet 3:"]);
    let ran = world.run_on(&strict, b"caf\xc3").exits(65).says(&["octet 3", "utf8-truncated"]);
    assert_eq!(ran.text(), "caf");
    let utf_16 = ["charset", "convert", "--from", "utf-16"];
    let ran = world.run_on(&utf_16, b"\0a\xd8\x08\0b").exits(65).says(&["octet 2", "D808"]);
    assert_eq!(ran.text(), "a");
    // The output still ends in its initial state.
    let japanese = ["charset", "convert", "--to", "iso-2022-jp"];
    let ran = world.run_on(&japanese, "日☃".as_bytes()).exits(65).says(&["ISO-2022-JP", "U+2603"]);
    assert_eq!(ran.out, b"\x1b$BF|\x1b(B");
    let ran = world.run_on(&["charset", "convert", "--to", "iso-8859-15"], "a☃b".as_bytes());
    assert_eq!(ran.exits(65).says(&["ISO-8859-15", "U+2603", "on line 1", "--on-error"]).out, b"a");
    let far = ["line\n".repeat(70_000), "☃\n".into()].concat();
    let ran = world.run_on(&["charset", "convert", "--to", "iso-8859-15"], far.as_bytes());
    ran.exits(65).says(&["on line 70001"]);
}

#[test]
fn other_policies_go_on() {
    let world = World::new();
    let convert = |policy: &str, from: &str, to: &str, input: &[u8]| {
        world
            .run_on(&["charset", "convert", "-f", from, "-t", to, "--on-error", policy], input)
            .exits(0)
            .out
    };
    let bad = b"caf\xe9 \x93x\x94 \xe2\x82";
    let text =
        |policy: &str| String::from_utf8(convert(policy, "utf-8", "utf-8", bad)).expect("UTF-8");
    assert_eq!(text("replace"), "caf\u{FFFD} \u{FFFD}x\u{FFFD} \u{FFFD}");
    assert_eq!(text("code-point"), text("replace"));
    assert_eq!(text("latin1"), "café \u{93}x\u{94} â\u{82}");
    assert_eq!(text("windows-1252"), "café “x” â‚");
    let snow = "☃a☃b€☃".as_bytes();
    assert_eq!(convert("replace", "utf-8", "iso-8859-15", snow), b"?a?b\xa4?");
    assert_eq!(convert("latin1", "utf-8", "iso-8859-15", snow), b"?a?b\xa4?");
    assert_eq!(
        convert("code-point", "utf-8", "iso-8859-15", snow),
        b"<U+2603>a<U+2603>b\xa4<U+2603>"
    );
    assert_eq!(
        convert("replace", "iso-2022-jp", "utf-8", b"\x1b$B\xff\xff\x1b(Bz").last(),
        Some(&b'z')
    );
}

#[test]
fn unlabelled_text_is_guessed() {
    let world = World::new();
    let detect = |input: &[u8]| world.run_on(&["charset", "detect"], input).exits(0).text();
    assert_eq!(detect("Grüße aus Köln".as_bytes()), "UTF-8\n");
    assert_eq!(detect(b"plain"), "US-ASCII\n");
    assert_eq!(detect(b""), "US-ASCII\n");
    assert_eq!(detect(b"+ZeVnLIqe-"), "US-ASCII\n");
    assert_eq!(detect(b"\x1b$BF|K\\8l\x1b(B"), "ISO-2022-JP\n");
    assert_eq!(
        detect(b"\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0?"),
        "windows-1251\n"
    );
    world.write("a", "Grüße");
    world.write("b", "plain");
    assert_eq!(
        world.run(&["charset", "detect", "a", "b"]).exits(0).text(),
        "a: UTF-8\nb: US-ASCII\n"
    );
    world.run(&["charset", "detect", "none"]).exits(66).says(&["none"]);
    assert_eq!(world.run(&["charset", "detect", "a", "none"]).exits(66).text(), "a: UTF-8\n");
}

#[test]
fn what_no_charset_explains_is_unknown() {
    let world = World::new();
    // Octets without any order, the same in each run.
    let mut state = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    })
    .take(4000)
    .collect();
    world.write("noise", &noise);
    world.write("text", "Gr\u{fc}\u{df}e");
    assert_eq!(world.run(&["charset", "detect", "noise"]).exits(65).text(), "unknown\n");
    let both = world.run(&["charset", "detect", "noise", "text"]).exits(65).text();
    assert_eq!(both, "noise: unknown\ntext: UTF-8\n");
    let object = &world.run(&["charset", "detect", "--json", "noise"]).exits(65).json()[0];
    assert_eq!((&object["input"], &object["charset"]), (&"noise".into(), &serde_json::Value::Null));
    let object = &world.run_on(&["charset", "detect", "--json"], b"\xe6\xef").exits(0).json()[0];
    let sureness = |guess: &serde_json::Value| guess["sureness"].as_f64().expect("a number");
    let others = object["alternatives"].as_array().expect("a list");
    assert!(object["charset"].is_string() && !others.is_empty(), "{object}");
    assert!(others.is_sorted_by(|one, next| sureness(one) >= sureness(next)), "{object}");
    assert!(others.iter().all(|other| other["charset"] != object["charset"]), "{object}");
}

#[test]
fn a_pattern_chooses_charsets() {
    let world = World::new();
    let list = |pattern: &str| world.run(&["charset", "list", pattern]).exits(0).text();
    assert!(list("L1").lines().any(|line| line.starts_with("ISO-8859-1 ")));
    assert!(
        list("koi8-?").lines().all(|line| line.to_lowercase().contains("koi8-"))
            && !list("koi8-?").is_empty()
    );
    assert!(list("1252").lines().count() < 5);
    world.run(&["charset", "list", "no-such"]).exits(1).says(&["no charset has such a name"]);
    world.run(&["charset", "list", "[a"]).exits(64).says(&["pattern"]);
    let found = &world.run(&["charset", "list", "--json", "cp21866"]).exits(0).json()[0];
    assert_eq!((found.as_array().map(Vec::len), &found[0]["name"]), (Some(1), &"KOI8-U".into()));
}

#[test]
fn help_has_examples() {
    let world = World::new();
    for command in ["list", "convert", "detect"] {
        let help = world.run(&["charset", command, "--help"]).exits(0).text();
        assert!(
            help.contains("Example") && help.contains(&format!("sevenbit charset {command}")),
            "{help}"
        );
    }
}

/// The address space is limited, so that memory that grew with the input, of 30 MB, would be refused:
/// the program itself takes some 30 MB of the 40.
#[cfg(target_os = "linux")]
#[test]
fn garbage_of_any_size_needs_no_more_memory() {
    let world = World::new();
    let garbage = "yes \"$(printf 'text \\377\\376\\033$B\\200~{+AGE')\" | head -c 30000000";
    for (from, to) in [
        ("utf-8", "utf-16"),
        ("gb18030", "utf-8"),
        ("iso-2022-jp", "utf-7"),
        ("utf-7", "iso-8859-1"),
    ] {
        let convert =
            format!("$SEVENBIT charset convert -f {from} -t {to} --on-error replace | wc -c");
        let ran = world.shell(&format!("{garbage} | {{ ulimit -v 40960; {convert}; }}"));
        let octets: usize = ran.text().trim().parse().expect("a number");
        assert!(octets > 15_000_000 && ran.err.is_empty(), "{from}: {octets} octets; {}", ran.err);
    }
}

#[test]
fn an_unknown_charset_is_a_usage_error() {
    let world = World::new();
    for args in
        [&["--from", "no-such-charset"][..], &["--to", "no-such-charset"], &["--on-error", "panic"]]
    {
        let ran = world.run(&[&["charset", "convert"], args].concat()).exits(64);
        assert!(ran.err.contains(args[1]), "{}", ran.err);
    }
    world.run(&["charset"]).exits(64);
    // iconv's way of saying what becomes of characters that cannot be written.
    world.run(&["charset", "convert", "--to", "latin1//TRANSLIT"]).exits(64).says(&["--on-error"]);
}

#[test]
fn inputs_are_read_and_never_overwritten() {
    let world = World::new();
    world.write("a", "text");
    world.run(&["charset", "convert", "none"]).exits(66).says(&["none"]);
    world.run(&["charset", "convert", "."]).exits(66);
    world.run(&["charset", "convert", "a", "-o", "a"]).exits(73).says(&["input"]);
    world.run(&["charset", "convert", "a", "-o", "none/b"]).exits(73).says(&["none/b"]);
    assert_eq!(world.files(), ["a"]);
}

#[cfg(target_os = "linux")]
#[test]
fn outputs_fail_as_they_do_elsewhere() {
    let world = World::new();
    world
        .shell("echo abc | $SEVENBIT charset convert > /dev/full")
        .exits(74)
        .says(&["standard output"]);
    let ran =
        world.shell("{ yes | $SEVENBIT charset convert --to utf-16; echo $? > code; } | head -c 1");
    assert_eq!((ran.err.as_str(), world.read("code")), ("", b"0\n".to_vec()));
}
