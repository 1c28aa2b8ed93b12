//! The next hops of the gateway: the first that takes the connection has it. One that was waited
//! for in vain is asked last for a while, so that a dead one does not delay every message.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::service::Stream;
use crate::args::Endpoint;

/// How long connecting may take: to a next hop after which there is another one, and to the last.
const CONNECTING: Duration = Duration::from_secs(5);
const CONNECTING_TO_LAST: Duration = Duration::from_secs(30);

/// How long a next hop may take to greet if there is another one: less than a mail server waits
/// that speaks first (Postfix's `smtpd_proxy_timeout` is 100 seconds).
const GREETING: Duration = Duration::from_secs(20);

/// How long a next hop may take for each step of a conversation that only tries it.
pub const PROBING: Duration = Duration::from_secs(2);

/// How long a next hop is asked last if it was waited for as long as this in vain. Who says no at
/// once is asked again at once.
const AVOIDED: Duration = Duration::from_secs(30);
const LONG: Duration = Duration::from_secs(1);

/// A connection to a next hop.
#[derive(Debug)]
pub enum Reached<K> {
    /// A connection that was kept.
    Kept(K),
    /// A new connection, with the number of its next hop.
    New(usize, Stream),
}

/// The next hops in their order, and until when each is avoided.
#[derive(Debug)]
pub struct NextHops {
    places: Vec<Endpoint>,
    avoided: Mutex<Vec<Option<Instant>>>,
    /// The health of each.
    health: Mutex<Vec<Health>>,
    timeout: Duration,
    greeting: Duration,
}

/// The health of a next hop, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Health {
    /// The last conversation was taken, or none was tried yet.
    Up,
    /// No connection was taken.
    Unreachable,
    /// A connection was taken, and the last conversation that only tried it refused.
    Refusing,
}

impl NextHops {
    /// Next hops at `places`, each read or write of which may take `timeout`.
    pub fn new(places: Vec<Endpoint>, timeout: Duration) -> Self {
        let avoided = Mutex::new(vec![None; places.len()]);
        let health = Mutex::new(vec![Health::Up; places.len()]);
        Self { places, avoided, health, timeout, greeting: timeout.min(GREETING) }
    }

    pub fn places(&self) -> &[Endpoint] {
        &self.places
    }

    /// How many took the last conversation that was tried.
    pub fn count_up(&self) -> usize {
        self.health().iter().filter(|health| **health == Health::Up).count()
    }

    fn health(&self) -> MutexGuard<'_, Vec<Health>> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tries a conversation with each, and remembers which takes it.
    ///
    /// # Errors
    /// None takes it: why the last does not.
    pub fn probe(&self, converse: impl Fn(usize, Stream) -> io::Result<()>) -> io::Result<()> {
        let mut found = Err(io::Error::from(io::ErrorKind::AddrNotAvailable));
        for (number, place) in self.places.iter().enumerate() {
            let reached = Stream::connect(place, PROBING);
            let is_reached = reached.is_ok();
            let tried = reached.and_then(|stream| {
                stream.set_timeout(PROBING)?;
                converse(number, stream)
            });
            self.health()[number] = match &tried {
                Ok(()) => Health::Up,
                Err(_) if is_reached => Health::Refusing,
                Err(_) => Health::Unreachable,
            };
            if found.is_err() {
                found = tried
                    .map_err(|error| io::Error::new(error.kind(), format!("{place}: {error}")));
            }
        }
        found
    }

