//! The basics of a conversation: a client, the next hop, and how either is asked and answered.

use std::io::{self, Write};
use std::net::IpAddr;
use std::time::{Duration, Instant};

use super::channel::Channel;
use super::hello::Extensions;
use super::next::{Connection, Next, Wanted};
use super::party::Party;
use super::reply::Reply;
use super::spool::{Growing, Room};
use super::transaction::Transaction;

/// Why a conversation ended before QUIT.
#[derive(Debug)]
pub enum Broken {
    /// The client has disconnected, or waits too long.
    Client(io::Error),
    /// The next hop has disconnected, waits too long, or does not speak SMTP.
    Next(io::Error),
}

/// The options and functions that the service provides to a conversation.
pub struct Host<'h, N> {
    /// The gateway's name in greetings.
    pub name: &'h str,
    /// Where the client came in.
    pub listener: &'h str,
    /// Its address: as its proxy says it, if there is one.
    pub peer: Option<IpAddr>,
    /// Whether a proxy has made the connection, and does not say for whom.
    pub is_unknown: bool,
    /// Whether a proxy says it.
    pub is_proxied: bool,
    /// Whether it is believed who its own client is.
    pub is_trusted: bool,
    /// Whether the next hop is told the address of a client that is not believed, and treats it as
    /// its own client's.
    pub tells_client: bool,
    /// How long a command may take, and each reply of the next hop; how long a message.
    pub patience: Patience,
    /// Where messages are kept while they pass.
    pub room: &'h Room,
    /// Returns a connection to the next hop.
    pub connect: &'h dyn Fn(Wanted) -> io::Result<Connection<N>>,
    /// Takes a connection that another conversation may use, and ends it if none does.
    pub give_back: &'h dyn Fn(Connection<N>),
    /// Sets how long a read of the client waits.
    pub wait: &'h dyn Fn(Duration),
    /// Is told whether a message is in progress; returns whether the conversation may go on.
    pub goes_on: &'h dyn Fn(bool) -> bool,
    /// Is told that a message may begin; returns whether it may.
    pub begins: &'h dyn Fn() -> bool,
}

/// How long is waited for something to end, whatever has come of it.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// A command; a reply.
    pub line: Duration,
    /// A command, before the connection to the next hop is given up: the next hop waits for none.
    pub idle: Duration,
    /// A message.
    pub message: Duration,
}

/// One conversation.
pub struct Conversation<'h, C, N> {
    pub(super) client: Party<C>,
    pub(super) next: Next<N>,
    pub(super) host: Host<'h, N>,
    pub(super) extensions: Extensions,
    pub(super) is_lmtp: bool,
    /// EHLO, and XCLIENT before it: what a new connection to the next hop begins with.
    pub(super) opening: Vec<Vec<u8>>,
    /// The XFORWARD commands for the transaction; a server forgets them at its end.
    pub(super) forwarded: Vec<Vec<u8>>,
    pub(super) transaction: Option<Transaction>,
    /// The message of the transaction, once a part of it has come.
    pub(super) coming: Option<Coming>,
    /// Whether EHLO was accepted.
    pub(super) is_introduced: bool,
    /// Whether this connection of the next hop was told the client's address.
    pub(super) has_told: bool,
    /// The lines of AUTH by which the client has logged in: said again on a new connection to the
    /// next hop.
    pub(super) login: Vec<Vec<u8>>,
    pub(super) has_quit: bool,
    /// Whether the client has heard why the next hop does not take it.
    pub(super) has_taken_leave: bool,
    /// How many commands have come since the last message that carry none on.
    pub(super) idle_commands: usize,
}

/// A message that comes.
pub(super) struct Coming {
    pub(super) message: Growing,
    /// When it has to have come.
    pub(super) until: Instant,
}

/// The result of a step.
pub type Done<T = ()> = Result<T, Broken>;

impl<'h, C: Channel, N: Channel> Conversation<'h, C, N> {
    /// A conversation between the two.
    pub fn new(client: C, next: Connection<N>, host: Host<'h, N>) -> Self {
        Self {
            client: Party::new(client, host.patience.line),
            next: Next::new(next, host.patience.line),
            host,
            extensions: Extensions::default(),
            is_lmtp: false,
            opening: Vec::new(),
            forwarded: Vec::new(),
            transaction: None,
            coming: None,
            is_introduced: false,
            has_told: false,
            login: Vec::new(),
            has_quit: false,
            has_taken_leave: false,
            idle_commands: 0,
        }
    }

    /// Sends the last reply.
    pub(super) fn farewell(&mut self, reply: &Reply) -> Done {
        self.answer(reply)?;
        self.client.flush().map_err(Broken::Client)
    }

    /// Ends the transaction, and drops its XFORWARD commands.
    pub(super) fn forget(&mut self) {
        self.transaction = None;
        self.coming = None;
        self.forwarded.clear();
    }

    /// How many replies the end of a message has: one, or in LMTP one for each recipient (RFC 2033,
    /// 4.2).
    pub(super) fn answers(&self) -> usize {
        match &self.transaction {
            Some(transaction) if self.is_lmtp => transaction.count(),
            _ => 1,
        }
    }

    /// Passes a command of the client to the next hop, and the reply back.
    pub(super) fn pass(&mut self, line: &[u8]) -> Done<bool> {
        let reply = self.ask(line)?;
        self.answer(&reply)
    }

    /// Sends a command to the next hop, and returns its reply.
    pub(super) fn ask(&mut self, line: &[u8]) -> Done<Reply> {
        self.next.ask(line).map_err(Broken::Next)
    }

    /// Answers the client; returns whether the conversation goes on after that.
    pub(super) fn answer(&mut self, reply: &Reply) -> Done<bool> {
        self.client.write_all(reply.octets()).map_err(Broken::Client)?;
        Ok(!reply.is_farewell())
    }

    /// Answers in the gateway's own words.
    pub(super) fn say(&mut self, words: &str) -> Done<bool> {
        if words.starts_with('5') {
            self.idle_commands += 1;
        }
        self.answer(&Reply::new(format!("{words}\r\n")))
    }
}
