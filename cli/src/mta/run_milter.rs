//! `sevenbit milter`: the protocol on its sockets.

use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::memory::Memory;
use super::milter::{Flow, Session};
use super::options::Shared;
use super::service::{Link, Protocol, Refusal, Stream};
use super::{commands, itself, postfix};
use crate::args::Milter;
use crate::exit::{Exit, Failure};
use crate::term::Console;

/// How many octets are read at a time: most messages are shorter, and each connection first writes
/// that many zeros.
const WINDOW: usize = 16 << 10;

/// The number of octets that are read at a time once as many as that came, as of long messages.
const LARGE_WINDOW: usize = 64 << 10;

/// How many octets are buffered before they are written.
const REPLIES: usize = 64 << 10;

/// Runs the milter until it is told to stop.
///
/// # Errors
/// The milter cannot listen.
pub fn run(args: &Milter, console: &Console) -> Result<Exit, Failure> {
    if let Some(command) = &args.command {
        return commands::run(command);
    }
    if args.print_postfix {
        print!("{}", postfix::commands(args.listen.first(), args.filter.dry_run));
        return Ok(Exit::Done);
    }
    let of_filter = (&args.filter, &args.service);
    itself::run(&args.listen, of_filter, console, converse, |shared, memory| Server {
        shared,
        memory,
        packet: args.service.timeout,
        message: args.service.message_timeout,
    })
}

/// Holds a conversation with this milter as a mail server does: the offer, its answer, the end.
fn converse(stream: &Stream) -> io::Result<()> {
    let mut stream = stream;
    // Version 6, all actions, no steps left out: what Postfix 3.7 offers.
    stream.write_all(b"\0\0\0\x0dO\0\0\0\x06\0\0\x01\xff\0\x1f\xff\xff")?;
    let mut answer = [0; 5];
    stream.read_exact(&mut answer)?;
    if answer[4] != b'O' {
        return Err(io::Error::other("no answer to an offer"));
    }
    stream.write_all(b"\0\0\0\x01Q")
}

/// The state that every connection needs.
#[derive(Debug)]
struct Server {
    shared: Arc<Shared>,
    memory: Memory,
    /// How long a packet may take to come, and a message.
    packet: Duration,
    message: Duration,
}

impl Protocol for Server {
    fn converse(&self, link: &Link) {
        let _open = self.shared.connected();
        if let Err(error) = self.answer(link) {
            self.shared.ended(link, &error, "connection ended");
        }
    }

    /// The protocol has no word for it before a message.
    fn turn_away(&self, _: &Stream, why: Refusal) {
        self.shared.turned_away(why);
    }

    fn reload(&self) {
        self.shared.reload();
    }
}

impl Server {
    /// Runs one connection to its end.
    fn answer(&self, link: &Link) -> io::Result<()> {
        let mut session = Session::new(&self.memory, link.listener());
        let mut window = vec![0; WINDOW];
        let mut replies = BufWriter::with_capacity(REPLIES, link.stream());
        let mut records = Vec::new();
        let (mut packet, mut message) = (Instant::now(), Instant::now());
        while link.goes_on(session.is_busy()) {
            let read = match link.stream().read(&mut window) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let now = Instant::now();
            packet = if session.is_amid_packet() { packet } else { now };
            message = if session.is_busy() { message } else { now };
            if now - packet > self.packet || now - message > self.message {
                return Err(ErrorKind::TimedOut.into());
            }
            // A message that begins in these octets is under way from here on, unless the service
            // stops.
            if !session.is_busy() && !link.begins() {
                session.take_no_more();
            }
            let flow = session.receive(
                &window[..read],
                &self.shared.policies(),
                &mut replies,
                &mut records,
            )?;
            replies.flush()?;
            records.drain(..).for_each(|record| self.shared.record(link, &record));
            if flow == Flow::Ends {
                break;
            }
            if read == window.len() && read < LARGE_WINDOW {
                window.resize(LARGE_WINDOW, 0);
            }
        }
        Ok(())
    }
}
