//! The connection of a conversation to the next hop, which other conversations may have used before
//! and may use afterwards.
//!
//! EHLO begins a session anew (RFC 5321, 4.1.4), so one connection can serve several clients, one
//! after the other. It passes to the next conversation only if nothing of the client stays with it:
//!
//! 1. The next hop was told no client and no login by it (XCLIENT, AUTH).
//! 2. Its last transaction has ended, and all replies have been read.
//! 3. The next hop has refused nothing: servers count errors, and hang up after some.
//! 4. It has carried a message for this conversation: servers count commands without one as well.
//! 5. It has carried fewer than [`MAX_MESSAGES`].
//!
//! Nothing is kept if the next hop is to know each client (`tells_client` of the host).

use std::io::{self, Write};
use std::time::Duration;

use super::channel::Channel;
use super::command::Verb;
use super::party::Party;
use super::reply::Reply;

/// The most messages on a connection that several conversations use. Exim delivers only the first
/// ten of a connection at once, and leaves others to its queue (`smtp_accept_queue_per_connection`).
const MAX_MESSAGES: usize = 10;

/// A connection to a next hop, as the host of conversations hands it out and takes it back.
#[derive(Debug)]
pub struct Connection<N> {
    /// The number of its next hop.
    pub number: usize,
    /// What is read and written.
    pub channel: N,
    /// What happened on it before.
    pub history: History,
}

/// What happened on a connection before its conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// Nothing: the next hop is about to greet.
    New,
    /// Another conversation: the next hop has greeted, and waits for EHLO.
    Kept {
        /// The number of messages that were carried.
        messages: usize,
    },
}

/// The connection that a conversation asks its host for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A kept one, or else a new one.
    Any,
    /// A new one.
    New,
}

/// Whether another conversation may use a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fitness {
    /// Not yet: it has carried no message for this conversation.
    Untried,
    /// Yes.
    Fit,
    /// No longer: the next hop knows a client by it, or has refused something.
    Unfit,
}

/// The connection to the next hop, if there is one.
pub enum Next<N> {
    /// A connection.
    Open(Open<N>),
    /// None: it was given up, and the next command that needs one makes another.
    Released,
}

/// An open connection.
pub struct Open<N> {
    party: Party<N>,
    number: usize,
    history: History,
    messages: usize,
    fitness: Fitness,
}

impl<N: Channel> Next<N> {
    /// A connection on which each reply has to end within `patience`.
    pub fn new(connection: Connection<N>, patience: Duration) -> Self {
        let Connection { number, channel, history } = connection;
        let messages = match history {
            History::New => 0,
            History::Kept { messages } => messages,
        };
        let party = Party::new(channel, patience);
        Self::Open(Open { party, number, history, messages, fitness: Fitness::Untried })
    }

    /// Whether there is no connection.
    pub fn is_released(&self) -> bool {
        matches!(self, Self::Released)
    }

    /// Whether another conversation has used the connection.
    pub fn is_kept(&self) -> bool {
        matches!(self, Self::Open(Open { history: History::Kept { .. }, .. }))
    }

    /// Whether a connection of several conversations has carried as many messages as it may.
    pub fn is_used_up(&self) -> bool {
        matches!(self, Self::Open(open) if self.is_kept() && open.messages >= MAX_MESSAGES)
    }

    /// Whether another conversation may use the connection.
    pub fn is_fit(&self) -> bool {
        match self {
            Self::Open(open) => {
                open.fitness == Fitness::Fit
                    && open.messages < MAX_MESSAGES
                    && !open.party.has_ended()
            }
            Self::Released => false,
        }
    }

    /// Waits for the greeting of a new connection. Returns the one that refuses it.
    ///
    /// # Errors
    /// Those of [`reply`](Self::reply).
    pub fn refusal(&mut self) -> io::Result<Option<Reply>> {
        if self.is_kept() {
            return Ok(None);
        }
        self.reply().map(|greeting| Some(greeting).filter(|greeting| !greeting.is_positive()))
    }

    /// Sends a command and reads its reply.
    ///
    /// # Errors
    /// Those of [`reply`](Self::reply), and of writing.
    pub fn ask(&mut self, line: &[u8]) -> io::Result<Reply> {
        let open = self.open()?;
        // The session is that of one client from now on, whatever the next hop answers.
        if matches!(Verb::of(line), Verb::Client | Verb::Login) {
            open.fitness = Fitness::Unfit;
        }
        open.party.write_all(line)?;
        open.party.write_all(b"\r\n")?;
        self.reply()
    }

    /// Reads the next reply; sends the output so far first.
    ///
    /// # Errors
    /// Those of [`Party::reply`]; [`NotConnected`](io::ErrorKind::NotConnected) without a
    /// connection.
    pub fn reply(&mut self) -> io::Result<Reply> {
        let open = self.open()?;
        let reply = open.party.reply()?;
        if reply.code() >= 400 {
            open.fitness = Fitness::Unfit;
        }
        Ok(reply)
    }

    /// Notes that the next hop has taken a message.
    pub fn note_message(&mut self) {
        let Self::Open(open) = self else { return };
        open.messages += 1;
        if open.fitness == Fitness::Untried {
            open.fitness = Fitness::Fit;
        }
    }

    /// Takes the connection out, for another conversation.
    pub fn take(&mut self) -> Option<Connection<N>> {
        match std::mem::replace(self, Self::Released) {
            Self::Open(Open { party, number, messages, .. }) => Some(Connection {
                number,
                channel: party.into_stream(),
                history: History::Kept { messages },
            }),
            Self::Released => None,
        }
    }

    /// Says QUIT, and gives the connection up. A next hop that has gone need not hear it.
    pub fn quit(&mut self) {
        let _ = self.write_all(b"QUIT\r\n").and_then(|()| self.flush());
        *self = Self::Released;
    }

    /// Whether the connection can be encrypted, and is not yet.
    pub fn can_be_secured(&self) -> bool {
        matches!(self, Self::Open(open) if open.party.can_be_secured())
    }

    /// Encrypts all that follows.
    ///
    /// # Errors
    /// Those of [`Party::secure`].
    pub fn secure(&mut self) -> io::Result<()> {
        self.open()?.party.secure()
    }

    /// Whether no one on the way can read what is said.
    pub fn is_private(&self) -> bool {
        matches!(self, Self::Open(open) if open.party.is_private())
    }

    /// Whether the next hop has ended the connection, or is about to.
    pub fn has_ended(&self) -> bool {
        matches!(self, Self::Open(open) if open.party.has_ended())
    }

    fn open(&mut self) -> io::Result<&mut Open<N>> {
        match self {
            Self::Open(open) => Ok(open),
            Self::Released => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}

impl<N: Channel> Write for Next<N> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.open()?.party.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.open()?.party.flush()
    }
}
