//! A next hop that does not wait as long as a client takes: the connection is made again, and with
//! it the transaction.
//!
//! A server waits only so long for the next command (RFC 5321, 4.5.3.2.7: 5 minutes; Postfix 10
//! seconds under stress), and all of a message is read between the last RCPT and DATA. Until it has
//! answered DATA with 354 it has nothing of the message: nothing is sent twice.
//!
//! A client that is idle keeps no connection of the next hop: between two messages it is given up
//! after a few seconds, and made again for the next command that the next hop has to answer. What
//! that client hears is therefore always what this next hop offers, and its first connection is
//! made before its greeting: what the next hop greets with, a client hears.

use std::io::{self, Write};
use std::time::Duration;

use super::channel::Channel;
use super::command::Verb;
use super::exchange::{Broken, Conversation, Done, Patience};
use super::party::{Line, Party, is_timeout};
use super::reply::Reply;
use super::transaction::Demands;

/// The most commands that open a connection: those of a client that says XCLIENT and EHLO again and
/// again.
const MAX_OPENING: usize = 16;

impl<C: Channel, N: Channel> Conversation<'_, C, N> {
    /// Asks the next hop to take the message; once more, on a new connection, if it has gone
    /// meanwhile.
    pub(super) fn begin_message(&mut self) -> Done<Reply> {
        let asked = self.ask(b"DATA");
        if !has_gone(&asked, Reply::is_farewell) {
            return asked;
        }
        match self.reopen()? {
            Some(refusal) => Ok(refusal),
            None => self.ask(b"DATA"),
        }
    }

    /// Makes sure that the next hop still has the transaction; otherwise it is told on a new
    /// connection. Returns the reply that refuses it. For a message in one chunk, which begins
    /// without asking.
    pub(super) fn wake(&mut self) -> Done<Option<Reply>> {
        let asked = self.ask(b"NOOP");
        if has_gone(&asked, Reply::is_farewell) { self.reopen() } else { asked.map(|_| None) }
    }

    /// Restarts the transaction unless the next hop was already asked for the same. Returns the
    /// reply that refuses it.
    pub(super) fn demand(&mut self, demands: Demands) -> Done<Option<Reply>> {
        match &mut self.transaction {
            Some(transaction) if transaction.asked != demands => transaction.asked = demands,
            _ => return Ok(None),
        }
        let restarted = match self.ask(b"RSET") {
            Ok(reply) if reply.is_positive() => self.repeat_transaction(),
            Ok(reply) => Ok(Some(reply)),
            Err(broken) => Err(broken),
        };
        let is_farewell =
            |refusal: &Option<Reply>| refusal.as_ref().is_some_and(Reply::is_farewell);
        if has_gone(&restarted, is_farewell) { self.reopen() } else { restarted }
    }

    /// Ends the transaction at the next hop. If that has gone, it is asked for the client's next
    /// message on a new connection; if there is none, that message is refused.
    pub(super) fn reset(&mut self) -> Done {
        let asked = self.ask(b"RSET");
        if has_gone(&asked, Reply::is_farewell) {
            let _ = self.connect();
            return Ok(());
        }
        asked.map(drop)
    }

    /// Keeps a command for a new connection: EHLO, or XCLIENT, after which servers begin anew.
    pub(super) fn keep_opening(&mut self, line: &[u8]) {
        if Verb::of(line) != Verb::Client
            && self.opening.last().is_some_and(|last| Verb::of(last) != Verb::Client)
        {
            self.opening.pop();
        }
        self.opening.push(line.to_vec());
        // Too many are from no mail server: then a next hop that has gone stays away.
        self.opening.truncate(MAX_OPENING);
    }

    /// The client's next line. If it says nothing for a while between messages, the connection to
    /// the next hop is given up.
    pub(super) fn next_line(&mut self) -> Done<Line> {
        let Patience { line, idle, .. } = self.host.patience;
        if !self.may_release() {
            return self.client.line().map_err(Broken::Client);
        }

        (self.host.wait)(idle);
        let has_come = self.client.has_come().map_err(Broken::Client)?;
        let waited = if has_come { Duration::ZERO } else { idle };
        if !has_come {
            self.is_released = true;
            // One that has gone need not hear it.
            let _ = self.next.write_all(b"QUIT\r\n").and_then(|()| self.next.flush());
        }

        (self.host.wait)(line.saturating_sub(waited));
        let read = self.client.line_after(waited).map_err(Broken::Client);
        (self.host.wait)(line);
        read
    }

    /// Returns whether the next hop has a connection that no message needs.
    fn may_release(&self) -> bool {
        // XFORWARD belongs to the message that follows it.
        let is_needed = self.transaction.is_some() || !self.forwarded.is_empty();
        !self.is_released && !is_needed && self.opening.len() < MAX_OPENING
    }

    /// Makes a connection to the next hop for a command that needs one, if there is none any more:
    /// it was given up, or the next hop has ended it, as one that was restarted has. Returns the
    /// reply that refuses that.
    pub(super) fn return_to_next(&mut self, verb: Verb, line: &[u8]) -> Done<Option<Reply>> {
        let is_answered_here = match verb {
            Verb::Passed => line.get(..4).is_some_and(|word| word.eq_ignore_ascii_case(b"NOOP")),
            Verb::Rset | Verb::Quit | Verb::Data | Verb::Chunk | Verb::StartTls | Verb::Unknown => {
                true
            }
            _ => self.waits_for_hello(verb),
        };
        if self.transaction.is_some() || is_answered_here || self.opening.len() == MAX_OPENING {
            return Ok(None);
        }
        if !self.is_released && !self.next.has_ended() {
            return Ok(None);
        }
        self.is_released = true;
        let mut refusal = self.connect()?;
        for line in self.forwarded.clone() {
            if refusal.is_none() {
                refusal = Some(self.ask(&line)?).filter(|reply| !reply.is_positive());
            }
        }
        self.is_released = refusal.is_some();
        Ok(refusal.map(for_now))
    }

    /// The transaction on a new connection. Returns the reply that refuses it: one that asks the
    /// client to try again, because it was accepted before.
    fn reopen(&mut self) -> Done<Option<Reply>> {
        let refusal = match self.connect()? {
            None => self.repeat_transaction()?,
            refusal => refusal,
        };
        Ok(refusal.map(for_now))
    }

    /// A new connection in the place of the old one. Returns the reply by which the next hop
    /// refuses that.
    fn connect(&mut self) -> Done<Option<Reply>> {
        if self.opening.len() == MAX_OPENING {
            return Err(Broken::Next(io::ErrorKind::ConnectionAborted.into()));
        }
        self.next =
            Party::new((self.host.connect)().map_err(Broken::Next)?, self.host.patience.line);
        self.has_told = false;
        let greeting = self.next.reply().map_err(Broken::Next)?;
        if !greeting.is_positive() {
            return Ok(Some(greeting));
        }
        for line in self.opening.clone() {
            let reply = match Verb::of(&line) {
                Verb::Client => self.ask(&line)?,
                _ => self.introduce(&line)?,
            };
            if !reply.is_positive() {
                return Ok(Some(reply));
            }
        }
        for line in self.login.clone() {
            let reply = self.ask(&line)?;
            if !(reply.is_positive() || reply.code() == 334) {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }

    /// Says XFORWARD, MAIL and RCPT again; returns the reply that refuses one.
    fn repeat_transaction(&mut self) -> Done<Option<Reply>> {
        let Some(transaction) = &self.transaction else { return Ok(None) };
        if !self.extensions.meet(transaction.asked) {
            return Ok(Some(Reply::new(
                &b"451 4.3.0 the next hop offers less than before\r\n"[..],
            )));
        }
        for command in transaction.commands(&self.forwarded) {
            let reply = self.ask(&command)?;
            if !reply.is_positive() {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }
}

/// The reply to what was accepted before on another connection: its client is to try again.
fn for_now(refusal: Reply) -> Reply {
    match refusal.code() {
        500.. => Reply::new(&b"451 4.3.0 the next hop takes back what it has accepted\r\n"[..]),
        _ => refusal,
    }
}

/// Whether the next hop has ended the connection, and has not just been silent for too long.
fn has_gone<T>(asked: &Done<T>, is_farewell: impl Fn(&T) -> bool) -> bool {
    match asked {
        Ok(reply) => is_farewell(reply),
        Err(Broken::Next(error)) => !is_timeout(error),
        Err(Broken::Client(_)) => false,
    }
}
