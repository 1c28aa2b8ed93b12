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
//!
//! A connection that is given up passes to another conversation, if nothing of the client stays with
//! it ([`next`](super::next)). That conversation does not depend on it: a kept connection that turns
//! out to be dead is replaced by a new one as long as no transaction has begun on it.

use std::io;
use std::time::Duration;

use super::channel::Channel;
use super::command::Verb;
use super::exchange::{Broken, Conversation, Done, Patience};
use super::next::{Next, Wanted};
use super::party::{Line, is_timeout};
use super::reply::Reply;
use super::transaction::Demands;

/// The most commands that open a connection: those of a client that says XCLIENT and EHLO again and
/// again.
const MAX_OPENING: usize = 16;

/// The most commands since the last message on a connection that another conversation may use. Some
/// clients say RSET or NOOP before QUIT; servers count such commands.
const MAX_SINCE_MESSAGE: usize = 2;

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

    /// Says EHLO for the client; on a new connection, if a kept one has gone meanwhile.
    pub(super) fn introduce_anew(&mut self, line: &[u8]) -> Done<Reply> {
        self.ask_anew(|conversation| conversation.introduce(line))
    }

    /// Begins a transaction by MAIL; on a new connection, if the next hop ends a kept one, as for
    /// too many messages.
    pub(super) fn begin_transaction(&mut self, mail: &[u8]) -> Done<Reply> {
        self.ask_anew(|conversation| {
            conversation.forward_client()?;
            conversation.ask(mail)
        })
    }

    /// Asks the next hop; once more, on a new connection, if a kept one has gone.
    fn ask_anew(&mut self, ask: impl Fn(&mut Self) -> Done<Reply>) -> Done<Reply> {
        let asked = ask(self);
        if !self.next.is_kept() || !has_gone(&asked, Reply::is_farewell) {
            return asked;
        }
        match self.replace()? {
            Some(refusal) => Ok(refusal),
            None => ask(self),
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
        if has_gone(&restarted, is_farewell) { self.reopen() } else { restarted }
    }

    /// Ends the transaction at the next hop. If that has gone, it is asked for the client's next
    /// message on a new connection; if there is none, that message is refused.
    pub(super) fn reset(&mut self) -> Done {
        let asked = self.ask(b"RSET");
        if has_gone(&asked, Reply::is_farewell) {
            let _ = self.connect(Wanted::New);
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
            self.release();
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
        !self.next.is_released() && !is_needed && self.opening.len() < MAX_OPENING
    }

    /// Gives up the connection to the next hop: passes it on if another conversation may use it, and
    /// says QUIT otherwise.
    pub(super) fn release(&mut self) {
        if self.may_be_kept()
            && let Some(connection) = self.next.take()
        {
            (self.host.give_back)(connection);
        } else {
            self.next.quit();
        }
    }

    /// Returns whether another conversation may use the connection to the next hop.
    pub(super) fn may_be_kept(&self) -> bool {
        self.next.is_fit()
            && !self.host.tells_client
            && self.transaction.is_none()
            && self.forwarded.is_empty()
            && self.idle_commands <= MAX_SINCE_MESSAGE
    }

    /// Returns whether the next hop does not hear this client: there is no connection, or a kept one
    /// that waits for the client's EHLO.
    pub(super) fn is_unheard(&self) -> bool {
        self.next.is_released() || self.next.is_kept() && self.opening.is_empty()
    }

    /// Makes a connection to the next hop for a command that needs one, if there is none any more:
    /// it was given up, or the next hop has ended it, as one that was restarted has. A kept one is
    /// replaced if it has carried its messages, or if the client says no EHLO: it has that of
    /// another client. Returns the reply that refuses that.
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

        let is_hello = matches!(verb, Verb::Ehlo | Verb::Helo | Verb::Lhlo);
        let is_introduced = is_hello || !self.opening.is_empty();
        let is_anothers = self.next.is_kept() && !is_introduced;
        let is_lost = self.next.is_released() || self.next.has_ended();
        if !is_lost && !is_anothers && !self.next.is_used_up() {
            return Ok(None);
        }

        self.next.quit();
        self.connect_between(if is_introduced { Wanted::Any } else { Wanted::New })
    }

    /// A new connection in the place of a kept one that has gone. Returns the reply by which the
    /// next hop refuses that.
    fn replace(&mut self) -> Done<Option<Reply>> {
        self.next = Next::Released;
        self.connect_between(Wanted::New)
    }

    /// A connection between two messages, with the XFORWARD commands for the next one. Returns the
    /// reply by which the next hop refuses that; then the next command tries again.
    fn connect_between(&mut self, wanted: Wanted) -> Done<Option<Reply>> {
        let mut refusal = self.connect(wanted)?;
        for line in self.forwarded.clone() {
            if refusal.is_none() {
                refusal = Some(self.ask(&line)?).filter(|reply| !reply.is_positive());
            }
        }
        if refusal.is_some() {
            self.next = Next::Released;
        }
        Ok(refusal.map(for_now))
    }

    /// The transaction on a new connection. Returns the reply that refuses it: one that asks the
    /// client to try again, because it was accepted before.
    fn reopen(&mut self) -> Done<Option<Reply>> {
        let refusal = match self.connect(Wanted::New)? {
            None => self.repeat_transaction()?,
            refusal => refusal,
        };
        Ok(refusal.map(for_now))
    }

    /// Another connection in the place of the old one. Returns the reply by which the next hop
    /// refuses that.
    fn connect(&mut self, wanted: Wanted) -> Done<Option<Reply>> {
        if self.opening.len() == MAX_OPENING {
            return Err(Broken::Next(io::ErrorKind::ConnectionAborted.into()));
        }
        let connection = (self.host.connect)(wanted).map_err(Broken::Next)?;
        self.next = Next::new(connection, self.host.patience.line);
        self.has_told = false;

        let opened = self.open();
        if wanted == Wanted::Any && self.next.is_kept() && has_gone(&opened, is_farewell) {
            return self.connect(Wanted::New);
        }
        opened
    }

    /// Waits for the greeting, and says EHLO, XCLIENT and AUTH as before. Returns the reply that
    /// refuses one.
    fn open(&mut self) -> Done<Option<Reply>> {
        if let Some(greeting) = self.next.refusal().map_err(Broken::Next)? {
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

/// Whether the next hop ends the connection with the reply that refuses something.
fn is_farewell(refusal: &Option<Reply>) -> bool {
    refusal.as_ref().is_some_and(Reply::is_farewell)
}

/// Whether the next hop has ended the connection, and has not just been silent for too long.
fn has_gone<T>(asked: &Done<T>, is_farewell: impl Fn(&T) -> bool) -> bool {
    match asked {
        Ok(reply) => is_farewell(reply),
        Err(Broken::Next(error)) => !is_timeout(error),
        Err(Broken::Client(_)) => false,
    }
}
