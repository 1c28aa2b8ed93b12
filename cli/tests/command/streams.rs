//! One message: from standard input or a file, to standard output or a file.

use crate::support::{CLEAN, World, json_lines, keys};

#[test]
fn standard_input_to_standard_output() {
    let world = World::new();
    for args in [
        &["normalize"][..],
        &["normalize", "-"],
        &["normalize", "-o", "-"],
        &["normalize", "-", "-o", "-"],
    ] {
        let ran = world.run_on(args, CLEAN).exits(0);
        assert_eq!(ran.out, CLEAN, "{args:?}");
        assert_eq!(ran.err, "", "{args:?}: a filter has nothing to say");
    }
}

#[test]
fn both_profiles_and_every_option_are_known() {
    let world = World::new();
    for options in [
        &["--profile", "transport"][..],
        &["--profile", "archive"],
        &["--signed", "break"],
        &["--signed", "refuse"],
        &["--text-encoding", "utf-7"],
        &["--undecodable", "replace"],
        &["--unlabelled", "keep"],
        &["--unlabelled", "guess"],
        &["--markup", "keep"],
        &["--max-depth", "3", "--max-parts", "5", "--max-header", "2000"],
        &["--quiet"],
    ] {
        let ran = world.run_on(&[&["normalize"], options].concat(), CLEAN).exits(0);
        assert_eq!(ran.out, CLEAN, "{options:?}");
    }
}

#[test]
fn labels_are_guessed_unless_they_are_to_be_kept() {
    let world = World::new();
    let mail = b"From: a@example.de\r\nSubject: Sch\xF6ne Gr\xFC\xDFe\r\n\r\n";
    let written = |unlabelled: &[&str]| {
        let args = [&["normalize", "--profile", "transport"], unlabelled].concat();
        world.run_on(&args, mail).exits(0).text()
    };
    let kept = written(&["--unlabelled", "keep"]);
    assert!(kept.contains("=?unknown-8bit?"), "{kept}");
    let guessed = kept.replace("unknown-8bit", "windows-1252");
    assert_eq!(written(&["--unlabelled", "guess"]), guessed);
    assert_eq!(written(&[]), guessed);
}

#[test]
fn a_file_goes_to_standard_output_or_to_a_file() {
    let world = World::with(&["a.eml"]);
    assert_eq!(world.run(&["normalize", "a.eml"]).exits(0).out, CLEAN);
    assert!(world.run(&["normalize", "a.eml", "-o", "b.eml"]).exits(0).out.is_empty());
    assert_eq!(world.read("b.eml"), CLEAN);
    world.run_on(&["normalize", "-o", "c.eml"], CLEAN).exits(0);
    assert_eq!(world.read("c.eml"), CLEAN);
    assert_eq!(world.files(), ["a.eml", "b.eml", "c.eml"]);
}

#[test]
fn a_file_goes_into_an_existing_directory_under_its_name() {
    let world = World::with(&["a.eml", "out/other.eml"]);
    world.run(&["normalize", "a.eml", "-o", "out"]).exits(0);
    world.run(&["normalize", "a.eml", "-o", "new/"]).exits(0);
    assert_eq!(world.files(), ["a.eml", "new/a.eml", "out/a.eml", "out/other.eml"]);
}

#[test]
fn an_existing_output_is_replaced() {
    let world = World::with(&["a.eml"]);
    world.write("b.eml", vec![b'x'; 10_000]);
    world.write("r.jsonl", "old");
    world.run(&["normalize", "a.eml", "-o", "b.eml", "--report", "r.jsonl", "--force"]).exits(0);
    assert_eq!(world.read("b.eml"), CLEAN);
    assert_eq!(json_lines(&world.read("r.jsonl")).len(), 1);
}

#[test]
fn no_octets_are_a_message_too() {
    let world = World::with(&[]);
    world.write("empty", b"");
    world.run(&["normalize", "empty", "-o", "out"]).exits(0);
    world.run_on(&["normalize"], b"").exits(0);
    world.run_on(&["inspect"], b"").exits(0);
}

