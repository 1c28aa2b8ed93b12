//! A progress bar: only on a terminal, and only once the work has lasted a while.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Console, rate, size};

/// Work that is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_millis(700);

/// How far the work is, or nothing to see.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    begun: Instant,
    octets: u64,
}

impl Progress {
    /// Progress over as many messages as `count` says, which is asked only if a person watches.
    pub fn new(console: &Console, count: impl FnOnce() -> u64) -> Self {
        let bar = console.is_watched().then(|| {
            let bar = ProgressBar::with_draw_target(Some(count()), ProgressDrawTarget::hidden());
            bar.set_style(bar_style());
            bar
        });
        Self { bar, begun: Instant::now(), octets: 0 }
    }

    /// One more message is done.
    pub fn step(&mut self, octets: u64) {
        self.octets += octets;
        let Some(bar) = &self.bar else { return };
        let time = self.begun.elapsed();
        if bar.is_hidden() && time > PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_message(format!("{}, {}/s", size(self.octets), size(rate(self.octets, time))));
        bar.inc(1);
    }

    /// Lets something else write to the terminal.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// The end: the bar goes.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar_style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} messages, {msg}, {eta} left")
        .expect("the template is well-formed")
}
