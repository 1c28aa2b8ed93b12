//! Jobs that are killed, run out of space, or whose input changes: what is finished stays finished, everything
//! else untouched, and `--resume` comes to the same end.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::{World, binary};

/// Not normal, and not quick: some work for each message.
fn message(number: usize) -> Vec<u8> {
    let head = format!("From: a@example.org\nSubject: Nummer {number}\nMessage-ID: <{number}@example.org>\n");
    let mime = "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n";
    [head.as_bytes(), mime.as_bytes(), &b"Gr\xfc\xdfe aus K\xf6ln.\n".repeat(100 + number % 100)].concat()
}

fn mbox(count: usize) -> Vec<u8> {
    let date = b"From a@example.org Thu Nov 19 10:00:00 2026\n";
    (0..count).flat_map(|number| [date, &message(number)[..], b"\n"].concat()).collect()
}

/// Runs the command and kills it at a random moment; whether it was still running.
fn killed(world: &World, args: &[&str], within: u64) -> bool {
    let mut command = Command::new(binary());
    command
        .current_dir(world.path())
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("it runs");
    sleep(Duration::from_micros(RandomState::new().hash_one(0) % (within * 1000)));
    let running = child.try_wait().expect("a child").is_none();
    let _ = child.kill();
    child.wait().expect("it ends");
    running
}

/// Every file that is not hidden, and what it holds.
fn contents(world: &World, directory: &str) -> BTreeMap<String, Vec<u8>> {
    let names = world.files().into_iter().filter(|name| name.starts_with(directory) && !name.contains("/."));
    names.map(|name| (name.clone(), world.read(&name))).collect()
}

#[test]
fn a_mailbox_job_killed_anywhere_comes_to_the_same_end() {
    let world = World::new();
    world.write("in.mbox", mbox(6000));
    world.run(&["normalize", "in.mbox", "-o", "expected", "--report", "r0"]).exits(0);
    let (mut kills, mut ends) = (0, 0);
    let args = ["normalize", "--resume", "in.mbox", "-o", "out", "--report", "r", "--jobs", "2"];
    while kills < 100 {
        if killed(&world, &args, 900) {
            kills += 1;
            assert!(!world.path().join("out").exists() || world.read("out") == world.read("expected"));
        }
        if kills % 5 == 0 {
            world.run(&args).exits(0);
            assert!(world.read("out") == world.read("expected"), "not the same octets after {kills} kills");
            assert!(world.read("r") == world.read("r0"), "nor the same report");
            assert_eq!(world.files(), ["expected", "in.mbox", "out", "r", "r0"]);
            std::fs::remove_file(world.path().join("out")).expect("it is there");
            ends += 1;
        }
    }
    println!("{kills} kills, {ends} ends");
}

#[test]
fn a_directory_job_killed_anywhere_comes_to_the_same_end() {
    let world = World::new();
    (0..600).for_each(|number| world.write(&format!("in/{:02}/{number}", number % 20), message(number)));
    world.write("in/x.mbox", mbox(300));
    world.run(&["normalize", "in", "-o", "expected"]).exits(0);
    let expected: BTreeMap<_, _> = contents(&world, "expected/")
        .into_iter()
        .map(|(name, octets)| (name.replace("expected/", "out/"), octets))
        .collect();
    let args = ["normalize", "--resume", "in", "-o", "out"];
    let mut kill = 0;
    while kill < 50 {
        kill += u32::from(killed(&world, &args, 150));
        for (name, octets) in contents(&world, "out/") {
            assert!(expected[&name] == octets, "{name} is half-written after {kill} kills");
        }
        if kill % 5 == 0 {
            world.run(&args).exits(0);
            assert!(contents(&world, "out/") == expected, "not the same after {kill} kills");
            std::fs::remove_dir_all(world.path().join("out")).expect("it is there");
        }
    }
    println!("{kill} kills");
}

