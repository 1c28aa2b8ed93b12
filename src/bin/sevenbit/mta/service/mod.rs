//! The base of both filters: sockets, a thread for each connection, signals.
//!
//! SIGTERM and SIGINT end the service once the messages that have begun have ended, SIGHUP reads the options again.

mod links;
mod listener;
mod stream;

pub use links::Link;
pub use listener::Listener;
pub use stream::Stream;

use std::io;
use std::net::IpAddr;
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

/// How long to wait for the next connection after one could not be accepted, for example because too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Who may connect, and how many at a time.
#[derive(Clone, Debug)]
pub struct Admission {
    /// The networks whose hosts may; loopback if empty.
    pub allow: Vec<IpNet>,
    /// How many connections are allowed.
    pub max_connections: usize,
    /// How long a connection may be silent.
    pub timeout: Duration,
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

/// Serves `listener` until the process is told to stop: `handle` gets each connection in a thread of its own.
///
/// # Errors
/// Signals cannot be received.
pub fn serve(
    listener: Listener,
    admission: Admission,
    reload: impl Fn(),
    handle: impl Fn(&Link) + Send + Sync + 'static,
) -> io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let links = Arc::new(Links::default());
    let made = listener.made().map(ToOwned::to_owned);
    info!(listen = listener.place(), "ready");
    let accepting = Arc::clone(&links);
    thread::Builder::new()
        .name("accept".to_owned())
        .spawn(move || accept(&listener, &admission, &accepting, &Arc::new(handle)))?;
    for signal in signals.forever() {
        if signal != SIGHUP {
            break;
        }
        reload();
    }
    if let Some(path) = made {
        let _ = std::fs::remove_file(path);
    }
    match links.stop(GRACE) {
        0 => info!("stopped"),
        left => warn!(connections = left, "stopped before all messages had ended"),
    }
    Ok(())
}

fn accept(
    listener: &Listener,
    admission: &Admission,
    links: &Arc<Links>,
    handle: &Arc<impl Fn(&Link) + Send + Sync + 'static>,
) {
    loop {
        let stream = match listener.accept() {
            Ok(stream) => stream,
            Err(error) => {
                warn!(%error, "a connection could not be taken");
                thread::sleep(PAUSE);
                continue;
            }
        };
        let peer = stream.peer();
        if !admission.admits(peer) {
            warn!(peer = peer.map(|peer| peer.to_string()), "not allowed to connect");
            continue;
        }
        if let Err(error) = stream.set_timeout(admission.timeout) {
            warn!(%error, "a connection could not be taken");
            continue;
        }
        let Some(link) = links.open(stream, admission.max_connections) else {
            warn!(most = admission.max_connections, "too many connections, or stopping");
            continue;
        };
        let handle = Arc::clone(handle);
        let spawned = thread::Builder::new().name("connection".to_owned()).spawn(move || handle(&link));
        if let Err(error) = spawned {
            error!(%error, "no thread for a connection");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_hosts_may_connect() {
        let admission = |allow: &[&str]| Admission {
            allow: allow.iter().map(|network| network.parse().expect("a network")).collect(),
            max_connections: 1,
            timeout: GRACE,
        };
        let address = |text: &str| Some(text.parse().expect("an address"));
        assert!(admission(&[]).admits(address("127.0.0.1")) && admission(&[]).admits(address("::1")));
        assert!(!admission(&[]).admits(address("192.0.2.1")));
        assert!(admission(&["192.0.2.0/24"]).admits(address("192.0.2.1")));
        assert!(!admission(&["192.0.2.0/24"]).admits(address("127.0.0.1")));
        assert!(admission(&["192.0.2.0/24"]).admits(None));
    }
}
