//! Work on many cores: one thread reads, some work, the caller's writes, in the order of reading.
//!
//! What is on its way is bounded by its octets, however fast reading is: a message is read only when there is
//! room for it, or when nothing else is on its way. The room is given back once what came of it is written.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// How many octets of mail may be on their way.
const ROOM: usize = 24 << 20;

/// Jobs are handed on together until they have so many octets: handing on a small message costs as much as
/// working on it.
const BATCH: usize = 512 << 10;

/// What a message takes beside its octets.
const OVERHEAD: usize = 8 << 10;

/// Takes what is read, until it breaks.
pub type Feed<'a, J> = &'a mut dyn FnMut(J) -> ControlFlow<()>;

/// Reads jobs, works on `jobs` of them at a time, and writes what comes of them in the order of reading.
/// Writing or reading may break it off.
pub fn run<J: Send, R: Send>(
    jobs: usize,
    read: impl FnOnce(Feed<'_, J>) + Send,
    weight: impl Fn(&J) -> usize + Send,
    work: impl Fn(J) -> R + Sync,
    mut write: impl FnMut(R) -> ControlFlow<()>,
) {
    if jobs <= 1 {
        return read(&mut |job| write(work(job)));
    }
    let room = Room::default();
    let (hand_out, jobs_in) = mpsc::channel::<(u64, usize, Vec<J>)>();
    let (hand_in, results) = mpsc::channel::<(u64, usize, Vec<R>)>();
    let jobs_in = Mutex::new(jobs_in);
    thread::scope(|scope| {
        let (room, jobs_in, work) = (&room, &jobs_in, &work);
        scope.spawn(move || {
            let mut batch = Batch { jobs: Vec::new(), weight: 0, number: 0, room, hand_out };
            read(&mut |job| {
                let weight = weight(&job) + OVERHEAD;
                // A large job waits for room by itself.
                if batch.weight + weight > BATCH {
                    batch.send()?;
                }
                batch.weight += weight;
                batch.jobs.push(job);
                if batch.weight >= BATCH { batch.send() } else { ControlFlow::Continue(()) }
            });
            let _ = batch.send();
        });
        for _ in 0..jobs {
            let hand_in = hand_in.clone();
            scope.spawn(move || {
                loop {
                    let batch = lock(jobs_in).recv();
                    let Ok((number, weight, jobs)) = batch else { break };
                    let results = jobs.into_iter().map(work).collect();
                    if hand_in.send((number, weight, results)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(hand_in);
        in_order(results, |weight, results: Vec<R>| {
            let flow = results.into_iter().try_for_each(&mut write);
            if flow.is_break() {
                room.close()
            } else {
                room.give(weight)
            }
            flow
        });
    });
}

/// Jobs that are handed on together.
struct Batch<'a, J> {
    jobs: Vec<J>,
    weight: usize,
    number: u64,
    room: &'a Room,
    hand_out: mpsc::Sender<(u64, usize, Vec<J>)>,
}

impl<J> Batch<'_, J> {
    /// Hands on what there is, once there is room for it.
    fn send(&mut self) -> ControlFlow<()> {
        if self.jobs.is_empty() {
            return ControlFlow::Continue(());
        }
        let weight = std::mem::take(&mut self.weight);
        self.room.take(weight)?;
        let jobs = std::mem::take(&mut self.jobs);
        self.number += 1;
        let handed = self.hand_out.send((self.number - 1, weight, jobs));
        if handed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Calls `each` in the order of numbers.
fn in_order<R>(results: mpsc::Receiver<(u64, usize, R)>, mut each: impl FnMut(usize, R) -> ControlFlow<()>) {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (number, weight, result) in results {
        early.insert(number, (weight, result));
        while let Some((weight, result)) = early.remove(&next) {
            next += 1;
            if each(weight, result).is_break() {
                return;
            }
        }
    }
}

/// Room for what is on its way.
#[derive(Default)]
struct Room {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    taken: usize,
    closed: bool,
}

impl Room {
    /// Waits for room; breaks once nothing is to be read any more.
    fn take(&self, weight: usize) -> ControlFlow<()> {
        let full = |state: &mut State| !state.closed && state.taken > 0 && state.taken + weight > ROOM;
        let state = self.changed.wait_while(lock(&self.state), full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.taken += weight;
        if state.closed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn give(&self, weight: usize) {
        lock(&self.state).taken -= weight;
        self.changed.notify_one();
    }

    fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(jobs: usize, count: usize, weight: usize, stop: usize) -> Vec<usize> {
        let mut squares = Vec::new();
        run(
            jobs,
            |feed| _ = (0..count).try_for_each(feed),
            |_| weight,
            |n| n * n,
            |square| {
                squares.push(square);
                if squares.len() == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        squares
    }

    #[test]
    fn the_order_is_kept_by_any_number_of_workers() {
        let expected: Vec<usize> = (0..5000).map(|n| n * n).collect();
        for jobs in [0, 1, 2, 7] {
            for weight in [0, ROOM / 3, ROOM * 2] {
                assert_eq!(squares(jobs, 5000, weight, 0), expected, "{jobs} jobs, {weight} octets");
            }
        }
    }

    #[test]
    fn writing_may_break_it_off() {
        for jobs in [1, 4] {
            assert_eq!(squares(jobs, 1_000_000, 100, 3), [0, 1, 4]);
        }
    }
}
