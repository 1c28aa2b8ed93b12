//! A filter that a mail server asks, milter or hooks: how it is run, and whether it answers. For that
//! it asks itself, as a mail server does.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

use super::http::Watched;
use super::memory::Memory;
use super::metrics::Observed;
use super::options::{Shared, check, check_open_files, ended, listeners};
use super::places::{check_files, check_sockets};
use super::service::{Admission, Protocol, Stream, serve};
use crate::args::{Endpoint, FilterArgs, ServiceArgs};
use crate::exit::{Exit, Failure};
use crate::term::Console;

/// The time that each step of a conversation with the filter itself may take.
const PROBING: Duration = Duration::from_secs(2);

/// Runs the filter `make` until it is told to stop, or checks what it was told; `converse` is a
/// conversation with it.
///
/// # Errors
/// It cannot listen.
pub fn run<P: Protocol>(
    listen: &[Endpoint],
    (filter, service): (&FilterArgs, &ServiceArgs),
    console: &Console,
    converse: fn(&Stream) -> io::Result<()>,
    make: impl FnOnce(Arc<Shared>, Memory) -> P,
) -> Result<Exit, Failure> {
    check_sockets(listen, service.metrics, &[])?;
    if service.check_config {
        check_files(listen, service)?;
        return check(filter, service, console);
    }

    let memory = Memory::new(service.memory_total);
    let watched = watched(&memory, listen, &service.allow, converse);
    let shared = Shared::start(filter, service, console, watched)?;
    check_open_files(service, 1);
    let listeners = listeners(listen, service)?;
    let server = Arc::new(make(shared, memory));
    ended(serve(listeners, Admission::from(service), server))
}

/// Returns what those who watch the filter ask for, where `converse` is a conversation with it.
fn watched(
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

/// Returns whether this machine may connect.
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
