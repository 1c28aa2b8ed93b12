//! The connections to next hops that wait for another conversation.
//!
//! Few wait, and not for long: each takes a process of a mail server. One that nobody takes is told
//! QUIT by a thread, so that this does not depend on the next client.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::gateway::{Channel, Connection};

/// The time that a connection waits. A busy Postfix waits 10 seconds for a command, of which 3 may have
/// gone while the last client was idle.
const WAITING: Duration = Duration::from_secs(5);

/// The connections that wait.
pub struct Kept<N> {
    /// The most connections of each next hop.
    most: usize,
    time: Duration,
    state: Mutex<State<N>>,
    changed: Condvar,
}

struct State<N> {
    /// In the order in which they were given back, which is that in which they expire.
    waiting: VecDeque<Waiting<N>>,
    has_stopped: bool,
}

struct Waiting<N> {
    connection: Connection<N>,
    until: Instant,
}

impl<N: Channel + Send + 'static> Kept<N> {
    /// No connections yet, of which each next hop may have `most`; a thread ends those that expire.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(most: usize) -> io::Result<Arc<Self>> {
        let kept = Arc::new(Self::new(most, WAITING));
        let ours = Arc::clone(&kept);
        thread::Builder::new().name("kept".to_owned()).spawn(move || ours.end_expired())?;
        Ok(kept)
    }

    fn new(most: usize, time: Duration) -> Self {
        let state = State { waiting: VecDeque::new(), has_stopped: false };
        Self { most, time, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Returns the connection to the next hop `number` that was given back last, if one waits.
    pub fn take(&self, number: usize) -> Option<Connection<N>> {
        loop {
            let Waiting { connection, until } = self.lock().take(number)?;
            if until <= Instant::now() {
                quit(connection);
            } else if !connection.channel.has_ended() {
                return Some(connection);
            }
        }
    }

    /// Takes a connection that is not needed for now. If there are too many, the oldest ends.
    pub fn give_back(&self, connection: Connection<N>) {
        let mut state = self.lock();
        if state.has_stopped || self.most == 0 {
            drop(state);
            return quit(connection);
        }

        // Only without any does the thread sleep until it is woken.
        if state.waiting.is_empty() {
            self.changed.notify_one();
        }
        let number = connection.number;
        state.waiting.push_back(Waiting { connection, until: Instant::now() + self.time });
        let oldest = state.oldest_if_over(number, self.most);
        drop(state);
        oldest.into_iter().for_each(quit);
    }

    /// Returns how many connections wait.
    pub fn count(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Ends all connections that wait.
    pub fn end_all(&self) {
        let waiting = std::mem::take(&mut self.lock().waiting);
        waiting.into_iter().for_each(|waiting| quit(waiting.connection));
    }

    /// Ends all connections that wait, and each that is given back from now on.
    pub fn stop(&self) {
        self.lock().has_stopped = true;
        self.changed.notify_one();
        self.end_all();
    }

    /// Ends connections as they expire, until the service stops.
    fn end_expired(&self) {
        let mut state = self.lock();
        while !state.has_stopped {
            let now = Instant::now();
            state = match state.waiting.front().map(|oldest| oldest.until) {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(until) if until > now => {
                    let woken = self.changed.wait_timeout(state, until - now);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                Some(_) => {
                    let expired = state.waiting.pop_front();
                    drop(state);
                    expired.into_iter().for_each(|expired| quit(expired.connection));
                    self.lock()
                }
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<N>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<N> State<N> {
    /// Takes out the newest connection to a next hop.
    fn take(&mut self, number: usize) -> Option<Waiting<N>> {
        let place = self.waiting.iter().rposition(|waiting| waiting.connection.number == number)?;
        self.waiting.remove(place)
    }

    /// Takes out the oldest connection to a next hop if it has more than `most`.
    fn oldest_if_over(&mut self, number: usize, most: usize) -> Option<Connection<N>> {
        let mut its = (0..self.waiting.len())
            .filter(|&place| self.waiting[place].connection.number == number);
        let oldest = its.next()?;
        if its.count() < most {
            return None;
        }
        self.waiting.remove(oldest).map(|waiting| waiting.connection)
    }
}

impl<N> fmt::Debug for Kept<N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Kept").field("most", &self.most).finish_non_exhaustive()
    }
}

/// Says QUIT; a next hop that has gone need not hear it.
fn quit<N: Channel>(mut connection: Connection<N>) {
    let channel = &mut connection.channel;
    let _ = channel.write_all(b"QUIT\r\n").and_then(|()| channel.flush());
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;
    use crate::mta::gateway::History;

    /// A connection, by its name.
    struct Named {
        name: &'static str,
        has_ended: bool,
        said: Arc<Mutex<Vec<String>>>,
    }

    impl Read for Named {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Ok(0)
        }
    }

    impl Write for Named {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            let said = format!("{} {}", self.name, String::from_utf8_lossy(octets).trim_end());
            self.said.lock().expect("no panic").push(said);
            Ok(octets.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Channel for Named {
        fn has_ended(&self) -> bool {
            self.has_ended
        }
    }

    /// Connections, and what is said on them.
    struct Test {
        kept: Arc<Kept<Named>>,
        said: Arc<Mutex<Vec<String>>>,
    }

    impl Test {
        fn new(most: usize, time: Duration) -> Self {
            Self { kept: Arc::new(Kept::new(most, time)), said: Arc::default() }
        }

        fn give_back(&self, number: usize, name: &'static str, has_ended: bool) {
            let channel = Named { name, has_ended, said: Arc::clone(&self.said) };
            let history = History::Kept { messages: 1 };
            self.kept.give_back(Connection { number, channel, history });
        }

        fn take(&self, number: usize) -> Option<&'static str> {
            self.kept.take(number).map(|connection| connection.channel.name)
        }

        fn said(&self) -> Vec<String> {
            std::mem::take(&mut *self.said.lock().expect("no panic"))
        }
    }

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn the_newest_of_a_next_hop_is_taken_first() {
        let test = Test::new(4, LONG);
        for (number, name) in [(0, "a"), (1, "b"), (0, "c")] {
            test.give_back(number, name, false);
        }
        test.give_back(0, "gone", true);
        assert_eq!(test.kept.count(), 4);
        let taken = [0, 0, 0, 1, 1].map(|number| test.take(number));
        assert_eq!(taken, [Some("c"), Some("a"), None, Some("b"), None]);
        assert!(test.said().is_empty());
    }

    #[test]
    fn each_next_hop_has_so_many() {
        let test = Test::new(2, LONG);
        for (number, name) in [(0, "a"), (1, "b"), (0, "c"), (0, "d")] {
            test.give_back(number, name, false);
        }
        assert_eq!((test.said(), test.kept.count()), (vec!["a QUIT".to_owned()], 3));
        let none = Test::new(0, LONG);
        none.give_back(0, "a", false);
        assert_eq!((none.said(), none.kept.count()), (vec!["a QUIT".to_owned()], 0));
    }

    #[test]
    fn one_that_has_expired_is_not_taken() {
        let test = Test::new(4, Duration::ZERO);
        test.give_back(0, "a", false);
        assert_eq!((test.take(0), test.said()), (None, vec!["a QUIT".to_owned()]));
    }

    #[test]
    fn all_end_in_time_and_with_the_service() {
        let test = Test::new(4, Duration::from_millis(50));
        let kept = Arc::clone(&test.kept);
        let thread = thread::spawn(move || kept.end_expired());
        for name in ["a", "b"] {
            test.give_back(0, name, false);
            let until = Instant::now() + Duration::from_secs(60);
            while test.kept.count() > 0 && Instant::now() < until {
                thread::sleep(Duration::from_millis(5));
            }
        }
        test.kept.stop();
        thread.join().expect("it ends");
        test.give_back(0, "c", false);
        assert_eq!(test.said(), ["a QUIT", "b QUIT", "c QUIT"]);

        let test = Test::new(4, LONG);
        test.give_back(0, "a", false);
        test.kept.stop();
        assert_eq!((test.said(), test.kept.count()), (vec!["a QUIT".to_owned()], 0));
    }
}
