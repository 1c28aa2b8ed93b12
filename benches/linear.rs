//! Law 8: work is linear. For every hostile shape the instructions for n, 2n and 4n octets, counted
//! by callgrind, grow by at most 2.2 per doubling, and no shape is slower than 20 MB/s.
//!
//! `cargo bench --bench linear [-- PART OF A NAME]` prints a table and exits with 1 if anything is
//! broken. Without valgrind only the speed is judged; with `--growth` only the growth is: on a
//! machine that others use, time says nothing.
//!
//! `cargo bench --bench linear -- --large` makes the table of docs/limits.md: each shape at 1, 10
//! and 64 MB in all five modes, each in a process of its own: speed, growth per doubling, and peak
//! memory.
//!
//! `cargo bench --bench linear -- --search SECONDS [SEED]` repeats pieces of mail at random, and
//! prints what grows.

mod support;

use std::process::{Command, ExitCode};
use std::time::Duration;
use std::{env, fs, hint};

use sevenbit::{Message, Normalizer, Profile};
use support::more_shapes::MORE;
use support::repeated::Repeated;
use support::shapes::{SHAPES, Shape};
use support::{Numbers, callgrind, processor_time};

/// Octets of the three messages whose instructions are counted.
const COUNTED: [usize; 3] = [32 << 10, 64 << 10, 128 << 10];
/// Octets of the message that is timed.
const TIMED: usize = 1 << 20;
const MAX_GROWTH: f64 = 2.2;
const MIN_SPEED: f64 = 20.0;
/// The time that the runs of a shape add up to: one alone may be shorter than a disturbance.
const ENOUGH_TIME: Duration = Duration::from_millis(200);
/// There are eight hundred rows of three sizes, each measured three times.
const ENOUGH_TIME_OF_LARGE: Duration = Duration::from_millis(80);

/// Octets of the three messages of the large table.
const LARGE: [usize; 3] = [1_000_000, 10_000_000, 64_000_000];
/// Anything faster measures the caches of the processor, which the largest exceeds: its growth says
/// nothing.
const NO_MORE_THAN_MEMORY: f64 = 500.0;
/// The memory that a message may take: this many times its length, plus this many octets.
const MAX_MEMORY: (f64, f64) = (10.0, 64e6);

/// The operation that is measured on a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Parse,
    Plan,
    Transport,
    Archive,
    View,
}

const OPERATIONS: [Operation; 3] = [Operation::Transport, Operation::Archive, Operation::View];
const ALL_OPERATIONS: [Operation; 5] =
    [Operation::Parse, Operation::Plan, Operation::Transport, Operation::Archive, Operation::View];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let wanted =
        arguments.iter().find(|argument| !argument.starts_with("--")).map_or("", String::as_str);
    let all = SHAPES.iter().chain(MORE);
    if is_given("--child") {
        let name = arguments
            .iter()
            .rfind(|argument| !argument.starts_with("--"))
            .map_or("", String::as_str);
        return large_child(all.filter(|shape| shape.name == wanted), name);
    }
    let shapes: Vec<&Shape> = all.filter(|shape| shape.name.contains(wanted)).collect();
    if is_given("--large") {
        return large_table(&shapes);
    }
    if is_given("--search") {
        return search(&arguments);
    }
    if is_given("--count") {
        count(&shapes, COUNTED);
        return ExitCode::SUCCESS;
    }
    if !is_given("--bench") {
        return ExitCode::SUCCESS; // built and started by `cargo test`: nothing to measure
    }
    table(&shapes, wanted, if is_given("--growth") { Judged::Growth } else { Judged::All })
}

/// The figures that are judged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Judged {
    All,
    Growth,
}

fn is_given(option: &str) -> bool {
    env::args().any(|argument| argument == option)
}

/// The one function whose instructions are counted.
#[inline(never)]
fn measured(operation: Operation, message: &[u8]) -> usize {
    match operation {
        Operation::Parse => Message::parse(message).parts().count(),
        Operation::Plan => Normalizer::new().plan(message).report().issues().len(),
        Operation::Transport => {
            Normalizer::new().profile(Profile::Transport).normalize(message).octets().len()
        }
        Operation::Archive => Normalizer::new().normalize(message).octets().len(),
        Operation::View => {
            let message = Message::parse(message);
            let headers: usize = message
                .parts()
                .flat_map(|part| part.headers().collect::<Vec<_>>())
                .map(|(_, text)| text.len())
                .sum();
            let leaves: usize =
                message.leaves().map(|leaf| leaf.text().map_or(0, |text| text.len())).sum();
            headers + leaves + message.mailboxes("to").len()
        }
    }
}