#[test]
fn an_input_that_cannot_be_read_is_66() {
    let world = World::new();
    world.run(&["normalize", "none.eml"]).exits(66).says(&["none.eml", "No such file"]);
    world.run(&["normalize", "none.eml", "-o", "out.eml"]).exits(66).says(&["none.eml"]);
    world.run(&["inspect", "none.eml"]).exits(66).says(&["none.eml"]);
    assert!(world.files().is_empty());
}

#[test]
fn the_report_is_one_object_a_message() {
    let world = World::with(&["a.eml"]);
    world.run_on(&["normalize", "--report", "r.jsonl"], CLEAN).exits(0);
    let report = json_lines(&world.read("r.jsonl"));
    assert_eq!(report.len(), 1);
    assert_eq!(
        keys(&report[0]),
        ["changed", "input", "issues", "message_id", "octets_in", "octets_out", "subject"]
    );
    assert_eq!(report[0]["input"], "-");
    assert_eq!(report[0]["changed"], false);
    assert_eq!(report[0]["octets_in"], CLEAN.len());
    assert_eq!(report[0]["octets_out"], CLEAN.len());
    assert!(report[0]["issues"].is_array());
    let ran = world.run(&["normalize", "a.eml", "-o", "b.eml", "--report", "-"]).exits(0);
    assert_eq!(ran.json()[0]["input"], "a.eml");
}

#[test]
fn the_report_says_that_a_message_was_refused() {
    let world = World::new();
    let signed = "MIME-Version: 1.0\r\nContent-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=b\r\n\r\n\
        --b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n\u{e9}\r\n\
        --b\r\nContent-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n--b--\r\n";
    world.write("signed.eml", signed);
    let ran = world.run(&[
        "normalize",
        "--signed",
        "refuse",
        "signed.eml",
        "-o",
        "out.eml",
        "--report",
        "-",
    ]);
    let report = ran.exits(65).json();
    assert_eq!(report[0]["kept"], "refused: signed content would have to change");
    assert_eq!(report[0]["changed"], false);
    assert_eq!(world.read("out.eml"), signed.as_bytes());
}

