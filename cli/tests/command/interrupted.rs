//! Jobs that run out of space, whose input is truncated or changes, or that are not the interrupted
//! ones: finished work stays, everything else is untouched. `killed.rs` has those that are killed.
#![cfg(target_os = "linux")]

use std::time::Duration;

use crate::killed::{Victim, contents, mbox, message};
use crate::support::World;

#[test]
fn resuming_a_missing_or_finished_job_is_not_an_error() {
    let world = World::new();
    world.write("in.mbox", mbox(10));
    for _ in 0..3 {
        world
            .run(&["normalize", "--resume", "in.mbox", "-o", "out"])
            .exits(0)
            .says(&["10 messages"]);
        assert_eq!(world.files(), ["in.mbox", "out"]);
    }
    world.run(&["normalize", "--resume", "in.mbox"]).exits(64);
}

#[test]
fn another_job_does_not_go_on_with_it() {
    let world = World::new();
    world.write("in.mbox", mbox(4000));
    world.run(&["normalize", "--profile", "transport", "in.mbox", "-o", "expected"]).exits(0);
    let args = ["normalize", "--resume", "in.mbox", "-o", "out"];
    let mut victim = Victim::new(&world, &args, Duration::from_millis(400));
    for _ in 0..100 {
        victim.kill();
        if world.files().iter().any(|name| name.ends_with("-journal")) {
            break;
        }
    }
    world
        .run(&["normalize", "--resume", "--profile", "transport", "in.mbox", "-o", "out"])
        .exits(0);
    assert!(world.read("out") == world.read("expected"));
}

#[test]
fn a_full_disk_keeps_finished_work_and_the_job_resumes() {
    let world = World::new();
    world.write("in.mbox", mbox(3000));
    world.run(&["normalize", "in.mbox", "-o", "expected"]).exits(0);
    let ran = world.shell("ulimit -f 2000; $SEVENBIT normalize --jobs 2 in.mbox -o out").exits(74);
    ran.says(&["out: ", "too large", "--resume"]);
    assert!(!world.path().join("out").exists());
    world.run(&["normalize", "--resume", "in.mbox", "-o", "out"]).exits(0);
    assert!(world.read("out") == world.read("expected"));
    assert_eq!(world.files(), ["expected", "in.mbox", "out"]);
}

#[test]
fn a_maildir_on_a_full_disk_stays_whole() {
    let world = World::new();
    (0..20).for_each(|number| world.write(&format!("M/cur/{number}:2,"), message(number)));
    world.shell("mkdir M/new M/tmp").exits(0);
    let before = contents(&world, "M/");
    world
        .shell("ulimit -f 1; $SEVENBIT normalize --in-place M")
        .exits(74)
        .says(&["20  failed", "too large"]);
    assert!(contents(&world, "M/") == before);
    assert_eq!(world.files().len(), 20, "nothing in tmp");
}

#[test]
fn a_small_file_system_that_fills_up_is_reported() {
    let world = World::new();
    world.write("in.mbox", mbox(3000));
    let mounted = world.shell("mkdir small && mount -t tmpfs -o size=1m none small");
    if mounted.code != Some(0) {
        println!("no file system can be mounted here: nothing to fill");
        return;
    }
    let ran = world.run(&["normalize", "in.mbox", "-o", "small/out"]);
    let resumed = world.shell("mount -o remount,size=64m small").code == Some(0);
    let again =
        resumed.then(|| world.run(&["normalize", "--resume", "in.mbox", "-o", "small/out"]));
    let same = world.run(&["normalize", "in.mbox"]).out;
    let out = std::fs::read(world.path().join("small/out"));
    world.shell("umount small").exits(0);
    ran.exits(74).says(&["small/out", "space"]);
    if let Some(again) = again {
        again.exits(0);
        assert!(out.expect("an output") == same);
    }
}

#[test]
fn files_that_vanish_or_change_are_reported_and_the_rest_is_done() {
    let world = World::new();
    (0..400).for_each(|number| world.write(&format!("in/{number:03}"), message(number)));
    let script = "$SEVENBIT normalize -q in -o out & p=$!; for n in $(seq 399 -1 300); do rm -f in/$n; done; wait $p";
    let ran = world.shell(script);
    assert!(matches!(ran.code, Some(0 | 66 | 75)), "{:?}: {}", ran.code, ran.err);
    (0..300).for_each(|number| assert!(!world.read(&format!("out/{number:03}")).is_empty()));
    world.write("in.mbox", mbox(5000));
    let script =
        "$SEVENBIT normalize -q in.mbox -o o.mbox & p=$!; sleep 0.05; echo x >> in.mbox; wait $p";
    let ran = world.shell(script);
    assert!(
        ran.code == Some(0) || ran.code == Some(75) && ran.err.contains("changed while"),
        "{ran:?}"
    );
}

#[test]
fn inputs_that_have_vanished_are_reported() {
    let world = World::new();
    (0..300).for_each(|number| world.write(&format!("in/{number:03}"), message(number)));
    let args = ["normalize", "--resume", "in", "-o", "out"];
    let mut victim = Victim::new(&world, &args, Duration::from_millis(300));
    while !world.path().join("out/.sevenbit-journal").exists() {
        victim.kill();
    }
    let journal = String::from_utf8(world.read("out/.sevenbit-journal")).expect("JSON");
    let last = journal
        .split("\"last\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("a name");
    std::fs::remove_file(world.path().join(last)).expect("it was there");
    world.run(&args).exits(75).says(&["the inputs have changed since"]);
    world.run(&["normalize", "in", "-o", "out"]).exits(0).says(&["299 messages"]);
}

/// Whoever stops the command reads how to go on.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_job_says_how_to_continue() {
    let world = World::new();
    world.write("in.mbox", mbox(2000));
    let stopped = |options: &str| {
        let slow = "(cat in.mbox; sleep 3) > f & timeout -s TERM 1 $SEVENBIT normalize";
        world.shell(&format!("rm -f f; mkfifo f; {slow} {options} - < f; wait"))
    };
    stopped("-o out").says(&["sevenbit: stopped: ", "`--resume`"]);
    assert_eq!(stopped("--quiet -o out").err, "");
}
