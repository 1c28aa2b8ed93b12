//! mbox in its dialects.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{CLEAN, PROJECT, World, binary, json_lines};

const DATE: &[u8] = b"From a@example.org Thu Nov 19 10:00:00 2026\n";

fn lf(message: &[u8]) -> Vec<u8> {
    message.iter().copied().filter(|octet| *octet != b'\r').collect()
}

/// An mbox of `count` messages that are normal.
pub fn mbox(count: usize) -> Vec<u8> {
    [DATE, &lf(CLEAN), b"\n"].concat().repeat(count)
}

/// The mailboxes written for this project.
pub fn corpus() -> PathBuf {
    Path::new(PROJECT).join("corpus/mailboxes")
}

/// Each of them.
pub fn boxes() -> Vec<PathBuf> {
    let entries =
        fs::read_dir(corpus()).expect("a directory").map(|entry| entry.expect("an entry").path());
    let mut boxes: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "mbox"))
        .collect();
    boxes.sort();
    boxes
}

#[test]
fn every_dialect_holds_the_same_messages() {
    let world = World::new();
    let subjects = |format: &str, name: &str| -> Vec<String> {
        let path = corpus().join(name);
        let ran = world
            .run(&["inspect", "--json", "--format", format, path.to_str().expect("a name")])
            .exits(0);
        ran.json()
            .iter()
            .map(|line| line["subject"].as_str().expect("a subject").to_owned())
            .collect()
    };
    let expected = ["One", "Lines that begin with From", "Grüße", "Empty lines", "No line end"];
    for name in ["mboxo", "mboxrd", "mboxcl", "mboxcl2", "crlf", "odd-dates", "lying-lengths"] {
        let format = if name.starts_with("mbox") { name } else { "auto" };
        assert_eq!(subjects(format, &format!("{name}.mbox")), expected, "{name}");
        assert_eq!(subjects("auto", &format!("{name}.mbox")), expected, "{name} by looking");
    }
    assert_eq!(subjects("auto", "no-empty-lines.mbox"), expected[..3]);
    assert_eq!(subjects("auto", "text-from.mbox"), ["Text", "Two"]);
    for name in ["thunderbird.mbox", "thunderbird-no-empty-lines.mbox"] {
        for format in ["auto", "mbox"] {
            assert_eq!(subjects(format, name), ["Thunderbird", "Two", "Three"], "{name}");
        }
    }
    assert_eq!(subjects("auto", "quoted-separators.mbox"), ["Patch", "Prose", "Three"]);
    assert!(subjects("mbox", "empty.mbox").is_empty());
}

#[test]
fn the_quoting_of_each_dialect_is_undone() {
    let world = World::new();
    let second = |format: &str| -> String {
        let path = corpus().join(format!("{format}.mbox"));
        let path = path.to_str().expect("a name");
        let ran = world.run(&["inspect", "--json", "--text", "--format", format, path]).exits(0);
        ran.json()[1]["parts"][0]["text"].as_str().expect("text").to_owned()
    };
    let text = "It quotes a letter:\n\nFrom the start it was so,\n>From then on it was not,\n>>From that day it was again.\n";
    for format in ["mboxrd", "mboxcl2"] {
        assert_eq!(second(format), text, "{format}");
    }
    let ambiguous = text.replace("\n>From then", "\nFrom then");
    for format in ["mboxo", "mboxcl"] {
        assert_eq!(second(format), ambiguous, "{format}");
    }
}

#[test]
fn output_is_mboxrd_and_stays_as_it_is() {
    for path in boxes() {
        let world = World::new();
        let path = path.to_str().expect("a name");
        world.run(&["normalize", "--format", "mbox", path, "-o", "once"]).exits(0);
        world
            .run(&["normalize", "--format", "mbox", "once", "-o", "twice"])
            .exits(0)
            .says(&["0  changed"]);
        assert_eq!(world.read("once"), world.read("twice"), "{path}");
        let stdout = world.run(&["normalize", "--format", "mbox", path]).exits(0).out;
        assert_eq!(stdout, world.read("once"), "{path} to standard output");
        assert!(world.read("once").iter().all(|octet| matches!(octet, 1..=0x7F)));
        assert_eq!(world.files(), ["once", "twice"], "nothing stays behind");
    }
}

#[test]
fn a_normal_mailbox_comes_back_as_it_is_by_any_number_of_jobs() {
    let world = World::new();
    let mut one_by_one = mbox(500);
    one_by_one.extend(fs::read(corpus().join("mboxrd.mbox")).expect("a mailbox"));
    world.write("in", &one_by_one);
    let expected = world.run(&["normalize", "--jobs", "1", "in"]).exits(0).out;
    assert!(expected.starts_with(&mbox(500)));
    for jobs in ["2", "5"] {
        assert_eq!(
            world.run(&["normalize", "--jobs", jobs, "in"]).exits(0).out,
            expected,
            "{jobs}"
        );
    }
}

