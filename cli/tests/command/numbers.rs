//! The number of a message in a file of many: one for reports, messages and `explain`.
#![cfg(unix)]

use serde_json::Value;

use crate::explain::held;
use crate::support::{CLEAN, World, json_lines};
use crate::zips::{gz, tar, zip};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01";

/// A message that is not normal, of this subject.
fn message(subject: &str) -> Vec<u8> {
    format!("From: a@example.org\nSubject: \u{fc} {subject}\n\nx\n").into_bytes()
}

fn mbox(subjects: &[&str]) -> Vec<u8> {
    let date = b"From a@example.org Thu Nov 19 10:00:00 2026\n";
    subjects.iter().flat_map(|subject| [date, &message(subject)[..], b"\n"].concat()).collect()
}

/// The number in `small.zip: message 7, a.eml`, in each line that has one.
fn numbers_in(text: &str, file: &str) -> Vec<u64> {
    let begin = format!("{file}: message ");
    let numbers = text.lines().filter_map(|line| line.strip_prefix(&begin));
    numbers.map(|rest| rest.split(',').next().unwrap().parse().expect("a number")).collect()
}

#[test]
fn a_message_has_one_number_everywhere() {
    let inner = zip(&[("p.png", PNG), ("x.eml", &message("x")), ("q.png", PNG)]);
    let members: &[(&str, &[u8])] = &[
        ("a.png", PNG),
        ("b.eml", &message("b")),
        ("c.png.gz", &gz(PNG)),
        ("d.mbox", &mbox(&["d1", "d2"])),
        ("e.png", PNG),
        (".hidden", b"x"),
        ("f.zip", &inner),
        ("g.mbox.gz", &gz(&mbox(&["g1", "g2"]))),
        ("h.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        ("i.eml.gz", &gz(&message("i"))),
    ];
    let of_members = ["b", "d1", "d2", "x", "g1", "g2", "i"].map(|name| format!("\u{fc} {name}"));
    let of_mbox = ["a", "b", "c"].map(|name| format!("\u{fc} {name}"));
    let of_store = ["Grüße", "日本語", "third"].map(str::to_owned);
    let store = include_bytes!("../../../tests/files/store.pst");
    let files: [(&str, Vec<u8>, &[String]); 6] = [
        ("in.mbox", mbox(&["a", "b", "c"]), &of_mbox),
        ("in.mbox.gz", gz(&mbox(&["a", "b", "c"])), &of_mbox),
        ("in.zip", zip(members), &of_members),
        ("in.tar", tar(members), &of_members),
        ("in.tar.gz", gz(&tar(members)), &of_members),
        ("small.pst", store.to_vec(), &of_store),
    ];

    for (file, octets, subjects) in files {
        let world = World::new();
        world.write(file, octets);
        let all: Vec<u64> = (1..=subjects.len() as u64).collect();

        let inspected = world.run(&["inspect", "--json", file]).json();
        let is_mail = |row: &&Value| row.get("kind").is_none();
        let mail: Vec<&Value> = inspected.iter().filter(is_mail).collect();
        let numbers = |rows: &[&Value]| -> Vec<u64> {
            rows.iter().map(|row| row["mailbox"]["number"].as_u64().expect("a number")).collect()
        };
        assert_eq!(numbers(&mail), all, "{file}");
        assert_eq!(numbers_in(&world.run(&["inspect", file]).text(), file), all, "{file}");

        let checked = world.run(&["normalize", "--check", "--report", "r", file]).text();
        let report = json_lines(&world.read("r"));
        let is_read = |row: &&Value| row.get("error").is_none() && row.get("kept").is_none();
        let (read, others): (Vec<&Value>, Vec<&Value>) = report.iter().partition(is_read);
        assert_eq!(numbers(&read), all, "{file}");
        for row in others {
            assert!(row["mailbox"].get("number").is_none(), "{file}: {row}");
        }
        let mut said = numbers_in(&checked, file);
        said.dedup();
        if !file.ends_with("pst") {
            assert_eq!(said, all, "{file}: {checked}");
        }

        for (number, row) in all.iter().zip(mail) {
            let subject = &subjects[*number as usize - 1];
            let page = world.run(&["explain", file, "--message", &number.to_string()]).text();
            let explained = held(&page)["facts"]["subject"].clone();
            assert_eq!(explained, row["subject"], "{file}: message {number}");
            assert_eq!(explained, subject.as_str(), "{file}: message {number}");
            is_chosen_by(&world, file, &number.to_string(), subject);
        }
    }
}

/// Asserts that each command takes this message alone if its number is asked for.
fn is_chosen_by(world: &World, file: &str, number: &str, subject: &str) {
    let asked = ["--message", number, file];
    let inspected = world.run(&[&["inspect", "--json"][..], &asked].concat()).json();
    let listed = world.run(&[&["extract", "--list", "--json"][..], &asked].concat()).json();
    for rows in [inspected, listed] {
        let rows: Vec<&Value> = rows.iter().filter(|row| row.get("kind").is_none()).collect();
        assert_eq!(rows.len(), 1, "{file}: message {number}");
        assert_eq!(rows[0]["subject"], subject, "{file}: message {number}");
    }

    let directory = format!("one-{number}");
    let to = ["normalize", "--to", "eml", "-o", &directory];
    world.run(&[&to[..], &asked].concat());
    let prefix = format!("{directory}/");
    let written: Vec<String> =
        world.files().into_iter().filter(|name| name.starts_with(&prefix)).collect();
    assert_eq!(written.len(), 1, "{file}: message {number}: {written:?}");
    let subjects = world.run(&["inspect", "--header", "Subject", &written[0]]).text();
    assert_eq!(subjects.trim_end(), subject, "{file}: message {number}");
}

#[test]
fn a_number_that_no_message_has_is_an_error() {
    let world = World::new();
    world.write("in.mbox", mbox(&["a", "b"]));
    for command in ["inspect", "explain", "normalize"] {
        let ran = world.run(&[command, "--message", "3", "in.mbox"]).exits(66);
        ran.says(&["in.mbox: has 2 messages, and no number 3"]);
    }
    world.run(&["inspect", "--message", "0", "in.mbox"]).exits(64);
    // They are counted over all inputs.
    let ran =
        world.run(&["inspect", "--header", "Subject", "--message", "3", "in.mbox", "in.mbox"]);
    assert_eq!(ran.exits(0).text(), "\u{fc} a\n");
}

#[test]
fn what_cannot_be_read_in_an_archive_hides_no_message_from_explain() {
    let world = World::new();
    let broken: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
    world.write("in.zip", zip(&[("a.msg", broken), ("b.eml", &message("b"))]));
    let ran = world.run(&["explain", "in.zip", "--message", "1"]).exits(65);
    assert_eq!(held(&ran.text())["facts"]["subject"], "\u{fc} b");
    ran.says(&["in.zip: a.msg: "]);

    world.write("only.zip", zip(&[("a.msg", broken), ("b.png", PNG), ("c.eml", b"x")]));
    world.run(&["explain", "only.zip", "--message", "2"]).exits(66).says(&["no number 2"]);
}

/// One message that is asked for is a file by itself, if the output is named like one.
#[test]
fn one_message_is_written_by_itself() {
    let world = World::new();
    let message = |id: u8| String::from_utf8_lossy(CLEAN).replace("<1@", &format!("<{id}@"));
    let mailbox: String =
        (1..4).map(|id| format!("From a@b Mon Nov  2 10:00:00 2020\n{}\n", message(id))).collect();
    world.write("in/a.mbox", mailbox);
    let second = ["normalize", "--message", "2", "in/a.mbox"];
    for args in [&["-o", "m.eml"][..], &["--to", "eml", "-o", "m.eml", "--force"]] {
        world.run(&[&second[..], args].concat()).exits(0);
        assert_eq!(String::from_utf8_lossy(&world.read("m.eml")), message(2), "{args:?}");
    }
    let ran = world.run(&[&second[..], &["--to", "eml"]].concat()).exits(0);
    assert_eq!(String::from_utf8_lossy(&ran.out), message(2));
    world.run(&["normalize", "--message", "3", "in", "-o", "n.eml"]).exits(0);
    assert_eq!(String::from_utf8_lossy(&world.read("n.eml")), message(3));
}
