//! overhead ROUNDS FILE...: normalises all messages so many times; prints nanoseconds a message. tests/overhead.c does the same
//! through C; overhead.sh compares the two, on one core and by their own time, as the process's clock counts it.

use std::hint::black_box;
use std::time::Duration;

fn main() {
    let mut words = std::env::args().skip(1);
    let rounds: usize = words.next().and_then(|word| word.parse().ok()).expect("ROUNDS");
    let messages: Vec<Vec<u8>> =
        words.map(|path| std::fs::read(path).expect("a message")).collect();
    let begun = own_time();
    let mut total = 0;
    for _ in 0..rounds {
        for message in &messages {
            let normal = library::normalize(black_box(message));
            total += normal.octets().len() + normal.report().issues().len();
        }
    }
    let time = own_time() - begun;
    println!("{} {}", time.as_nanos() as usize / rounds / messages.len(), total / rounds);
}

/// The time that this process has run so far.
fn own_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let nanoseconds = stat.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
    Duration::from_nanos(nanoseconds)
}
