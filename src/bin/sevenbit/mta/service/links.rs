//! The connections that are open, and how they end when the service does.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Stream;

/// All open connections.
#[derive(Debug, Default)]
pub struct Links {
    open: Mutex<Open>,
    closed: Condvar,
}

#[derive(Debug, Default)]
struct Open {
    last: u64,
    links: HashMap<u64, Arc<State>>,
    is_stopping: bool,
}

/// One connection, for the thread that has it; closed when it is dropped.
#[derive(Debug)]
pub struct Link {
    number: u64,
    state: Arc<State>,
    all: Arc<Links>,
}

#[derive(Debug)]
struct State {
    stream: Stream,
    is_busy: AtomicBool,
    is_stopping: AtomicBool,
}

impl Link {
    /// What is read and written.
    pub fn stream(&self) -> &Stream {
        &self.state.stream
    }

    /// Says whether a message is under way; gives whether the connection may go on.
    pub fn goes_on(&self, is_busy: bool) -> bool {
        // Either this thread sees that the service stops, or the one that stops it sees that nothing is under way.
        self.state.is_busy.store(is_busy, Ordering::SeqCst);
        is_busy || !self.state.is_stopping.load(Ordering::SeqCst)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let mut open = self.all.lock();
        open.links.remove(&self.number);
        // Nobody waits before, and waking nobody is a call of the system all the same.
        if open.is_stopping {
            self.all.closed.notify_all();
        }
    }
}

impl Links {
    /// A new connection; none if there are `most` already, or the service stops.
    pub fn open(self: &Arc<Self>, stream: Stream, most: usize) -> Option<Link> {
        let mut open = self.lock();
        if open.is_stopping || open.links.len() >= most {
            return None;
        }
        open.last += 1;
        let number = open.last;
        let (is_busy, is_stopping) = (AtomicBool::new(false), AtomicBool::new(false));
        let state = Arc::new(State { stream, is_busy, is_stopping });
        open.links.insert(number, Arc::clone(&state));
        Some(Link { number, state, all: Arc::clone(self) })
    }

    /// Ends all connections, those with a message under way after it, if that is not longer than `grace`. Gives how many
    /// are left.
    pub fn stop(&self, grace: Duration) -> usize {
        let mut open = self.lock();
        open.is_stopping = true;
        for state in open.links.values() {
            state.is_stopping.store(true, Ordering::SeqCst);
            if !state.is_busy.load(Ordering::SeqCst) {
                state.stream.stop_reading();
            }
        }
        let ended = self.closed.wait_timeout_while(open, grace, |open| !open.links.is_empty());
        ended.unwrap_or_else(PoisonError::into_inner).0.links.len()
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