#[test]
fn a_maildir_killed_anywhere_loses_nothing() {
    let world = World::new();
    (0..200).for_each(|number| world.write(&format!("M/cur/{number}.host:2,S"), message(number)));
    world.shell("mkdir M/new M/tmp; cp -r M original; cp -r M expected").exits(0);
    world.run(&["normalize", "--in-place", "expected"]).exits(0).says(&["200  changed"]);
    let (original, expected) = (contents(&world, "original/cur/"), contents(&world, "expected/cur/"));
    let mut kill = 0;
    while kill < 50 {
        kill += u32::from(killed(&world, &["normalize", "--in-place", "M"], 200));
        let found = contents(&world, "M/cur/");
        assert_eq!(found.len(), 200, "after {kill} kills");
        for (name, octets) in &found {
            let at = |root: &str| name.replacen('M', root, 1);
            let known = [&original[&at("original")], &expected[&at("expected")]];
            assert!(known.contains(&octets), "{name} after {kill} kills");
        }
        if kill % 10 == 0 {
            world.run(&["normalize", "--in-place", "M"]).exits(0);
            assert!(contents(&world, "M/cur/").values().eq(expected.values()));
            world.shell("rm -r M; cp -r original M").exits(0);
        }
    }
    println!("{kill} kills");
}

#[test]
fn with_nothing_begun_or_all_done_it_is_no_error() {
    let world = World::new();
    world.write("in.mbox", mbox(10));
    for _ in 0..3 {
        world.run(&["normalize", "--resume", "in.mbox", "-o", "out"]).exits(0).says(&["10 messages"]);
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
    for _ in 0..100 {
        killed(&world, &args, 400);
        if world.files().iter().any(|name| name.ends_with("-journal")) {
            break;
        }
    }
    world.run(&["normalize", "--resume", "--profile", "transport", "in.mbox", "-o", "out"]).exits(0);
    assert!(world.read("out") == world.read("expected"));
}

#[test]
fn a_full_disk_leaves_what_is_done_and_it_goes_on_later() {
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
    world.shell("ulimit -f 1; $SEVENBIT normalize --in-place M").exits(74).says(&["20  failed", "too large"]);
    assert!(contents(&world, "M/") == before);
    assert_eq!(world.files().len(), 20, "nothing in tmp");
}

#[test]
fn a_small_file_system_that_fills_up_is_told() {
    let world = World::new();
    world.write("in.mbox", mbox(3000));
    let mounted = world.shell("mkdir small && mount -t tmpfs -o size=1m none small");
    if mounted.code != Some(0) {
        println!("no file system can be mounted here: nothing to fill");
        return;
    }
    let ran = world.run(&["normalize", "in.mbox", "-o", "small/out"]);
    let resumed = world.shell("mount -o remount,size=64m small").code == Some(0);
    let again = resumed.then(|| world.run(&["normalize", "--resume", "in.mbox", "-o", "small/out"]));
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
fn files_that_vanish_or_change_are_told_and_the_rest_is_done() {
    let world = World::new();
    (0..400).for_each(|number| world.write(&format!("in/{number:03}"), message(number)));
    let script =
        "$SEVENBIT normalize -q in -o out & p=$!; for n in $(seq 399 -1 300); do rm -f in/$n; done; wait $p";
    let ran = world.shell(script);
    assert!(matches!(ran.code, Some(0 | 66 | 75)), "{:?}: {}", ran.code, ran.err);
    (0..300).for_each(|number| assert!(!world.read(&format!("out/{number:03}")).is_empty()));
    world.write("in.mbox", mbox(5000));
    let script = "$SEVENBIT normalize -q in.mbox -o o.mbox & p=$!; sleep 0.05; echo x >> in.mbox; wait $p";
    let ran = world.shell(script);
    assert!(ran.code == Some(0) || ran.code == Some(75) && ran.err.contains("changed while"), "{ran:?}");
}
