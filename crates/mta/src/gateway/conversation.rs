//! A client and the next hop, one command after another: the next hop answers each, and the end of
//! DATA as well. Nothing is accepted that was not passed on. Works over anything that reads and
//! writes, so that it is tested on octets.
//!
//! The client's SMTPUTF8 and BODY are not passed on unless an address needs it: the message is
//! 7-bit when it leaves. A transaction whose demands grow (a recipient beyond ASCII; a message that
//! has to stay 8-bit) is restarted at the next hop, with the same sender and recipients; so is one
//! that the next hop did not wait for ([`reopen`](super::reopen)).

use std::io::{self, Write};
use std::sync::Arc;

use super::channel::Channel;
use super::command::{Envelope, Verb, written};
use super::exchange::{Broken, Conversation, Done};
use super::hello::Offered;
use super::party::{Line, is_timeout};
use super::reply::Reply;
use super::transaction::{self, Demands, Transaction};
use crate::filter::{Record, TOO_LARGE};
use crate::policy::Policies;

/// How many XFORWARD commands a message may have; Postfix, which splits long ones, sends one or
/// two.
const MAX_FORWARDED: usize = 16;

/// How many commands a client may send that carry no message on, from one message to the next:
/// NOOP, RSET, anything unknown.
const MAX_IDLE_COMMANDS: usize = 100;

/// The answer to an address that no server can take (RFC 6531, 3.3).
const NOT_UTF8: &str = "553 5.6.7 octets beyond ASCII that are not UTF-8";

