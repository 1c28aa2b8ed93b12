//! What files have beside the octets of messages: names, times, flags, folders. It is kept, mapped,
//! or told of.
#![cfg(unix)]

use crate::support::{World, json_lines};

/// Not normal: raw Latin-1.
const RAW: &[u8] = b"From: a@example.org\nSubject: Gr\xfc\xdfe\n\nK\xf6ln\n";

const POSTMARK: &[u8] = b"From joe@example.net Fri Feb  2 04:05:06 2001\n";

/// Names of one file stay names of one file; those that lie elsewhere are told of.
#[cfg(target_os = "linux")]
#[test]
fn hard_links_stay_links_or_are_told_of() {
    let world = World::new();
    world.write("d/a.eml", RAW);
    world.write("d/c.eml", RAW);
    world
        .shell("ln d/a.eml d/b.eml; mkdir d/sub out; ln d/a.eml d/sub/x.eml; ln d/c.eml out/c.eml")
        .exits(0);
    let ran = world.run(&["normalize", "--in-place", "d", "--report", "r"]).exits(0);
    ran.says(&[
        "4  changed",
        "1  other names of these files (hard links) have the messages as they were",
    ]);
    world.shell("test d/a.eml -ef d/b.eml -a d/a.eml -ef d/sub/x.eml").exits(0);
    assert_eq!(world.shell("stat -c %h d/a.eml d/c.eml").exits(0).text(), "3\n1\n");
    assert_eq!(world.read("out/c.eml"), RAW);
    assert!(world.read("d/c.eml") == world.read("d/a.eml") && world.read("d/a.eml") != RAW);
    let rows = json_lines(&world.read("r"));
    let told: Vec<_> = rows.iter().filter(|row| row["not_kept"][0] == "links").collect();
    assert!(matches!(told.as_slice(), [row] if row["input"] == "d/c.eml"), "{rows:?}");
    assert_eq!(world.files().len(), 6, "nothing else is left: {:?}", world.files());
}

