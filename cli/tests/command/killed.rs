//! Jobs that are killed at random moments: finished work stays, everything else is untouched, and
//! `--resume` produces the octets of an uninterrupted run.
//!
//! Each test kills `SEVENBIT_KILLS` times (a few if that is not set), at moments drawn with
//! `SEVENBIT_SEED` from the whole duration of the job; every third time politely (`SIGINT`,
//! `SIGTERM`), otherwise with `SIGKILL`.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{World, binary};

/// How many kills a test does by default.
const FEW: u64 = 3;

/// A number from the environment.
fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Numbers at random, the same ones for the same seed (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % below
    }
}

/// Not normal, and not quick: some work for each message.
pub fn message(number: usize) -> Vec<u8> {
    let head = format!(
        "From: a@example.org\nSubject: Nummer {number}\nMessage-ID: <{number}@example.org>\n"
    );
    let mime = "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n";
    [head.as_bytes(), mime.as_bytes(), &b"Gr\xfc\xdfe aus K\xf6ln.\n".repeat(100 + number % 100)]
        .concat()
}

/// An mbox of such messages.
pub fn mbox(count: usize) -> Vec<u8> {
    let date = b"From a@example.org Thu Nov 19 10:00:00 2026\n";
    (0..count).flat_map(|number| [date, &message(number)[..], b"\n"].concat()).collect()
}

/// Every file that is not hidden below `directory`, and its content.
pub fn contents(world: &World, directory: &str) -> BTreeMap<String, Vec<u8>> {
    let names = world.files().into_iter().filter(|name| !name.contains("/."));
    let inside = names.filter_map(|name| Some(name.strip_prefix(directory)?.to_owned()));
    inside.map(|name| (name.clone(), world.read(&format!("{directory}{name}")))).collect()
}

/// A job, and the world in which it runs and is killed.
pub struct Victim<'a> {
    pub world: &'a World,
    pub args: &'a [&'a str],
    /// How long it takes.
    length: Duration,
    dice: Dice,
    kills: u64,
}

