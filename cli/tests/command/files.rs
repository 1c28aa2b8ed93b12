//! What the command says of the files in `tests/files`. The other front ends are held to the same
//! table.

use std::fs;

use serde_json::Value;

use crate::support::{PROJECT, World, json_lines};

/// An answer of the table.
struct Expected {
    name: String,
    subjects: Vec<String>,
    folders: Vec<String>,
    no_mail: Vec<String>,
    errors: usize,
}

fn texts(value: &Value) -> Vec<String> {
    let texts = value.as_array().into_iter().flatten();
    texts.map(|text| text.as_str().expect("a text").to_owned()).collect()
}

fn table() -> Vec<Expected> {
    let table = fs::read(format!("{PROJECT}/tests/files/table.json")).expect("the table");
    let table: Vec<Value> = serde_json::from_slice(&table).expect("JSON");
    let row = |row: &Value| Expected {
        name: row["name"].as_str().expect("a name").to_owned(),
        subjects: texts(&row["subjects"]),
        folders: texts(&row["folders"]),
        no_mail: texts(&row["no_mail"]),
        errors: row["errors"].as_u64().expect("a number") as usize,
    };
    table.iter().map(row).collect()
}

#[test]
fn every_file_has_the_answer_of_the_table() {
    let mut names: Vec<_> = fs::read_dir(format!("{PROJECT}/tests/files"))
        .expect("the files")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|name| name != "table.json")
        .collect();
    names.sort();
    let mut known: Vec<_> = table().into_iter().map(|expected| expected.name).collect();
    known.sort();
    assert_eq!(known, names);

    for expected in table() {
        let world = World::new();
        let octets = fs::read(format!("{PROJECT}/tests/files/{}", expected.name)).expect("a file");
        world.write(&format!("d/{}", expected.name), octets);
        let name = &expected.name;

        let code = if expected.errors > 0 { 65 } else { 0 };
        world.run(&["normalize", "d", "-o", "out", "--to", "eml", "--report", "r"]).exits(code);
        let shown = world.run(&["inspect", "--json", "d"]);
        let shown: Vec<Value> =
            json_lines(&shown.out).into_iter().filter(|row| row.get("subject").is_some()).collect();
        let subjects: Vec<_> = shown
            .iter()
            .map(|row| row["subject"].as_str().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(subjects, expected.subjects, "{name}");
        if !expected.folders.is_empty() {
            let folders: Vec<_> = shown
                .iter()
                .map(|row| row["mailbox"]["name"].as_str().unwrap_or_default().to_owned())
                .collect();
            assert_eq!(folders, expected.folders, "{name}");
        }

        let report = json_lines(&world.read("r"));
        let mut no_mail: Vec<_> = report
            .iter()
            .filter(|row| row["kept"] == "no mail")
            .map(|row| row["kind"].as_str().expect("a kind").to_owned())
            .collect();
        no_mail.sort();
        assert_eq!(no_mail, expected.no_mail, "{name}");
        let is_error = |row: &&Value| {
            row.get("error").is_some() || row["kept"].is_string() && row["kept"] != "no mail"
        };
        assert_eq!(report.iter().filter(is_error).count(), expected.errors, "{name}");

        let written = world.files().into_iter().filter(|name| name.starts_with("out/")).count();
        assert_eq!(written, expected.subjects.len(), "{name}");
    }
}

/// The charset of a text that does not say it is in the report, alone and in an archive.
#[test]
#[cfg(feature = "outlook")]
fn the_charsets_of_outlook_are_in_the_report() {
    let world = World::new();
    let msg = fs::read(format!("{PROJECT}/tests/files/japanese.msg")).expect("a file");
    world.write("a.msg", msg);
    world.shell("tar -cf a.tar a.msg").exits(0);
    for input in ["a.msg", "a.tar"] {
        world.run(&["normalize", input, "--check", "--report", "r"]);
        let row = &json_lines(&world.read("r"))[0];
        assert_eq!(row["charsets"][0]["charset"], "Windows-31J", "{input}");
        assert_eq!(row["charsets"][0]["by"], "the code page of the message's locale", "{input}");
    }
}

/// Writes the files of the table that are messages of Outlook: `cargo test --test command
/// make_files -- --ignored`.
#[test]
#[ignore = "writes tests/files"]
fn make_files() {
    use crate::kinds::outlook::{Msg, kinds, wide};

    let mut msg = Msg::default();
    msg.add(0x001a, kinds::TEXT, wide("IPM.Note"));
    msg.add(0x0037, kinds::OCTETS8, b"\x93\xfa\x96\x7b\x8c\xea".to_vec());
    msg.add(0x1000, kinds::OCTETS8, b"\x83\x5c".to_vec());
    msg.add(0x3ff1, 3, 0x0411u32.to_le_bytes().to_vec());
    fs::write(format!("{PROJECT}/tests/files/japanese.msg"), msg.octets()).expect("a file");
}

/// A message that cannot be written has its line in the report.
#[test]
fn what_is_not_written_is_in_the_report() {
    let world = World::new();
    world.write("a.eml", "Subject: a\r\n\r\na\r\n");
    world.run(&["normalize", "a.eml", "-o", "missing/b.eml", "--report", "r"]).exits(73);
    let report = json_lines(&world.read("r"));
    assert_eq!(report.len(), 1, "{report:?}");
    assert_eq!(report[0]["input"], "a.eml");
    assert!(report[0]["error"].is_string(), "{report:?}");
}
