//! Maildir and Maildir++, read, written, and normalised where they are.
#![cfg(unix)]

use std::fs;
use std::time::{Duration, SystemTime};

use crate::support::{CLEAN, World, json_lines};

/// Not normal: raw Latin-1.
const RAW: &[u8] = b"From: a@example.org\nSubject: Gr\xfc\xdfe\n\nK\xf6ln\n";

fn maildir() -> World {
    let world =
        World::with(&["M/cur/1.host:2,S", "M/tmp/9.host", "M/.Entw&APw-rfe/cur/2.host:2,DS"]);
    world.write("M/new/3.host", RAW);
    world.write("M/.Entw&APw-rfe/new/4.host", RAW);
    world.write("M/dovecot-uidlist", "3 V1");
    world.shell("mkdir -p 'M/.Entw&APw-rfe/tmp'").exits(0);
    world
}

#[test]
fn messages_are_read_and_nothing_else() {
    let world = maildir();
    world.run(&["normalize", "M", "-o", "out", "--report", "r"]).exits(0).says(&["4 messages"]);
    let out: Vec<_> = world.files().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(
        out,
        [
            "out/.Entw&APw-rfe/cur/2.host:2,DS",
            "out/.Entw&APw-rfe/new/4.host",
            "out/cur/1.host:2,S",
            "out/new/3.host"
        ]
    );
    let report = json_lines(&world.read("r"));
    assert_eq!(report[0]["folder"], "Entwürfe");
    assert!(report[2].get("folder").is_none());
    world.shell("test -d out/tmp -a -d out/cur -a -d 'out/.Entw&APw-rfe/tmp'").exits(0);
    assert!(!world.read("out/new/3.host").contains(&b'\r'), "line ends are kept");
}

/// What packs or copies a Maildir leaves empty directories out, and so `tmp`, or `new`.
#[test]
fn a_maildir_without_its_empty_directories_is_read_whole() {
    let world = World::with(&[
        "in/M/cur/1.host:2,S",
        "in/M/.Sent/cur/2.host:2,S",
        "in/M/.New/new/3.host",
        "in/N/cur/4.host:2,S",
    ]);
    world.shell("mkdir -p in/M/.Sent/new in/M/.none in/M/.hidden/x in/N/.plain").exits(0);
    world.write("in/M/.Empty/maildirfolder", "");
    world.write("in/M/.Sent/cur/5.host:2,", "From: a@example.org\nSubject: \u{fc}\n\nx\n");
    for args in [&["--to", "mbox", "-o", "out/"][..], &["-n"], &["-o", "copy"], &["--in-place"]] {
        world
            .run(&[&["normalize", "in"], args].concat())
            .exits(0)
            .says(&["5 messages", "hidden directories"]);
    }
    let folders = [("M", 1), ("M/Sent", 2), ("M/New", 1), ("M/Empty", 0), ("N", 1)];
    for (mailbox, messages) in folders {
        let octets = world.read(&format!("out/{mailbox}.mbox"));
        let count = String::from_utf8_lossy(&octets).matches("\nSubject: ").count();
        assert_eq!(count, messages, "{mailbox}");
    }
}

/// Dovecot can keep folders in plain directories, with a Maildir in each, or a hidden folder where
/// nothing else is a Maildir. Its index is none of the mail, and is counted.
#[test]
fn a_folder_is_found_wherever_it_is() {
    let world = World::with(&[
        "M/cur/1.host:2,S",
        "M/Lists/rust/cur/2.host:2,S",
        "M/.Gone/4.host",
        "N/.Sent/cur/3.host:2,S",
    ]);
    world.write("M/dovecot-uidlist", "3 V1");
    world.shell("for d in M M/Lists/rust N/.Sent; do mkdir -p $d/new $d/tmp; done").exits(0);
    world.run(&["normalize", "M", "N", "-o", "out"]).exits(0).says(&[
        "3 messages",
        "2  skipped: 1 hidden directory, 1 file of a Maildir that is no message",
    ]);
}

