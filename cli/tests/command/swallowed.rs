//! No message is swallowed by another: files of many messages that hardly look like it, and files
//! that could be.

use crate::mailboxes::{corpus, mbox};
use crate::support::World;

const HEADER: &str =
    "From: Ann <ann@example.org>\nDate: Thu, 19 Nov 2026 10:00:00 +0000\nSubject: caf\u{e9}\n";

/// Two messages after separators like this one.
fn two(separator: &str) -> String {
    format!("{separator}\n{HEADER}\nOne.\n\n{separator}\n{HEADER}\nTwo, \u{e9}.\n\n")
}

/// Folders of Thunderbird are mailboxes under any name, also on standard input.
#[test]
fn folders_of_thunderbird_are_mailboxes() {
    for file in ["thunderbird.mbox", "thunderbird-no-empty-lines.mbox"] {
        let octets = std::fs::read(corpus().join(file)).expect("a mailbox");
        for name in ["Inbox", "a.mbox", "a.eml", "a.txt", "d/Inbox", "d/a.eml"] {
            let world = World::new();
            world.write(name, &octets);
            assert_eq!(world.run(&["inspect", "--json", name]).exits(0).json().len(), 3, "{name}");
            let directory = name.split_once('/').map_or(".", |(directory, _)| directory);
            world.run(&["normalize", directory, "-o", "out"]).exits(0).says(&["3 messages"]);
            world
                .run(&["normalize", "--in-place", directory])
                .exits(73)
                .says(&["file of many messages"]);
            assert_eq!(world.read(name), octets, "{name}");
        }
        let world = World::new();
        assert_eq!(world.run_on(&["inspect", "--json"], &octets).exits(0).json().len(), 3);
        assert_eq!(
            world.run_on(&["inspect", "--json", "--format", "mbox"], &octets).exits(0).json().len(),
            3
        );
        let out = world.run_on(&["normalize"], &octets).exits(0).text();
        let separators = out.lines().filter(|line| line.trim_end().starts_with("From")).count();
        assert_eq!(separators, 3 + 3, "three separators, three fields: {out}");
    }
}

/// A file that is not surely one message stays as it is with `--in-place`, and the command says so.
#[test]
fn in_place_only_what_is_surely_one_message_is_replaced() {
    let prose = format!(
        "From joe Thu Nov 19 10:00:00 2026\n{HEADER}\nOne \u{e9}.\n\nFrom joe\n{HEADER}\nTwo.\n"
    );
    let patch = format!("From {} Mon Sep 17 00:00:00 2001\n{HEADER}\nOne.\n", "0a".repeat(20));
    for (name, octets) in [
        ("one.txt", format!("From joe Thu Nov 19 10:00:00 2026\n{HEADER}\nOne.\n")),
        ("bare.txt", format!("From \n{HEADER}\nOne.\n")),
        ("0001.patch", patch),
    ] {
        let world = World::new();
        world.write(&format!("d/{name}"), &octets);
        // A dry run says what the run does.
        for options in [&["--in-place"][..], &["--in-place", "-n"]] {
            world
                .run(&[&["normalize", "d"], options].concat())
                .exits(73)
                .says(&["which is not changed in place", "0 messages"]);
        }
        assert_eq!(world.read(&format!("d/{name}")), octets.as_bytes(), "{name}");
    }
    for (name, octets) in [
        ("prose.eml", prose.clone()),
        ("quoted.eml", format!(">{prose}")),
        ("later", format!("{HEADER}\nOne.\n\nFrom joe Thu Nov 19 10:00:00 2026\n{HEADER}\nTwo.\n")),
        ("none.eml", "caf\u{e9}\n".to_owned()),
        ("M/cur/1:2,", prose),
    ] {
        let world = World::new();
        world.write(&format!("d/{name}"), &octets);
        world.shell("if test -d d/M; then mkdir d/M/new d/M/tmp; fi").exits(0);
        for args in [&["--in-place"][..], &["--in-place", "--no-verify"]] {
            let args = [&["normalize", "d", "--report", "r"], args].concat();
            world.run(&args).exits(65).says(&["kept as it was: it ", "1  kept as they were"]);
            assert_eq!(world.read(&format!("d/{name}")), octets.as_bytes(), "{name}");
            assert!(String::from_utf8_lossy(&world.read("r")).contains("\"kept\":\"it "), "{name}");
        }
    }
    let world = World::new();
    world.write(
        "d/a.eml",
        format!("From joe Thu Nov 19 10:00:00 2026\n{HEADER}\nFrom here on, text.\n"),
    );
    world.write("d/b", format!("{HEADER}\nFrom here on\ntext.\n\nFrom then on\n"));
    world.run(&["normalize", "--in-place", "d"]).exits(0).says(&["2  changed"]);
}

/// `--verify` sees a message that may have swallowed another.
#[test]
fn what_may_be_several_does_not_pass_verify() {
    let world = World::new();
    let doubtful = two("From joe");
    world.write("a.eml", &doubtful);
    world.run(&["normalize", "a.eml", "-o", "b.eml"]).exits(0);
    let ran = world
        .run(&["normalize", "--verify", "a.eml"])
        .exits(65)
        .says(&["may hold more than one message"]);
    assert_eq!(ran.out, doubtful.as_bytes());
    assert_eq!(
        world.run_on(&["normalize", "--verify"], doubtful.as_bytes()).exits(65).out,
        ran.out
    );
}

/// The summary counts `From ` lines that may or may not separate, and the report has their places.
#[test]
fn doubtful_separators_are_counted_and_placed() {
    let world = World::new();
    let sure = "From a@example.org Thu Nov 19 10:00:00 2026";
    let text = format!(
        "{sure}\n{HEADER}\nOne.\n\nFrom 10:00 on, text.\n\nFrom joe\n{HEADER}\nTwo.\n\n{sure}\n{HEADER}\n"
    );
    world.write("in.mbox", &text);
    world
        .run(&["normalize", "in.mbox", "-o", "out", "--report", "r"])
        .exits(0)
        .says(&["3 messages", "2  doubtful `From ` lines"]);
    let report = crate::support::json_lines(&world.read("r"));
    let place = |from: &str| text.find(from).expect("it is there");
    assert_eq!(
        report[0]["mailbox"]["doubtful"],
        serde_json::json!([place("From 10:00"), place("From joe")])
    );
    assert_eq!(report[1]["mailbox"].get("doubtful"), None);
    world.write("sure.mbox", mbox(3));
    assert!(
        !world.run(&["normalize", "sure.mbox", "-o", "sure"]).exits(0).err.contains("doubtful")
    );
}
