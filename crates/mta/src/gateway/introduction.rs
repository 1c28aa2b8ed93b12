//! How the gateway introduces a client to the next hop: EHLO, and before that who it is, if the
//! next hop is to know.

use std::io;

use super::channel::Channel;
use super::command::Verb;
use super::exchange::{Broken, Conversation, Done};
use super::hello::Extensions;
use super::reply::Reply;

impl<C: Channel, N: Channel> Conversation<'_, C, N> {
    /// Says EHLO for the client; if the next hop has to know whose connection this is, XCLIENT and
    /// EHLO again.
    pub(super) fn introduce(&mut self, line: &[u8]) -> Done<Reply> {
        let mut reply = self.greet(line)?;
        if reply.is_positive() && self.next.can_be_secured() {
            self.secure_next()?;
            reply = self.greet(line)?;
        }
        let is_known = self.host.peer.is_some() || self.host.is_unknown;
        let is_untold =
            is_known && self.host.tells_client && !self.host.is_trusted && !self.has_told;
        if !is_untold || !reply.is_positive() {
            return Ok(reply);
        }
        // Otherwise the next hop would take the client for this machine, and trust it.
        let Some(told) = self.extensions.client_line(self.host.peer) else {
            let why = "it offers no XCLIENT with ADDR to the gateway";
            return Err(Broken::Next(io::Error::new(io::ErrorKind::Unsupported, why)));
        };
        let reply = self.ask(&told)?;
        // The words are refused, not the client: it knows no IPv6, or does not believe this
        // machine.
        if matches!(reply.code(), 501..=503 | 550) {
            let why = format!("it refuses XCLIENT: {}", reply.first_line());
            return Err(Broken::Next(io::Error::new(io::ErrorKind::Unsupported, why)));
        }
        if !reply.is_positive() {
            return Ok(reply);
        }
        self.has_told = true;
        self.greet(line)
    }

    /// Whether a command has to wait for EHLO: the connection to the next hop is not encrypted yet,
    /// or it does not know whose it is.
    pub(super) fn waits_for_hello(&self, verb: Verb) -> bool {
        let is_hello = matches!(verb, Verb::Ehlo | Verb::Helo | Verb::Lhlo | Verb::Quit);
        let tells_client = self.host.tells_client && !self.host.is_trusted;
        !self.is_introduced && !is_hello && (tells_client || self.next.can_be_secured())
    }

    /// Encrypts the connection to the next hop.
    fn secure_next(&mut self) -> Done {
        let is_agreed = self.extensions.starts_tls && self.ask(b"STARTTLS")?.code() == 220;
        if !is_agreed {
            let why =
                io::Error::new(io::ErrorKind::Unsupported, "it offers no STARTTLS, or refuses it");
            return Err(Broken::Next(why));
        }
        self.next.secure().map_err(Broken::Next)
    }

    /// Says EHLO, and HELO to a server that does not know that.
    fn greet(&mut self, line: &[u8]) -> Done<Reply> {
        let is_lmtp = Verb::of(line) == Verb::Lhlo;
        let name = line.get(4..).unwrap_or_default();
        let mut reply = self.ask(&[if is_lmtp { b"LHLO" } else { b"EHLO" }, name].concat())?;
        if reply.is_positive() {
            self.extensions = Extensions::of(&reply);
        } else if !is_lmtp && !reply.is_farewell() {
            reply = self.ask(&[b"HELO", name].concat())?;
            self.extensions = Extensions::default();
        }
        Ok(reply)
    }
}
