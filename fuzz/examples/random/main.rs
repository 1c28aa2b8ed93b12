//! The laws over mutated messages, for machines without a nightly compiler: the same on every run
//! with one seed.
//!
//! `cargo run --profile fuzz --package sevenbit-fuzz --example random -- [--seed N] [--seconds N]
//! [--inputs N] [--target NAME]`
//!
//! Inputs that make the library report a new set of codes are mutated further. Inputs that break a
//! law are minimised, written to `artifacts/` and listed at the end, with exit status 1.

mod mutate;

use std::collections::HashSet;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

use mutate::{Mutator, Random};
use sevenbit::{Code, Normalizer, Profile};
use sevenbit_fuzz::{TARGETS, check_by, inputs};

/// How many inputs are kept for each target beyond those of the corpus, and how long one may grow.
const MAX_INPUTS: usize = 4000;
const MAX_OCTETS: usize = 8192;

struct Arguments {
    seed: u64,
    seconds: u64,
    /// For each target; the same inputs on every machine, if there is time for them.
    inputs: u64,
    target: Option<String>,
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!(
            "usage: random [--seed N] [--seconds N] [--inputs N] [--target {}]",
            TARGETS.join("|")
        );
        return ExitCode::from(2);
    };
    panic::set_hook(Box::new(|_| ()));
    let targets: Vec<&str> = TARGETS
        .into_iter()
        .filter(|name| arguments.target.as_deref().is_none_or(|only| only == *name))
        .collect();
    let each = Duration::from_secs(arguments.seconds) / targets.len().max(1) as u32;
    let found: usize =
        targets.iter().map(|target| usize::from(fuzz(target, &arguments, each))).sum();
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn arguments() -> Option<Arguments> {
    let mut arguments = Arguments { seed: 1, seconds: 60, inputs: u64::MAX, target: None };
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--seed" => arguments.seed = value.parse().ok()?,
            "--seconds" => arguments.seconds = value.parse().ok()?,
            "--inputs" => arguments.inputs = value.parse().ok()?,
            "--target" if TARGETS.contains(&value.as_str()) => arguments.target = Some(value),
            _ => return None,
        }
    }
    Some(arguments)
}

/// Fuzzes one target for this long; returns whether a law was broken.
fn fuzz(target: &str, &Arguments { seed, inputs, .. }: &Arguments, time: Duration) -> bool {
    let started = Instant::now();
    let mut mutator = Mutator::new(Random::new(seed));
    let mut pool = seeds(target);
    let mut seen: HashSet<Vec<Code>> = pool.iter().map(|input| codes(input)).collect();
    let max = pool.len() + MAX_INPUTS;
    let mut executions = 0_u64;
    while executions < inputs && started.elapsed() < time {
        let mut input = mutator.mutate(&pool);
        input.truncate(MAX_OCTETS);
        executions += 1;
        // Any options, each a few times.
        let options = executions ^ seed;
        if let Some(why) = broken(target, &input, options) {
            report(target, &input, options, &why);
            println!("{target}: {executions} inputs with seed {seed}");
            return true;
        }
        if pool.len() < max && seen.insert(codes(&input)) {
            pool.push(input);
        }
    }
    println!(
        "{target}: {executions} inputs with seed {seed}, {} sets of codes, every law holds",
        seen.len()
    );
    false
}

/// Returns why a law is broken, including by a panic.
fn broken(target: &str, input: &[u8], options: u64) -> Option<String> {
    match panic::catch_unwind(AssertUnwindSafe(|| check_by(target, input, options))) {
        Ok(held) => held.err(),
        Err(_) => Some("a panic".to_owned()),
    }
}

/// The feedback: the codes that the library reports for the input.
fn codes(input: &[u8]) -> Vec<Code> {
    let report = panic::catch_unwind(|| {
        let plan = Normalizer::new().profile(Profile::Archive).plan(input);
        let mut codes: Vec<Code> =
            plan.report().issues().iter().map(|issue| issue.code()).collect();
        codes.extend(sevenbit::decode_header(input).issues().iter().map(|issue| issue.code()));
        codes
    });
    let mut codes = report.unwrap_or_default();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The inputs for the target in the messages of the corpus.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/mail");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("corpus/mail")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let messages = paths.iter().map(|path| fs::read(path).expect("a message"));
    messages
        .flat_map(|message| inputs(target, &message))
        .filter(|piece| piece.len() <= MAX_OCTETS)
        .collect()
}

/// Writes an input that breaks a law, minimised.
fn report(target: &str, input: &[u8], options: u64, why: &str) {
    let small = minimise(target, input.to_vec(), options, kind(why));
    let name = small
        .iter()
        .fold(0_u64, |hash, &octet| hash.wrapping_mul(0x100_0000_01B3) ^ u64::from(octet));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(target);
    let path = folder.join(format!("random-{name:016x}"));
    fs::create_dir_all(&folder).and_then(|()| fs::write(&path, &small)).expect("a file written");
    println!(
        "{target}, options {options}: {why}\n  {}\n  b\"{}\"",
        path.display(),
        small.escape_ascii()
    );
}

/// The kind of failure, without its place.
fn kind(why: &str) -> &str {
    why.split(|c: char| c.is_ascii_digit() || "\"[{".contains(c)).next().unwrap_or_default()
}

/// Removes parts that are not needed to break a law in the same way, in ever smaller pieces.
fn minimise(target: &str, mut input: Vec<u8>, options: u64, found: &str) -> Vec<u8> {
    let mut size = input.len().next_power_of_two();
    while size > 0 {
        let mut at = 0;
        while at < input.len() {
            let mut less = input.clone();
            less.drain(at..(at + size).min(input.len()));
            if broken(target, &less, options).is_some_and(|why| kind(&why) == found) {
                input = less
            } else {
                at += size
            }
        }
        size /= 2;
    }
    input
}
