//! `extract`: safe names, nothing written over, the manifest.

use std::fs;
use std::path::Path;

use crate::support::{CLEAN, PROJECT, World, json_lines, keys};

const KEYS: [&str; 12] = [
    "content_id",
    "file",
    "inline",
    "name",
    "octets",
    "origin",
    "part",
    "safe_name",
    "sha256",
    "type",
    "type_by_name",
    "type_by_octets",
];

/// Returns a message written for what mail contains.
fn written(name: &str) -> Vec<u8> {
    let path = Path::new(PROJECT).join("corpus/view").join(name);
    fs::read(path).expect("a message of corpus/view")
}

fn lines(octets: Vec<u8>) -> Vec<serde_json::Value> {
    let text = String::from_utf8(octets).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn files_get_safe_names_and_a_manifest() {
    let world = World::new();
    world.write("a.eml", written("attachments-with-bad-names.eml"));
    world.run(&["extract", "--to", "out", "a.eml"]).exits(0);
    let names = [
        "out/A (2).TXT",
        "out/Re_ lunch _ dinner_.eml",
        "out/_CON.txt",
        "out/a.txt",
        "out/invoicefdp.exe",
        "out/manifest.jsonl",
        "out/passwd",
        "out/unnamed.asc",
        "out/unnamed.pdf",
    ];
    assert_eq!(world.files(), [&["a.eml"], &names[..]].concat());
    assert_eq!(world.read("out/passwd"), b"GIF89a");
    let manifest = &lines(world.read("out/manifest.jsonl"))[0];
    assert_eq!(keys(manifest), ["attachments", "body", "input", "message_id", "sent", "subject"]);
    let files = manifest["attachments"].as_array().expect("a list");
    assert_eq!(files.len(), 8);
    files.iter().for_each(|file| assert_eq!(keys(file), KEYS));
    assert_eq!(
        (files[0]["name"].as_str(), files[0]["file"].as_str()),
        (Some("../../etc/passwd"), Some("passwd"))
    );
    assert_eq!(files[0]["type_by_octets"], "image/gif");
}

#[test]
fn no_file_is_written_over() {
    let world = World::new();
    world.write("a.eml", written("uuencoded-in-text.eml"));
    world.write("out/cat.txt", "mine");
    let extract = ["extract", "--to", "out", "--body", "text", "--attachments", "*.TXT", "a.eml"];
    world.run(&extract).exits(0).says(&["2 files of 1 message"]);
    assert_eq!(world.read("out/cat.txt"), b"mine");
    assert_eq!(world.read("out/cat (2).txt"), b"Cat");
    assert_eq!(lines(world.read("out/manifest.jsonl"))[0]["attachments"][0]["file"], "cat (2).txt");

    // A file that was changed meanwhile is another one.
    let body = world.read("out/body.txt");
    world.write("out/body.txt", "shorter");
    world.run(&extract).exits(0).says(&["2 files of 1 message; 1 there already"]);
    assert_eq!(world.read("out/body.txt"), b"shorter");
    assert_eq!(world.read("out/body (2).txt"), body);
    assert_eq!(lines(world.read("out/manifest (2).jsonl"))[0]["body"][0]["file"], "body (2).txt");
}

/// Files of one name stay apart within a run, also if they are alike.
#[test]
fn a_run_that_is_repeated_writes_nothing_twice() {
    let world = World::new();
    for name in ["mail/a.eml", "mail/b.eml"] {
        world.write(name, written("uuencoded-in-text.eml"));
    }
    let extract = ["extract", "--to", "out", "--flat", "mail"];
    world.run(&extract).exits(0).says(&["2 files of 2 messages"]);
    let files = world.files();
    assert!(files.contains(&"out/cat (2).txt".to_owned()), "{files:?}");
    for _ in 0..2 {
        world.run(&extract).exits(0).says(&["2 files of 2 messages; all there already"]);
        assert_eq!(world.files(), files);
    }
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() {
    let world = World::new();
    world.write("mail/a.eml", written("uuencoded-in-text.eml"));
    world.write("elsewhere/x", "x");
    fs::create_dir_all(world.path().join("out")).expect("a directory");
    std::os::unix::fs::symlink("../elsewhere", world.path().join("out/a.eml")).expect("a link");
    world.run(&["extract", "--to", "out", "mail"]).exits(73);
    assert_eq!(world.files().iter().filter(|name| name.starts_with("elsewhere")).count(), 1);
    fs::remove_file(world.path().join("out/a.eml")).expect("the link");
    fs::create_dir(world.path().join("out/a.eml")).expect("a directory");
    std::os::unix::fs::symlink("../../elsewhere/new", world.path().join("out/a.eml/cat.txt"))
        .expect("a link");
    world.run(&["extract", "--to", "out", "mail"]).exits(0);
    assert_eq!(world.read("out/a.eml/cat (2).txt"), b"Cat");
    assert!(!world.path().join("elsewhere/new").exists());
}

#[test]
fn mailboxes_have_a_directory_for_each_message() {
    let world = World::new();
    let mail = written("uuencoded-in-text.eml");
    world.write(
        "in.mbox",
        [
            b"From a Thu Nov 19 10:00:00 2026\r\n",
            &mail[..],
            b"\r\nFrom b Thu Nov 19 10:00:00 2026\r\n",
            &mail,
            b"\r\n",
        ]
        .concat(),
    );
    world.run(&["extract", "--to", "out", "in.mbox"]).exits(0);
    assert_eq!(world.read("out/in.mbox/2/cat.txt"), b"Cat");
    let manifest = lines(world.read("out/manifest.jsonl"));
    assert_eq!(manifest[1]["mailbox"]["number"], 2);
    assert_eq!(manifest[1]["attachments"][0]["file"], "in.mbox/2/cat.txt");
}

#[test]
fn the_body_refers_to_the_files_beside_it() {
    let world = World::new();
    world.write("a.eml", written("html-with-pictures.eml"));
    world
        .run(&["extract", "--to", "out", "--body", "html", "--attachments", "*", "a.eml"])
        .exits(0);
    let html = String::from_utf8(world.read("out/body.html")).expect("UTF-8");
    assert!(html.contains("<img src=\"unnamed.png\""), "{html}");
    assert!(world.read("out/unnamed.png").starts_with(b"\x89PNG"));
}

/// A browser believes a byte order mark more than what the HTML says of its charset, which was true
/// of the mail.
#[test]
fn html_that_says_another_charset_is_read_as_it_is_written() {
    let world = World::new();
    let mail = |charset: &str| {
        format!("Content-Type: text/html; charset=windows-1252\r\n\r\n{charset}Gr=FC=DFe\r\n")
            .replace("text/html", "text/html; x=y")
            .replace("\r\n\r\n", "\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
    };
    for (charset, expected) in [
        ("<meta charset=3Dwindows-1252>", "\u{feff}<meta charset=windows-1252>Gr\u{fc}\u{df}e\n"),
        ("", "Gr\u{fc}\u{df}e\n"),
    ] {
        world.write("a.eml", mail(charset));
        world.run(&["extract", "--to", "out", "--body", "html", "--flat", "a.eml"]).exits(0);
        assert_eq!(String::from_utf8_lossy(&world.read("out/body.html")), expected);
        world.shell("rm -r out").exits(0);
    }
}

#[test]
fn files_of_all_messages_go_into_one_directory() {
    let world = World::new();
    let mail = |date: &str| {
        format!(
            "Date: {date}\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\n\nx\n"
        )
    };
    world.write("mail/one", mail("Tue, 31 Dec 2019 10:00:00 +0000"));
    world.write("mail/other", mail("Wed, 1 Jan 2020 10:00:00 +0000"));
    world.write("mail/undated", mail("some day"));
    let days = ["--since", "2019-01-01", "--until", "2019-12-31"];
    let ran = world.run(&[&["extract", "--to", "out", "--flat", "mail"][..], &days].concat());
    ran.exits(0).says(&[
        "2 files of 2 messages; 1 without a readable date taken, 1 of other days left out",
    ]);
    let files: Vec<String> =
        world.files().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(files, ["out/a (2).pdf", "out/a.pdf", "out/manifest.jsonl"]);
    let sent: Vec<serde_json::Value> =
        lines(world.read("out/manifest.jsonl")).iter().map(|row| row["sent"].clone()).collect();
    assert_eq!(sent, [serde_json::json!("2019-12-31T10:00:00+00:00"), serde_json::Value::Null]);

    let without = ["--undated", "leave"];
    let ran =
        world.run(&[&["extract", "--to", "dated", "--flat", "mail"][..], &days, &without].concat());
    ran.exits(0).says(&[
        "1 file of 1 message; 1 without a readable date left out, 1 of other days left out",
    ]);
}

#[test]
fn what_there_is_can_be_seen_without_writing() {
    let world = World::new();
    world.write("a.eml", written("winmail.eml"));
    let listed = world.run(&["extract", "--list", "a.eml"]).exits(0);
    assert!(
        String::from_utf8_lossy(&listed.out).contains("text/plain                    Grüße.txt"),
        "{:?}",
        listed.out
    );
    let object = &world.run(&["extract", "--list", "--json", "a.eml"]).exits(0).json()[0];
    assert_eq!(object["attachments"][1]["origin"], "tnef");
    let text = world.run(&["extract", "--body", "text", "a.eml"]).exits(0);
    assert_eq!(String::from_utf8_lossy(&text.out), "Schöne Grüße\n");
    assert_eq!(world.files(), ["a.eml"]);
    world.run(&["extract", "a.eml"]).exits(64);
    world.run(&["extract", "--to", "mail/out", "--list", "a.eml"]).exits(64);
}

/// A mailbox whose files go beside it has the name of their directory itself.
#[test]
fn a_directory_gets_another_name_where_a_file_has_it() {
    let world = World::new();
    let mail =
        [&b"From a Thu Nov 19 10:00:00 2026\r\n"[..], &written("uuencoded-in-text.eml"), b"\r\n"]
            .concat();
    world.write("m.mbox", [&mail[..], &mail].concat());
    world.run(&["extract", "--to", ".", "m.mbox"]).exits(0);
    assert_eq!(world.read("m (2).mbox/2/cat.txt"), b"Cat");
    let manifest = lines(world.read("manifest.jsonl"));
    assert_eq!(manifest[1]["attachments"][0]["file"], "m (2).mbox/2/cat.txt");
}

#[cfg(unix)]
#[test]
fn an_error_leaves_no_empty_manifest() {
    let world = World::new();
    let mail =
        [&b"From a Thu Nov 19 10:00:00 2026\r\n"[..], &written("uuencoded-in-text.eml"), b"\r\n"]
            .concat();
    world.write("m.mbox", [&mail[..], &mail].concat());
    fs::create_dir(world.path().join("out")).expect("a directory");
    std::os::unix::fs::symlink("/", world.path().join("out/m.mbox")).expect("a link");
    world.run(&["extract", "--to", "out", "m.mbox"]).exits(73);
    assert!(!world.path().join("out/manifest.jsonl").exists());
}

/// The list is the first file that grows too large: no other message can be listed.
#[cfg(target_os = "linux")]
#[test]
fn a_list_that_cannot_be_written_ends_the_run_once() {
    let world = World::new();
    for number in 0..20 {
        world.write(&format!("mail/{number:02}"), written("uuencoded-in-text.eml"));
    }
    let extract = "$SEVENBIT extract --to out --include '[0-9]*' --include none mail";
    let ran = world.shell(&format!("ulimit -f 4; {extract}")).exits(74).says(&[
        "manifest.jsonl: cannot be written",
        " files of ",
        "the same command goes on",
    ]);
    assert_eq!(ran.err.lines().count(), 3, "{}", ran.err);
    let listed = lines(world.read("out/manifest.jsonl")).len();
    assert!((1..20).contains(&listed), "{listed}");

    // It goes on, and the whole list takes the place of its beginning.
    world.shell(extract).exits(0).says(&["20 files of 20 messages", "there already"]);
    assert_eq!(lines(world.read("out/manifest.jsonl")).len(), 20);
    assert!(!world.path().join("out/manifest (2).jsonl").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_system_that_fills_up_is_said_once() {
    let world = World::new();
    for number in 0..20 {
        world.write(&format!("mail/{number:02}"), written("uuencoded-in-text.eml"));
    }
    if world.shell("mkdir out && mount -t tmpfs -o size=16k none out").code != Some(0) {
        println!("no file system can be mounted here: nothing to fill");
        return;
    }
    let ran = world.run(&["extract", "--to", "out", "mail"]);
    world.shell("umount out").exits(0);
    let ran = ran.exits(74).says(&["space", " of ", "the same command goes on"]);
    assert_eq!(ran.err.lines().count(), 3, "{}", ran.err);
}

/// The files of a `winmail.dat` are hidden from no reader any more, and the report says so.
#[test]
fn a_winmail_dat_is_written_as_its_parts() {
    let world = World::new();
    world.write("a.eml", written("winmail.eml"));
    let args = ["normalize", "--tnef", "unpack", "a.eml", "-o", "b.eml", "--report", "r.jsonl"];
    world.run(&args).exits(0);
    let listed = |name: &str| {
        let object = &world.run(&["extract", "--list", "--json", name]).exits(0).json()[0];
        let files = object["attachments"].as_array().expect("files").clone();
        files
            .into_iter()
            .map(|file| (file["name"].clone(), file["octets"].clone()))
            .collect::<Vec<_>>()
    };
    // The message shows text of its own, so that the one that was packed is a file.
    let (packed, stands) = (listed("a.eml"), listed("b.eml"));
    assert_eq!((stands[0].0.as_str(), &stands[1..]), (Some("message.html"), &packed[..]));
    assert!(packed.iter().all(|(_, octets)| octets.is_u64()), "{packed:?}");
    let out = world.read("b.eml");
    assert!(out.is_ascii() && !String::from_utf8_lossy(&out).contains("ms-tnef"));
    let report = String::from_utf8(world.read("r.jsonl")).expect("UTF-8");
    assert!(report.contains("\"tnef-unpacked\"") && report.contains("2 files"), "{report}");
    // Once is enough, and nothing is unpacked that was not asked for.
    world.run(&["normalize", "--tnef", "unpack", "--check", "b.eml"]).exits(0);
    world.run(&["normalize", "a.eml", "-o", "kept.eml"]).exits(0);
    assert!(String::from_utf8_lossy(&world.read("kept.eml")).contains("winmail.dat"));
    // Where mail is replaced, only if a reader sees as much as before.
    world.write("in/a.eml", written("winmail.eml"));
    world.run(&["normalize", "--tnef", "unpack", "--in-place", "in"]).exits(0);
    assert_eq!(world.read("in/a.eml"), out);
}

#[test]
fn a_directory_inside_an_input_is_refused() {
    let world = World::with(&["mail/a.eml"]);
    world.run(&["extract", "--to", "mail/out", "mail"]).exits(64);
    assert_eq!(world.files(), ["mail/a.eml"]);
    world.run_on(&["extract", "--to", "out"], CLEAN).exits(0);
    assert_eq!(world.files(), ["mail/a.eml", "out/manifest.jsonl"]);
}

#[test]
fn a_body_can_be_had_without_quotations_and_without_nul() {
    let world = World::new();
    world
        .write("a.eml", "Subject: Re: tea\r\n\r\nAda wrote:\r\n> Tea?\r\nYes\0.\r\n-- \r\nBob\r\n");
    assert_eq!(
        world.run(&["extract", "--body", "unquoted", "a.eml"]).exits(0).text(),
        "Ada wrote:\nYes\0.\n"
    );
    let replaced = ["extract", "--body", "unquoted", "--nul", "replace", "a.eml"];
    assert_eq!(world.run(&replaced).exits(0).text(), "Ada wrote:\nYes\u{fffd}.\n");
    world
        .run(&["extract", "--to", "out", "--body", "text", "--body", "unquoted", "a.eml"])
        .exits(0);
    assert_eq!(world.read("out/unquoted.txt"), b"Ada wrote:\nYes\0.\n");
    let body = &lines(world.read("out/manifest.jsonl"))[0]["body"];
    assert_eq!((&body[0]["kind"], &body[1]["kind"]), (&"text".into(), &"unquoted".into()));
    assert_eq!(body[1]["file"], "unquoted.txt");
}

#[test]
fn bodies_are_listed_and_each_ends_its_line() {
    let world = World::new();
    world.write("a.eml", "Subject: one\r\n\r\nno line end");
    world.write("b.eml", "Subject: two\r\n\r\ntwo\r\n");
    assert_eq!(
        world.run(&["extract", "--body", "text", "a.eml", "b.eml"]).exits(0).text(),
        "no line end\ntwo\n"
    );
    let listed = world.run(&["extract", "--list", "--body", "text", "a.eml"]).exits(0).text();
    assert_eq!(listed, "a.eml: one\n       11 B  the text\n");
    let object =
        &world.run(&["extract", "--list", "--json", "--body", "text", "a.eml"]).exits(0).json()[0];
    assert_eq!(object["body"], serde_json::json!([{ "kind": "text", "octets": 11 }]));
    let none = world
        .run(&["extract", "--body", "html", "a.eml"])
        .exits(0)
        .says(&["no message has such a body"]);
    assert_eq!(none.text(), "");
}

/// A file that is a `winmail.dat` by itself is read behind a line that says so.
#[test]
fn a_winmail_dat_is_read_by_itself() {
    let world = World::new();
    let mail = written("winmail.eml");
    let message = sevenbit::Message::parse(&mail);
    let tnef = message
        .leaves()
        .find(|part| part.media_type() == "application/ms-tnef")
        .expect("such a part");
    let alone = [b"Content-Type: application/ms-tnef\r\n\r\n", &*tnef.octets()].concat();
    let shown = world.run_on(&["extract", "--list", "-"], &alone).exits(0).text();
    assert!(shown.contains("Grüße.txt") && shown.contains("pixel.png"), "{shown}");
}

/// Files are found by their types, labelled or not, in attached messages too; a message that is
/// asked for itself stays one file.
#[test]
fn files_are_taken_by_type_and_out_of_attached_messages() {
    let world = World::new();
    let message = |subject: &str, parts: &[&str]| {
        let parts: String = parts.iter().map(|part| format!("--{subject}\r\n{part}\r\n")).collect();
        format!(
            "Subject: {subject}\r\nContent-Type: multipart/mixed; boundary={subject}\r\n\r\n\
             {parts}--{subject}--\r\n"
        )
    };
    let file = |kind: &str, name: &str, octets: &str| {
        format!("Content-Type: {kind}; name={name}\r\n\r\n{octets}")
    };
    let attached = |message: &str| format!("Content-Type: message/rfc822\r\n\r\n{message}");
    let pdf = file("application/pdf", "a.pdf", "%PDF-1.7");
    let unlabelled = file("application/octet-stream", "b.bin", "%PDF-1.7");
    let last = message("last", &[&file("image/png", "c.png", "no picture"), &pdf]);
    let inner = message("inner", &[&unlabelled, &attached(&last)]);
    world.write("a.eml", message("outer", &[&attached(&inner), &pdf]));

    for (args, taken) in [
        (&["--type", "application/PDF"][..], &["a (2).pdf", "a.pdf", "b.bin"][..]),
        (&["--type", "image/*", "--type", "text/*"], &["c.png"]),
        (&["--type", "application/pdf", "--attachments", "*.bin"], &["b.bin"]),
        (&["--attachments", "*.pdf"], &["a (2).pdf", "a.pdf"]),
        (&["--attachments", "inner.eml"], &["inner.eml"]),
        (&[], &["a.pdf", "inner.eml"]),
    ] {
        world.run(&[&["extract", "a.eml", "--to", "out"], args].concat()).exits(0);
        let wanted: Vec<_> = taken.iter().map(|name| format!("out/{name}")).collect();
        let files = world
            .files()
            .into_iter()
            .filter(|name| name.starts_with("out/") && !name.ends_with("manifest.jsonl"));
        assert_eq!(files.collect::<Vec<_>>(), wanted, "{args:?}");
        world.shell("rm -r out").exits(0);
    }

    let ran = world.run(&["extract", "--list", "--json", "--type", "image/png", "a.eml"]).exits(0);
    let places: Vec<_> = ran.json().iter().map(|row| row["within"].clone()).collect();
    assert_eq!(places, [serde_json::Value::Null, serde_json::json!(["1", "2"])]);
    let ran = world.run(&["extract", "--list", "--type", "image/png", "a.eml"]).exits(0).text();
    assert!(ran.starts_with("a.eml, part 1, part 2: last\n") && ran.lines().count() == 2);
    world.run(&["extract", "--list", "--type", "pdf", "a.eml"]).exits(64);
}

/// A file that several messages have is written once, and names that differ in case alone are two.
#[test]
fn copies_of_files_are_left_out() {
    let world = World::new();
    for (number, (name, octets)) in
        [("a.bin", "one"), ("b.bin", "one"), ("A.bin", "two")].into_iter().enumerate()
    {
        let mail = format!(
            "From: a@example.org\nContent-Type: application/octet-stream; name={name}\n\
             Content-Disposition: attachment; filename={name}\n\n{octets}\n"
        );
        world.write(&format!("d/{number}.eml"), mail);
    }
    let args = ["extract", "d", "--flat", "--unique", "--to", "out"];
    world.run(&args).exits(0).says(&["2 files of 3 messages; 1 copy left out"]);
    let names = ["out/A (2).bin", "out/a.bin", "out/manifest.jsonl"];
    let written = |world: &World| {
        world.files().into_iter().filter(|name| name.starts_with("out/")).collect::<Vec<_>>()
    };
    assert_eq!(written(&world), names);
    let rows = json_lines(&world.read("out/manifest.jsonl"));
    assert_eq!(rows[1]["attachments"][0]["file"], "a.bin");
    world.run(&args).exits(0).says(&["all there already; 1 copy left out"]);
    assert_eq!(written(&world), names, "done again, nothing is written twice");
}