#[test]
fn a_mailbox_becomes_a_maildir() {
    let world = World::new();
    let mail = |status: &str| {
        format!("From a Thu Nov 19 10:00:00 2026\nDate: 19 Nov 2026 10:00 +0000\n{status}\nx\n\n")
    };
    world.write("in.mbox", ["Status: RO\nX-Status: AF\n", "Status: O\n", ""].map(mail).concat());
    for _ in 0..2 {
        world
            .run(&["normalize", "in.mbox", "--to", "maildir", "-o", "M"])
            .exits(0)
            .says(&["3 messages"]);
        let names: Vec<_> =
            world.files().into_iter().filter(|name| name.starts_with("M/")).collect();
        assert_eq!(names.len(), 3, "done again, nothing is delivered twice: {names:?}");
        assert_eq!(
            names
                .iter()
                .filter(|name| name.starts_with("M/cur/1795082400.") && name.ends_with(":2,FRS"))
                .count(),
            1
        );
        assert_eq!(names.iter().filter(|name| name.ends_with(".sevenbit:2,")).count(), 1);
        assert_eq!(names.iter().filter(|name| name.starts_with("M/new/")).count(), 1);
    }
}

/// The name of a message and the list beside it say its keywords; a field that came with it, or that
/// an earlier mailbox had, does not.
#[test]
fn the_list_of_keywords_says_what_a_message_has() {
    let world = World::new();
    let mail = |keywords: &str| format!("From: a@example.org\nX-Keywords: {keywords}\n\nx\n");
    for (name, keywords) in
        [("1:2,Sb", "old"), ("2:2,S", "old"), ("3:2,Sa", "old"), ("4:2,Sc", "other")]
    {
        world.write(&format!("M/cur/{name}"), mail(keywords));
    }
    world.shell("mkdir -p M/new M/tmp").exits(0);
    world.write("M/dovecot-keywords", "0 old\n1 new\n");
    let ran = world.run(&["normalize", "M", "--to", "mbox", "-o", "out.mbox"]).exits(0);
    ran.says(&["keywords 1"]);
    let out = String::from_utf8(world.read("out.mbox")).expect("ASCII");
    let found: Vec<_> = out.lines().filter_map(|line| line.strip_prefix("X-Keywords: ")).collect();
    assert_eq!(found, ["new", "old"]);
}

/// Letters of keywords mean what the list of the Maildir says that they are copied to.
#[test]
fn a_maildir_that_is_copied_to_another_keeps_its_keywords() {
    let world = World::new();
    for (maildir, message, list) in [("M", "1:2,Sa", "0 bar\n"), ("out", "2:2,Sa", "0 foo\n")] {
        world.write(&format!("{maildir}/cur/{message}"), CLEAN);
        world.write(&format!("{maildir}/dovecot-keywords"), list);
        world.shell(&format!("mkdir -p {maildir}/new {maildir}/tmp")).exits(0);
    }
    world.run(&["normalize", "M", "-o", "out"]).exits(0);
    assert_eq!(world.read("out/dovecot-keywords"), b"0 foo\n1 bar\n");
    let names = ["out/cur/1:2,Sb", "out/cur/2:2,Sa", "out/dovecot-keywords"];
    assert!(names.iter().all(|name| world.path().join(name).is_file()), "{:?}", world.files());
}

