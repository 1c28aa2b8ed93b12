//! Archives and directories that were made to mislead: nothing is lost, nothing is written
//! elsewhere, and omissions are reported.
//!
//! Over 400 lines: archives made by hand, header by header, one after another.
#![cfg(unix)]

use std::fs;

use base64::prelude::{BASE64_STANDARD, Engine};

use crate::mailboxes::mbox;
use crate::support::{CLEAN, World};

/// A tar file with members of any names, unlike those that `tar` writes.
fn tar(members: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, octets) in members {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        header.set_size(octets.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        out.extend_from_slice(header.as_bytes());
        out.extend_from_slice(octets);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn mail(subject: &str) -> Vec<u8> {
    String::from_utf8(CLEAN.to_vec()).expect("ASCII").replace("Clean", subject).into_bytes()
}

/// The subjects of all messages below a directory, sorted.
fn subjects(world: &World, directory: &str) -> Vec<String> {
    let inside = world.files().into_iter().filter(|name| name.starts_with(directory));
    let mut subjects: Vec<String> = inside
        .filter_map(|name| {
            let text = String::from_utf8(world.read(&name)).expect("ASCII");
            Some(text.split_once("Subject: ")?.1.lines().next()?.to_owned())
        })
        .collect();
    subjects.sort();
    subjects
}

#[test]
fn members_of_one_name_all_arrive() {
    let world = World::new();
    let mails = ["one", "two", "three", "four"].map(mail);
    let [one, two, three, four] = &mails;
    world.write(
        "in.tar",
        tar(&[(b"a.eml", one), (b"d/b", two), (b"a.eml", three), (b"a.eml/x", four)]),
    );
    let all = ["four", "one", "three", "two"];
    for (to, out) in [("eml", "eml"), ("maildir", "M")] {
        for _ in 0..2 {
            world
                .run(&["normalize", "in.tar", "--to", to, "-o", out])
                .exits(0)
                .says(&["0  failed"]);
            assert_eq!(
                subjects(&world, &format!("{out}/")),
                all,
                "{to}, and nothing twice when done again"
            );
        }
    }
    world
        .run(&["normalize", "in.tar", "--to", "mbox", "-o", "out.mbox"])
        .exits(0)
        .says(&["4 messages"]);
    world.run(&["normalize", "in.tar", "-o", "out.tar"]).exits(0);
    world.run(&["normalize", "out.tar", "--to", "eml", "-o", "again"]).exits(0);
    assert_eq!(subjects(&world, "again/"), all);
}

#[test]
fn names_that_lead_elsewhere_are_made_safe_and_the_rest_goes_on() {
    let world = World::new();
    let mails = ["one", "two", "three"].map(mail);
    let root = world.path().join("root.eml").display().to_string();
    let [one, two, three] = &mails;
    world.write(
        "in/in.tar",
        tar(&[(b"../../up.eml", one), (root.as_bytes(), two), (b"ok.eml", three)]),
    );
    for args in [
        &["normalize", "in/in.tar", "-o", "o/out.tar"][..],
        &["normalize", "--resume", "in/in.tar", "-o", "o/out.tar"],
        &["normalize", "in/in.tar", "--to", "eml", "-o", "o/eml"],
    ] {
        fs::create_dir_all(world.path().join("o")).expect("a directory");
        world.run(args).exits(0).says(&["3 messages", "0  failed"]);
    }
    assert_eq!(subjects(&world, "o/eml/"), ["one", "three", "two"]);
    let names = world.shell("tar tf o/out.tar").exits(0).text();
    assert!(names.starts_with("up.eml\n") && names.ends_with("root.eml\nok.eml\n"), "{names}");
    let elsewhere = |name: &String| !name.starts_with("o/") && !name.starts_with("in/");
    assert!(!world.files().iter().any(elsewhere), "{:?}", world.files());
}

#[test]
fn other_entries_of_a_tar_file_are_reported_when_left_out() {
    let world = World::new();
    world.write("d/a.eml", CLEAN);
    world.write("d/.hidden", CLEAN);
    world.shell("ln -s a.eml d/link; tar cf in.tar d").exits(0);
    world
        .run(&["normalize", "in.tar", "--to", "eml", "-o", "eml"])
        .exits(0)
        .says(&["1 message,", "2  skipped: 1 link, 1 hidden file"]);
    let ran = world.run(&["normalize", "in.tar", "-o", "out.tar"]).exits(0);
    assert!(!ran.err.contains("skipped"), "a tar file takes them: {}", ran.err);
    assert_eq!(
        world.shell("tar tf out.tar | sort").text(),
        world.shell("tar tf in.tar | sort").text()
    );
}

/// A link in the output directory leads nowhere: an earlier archive may have put it there.
#[test]
fn links_in_the_output_directory_are_not_followed() {
    for to in ["eml", "maildir", "same"] {
        let world = World::new();
        let to_option: &[&str] = if to == "same" { &[] } else { &["--to", to] };
        let all = ["one", "two", "three"].map(mail);
        let [one, two, three] = &all;
        world.write(
            "in.tar",
            tar(&[(b"file.eml", one), (b"sub/inside.eml", two), (b"ok.eml", three)]),
        );
        world.write("mail/file.eml", one);
        world.write("mail/sub/inside.eml", two);
        world.write("mail/ok.eml", three);
        world.write("victim", "precious");
        world
            .shell("mkdir elsewhere out real; ln -s ../victim out/file.eml; ln -s ../elsewhere out/sub")
            .exits(0);
        world.shell("mkfifo out/ok.eml; ln -s ../elsewhere out/new; ln -s real output").exits(0);
        let input = if to == "same" { "mail" } else { "in.tar" };
        let run = |out: &str| world.run(&[&["normalize", input, "-o", out], to_option].concat());
        run("out")
            .exits(if to == "maildir" { 74 } else { 73 })
            .says(&["a link or a file lies where a directory has to be"]);
        assert_eq!(world.read("victim"), b"precious", "{to}");
        assert!(world.shell("ls elsewhere").text().is_empty(), "{to}");
        if to != "maildir" {
            assert_eq!((&world.read("out/file.eml"), &world.read("out/ok.eml")), (one, three));
            world
                .shell("test -f out/file.eml && test ! -L out/file.eml && test -f out/ok.eml")
                .exits(0);
        }
        run("output").exits(0).says(&["0  failed"]);
        assert_eq!(
            subjects(&world, "real/"),
            ["one", "three", "two"],
            "the directory may be a link itself"
        );
    }
}

/// Copies of messages that stay as they are: the same.
#[test]
fn links_in_the_quarantine_are_not_followed() {
    let world = World::new();
    world.write(
        "d/a.eml",
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--\r\n",
    );
    world.write("victim", "precious");
    let args = ["normalize", "--max-depth", "0", "d", "-o", "out", "--quarantine", "kept"];
    world.run(&args).exits(0);
    world.shell("cd kept && for name in *; do ln -sf ../victim \"$name\"; done").exits(0);
    world.run(&args).exits(0);
    assert_eq!(world.read("victim"), b"precious");
    world.shell("test -f kept/* && test ! -L kept/*").exits(0);
}

/// Members passed on in a tar file cannot lead outside the place where the file is unpacked.
#[test]
fn a_tar_file_passes_on_nothing_that_leads_elsewhere() {
    let world = World::with(&["d/a.eml", "d/sub/b.eml"]);
    world.shell(
        "cd d && ln -s a.eml good && ln -s sub down && ln -s /etc abs && ln -s ../.. up && ln -s sub/../../x back \
         && ln a.eml hard && mkfifo pipe && tar cf ../in.tar a.eml sub good down abs up back hard pipe",
    )
    .exits(0);
    for out in [&["-o", "out.tar"][..], &["--to", "tar", "-o", "out.tar"]] {
        world
            .run(&[&["normalize", "in.tar"], out].concat())
            .exits(0)
            .says(&["4  skipped: 3 links, 1 neither file nor directory"]);
        let names = world.shell("tar tf out.tar | sort").exits(0).text();
        assert_eq!(names, "a.eml\ndown\ngood\nhard\nsub/\nsub/b.eml\n");
    }
    let mut outside = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Link);
    header.set_size(0);
    outside.append_link(&mut header, "x", "/etc/passwd").expect("memory");
    let mut header = tar::Header::new_gnu();
    header.set_size(CLEAN.len() as u64);
    outside.append_data(&mut header, "a.eml", CLEAN).expect("memory");
    world.write("hard.tar", outside.into_inner().expect("memory"));
    world
        .run(&["normalize", "hard.tar", "-o", "hard-out.tar"])
        .exits(0)
        .says(&["1  skipped: link"]);
}

/// An mbox in a tar file is an mbox there, and each of its messages is processed and reported.
#[test]
fn a_mailbox_in_a_tar_file_is_cut() {
    let world = World::new();
    let raw = |n: usize| {
        format!(
            "From a@example.org Thu Nov 19 10:00:00 2026\nFrom: a@example.org\nSubject: \u{e9} {n}\n\nCaf\u{e9}.\n>From here.\n\n"
        )
    };
    let inner = raw(1) + &raw(2);
    let folder = "From \nSubject: \u{e9} 3\n\nx\nFrom \nSubject: \u{e9} 4\n\ny\n";
    world.write(
        "in.tar",
        tar(&[(b"a.eml", CLEAN), (b"d/box", inner.as_bytes()), (b"d/tb.eml", folder.as_bytes())]),
    );
    for format in ["auto", "tar"] {
        world
            .run(&["normalize", "--format", format, "in.tar", "-o", "out.tar", "--report", "r"])
            .exits(0)
            .says(&["5 messages"]);
        let report = String::from_utf8(world.read("r")).expect("UTF-8");
        assert_eq!(report.matches("\"name\":\"d/box\"").count(), 2, "{report}");
        assert!(world.read("out.tar").is_ascii());
        world.shell("rm -rf x && mkdir x && tar -C x -xf out.tar").exits(0);
        assert_eq!(world.read("x/a.eml"), CLEAN);
        for (name, count) in [("x/d/box", 2), ("x/d/tb.eml", 2)] {
            assert_eq!(
                world.run(&["inspect", "--json", "--format", "mbox", name]).exits(0).json().len(),
                count
            );
        }
        let out = String::from_utf8(world.read("x/d/box")).expect("ASCII");
        assert!(
            out.starts_with("From a@example.org Thu") && out.contains("\n=46rom here.\n"),
            "{out}"
        );
    }
    world.run(&["normalize", "out.tar", "-o", "again.tar"]).exits(0).says(&["0  changed"]);
    assert_eq!(world.read("again.tar"), world.read("out.tar"), "twice is once");
    world.run(&["normalize", "in.tar", "--to", "eml", "-o", "eml"]).exits(0);
    assert!(
        world.path().join("eml/d/box/000002.eml").is_file()
            && world.path().join("eml/a.eml").is_file()
    );
    world
        .run(&["normalize", "in.tar", "--to", "mbox", "-o", "out.mbox"])
        .exits(0)
        .says(&["5 messages"]);
    assert_eq!(world.run(&["inspect", "--json", "out.mbox"]).exits(0).json().len(), 5);
    world
        .run(&["normalize", "in.tar", "--to", "maildir", "-o", "M"])
        .exits(0)
        .says(&["5 messages"]);
    assert_eq!(world.files().iter().filter(|name| name.starts_with("M/")).count(), 5);
}

#[test]
fn links_at_the_names_of_hidden_companions_are_not_followed() {
    for (target, kind) in [("victim", "part"), ("victim", "journal"), ("missing", "part")] {
        let world = World::new();
        world.write("in.mbox", mbox(3));
        world.write("victim", "precious");
        let link =
            format!("ln -s {target} .out.sevenbit-{kind}; ln -s victim .out.sevenbit-journal-new");
        world.shell(&link).exits(0);
        for resume in [&["--resume"][..], &[]] {
            let ran = world.run(&[&["normalize", "in.mbox", "-o", "out"], resume].concat());
            if kind == "part" {
                assert_eq!(ran.code, Some(73), "{}", ran.err);
                assert!(ran.err.contains("link"), "{}", ran.err);
            } else {
                ran.exits(0);
            }
            assert_eq!(world.read("victim"), b"precious", "{kind}");
            assert!(!world.path().join("missing").exists());
        }
    }
}

#[test]
fn somebody_elses_part_is_refused() {
    let world = World::new();
    world.write("in.mbox", mbox(3));
    world.write("victim", "precious");
    world.shell("ln victim .out.sevenbit-part").exits(0);
    world.run(&["normalize", "in.mbox", "-o", "out"]).exits(73).says(&["out: cannot be created"]);
    assert_eq!(world.read("victim"), b"precious");
    world.shell("rm .out.sevenbit-part; mkfifo .out.sevenbit-part").exits(0);
    world.run(&["normalize", "in.mbox", "-o", "out"]).exits(73);
}

#[test]
fn leftovers_of_killed_runs_go_with_the_next_resume() {
    let world = World::with(&["mail/a", "mail/sub/b"]);
    for name in ["out/.sevenbit-a1B2c3", "out/sub/.sevenbit-zzzzzz", ".sevenbit-ABC123"] {
        world.write(name, "half");
    }
    let kept = ["out/.sevenbit-notes", "out/.sevenbit-a1B2c3d", "out/sevenbit-a1B2c3"];
    kept.iter().for_each(|name| world.write(name, "kept"));
    let before = world.files();
    world.run(&["normalize", "-n", "mail", "-o", "out", "--resume"]).exits(0);
    assert_eq!(world.files(), before, "a dry run removes nothing");
    let args = ["normalize", "mail", "-o", "out", "--report", "r", "--resume"];
    // Another run still in progress locks the files that it writes.
    world.write("out/.sevenbit-inUse1", "half");
    let script = format!("exec 9<out/.sevenbit-inUse1; flock 9; $SEVENBIT {}", args.join(" "));
    if world.shell("command -v flock").code == Some(0) {
        world.shell(&script).exits(0);
        assert_eq!(world.read("out/.sevenbit-inUse1"), b"half");
    }
    world.run(&args).exits(0);
    let mut expected = ["mail/a", "mail/sub/b", "out/a", "out/sub/b", "r"].to_vec();
    expected.extend(kept);
    expected.sort_unstable();
    assert_eq!(world.files(), expected);
}

#[test]
fn what_begins_packed_is_packed_or_an_error() {
    let world = World::with(&["a.eml"]);
    world.write("in.mbox", mbox(1));
    world.shell("gzip -k a.eml in.mbox; cat a.eml.gz > gz.eml").exits(0);
    assert_eq!(world.run(&["normalize", "gz.eml"]).exits(0).out, CLEAN, "whatever it is called");
    world.run(&["normalize", "a.eml", "-o", "a.zst"]).exits(0);
    // Of a damaged mailbox the messages before the damage are written, of a message nothing.
    for (name, magic, is_mailbox) in
        [("a.eml.gz", 4, false), ("in.mbox.gz", 30, true), ("a.zst", 6, false)]
    {
        let whole = world.read(name);
        let cut = &whole[..whole.len() - magic];
        let padded = [&whole[..], b"garbage, and more garbage"].concat();
        for (octets, how) in
            [(cut, "cut"), (&padded[..], "padded"), (&whole[..magic], "a beginning")]
        {
            for name in [&format!("x/{name}"), "y/x.eml", "y/box"] {
                world.write(name, octets);
                let ran = world.run(&["normalize", name, "-o", "out"]);
                assert_eq!(ran.code, Some(66), "{name}, {how}: {}", ran.err);
                assert!(ran.err.contains("cannot be read"), "{}", ran.err);
                let is_read = is_mailbox && !name.ends_with(".eml");
                let is_written = world.path().join("out").exists();
                assert_eq!(is_written, is_read && how != "a beginning", "{name}, {how}");
                let directory = name.split('/').next().expect("a directory");
                world.run(&["normalize", directory, "-o", "outs"]).exits(66);
                world.shell("rm -rf out outs x y").exits(0);
            }
            let ran = world.run_on(&["normalize"], octets);
            assert_eq!(ran.code, Some(66), "{name}, {how}, standard input: {}", ran.err);
        }
    }
    // A pipe that gives one octet at a time.
    let slow = "(head -c 1 a.eml.gz; sleep 0.3; tail -c +2 a.eml.gz) | $SEVENBIT normalize";
    assert_eq!(world.shell(slow).exits(0).out, CLEAN);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_stay_different() {
    let world = World::new();
    world.shell("mkdir d; printf 'Subject: \\374\\n\\nx\\n' > \"$(printf 'd/a\\377')\"; cp d/a* \"$(printf 'd/a\\376')\"").exits(0);
    let ran = world.run(&["normalize", "--check", "--report", "-", "d"]).exits(1);
    let names: Vec<String> =
        ran.json().iter().map(|line| line["input"].as_str().expect("a name").to_owned()).collect();
    assert_eq!(names, ["d/a\\xFE", "d/a\\xFF"]);
    let ran = world.run(&["normalize", "--check", "d"]).exits(1).text();
    assert!(ran.contains("d/a\\xFE: ") && ran.contains("d/a\\xFF: "), "{ran}");
}

/// A long message with LF, and a check of its output with another base64 decoder.
fn long_message() -> (Vec<u8>, impl Fn(&[u8]) -> bool) {
    let body = "From now on: a line of caf\u{e9}.\n".repeat(6_000);
    let message = format!("Subject: caf\u{e9}\nContent-Type: text/plain; charset=utf-8\n\n{body}")
        .into_bytes();
    let is_opaque = move |octets: &[u8]| {
        let text = String::from_utf8(octets.to_vec())
            .expect("7-bit")
            .replace("\r\n", "\n")
            .replace(";\n ", "; ");
        let (header, rest) = text.split_once("\n\n").expect("an empty line");
        let symbols: String = rest.lines().collect();
        header.contains("application/octet-stream; x-original-type=\"text/plain; charset=utf-8\"")
            && header.contains("Subject: =?utf-8?B?Y2Fmw6k=?=")
            && BASE64_STANDARD
                .decode(symbols.trim())
                .is_ok_and(|decoded| decoded == body.as_bytes())
    };
    (message, is_opaque)
}

#[test]
fn too_long_messages_are_carried_opaque_and_the_rest_goes_on() {
    let world = World::new();
    let (long, is_opaque) = long_message();
    let run =
        |args: &[&str]| world.run(&[&["normalize", "--max-message", "100000"], args].concat());
    let said = "is longer than `--max-message`: its body is carried as it is";
    let date = b"From a@example.org Thu Nov 19 10:00:00 2026\n";
    let quoted = String::from_utf8(long.clone()).expect("UTF-8").replace("\nFrom ", "\n>From ");
    world.write(
        "in.mbox",
        [mbox(2), date.to_vec(), quoted.into_bytes(), b"\n".to_vec(), mbox(1)].concat(),
    );
    run(&["in.mbox", "-o", "out.mbox"]).exits(0).says(&[
        "in.mbox: message 3, octet ",
        said,
        "4 messages",
    ]);
    let out = world.read("out.mbox");
    let (before, after) = (mbox(2), mbox(1));
    let inside = &out[before.len()..out.len() - after.len()];
    assert!(out.starts_with(&before) && out.ends_with(&after) && inside.starts_with(date));
    assert!(is_opaque(&inside[date.len()..]), "{}", String::from_utf8_lossy(&inside[..400]));
    run(&["out.mbox", "-o", "again.mbox"]).exits(0);
    assert!(world.read("again.mbox") == out, "twice is once");
    world.write("in.tar", tar(&[(b"a.eml", CLEAN), (b"long.eml", &long), (b"b.eml", CLEAN)]));
    run(&["in.tar", "--to", "eml", "-o", "eml", "--quarantine", "kept"])
        .exits(0)
        .says(&["in.tar: message 2, long.eml: is longer"]);
    assert_eq!(
        (world.read("eml/a.eml"), world.read("eml/b.eml")),
        (CLEAN.to_vec(), CLEAN.to_vec())
    );
    assert!(is_opaque(&world.read("eml/long.eml")));
    let kept: Vec<_> = fs::read_dir(world.path().join("kept")).expect("a directory").collect();
    let kept = kept.into_iter().map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>();
    assert_eq!(kept.len(), 1);
    assert!(fs::read(&kept[0]).expect("a copy") == long);
    run(&["in.tar", "-o", "out.tar"]).exits(0).says(&[said]);
    world.shell("mkdir x && tar -C x -xf out.tar").exits(0);
    assert!(world.read("x/long.eml") == world.read("eml/long.eml"));
}

#[test]
fn long_files_and_streams_are_carried_opaque() {
    let world = World::new();
    let (long, is_opaque) = long_message();
    let run =
        |args: &[&str]| world.run(&[&["normalize", "--max-message", "100000"], args].concat());
    world.write("d/long.eml", &long);
    world.write("d/a.eml", CLEAN);
    world.shell("gzip -k d/long.eml").exits(0);
    run(&["d", "-o", "out", "--report", "r"])
        .exits(0)
        .says(&["d/long.eml: is longer", "d/long.eml.gz: is longer"]);
    let unpacked = world.shell("gzip -d < out/long.eml.gz").exits(0).out;
    assert!(is_opaque(&world.read("out/long.eml")) && is_opaque(&unpacked));
    let report = String::from_utf8(world.read("r")).expect("UTF-8");
    let length = world.read("out/long.eml").len();
    assert!(
        report.contains("part-opaque") && report.contains(&format!("\"octets_out\":{length}")),
        "{report}"
    );
    let ran = world.shell("$SEVENBIT normalize --max-message 100000 < d/long.eml").exits(0);
    assert!(is_opaque(&ran.out) && ran.err.contains("-: is longer"), "{}", ran.err);
    // A file is not converted into something else in place.
    world.shell("rm d/long.eml.gz").exits(0);
    run(&["--in-place", "--quarantine", "odd", "d"])
        .exits(65)
        .says(&["d/long.eml: is longer than `--max-message` and left as it is"]);
    assert!(world.read("d/long.eml") == long);
    let copy = world.shell("cat odd/long.eml-*").exits(0).out;
    assert!(copy == long, "{} octets", copy.len());
    run(&["--check", "d"]).exits(1);
}

/// Long attachments are left in the file: no limit applies to them.
#[test]
fn long_attachments_do_not_matter() {
    let world = World::new();
    let line = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0\n";
    let head =
        "Subject: caf\u{e9}\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\n";
    world.write("a.eml", format!("{head}{}", line.repeat(120_000)));
    world.run(&["normalize", "--max-message", "300000", "a.eml", "-o", "b.eml"]).exits(0);
    let out = world.read("b.eml");
    assert!(out.windows(15).any(|octets| octets == b"application/zip") && out.len() > 9_000_000);
}

/// Parts over a limit are carried opaque, and the message is copied as it was.
#[test]
fn messages_with_parts_over_a_limit_are_copied_too() {
    let world = World::new();
    let message = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--\r\n";
    world.write("d/a.eml", message);
    world.write("d/b.eml", CLEAN);
    world
        .run(&["normalize", "--max-depth", "0", "d", "-o", "out", "--quarantine", "kept"])
        .exits(0);
    let kept: Vec<_> = fs::read_dir(world.path().join("kept")).expect("a directory").collect();
    assert_eq!(kept.len(), 1);
    let copy = fs::read(kept[0].as_ref().expect("an entry").path()).expect("a copy");
    assert_eq!(copy, message.as_bytes());
    let out = String::from_utf8(world.read("out/a.eml")).expect("7-bit");
    assert!(out.contains("application/octet-stream"), "{out}");
}

#[test]
fn a_packed_bomb_is_an_error_and_the_rest_goes_on() {
    let world = World::with(&["d/a.eml"]);
    // 1.2 GiB of nothing in 1.2 MB or less.
    world.shell("head -c 1300000000 /dev/zero | gzip -9 > d/bomb.mbox.gz").exits(0);
    let args = [
        "normalize",
        "--format",
        "mbox",
        "--max-message",
        "1000000",
        "d",
        "--to",
        "maildir",
        "-o",
        "M",
    ];
    world.run(&args).exits(66).says(&["bomb.mbox.gz: ", "1,000 times its size", "1 message,"]);
}
