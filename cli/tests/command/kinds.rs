//! What a file is: nothing becomes mail that is none, and no mailbox is missed.

use crate::support::{CLEAN, World, json_lines};

const HEADER: &str = "From: Ann <ann@example.org>\nSubject: caf\u{e9}\n";

/// Files that are no mail although there is a message in them, by what they are called in words.
fn no_mail() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let with = |begin: &[u8]| [begin, b"\n", HEADER.as_bytes(), b"\ntext\n"].concat();
    vec![
        ("a.sqlite", with(b"SQLite format 3\0\x10\0\x01\x01\0@  \0\0\0"), "a SQLite database"),
        ("b.pdf", with(b"%PDF-1.7\n%\xE2\xE3\xCF\xD3"), "a PDF document"),
        (
            "c.a",
            with(b"!<arch>\na.eml/          0           0     0     644     55        `"),
            "an ar archive",
        ),
        ("d.cpio", with(b"070701000000010000"), "a cpio archive"),
        ("e.sh", with(b"#!/bin/sh\nsendmail -t <<EOF"), "a script"),
        ("f.msf", with(b"// <!-- <mdb:mork:z v=\"1.4\"/> -->"), "a Mork database"),
        ("g", with(b"\0\x01\x02\x03\x04\x05\x06"), "data"),
        (
            "h.txt",
            b"Some text.\nMore of it, caf\xE9.\n".to_vec(),
            "a text without a header of mail",
        ),
        ("i.yaml", b"from: caf\xE9\nversion: 1\n".to_vec(), "a text without a header of mail"),
    ]
}

#[test]
fn what_is_no_mail_is_left_alone_and_named_by_its_kind() {
    let world = World::new();
    let files = no_mail();
    for (name, octets, _) in &files {
        world.write(&format!("d/{name}"), octets);
    }
    world.write("d/mail", format!("{HEADER}\ntext\n"));

    world
        .run(&["normalize", "d", "-o", "out", "--report", "r", "--quarantine", "q"])
        .exits(0)
        .says(&[
            "1 message",
            "9  files are no mail, not in the output (`--others copy` copies them): ",
            "2 texts without a header of mail, ",
            "a SQLite database",
        ]);
    assert!(!world.files().iter().any(|name| name.starts_with("q/")));
    let out: Vec<String> =
        world.files().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(out, ["out/mail"]);
    let report = json_lines(&world.read("r"));
    for (name, octets, words) in &files {
        let row = report.iter().find(|row| row["input"] == format!("d/{name}")).expect("a row");
        assert_eq!((&row["kept"], &row["kind"]), (&"no mail".into(), &(*words).into()), "{name}");
        assert_eq!(row["octets_in"], octets.len(), "{name}");
    }

    world
        .run(&["normalize", "--in-place", "--quarantine", "q", "d"])
        .exits(0)
        .says(&["1  changed", "no mail"]);
    assert!(!world.files().iter().any(|name| name.starts_with("q/")));
    world
        .run(&["normalize", "--check", "--line-ends", "lf", "d"])
        .exits(0)
        .says(&["0  would change", "9  files"]);
    for (name, octets, _) in &files {
        assert_eq!(&world.read(&format!("d/{name}")), octets, "{name}");
    }

    world.run(&["normalize", "d", "-o", "all", "--others", "copy"]).exits(0);
    for (name, octets, _) in &files {
        assert_eq!(&world.read(&format!("all/{name}")), octets, "{name}");
    }
}

#[test]
fn what_is_no_mail_is_an_error_if_it_is_named() {
    let world = World::new();
    for (name, octets, words) in no_mail() {
        world.write(name, octets);
        for command in [
            &["normalize"][..],
            &["normalize", "--check"],
            &["inspect"],
            &["extract", "--list"],
            &["explain"],
        ] {
            let ran = world.run(&[command, &[name]].concat()).exits(65);
            assert!(ran.out.is_empty(), "{name}, {command:?}");
            ran.says(&[&format!("{name}: is no mail, but {words}")]);
        }
        world.run(&["normalize", "--format", "eml", name]).exits(0);
    }
    let shown = world.run(&["inspect", "."]).exits(0).text();
    assert!(shown.contains("b.pdf: no mail, but a PDF document"), "{shown}");
}