/// Thunderbird keeps each folder as an mbox, and those below it in a directory called `.sbd`.
#[test]
fn mailboxes_in_directories_become_folders() {
    let world = World::new();
    let mail = "From a Thu Nov 19 10:00:00 2026\nFrom: a@example.org\nSubject: x\n\nx\n\n";
    let boxes = ["Inbox", "Sent", "Archive", "Archive.sbd/Entw\u{fc}rfe", "R&D.mbox"];
    boxes.iter().for_each(|name| world.write(&format!("Mail/{name}"), mail));
    world.write("Mail/cards/1.eml", CLEAN);
    world.write("Mail/Old/.Sent/cur/1.host:2,S", CLEAN);
    world.shell("mkdir -p Mail/Old/.Sent/new Mail/Old/.Sent/tmp").exits(0);
    world.shell("tar -C Mail -cf all.tar .").exits(0);
    world.shell("mkdir two && cp -r Mail two/ && cp all.tar two/").exits(0);
    world
        .run(&["normalize", "two", "--to", "maildir", "-o", "two.M"])
        .exits(0)
        .says(&["14 messages"]);
    for folder in [".Mail.Sent/new", ".all.Sent/new", "all/Old/.Sent/cur"] {
        assert!(world.path().join("two.M").join(folder).is_dir(), "{folder}");
    }
    for (input, out) in [("Mail", "M"), ("all.tar", "T")] {
        world
            .run(&["normalize", input, "--to", "maildir", "-o", out, "--report", "r"])
            .exits(0)
            .says(&["7 messages"]);
        let directories: Vec<_> = world
            .files()
            .iter()
            .filter_map(|name| name.strip_prefix(&format!("{out}/")))
            .map(|name| name.rsplit_once('/').map_or("", |at| at.0).to_owned())
            .collect();
        let folders = [
            ".Archive.Entw&APw-rfe/new",
            ".Archive/new",
            ".R&-D/new",
            ".Sent/new",
            ".cards/new",
            "Old/.Sent/cur",
            "new",
        ];
        assert_eq!(directories, folders, "{input}");
        let report = String::from_utf8(world.read("r")).expect("UTF-8");
        assert!(!report.contains("\"folder\"]"), "nothing is missing: {report}");
    }
}

/// `--to mbox` with a directory makes an mbox of each folder, whatever it was, with its flags; its
/// messages may come before and after those of another folder.
#[test]
fn each_folder_becomes_an_mbox() {
    let world = maildir();
    world
        .run(&["normalize", "M", "--to", "mbox", "-o", "out/", "--report", "r"])
        .exits(0)
        .says(&["4 messages"]);
    let below = |world: &World| -> Vec<String> {
        world.files().into_iter().filter(|name| name.starts_with("out/")).collect()
    };
    assert_eq!(below(&world), ["out/Entw\u{fc}rfe.mbox", "out/Inbox.mbox"]);
    let drafts = String::from_utf8(world.read("out/Entw\u{fc}rfe.mbox")).unwrap();
    let has_line = |line: &str| drafts.lines().any(|other| other == line);
    assert!(has_line("Status: RO") && has_line("X-Status: T"), "{drafts}");
    assert_eq!(drafts.lines().filter(|line| line.starts_with("From ")).count(), 2);
    assert!(json_lines(&world.read("r")).iter().all(|row| row.get("not_kept").is_none()));
    // The same again replaces them; one file of all is another command.
    world.run(&["normalize", "M", "--to", "mbox", "-o", "out/"]).exits(0);
    world.run(&["normalize", "M", "--to", "mbox", "-o", "all", "--report", "r"]).exits(0);
    assert_eq!(json_lines(&world.read("r"))[0]["not_kept"][0], "folder");

    let world = World::with(&["T/a/1.eml", "T/a/sub/2.eml", "T/a/z.eml", "T/9.eml"]);
    let mbox = [b"From x@example.org Mon Nov  2 10:00:00 2020\n", CLEAN].concat();
    world.write("T/Archive.sbd/2019.mbox", &mbox);
    world.write("T/v1.2", &mbox);
    world.run(&["normalize", "T", "--to", "mbox", "-o", "out/"]).exits(0).says(&["6 messages"]);
    assert_eq!(
        below(&world),
        [
            "out/Archive/2019.mbox",
            "out/Inbox.mbox",
            "out/a.mbox",
            "out/a/sub.mbox",
            "out/v1.2.mbox"
        ]
    );
    let both = String::from_utf8(world.read("out/a.mbox")).unwrap();
    assert_eq!(both.lines().filter(|line| line.starts_with("From ")).count(), 2);

    // Mail of somebody else at the place of one is not replaced.
    world
        .write("out/a.mbox", [&b"From x@example.org Mon Nov  2 10:00:00 2020\n"[..], RAW].concat());
    let before = world.read("out/a.mbox");
    world
        .run(&["normalize", "T", "--to", "mbox", "-o", "out/"])
        .exits(73)
        .says(&["out/a.mbox", "--force"]);
    assert!(world.read("out/a.mbox") == before);
    world.run(&["normalize", "-n", "T", "--to", "mbox", "-o", "out/"]).exits(73);

    // The name of the only mailbox is that of its mbox.
    world.run(&["normalize", "T/v1.2", "--to", "mbox", "-o", "one/"]).exits(0);
    world.run(&["normalize", "T/v1.2", "--to", "mbox", "-o", "one/"]).exits(0);
    assert!(world.files().contains(&"one/v1.2.mbox".to_owned()), "{:?}", world.files());
}

