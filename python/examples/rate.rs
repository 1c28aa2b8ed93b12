//! How fast the library itself is on some messages, for `measure/speed.py` to compare with: `rate DIR THREADS ROUNDS`.
//! Prints messages a second with the archive profile.

use std::time::Instant;
use std::{env, fs, thread};

use sevenbit::Normalizer;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [directory, threads, rounds] = &arguments[..] else { panic!("rate DIR THREADS ROUNDS") };
    let threads: usize = threads.parse().expect("a number of threads");
    let rounds: usize = rounds.parse().expect("a number of rounds");
    let mut paths: Vec<_> =
        fs::read_dir(directory).expect("a directory").map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mail: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).expect("a message")).collect();
    let began = Instant::now();
    thread::scope(|scope| {
        for share in 0..threads {
            let mail = &mail;
            scope.spawn(move || {
                let normalizer = Normalizer::new();
                for message in (0..rounds).flat_map(|_| mail.iter().skip(share).step_by(threads)) {
                    std::hint::black_box(normalizer.normalize(message));
                }
            });
        }
    });
    println!("{:.0}", (mail.len() * rounds) as f64 / began.elapsed().as_secs_f64());
}
