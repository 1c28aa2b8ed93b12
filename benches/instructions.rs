//! The cost of each operation, in instructions: the same in every run, so that a rule cannot cost a
//! quarter unseen.
//!
//! `cargo bench --bench instructions` counts with callgrind and compares with
//! `benches/instructions.txt`; the exit status is 1 if anything costs over 5 % more. `-- --keep`
//! writes the file: with a release, or in the commit that says why. Other compilers and processors
//! count otherwise: the file names those that it is of.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, hint};

use sevenbit::{Message, Normalizer, Profile};
use support::callgrind;
use support::mail::{eightbit, mixed};

/// Messages of each kind.
const MESSAGES: usize = 120;
/// How much more than the kept number an operation may cost.
const MOST: f64 = 1.05;

type Operation = fn(&[u8]) -> usize;

const OPERATIONS: [(&str, Operation); 4] = [
    ("plan", |message| Normalizer::new().plan(message).report().issues().len()),
    ("transport", |message| {
        Normalizer::new().profile(Profile::Transport).normalize(message).octets().len()
    }),
    ("archive", |message| Normalizer::new().normalize(message).octets().len()),
    ("view", |message| {
        Message::parse(message).leaves().map(|leaf| leaf.text().map_or(0, |text| text.len())).sum()
    }),
];

/// The kinds of mail: as it comes, with 8-bit octets, and already in normal form.
fn kinds() -> [(&'static str, Vec<Vec<u8>>); 3] {
    let clean = |index| Normalizer::new().normalize(&eightbit(index)).into_octets().into_owned();
    [
        ("mixed", (0..MESSAGES).map(mixed).collect()),
        ("8-bit", (0..MESSAGES).map(eightbit).collect()),
        ("clean", (0..MESSAGES).map(clean).collect()),
    ]
}

fn main() -> ExitCode {
    let is_given = |option: &str| env::args().any(|argument| argument == option);
    if is_given("--count") {
        count();
        return ExitCode::SUCCESS;
    }
    if !is_given("--bench") {
        return ExitCode::SUCCESS; // built and started by `cargo test`: nothing to measure
    }
    let Some(counts) = callgrind::counts("instructions::measured", &["--count"]) else {
        println!("valgrind --tool=callgrind gave no counts: nothing is compared");
        return ExitCode::SUCCESS;
    };
    compare(&counts, is_given("--keep"))
}

/// The one function whose instructions are counted.
#[inline(never)]
fn measured(operation: Operation, messages: &[Vec<u8>]) -> usize {
    messages.iter().map(|message| operation(message)).sum()
}

/// Runs under callgrind, which writes one count for each call of `measured`.
fn count() {
    for (_, messages) in kinds() {
        for (_, operation) in OPERATIONS {
            hint::black_box(measured(operation, &messages));
        }
    }
}

/// Prints the instructions of a message beside the kept ones, or keeps them.
fn compare(counts: &[u64], keep: bool) -> ExitCode {
    let kept = fs::read_to_string(kept_at()).unwrap_or_default();
    let kept_of = |name: &str| -> Option<u64> {
        kept.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
    };
    let names = kinds()
        .into_iter()
        .flat_map(|(kind, _)| OPERATIONS.map(|(name, _)| format!("{name}, {kind}:")));
    let mut written = format!("# Instructions a message, {}\n", compiler());
    let mut dearer = 0;
    println!("| operation, mail | instructions a message | kept | ratio |\n|---|---:|---:|---:|");
    for (name, count) in names.zip(counts) {
        let each = count / MESSAGES as u64;
        let ratio = kept_of(&name).map(|kept| each as f64 / kept as f64);
        dearer += usize::from(ratio.is_some_and(|ratio| ratio > MOST));
        let (before, ratio) = (kept_of(&name).unwrap_or_default(), ratio.unwrap_or(f64::NAN));
        println!("| {} | {each} | {before} | {ratio:.3} |", name.trim_end_matches(':'));
        let _ = writeln!(written, "{name} {each}");
    }
    if keep {
        fs::write(kept_at(), written).expect("the numbers written");
        return ExitCode::SUCCESS;
    }
    println!("\n{dearer} of {} cost over 5 % more", counts.len());
    if dearer == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn kept_at() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.txt")
}

/// The version of the compiler, which the numbers depend on.
fn compiler() -> String {
    let version = Command::new("rustc").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!("{}, {}", version.unwrap_or_default(), env::consts::ARCH)
}
