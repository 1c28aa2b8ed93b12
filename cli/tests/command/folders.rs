//! Stores of Outlook. `tests/files/store.pst` is made by the writer of small stores in
//! `crates/outlook`: two messages in `In/box`, one in `Ältere` below that, and one there whose data
//! is missing.

use crate::support::{World, json_lines};

fn world() -> World {
    let world = World::new();
    world.write("small.pst", include_bytes!("../../../tests/files/store.pst"));
    world
}

fn below(world: &World, directory: &str) -> Vec<String> {
    let mut names: Vec<_> =
        world.files().into_iter().filter(|name| name.starts_with(directory)).collect();
    names.sort();
    names
}

#[test]
fn each_folder_becomes_an_mbox_under_its_own_path() {
    let world = world();
    world
        .run(&["normalize", "small.pst", "-o", "out", "--report", "r"])
        .exits(65)
        .says(&["small.pst: In_box/Ältere: node 200064", "3 messages"]);
    assert_eq!(
        below(&world, "out/"),
        ["out/small.pst/In_box.mbox", "out/small.pst/In_box/Ältere.mbox"]
    );

    let inbox = String::from_utf8(world.read("out/small.pst/In_box.mbox")).unwrap();
    assert_eq!(inbox.lines().filter(|line| line.starts_with("From ")).count(), 2);
    assert!(inbox.is_ascii() && !inbox.contains('\r'));
    assert!(inbox.contains("\nSubject: =?utf-8?B?5pel5pys6Kqe?=\n"), "{inbox}");
    let report = json_lines(&world.read("r"));
    assert_eq!(report[2]["mailbox"]["name"], "In_box/Ältere");
    assert_eq!(report[2]["mailbox"]["number"], 3);
}

#[test]
fn a_store_goes_into_files_maildirs_and_archives() {
    let world = world();
    world.run(&["normalize", "small.pst", "--to", "eml", "-o", "eml"]).exits(65);
    let files = ["In_box/000001.eml", "In_box/000002.eml", "In_box/Ältere/000001.eml"];
    assert_eq!(below(&world, "eml/"), files.map(|name| format!("eml/small.pst/{name}")));

    world.run(&["normalize", "small.pst", "--to", "maildir", "-o", "M"]).exits(65);
    let names = below(&world, "M/");
    let starts = ["M/.In_box.&AMQ-ltere/", "M/.In_box/", "M/.In_box/"];
    assert!(
        names.len() == 3 && names.iter().zip(starts).all(|(name, start)| name.starts_with(start)),
        "{names:?}"
    );

    world.run(&["normalize", "small.pst", "--to", "tar", "-o", "all.tar"]).exits(65);
    let list = world.shell("tar tf all.tar").exits(0).text();
    assert!(list.contains("small.pst/In_box/000001.eml"), "{list}");
}

#[test]
fn a_store_is_never_changed_in_place() {
    let world = world();
    world.run(&["normalize", "--in-place", "small.pst"]).exits(64);
    let ran = world.run(&["normalize", "--in-place", "."]).exits(73).says(&["1  failed"]);
    assert_eq!(ran.err.matches("not changed in place").count(), 1, "{}", ran.err);
    assert_eq!(world.read("small.pst"), include_bytes!("../../../tests/files/store.pst"));
}

#[test]
fn a_store_needs_a_directory_and_a_version_that_is_known() {
    let world = world();
    world.run(&["normalize", "small.pst"]).exits(64).says(&["a store of Outlook needs `-o DIR`"]);
    let mut octets = include_bytes!("../../../tests/files/store.pst").to_vec();
    octets[10] = 37;
    world.write("new.pst", &octets);
    world
        .run(&["normalize", "new.pst", "-o", "out"])
        .exits(65)
        .says(&["Windows Information Protection"]);
}
