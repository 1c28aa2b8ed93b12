//! A progress bar: only on a terminal, and only once the work has lasted a while.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Console, grouped, rate, size};

/// The time before a bar is shown: shorter work needs none.
const DELAY: Duration = Duration::from_millis(700);

/// The time from one drawing to the next: no one reads faster.
const INTERVAL: Duration = Duration::from_millis(100);

/// The progress of the work, or nothing if it is not shown.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    /// When the work began.
    begun: Instant,
    /// When the bar was drawn last.
    drawn: Instant,
    /// The number of messages so far.
    messages: u64,
    /// The octets of the files that are done.
    done: u64,
    /// The octets of the current mailbox that are done.
    within: u64,
    /// The octets that an earlier run had done, which say nothing about the speed of this one.
    earlier: Option<u64>,
}

impl Progress {
    /// Begins to count `total` octets, if their number is known; it is asked for only if a person
    /// watches.
    pub fn new(console: &Console, total: impl FnOnce() -> Option<u64>) -> Self {
        let bar = console.is_watched().then(|| {
            let total = total();
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
            bar.set_style(bar_style(total.is_some()));
            bar
        });
        let now = Instant::now();
        Self { bar, begun: now, drawn: now, messages: 0, done: 0, within: 0, earlier: None }
    }

    /// Counts a message of so many octets; `at` is where it ends, if it is in a mailbox.
    pub fn step(&mut self, octets: u64, at: Option<u64>) {
        self.messages += 1;
        match at {
            Some(at) => self.within = at,
            None => self.done += octets,
        }
        let position = self.done + self.within;
        let earlier = *self.earlier.get_or_insert(position - octets.min(position));
        let Some(bar) = &self.bar else { return };
        if self.begun.elapsed() < DELAY || self.drawn.elapsed() < INTERVAL {
            return;
        }
        self.drawn = Instant::now();
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let (messages, rate) =
            (grouped(self.messages), rate(position - earlier, self.begun.elapsed()));
        bar.set_message(format!("{messages} messages, {}, {}/s", size(position), size(rate)));
        bar.set_position(position);
    }

    /// Counts a mailbox as done.
    pub fn mailbox_done(&mut self) {
        self.done += std::mem::take(&mut self.within);
    }

    /// Lets something else write to the terminal.
    pub fn suspended<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Removes the bar at the end.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The look of the bar: how much is left, if the work `has_end` that is known.
fn bar_style(has_end: bool) -> ProgressStyle {
    let template =
        if has_end { "{bar:30} {percent}%, {msg}, {eta} left" } else { "{spinner} {msg}" };
    ProgressStyle::with_template(template).expect("the template is well-formed")
}