impl<'a> Victim<'a> {
    /// A job that takes `length` when it is not killed.
    pub fn new(world: &'a World, args: &'a [&'a str], length: Duration) -> Self {
        let seed = asked("SEVENBIT_SEED").unwrap_or(1);
        Self { world, args, length, dice: Dice(seed), kills: 0 }
    }

    /// Starts the job and kills it at a random moment; returns whether it was still running.
    pub fn kill(&mut self) -> bool {
        let mut command = Command::new(binary());
        command.current_dir(self.world.path()).args(self.args);
        let mut child =
            command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        let micros = u64::try_from(self.length.as_micros()).expect("it is not that long");
        sleep(Duration::from_micros(self.dice.roll(micros)));
        let running = child.try_wait().expect("a child").is_none();
        if running {
            self.kills += 1;
            self.send(&child);
        }
        child.wait().expect("it ends");
        running
    }

    fn send(&mut self, child: &Child) {
        let signal = ["KILL", "INT", "KILL", "KILL", "TERM", "KILL"][self.dice.roll(6) as usize];
        let sent =
            Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
    }

    /// Kills as often as requested; calls `after` following each kill, and `end` once a job that
    /// was resumed after one to four of them has finished.
    pub fn die(&mut self, mut after: impl FnMut(&World), mut end: impl FnMut(&World)) {
        let most = asked("SEVENBIT_KILLS").unwrap_or(FEW);
        let mut ends = 0;
        while self.kills < most {
            for _ in 0..=self.dice.roll(4) {
                self.kill();
                after(self.world);
            }
            self.world.run(self.args).exits(0);
            end(self.world);
            ends += 1;
        }
        println!("{:?}: {} kills, {ends} ends, all the same", self.args, self.kills);
    }
}

/// Returns how long it takes.
fn timed(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}

/// Kills a job from one file to another, with a report.
fn kill_file_job(world: &World, args: &[&str]) {
    let whole = [&["normalize", "--report", "expected-report", "-o", "expected"], args].concat();
    let length = timed(|| _ = world.run(&whole).exits(0));
    let args = [&["normalize", "--resume", "--report", "report", "-o", "out"], args].concat();
    let files = world.files();
    let is_whole = |world: &World| world.read("out") == world.read("expected");
    Victim::new(world, &args, length).die(
        |world| {
            assert!(
                !world.path().join("out").exists() || is_whole(world),
                "half an output has a name"
            )
        },
        |world| {
            assert!(is_whole(world), "not the same octets");
            assert!(world.read("report") == world.read("expected-report"), "not the same report");
            world.shell("rm out report").exits(0);
            assert_eq!(world.files(), files, "something stays behind");
        },
    );
}

#[test]
fn a_mailbox_job_comes_to_the_same_end() {
    let world = World::new();
    world.write("in", mbox(2000));
    for jobs in ["1", "2"] {
        kill_file_job(&world, &["in", "--jobs", jobs]);
    }
}

#[test]
fn a_tar_job_comes_to_the_same_end() {
    let world = World::new();
    world.write("in.mbox", mbox(2000));
    world
        .run(&["normalize", "--profile", "transport", "in.mbox", "--to", "tar", "-o", "in"])
        .exits(0);
    for jobs in ["1", "2"] {
        kill_file_job(&world, &["in", "--jobs", jobs]);
    }
}

#[test]
fn a_packed_output_begins_again() {
    let world = World::new();
    world.write("in", mbox(2000));
    let length = timed(|| _ = world.run(&["normalize", "in", "-o", "expected.gz"]).exits(0));
    Victim::new(&world, &["normalize", "--resume", "in", "-o", "out.gz"], length).die(
        |world| {
            assert!(
                !world.path().join("out.gz").exists()
                    || world.read("out.gz") == world.read("expected.gz")
            )
        },
        |world| {
            assert!(world.read("out.gz") == world.read("expected.gz"));
            world.shell("rm out.gz; rm -f .sevenbit-*").exits(0);
            assert_eq!(world.files(), ["expected.gz", "in"]);
        },
    );
}

/// Kills a job that fills a directory.
fn kill_directory_job(world: &World, args: &[&str]) {
    let length =
        timed(|| _ = world.run(&[&["normalize", "-o", "expected"], args].concat()).exits(0));
    let expected = contents(world, "expected/");
    let args = [&["normalize", "--resume", "-o", "out"], args].concat();
    Victim::new(world, &args, length).die(
        |world| {
            let wrong = contents(world, "out/")
                .into_iter()
                .find(|(name, octets)| expected[name] != *octets);
            assert!(wrong.is_none(), "{} is half-written", wrong.expect("one").0);
        },
        |world| {
            assert!(contents(world, "out/") == expected, "not the same messages");
            world.shell("rm -r out").exits(0);
        },
    );
    world.shell("rm -r expected").exits(0);
}

#[test]
fn a_directory_job_comes_to_the_same_end() {
    let world = World::new();
    (0..400).for_each(|number| {
        world.write(&format!("in/{:02}/{number}", number % 20), message(number))
    });
    world.write("in/x.mbox", mbox(300));
    for jobs in ["1", "2"] {
        kill_directory_job(&world, &["in", "--jobs", jobs]);
    }
}

#[test]
fn a_job_into_a_maildir_delivers_each_message_once() {
    let world = World::new();
    world.write("in", mbox(400));
    kill_directory_job(&world, &["in", "--to", "maildir", "--jobs", "2"]);
}

#[test]
fn a_maildir_changed_in_place_loses_nothing() {
    let world = World::new();
    (0..300).for_each(|number| world.write(&format!("M/cur/{number}.host:2,S"), message(number)));
    world.shell("mkdir M/new M/tmp; cp -r M original; cp -r M expected").exits(0);
    let length = timed(|| _ = world.run(&["normalize", "--in-place", "expected"]).exits(0));
    let (original, expected) =
        (contents(&world, "original/cur/"), contents(&world, "expected/cur/"));
    for jobs in ["1", "2"] {
        Victim::new(&world, &["normalize", "--in-place", "M", "--jobs", jobs], length).die(
            |world| {
                let found = contents(world, "M/cur/");
                assert!(found.keys().eq(expected.keys()), "{} messages", found.len());
                let known = |(name, octets): (&String, &Vec<u8>)| {
                    [&original[name], &expected[name]].contains(&octets)
                };
                assert!(found.iter().all(known), "neither as it was nor as it becomes");
            },
            |world| {
                assert!(contents(world, "M/cur/") == expected, "not the same messages");
                world.shell("rm -r M; cp -r original M").exits(0);
            },
        );
    }
}