#[test]
fn line_ends_are_kept_or_as_asked_for() {
    let world = World::new();
    world.write("lf.mbox", mbox(2));
    world.write("crlf.mbox", String::from_utf8(mbox(2)).expect("ASCII").replace('\n', "\r\n"));
    for (args, ends) in [
        (&["normalize", "lf.mbox"][..], "lf.mbox"),
        (&["normalize", "crlf.mbox"], "crlf.mbox"),
        (&["normalize", "--line-ends", "keep", "crlf.mbox"], "crlf.mbox"),
        (&["normalize", "--line-ends", "lf", "crlf.mbox"], "lf.mbox"),
        (&["normalize", "--line-ends", "crlf", "lf.mbox"], "crlf.mbox"),
    ] {
        assert_eq!(world.run(args).exits(0).out, world.read(ends), "{args:?}");
    }
    world.write("lf.eml", lf(CLEAN));
    assert_eq!(
        world.run(&["normalize", "lf.eml"]).exits(0).out,
        CLEAN,
        "a single message has CRLF"
    );
    assert_eq!(world.run(&["normalize", "--line-ends", "keep", "lf.eml"]).exits(0).out, lf(CLEAN));
    let ran = world.run(&["normalize", "--check", "lf.mbox", "--report", "-"]).exits(0);
    assert!(
        ran.json()
            .iter()
            .all(|line| line["changed"] == false && line["issues"] == Value::Array(vec![]))
    );
}

#[test]
fn the_reported_fate_is_what_happens() {
    let world = World::new();
    world.write(
        "in.mbox",
        [DATE, b"Subject: =?koi8-r?Q?=F0?=\nX: \xe9t\xe9\n\nGr\xfc\xdfe\n\n"].concat(),
    );
    let archive = world.run(&["normalize", "--check", "in.mbox"]).exits(1).text();
    assert!(!archive.contains("CRLF"), "LF stays: {archive}");
    assert!(archive.contains("header text converted to UTF-8: koi8-r"), "{archive}");
    assert!(archive.contains("read in that charset and written in UTF-8"), "{archive}");
    let transport =
        world.run(&["normalize", "--check", "--profile", "transport", "in.mbox"]).exits(1).text();
    assert!(transport.contains("charset guessed: windows-1252"), "{transport}");
    assert!(transport.contains("the label says that charset"), "{transport}");
    world.write(
        "unknown.eml",
        b"Subject: x\r\n\r\n\x04\xC2\x9E\xF3\xFE\x8F\xAA\x99\xC3\x90\xFF\x81\r\n",
    );
    let unknown = world.run(&["normalize", "--check", "unknown.eml"]).exits(1).text();
    assert!(unknown.contains("its octets stay, under the label `unknown-8bit`"), "{unknown}");
    let shown = world.run(&["inspect", "in.mbox"]).exits(0).text();
    assert!(shown.contains("do for an archive"), "{shown}");
}

#[test]
fn a_delivery_has_the_date_of_the_message_or_of_its_from_line() {
    let world = World::new();
    let dateless = [DATE, b"Subject: x\n\nx\n\n"].concat();
    world.write("in.mbox", [mbox(1), dateless].concat());
    world.run(&["normalize", "in.mbox", "--to", "maildir", "-o", "M"]).exits(0);
    let names: Vec<String> =
        world.files().into_iter().filter(|name| name.starts_with("M/new/")).collect();
    assert!(
        names.len() == 2 && names.iter().all(|name| name.starts_with("M/new/1795082400.")),
        "{names:?}"
    );
}

#[test]
fn a_stale_length_is_made_right() {
    let world = World::new();
    world.write("in.mbox", [DATE, b"Content-Length: 7\nSubject: x\n\nGr\xfc\xdfe!\n\n"].concat());
    let out = world.run(&["normalize", "in.mbox"]).exits(0).text();
    let body = out.split_once("\n\n").expect("a body").1;
    assert!(out.contains(&format!("Content-Length: {}\n", body.len() - 1)), "{out}");
}

