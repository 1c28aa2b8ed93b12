//! Messages that are large because of their attachments: output and report are those of a message
//! that is read whole, but less memory is used.

use crate::support::{World, json_lines};

/// Some megabytes more than what counts as large.
const LINES: usize = 120_000;

/// A message with an attachment of this many lines, with LF.
fn attached(subject: &str, fields: &str, lines: usize) -> String {
    let run: String =
        (0..lines).map(|number| format!("{number:08}{}\n", "+/aZ".repeat(17))).collect();
    format!(
        "From: a@example.org\nDate: Thu, 19 Nov 2026 10:00:00 +0000\nSubject: {subject}\nMIME-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\nContent-Type: text/plain; charset=us-ascii\n\nHello.\n\n\
        --b\nContent-Type: {fields}\nContent-Transfer-Encoding: base64\n\n{run}\n--b--\n"
    )
}

fn crlf(text: &str) -> String {
    text.replace('\n', "\r\n")
}

/// Messages on standard input are read whole.
#[test]
fn they_are_written_like_messages_read_whole() {
    let clean = crlf(&attached("Clean", "application/zip", LINES));
    let raw = crlf(&attached("Caf\u{e9}", "application/zip; name=\"\u{e9}.zip\"", LINES));
    let stored = attached("Caf\u{e9}", "application/zip", LINES);
    let text = crlf(&attached("Text", "text/plain; charset=iso-8859-1", LINES));
    let lf = ["--line-ends", "lf"];
    for (octets, options) in [
        (&clean, &[][..]),
        (&raw, &[]),
        (&raw, &["--profile", "transport"]),
        (&raw, &["--verify"]),
        (&stored, &[]),
        (&raw, &lf),
        (&stored, &lf),
        (&text, &[]),
    ] {
        let world = World::new();
        world.write("in.eml", octets);
        let run = |args: &[&str], input: &[u8]| {
            world
                .run_on(&[&["normalize", "--report", "report"], options, args].concat(), input)
                .exits(0);
            json_lines(&world.read("report")).remove(0)
        };
        let whole = run(&["-o", "whole.eml"], octets.as_bytes());
        let mut large = run(&["in.eml", "-o", "out.eml"], b"");
        assert_eq!(large["input"], "in.eml");
        large["input"] = whole["input"].clone();
        assert_eq!(large, whole);
        assert!(world.read("out.eml") == world.read("whole.eml"), "{options:?}");
    }
}

#[test]
fn changes_are_reported() {
    let world = World::new();
    world.write("raw.eml", crlf(&attached("Caf\u{e9}", "application/zip", LINES)));
    world.write("clean.eml", crlf(&attached("Clean", "application/zip", LINES)));
    let output = world.run(&["normalize", "--check", "raw.eml"]).exits(1).text();
    assert!(output.starts_with("raw.eml: header, Subject, octet"), "{output}");
    assert_eq!(world.run(&["normalize", "--check", "clean.eml"]).exits(0).text(), "");
    world.run(&["normalize", "--since", "2026-12-01", "raw.eml", "-o", "out.eml"]).exits(0);
    assert_eq!(world.files(), ["clean.eml", "raw.eml"]);
}

/// A limit on all memory that a process may request, which a message of 48 MB does not fit into.
#[cfg(target_os = "linux")]
#[test]
fn they_take_little_memory() {
    const TOO_MANY: usize = 600_000;
    let world = World::new();
    world.write("clean.eml", crlf(&attached("Clean", "application/zip", TOO_MANY)));
    world.write("raw.eml", attached("Caf\u{e9}", "application/zip", TOO_MANY));
    world.write("M/cur/1.host:2,S", attached("Clean", "application/zip", TOO_MANY));
    world.write("M/new/2.host", attached("Clean", "application/zip", 1));
    world.shell("mkdir M/tmp").exits(0);
    let limited = |line: &str| world.shell(&format!("ulimit -v 45000; $SEVENBIT normalize {line}"));
    assert_ne!(limited("- -o out.eml < clean.eml").code, Some(0), "the limit is one");
    limited("clean.eml -o out.eml").exits(0);
    assert!(world.read("out.eml") == world.read("clean.eml"));
    limited("raw.eml -o out.eml --report report").exits(0);
    assert_eq!(json_lines(&world.read("report"))[0]["octets_out"], world.read("out.eml").len());
    limited("raw.eml -o lf.eml --line-ends lf").exits(0);
    assert!(
        crlf(&String::from_utf8_lossy(&world.read("lf.eml"))).as_bytes() == world.read("out.eml")
    );
    // The identity of the file, its length and its time; not how many blocks the file system has
    // allocated by now.
    let files = || world.shell("stat -c '%i %A %s %y %n' clean.eml M/cur/*").exits(0).text();
    for place in ["clean.eml", "M"] {
        let before = files();
        limited(&format!("--jobs 1 --in-place {place}")).exits(0);
        assert_eq!(files(), before);
    }
}