#[test]
fn mail_of_another_kind_is_refused_by_name() {
    let world = World::new();
    for (name, octets, words) in [
        (
            "Inbox.dbx",
            &b"\xCF\xAD\x12\xFE\xC5\xFD\x74\x6F"[..],
            "a folder of Outlook Express (.dbx)",
        ),
        ("RMAIL", b"BABYL OPTIONS:\nVersion: 5\n", "a Babyl mailbox of Emacs"),
    ] {
        world.write(&format!("d/{name}"), octets);
        let path = format!("d/{name}");
        for args in
            [&["normalize", &path][..], &["normalize", "--format", "eml", &path], &["inspect", "d"]]
        {
            let ran = world.run(args).exits(65);
            assert!(ran.out.is_empty(), "{name}, {args:?}");
            ran.says(&[&format!("is {words}")]);
        }
        world.run(&["normalize", "--in-place", "d"]).exits(65).says(&[words, "1  failed"]);
        assert_eq!(world.read(&path), octets, "{name}");
        std::fs::remove_file(world.path().join(&path)).expect("it is there");
    }
}

/// Members of a tar file that are no mail go through unchanged.
#[test]
fn what_is_no_mail_in_a_tar_file_stays_as_it_is() {
    let world = World::new();
    let files = no_mail();
    let mut builder = tar::Builder::new(Vec::new());
    let mut add = |name: &str, octets: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_size(octets.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, octets).expect("memory");
    };
    add("mail", CLEAN);
    for (name, octets, _) in &files {
        add(name, octets);
    }
    world.write("in.tar", builder.into_inner().expect("memory"));
    let ran = world.run(&["normalize", "in.tar", "-o", "out.tar", "--report", "r"]).exits(0);
    ran.says(&["1 message", "9  files are no mail"]);

    let octets = world.read("out.tar");
    let mut archive = tar::Archive::new(octets.as_slice());
    let mut found = 0;
    for entry in archive.entries().expect("memory") {
        let mut entry = entry.expect("an entry");
        let name = entry.path().expect("a name").display().to_string();
        let mut octets = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut octets).expect("memory");
        if let Some((_, expected, _)) = files.iter().find(|(known, ..)| *known == name) {
            assert_eq!(&octets, expected, "{name}");
            found += 1;
        }
    }
    assert_eq!(found, files.len());
    assert_eq!(
        json_lines(&world.read("r")).iter().filter(|row| row["kept"] == "no mail").count(),
        files.len()
    );
}

/// `git archive` names the commit in a global header, which is about all members and is none.
#[test]
fn a_global_header_of_a_tar_file_is_no_member() {
    let world = World::new();
    world.write("in.tar", include_bytes!("../../../tests/files/commit.tar"));
    let ran = world.run(&["normalize", "in.tar", "-o", "out.tar", "--report", "r"]).exits(0);
    let ran = ran.says(&["1 message"]);
    assert!(!ran.err.contains("neither files nor directories"), "{}", ran.err);
    assert_eq!(json_lines(&world.read("r")).len(), 1);
    let octets = world.read("out.tar");
    let mut archive = tar::Archive::new(octets.as_slice());
    assert_eq!(archive.entries().expect("memory").count(), 1);
}

