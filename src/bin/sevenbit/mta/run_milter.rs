//! `sevenbit milter`: the protocol on its sockets.

use std::io::{BufWriter, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::Arc;

use tracing::warn;

use super::milter::{Flow, Session};
use super::options::{Shared, ended};
use super::service::{Admission, Link, Listener, serve};
use crate::args::{Cli, Milter};
use crate::exit::{Exit, Failure};
use crate::term::Console;

/// How many octets are read at a time: most messages are shorter, and each connection first writes that many zeros.
const WINDOW: usize = 16 << 10;

/// How many octets are buffered before they are written.
const REPLIES: usize = 64 << 10;

/// Runs the milter until it is told to stop.
///
/// # Errors
/// It cannot listen.
pub fn run(args: &Milter, console: &Console) -> Result<Exit, Failure> {
    let Some(listen) = &args.listen else { return Err(Failure::usage("--listen is missing")) };
    let shared = Shared::start(&args.filter, &args.service, console)?;
    let listener = Listener::bind(listen, args.service.socket_mode)
        .map_err(|error| Failure::creating(Path::new(&listen.to_string()), &error))?;
    let admission = Admission::from(&args.service);
    let reloaded = Arc::clone(&shared);
    let served = serve(
        listener,
        admission,
        move || reloaded.reload(Cli::filter_again),
        move |link| {
            if let Err(error) = converse(link, &shared) {
                warn!(%error, "connection ended");
            }
        },
    );
    ended(served)
}

/// Runs one connection to its end.
fn converse(link: &Link, shared: &Shared) -> std::io::Result<()> {
    let mut session = Session::new();
    let mut window = vec![0; WINDOW];
    let mut replies = BufWriter::with_capacity(REPLIES, link.stream());
    let mut records = Vec::new();
    while link.goes_on(session.is_busy()) {
        let read = match link.stream().read(&mut window) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let flow = session.receive(&window[..read], &shared.filter(), &mut replies, &mut records)?;
        replies.flush()?;
        records.drain(..).for_each(|record| shared.record(&record));
        if flow == Flow::Ends {
            break;
        }
    }
    Ok(())
}
