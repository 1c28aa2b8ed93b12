//! The open connections, and how they end when the service does.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Refusal, Stream};

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
    /// Whose they are.
    clients: HashMap<u64, IpAddr>,
    is_stopping: bool,
}

/// One connection, for its thread; closed when it is dropped.
#[derive(Debug)]
pub struct Link {
    listener: Arc<str>,
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
    /// The stream to read and write.
    pub fn stream(&self) -> &Stream {
        &self.state.stream
    }

    /// Where it came in, as the option names it.
    pub fn listener(&self) -> &str {
        &self.listener
    }

    /// Its number, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Records whose connection it is, if a proxy has made it.
    ///
    /// # Errors
    /// The client has `max_of_one` connections already.
    pub fn comes_from(&self, client: IpAddr, max_of_one: usize) -> Result<(), Refusal> {
        let mut open = self.all.lock();
        if open.count_of(Some(client)) >= max_of_one {
            return Err(Refusal::TooManyOfOne);
        }
        open.clients.insert(self.number, client);
        Ok(())
    }

    /// Records that a message may begin; returns whether it may.
    pub fn begins(&self) -> bool {
        self.state.is_busy.store(true, Ordering::SeqCst);
        !self.state.is_stopping.load(Ordering::SeqCst)
    }

    /// Records whether a message is under way; returns whether the connection may go on.
    pub fn goes_on(&self, is_busy: bool) -> bool {
        // Either this thread sees that the service stops, or the stopping thread sees that no
        // message is under way.
        self.state.is_busy.store(is_busy, Ordering::SeqCst);
        is_busy || !self.state.is_stopping.load(Ordering::SeqCst)
    }
}

impl Open {
    /// How many connections a client has; none if it has no address.
    fn count_of(&self, client: Option<IpAddr>) -> usize {
        client.map_or(0, |client| self.clients.values().filter(|&&of| of == client).count())
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let mut open = self.all.lock();
        open.links.remove(&self.number);
        open.clients.remove(&self.number);
        // No one waits before that, and a wake-up is a system call even if no one waits.
        if open.is_stopping {
            self.all.closed.notify_all();
        }
    }
}

impl Links {
    /// A new connection, unless there are `max` already, or `max_of_one` of its address, or the
    /// service stops.
    pub fn open(
        self: &Arc<Self>,
        stream: Stream,
        listener: &Arc<str>,
        max: usize,
        max_of_one: usize,
    ) -> Result<Link, (Stream, Refusal)> {
        let mut open = self.lock();
        let peer = stream.peer();
        let why = if open.is_stopping {
            Some(Refusal::Stopping)
        } else if open.links.len() >= max {
            Some(Refusal::TooMany)
        } else if max_of_one < max && open.count_of(peer) >= max_of_one {
            // A client's connections are counted only where fewer are allowed.
            Some(Refusal::TooManyOfOne)
        } else {
            None
        };
        if let Some(why) = why {
            return Err((stream, why));
        }
        open.last += 1;
        let number = open.last;
        let (is_busy, is_stopping) = (AtomicBool::new(false), AtomicBool::new(false));
        let state = Arc::new(State { stream, is_busy, is_stopping });
        open.links.insert(number, Arc::clone(&state));
        open.clients.extend(peer.map(|peer| (number, peer)));
        Ok(Link { listener: Arc::clone(listener), number, state, all: Arc::clone(self) })
    }

    /// Ends all connections, those with a message under way after it, if that takes no longer than
    /// `grace`; otherwise what comes of it is no longer read, and its client may hear that within
    /// the time of `last`. Returns how many are left.
    pub fn stop(&self, grace: Duration, last: Duration) -> usize {
        let mut open = self.lock();
        open.is_stopping = true;
        for state in open.links.values() {
            state.is_stopping.store(true, Ordering::SeqCst);
            if !state.is_busy.load(Ordering::SeqCst) {
                state.stream.stop_reading();
            }
        }
        let open = self.wait(open, grace);
        open.links.values().for_each(|state| state.stream.stop_reading());
        self.wait(open, last).links.len()
    }

    /// Waits until all connections have ended, no longer than `time`.
    fn wait<'o>(&'o self, open: MutexGuard<'o, Open>, time: Duration) -> MutexGuard<'o, Open> {
        let ended = self.closed.wait_timeout_while(open, time, |open| !open.links.is_empty());
        ended.unwrap_or_else(PoisonError::into_inner).0
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
