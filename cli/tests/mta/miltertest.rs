//! OpenDKIM's miltertest, another author's version of an MTA, drives the milter by the scripts
//! beside this file.

use std::path::Path;
use std::process::Command;

use super::support::{Filter, has};

fn run(script: &str, options: &[&str]) {
    if !has("miltertest") {
        return;
    }
    let milter = Filter::milter(options);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mta").join(script);
    let ran = Command::new("miltertest")
        .arg("-s")
        .arg(path)
        .arg("-D")
        .arg(format!("socket={}", milter.place))
        .output()
        .expect("it runs");
    let said = [ran.stdout, ran.stderr].concat();
    assert!(ran.status.success(), "{script}: {}\n{}", String::from_utf8_lossy(&said), milter.log());
}

#[test]
fn header_and_body_change_in_order() {
    run("changes.lua", &[]);
}

#[test]
fn several_messages_and_aborts_on_one_connection() {
    run("aborts.lua", &[]);
}

#[test]
fn messages_that_end_early_after_each_stage() {
    run("stages.lua", &[]);
}

#[test]
fn too_large_messages_are_deferred() {
    run("limits.lua", &["--max-message", "1k", "--on-too-large", "tempfail"]);
}

#[test]
fn skipped_octets_are_not_lost() {
    run("skip.lua", &["--max-message", "1k", "--on-too-large", "accept"]);
}
