//! The base of all filters: sockets, a thread for each connection, signals.
//!
//! SIGTERM and SIGINT end the service once the messages that have begun have ended, SIGHUP reads
//! the options again.

mod links;
mod listener;
mod securable;
mod stream;

pub use links::Link;
pub use listener::Listener;
pub use securable::Securable;
pub use stream::Stream;

use std::io;
use std::net::IpAddr;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ipnet::IpNet;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tracing::{error, info, warn};

use links::Links;

/// How long messages that have begun may take to end.
const GRACE: Duration = Duration::from_secs(60);

/// The time in which conversations that have not ended by then are told.
const LAST: Duration = Duration::from_secs(5);

/// How long to wait for the next connection after one could not be accepted, for example because
/// too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Who may connect, and how many at a time.
#[derive(Clone, Debug)]
pub struct Admission {
    /// The networks whose hosts may; loopback if empty.
    pub allow: Vec<IpNet>,
    /// How many connections are allowed.
    pub max_connections: usize,
    /// How many of one address.
    pub max_of_one: usize,
    /// How long a connection may be silent.
    pub timeout: Duration,
}

/// Why a client is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The client is in no network that may connect.
    NotAllowed,
    /// Too many connections are open.
    TooMany,
    /// Too many connections of its address are open.
    TooManyOfOne,
    /// The service stops.
    Stopping,
}

/// A protocol, for the connections of a service.
pub trait Protocol: Send + Sync + 'static {
    /// Runs a connection to its end.
    fn converse(&self, link: &Link);

    /// Tells a client that it is turned away.
    fn turn_away(&self, stream: &Stream, why: Refusal);

    /// Reads the options again.
    fn reload(&self);

    /// Is told that the service stops, before its connections are.
    fn stop(&self) {}
}

impl Refusal {
    /// The words in the log, in counters, and in an answer.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotAllowed => "not allowed to connect",
            Self::TooMany => "too many connections",
            Self::TooManyOfOne => "too many connections of one client",
            Self::Stopping => "stopping",
        }
    }
}

impl Admission {
    /// Whether a client at this address may connect. A Unix socket admits clients by its mode.
    fn admits(&self, address: Option<IpAddr>) -> bool {
        match address {
            None => true,
            Some(address) if self.allow.is_empty() => address.is_loopback(),
            Some(address) => self.allow.iter().any(|network| network.contains(&address)),
        }
    }
}

/// Serves `listeners` until the process is told to stop: each connection in a thread of its own.
///
/// # Errors
/// Signals cannot be received.
pub fn serve(
    listeners: Vec<Listener>,
    admission: Admission,
    protocol: Arc<impl Protocol>,
) -> io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let links = Arc::new(Links::default());
    let made: Vec<PathBuf> =
        listeners.iter().filter_map(Listener::made).map(ToOwned::to_owned).collect();
    // Dropped when the service stops, which wakes who waits for the next connection.
    let (running, stopped) = UnixStream::pair()?;
    let mut accepting = Vec::new();
    for listener in listeners {
        info!(listen = listener.place(), "ready");
        let (admission, links, protocol) =
            (admission.clone(), Arc::clone(&links), Arc::clone(&protocol));
        let stopped = stopped.try_clone()?;
        let run = move || accept(&listener, &stopped, &admission, &links, &protocol);
        accepting.push(thread::Builder::new().name("accept".to_owned()).spawn(run)?);
    }
    for signal in signals.forever() {
        if signal != SIGHUP {
            break;
        }
        protocol.reload();
    }
    protocol.stop();
    for path in made {
        let _ = std::fs::remove_file(path);
    }
    // A client that connects now reaches the next process, or nobody.
    drop(running);
    for thread in accepting {
        let _ = thread.join();
    }
    match links.stop(GRACE, LAST) {
        0 => info!("stopped"),
        left => warn!(connections = left, "stopped before all messages had ended"),
    }
    Ok(())
}

/// Takes connections until the service stops: those that wait for a listener of its own then are
/// still taken; the socket of systemd keeps them for the next process.
fn accept(
    listener: &Listener,
    stopped: &UnixStream,
    admission: &Admission,
    links: &Arc<Links>,
    protocol: &Arc<impl Protocol>,
) {
    loop {
        let stream = match listener.accept(stopped) {
            Ok(Some(stream)) => stream,
            Ok(None) => return,
            Err(error) => {
                warn!(%error, "a connection could not be taken");
                thread::sleep(PAUSE);
                continue;
            }
        };
        let peer = stream.place();
        match admit(stream, listener.name(), admission, links) {
            Ok(link) => {
                let protocol = Arc::clone(protocol);
                let run = move || protocol.converse(&link);
                if let Err(error) = thread::Builder::new().name("connection".to_owned()).spawn(run)
                {
                    error!(%error, peer, "no thread for a connection");
                }
            }
            Err((stream, why)) => {
                warn!(peer, "{}", why.as_str());
                protocol.turn_away(&stream, why);
            }
        }
    }
}

fn admit(
    stream: Stream,
    listener: &Arc<str>,
    admission: &Admission,
    links: &Arc<Links>,
) -> Result<Link, (Stream, Refusal)> {
    // A connection that has ended meanwhile says so when it is read.
    let _ = stream.set_timeout(admission.timeout);
    if !admission.admits(stream.peer()) {
        return Err((stream, Refusal::NotAllowed));
    }
    links.open(stream, listener, admission.max_connections, admission.max_of_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_hosts_may_connect() {
        let admission = |allow: &[&str]| Admission {
            allow: allow.iter().map(|network| network.parse().expect("a network")).collect(),
            max_connections: 1,
            max_of_one: 1,
            timeout: GRACE,
        };
        let address = |text: &str| Some(text.parse().expect("an address"));
        assert!(
            admission(&[]).admits(address("127.0.0.1")) && admission(&[]).admits(address("::1"))
        );
        assert!(!admission(&[]).admits(address("192.0.2.1")));
        assert!(admission(&["192.0.2.0/24"]).admits(address("192.0.2.1")));
        assert!(!admission(&["192.0.2.0/24"]).admits(address("127.0.0.1")));
        assert!(admission(&["192.0.2.0/24"]).admits(None));
    }
}