    /// A connection to a next hop: one that is `kept` of the first that works, by its number, or a
    /// new one. Each that is passed over goes to `failed`. What the last one greets with is for the
    /// client, even if that is a refusal.
    ///
    /// # Errors
    /// None can be reached: why the last cannot.
    pub fn connect<K>(
        &self,
        kept: impl Fn(usize) -> Option<K>,
        mut failed: impl FnMut(&Endpoint, &io::Error),
    ) -> io::Result<Reached<K>> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        let order = self.order();
        for (at, &number) in order.iter().enumerate() {
            if let Some(kept) = kept(number) {
                return Ok(Reached::Kept(kept));
            }
            let (begun, is_last) = (Instant::now(), at + 1 == order.len());
            match self.try_one(number, is_last) {
                Ok(stream) => {
                    self.reached(number, is_last);
                    self.avoid(number, None);
                    return Ok(Reached::New(number, stream));
                }
                Err(error) => {
                    self.health()[number] = Health::Unreachable;
                    let is_slow = begun.elapsed() >= LONG;
                    let until = if is_slow { Some(Instant::now() + AVOIDED) } else { None };
                    self.avoid(number, until);
                    failed(&self.places[number], &error);
                    last = error;
                }
            }
        }
        Err(last)
    }

    /// Notes that a next hop took a connection. That of the last one says nothing about whether it
    /// takes mail: its greeting is left to the client.
    fn reached(&self, number: usize, is_last: bool) {
        let health = &mut self.health()[number];
        if !is_last || *health == Health::Unreachable {
            *health = Health::Up;
        }
    }

    fn try_one(&self, number: usize, is_last: bool) -> io::Result<Stream> {
        let time = if is_last { CONNECTING_TO_LAST } else { CONNECTING };
        let stream = Stream::connect(&self.places[number], time)?;
        if !is_last {
            stream.set_timeout(self.greeting)?;
            if stream.first_octet()? != b'2' {
                return Err(io::Error::other("it refuses the connection"));
            }
        }
        stream.set_timeout(self.timeout)?;
        Ok(stream)
    }

    /// Their numbers, those that are avoided last.
    fn order(&self) -> Vec<usize> {
        let now = Instant::now();
        let avoided = self.avoided.lock().unwrap_or_else(PoisonError::into_inner);
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_by_key(|&number| avoided[number].is_some_and(|until| until > now));
        order
    }

    fn avoid(&self, number: usize, until: Option<Instant>) {
        self.avoided.lock().unwrap_or_else(PoisonError::into_inner)[number] = until;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::TcpListener;

    use super::*;

    /// A next hop that greets with this line, whenever it is connected to.
    fn next_hop(greeting: &'static [u8]) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
        let place = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            let mut open = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                stream.write_all(greeting).expect("written");
                open.push(stream);
            }
        });
        Endpoint::Inet(place.to_string())
    }

    /// A port that is never given to a connection, and on which nothing listens.
    fn nobody() -> Endpoint {
        Endpoint::Inet("127.0.0.1:1".into())
    }

    /// The numbers of those that were connected to and passed over.
    fn connected(next: &NextHops) -> (Option<usize>, Vec<String>) {
        connected_or_kept(next, &[])
    }

    /// The number of the next hop that is connected to, if connections to `kept` are kept, and those that
    /// were passed over.
    fn connected_or_kept(next: &NextHops, kept: &[usize]) -> (Option<usize>, Vec<String>) {
        let mut over = Vec::new();
        let kept = |number| kept.contains(&number).then_some(number);
        let number = match next.connect(kept, |place, _| over.push(place.to_string())) {
            Ok(Reached::New(number, _) | Reached::Kept(number)) => Some(number),
            Err(_) => None,
        };
        (number, over)
    }

    #[test]
    fn one_that_is_dead_or_refuses_is_passed_over() {
        let (dead, busy, works) =
            (nobody(), next_hop(b"421 busy\r\n"), next_hop(b"220 mx.test\r\n"));
        let shown = [dead.to_string(), busy.to_string()];
        let next = NextHops::new(vec![dead, busy, works], Duration::from_secs(10));
        for _ in 0..2 {
            assert_eq!(connected(&next), (Some(2), shown.to_vec()));
        }
    }

    #[test]
    fn one_that_was_waited_for_is_not_asked_again_for_a_while() {
        let (silent, works) = (next_hop(b""), next_hop(b"220 mx.test\r\n"));
        let shown = silent.to_string();
        let next = NextHops {
            greeting: LONG,
            ..NextHops::new(vec![silent, works], Duration::from_secs(600))
        };
        assert_eq!(connected(&next), (Some(1), vec![shown]));
        assert_eq!(connected(&next), (Some(1), vec![]));
    }

    #[test]
    fn the_refusal_of_the_last_is_for_the_client() {
        let next =
            NextHops::new(vec![nobody(), next_hop(b"421 busy\r\n")], Duration::from_secs(10));
        assert_eq!(connected(&next).0, Some(1));
        let next = NextHops::new(vec![nobody()], Duration::from_secs(10));
        assert_eq!(connected(&next).0, None);
    }

    /// A client that is connected at the same time changes nothing about that.
    #[test]
    fn one_that_refused_a_conversation_is_not_up_because_it_takes_connections() {
        let next = NextHops::new(vec![next_hop(b"554 no\r\n")], Duration::from_secs(10));
        assert_eq!(next.count_up(), 1);
        next.probe(|_, _| Err(io::Error::other("it refuses"))).expect_err("refused");
        assert_eq!((connected(&next).0, next.count_up()), (Some(0), 0));
        next.probe(|_, _| Ok(())).expect("taken");
        assert_eq!((connected(&next).0, next.count_up()), (Some(0), 1));
    }

    #[test]
    fn one_that_is_kept_is_of_the_first_that_works() {
        let (dead, works, other) =
            (nobody(), next_hop(b"220 mx.test\r\n"), next_hop(b"220 mx.test\r\n"));
        let shown = dead.to_string();
        let next = NextHops::new(vec![dead, works, other], Duration::from_secs(10));
        assert_eq!(connected_or_kept(&next, &[0]), (Some(0), vec![]));
        assert_eq!(connected_or_kept(&next, &[1]), (Some(1), vec![shown.clone()]));
        assert_eq!(connected_or_kept(&next, &[2]), (Some(1), vec![shown]));
    }

    #[test]
    fn one_that_is_avoided_is_asked_if_no_other_works() {
        let next =
            NextHops::new(vec![next_hop(b"220 mx.test\r\n"), nobody()], Duration::from_secs(10));
        next.avoid(0, Some(Instant::now() + AVOIDED));
        assert_eq!(connected(&next).0, Some(0));
    }
}
