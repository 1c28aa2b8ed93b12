//! `charset`: the list, and conversion of text of any size.

use crate::support::{World, keys};

#[test]
fn the_list_has_every_charset_with_its_labels() {
    let world = World::new();
    let list = world.run(&["charset", "list", "--json"]).exits(0).json().remove(0);
    let list = list.as_array().expect("a list").clone();
    assert!(list.len() >= 257, "{} charsets", list.len());
    assert!(list.iter().all(|charset| keys(charset) == ["aliases", "decodable", "encodable", "name"]));
    let utf8 = list.iter().find(|charset| charset["name"] == "UTF-8").expect("UTF-8");
    assert!(utf8["decodable"] == true && utf8["encodable"] == true, "{utf8}");
    let rows = world.run(&["charset", "list"]).exits(0).text();
    assert_eq!(rows.lines().count(), list.len());
}

#[test]
fn text_is_converted_like_iconv_does() {
    let world = World::new();
    let latin =
        world.run_on(&["charset", "convert", "--to", "iso-8859-1"], "Grüße\n".as_bytes()).exits(0).out;
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
    let wide = world.run_on(&["charset", "convert", "--to", "utf-16le"], text.as_bytes()).exits(0).out;
    assert_eq!(wide.len(), 2 * text.chars().count());
    assert_eq!(world.run_on(&["charset", "convert", "--from", "utf-16le"], &wide).exits(0).text(), text);
}

#[test]
fn strict_stops_and_replace_goes_on() {
    let world = World::new();
    let bad = b"abc\xff\xffdef\n";
    let strict = ["charset", "convert", "--from", "utf-8", "--to", "utf-8"];
    world.run_on(&strict, bad).exits(65).says(&["UTF-8", "octet 3"]);
    world.run_on(&[&strict[..], &["-o", "out"]].concat(), bad).exits(65);
    assert!(world.files().is_empty(), "nothing half-converted");
    let ran = world.run_on(&[&strict[..], &["--on-error", "replace"]].concat(), bad).exits(0);
    assert_eq!(ran.text(), "abc\u{FFFD}\u{FFFD}def\n");
    let to = ["charset", "convert", "--to", "iso-8859-15"];
    world.run_on(&to, "a☃b".as_bytes()).exits(65).says(&["ISO-8859-15", "U+2603"]);
    let ran = world.run_on(&[&to[..], &["--on-error", "replace"]].concat(), "☃a☃b€☃".as_bytes()).exits(0);
    assert_eq!(ran.out, b"?a?b\xa4?");
}

#[test]
fn what_is_no_charset_is_a_usage_error() {
    let world = World::new();
    for args in [&["--from", "no-such-charset"][..], &["--to", "no-such-charset"], &["--on-error", "panic"]] {
        let ran = world.run(&[&["charset", "convert"], args].concat()).exits(64);
        assert!(ran.err.contains(args[1]), "{}", ran.err);
    }
    world.run(&["charset"]).exits(64);
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
    world.shell("echo abc | $SEVENBIT charset convert > /dev/full").exits(74).says(&["standard output"]);
    let ran = world.shell("{ yes | $SEVENBIT charset convert --to utf-16; echo $? > code; } | head -c 1");
    assert_eq!((ran.err.as_str(), world.read("code")), ("", b"0\n".to_vec()));
}