impl<C: Channel, N: Channel> Conversation<'_, C, N> {
    /// Runs the conversation to its end. `policies` gives the options for each new message; each
    /// message goes to `record`.
    ///
    /// # Errors
    /// The conversation ended early; the side that is still connected has been informed.
    pub fn run(
        &mut self,
        policies: impl Fn() -> Arc<Policies>,
        mut record: impl FnMut(Record),
    ) -> Done {
        let ended = self.converse(&policies, &mut record);
        // Who has gone need not hear it.
        let _ = match &ended {
            Err(Broken::Next(_)) if !self.has_taken_leave => {
                self.leave("421 4.3.0", "the next hop has gone")
            }
            Err(Broken::Client(error)) if is_timeout(error) => {
                self.leave("421 4.4.2", "this takes too long")
            }
            // What it says is no longer read: it may be amid a message.
            Err(Broken::Client(_)) if !(self.host.goes_on)(false) => {
                self.leave("421 4.3.2", "stops")
            }
            _ => Ok(()),
        };
        if !(self.has_quit || matches!(ended, Err(Broken::Next(_)))) {
            self.release();
        }
        ended
    }

    /// Takes leave of the client.
    fn leave(&mut self, code: &str, why: &str) -> Done {
        self.farewell(&Reply::new(format!("{code} {} {why}\r\n", self.host.name)))
    }

    fn converse(
        &mut self,
        policies: &impl Fn() -> Arc<Policies>,
        record: &mut impl FnMut(Record),
    ) -> Done {
        if let Some(greeting) = self.next.refusal().map_err(Broken::Next)? {
            self.farewell(&greeting)?;
            self.has_taken_leave = true;
            let said = greeting.texts().next().map(String::from_utf8_lossy).unwrap_or_default();
            return Err(Broken::Next(io::Error::other(format!(
                "it refuses the connection: {said}"
            ))));
        }
        self.say(&format!("220 {} ESMTP sevenbit", self.host.name))?;
        loop {
            if !(self.host.goes_on)(self.transaction.is_some()) {
                return self.leave("421 4.3.2", "stops");
            }
            if self.idle_commands > MAX_IDLE_COMMANDS {
                let why = "too many commands, and no message";
                self.leave("421 4.7.0", why)?;
                return Err(Broken::Client(io::Error::new(io::ErrorKind::QuotaExceeded, why)));
            }
            let line = match self.next_line()? {
                Line::Whole(line) => line,
                Line::TooLong => {
                    self.say("500 5.5.2 a line too long")?;
                    continue;
                }
                Line::Ended if !(self.host.goes_on)(false) => {
                    return self.leave("421 4.3.2", "stops");
                }
                Line::Ended => return Ok(()),
            };
            let verb = Verb::of(&line);
            let counted = self.idle_commands;
            if let Some(refusal) = self.return_to_next(verb, &line)? {
                if !self.answer(&refusal)? {
                    return self.client.flush().map_err(Broken::Client);
                }
                continue;
            }
            let goes_on = match verb {
                verb if self.waits_for_hello(verb) => self.say("503 5.5.1 EHLO comes first")?,
                Verb::Ehlo | Verb::Lhlo | Verb::Helo => self.hello(verb, &line, policies)?,
                Verb::Mail | Verb::Rcpt if self.coming.is_some() => {
                    self.say("503 5.5.1 a message comes")?
                }
                // Who stops the service sees a message that begins, or what is sent is not read.
                Verb::Mail if !(self.host.begins)() => return self.leave("421 4.3.2", "stops"),
                Verb::Mail => self.mail(&line, policies)?,
                Verb::Rcpt => self.recipient(&line)?,
                Verb::Data => self.data(&line, record)?,
                Verb::Chunk => self.chunk(&line, record)?,
                Verb::Rset => {
                    self.forget();
                    if self.is_unheard() { self.say("250 2.0.0 ok")? } else { self.pass(&line)? }
                }
                Verb::Forward | Verb::Client if !self.host.is_trusted => {
                    self.say("550 5.7.0 not from here")?
                }
                Verb::Forward => self.forward(&line)?,
                Verb::Client => self.client_is(&line)?,
                Verb::StartTls => self.start_tls(&line)?,
                Verb::Login => self.log_in(&line)?,
                Verb::Passed if self.is_unheard() => self.say("250 2.0.0 ok")?,
                Verb::Passed => self.pass(&line)?,
                Verb::Quit if self.is_unheard() || self.may_be_kept() => {
                    // Before the answer: the client may come back at once.
                    self.release();
                    return self.leave("221 2.0.0", "bye");
                }
                Verb::Quit => {
                    let reply = self.ask(&line)?;
                    self.has_quit = true;
                    return self.farewell(&reply);
                }
                Verb::Unknown => self.say("502 5.5.1 not offered here")?,
            };
            // A refusal has been counted.
            let carries_on = matches!(verb, Verb::Mail | Verb::Rcpt | Verb::Data | Verb::Chunk);
            if !carries_on && self.idle_commands == counted {
                self.idle_commands += 1;
            }
            if !goes_on {
                return self.client.flush().map_err(Broken::Client);
            }
        }
    }

    /// Handles EHLO, LHLO and HELO: the next hop is asked for its extensions even if the client
    /// does not know any.
    fn hello(
        &mut self,
        verb: Verb,
        line: &[u8],
        policies: &impl Fn() -> Arc<Policies>,
    ) -> Done<bool> {
        let reply = self.introduce_anew(line)?;
        if !reply.is_positive() {
            return self.answer(&reply);
        }
        self.forget();
        self.keep_opening(line);
        self.is_introduced = true;
        self.is_lmtp = verb == Verb::Lhlo;
        match verb {
            Verb::Helo => self.say(&format!("250 {}", self.host.name)),
            _ => {
                let policies = policies();
                let (base, size) = (&policies.base, self.longest(&policies));
                let offered = Offered {
                    forwarding: self.host.is_trusted,
                    tls: self.client.can_be_secured(),
                    login: self.offers_login(),
                    mended: !base.dry_run && !base.skip,
                };
                self.answer(&Reply::new(self.extensions.answer(self.host.name, size, offered)))
            }
        }
    }

    fn client_is(&mut self, line: &[u8]) -> Done<bool> {
        let reply = self.ask(line)?;
        if reply.is_positive() {
            self.forget();
            // The session is another client's now.
            self.login.clear();
            self.keep_opening(line);
        }
        self.answer(&reply)
    }

    fn forward(&mut self, line: &[u8]) -> Done<bool> {
        if self.forwarded.len() == MAX_FORWARDED {
            return self.say("503 5.5.1 XFORWARD too often");
        }
        let reply = self.ask(line)?;
        if reply.is_positive() {
            self.forwarded.push(line.to_vec());
        }
        self.answer(&reply)
    }

    /// Says whose message this is, if the next hop wants to hear that, and the client has not said
    /// it.
    pub(super) fn forward_client(&mut self) -> Done {
        let is_wanted =
            self.extensions.forwards_address && self.forwarded.is_empty() && !self.has_told;
        if !is_wanted {
            return Ok(());
        }
        let Some(peer) = self.host.peer else { return Ok(()) };
        let line = format!("XFORWARD ADDR={}", written(peer)).into_bytes();
        // The next hop may have its reasons to refuse.
        if self.ask(&line)?.is_positive() {
            self.forwarded.push(line);
        }
        Ok(())
    }

    fn mail(&mut self, line: &[u8], policies: &impl Fn() -> Arc<Policies>) -> Done<bool> {
        if std::str::from_utf8(line).is_err() {
            return self.say(NOT_UTF8);
        }
        let is_international = Envelope::of(line).has(b"SMTPUTF8");
        let line = &*if is_international { Envelope::with_a_labels(line) } else { line.into() };
        let mail = Envelope::of(line);
        if mail.has(b"BODY=BINARYMIME") {
            return self.say("555 5.5.4 BINARYMIME is not offered");
        }
        let policies = policies();
        if Transaction::passes_as_it_is(&policies) {
            return self.mail_as_it_is(line, policies);
        }
        if self
            .longest(&policies)
            .is_some_and(|longest| mail.size().is_some_and(|size| size > longest))
        {
            return self.say(TOO_LARGE);
        }
        let demands = Demands { smtputf8: !line.is_ascii(), eight_bit: false };
        if demands.smtputf8 && !(is_international && self.extensions.smtputf8) {
            return self.say("553 5.6.7 the next hop takes no sender beyond ASCII");
        }
        let reply = self.begin_transaction(&transaction::mail(line, demands))?;
        if reply.is_positive() {
            self.transaction = Some(Transaction::new(line, demands, policies));
        }
        self.answer(&reply)
    }

    /// Passes MAIL on as the client says it, and the reply back: without this gateway the next hop
    /// would hear the same.
    fn mail_as_it_is(&mut self, line: &[u8], policies: Arc<Policies>) -> Done<bool> {
        let is_utf8_asked = Envelope::of(line).has(b"SMTPUTF8");
        if !(line.is_ascii() || is_utf8_asked && self.extensions.smtputf8) {
            return self.say("553 5.6.7 the next hop takes no sender beyond ASCII");
        }
        let reply = self.begin_transaction(line)?;
        if reply.is_positive() {
            self.transaction = Some(Transaction::as_it_is(line, policies));
        }
        self.answer(&reply)
    }

    fn recipient(&mut self, line: &[u8]) -> Done<bool> {
        if std::str::from_utf8(line).is_err() {
            return self.say(NOT_UTF8);
        }
        let is_international = self.transaction.as_ref().is_some_and(|open| open.is_international);
        let line = &*if is_international { Envelope::with_a_labels(line) } else { line.into() };
        let line = &*Envelope::without_unitext(line);
        if !line.is_ascii() {
            let open = self.transaction.as_ref().filter(|open| open.is_international);
            let before = open.map(|open| open.asked);
            let (Some(before), true) = (before, self.extensions.smtputf8) else {
                return self.say("553 5.6.7 the next hop takes no recipient beyond ASCII");
            };
            if let Some(refusal) = self.demand(Demands { smtputf8: true, ..before })? {
                // The other recipients get their message: as it was before, or not at all.
                return match self.demand(before)? {
                    None => self.answer(&refusal),
                    Some(_) => {
                        Err(Broken::Next(io::Error::other("it takes back what it has accepted")))
                    }
                };
            }
        }
        let reply = self.ask(line)?;
        if let Some(transaction) = &mut self.transaction
            && reply.is_positive()
        {
            transaction.add(line);
        }
        self.answer(&reply)
    }
}
