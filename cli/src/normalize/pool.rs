//! Work on many cores: each worker in turn reads some messages, processes them, and writes the
//! results when all before them are written. No thread only reads or only writes, so that all cores
//! have the same to do, and a thread mostly frees what it allocated.
//!
//! The work in progress is bounded by its octets, however fast reading is: a batch that was read
//! waits for room, unless nothing else is in progress. The room is released once the results are
//! written.

use std::collections::BTreeMap;
use std::iter::Fuse;
use std::mem;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many octets of mail may be in progress.
const ROOM: usize = 24 << 20;

/// Jobs are read together until they have this many octets, some forty small messages: taking turns
/// for each would cost as much as processing it. That is a few of the pieces in which files are
/// read and written, so that most octets of a batch stay in the cache of the processor that works
/// on it, which has room for them and for the results.
const BATCH: usize = 512 << 10;

/// How many octets a message takes in addition to its own.
const OVERHEAD: usize = 8 << 10;

/// Reads jobs, processes `jobs` of them at a time, and writes the results in the order of reading,
/// until writing stops it.
pub fn run<J: Send, R: Send>(
    jobs: usize,
    read: impl Iterator<Item = J> + Send,
    weight: impl Fn(&J) -> usize + Send,
    work: impl Fn(J) -> R + Sync,
    mut write: impl FnMut(&mut R) -> ControlFlow<()> + Send,
) {
    if jobs <= 1 {
        let _ = read.map(work).try_for_each(|mut result| write(&mut result));
        return;
    }
    let room = Room::default();
    let reader = Mutex::new(Reader { jobs: read.fuse(), weight, held: None, number: 0 });
    let mut flow = ControlFlow::Continue(());
    let writer = Writer::new(jobs, |batch: &mut Batch<R>| {
        if flow.is_continue() {
            flow = batch.jobs.iter_mut().try_for_each(&mut write);
        }
        if flow.is_break() { room.close() } else { room.give(batch.weight) }
    });
    let worker = |worker: usize| {
        let _closing = Closing(&room);
        let next = || {
            let mut reader = lock(&reader);
            // While one waits for room, no other reads.
            reader.batch().filter(|batch| room.take(batch.weight).is_continue())
        };
        while let Some(Batch { number, weight, jobs }) = next() {
            let jobs = jobs.into_iter().map(&work).collect();
            writer.write(worker, Batch { number, weight, jobs });
        }
    };
    thread::scope(|scope| {
        let worker = &worker;
        (1..jobs).for_each(|number| _ = scope.spawn(move || worker(number)));
        worker(0);
    });
}

/// Jobs that are processed together, or their results.
struct Batch<J> {
    number: u64,
    weight: usize,
    jobs: Vec<J>,
}

/// The source of jobs.
struct Reader<I: Iterator, F> {
    jobs: Fuse<I>,
    weight: F,
    /// A job that was too large for the batch before.
    held: Option<I::Item>,
    number: u64,
}

impl<I: Iterator, F: Fn(&I::Item) -> usize> Reader<I, F> {
    /// The next jobs; a large one comes alone.
    fn batch(&mut self) -> Option<Batch<I::Item>> {
        let mut batch = Batch { number: self.number, weight: 0, jobs: Vec::new() };
        while batch.weight < BATCH
            && let Some(job) = self.held.take().or_else(|| self.jobs.next())
        {
            let weight = (self.weight)(&job) + OVERHEAD;
            if batch.weight > 0 && batch.weight + weight > BATCH {
                self.held = Some(job);
                break;
            }
            batch.weight += weight;
            batch.jobs.push(job);
        }
        self.number += 1;
        (!batch.jobs.is_empty()).then_some(batch)
    }
}

/// The destination of results, in the order of their numbers.
struct Writer<R, W> {
    queue: Mutex<Queue<R>>,
    write: Mutex<W>,
}

/// Results in progress.
struct Queue<R> {
    /// Those not yet written, with their workers.
    waiting: BTreeMap<u64, (usize, Batch<R>)>,
    /// Those written, for each worker. Memory is freed by the thread that allocated it: for another
    /// it costs twice as much.
    written: Vec<Vec<Batch<R>>>,
    next: u64,
    /// Whether some thread is writing.
    writing: bool,
}

impl<R, W: FnMut(&mut Batch<R>)> Writer<R, W> {
    fn new(workers: usize, write: W) -> Self {
        let written = (0..workers).map(|_| Vec::new()).collect();
        let queue = Queue { waiting: BTreeMap::new(), written, next: 0, writing: false };
        Self { queue: Mutex::new(queue), write: Mutex::new(write) }
    }

    /// Takes the results of `worker`, and writes those whose turn has come; if another thread is
    /// writing, that one will.
    fn write(&self, worker: usize, batch: Batch<R>) {
        let spent;
        let mut queue = lock(&self.queue);
        spent = mem::take(&mut queue.written[worker]);
        queue.waiting.insert(batch.number, (worker, batch));
        while !queue.writing
            && let next = queue.next
            && let Some((worker, mut batch)) = queue.waiting.remove(&next)
        {
            queue.writing = true;
            drop(queue);
            lock(&self.write)(&mut batch);
            queue = lock(&self.queue);
            queue.written[worker].push(batch);
            (queue.next, queue.writing) = (next + 1, false);
        }
        drop(queue);
        drop(spent);
    }
}

/// Room for the work in progress.
#[derive(Default)]
struct Room {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    taken: usize,
    /// How many threads wait for room: a wake-up costs the same even if none waits.
    waiting: usize,
    closed: bool,
}

impl Room {
    /// Waits for room; breaks once nothing more is to be read.
    fn take(&self, weight: usize) -> ControlFlow<()> {
        let full =
            |state: &mut State| !state.closed && state.taken > 0 && state.taken + weight > ROOM;
        let mut state = lock(&self.state);
        state.waiting += 1;
        state = self.changed.wait_while(state, full).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state.taken += weight;
        if state.closed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn give(&self, weight: usize) {
        let mut state = lock(&self.state);
        state.taken -= weight;
        if state.waiting > 0 {
            self.changed.notify_one();
        }
    }

    fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }
}

/// Closes the room when its thread panics, so that no other waits for it in vain.
struct Closing<'a>(&'a Room);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
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
            0..count,
            |_| weight,
            |n| n * n,
            |square| {
                squares.push(*square);
                if squares.len() == stop {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        squares
    }

    #[test]
    fn the_order_is_kept_by_any_number_of_workers() {
        let expected: Vec<usize> = (0..5000).map(|n| n * n).collect();
        for jobs in [0, 1, 2, 7] {
            for weight in [0, ROOM / 3, ROOM * 2] {
                assert_eq!(
                    squares(jobs, 5000, weight, 0),
                    expected,
                    "{jobs} jobs, {weight} octets"
                );
            }
        }
    }

    #[test]
    #[should_panic] // with what it said, or with the scope's word that a thread did
    fn a_panic_ends_it() {
        let panic = |number: &mut usize| {
            if *number == 70 { panic!("here") } else { ControlFlow::Continue(()) }
        };
        run(3, 0..1_000_000, |_| ROOM / 3, |number| number, panic);
    }

    #[test]
    fn writing_may_break_it_off() {
        for jobs in [1, 4] {
            assert_eq!(squares(jobs, 1_000_000, 100, 3), [0, 1, 4]);
        }
    }
}
