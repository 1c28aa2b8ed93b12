//! Whether a filter that a mail server asks answers: it asks itself, as a mail server does.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use ipnet::IpNet;

use super::http::Watched;
use super::memory::Memory;
use super::metrics::Observed;
use super::service::Stream;
use crate::args::Endpoint;

/// How long each step of a conversation with the filter itself may take.
const PROBING: Duration = Duration::from_secs(2);

/// What those who watch the filter ask for, where `converse` is a conversation with it.
pub fn watched(
    memory: &Memory,
    listen: &[Endpoint],
    allow: &[IpNet],
    converse: fn(&Stream) -> io::Result<()>,
) -> Watched {
    let (memory, listen, allow) = (memory.clone(), listen.to_vec(), allow.to_vec());
    let ready = move || {
        if is_let_in(&allow) {
            listen.iter().try_for_each(|place| probe(place, converse))
        } else {
            Ok(())
        }
    };
    let observe = move || Observed {
        memory: memory.used(),
        memory_limit: memory.most(),
        ..Observed::default()
    };
    Watched { ready: Box::new(ready), observe: Box::new(observe) }
}

/// Whether this machine may connect.
fn is_let_in(allow: &[IpNet]) -> bool {
    let is_loopback = |network: &IpNet| network.contains(&IpAddr::V4(Ipv4Addr::LOCALHOST));
    allow.is_empty() || allow.iter().any(is_loopback)
}

/// Holds a conversation with the filter at a socket. One that systemd has opened is not known here
/// by a name, and a port that the system has chosen neither.
fn probe(place: &Endpoint, converse: fn(&Stream) -> io::Result<()>) -> io::Result<()> {
    match place {
        Endpoint::Systemd => return Ok(()),
        Endpoint::Inet(address) if address.ends_with(":0") => return Ok(()),
        Endpoint::Inet(_) | Endpoint::Unix(_) => {}
    }
    let held = Stream::connect(place, PROBING).and_then(|stream| {
        stream.set_timeout(PROBING)?;
        converse(&stream)
    });
    held.map_err(|error| io::Error::new(error.kind(), format!("{place}: {error}")))
}