#[test]
fn in_place_normal_messages_are_not_touched() {
    let world = maildir();
    let old = SystemTime::now() - Duration::from_secs(1_000_000);
    for name in ["M/new/3.host", "M/cur/1.host:2,S"] {
        let file = fs::File::options().write(true).open(world.path().join(name)).expect("a file");
        file.set_modified(old).expect("a time");
    }
    world.shell("chmod 604 M/new/3.host").exits(0);
    let look = "stat -c '%i %a %Y' M/new/3.host 'M/cur/1.host:2,S'";
    let before = world.shell(look).text();
    let files = world.files();
    world
        .run(&["normalize", "--in-place", "M"])
        .exits(0)
        .says(&["2  changed", "2  already normal"]);
    let after = world.shell(look).text();
    let (before, after): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    assert_eq!(before[1], after[1]);
    assert_ne!(before[0].split(' ').next(), after[0].split(' ').next(), "another file");
    assert_eq!(before[0].split_once(' ').map(|at| at.1), after[0].split_once(' ').map(|at| at.1));
    assert_eq!(world.files(), files);
    assert_eq!(world.read("M/tmp/9.host"), CLEAN);
    assert!(world.read("M/new/3.host").is_ascii());
    let inode = world.shell("ls -i M/new M/cur").text();
    world.run(&["normalize", "--in-place", "M"]).exits(0).says(&["0  changed"]);
    assert_eq!(world.shell("ls -i M/new M/cur").text(), inode);
}

#[test]
fn in_place_is_for_trees_of_messages_too_and_not_for_mailboxes() {
    let world = World::with(&["mail/a.eml"]);
    world.write("mail/b.eml", RAW);
    world.write("mail/c.mbox", "From a Thu Nov 19 10:00:00 2026\nA: x\n\n");
    world.write("c.mbox", world.read("mail/c.mbox"));
    let before = world.read("c.mbox");
    world.run(&["normalize", "--in-place", "mail"]).exits(73).says(&["mail/c.mbox", "1  changed"]);
    assert!(world.read("mail/b.eml").is_ascii());
    assert_eq!(world.read("mail/c.mbox"), before);
    world.run(&["normalize", "--in-place", "c.mbox"]).exits(64);
    world.run(&["normalize", "--in-place"]).exits(64);
    world.run(&["normalize", "--in-place", "mail", "-o", "out"]).exits(64);
    world.write("d.eml", RAW);
    world.run(&["normalize", "--in-place", "d.eml"]).exits(0);
    assert!(world.read("d.eml").is_ascii());
}

