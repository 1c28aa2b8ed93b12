//! Timing: all contestants run in turn, round after round, so that disturbances of the machine
//! affect all alike.

use std::hint::black_box;
use std::time::Instant;

use crate::support::processor_time;
use crate::table::{Goal, Note, Row, Run, Table};

/// Our own name in a race.
pub const OURS: &str = "sevenbit";

/// How often, and how long at least, each runs.
#[derive(Clone, Copy)]
pub struct Pace {
    pub rounds: usize,
    pub sample_ms: f64,
    /// Only we run: for a profiler.
    pub alone: bool,
}

/// One operation on one corpus, done by us and by the peers.
pub struct Race<'a> {
    row: Row,
    runners: Vec<Box<dyn FnMut() + 'a>>,
}

impl<'a> Race<'a> {
    /// `octets`: how many one run consumes.
    pub fn new(operation: &str, corpus: impl Into<String>, octets: usize) -> Self {
        Self { row: Row::new(operation, corpus.into(), octets), runners: Vec::new() }
    }

    pub fn ours<T>(self, note: impl Into<Note>, run: impl FnMut() -> T + 'a) -> Self {
        self.peer(OURS, note, run)
    }

    /// `note`: what was found about its output before the race.
    pub fn peer<T>(mut self, name: &str, note: impl Into<Note>, mut run: impl FnMut() -> T + 'a) -> Self {
        self.row.runs.push(Run { name: name.to_owned(), note: note.into(), speed: 0.0 });
        self.runners.push(Box::new(move || {
            black_box(run());
        }));
        self
    }

    /// Adds a peer that may not be installed.
    pub fn maybe<P, T>(
        self,
        name: &str,
        peer: Option<P>,
        note: impl FnOnce(&P) -> Note,
        mut run: impl FnMut(&P) -> T + 'a,
    ) -> Self
    where
        P: 'a,
    {
        match peer {
            None => self,
            Some(peer) => {
                let note = note(&peer);
                self.peer(name, note, move || run(&peer))
            }
        }
    }

    /// We should be `times` as fast as that peer.
    pub fn goal(mut self, peer: &str, times: f64) -> Self {
        self.row.goals.push(Goal::Times(peer.to_owned(), times));
        self
    }

    /// A goal that is hoped for, not required.
    pub fn aim(mut self, peer: &str, times: f64) -> Self {
        self.row.goals.push(Goal::Aim(peer.to_owned(), times));
        self
    }

    /// We should reach that many MB/s.
    pub fn at_least(mut self, speed: f64) -> Self {
        self.row.goals.push(Goal::Speed(speed));
        self
    }

    pub fn run(mut self, table: &mut Table) {
        if !table.wants(&self.row.operation, &self.row.corpus) {
            return;
        }
        let pace = table.pace;
        if pace.alone {
            self.leave_only_us();
        }
        let start = Instant::now();
        let repeats: Vec<usize> =
            self.runners.iter_mut().map(|runner| repeats(runner, pace.sample_ms)).collect();
        // A contestant that needs seconds for one run is not measured to the last digit.
        let rounds = if start.elapsed().as_secs() < 5 { pace.rounds } else { 1 };
        let mut samples = vec![Vec::with_capacity(rounds); self.runners.len()];
        for round in 0..rounds {
            for place in 0..self.runners.len() {
                let number = (place + round) % self.runners.len();
                let seconds = timed(&mut self.runners[number], repeats[number]);
                samples[number].push((self.row.octets * repeats[number]) as f64 / seconds / 1e6);
            }
        }
        for (run, samples) in self.row.runs.iter_mut().zip(samples) {
            run.speed = median(samples);
        }
        table.add(self.row);
    }

    fn leave_only_us(&mut self) {
        let ours = self.row.runs.iter().position(|run| run.name == OURS);
        self.runners = ours.map(|place| self.runners.swap_remove(place)).into_iter().collect();
        self.row.runs.retain(|run| run.name == OURS);
    }
}

/// How often it must run to fill a sample.
fn repeats(runner: &mut dyn FnMut(), sample_ms: f64) -> usize {
    timed(runner, 1);
    let mut repeats = 1;
    loop {
        let ms = timed(runner, repeats) * 1e3;
        if ms >= sample_ms / 8.0 {
            return ((sample_ms / ms * repeats as f64).ceil() as usize).max(1);
        }
        repeats *= 4;
    }
}

fn timed(runner: &mut dyn FnMut(), repeats: usize) -> f64 {
    let start = processor_time();
    for _ in 0..repeats {
        runner();
    }
    (processor_time() - start).as_secs_f64().max(1e-9)
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