#[test]
fn what_a_file_is_is_seen_by_looking_or_said() {
    let world = World::new();
    let message = [DATE, &lf(CLEAN)].concat();
    for name in ["a.eml", "box", "mail/a.eml", "mail/box", "mail/x.mbox"] {
        world.write(name, &message);
    }
    assert_eq!(
        world.run(&["normalize", "a.eml"]).exits(0).out,
        CLEAN,
        "a message with a From line"
    );
    assert_eq!(world.run(&["normalize", "box"]).exits(0).out, mbox(1));
    assert_eq!(world.run(&["normalize", "--format", "eml", "box"]).exits(0).out, CLEAN);
    assert_eq!(world.run_on(&["normalize", "--format", "mbox"], &mbox(3)).exits(0).out, mbox(3));
    assert_eq!(
        world.run_on(&["normalize"], &message).exits(0).out,
        CLEAN,
        "standard input is one message"
    );
    assert_eq!(world.run_on(&["normalize"], &message).err, "");
    assert_eq!(world.run_on(&["normalize"], &mbox(3)).exits(0).out, mbox(3), "or several");
    assert_eq!(world.run_on(&["inspect", "--json"], &mbox(3)).exits(0).json().len(), 3);
    let late =
        [DATE, b"Subject: long\n\n", &b"A line.\n".repeat(200_000), b"\n", &mbox(2)].concat();
    let ran = world.run_on(&["normalize"], &late).exits(65).says(&["several messages", "--format"]);
    assert!(ran.out.is_empty(), "nothing is written of what is taken for something else");
    assert_eq!(world.run_on(&["normalize", "--format", "mbox"], &late).exits(0).out, late);
    world.write("mail/inbox", mbox(3));
    world.run(&["normalize", "mail", "-o", "out"]).exits(0).says(&["6 messages"]);
    for (name, expected) in [
        ("out/a.eml", CLEAN),
        ("out/box", &mbox(1)),
        ("out/x.mbox", &mbox(1)),
        ("out/inbox", &mbox(3)),
    ] {
        assert_eq!(world.read(name), expected, "{name}");
    }
    world.run(&["normalize", "--format", "mbox", "mail", "-o", "said"]).exits(0);
    assert_eq!(world.read("said/box"), mbox(1));
}

#[test]
fn one_kind_becomes_another() {
    let world = World::with(&["mail/a.eml", "mail/b.eml"]);
    world.write("in.mbox", mbox(2));
    world.run(&["normalize", "mail", "--to", "mbox", "-o", "out.mbox"]).exits(0);
    assert_eq!(lf(&world.read("out.mbox")), mbox(2));
    world.run(&["normalize", "in.mbox", "--to", "eml", "-o", "eml"]).exits(0);
    assert_eq!(world.read("eml/in.mbox/000002.eml"), lf(CLEAN));
    world
        .run(&["normalize", "in.mbox", "--to", "eml", "--line-ends", "crlf", "-o", "eml"])
        .exits(0);
    assert_eq!(world.read("eml/in.mbox/000001.eml"), CLEAN);
    world.run(&["normalize", "mail", "in.mbox", "--to", "tar", "-o", "out.tar"]).exits(0);
    let names = world.shell("tar tf out.tar").exits(0).text();
    assert_eq!(names, "a.eml\nb.eml\nin.mbox/000001.eml\nin.mbox/000002.eml\n");
    world
        .run(&["normalize", "out.tar", "--to", "mbox", "--line-ends", "lf", "-o", "back.mbox"])
        .exits(0);
    assert_eq!(world.read("back.mbox"), mbox(4));
    // One tar file cannot be a directory; mboxes of folders can lie in one.
    world.run(&["normalize", "in.mbox", "--to", "tar", "-o", "eml"]).exits(64);
    world.run(&["normalize", "mail", "--to", "mbox", "-o", "eml"]).exits(0);
    assert_eq!(lf(&world.read("eml/Inbox.mbox")), mbox(2));
    world.run(&["normalize", "in.mbox", "--to", "maildir"]).exits(64);
}

#[test]
fn a_report_says_where_in_the_mailbox() {
    let world = World::new();
    world.write("in.mbox", [mbox(1), DATE.to_vec(), b"Subject: \xfc\n\nx\n\n".to_vec()].concat());
    world.run(&["normalize", "in.mbox", "-o", "out.mbox", "--report", "r"]).exits(0);
    let report = json_lines(&world.read("r"));
    let start = mbox(1).len() + DATE.len();
    assert_eq!(report[1]["input"], "in.mbox");
    assert_eq!(report[1]["mailbox"]["number"], 2);
    assert_eq!(report[1]["mailbox"]["octets"], serde_json::json!([start, start + 14]));
    let ran = world.run(&["normalize", "--check", "in.mbox"]).exits(1);
    assert!(ran.text().starts_with("in.mbox: message 2, octet "), "{}", ran.text());
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_mailbox() {
    let world = World::new();
    let message =
        [DATE, b"Subject: Gr\xfc\xdfe\n\n", &b"Ein Satz mit \xe4 darin.\n".repeat(500), b"\n"]
            .concat();
    let piece = message.repeat(100);
    world.write("piece", &piece);
    // More than 50 MB, a piece at a time.
    let script = format!(
        "for i in $(seq 40); do cat piece; done | {{ ulimit -v 1500000; exec 3<&0; \
         {} normalize --format mbox --jobs 2 <&3 > out & p=$!; m=0; \
         while r=$(grep VmHWM /proc/$p/status 2>/dev/null | tr -dc 0-9) && [ -n \"$r\" ]; do m=$r; sleep 0.1; done; \
         wait $p && echo $m; }} 2>/dev/null",
        binary()
    );
    let peak = world.shell(&script).exits(0);
    let length = world.path().join("out").metadata().expect("an output").len();
    assert!(length > 40 * piece.len() as u64, "{length}");
    if let Ok(peak) = peak.text().trim().parse::<u64>() {
        assert!((1..40_000).contains(&peak), "{peak} kB");
    }
}