#[test]
fn two_jobs_and_a_delivery_do_not_harm_each_other() {
    let world = World::new();
    (0..300).for_each(|n| world.write(&format!("M/cur/{n}.host:2,S"), RAW));
    world.shell("mkdir -p M/new M/tmp").exits(0);
    let script = "$SEVENBIT normalize -q --in-place M & a=$!; $SEVENBIT normalize -q --in-place M & b=$!; \
        for n in $(seq 1000 1100); do cp 'M/cur/0.host:2,S' M/tmp/$n.host; mv M/tmp/$n.host M/new/$n.host; done; \
        for n in $(seq 200 290); do mv M/cur/$n.host:2,S M/cur/$n.host:2,FS; done; \
        wait $a; echo $?; wait $b; echo $?";
    let ran = world.shell(script).exits(0);
    let codes = ran.text();
    assert!(
        codes.lines().all(|code| code == "0" || code == "75" || code == "66"),
        "{codes} {}",
        ran.err
    );
    world.run(&["normalize", "--in-place", "M"]).exits(0).says(&["401 messages"]);
    let files = world.files();
    assert_eq!(files.len(), 401, "none lost, none twice, nothing left behind");
    assert!(files.iter().all(|name| world.read(name) == world.read(&files[0])));
}

#[test]
fn a_message_that_would_not_be_the_same_is_never_let_through() {
    let world = maildir();
    world.run(&["normalize", "--in-place", "--quarantine", "odd", "M"]).exits(0);
    assert!(!world.path().join("odd").exists(), "nothing was kept, so nothing is there");
    // Fields with a CR in them are written as fields: they differ for a program that takes the part
    // as it is.
    let odd =
        b"Subject: x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; a\nAct\rion: failed\n";
    world.write("M/cur/5.host:2,", odd);
    let args = ["normalize", "--in-place", "--quarantine", "odd", "--report", "r", "M"];
    let ran = world.run(&args).exits(65);
    ran.says(&[
        "M/cur/5.host:2,: kept as it was: part 1: octets",
        "1  kept as they were",
        "0  changed",
    ]);
    assert_eq!(world.read("M/cur/5.host:2,"), odd);
    let copies: Vec<_> =
        world.files().into_iter().filter(|name| name.starts_with("odd/")).collect();
    assert!(copies.len() == 1 && copies[0].starts_with("odd/5.host:2,-"), "{copies:?}");
    assert_eq!(world.read(&copies[0]), odd);
    let kept = json_lines(&world.read("r")).into_iter().filter(|line| line["kept"].is_string());
    assert_eq!(kept.map(|line| line["changed"].clone()).collect::<Vec<_>>(), [false]);
    world.run(&["normalize", "--in-place", "--no-verify", "M"]).exits(0).says(&["1  changed"]);
}

#[test]
fn a_directory_without_tmp_beside_other_mail_is_a_maildir_only_if_that_is_said() {
    let world = World::with(&["M/cur/1:2,S", "M/new/2", "M/index"]);
    world.run(&["normalize", "M", "-o", "out"]).exits(0).says(&["3 messages"]);
    world
        .run(&["normalize", "--format", "maildir", "M", "-o", "out2"])
        .exits(0)
        .says(&["2 messages"]);
}

#[test]
fn a_file_that_is_not_mail_is_not_made_mail_in_place() {
    let world = World::new();
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    world.write("tree/logo.png", picture);
    world.write("tree/filter.sieve", b"require [\"fileinto\"];\n# gr\xfc\xdfe\n");
    world.write("tree/mail.eml", b"Subject: gr\xfc\xdfe\n\nx\n");
    world
        .run(&["normalize", "--in-place", "tree"])
        .exits(0)
        .says(&["2  files are no mail: a text without a header of mail, an image", "1  changed"]);
    assert_eq!(world.read("tree/logo.png"), picture);
    assert!(world.read("tree/filter.sieve").starts_with(b"require"));
}

