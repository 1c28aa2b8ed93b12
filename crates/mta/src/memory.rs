//! The memory that messages take on all connections together: past a bound, who sends one more is
//! to try again.

use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A share grows by this many octets at a time, so that few of them are counted.
const STEP: u64 = 64 << 10;

/// The time between two requests for memory: planning a long message takes longer.
const PAUSE: Duration = Duration::from_millis(20);

/// The length from which the buffer of a message is kept for another one. The system clears each
/// page of a new one, which takes longer than planning the message.
const LONG: usize = 256 << 10;

/// The length of the longest message whose buffer is kept.
const LONGEST_KEPT: usize = 16 << 20;

/// All of it.
#[derive(Clone, Debug)]
pub struct Memory {
    used: Arc<AtomicU64>,
    most: u64,
    /// The buffer of a long message that has ended, beside what is used.
    spare: Arc<Mutex<Vec<u8>>>,
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
        Self { used: Arc::default(), most, spare: Arc::default() }
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

    fn spare(&self) -> MutexGuard<'_, Vec<u8>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Appends `octets` to `buffer`, which moves into the buffer that a long message has left if it
    /// becomes long.
    pub fn append(&self, buffer: &mut Vec<u8>, octets: &[u8]) {
        let length = buffer.len() + octets.len();
        if length >= LONG && length > buffer.capacity() {
            let mut spare = mem::take(&mut *self.all.spare());
            if spare.capacity() >= length {
                spare.extend_from_slice(buffer);
                *buffer = spare;
            }
        }
        buffer.extend_from_slice(octets);
    }

    /// Takes back the buffer of a message that has ended; the largest one is kept.
    pub fn give_back(&self, mut buffer: Vec<u8>) {
        if !(LONG..=LONGEST_KEPT).contains(&buffer.len()) {
            return;
        }
        buffer.clear();
        let mut spare = self.all.spare();
        if buffer.capacity() > spare.capacity() {
            *spare = buffer;
        }
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
    fn the_buffer_of_a_long_message_serves_the_next_one() {
        for (length, is_kept) in
            [(LONG - 1, false), (LONG, true), (LONGEST_KEPT, true), (LONGEST_KEPT + 1, false)]
        {
            let share = Memory::default().share();
            let buffer = vec![b'x'; length];
            let kept = if is_kept { buffer.capacity() } else { 0 };
            share.give_back(buffer);
            share.give_back(vec![b'x'; LONG]);
            assert_eq!(share.all.spare().capacity(), kept.max(LONG));

            let mut next = Vec::new();
            share.append(&mut next, b"a short message takes none");
            assert_eq!(share.all.spare().capacity(), kept.max(LONG));
            next.truncate(1);
            share.append(&mut next, &[b'y'; LONG - 1]);
            assert_eq!((share.all.spare().capacity(), next.len()), (0, LONG));
            assert!(next.capacity() == kept.max(LONG) && next.starts_with(b"ay"));
        }
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