#[test]
fn what_the_output_has_no_place_for_is_reported() {
    let world = World::new();
    world.write("M/cur/1.a:2,FSab", RAW);
    world.write("M/.Sent/cur/2.b:2,S", [b"Status: O\n", RAW].concat());
    world.write("M/dovecot-keywords", "0 work\n");
    world.write("M/subscriptions", "Sent\n");
    world.shell("mkdir -p M/new M/tmp M/.Sent/new M/.Sent/tmp").exits(0);
    let told = "2  not in the output, which has no place for it: the folder 1, keywords 1";
    world.run(&["normalize", "-n", "M", "--to", "mbox", "-o", "out.mbox"]).exits(0).says(&[told]);
    let ran =
        world.run(&["normalize", "M", "--to", "mbox", "-o", "out.mbox", "--report", "r"]).exits(0);
    ran.says(&[told, "2  skipped: files of a Maildir that are no messages"]);
    let rows = json_lines(&world.read("r"));
    assert_eq!(rows[0]["not_kept"].to_string(), r#"["folder"]"#);
    // The name of a file was changed last.
    let out = String::from_utf8_lossy(&world.read("out.mbox")).into_owned();
    assert!(out.contains("Status: RO\nX-Mozilla-Status: 0001\n"), "{out}");
    assert!(!out.contains("Status: O\n"), "{out}");
    assert_eq!(rows[1]["not_kept"].to_string(), r#"["keywords"]"#);

    let mail = |return_path: &str| [POSTMARK, return_path.as_bytes(), RAW, b"\n"].concat();
    world.write("in.mbox", [mail(""), mail("Return-Path: <joe@example.net>\n")].concat());
    for to in ["eml", "tar", "maildir"] {
        let ran = world.run(&[
            "normalize",
            "in.mbox",
            "--to",
            to,
            "-o",
            &format!("{to}.out"),
            "--report",
            "r",
        ]);
        ran.exits(0).says(&["1  not in the output, which has no place for it: the sender in a `From ` line, which is in no Return-Path 1"]);
        let rows = json_lines(&world.read("r"));
        assert!(
            rows[0]["not_kept"][0] == "from-line" && rows[1].get("not_kept").is_none(),
            "{rows:?}"
        );
    }
    let times = world.shell("stat -c %Y eml.out/in.mbox/*.eml maildir.out/new/*").exits(0).text();
    assert_eq!(times, "981086706\n".repeat(4), "the time of the `From ` line");
}

/// Files of one message each are called so wherever they come from; no colon is in a name.
#[test]
fn files_of_one_message_end_with_eml() {
    let world = World::new();
    world.write("M/cur/1.a:2,FS", RAW);
    world.write("M/new/2.b", RAW);
    world.shell("mkdir -p M/tmp").exits(0);
    world.run(&["normalize", "M", "--to", "eml", "-o", "out"]).exits(0);
    let files = world.files();
    for name in ["out/cur/1.a_2,FS.eml", "out/new/2.b.eml"] {
        assert!(files.contains(&name.to_owned()), "{files:?}");
    }
}

#[test]
fn keywords_get_letters_in_the_list_of_a_new_maildir() {
    let world = World::new();
    let mail = |field: &str| [POSTMARK, field.as_bytes(), RAW, b"\n"].concat();
    world.write(
        "in.mbox",
        [mail("X-Keywords: work  home\nStatus: RO\n"), mail("X-Mozilla-Keys: home\n")].concat(),
    );
    for _ in 0..2 {
        world.run(&["normalize", "in.mbox", "--to", "maildir", "-o", "M"]).exits(0);
        assert_eq!(world.read("M/dovecot-keywords"), b"0 work\n1 home\n");
        let names = world.files();
        let ends = |end: &str| {
            names.iter().filter(|name| name.starts_with("M/cur/") && name.ends_with(end)).count()
        };
        assert_eq!((ends(":2,Sab"), ends(":2,b"), names.len()), (1, 1, 4), "{names:?}");
    }
    // Another Maildir has other letters for them.
    world.write("N/cur/9.x:2,Fa", RAW);
    world.write("N/dovecot-keywords", "0 home\n");
    world.shell("mkdir -p N/new N/tmp").exits(0);
    world.run(&["normalize", "N", "--to", "maildir", "-o", "M"]).exits(0);
    assert_eq!(world.read("M/dovecot-keywords"), b"0 work\n1 home\n");
    assert!(world.files().contains(&"M/cur/9.x:2,Fb".to_owned()), "{:?}", world.files());
}

#[test]
fn mailboxes_keep_their_times_and_mail_in_a_maildir_its_arrival() {
    let world = World::new();
    let two = [POSTMARK, RAW, b"\n", POSTMARK, RAW, b"\n"].concat();
    world.write("d/in.mbox", &two);
    world.write("M/cur/1.a:2,S", [b"Date: Thu, 19 Nov 2026 10:00:00 +0000\n", RAW].concat());
    world
        .shell("mkdir -p M/new M/tmp; gzip -k d/in.mbox; touch -d 2001-02-02T04:05:06Z d/* M/cur/*")
        .exits(0);
    world.run(&["normalize", "d", "-o", "out"]).exits(0);
    world.run(&["normalize", "d/in.mbox", "-o", "one"]).exits(0);
    world.run(&["normalize", "d/in.mbox", "-o", "one.gz"]).exits(0);
    let times = world.shell("stat -c %Y out/* one one.gz").exits(0).text();
    assert_eq!(times, "981086706\n".repeat(4));
    world.run(&["normalize", "M", "--to", "mbox", "-o", "M.mbox"]).exits(0);
    assert!(world.read("M.mbox").starts_with(b"From a@example.org Fri Feb  2 04:05:06 2001\n"));
}

#[test]
fn files_are_kept_in_a_backup_before_they_are_replaced() {
    let world = World::new();
    world.write("d/a.eml", RAW);
    world.write("d/sub/b.eml", RAW);
    world.write("d/sub/clean.eml", "From: a@example.org\nSubject: x\n\ntext\n");
    world.shell("touch -d 2001-02-02T04:05:06Z d/a.eml; chmod 600 d/a.eml").exits(0);
    for _ in 0..2 {
        world.run(&["normalize", "--in-place", "--backup", "d/old", "d"]).exits(0);
        assert_eq!(world.read("d/old/a.eml"), RAW);
        assert_eq!(world.read("d/old/sub/b.eml"), RAW);
        assert_eq!(world.files().len(), 5, "{:?}", world.files());
    }
    assert_eq!(world.shell("stat -c '%Y %a' d/old/a.eml").exits(0).text(), "981086706 600\n");
    assert!(world.read("d/a.eml") != RAW);
    world.run(&["normalize", "--backup", "old", "d", "-o", "out"]).exits(64);
}

#[test]
fn patterns_have_braces_and_are_told_of_if_nothing_matches() {
    let world = World::with(&["d/a.eml", "d/b.eml", "d/c.eml"]);
    let ran =
        world.run(&["normalize", "--include", "{a,b}.eml", "--exclude", "*.txt", "d", "-o", "out"]);
    ran.exits(0).says(&["2 messages", "`--exclude *.txt` matches no file"]);
    world.run(&["normalize", "d/{a,c}.e?l", "-o", "two"]).exits(0).says(&["2 messages"]);
    world.run(&["normalize", "d/{a,c}.eml", "-o", "words"]).exits(0).says(&["2 messages"]);
    let out: Vec<_> = world.files().into_iter().filter(|name| !name.starts_with("d/")).collect();
    assert_eq!(
        out,
        ["out/a.eml", "out/b.eml", "two/a.eml", "two/c.eml", "words/a.eml", "words/c.eml"]
    );
    world.run(&["normalize", "d/{a,x}*", "-o", "none"]).exits(66).says(&["d/x*: matches no file"]);
}

#[test]
fn a_check_says_nothing_of_line_ends() {
    let world = World::new();
    world.write(
        "d/a.eml",
        "From: a@example.org\nDate: Thu, 19 Nov 2026 10:00:00 +0000\nSubject: x\n\ntext\n",
    );
    world.run(&["normalize", "--check", "d"]).exits(0);
    world
        .run(&["normalize", "--check", "--line-ends", "crlf", "d"])
        .exits(1)
        .says(&["1  would change"]);
    world.run(&["normalize", "d", "-o", "out"]).exits(0);
    assert!(world.read("out/a.eml").contains(&b'\r'));
}

/// What is in a backup already is of another directory, or of an earlier time: neither is lost.
#[test]
fn a_backup_keeps_every_file_that_is_replaced() {
    let world = World::new();
    for directory in ["a", "b"] {
        let message =
            format!("From: {directory}@example.org\nSubject: {directory}\n\nsch\u{f6}n\n");
        world.write(&format!("{directory}/1.eml"), &message);
        world.run(&["normalize", "--in-place", "--backup", "old", directory]).exits(0);
    }
    world.write("a/1.eml", "From: a@example.org\nSubject: again\n\nsch\u{f6}n\n");
    world.run(&["normalize", "--in-place", "--backup", "old", "a"]).exits(0);
    for (name, subject) in [("old/1.eml", "a"), ("old/1 (2).eml", "b"), ("old/1 (3).eml", "again")]
    {
        let kept = String::from_utf8(world.read(name)).expect("UTF-8");
        assert!(kept.contains(&format!("Subject: {subject}\n")), "{name}: {kept}");
    }
    world
        .run(&["normalize", "--in-place", "--backup", "old", "a", "b"])
        .exits(73)
        .says(&["a directory of its own for `--backup`"]);
}

/// The name of a file says its flags wherever it is: `cur` alone, or the file by itself.
#[test]
fn flags_of_files_out_of_a_maildir_reach_an_mbox() {
    let world = World::new();
    world.shell("mkdir -p M/cur M/new M/tmp; printf '0 work\\n' > M/dovecot-keywords").exits(0);
    world.write("M/cur/1.host:2,FSa", RAW);
    for input in ["M", "M/cur", "M/cur/1.host:2,FSa"] {
        world.run(&["normalize", "--to", "mbox", "-o", "out.mbox", input]).exits(0);
        let text = String::from_utf8_lossy(&world.read("out.mbox")).into_owned();
        for field in ["Status: RO", "X-Status: F", "X-Keywords: work"] {
            assert!(text.contains(field), "{input}: {field} in {text}");
        }
    }
}