#[test]
fn mail_of_apple_is_read_with_its_attachments_and_not_changed_in_place() {
    let world = World::new();
    let message = "From: a@example.org\nSubject: caf\u{e9}\nMIME-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\ntext\n\
        --b\nContent-Type: application/octet-stream; name=f.bin\nContent-Transfer-Encoding: 7bit\n\
        Content-Disposition: attachment; filename=f.bin\n\n\n--b--\n";
    let list = "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict/></plist>\n";
    let file = format!("{:<10}\n{message}{list}", message.len());
    world.write("M/Messages/12.partial.emlx", &file);
    world.write("M/Messages/13.emlx", &file);
    world.write("M/Attachments/12/2/f.bin", b"\0\x01\r\n\xFF");
    for format in [&[][..], &["--format", "eml"]] {
        let args = [&["normalize", "M/Messages/12.partial.emlx"][..], format].concat();
        let out = world.run(&args).exits(0).text();
        assert!(out.starts_with("From: a@example.org\r\n") && !out.contains("plist"), "{out}");
        assert!(out.contains("\r\nAAENCv8=\r\n--b--"), "{out}");
    }
    world
        .run(&["normalize", "M", "-o", "out"])
        .exits(0)
        .says(&["2 messages", "1  file is no mail"]);
    assert!(world.files().contains(&"out/Messages/12.eml".to_owned()));
    world.run(&["normalize", "--in-place", "M/Messages"]).exits(65).says(&["Apple Mail"]);
    assert_eq!(world.read("M/Messages/13.emlx"), file.as_bytes());
}

/// A mailbox with any line end gives every message.
#[test]
fn mailboxes_whose_lines_end_with_cr_are_read() {
    let world = World::new();
    let message = |n: u8| {
        format!(
            "From a@example.org Mon Nov  {n} 10:00:00 2020\nFrom: a@example.org\nSubject: {n}\n\nx\n\n"
        )
    };
    let lf = format!("{}{}", message(2), message(3));
    for (end, octets) in
        [("\n", lf.clone()), ("\r\n", lf.replace('\n', "\r\n")), ("\r", lf.replace('\n', "\r"))]
    {
        for name in ["c.mbox", "d/Inbox"] {
            world.write(name, &octets);
            assert_eq!(
                world.run(&["inspect", "--json", name]).exits(0).json().len(),
                2,
                "{name} {end:?}"
            );
        }
        world.run(&["normalize", "d", "-o", "out"]).exits(0).says(&["2 messages"]);
        let out = String::from_utf8(world.read("out/Inbox")).expect("ASCII");
        assert_eq!(out.matches("From a@example.org Mon Nov ").count(), 2, "{end:?}: {out}");
    }
}

/// The `From ` line of a mailbox stays as it is, whatever is in it.
#[test]
fn from_lines_are_kept_octet_for_octet() {
    let world = World::new();
    for line in
        [&b"From 6543210987654321012\n"[..], b"From caf\xE9@example.org Mon Nov  2 10:00:00 2020\n"]
    {
        let mbox = [line, b"From: a@example.org\nSubject: 1\n\nx\n\n"].concat();
        world.write("d/Inbox", &mbox);
        world.run(&["normalize", "d", "-o", "out"]).exits(0).says(&["1 message"]);
        assert!(world.read("out/Inbox").starts_with(line));
    }
}

/// Packed in any way, whole, in another or cut, a mailbox gives every whole message.
#[test]
fn packed_mailboxes_are_read_and_written() {
    let world = World::new();
    let message = |n: u32| {
        let text: String = (0..200)
            .map(|line| format!("{:x}\n", (n * 1000 + line).wrapping_mul(2_654_435_761)))
            .collect();
        format!(
            "From a@example.org Mon Nov  2 10:00:00 2020\nFrom: a@example.org\nSubject: {n}\n\n{text}\n"
        )
    };
    let mbox: String = (0..700).map(message).collect();
    world.write("in.mbox", &mbox);
    for end in ["gz", "zst", "bz2", "xz"] {
        let name = format!("out.mbox.{end}");
        world.run(&["normalize", "in.mbox", "-o", &name]).exits(0);
        let packed = world.read(&name);
        assert!(packed.len() < mbox.len(), "{end}");
        world.run(&["normalize", &name, "-o", "again.mbox"]).exits(0).says(&["700 messages"]);
        assert_eq!(world.read("again.mbox"), mbox.as_bytes(), "{end}");
        assert_eq!(world.run_on(&["normalize"], &packed).exits(0).out, mbox.as_bytes(), "{end}");

        world.write(&format!("d/{name}"), &packed[..packed.len() * 3 / 4]);
        let ran = world
            .run(&["normalize", "d", "--to", "eml", "-o", end])
            .exits(66)
            .says(&["after message"]);
        let given =
            world.files().iter().filter(|file| file.starts_with(&format!("{end}/"))).count();
        assert!(given > 100, "{end}: {given} messages, {}", ran.err);
        std::fs::remove_dir_all(world.path().join("d")).expect("it is there");
    }
    world.write("in.tar.bz2", b"");
    world.shell("tar cf in.tar in.mbox && $SEVENBIT normalize in.tar -o in.tar.bz2").exits(0);
    world
        .run(&["normalize", "in.tar.bz2", "--to", "mbox", "-o", "back.mbox"])
        .exits(0)
        .says(&["700 messages"]);
    assert_eq!(world.read("back.mbox"), mbox.as_bytes());
}

