//! Directories and several inputs.

use crate::support::{CLEAN, World, json_lines};

#[test]
fn every_regular_file_counts_and_hidden_ones_do_not() {
    let world = World::with(&[
        "mail/a.eml",
        "mail/1",
        "mail/cur/1234.host:2,S",
        "mail/deep/er/notes.TXT",
        "mail/.hidden",
        "mail/.git/config",
        "mail/deep/.sevenbit-x",
    ]);
    world.run(&["normalize", "mail", "-o", "out"]).exits(0);
    let out: Vec<String> =
        world.files().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(out, ["out/1", "out/a.eml", "out/cur/1234.host:2,S", "out/deep/er/notes.TXT"]);
    assert_eq!(world.read("out/deep/er/notes.TXT"), CLEAN);
}

#[cfg(unix)]
#[test]
fn links_in_a_directory_are_skipped_and_named_ones_followed() {
    let world = World::with(&["mail/a", "else/b"]);
    world
        .shell("ln -s ../else/b mail/link; ln -s ../mail mail/loop; ln -s mail named; mkfifo mail/pipe")
        .exits(0);
    world
        .run(&["normalize", "named", "-o", "out"])
        .exits(0)
        .says(&["1 message", "skipped: 2 links, 1 neither file nor directory"]);
    assert_eq!(world.read("out/a"), CLEAN);
    assert!(!world.files().contains(&"out/link".to_owned()));
    assert_eq!(world.run(&["normalize", "mail/link"]).exits(0).out, CLEAN);
}

#[test]
fn the_report_names_each_input_by_its_path() {
    let world = World::with(&["mail/b", "mail/a/c", "mail/d"]);
    world.run(&["normalize", "mail/", "-o", "out", "--report", "r.jsonl"]).exits(0);
    let inputs: Vec<String> = json_lines(&world.read("r.jsonl"))
        .iter()
        .map(|line| line["input"].as_str().expect("a string").to_owned())
        .collect();
    assert_eq!(inputs, ["mail/a/c", "mail/b", "mail/d"]);
}

#[test]
fn several_inputs_go_to_one_directory() {
    let world = World::with(&["a.eml", "x/b.eml", "mail/c/d.eml"]);
    world.run(&["normalize", "a.eml", "x/b.eml", "mail", "-o", "out/new"]).exits(0);
    let out: Vec<String> =
        world.files().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(out, ["out/new/a.eml", "out/new/b.eml", "out/new/c/d.eml"]);
}

#[test]
fn one_bad_file_does_not_stop_the_rest() {
    let world = World::with(&["a.eml", "b.eml"]);
    world
        .run(&["normalize", "none", "a.eml", "gone", "b.eml", "-o", "out"])
        .exits(66)
        .says(&["none: ", "gone: "]);
    assert_eq!(
        (world.read("out/a.eml"), world.read("out/b.eml")),
        (CLEAN.to_vec(), CLEAN.to_vec())
    );
    let ran = world.run(&["inspect", "--json", "none", "a.eml", "b.eml"]).exits(66);
    assert_eq!(ran.json().len(), 2);
}

#[test]
fn an_output_that_is_in_the_way_does_not_stop_the_rest() {
    let world = World::with(&["mail/a", "mail/b/c", "mail/d", "out/a/x", "out/b"]);
    let ran = world.run(&["normalize", "mail", "-o", "out"]).exits(73);
    ran.says(&["out/a: ", "out/b", "2  failed"]);
    assert_eq!(world.files(), ["mail/a", "mail/b/c", "mail/d", "out/a/x", "out/b", "out/d"]);
}

#[test]
fn the_worst_status_counts() {
    let world = World::with(&["a.eml", "b.eml", "out/b.eml/x"]);
    world.run(&["normalize", "none", "b.eml", "a.eml", "-o", "out"]).exits(73);
    world.run(&["normalize", "b.eml", "none", "a.eml", "-o", "out"]).exits(73);
}

#[test]
fn an_output_directory_that_is_a_file_is_73() {
    let world = World::with(&["mail/a", "file"]);
    world.run(&["normalize", "mail", "-o", "file"]).exits(73).says(&["file"]);
    assert_eq!(world.read("file"), CLEAN);
}

#[test]
fn a_person_reads_a_summary_unless_it_is_quiet() {
    let world = World::with(&["mail/a", "mail/b", "c"]);
    for args in [
        &["normalize", "mail", "-o", "out"][..],
        &["normalize", "c", "mail/a", "none", "-o", "out"],
    ] {
        let ran =
            world.run(args).says(&["2 messages", "2  already normal", "0  changed", "failed"]);
        assert!(ran.out.is_empty());
    }
    world.run(&["normalize", "--check", "mail"]).exits(0).says(&["2 messages", "would change"]);
    assert_eq!(world.run(&["normalize", "--quiet", "mail", "-o", "out"]).exits(0).err, "");
    assert_eq!(world.run(&["normalize", "c", "-o", "d"]).exits(0).err, "", "one file needs none");
    world.run(&["normalize", "-q", "none", "mail", "-o", "out"]).exits(66).says(&["none"]);
}

#[test]
fn an_empty_directory_is_not_an_error() {
    let world = World::with(&["mail/.hidden"]);
    world.run(&["normalize", "mail", "-o", "out", "--report", "r"]).exits(0).says(&["0 messages"]);
    assert_eq!(world.read("r"), b"");
}

/// Two inputs that would have one name in the output are refused before anything is written.
#[test]
fn inputs_of_one_name_are_refused() {
    let world = World::with(&["a/x.eml", "b/x.eml", "b/sub/x.eml", "c/y.eml"]);
    for args in [
        &["a", "b", "-o", "out"][..],
        &["a/x.eml", "b/x.eml", "-o", "out"],
        &["a", "b/x.eml", "-o", "out"],
        &["a", "b", "--to", "tar", "-o", "out"],
    ] {
        world
            .run(&[&["normalize"], args].concat())
            .exits(73)
            .says(&["would have the same name in the output as "]);
        assert!(!world.path().join("out").exists(), "{args:?}");
    }
    world.run(&["normalize", "a", "c", "b/sub", "--exclude", "x.eml", "-o", "out"]).exits(0);
    world
        .run(&["normalize", "a", "b", "--to", "maildir", "-o", "M"])
        .exits(0)
        .says(&["3 messages"]);
}
