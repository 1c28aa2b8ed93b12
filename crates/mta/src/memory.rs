//! The memory that messages take on all connections together: past a bound, who sends one more is
//! to try again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A share grows by this many octets at a time, so that few of them are counted.
const STEP: u64 = 64 << 10;

/// The time between two requests for memory: planning a long message takes longer.
const PAUSE: Duration = Duration::from_millis(20);

/// All of it.
#[derive(Clone, Debug)]
pub struct Memory {
    used: Arc<AtomicU64>,
    most: u64,
}

/// The memory that one connection holds; given back when dropped.
#[derive(Debug)]
pub struct Share {
    all: Memory,
    octets: u64,
}

impl Memory {
    /// Memory of this many octets.
    pub fn new(most: u64) -> Self {
        Self { used: Arc::default(), most }
    }

    /// How many octets of it are taken.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// How many octets it has.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// An empty share.
    pub fn share(&self) -> Share {
        Share { all: self.clone(), octets: 0 }
    }
}

impl Default for Memory {
    /// Memory without a bound.
    fn default() -> Self {
        Self::new(u64::MAX)
    }
}

impl Share {
    /// Makes it large enough for this many octets; returns whether there was room.
    pub fn grow_to(&mut self, octets: u64) -> bool {
        if octets <= self.octets {
            return true;
        }
        let more = octets.next_multiple_of(STEP) - self.octets;
        let add = |used: u64| used.checked_add(more).filter(|&used| used <= self.all.most);
        let is_granted =
            self.all.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok();
        if is_granted {
            self.octets += more;
        }
        is_granted
    }

    /// The same, waiting at most so long for others to give some back.
    pub fn grow_within(&mut self, octets: u64, time: Duration) -> bool {
        let until = Instant::now() + time;
        while !self.grow_to(octets) {
            let is_possible = octets.next_multiple_of(STEP) <= self.all.most;
            if !is_possible || Instant::now() >= until {
                return false;
            }
            thread::sleep(PAUSE);
        }
        true
    }

    /// Gives back all but this many octets.
    pub fn shrink_to(&mut self, octets: u64) {
        let kept = octets.next_multiple_of(STEP).min(self.octets);
        self.all.used.fetch_sub(self.octets - kept, Ordering::Relaxed);
        self.octets = kept;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_one_memory() {
        let memory = Memory::new(3 * STEP);
        let (mut one, mut other) = (memory.share(), memory.share());
        assert!(one.grow_to(STEP + 1) && one.grow_to(2 * STEP) && other.grow_to(1));
        assert!(!one.grow_to(2 * STEP + 1) && other.grow_to(STEP));
        one.shrink_to(1);
        assert!(other.grow_to(2 * STEP) && !other.grow_to(3 * STEP));
        drop(one);
        assert!(other.grow_to(3 * STEP));
    }

    #[test]
    fn memory_is_waited_for() {
        let memory = Memory::new(3 * STEP);
        let (mut one, mut other) = (memory.share(), memory.share());
        assert!(one.grow_to(2 * STEP));
        assert!(!other.grow_within(2 * STEP, 2 * PAUSE));
        let minute = Duration::from_secs(60);
        let giving = thread::spawn(move || {
            thread::sleep(2 * PAUSE);
            drop(one);
        });
        assert!(other.grow_within(3 * STEP, minute));
        giving.join().expect("no panic");
        // There will never be that much.
        assert!(!other.grow_within(4 * STEP, minute));
    }
}