#[test]
fn a_check_writes_no_mail() {
    let world = World::with(&["a.eml", "mail/b.eml"]);
    assert!(world.run_on(&["normalize", "--check"], CLEAN).exits(0).out.is_empty());
    world
        .run(&["normalize", "--check", "a.eml", "-o", "out.eml"])
        .exits(64)
        .says(&["--check", "--output"]);
    world.run(&["normalize", "--check", "--resume", "a.eml"]).exits(64);
    assert!(world.run(&["normalize", "--check", "a.eml", "mail"]).exits(0).out.is_empty());
    let ran = world.run(&["normalize", "--check", "mail", "--report", "-"]).exits(0);
    assert_eq!(ran.json()[0]["octets_out"], CLEAN.len(), "as long as it would be");
    assert_eq!(world.files(), ["a.eml", "mail/b.eml"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_73_or_74() {
    let world = World::with(&["a.eml"]);
    world.shell("$SEVENBIT normalize a.eml > /dev/full").exits(74).says(&["standard output"]);
    world.shell("$SEVENBIT inspect a.eml > /dev/full").exits(74).says(&["standard output"]);
    world.run(&["normalize", "a.eml", "-o", "/dev/full"]).exits(74).says(&["/dev/full"]);
    world
        .run(&["normalize", "a.eml", "-o", "b", "--report", "/dev/full"])
        .exits(74)
        .says(&["/dev/full"]);
    world.run(&["normalize", "a.eml", "-o", "none/b.eml"]).exits(73).says(&["none/b.eml"]);
    world.run(&["normalize", "a.eml", "-o", "a.eml/b"]).exits(73).says(&["a.eml/b"]);
    world.run(&["normalize", "a.eml", "--report", "none/r"]).exits(73).says(&["none/r"]);
    world.run(&["normalize", "a.eml", "-o", "/proc/b.eml"]).exits(73).says(&["/proc/b.eml"]);
    assert_eq!(world.files(), ["a.eml", "b"], "the mail is written although the report is not");
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_written_not_replaced() {
    let world = World::with(&["a.eml"]);
    world.run(&["normalize", "a.eml", "-o", "/dev/null", "--report", "/dev/null"]).exits(0);
    assert!(!std::path::Path::new("/dev/null").is_file());
    let ran = world.shell("mkfifo p; $SEVENBIT normalize a.eml -o p & cat p; wait").exits(0);
    assert_eq!(ran.out, CLEAN);
    let ran = world.shell("$SEVENBIT normalize a.eml -o /dev/stdout > out").exits(0);
    assert_eq!((ran.err.as_str(), world.read("out")), ("", CLEAN.to_vec()));
    let ran =
        world.shell("cat a.eml | $SEVENBIT normalize /dev/stdin --report /dev/fd/3 3>&2").exits(0);
    assert_eq!(ran.out, CLEAN);
    assert!(ran.err.starts_with("{\"input\":\"-\""), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_does_not_crash() {
    let world = World::new();
    let mut large = CLEAN.to_vec();
    large.extend(b"A line of this large message.\r\n".repeat(200_000));
    world.write("large.eml", &large);
    (0..50).for_each(|n| world.write(&format!("mail/{n}"), &large[..200_000]));
    for command in [
        "normalize large.eml",
        "normalize - < large.eml",
        "inspect --json --text mail",
        "inspect --text large.eml",
        "normalize --quiet --check mail --report -",
        "header decode < large.eml",
        "--help",
    ] {
        let script = format!("{{ $SEVENBIT {command}; echo $? > code; }} | head -c 1");
        let ran = world.shell(&script);
        assert_eq!(ran.err, "", "{command}");
        assert_eq!(world.read("code"), b"0\n", "{command}");
    }
}

#[cfg(unix)]
#[test]
fn messages_need_no_listener() {
    let world = World::with(&["mail/a", "mail/b"]);
    world.shell("$SEVENBIT normalize none mail -o out 2>&-").exits(66);
    assert_eq!(world.read("out/a"), CLEAN);
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_message_is_in_memory_once() {
    let world = World::new();
    let head =
        b"Subject: Gr\xfc\xdfe\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: ";
    for (encoding, line) in [(&b"8bit"[..], &[0xE4; 76]), (b"base64", &[b'A'; 76])] {
        let lines = [line, &b"\r\n"[..]].concat().repeat(770_000);
        world.write("large.eml", [head, encoding, b"\r\n\r\n", &lines].concat());
        // A file of 60 MB, whose output is 80 MB, with room for 75.
        let script = "ulimit -d 75000; $SEVENBIT normalize large.eml -o out --report r && \
            $SEVENBIT normalize --in-place --no-verify large.eml && cmp large.eml out";
        world.shell(script).exits(0);
        let report = json_lines(&world.read("r"));
        assert_eq!(report[0]["octets_out"], world.read("out").len());
    }
}

/// Mail goes on where nobody reads the report any more.
#[test]
fn a_report_that_nobody_reads_stops_no_mail() {
    let world = World::new();
    let mail: String = (0..2000).map(|n| format!("From a@b Thu Nov 19 10:00:00 2026\nFrom: a@b.example\nSubject: {n}\n\ncaf\u{e9}\n\n")).collect();
    world.write("in.mbox", mail);
    let script = "{ $SEVENBIT normalize --report - in.mbox -o out.mbox; echo $? > code; } 2> said | head -n 1 > first; cat code said";
    let said = world.shell(script).text();
    assert!(said.starts_with("74\n") && said.contains("was closed before"), "{said}");
    assert_eq!(world.shell("grep -c '^From ' out.mbox").text(), "2000\n");
}
