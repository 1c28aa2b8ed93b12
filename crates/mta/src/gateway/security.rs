//! STARTTLS (RFC 3207) and AUTH (RFC 4954) of a client. A login is the next hop's: it judges it,
//! and knows the accounts.

use super::channel::Channel;
use super::exchange::{Broken, Conversation, Done};
use super::hello::LOGINS;
use super::party::Line;

/// The most lines of one login.
const MAX_LINES: usize = 16;

impl<C: Channel, N: Channel> Conversation<'_, C, N> {
    /// Handles STARTTLS: what was said before, in clear, is forgotten.
    pub(super) fn start_tls(&mut self, line: &[u8]) -> Done<bool> {
        if !self.client.can_be_secured() {
            return self.say("502 5.5.1 not offered here");
        }
        if line.len() != b"STARTTLS".len() {
            return self.say("501 5.5.4 STARTTLS has no argument");
        }
        if !self.login.is_empty() {
            return self.say("503 5.5.1 after AUTH");
        }
        if self.transaction.is_some() {
            self.reset()?;
        }
        self.forget();
        self.say("220 2.0.0 go on")?;
        self.client.secure().map(|()| true).map_err(Broken::Client)
    }

    /// Whether AUTH is offered: no one between client and next hop hears the password.
    pub(super) fn offers_login(&self) -> bool {
        self.client.is_private() && self.next.is_private()
    }

    /// Handles AUTH: its lines pass to the next hop, and the replies back.
    pub(super) fn log_in(&mut self, line: &[u8]) -> Done<bool> {
        if !self.offers_login() || !self.extensions.takes_login() {
            return self.say("502 5.5.1 not offered here");
        }
        if self.transaction.is_some() || !self.login.is_empty() {
            return self.say("503 5.5.1 not now");
        }
        let mechanism =
            line.split(|&octet| octet == b' ').nth(1).unwrap_or_default().to_ascii_uppercase();
        if !LOGINS.contains(&mechanism.as_slice()) {
            return self.say("504 5.5.4 not with this mechanism");
        }
        let mut said = vec![line.to_vec()];
        let mut reply = self.ask(line)?;
        while reply.code() == 334 {
            self.answer(&reply)?;
            match self.client.line().map_err(Broken::Client)? {
                Line::Whole(line) if said.len() < MAX_LINES && is_answer(&line) => said.push(line),
                Line::Ended => return Ok(false),
                _ => {
                    // `*` cancels (RFC 4954, 4).
                    self.ask(b"*")?;
                    return self.say("501 5.5.2 no answer to a challenge");
                }
            }
            reply = self.ask(said.last().map_or(&b"*"[..], Vec::as_slice))?;
        }
        if reply.is_positive() {
            self.login = said;
        }
        self.answer(&reply)
    }
}

/// `base64 / "*"`: anything else could be another command for some server.
fn is_answer(line: &[u8]) -> bool {
    line == b"*" || line.iter().all(|octet| octet.is_ascii_alphanumeric() || b"+/=".contains(octet))
}