/// A message of Outlook that is damaged is no mail, and stays as it is.
#[test]
fn damaged_messages_of_outlook_are_refused() {
    let world = World::new();
    for (name, octets) in [
        ("a.pst", &b"!BDN\x01\x02\x03\x04SM\x17\0"[..]),
        ("a.msg", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0"),
    ] {
        let path = format!("d/{name}");
        world.write(&path, octets);
        for args in
            [&["normalize", &path, "-o", "out/"][..], &["inspect", &path], &["inspect", "d"]]
        {
            let ran = world.run(args).exits(65);
            assert!(ran.out.is_empty(), "{name}, {args:?}");
            ran.says(&[&path]);
        }
        let code = if name == "a.pst" { 73 } else { 65 };
        world.run(&["normalize", "--in-place", "d"]).exits(code).says(&["1  failed"]);
        assert_eq!(world.read(&path), octets, "{name}");
        std::fs::remove_file(world.path().join(&path)).expect("it is there");
    }
}

/// A message of Outlook is read as mail, and its file stays as it is.
#[test]
fn messages_of_outlook_are_read_and_not_changed_in_place() {
    let world = World::new();
    let mut msg = outlook::Msg::default();
    msg.add(0x001a, outlook::kinds::TEXT, outlook::wide("IPM.Note"));
    msg.add(0x0037, outlook::kinds::OCTETS8, b"\x93\xfa\x96\x7b\x8c\xea".to_vec());
    msg.add(0x1000, outlook::kinds::OCTETS8, b"\x83\x5c".to_vec());
    msg.add(0x3ff1, 3, 0x0411u32.to_le_bytes().to_vec());
    msg.attachment(&[
        (0x3707, outlook::kinds::TEXT, outlook::wide("f.bin")),
        (0x3701, outlook::kinds::BINARY, b"\0\x01\r\n\xFF".to_vec()),
    ]);
    // Its octets have the time at which they were made.
    let octets = msg.octets();
    world.write("d/a.msg", &octets);
    world.write("d/b.doc", outlook::document());

    for format in [&[][..], &["--format", "eml"]] {
        let args = [&["normalize", "d/a.msg"][..], format].concat();
        let out = world.run(&args).exits(0).text();
        assert!(out.contains("Subject: =?utf-8?B?5pel5pys6Kqe?=\r\n"), "{out}");
        assert!(out.contains("\r\n\r\nAAENCv8=\r\n"), "{out}");
    }
    let subject =
        world.run(&["inspect", "--json", "d/a.msg"]).exits(0).json()[0]["subject"].clone();
    assert_eq!(subject, "日本語");

    let files = |args: &[&str]| world.run(args).exits(0).json()[0]["attachments"].clone();
    assert_eq!(files(&["inspect", "--json", "d/a.msg"]).as_array().map(Vec::len), Some(1));
    let found = files(&["inspect", "--json", "--outlook-properties", "d/a.msg"]);
    assert_eq!(found[1]["name"], "outlook-properties.json");

    messages_of_outlook_are_opened_everywhere(&octets);

    world.run(&["normalize", "d", "-o", "out"]).exits(0).says(&["1 message", "1  file is no mail"]);
    assert!(world.files().contains(&"out/a.eml".to_owned()));
    world.run(&["normalize", "--in-place", "d"]).exits(65).says(&["Outlook"]);
    assert_eq!(world.read("d/a.msg"), octets);
}

/// Looks at the same message on standard input, packed, and in a tar file beside another of its
/// name and a damaged one.
fn messages_of_outlook_are_opened_everywhere(octets: &[u8]) {
    let world = World::new();
    world.write("a.msg", octets);
    let plain = world.run(&["normalize", "a.msg"]).exits(0).out;
    let is_plain = |ran: crate::support::Ran| assert!(ran.exits(0).out == plain);
    is_plain(world.shell("$SEVENBIT normalize < a.msg"));

    world.shell("gzip -k a.msg").exits(0);
    is_plain(world.run(&["normalize", "a.msg.gz"]));
    is_plain(world.shell("$SEVENBIT normalize < a.msg.gz"));
    world.shell("mkdir packed; mv a.msg.gz packed").exits(0);
    world.run(&["normalize", "packed", "-o", "unpacked"]).exits(0);
    is_plain(world.shell("gzip -dc unpacked/a.eml.gz"));

    world.write("t/a.eml", CLEAN);
    world.write("t/a.msg", octets);
    world.write("t/b.msg", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0");
    world.shell("tar cf in.tar t/a.eml t/a.msg t/b.msg").exits(0);
    let ran = world.run(&["normalize", "in.tar", "-o", "out.tar", "--report", "r"]).exits(65);
    ran.says(&["in.tar: t/b.msg: cannot be read", "2 messages"]);
    let names = world.shell("tar tf out.tar").exits(0).text();
    assert_eq!(names, "t/a.eml\nt/a~2.eml\nt/b.msg\n");
    is_plain(world.shell("tar xOf out.tar t/a~2.eml"));
    assert_eq!(world.shell("tar xOf out.tar t/b.msg").exits(0).out, world.read("t/b.msg"));
    assert_eq!(json_lines(&world.read("r"))[1]["mailbox"]["name"], "t/a.msg");

    world.run(&["normalize", "in.tar", "--to", "eml", "-o", "eml"]).exits(65);
    assert!(world.read("eml/t/a~2.eml") == plain);
}

/// The writer of the tests of `sevenbit-outlook`.
#[allow(dead_code, reason = "not all of it is needed here")]
#[path = "../../../crates/outlook/tests/msg/writer.rs"]
pub mod outlook;

/// What a message had beside its octets is kept, or mapped to what its new store has.
#[cfg(unix)]
#[test]
fn flags_times_and_files_beside_are_kept() {
    let world = World::with(&["M/cur/1.a:2,FRS", "M/new/2.b", "M/tmp/x", "d/a.eml"]);
    world.write("M/subscriptions", "INBOX\n");
    world.write("M/dovecot-keywords", "0 work\n");
    world.write("M/dovecot.index.cache", "\0\x01");
    world
        .shell(
            "touch -d 2001-02-03T04:05:06Z d/a.eml M/subscriptions; mkdir d/.git; touch d/.hidden",
        )
        .exits(0);

    world.run(&["normalize", "M", "--to", "mbox", "-o", "out.mbox"]).exits(0);
    let mbox = String::from_utf8(world.read("out.mbox")).expect("ASCII");
    assert!(
        mbox.contains("\r\nStatus: RO\r\nX-Status: AF\r\nX-Mozilla-Status: 0007\r\nFrom: ")
            && mbox.matches("Status:").count() == 3,
        "{mbox}"
    );
    world.run(&["normalize", "out.mbox", "--to", "maildir", "-o", "back"]).exits(0);
    assert!(
        world.files().iter().any(|name| name.starts_with("back/cur/") && name.ends_with(":2,FRS"))
    );

    world.run(&["normalize", "M", "-o", "copy"]).exits(0).says(&["2 messages"]);
    assert_eq!(world.read("copy/subscriptions"), b"INBOX\n");
    assert_eq!(world.read("copy/dovecot-keywords"), b"0 work\n");
    assert!(!world.files().contains(&"copy/dovecot.index.cache".to_owned()));

    world
        .run(&["normalize", "d", "-o", "o"])
        .exits(0)
        .says(&["2  skipped: 1 hidden file, 1 hidden directory"]);
    assert_eq!(
        world.shell("stat -c %Y o/a.eml copy/subscriptions").exits(0).text(),
        "981173106\n981173106\n"
    );
}

/// A mailbox that is damaged has a row in the report for what is missing.
#[test]
fn what_cannot_be_read_has_a_row() {
    let world = World::new();
    world.write("in.mbox", [&crate::mailboxes::mbox(1)[..], &vec![b'x'; 100_000]].concat());
    world.run(&["normalize", "in.mbox", "-o", "out.mbox.gz"]).exits(0);
    let packed = world.read("out.mbox.gz");
    world.write("d/cut.mbox.gz", &packed[..packed.len() - 9]);
    world.run(&["normalize", "d", "-o", "out", "--report", "r"]).exits(66);
    let rows = json_lines(&world.read("r"));
    assert!(rows.iter().any(|row| row["error"].is_string()), "{rows:?}");
}

/// What a killed run left in a directory that is changed in place is removed by the next.
#[cfg(target_os = "linux")]
#[test]
fn leftovers_in_place_are_removed_and_attributes_kept() {
    let world = World::new();
    world.write("d/a.eml", format!("{HEADER}\ntext\n"));
    world.write("d/.sevenbit-a1B2c3", "half");
    let set =
        world.shell("command -v setfattr >/dev/null && setfattr -n user.tag -v work d/a.eml").code
            == Some(0);
    world.run(&["normalize", "-n", "--in-place", "d"]).exits(0);
    assert_eq!(world.files(), ["d/.sevenbit-a1B2c3", "d/a.eml"], "a dry run removes nothing");
    world.run(&["normalize", "--in-place", "d"]).exits(0).says(&["1  changed"]);
    assert_eq!(world.files(), ["d/a.eml"]);
    if set {
        let tag = world.shell("getfattr --only-values -n user.tag d/a.eml").exits(0).text();
        assert_eq!(tag, "work");
    }
}

/// Mailboxes of older programs become mbox, with what they say of each message.
#[test]
fn mailboxes_of_older_programs_are_read() {
    let world = World::new();
    let mark = "\u{1}\u{1}\u{1}\u{1}\n";
    let message = "From: a@example.org\nSubject: x\n\ntext\n";
    world.write(
        "d/mmdf",
        format!(
            "{mark}{message}{mark}{mark}From b@x.org Mon Nov  2 10:00:00 2026\n{message}{mark}"
        ),
    );
    let message = message.replace('\n', "\r\n");
    let mut mbx = b"*mbx*\r\n4b1f2c8a00000001\r\nwork\r\n".to_vec();
    mbx.resize(2048, 0);
    let length = message.len();
    mbx.extend(
        format!("19-Nov-2026 10:00:00 +0000,{length};000000010005-00000001\r\n{message}")
            .into_bytes(),
    );
    mbx.extend(
        format!("19-Nov-2026 11:00:00 +0000,{length};000000000000-00000002\r\n{message}")
            .into_bytes(),
    );
    world.write("d/mbx", &mbx);
    world.write("cut/mbx", &mbx[..mbx.len() - 4]);

    world.run(&["normalize", "d", "-o", "out"]).exits(0).says(&["4 messages"]);
    let text = |name: &str| String::from_utf8(world.read(name)).expect("ASCII");
    assert!(
        text("out/mmdf").contains("\nFrom b@x.org Mon Nov  2 10:00:00 2026\nFrom: a@example.org\n")
    );
    let mbx = text("out/mbx");
    let begin = "From MAILER-DAEMON Thu Nov 19 10:00:00 2026\r\nStatus: R\r\nX-Status: F\r\nX-Keywords: work\r\nFrom: a@";
    assert!(mbx.starts_with(begin), "{mbx}");
    for name in ["mmdf", "mbx"] {
        let again = world.run(&["inspect", "--json", &format!("out/{name}")]).exits(0);
        assert_eq!(again.json().len(), 2, "{name}");
    }
    world.run(&["normalize", "--in-place", "d"]).exits(73).says(&["2  failed"]);
    world
        .run(&["normalize", "cut", "--to", "eml", "-o", "eml"])
        .exits(66)
        .says(&["1 message", "after message 1"]);
    world.run(&["normalize", "--format", "eml", "d/mmdf"]).exits(0).says(&["2 messages"]);
}
