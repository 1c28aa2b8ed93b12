//! A progress bar: only on a terminal, and only once the work has lasted a while.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Console, grouped, rate, size};

/// Work that is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_millis(700);

/// How far the work is, or nothing to see.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    begun: Instant,
    octets: u64,
    messages: u64,
}

impl Progress {
    /// Progress over as many octets as `total` says, if that can be known. It is asked only if a person watches.
    pub fn new(console: &Console, total: impl FnOnce() -> Option<u64>) -> Self {
        let bar = console.is_watched().then(|| {
            let total = total();
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
            bar.set_style(bar_style(total.is_some()));
            bar
        });
        Self { bar, begun: Instant::now(), octets: 0, messages: 0 }
    }

    /// One more message is done.
    pub fn step(&mut self, octets: u64) {
        self.octets += octets;
        self.messages += 1;
        let Some(bar) = &self.bar else { return };
        let time = self.begun.elapsed();
        if bar.is_hidden() && time > PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let (messages, octets) = (grouped(self.messages), size(self.octets));
        bar.set_message(format!("{messages} messages, {octets}, {}/s", size(rate(self.octets, time))));
        bar.set_position(self.octets);
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

fn bar_style(ends: bool) -> ProgressStyle {
    let template = if ends { "{bar:30} {percent}%, {msg}, {eta} left" } else { "{spinner} {msg}" };
    ProgressStyle::with_template(template).expect("the template is well-formed")
}