/// Runs under callgrind, which writes one count for each call of `measured`.
fn count(shapes: &[&Shape], sizes: [usize; 3]) {
    for shape in shapes {
        for operation in OPERATIONS {
            for octets in sizes {
                hint::black_box(measured(operation, &(shape.make)(octets)));
            }
        }
    }
}

fn table(shapes: &[&Shape], wanted: &str, judged: Judged) -> ExitCode {
    let counts = instructions(wanted, judged)
        .filter(|counts| counts.len() == shapes.len() * OPERATIONS.len() * COUNTED.len());
    if counts.is_none() {
        println!("valgrind --tool=callgrind gave no counts: only the speed is looked at\n");
    }
    println!("| shape | operation | instructions an octet | growth, 2n | growth, 4n | MB/s | |");
    println!("|---|---|---:|---:|---:|---:|---|");
    let mut broken = 0;
    for (number, shape) in shapes.iter().enumerate() {
        for (place, operation) in OPERATIONS.into_iter().enumerate() {
            let first = (number * OPERATIONS.len() + place) * COUNTED.len();
            let counts =
                counts.as_ref().map(|counts| [counts[first], counts[first + 1], counts[first + 2]]);
            broken += usize::from(!row(shape, operation, counts, judged));
        }
    }
    println!("\n{broken} of {} broken", shapes.len() * OPERATIONS.len());
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a row; returns whether it passes.
fn row(shape: &Shape, operation: Operation, counts: Option<[u64; 3]>, judged: Judged) -> bool {
    let [n, twice, four_times] = counts.unwrap_or_default().map(|count| count as f64);
    let growth = [twice / n, four_times / twice];
    let timed = judged == Judged::All;
    let speed = if timed { speed(operation, &(shape.make)(TIMED)) } else { f64::NAN };
    let steep = growth.iter().any(|&growth| growth > MAX_GROWTH);
    let slow = speed < MIN_SPEED;
    let verdict =
        [(steep, "GROWS"), (slow, "SLOW")].into_iter().filter(|(is, _)| *is).map(|(_, word)| word);
    println!(
        "| {} | {} | {:.0} | {:.2} | {:.2} | {speed:.0} | {} |",
        shape.name,
        operation.name(),
        four_times / COUNTED[2] as f64,
        growth[0],
        growth[1],
        verdict.collect::<Vec<_>>().join(" ")
    );
    !steep && !slow
}

/// Octets per second of processor time, of which others may have had their share.
fn speed(operation: Operation, message: &[u8]) -> f64 {
    hint::black_box(measured(operation, message));
    let started = processor_time();
    for runs in 1.. {
        hint::black_box(measured(operation, message));
        let taken = processor_time() - started;
        if taken > ENOUGH_TIME {
            return (runs * message.len()) as f64 / taken.as_secs_f64() / 1e6;
        }
    }
    f64::NAN
}

/// The counts of `measured` in order, or nothing without valgrind.
fn instructions(wanted: &str, judged: Judged) -> Option<Vec<u64>> {
    let growth = (judged == Judged::Growth).then_some("--growth");
    callgrind::counts(
        "linear::measured",
        &["--count", wanted].into_iter().chain(growth).collect::<Vec<_>>(),
    )
}

/// Measures messages of repeated pieces, at two lengths; returns whether none takes time by more
/// than its length.
fn search(arguments: &[String]) -> ExitCode {
    const OCTETS: [usize; 2] = [64 << 10, 512 << 10];
    /// Quadratic growth is 64; a list that grows past a limit is written up to three times.
    const STEEP: f64 = 32.0;
    /// What is faster does not matter.
    const SLOW: f64 = 4.0;
    let mut numbers = arguments.iter().filter_map(|argument| argument.parse().ok());
    let (seconds, seed) = (numbers.next().unwrap_or(60), numbers.next().unwrap_or(1));
    let mut numbers = Numbers::new(seed);
    let time = |operation, message: &[u8]| {
        let started = processor_time();
        hint::black_box(measured(operation, message));
        (processor_time() - started).as_secs_f64()
    };
    // Tables are made when they are first needed.
    time(Operation::Transport, b"Subject: Gr\xFC\xDFe\r\n\r\n");
    let (mut looked_at, mut steep) = (0, 0);
    while processor_time() < Duration::from_secs(seconds) {
        let repeated = Repeated::any(&mut numbers);
        let messages = OCTETS.map(|octets| repeated.make(octets));
        for operation in OPERATIONS {
            let is_slow = |time: f64| messages[1].len() as f64 / time / 1e6 < SLOW;
            if !is_slow(time(operation, &messages[1])) {
                continue;
            }
            let [least, most] =
                [0, 1].map(|at| (0..3).map(|_| time(operation, &messages[at])).fold(1e9, f64::min));
            if is_slow(most) && most > STEEP * least {
                steep += 1;
                println!("{}: {:.1} times as long: {repeated}", operation.name(), most / least);
            }
        }
        looked_at += 1;
    }
    println!("{steep} of {looked_at} messages grow");
    if steep == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The figures of a separate process for one shape and operation: octets of memory, then
/// nanoseconds for each size.
fn large_child<'s>(mut shapes: impl Iterator<Item = &'s Shape>, name: &str) -> ExitCode {
    let operation = ALL_OPERATIONS.into_iter().find(|operation| operation.name() == name);
    let (Some(shape), Some(operation)) = (shapes.next(), operation) else {
        return ExitCode::FAILURE;
    };
    let messages = LARGE.map(|octets| (shape.make)(octets));
    // From here on the peak counts.
    let before = status("VmRSS:");
    let reset = fs::write("/proc/self/clear_refs", "5").is_ok();
    hint::black_box(measured(operation, &messages[2]));
    let taken = if reset { status("VmHWM:").saturating_sub(before) + messages[2].len() } else { 0 };
    let times = messages.map(|message| least_time(operation, &message).as_nanos().to_string());
    println!("{taken} {}", times.join(" "));
    ExitCode::SUCCESS
}

/// The shortest of three times, each the mean of as many runs as take long enough.
fn least_time(operation: Operation, message: &[u8]) -> Duration {
    let once = || {
        let started = processor_time();
        for runs in 1.. {
            hint::black_box(measured(operation, message));
            let taken = processor_time() - started;
            if taken > ENOUGH_TIME_OF_LARGE {
                return taken / runs;
            }
        }
        Duration::MAX
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

/// A line of the system's status of this process, in octets.
fn status(line: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let found = status
        .lines()
        .find_map(|status| status.strip_prefix(line)?.trim().strip_suffix(" kB")?.parse().ok());
    found.map_or(0, |kilobytes: usize| kilobytes << 10)
}

fn large_table(shapes: &[&Shape]) -> ExitCode {
    println!(
        "| shape | operation | MB/s of 1 MB | of 10 MB | of 64 MB | growth to 10 MB | to 64 MB | memory, times 64 MB | |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---|");
    let rows = shapes.iter().flat_map(|shape| ALL_OPERATIONS.map(|operation| (shape, operation)));
    let broken = rows.filter(|(shape, operation)| !large_row(shape, *operation)).count();
    println!("\n{broken} of {} broken", shapes.len() * ALL_OPERATIONS.len());
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a row; returns whether it passes.
fn large_row(shape: &Shape, operation: Operation) -> bool {
    let child = env::current_exe()
        .map(Command::new)
        .and_then(|mut child| child.args(["--child", shape.name, operation.name()]).output());
    let output =
        child.map(|child| String::from_utf8_lossy(&child.stdout).into_owned()).unwrap_or_default();
    let numbers: Vec<f64> =
        output.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    let [memory, least, middle, most] = numbers[..] else {
        println!("| {} | {} | | | | | | | DIED |", shape.name, operation.name());
        return false;
    };
    let octets = LARGE.map(|octets| (shape.make)(octets).len() as f64);
    let times = [least, middle, most];
    let speeds = [0, 1, 2].map(|size| octets[size] / times[size] * 1e3);
    let growth = [0, 1]
        .map(|size| per_doubling(times[size + 1] / times[size], octets[size + 1] / octets[size]));
    let is_steep =
        |(growth, speed): (&f64, &f64)| *growth > MAX_GROWTH && *speed < NO_MORE_THAN_MEMORY;
    let steep = growth.iter().zip(&speeds[1..]).any(is_steep);
    let verdict = [
        (steep, "GROWS"),
        (speeds.iter().any(|&speed| speed < MIN_SPEED), "SLOW"),
        (memory > MAX_MEMORY.0 * octets[2] + MAX_MEMORY.1, "MEMORY"),
    ];
    let words: Vec<&str> =
        verdict.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect();
    println!(
        "| {} | {} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} | {:.1} | {} |",
        shape.name,
        operation.name(),
        speeds[0],
        speeds[1],
        speeds[2],
        growth[0],
        growth[1],
        memory / octets[2],
        words.join(" ")
    );
    words.is_empty()
}

/// Returns how much longer twice as many octets take, if `larger` times as many take `longer` times
/// as long.
fn per_doubling(longer: f64, larger: f64) -> f64 {
    (longer.ln() / larger.ln()).exp2()
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Operation::Parse => "parse",
            Operation::Plan => "plan",
            Operation::Transport => "transport",
            Operation::Archive => "archive",
            Operation::View => "view",
        }
    }
}
