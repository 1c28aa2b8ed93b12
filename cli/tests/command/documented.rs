//! The commands in docs/cli.md and `--help` work as pasted.
#![cfg(unix)]

use std::path::Path;

use crate::support::{PROJECT, World};

/// A directory with the samples that docs/cli.md makes, in which `sevenbit` is the command.
fn samples() -> World {
    let world = World::new();
    world.shell(&format!("ln -s {}/corpus corpus", PROJECT)).exits(0);
    let [samples, _] = archive_blocks();
    world.shell(&samples).exits(0);
    world
}

/// The blocks of shell in the section on archives of docs/cli.md: one makes samples, one shows the
/// command.
fn archive_blocks() -> [String; 2] {
    let page = Path::new(PROJECT).join("docs/cli.md");
    let page = std::fs::read_to_string(page).expect("a page about the command");
    let section = page.split("## Archives").nth(1).expect("a section on archives");
    let section = section.split("\n## ").next().expect("its end");
    let blocks: Vec<String> = section
        .split("```sh\n")
        .skip(1)
        .filter_map(|block| Some(block.split_once("```")?.0.to_owned()))
        .collect();
    blocks.try_into().expect("two blocks of shell")
}

/// Runs each line of a script; returns the exit status.
fn paste(world: &World, line: &str) -> Option<i32> {
    let ran = world.shell(&format!("sevenbit() {{ \"$SEVENBIT\" \"$@\"; }}; {line}"));
    println!("{line}\n{}{}", ran.text(), ran.err);
    ran.code
}

#[test]
fn the_commands_for_beginners_work_as_pasted() {
    for page in ["start.md", "questions.md"] {
        let world = samples();
        let text = Path::new(PROJECT).join("docs").join(page);
        let text = std::fs::read_to_string(text).expect("a page");
        let blocks: Vec<&str> =
            text.split("```sh\n").skip(1).filter_map(|block| block.split("```").next()).collect();
        assert!(!blocks.is_empty());
        for line in blocks.iter().flat_map(|block| block.lines()) {
            let expected = if line.contains("--check") { 1 } else { 0 };
            assert_eq!(paste(&world, line), Some(expected), "{page}: {line}");
        }
    }
}

/// Every document is in the book.
#[test]
fn the_book_has_every_page() {
    let docs = Path::new(PROJECT).join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("a summary");
    for entry in std::fs::read_dir(&docs).expect("docs") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        let is_page = name.ends_with(".md") && name != "SUMMARY.md";
        assert!(!is_page || summary.contains(&format!("({name})")), "{name}");
    }
}

/// The exit status of an example: there is mail that would change, and none in doubt.
fn expected(line: &str) -> i32 {
    i32::from(line.contains("--check") && !line.contains("--issue doubt"))
}

#[test]
fn the_section_on_archives_works_as_pasted() {
    let world = samples();
    let [_, shown] = archive_blocks();
    let lines: Vec<&str> = shown.lines().filter(|line| line.starts_with("sevenbit")).collect();
    assert!(lines.len() >= 3, "{shown}");
    for line in lines {
        assert_eq!(paste(&world, line), Some(expected(line)), "{line}");
    }
    assert!(
        world.path().join("normalized.mbox").is_file()
            && world.path().join("report.jsonl").is_file()
    );
}

#[test]
fn the_examples_of_the_help_work() {
    for (args, least) in [
        (&["--help"][..], 5),
        (&["normalize", "--help"], 5),
        (&["inspect", "--help"], 1),
        (&["explain", "--help"], 3),
    ] {
        let world = samples();
        world
            .shell("gunzip -k archive.mbox.gz; cp $(ls mail/*.eml | head -1) in.eml; cp in.eml message.eml")
            .exits(0);
        let help = world.run(args).exits(0).text();
        let shown = help.split("Example").nth(1).expect("examples");
        let lines: Vec<&str> =
            shown.lines().map(str::trim).filter(|line| line.contains("sevenbit ")).collect();
        assert!(lines.len() >= least, "{help}");
        for line in lines {
            assert_eq!(paste(&world, line), Some(expected(line)), "{line}");
        }
    }
}
