//! How a message goes on to the next hop: in its normal form, or as it is if that is impossible or
//! not allowed.

use std::borrow::Cow;
use std::io::{self, Write};
use std::net::IpAddr;
use std::time::Instant;

use super::channel::Channel;
use super::command::{Verb, attribute};
use super::data::Stuffed;
use super::exchange::{Broken, Conversation, Done};
use super::hello::Extensions;
use super::reply::Reply;
use super::spool::Spool;
use super::transaction::{Demands, Transaction};
use crate::filter::{By, Fate, Filter, OnFailure, Record, codes, guarded, report_value};
use crate::octets::{Octets, Path};
use crate::own_fields::WithoutOwn;

/// A function that writes a message.
type Writer<'w> = &'w mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// The answer to a message.
#[derive(Debug)]
pub(super) struct Answered {
    /// The replies for its client: one, or in LMTP one for each recipient.
    pub replies: Vec<Reply>,
    /// Whose replies they are.
    pub by: By,
    /// How many octets have gone on; nothing if none have.
    pub octets: Option<u64>,
}

impl<C: Channel, N: Channel> Conversation<'_, C, N> {
    /// The record of the message that comes, of which nothing is known but whose it is.
    pub(super) fn record_of(&self, filter: &Filter) -> Record {
        Record {
            id: self.said_of_message(b"IDENT=").unwrap_or_default(),
            client: self.client_said(),
            envelope: self.transaction.as_ref().map(Transaction::addresses).unwrap_or_default(),
            ..Record::new(filter, 0)
        }
    }

    /// Passes a message on, or refuses it. Returns the replies for its client; what became of it is
    /// in `record`.
    ///
    /// # Errors
    /// One of the two has disconnected.
    pub(super) fn deliver(
        &mut self,
        read: &mut io::Result<Spool>,
        filter: &Filter,
        record: &mut Record,
    ) -> Done<Answered> {
        match read {
            Ok(spool) => {
                record.octets = spool.length();
                self.pass_on(spool, filter, record)
            }
            // The file system is full, or has gone.
            Err(_) => self.refuse("452 4.3.1 no room for this message"),
        }
    }

    fn pass_on(
        &mut self,
        spool: &mut Spool,
        filter: &Filter,
        record: &mut Record,
    ) -> Done<Answered> {
        if filter.skip {
            record.fate = Fate::Skipped;
            return self.as_it_is(true, &mut |out| spool.write_to(out));
        }
        let mut refusal = String::new();
        if spool.length() > filter.max_message {
            record.fate = Fate::TooLarge;
        } else if let Some(answered) = self.planned(spool, filter, record, &mut refusal)? {
            return Ok(answered);
        }
        match filter.on_failure(record.fate, &refusal) {
            _ if filter.dry_run => self.as_it_is(true, &mut |out| spool.write_to(out)),
            (policy, _) if policy == OnFailure::Accept || record.fate == Fate::Left => self
                .as_it_is(false, &mut |out| {
                    let mut out = WithoutOwn::new(filter, out);
                    spool.write_to(&mut out)?;
                    out.finish().map(drop)
                }),
            // The gateway has nowhere to put it in quarantine.
            (_, words) => self.refuse(&words),
        }
    }

    /// Sends the message as planned; returns nothing if there is no plan, or it is not to be sent
    /// like that. What refuses it is in `refusal`.
    fn planned(
        &mut self,
        spool: &mut Spool,
        filter: &Filter,
        record: &mut Record,
        refusal: &mut String,
    ) -> Done<Option<Answered>> {
        let begun = Instant::now();
        let normalizer = &filter.normalizer;
        let before = spool.length();
        let path = self.path();
        let mut octets = Octets::default();
        let are_known = filter.leaves_any(path) && spool.write_to(&mut octets).is_ok();
        let mut held = match guarded(|| spool.hold(normalizer)) {
            Some(Ok(held)) => held,
            Some(Err(error)) if error.kind() == io::ErrorKind::OutOfMemory => {
                record.fate = Fate::NoRoom;
                return Ok(None);
            }
            _ => return Ok(None),
        };
        let Some(Some(mut plan)) = guarded(|| held.plan(normalizer)) else { return Ok(None) };
        record.codes = codes(plan.report());
        record.fate = Fate::of(plan.report());
        record.time = begun.elapsed();
        let is_refused = record.fate == Fate::Refused;
        record.fate = filter.judged(record.fate, plan.report(), &record.codes, path, || {
            are_known.then_some(Cow::Borrowed(&octets))
        });
        if record.fate == Fate::Rejected {
            let report = plan.report().clone();
            drop(plan);
            drop(held);
            *refusal = filter.refusal(&report, &spool.header().unwrap_or_default());
            return Ok(None);
        }
        let most = self.extensions.size.unwrap_or(u64::MAX).min(filter.max_output);
        if record.fate == Fate::Changed && Filter::outgrows(most, before, |out| plan.write_to(out))
        {
            record.fate = Fate::TooLarge;
        }
        if filter.dry_run || !matches!(record.fate, Fate::Clean | Fate::Changed | Fate::Refused) {
            return Ok(None);
        }
        if is_refused {
            let answered = self.as_it_is(false, &mut |out| {
                let mut out = WithoutOwn::new(filter, out);
                plan.write_to(&mut out)?;
                out.finish().map(drop)
            });
            return answered.map(Some);
        }
        let report = filter.found_field(&record.codes);
        let report = report
            .map(|(name, found)| format!("{name}:{}\r\n", report_value(name, &found, "\r\n")));
        let report = report.as_deref().unwrap_or_default().as_bytes();
        let mut removed = 0;
        let answered = self.send(&mut |out| {
            out.write_all(report)?;
            let mut out = WithoutOwn::new(filter, out);
            plan.write_to(&mut out)?;
            removed = out.finish()?;
            Ok(())
        })?;
        if record.fate == Fate::Clean && removed > 0 {
            record.fate = Fate::Changed;
        }
        Ok(Some(answered))
    }

    /// What the next hop takes of this transaction's message as its client sent it.
    fn path(&self) -> Path {
        let is_international = self.transaction.as_ref().is_some_and(|open| open.is_international);
        let Extensions { eight_bit, smtputf8, .. } = self.extensions;
        Path { eight_bit, smtputf8: smtputf8 && is_international }
    }

    /// Sends it as it came, if the next hop accepts that, or if this filter `only_looks`: then the
    /// next hop gets what it would get without this gateway.
    fn as_it_is(&mut self, only_looks: bool, write: Writer<'_>) -> Done<Answered> {
        let mut facts = Octets::default();
        if write(&mut facts).is_err() {
            return self.refuse("451 4.3.0 this message cannot be read again");
        }
        if facts.has_bare_line_end() {
            return if !only_looks {
                self.refuse("554 5.6.0 CR or LF stand alone in a message that may not be changed")
            } else if self.extensions.chunking {
                self.send_chunk(facts.length(), write)
            } else {
                self.send(write)
            };
        }
        if facts.is_8bit() {
            // A body alone needs no more than 8BITMIME.
            let needs_utf8 = facts.is_header_8bit() || self.extensions.smtputf8;
            let smtputf8 = self
                .transaction
                .as_ref()
                .is_some_and(|open| open.asked.smtputf8 || open.is_international && needs_utf8);
            let demands = Demands { eight_bit: true, smtputf8 };
            if self.extensions.meet(demands) {
                if let Some(refusal) = self.demand(demands)? {
                    return self.refuse_with(refusal, By::NextHop);
                }
            } else if !only_looks {
                return self.refuse(
                    "554 5.6.3 the next hop takes no octets beyond ASCII, and they have to stay",
                );
            }
        }
        self.send(write)
    }

    /// Sends the message, and returns the next hop's replies.
    fn send(&mut self, write: Writer<'_>) -> Done<Answered> {
        let reply = self.begin_message()?;
        if reply.is_positive() {
            // Its client would take that for the answer to the message, which the next hop has not.
            let why = format!("it answers DATA by {}", reply.first_line());
            return Err(Broken::Next(io::Error::new(io::ErrorKind::InvalidData, why)));
        }
        if reply.code() != 354 {
            return self.refuse_with(reply, By::NextHop);
        }
        let mut out = Counted { out: Stuffed::new(&mut self.next), length: 0 };
        write(&mut out).map_err(Broken::Next)?;
        let Counted { out, length } = out;
        out.finish().map_err(Broken::Next)?;
        self.replies(length)
    }

    /// Sends the message in one chunk of `length` octets, of which no server takes any for an end,
    /// and returns the next hop's replies.
    fn send_chunk(&mut self, length: u64, write: Writer<'_>) -> Done<Answered> {
        if let Some(refusal) = self.wake()? {
            return self.refuse_with(refusal, By::NextHop);
        }
        self.next.write_all(format!("BDAT {length} LAST\r\n").as_bytes()).map_err(Broken::Next)?;
        write(&mut self.next).map_err(Broken::Next)?;
        self.replies(length)
    }

    /// The next hop's replies to the end of a message.
    fn replies(&mut self, length: u64) -> Done<Answered> {
        let replies = (0..self.answers()).map(|_| self.next.reply().map_err(Broken::Next));
        let replies = replies.collect::<Done<Vec<Reply>>>()?;
        if replies.iter().all(Reply::is_positive) {
            self.next.note_message();
        }
        Ok(Answered { replies, by: By::NextHop, octets: Some(length) })
    }

    /// The message's attribute `name`, from XFORWARD.
    fn said_of_message(&self, name: &[u8]) -> Option<String> {
        self.forwarded.iter().rev().find_map(|line| attribute(line, name))
    }

    /// The client's attribute `name`, from XFORWARD or else XCLIENT.
    pub(super) fn said_of_client(&self, name: &[u8]) -> Option<String> {
        let is_client = |line: &&Vec<u8>| Verb::of(line) == Verb::Client;
        let said =
            || self.opening.iter().rev().filter(is_client).find_map(|line| attribute(line, name));
        self.said_of_message(name).or_else(said)
    }

    /// The address of the client, as its server or its proxy says it.
    fn client_said(&self) -> String {
        if let Some(said) = self.said_of_client(b"ADDR=") {
            return said;
        }
        match self.host.peer {
            Some(peer) if self.host.is_proxied => peer.to_string(),
            _ => String::new(),
        }
    }

    /// The address of the client, or of its server if that does not say it.
    pub(super) fn client_address(&self) -> Option<IpAddr> {
        let said = self.said_of_client(b"ADDR=");
        // Postfix writes those of IPv6 with this prefix (RFC 5321, 4.1.3).
        let address = |said: String| {
            said.trim_start_matches("IPV6:").trim_start_matches("IPv6:").parse().ok()
        };
        match said {
            Some(said) => address(said),
            None => self.host.peer,
        }
    }

    fn refuse(&mut self, words: &str) -> Done<Answered> {
        self.refuse_with(Reply::new(format!("{words}\r\n")), By::Sevenbit)
    }

    /// Drops the message: resets the next hop's transaction and answers with this reply every time.
    fn refuse_with(&mut self, reply: Reply, by: By) -> Done<Answered> {
        if !reply.is_farewell() {
            self.reset()?;
        }
        Ok(Answered { replies: vec![reply; self.answers()], by, octets: None })
    }
}

/// Counts the octets of a message on its way.
struct Counted<W> {
    out: W,
    length: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.out.write(octets)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
