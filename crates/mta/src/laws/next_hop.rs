//! The server that a gateway passes mail on to.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;

use crate::gateway::Channel;

/// A server that accepts everything, except as instructed.
#[derive(Default)]
pub struct NextHop {
    pub extensions: Vec<&'static str>,
    /// Replies that differ from the usual ones, by the beginnings of commands.
    pub answers: Vec<(&'static str, &'static str)>,
    /// The command at which it disconnects.
    pub dies_at: &'static str,
    /// The command that it would read when it ends its first connection, as after a silence that
    /// was too long.
    pub leaves_before: &'static str,
    /// Its unusual replies on another connection, if they differ.
    pub answers_again: Vec<(&'static str, &'static str)>,
    /// Its connection can be encrypted, and is to be.
    pub has_tls: bool,
    /// Its connection cannot be read on the way.
    pub is_private: bool,
    /// The replies that it sends before it is asked; if empty, a greeting.
    pub replies: Vec<u8>,
    /// The commands that it received.
    pub heard: Rc<RefCell<Vec<String>>>,
    /// The messages that it accepted, as they were on the wire, each with its MAIL.
    pub taken: Rc<RefCell<Vec<Taken>>>,
    pub state: State,
}

/// Its encryption is none: only that it was asked for is seen.
impl Channel for NextHop {
    fn can_be_secured(&self) -> bool {
        self.has_tls
    }

    fn secure(&mut self) -> io::Result<()> {
        self.heard.borrow_mut().push("(encrypted)".to_owned());
        (self.has_tls, self.is_private) = (false, true);
        Ok(())
    }

    fn has_ended(&self) -> bool {
        !self.replies.is_empty()
    }

    fn is_private(&self) -> bool {
        self.is_private
    }
}

/// A message as it was on the wire, after its MAIL.
type Taken = (String, Vec<u8>);

/// The state of a conversation.
#[derive(Default)]
pub struct State {
    is_dead: bool,
    pending: Vec<u8>,
    in_data: bool,
    /// How many octets of a chunk are to come.
    chunk: Option<usize>,
    mail: String,
    recipients: usize,
    is_lmtp: bool,
    challenges: usize,
}

impl NextHop {
    /// A server with these extensions.
    pub fn with(extensions: &[&'static str]) -> Self {
        Self { extensions: extensions.to_vec(), ..Self::default() }
    }

    /// The server on another connection, which it does not leave.
    pub fn again(&self) -> Self {
        let (heard, taken) = (Rc::clone(&self.heard), Rc::clone(&self.taken));
        let (extensions, replies) = (self.extensions.clone(), self.replies.clone());
        let answers =
            if self.answers_again.is_empty() { &self.answers } else { &self.answers_again }.clone();
        Self {
            extensions,
            answers,
            replies,
            dies_at: self.dies_at,
            has_tls: self.has_tls,
            is_private: self.is_private,
            heard,
            taken,
            ..Self::default()
        }
    }

    /// Disconnects, which is noticed when the next command is sent.
    #[cfg(test)]
    pub fn die(&mut self) {
        self.state.is_dead = true;
    }

    /// Sends the greeting, or what it was given instead.
    pub fn greet(&mut self) {
        if self.replies.is_empty() {
            self.reply("220 next.test ESMTP");
        }
    }

    fn hear(&mut self, line: &str) {
        if !self.leaves_before.is_empty() && line.starts_with(self.leaves_before) {
            self.reply("421 4.4.2 next.test timeout exceeded");
            self.state.is_dead = true;
            return;
        }
        self.heard.borrow_mut().push(line.to_owned());
        if !self.dies_at.is_empty() && line.starts_with(self.dies_at) {
            self.state.is_dead = true;
            return;
        }
        if let Some((_, answer)) = self.answers.iter().find(|(start, _)| line.starts_with(start)) {
            return self.reply(answer);
        }
        if self.state.challenges > 0 {
            self.state.challenges = if line == "*" { 0 } else { self.state.challenges - 1 };
            return self.reply(match (line, self.state.challenges) {
                ("*", _) => "501 5.7.0 cancelled",
                (_, 0) => "235 2.7.0 welcome",
                _ => "334 UGFzc3dvcmQ6",
            });
        }
        match line.split([' ', '\t']).next().unwrap_or_default().to_ascii_uppercase().as_str() {
            verb @ ("EHLO" | "LHLO") => {
                self.state.is_lmtp = verb == "LHLO";
                let lines: String =
                    self.extensions.iter().map(|word| format!("250-{word}\r\n")).collect();
                self.reply(&format!("250-next.test\r\n{lines}250 DSN"));
            }
            "MAIL" | "RSET" => {
                self.state.mail = line.to_owned();
                self.state.recipients = 0;
                self.reply("250 2.1.0 Ok");
            }
            "RCPT" => {
                self.state.recipients += 1;
                self.reply("250 2.1.5 Ok");
            }
            "DATA" => {
                self.state.in_data = true;
                self.reply("354 go");
            }
            "BDAT" => {
                let length = line.split(' ').nth(1).and_then(|length| length.parse().ok());
                self.state.chunk = Some(length.expect("a length"));
            }
            "AUTH" if line == "AUTH LOGIN" => {
                self.state.challenges = 2;
                self.reply("334 VXNlcm5hbWU6");
            }
            "STARTTLS" => self.reply("220 2.0.0 go"),
            "QUIT" => self.reply("221 2.0.0 bye"),
            _ => self.reply("250 2.0.0 whatever"),
        }
    }

    fn take(&mut self, message: Vec<u8>) {
        self.state.in_data = false;
        self.taken.borrow_mut().push((self.state.mail.clone(), message));
        if self.dies_at == "." {
            self.state.is_dead = true;
            return;
        }
        for at in 0..if self.state.is_lmtp { self.state.recipients } else { 1 } {
            let answer =
                self.answers.iter().find(|(start, _)| *start == ".").map(|(_, answer)| *answer);
            self.reply(answer.unwrap_or(if at == 1 {
                "452 4.2.2 full"
            } else {
                "250 2.0.0 queued as X"
            }));
        }
        self.state.recipients = 0;
    }

    fn reply(&mut self, words: &str) {
        self.replies.extend_from_slice(words.as_bytes());
        self.replies.extend_from_slice(b"\r\n");
    }
}

impl Write for NextHop {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.state.is_dead {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.state.pending.extend_from_slice(octets);
        loop {
            if let Some(length) = self.state.chunk {
                if self.state.pending.len() < length {
                    return Ok(octets.len());
                }
                let rest = self.state.pending.split_off(length);
                let chunk = std::mem::replace(&mut self.state.pending, rest);
                self.state.chunk = None;
                self.take(chunk);
            }
            let pending = &self.state.pending;
            let found = if !self.state.in_data {
                pending.windows(2).position(|two| two == b"\r\n").map(|at| (at, 2))
            } else if pending.starts_with(b".\r\n") {
                Some((0, 3))
            } else {
                let end = pending.windows(5).position(|five| five == b"\r\n.\r\n");
                end.map(|at| (at + 2, 3))
            };
            let Some((at, end)) = found else { return Ok(octets.len()) };
            let rest = self.state.pending.split_off(at + end);
            let mut part = std::mem::replace(&mut self.state.pending, rest);
            part.truncate(at);
            if self.state.in_data {
                self.take(part);
            } else {
                self.hear(&String::from_utf8_lossy(&part));
            }
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for NextHop {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = self.replies.len().min(out.len());
        out[..length].copy_from_slice(&self.replies[..length]);
        self.replies.drain(..length);
        Ok(length)
    }
}
