//! `sevenbit gateway`: its conversations on their sockets.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tracing::warn;

use super::gateway::{Broken, Conversation, Host, Room};
use super::options::{Shared, ended};
use super::service::{Admission, Link, Listener, Stream, serve};
use crate::args::{Cli, Endpoint, Gateway};
use crate::exit::{Exit, Failure};
use crate::term::Console;

/// Runs the gateway until it is told to stop.
///
/// # Errors
/// It cannot listen.
pub fn run(args: &Gateway, console: &Console) -> Result<Exit, Failure> {
    let Some(listen) = &args.listen else { return Err(Failure::usage("--listen is missing")) };
    let Some(next) = args.next.clone() else { return Err(Failure::usage("--next is missing")) };
    let shared = Shared::start(&args.filter, &args.service, console)?;
    let listener = Listener::bind(listen, args.service.socket_mode)
        .map_err(|error| Failure::creating(Path::new(&listen.to_string()), &error))?;
    let memory = usize::try_from(args.memory).unwrap_or(usize::MAX);
    let room = Room { memory, directory: args.temporary.clone() };
    room.check().map_err(|error| Failure::creating(&room.place(), &error))?;
    let admission = Admission::from(&args.service);
    let gateway = Between { next, name: args.name.clone(), room, timeout: args.service.timeout };
    let reloaded = Arc::clone(&shared);
    let served = serve(
        listener,
        admission,
        move || reloaded.reload(Cli::filter_again),
        move |link| gateway.converse(link, &shared),
    );
    ended(served)
}

/// What every connection needs.
#[derive(Debug)]
struct Between {
    next: Endpoint,
    name: String,
    room: Room,
    timeout: Duration,
}

impl Between {
    /// A connection to the next hop.
    fn connect(&self) -> std::io::Result<Stream> {
        let next = Stream::connect(&self.next)?;
        next.set_timeout(self.timeout)?;
        Ok(next)
    }

    /// Runs one connection to its end.
    fn converse(&self, link: &Link, shared: &Shared) {
        let next = match self.connect() {
            Ok(next) => next,
            Err(error) => {
                warn!(%error, next = %self.next, "the next hop is not there");
                let farewell = format!("421 4.3.2 {} the next hop is not there\r\n", self.name);
                let _ = link.stream().write_all(farewell.as_bytes());
                return;
            }
        };
        let host = Host {
            name: &self.name,
            room: &self.room,
            connect: &|| self.connect(),
            goes_on: &|is_busy| link.goes_on(is_busy),
        };
        let ended = Conversation::new(link.stream(), next, host)
            .run(|| shared.filter(), |record| shared.record(&record));
        match ended {
            Ok(()) => {}
            Err(Broken::Client(error)) => warn!(%error, "the client has gone"),
            Err(Broken::Next(error)) => warn!(%error, next = %self.next, "the next hop has gone"),
        }
    }
}
