//! Invalid command lines: status 64, a reason, and nothing done.

use std::fs;
use std::path::Path;

use crate::support::{CLEAN, PROJECT, World};

#[test]
fn nonsense_is_a_usage_error() {
    let world = World::with(&["a.eml", "b.eml", "mail/c.eml"]);
    let before = world.files();
    for args in [
        &[][..],
        &["normalise"],
        &["normalize", "--what"],
        &["normalize", "--profile", "other", "a.eml"],
        &["normalize", "--signed", "maybe", "a.eml"],
        &["normalize", "--unlabelled", "maybe", "a.eml"],
        &["normalize", "--report"],
        &["normalize", "--max-depth", "-1", "a.eml"],
        &["normalize", "--max-parts", "many", "a.eml"],
        &["normalize", "mail"],
        &["normalize", "mail", "-o", "-"],
        &["normalize", "a.eml", "b.eml"],
        &["normalize", "-", "-", "-o", "out"],
        &["normalize", "-", "a.eml", "-o", "out"],
        &["normalize", "-o", "mail"],
        &["normalize", "-", "-o", "new/"],
        &["normalize", "--report", "-"],
        &["normalize", "--report", "-", "a.eml"],
        &["inspect", "--what"],
        &["inspect", "-", "-"],
        &["header"],
        &["header", "recode"],
        &["mailbox-name"],
        &["mailbox-name", "encode", "--lenient"],
    ] {
        let ran = world.run_on(args, CLEAN);
        assert_eq!(ran.code, Some(64), "{args:?}: {}", ran.err);
        assert!(!ran.err.is_empty(), "{args:?} gives no reason");
        assert!(
            args.is_empty() || args.len() == 1 || ran.err.starts_with("sevenbit: "),
            "{}",
            ran.err
        );
        assert!(ran.out.is_empty(), "{args:?} prints {}", ran.text());
    }
    assert_eq!(world.files(), before);
}

#[test]
fn help_and_version_are_not_errors() {
    let world = World::new();
    for command in
        [&[][..], &["normalize"], &["inspect"], &["header", "decode"], &["mailbox-name", "encode"]]
    {
        let help = world.run(&[command, &["--help"]].concat()).exits(0);
        assert!(help.text().contains("Example"), "{command:?} has no example");
    }
    let help = world.run(&["--help"]).text();
    assert!(help.contains("  pages "), "{help}");
    // The exit statuses of the help are those of the page.
    let page = fs::read_to_string(Path::new(PROJECT).join("docs/cli.md")).expect("docs/cli.md");
    let listed = page.split("## Exit statuses").nth(1).and_then(|rest| rest.split("\n## ").next());
    let statuses = help.split("Exit status:\n").nth(1).expect("exit statuses");
    for line in listed.expect("a section").lines() {
        if let Some((status, _)) = line.strip_prefix("- **").and_then(|line| line.split_once("**:"))
        {
            assert!(statuses.contains(&format!("  {status} ")), "{status}: {statuses}");
        }
    }
    assert!(statuses.contains("an INPUT is no mail"), "{statuses}");
    assert!(world.run(&["--version"]).exits(0).text().starts_with("sevenbit "));
}

#[test]
fn a_quiet_check_has_only_its_status() {
    let world = World::with(&["a.eml"]);
    world.write("b.eml", b"Subject: caf\xe9\r\n\r\nx\r\n");
    for (args, code) in [(&["a.eml"][..], 0), (&["b.eml"], 1), (&["."], 1)] {
        let ran = world.run(&[&["normalize", "-q", "--check"], args].concat()).exits(code);
        assert_eq!((ran.text().as_str(), ran.err.as_str()), ("", ""), "{args:?}");
    }
    assert_eq!(
        world.run(&["normalize", "-q", "--check", "b.eml", "--report", "-"]).exits(1).json().len(),
        1
    );
}

#[test]
fn colour_is_for_terminals_or_on_request() {
    let world = World::with(&["a.eml"]);
    for args in [&["inspect", "a.eml"][..], &["normalize", ".", "-o", "../none/x"], &["--help"]] {
        let ran = world.run(args);
        assert!(!ran.text().contains('\x1b') && !ran.err.contains('\x1b'), "{args:?}");
    }
    assert!(world.run(&["inspect", "--color", "always", "a.eml"]).exits(0).text().contains('\x1b'));
}

/// Options want codes, so the command lists them.
#[test]
fn a_wrong_code_is_answered_with_where_they_are_listed() {
    let world = World::with(&["a.eml"]);
    world
        .run(&["normalize", "--check", "--issue", "charset-gessed", "a.eml"])
        .exits(64)
        .says(&["there is no code `charset-gessed`", "sevenbit pages codes"]);
    let codes = world.run(&["pages", "codes"]).exits(0).text();
    let found = codes.lines().find(|line| line.starts_with("charset-guessed "));
    assert!(found.is_some_and(|line| line.contains("repair  B7")), "{codes}");
    assert_eq!(codes.lines().count(), sevenbit::Code::ALL.len());
}

/// What was meant is done by another option, or another command.
#[test]
fn an_option_that_does_not_fit_is_answered_with_one_that_does() {
    let world = World::with(&["d/a.eml"]);
    let goes_on = "the same command with '--in-place' alone goes on";
    for (args, tip) in [
        (&["normalize", "--in-place", "--resume", "d"][..], goes_on),
        (&["normalize", "--resume", "--in-place", "d"], goes_on),
        (&["explain", "--text", "d/a.eml"], "`sevenbit inspect --text` prints the text"),
        (&["explain", "d/a.eml", "--text"], "`sevenbit inspect --text` prints the text"),
    ] {
        world.run(args).exits(64).says(&[tip]);
    }
    world.run(&["explain", "d/a.eml"]).exits(0);
}

/// A name of a file of many messages is not that of a directory.
#[test]
fn a_directory_is_not_named_like_a_mailbox_by_mistake() {
    let world = World::with(&["d/a.eml", "a.eml"]);
    for input in ["d", "a.eml"] {
        world.run(&["normalize", input, "-o", "o.mbox"]).exits(64).says(&["`--to mbox` makes one"]);
        world.run(&["normalize", input, "-o", "o.tar.gz"]).exits(64).says(&["`--to tar`"]);
    }
    world.run(&["normalize", "d", "-o", "o.mbox/"]).exits(0);
}
