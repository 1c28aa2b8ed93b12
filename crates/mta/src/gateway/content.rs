//! How a message comes: whole after DATA, or in chunks (BDAT, RFC 3030). It goes on whole, by DATA.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use super::channel::Channel;
use super::command;
use super::data;
use super::exchange::{Broken, Coming, Conversation, Done};
use super::reply::Reply;
use super::spool::{Growing, Spool};
use crate::filter::{Addresses, By, Filter, OnFailure, Outcome, Record};
use crate::policy::{Content, Facts, Policies};

const NO_RECIPIENT: &str = "503 5.5.1 no recipient was accepted";

impl<C: Channel, N: Channel> Conversation<'_, C, N> {
    /// The longest message that gets through, if that is known before it is said whose it is.
    pub(super) fn longest(&self, policies: &Policies) -> Option<u64> {
        let Filter { on_too_large, max_message, .. } = *policies.base;
        let own =
            (on_too_large == OnFailure::Reject && !policies.may_pass_long).then_some(max_message);
        own.into_iter().chain(self.extensions.size).min()
    }

    /// Handles DATA, and the message after it.
    pub(super) fn data(&mut self, line: &[u8], record: &mut impl FnMut(Record)) -> Done<bool> {
        if line.len() != b"DATA".len() {
            return self.say("501 5.5.4 DATA has no argument");
        }
        if self.coming.is_some() {
            return self.say("503 5.5.1 the message comes in chunks");
        }
        let Some(mut coming) = self.begin() else { return self.say(NO_RECIPIENT) };
        self.say("354 go on, and end with a dot")?;
        self.client.flush().map_err(Broken::Client)?;
        coming.message.read(self.client.input(), coming.until).map_err(Broken::Client)?;
        self.end(coming, record)
    }

    /// Handles BDAT, and the chunk after it, which is read whatever becomes of it.
    pub(super) fn chunk(&mut self, line: &[u8], record: &mut impl FnMut(Record)) -> Done<bool> {
        let Some((length, is_last)) = command::chunk(line) else {
            // A chunk of unknown length follows: no line of it may be taken for a command.
            return self.say("501 5.5.4 BDAT has a size").map(|_| false);
        };
        self.client.flush().map_err(Broken::Client)?;
        let Some(mut coming) = self.coming.take().or_else(|| self.begin()) else {
            let until = Instant::now() + self.host.patience.message;
            let read = data::read_chunk(self.client.input(), until, length, io::sink());
            read.map(drop).map_err(Broken::Client)?;
            return self.say(NO_RECIPIENT);
        };
        if Instant::now() > coming.until {
            return Err(Broken::Client(io::ErrorKind::TimedOut.into()));
        }
        let read = coming.message.read_chunk(self.client.input(), coming.until, length);
        read.map_err(Broken::Client)?;
        if is_last {
            return self.end(coming, record);
        }
        self.coming = Some(coming);
        self.say(&format!("250 2.0.0 {length} octets"))
    }

    /// The message of the transaction, of which nothing has come; nothing if there is no recipient.
    fn begin(&self) -> Option<Coming> {
        let open = self.transaction.as_ref().filter(|open| open.count() > 0)?;
        let most = open.policies.longest(&self.facts(&open.addresses(), None));
        let message = Growing::new(self.host.room, most);
        Some(Coming { message, until: Instant::now() + self.host.patience.message })
    }

    /// Returns the facts that rules ask for.
    fn facts<'f>(&'f self, envelope: &'f Addresses, content: Option<Content<'f>>) -> Facts<'f> {
        Facts {
            client: self.client_address(),
            is_authenticated: !self.login.is_empty() || self.said_of_client(b"LOGIN=").is_some(),
            listener: self.host.listener,
            envelope,
            content,
        }
    }

    /// The options for a message that has come; for one that could not be kept, those that its
    /// envelope tells.
    fn options_of(&self, read: &mut io::Result<Spool>) -> Option<Arc<Filter>> {
        let open = self.transaction.as_ref()?;
        let kept = if open.policies.has_rules() { read.as_mut().ok() } else { None };
        let kept = kept.and_then(|spool| Some((spool.header().ok()?, spool.length())));
        let content = kept.as_ref().map(|(header, octets)| Content { header, octets: *octets });
        Some(open.policies.of(&self.facts(&open.addresses(), content)))
    }

    /// Passes on a message that has come, and answers.
    fn end(&mut self, coming: Coming, record: &mut impl FnMut(Record)) -> Done<bool> {
        let mut read = coming.message.finish();
        let Some(filter) = self.options_of(&mut read) else { return self.say(NO_RECIPIENT) };
        let mut made = self.record_of(&filter);
        let replies = self.deliver(&mut read, &filter, &mut made);
        if self.transaction.as_ref().is_some_and(|open| open.policies.records_header) {
            let header = read.as_mut().ok().and_then(|spool| spool.header().ok());
            made.header = header.unwrap_or_default();
        }
        drop(read);
        match &replies {
            Ok(answered) => {
                let first = answered.replies.iter().find(|reply| !reply.is_positive());
                let shown = first.or_else(|| answered.replies.first());
                made.answer = shown.map(Reply::first_line).unwrap_or_default();
                made.outcome = Outcome::of(answered.replies.iter().map(Reply::code));
                (made.by, made.octets_out) = (answered.by, answered.octets);
            }
            // The client is asked to try again: nobody has said that it has the message.
            Err(Broken::Next(error)) => {
                (made.answer, made.by) = (format!("none: {error}"), By::NextHop);
            }
            Err(Broken::Client(error)) => made.answer = format!("not passed on: {error}"),
        }
        record(made);
        let answered = replies?;
        self.forget();
        self.idle_commands = 0;
        let mut goes_on = true;
        for reply in &answered.replies {
            goes_on = self.answer(reply)?;
        }
        Ok(goes_on)
    }
}