/// A server refuses a message whose name says another size than it has.
#[test]
fn names_say_the_sizes_that_messages_have() {
    let sizes = |octets: &[u8]| {
        let ends = octets.iter().filter(|octet| **octet == b'\n').count();
        let bare = ends - octets.windows(2).filter(|pair| pair == b"\r\n").count();
        (octets.len(), octets.len() + bare)
    };
    let world = World::with(&["M/tmp/x"]);
    let (octets, with_crlf) = sizes(RAW);
    let sized = format!("M/cur/1.host,S={octets},W={with_crlf}:2,S");
    world.write(&sized, RAW);
    world.write("M/cur/2.host:2,S", RAW);
    world.shell("mkdir M/new").exits(0);
    fs::hard_link(world.path().join(&sized), world.path().join("M/new/3.host,S=47"))
        .expect("a second name");

    let is_sized = |directory: &str| {
        let names = world.files().into_iter().filter(|name| name.starts_with(directory));
        let names: Vec<_> = names.filter(|name| !name.contains("/tmp/")).collect();
        let (octets, with_crlf) = sizes(&world.read(&format!("{directory}cur/2.host:2,S")));
        let wanted = [
            format!("{directory}cur/1.host,S={octets},W={with_crlf}:2,S"),
            format!("{directory}cur/2.host:2,S"),
            format!("{directory}new/3.host,S={octets}"),
        ];
        assert_eq!(names, wanted);
    };
    world.run(&["normalize", "M", "-o", "out"]).exits(0);
    is_sized("out/");
    world.run(&["normalize", "M", "--to", "tar", "-o", "M.tar"]).exits(0);
    world.shell("mkdir t && tar xf M.tar -C t").exits(0);
    is_sized("t/");
    world.run(&["normalize", "--in-place", "M"]).exits(0);
    is_sized("M/");
    world.run(&["normalize", "--in-place", "M"]).exits(0).says(&["3  already normal"]);
    is_sized("M/");
}

/// A job that is repeated delivers nothing twice, however its input is spelt.
#[test]
fn a_path_spelt_otherwise_makes_no_other_message() {
    let world = World::new();
    world.write("in/a.eml", CLEAN);
    world.write("box", [b"From a@example.org Thu Nov 19 10:00:00 2026\n", CLEAN, b"\n"].concat());
    for input in ["in", "./in", "in/../in", "box", "./box"] {
        world.run(&["normalize", "--to", "maildir", "-o", "M", input]).exits(0);
    }
    assert_eq!(world.shell("ls M/new M/cur | grep -c sevenbit").exits(0).text(), "2\n");
}

/// What a mail program has made of a message that was delivered stays: its place and its flags.
#[test]
fn a_message_that_was_read_meanwhile_is_not_delivered_twice() {
    let world = World::new();
    world.write("box", [b"From a@example.org Thu Nov 19 10:00:00 2026\n", CLEAN, b"\n"].concat());
    world.write("M/cur/1.host:2,", CLEAN);
    world.shell("mkdir M/new M/tmp").exits(0);
    for (input, moves) in [
        ("box", "mv out/new/*.sevenbit \"out/cur/$(basename out/new/*.sevenbit):2,FS\""),
        ("M", "mv out/cur/1.host:2, out/cur/1.host:2,FS"),
    ] {
        world.run(&["normalize", "--to", "maildir", "-o", "out", input]).exits(0);
        world.shell(moves).exits(0);
        world.run(&["normalize", "--to", "maildir", "-o", "out", input]).exits(0);
        assert_eq!(world.shell("ls out/new out/cur | grep -c 'sevenbit\\|host'").text(), "1\n");
        assert_eq!(world.shell("ls out/cur | grep -c ':2,FS'").text(), "1\n");
        world.shell("rm -r out").exits(0);
    }
}

/// Folders without a message are folders in each form, as closed to others as they were.
#[test]
fn empty_and_closed_folders_stay_so() {
    let world = World::with(&["M/cur/1.host:2,S", "M/.Sent/cur/2.host:2,S"]);
    world
        .shell(
            "cd M && for d in . .Sent .Empty .Empty.Deep; do mkdir -p $d/cur $d/new $d/tmp; done \
             && chmod 600 cur/* .Sent/cur/* && chmod 700 .Sent .Empty",
        )
        .exits(0);
    let folders = "find . -type d -name cur | sort | tr '\\n' ' '";
    let all = "./.Empty.Deep/cur ./.Empty/cur ./.Sent/cur ./cur ";

    world.run(&["normalize", "M", "-o", "same"]).exits(0);
    assert_eq!(world.shell(&format!("cd same && {folders}")).text(), all);
    let modes =
        "stat -c %a same same/.Sent same/.Sent/cur same/.Empty same/.Empty.Deep | tr '\\n' ' '";
    assert_eq!(world.shell(modes).text(), "755 700 755 700 755 ");

    world.run(&["normalize", "M", "--to", "mbox", "-o", "boxes/"]).exits(0);
    let sizes = "cd boxes && stat -c '%n %a %s' Empty.mbox Empty/Deep.mbox | tr '\\n' ' '";
    assert_eq!(world.shell(sizes).text(), "Empty.mbox 600 0 Empty/Deep.mbox 644 0 ");
    world.run(&["normalize", "boxes", "--to", "maildir", "-o", "back"]).exits(0);
    assert_eq!(world.shell(&format!("cd back && {folders}")).text(), all);

    // One of Thunderbird has an index beside it.
    world.write("T/Trash.msf", "// <!-- <mdb:mork:z v=\"1.4\"/> -->\n");
    world.write("T/Trash", "");
    world.write("T/notes", "");
    world.write("T/Inbox", [b"From a@example.org Thu Nov 19 10:00:00 2026\n", CLEAN].concat());
    world.run(&["normalize", "T", "--to", "maildir", "-o", "of-t"]).exits(0);
    world.shell("test -d of-t/.Trash/cur -a ! -e of-t/.notes").exits(0);

    world.run(&["normalize", "M", "--to", "mbox", "-o", "one.mbox"]).exits(0);
    assert_eq!(world.shell("stat -c %a one.mbox boxes/Inbox.mbox").text(), "600\n600\n");

    world.run(&["normalize", "M", "--to", "mbox", "-o", "some/", "--since", "2001-01-01"]).exits(0);
    assert!(!world.files().iter().any(|name| name.contains("Deep.mbox") && name.contains("some")));
}

/// Two folders of one name would become one.
#[test]
fn folders_of_two_inputs_are_not_mixed() {
    let world = World::with(&["M/cur/1.host:2,S", "N/cur/2.host:2,S", "d/a.eml", "e/a.eml"]);
    world.shell("mkdir M/new M/tmp N/new N/tmp").exits(0);
    let mbox = [b"From a@example.org Thu Nov 19 10:00:00 2026\n", CLEAN, b"\n"].concat();
    for (one, other) in [("M", "N"), ("p", "q")] {
        world.write("p/Inbox", &mbox);
        world.write("q/Inbox", &mbox);
        for to in ["mbox", "maildir"] {
            let args = ["normalize", "--to", to, one, other, "-o", "out/"];
            world.run(&args).exits(73).says(&["would have the same name"]);
        }
    }
    // Messages are not folders.
    world.run(&["normalize", "--to", "mbox", "d", "e", "-o", "out/"]).exits(0);
}

/// Messages of a mailbox from which some are gone, and to which some are new, are no other messages.
#[test]
fn a_mailbox_that_was_shifted_is_delivered_once_more() {
    let world = World::new();
    let message = |id: &str| String::from_utf8_lossy(CLEAN).replace("<1@", &format!("<{id}@"));
    let mailbox = |ids: &[&str]| -> String {
        let one = |id: &&str| format!("From a@b Thu Nov 19 10:00:00 2026\n{}\n", message(id));
        ids.iter().map(one).collect()
    };
    let delivered = || world.shell("cat out/new/* | grep -ci '^message-id:'").text();
    world.write("box", mailbox(&["1", "2", "2", "3"]));
    let args = ["normalize", "--to", "maildir", "-o", "out", "box"];
    world.run(&args).exits(0);
    world.run(&args).exits(0);
    assert_eq!(delivered(), "4\n");
    world.write("box", mailbox(&["2", "3", "4"]));
    world.run(&args).exits(0);
    assert_eq!(delivered(), "5\n");
    assert_eq!(world.shell("grep -l '<1@' out/new/* | wc -l").text(), "1\n");
}
