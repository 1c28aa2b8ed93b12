//! One connection of an MTA, as a state machine over octets: input goes in, in pieces of any size,
//! and the answers come out. It opens no socket and reads the clock only to measure itself.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use super::answer;
use super::macros::Macros;
use super::negotiation::Agreement;
use super::packet::{self, Malformed, Packet};
use super::shown::Shown;
use crate::filter::{Addresses, LONGEST_HEADER, Record};
use crate::memory::{Memory, Share};
use crate::policy::{Content, Facts, Policies};

/// How much memory a connection keeps between messages.
const KEPT: usize = 256 << 10;

/// Whether a connection goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// More may come.
    GoesOn,
    /// The MTA has ended it.
    Ends,
}

/// How far a message has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Before the negotiation.
    Offer,
    /// Between messages.
    Idle,
    /// MAIL, or fields.
    Header,
    /// After the header.
    Body,
}

/// One connection.
#[derive(Debug)]
pub struct Session {
    listener: String,
    memory: Memory,
    /// Octets of a packet that is not whole.
    pending: Vec<u8>,
    /// The octets of a body packet, which is taken as it comes, that are still to come.
    open_body: usize,
    /// The share of the memory that `pending` takes.
    share: Share,
    stage: Stage,
    agreed: Option<Agreement>,
    macros: Macros,
    message: Shown,
    /// The options that the message began with.
    policies: Option<Arc<Policies>>,
    /// Whether the service stops: no message begins any more.
    takes_no_more: bool,
}

impl Session {
    /// A new connection to a listener, whose messages take of this memory.
    pub fn new(memory: &Memory, listener: &str) -> Self {
        Self {
            listener: listener.to_owned(),
            memory: memory.clone(),
            pending: Vec::new(),
            open_body: 0,
            share: memory.share(),
            stage: Stage::Offer,
            agreed: None,
            macros: Macros::default(),
            message: Shown::new(0, memory.share()),
            policies: None,
            takes_no_more: false,
        }
    }

    /// From now on no message begins: the client of the next one is asked to try again.
    pub fn take_no_more(&mut self) {
        self.takes_no_more = true;
    }

    /// Whether a message has begun and not ended.
    pub fn is_busy(&self) -> bool {
        matches!(self.stage, Stage::Header | Stage::Body)
    }

    /// Whether part of a packet has come, and the rest of it not.
    pub fn is_amid_packet(&self) -> bool {
        !self.pending.is_empty() || self.open_body > 0
    }

    /// Takes the next octets of the MTA (a message that begins in them keeps these `policies`),
    /// writes the answers to `replies`, adds the messages that ended to `records`.
    ///
    /// # Errors
    /// Octets that are not the protocol ([`InvalidData`](io::ErrorKind::InvalidData)): the
    /// connection is to be closed; no memory for a packet
    /// ([`OutOfMemory`](io::ErrorKind::OutOfMemory)), as before; those of `replies`.
    pub fn receive(
        &mut self,
        octets: &[u8],
        policies: &Arc<Policies>,
        replies: &mut impl Write,
        records: &mut Vec<Record>,
    ) -> io::Result<Flow> {
        let octets = self.rest_of_body(octets, replies)?;
        let mut pending = mem::take(&mut self.pending);
        if !self.share.grow_to((pending.len() + octets.len()) as u64) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        pending.extend_from_slice(octets);
        let mut read = 0;
        while let Some((packet, length)) = Packet::first(&pending[read..])? {
            read += length;
            if self.handle(packet, policies, replies, records)? == Flow::Ends {
                return Ok(Flow::Ends);
            }
        }
        pending.drain(..read);
        self.open_body(&mut pending);
        if pending.is_empty() && pending.capacity() > KEPT {
            pending = Vec::new();
        }
        self.share.shrink_to(pending.capacity() as u64);
        self.pending = pending;
        Ok(Flow::GoesOn)
    }

    /// Takes what belongs to a body packet that has begun; returns what comes after it.
    fn rest_of_body<'o>(
        &mut self,
        octets: &'o [u8],
        replies: &mut impl Write,
    ) -> io::Result<&'o [u8]> {
        if self.open_body == 0 {
            return Ok(octets);
        }
        let (data, rest) = octets.split_at(octets.len().min(self.open_body));
        self.open_body -= data.len();
        self.message.add_body(data);
        if self.open_body == 0 {
            self.answer_body(replies)?;
        }
        Ok(rest)
    }

    /// Takes what has come of a body packet, which need not be whole: long bodies are copied once.
    fn open_body(&mut self, pending: &mut Vec<u8>) {
        if self.stage == Stage::Body
            && let Some((data, length)) = Packet::begun(pending, b'B')
        {
            self.open_body = length - data.len();
            self.message.add_body(data);
            pending.clear();
        }
    }

    fn answer_body(&self, replies: &mut impl Write) -> io::Result<()> {
        let Some(agreed) = self.agreed.filter(|agreed| agreed.answers(b'B')) else {
            return Ok(());
        };
        // The rest of a body that is not processed need not come; the message passes anyway.
        let is_enough = !self.message.is_whole() && agreed.may_skip();
        packet::write(replies, if is_enough { b's' } else { b'c' }, &[])
    }

    fn handle(
        &mut self,
        packet: Packet<'_>,
        policies: &Arc<Policies>,
        replies: &mut impl Write,
        records: &mut Vec<Record>,
    ) -> io::Result<Flow> {
        let Some(agreed) = self.agreed else { return self.negotiate(packet, replies) };
        match packet.command {
            b'D' => self.remember(packet.data),
            b'M' if self.takes_no_more && agreed.answers(b'M') => {
                packet::write(replies, b't', &[])?;
                return Ok(Flow::GoesOn);
            }
            b'M' => {
                self.begin(policies);
                self.message.begin(address(packet.data), has_parameter(packet.data, b"SMTPUTF8"));
            }
            b'R' => self.message.add_recipient(address(packet.data)),
            b'L' => self.field(packet, agreed, policies)?,
            b'N' => self.end_header(policies)?,
            b'B' => {
                self.body(packet.data)?;
                self.answer_body(replies)?;
                return Ok(Flow::GoesOn);
            }
            b'E' => {
                if !packet.data.is_empty() {
                    self.body(packet.data)?;
                }
                let policies = self.policies.take().unwrap_or_else(|| Arc::clone(policies));
                let filter = policies.of(&Facts {
                    client: self.macros.client.parse().ok(),
                    is_authenticated: self.macros.has_login,
                    listener: &self.listener,
                    envelope: self.message.addresses(),
                    content: Some(Content {
                        header: self.message.header(),
                        octets: self.message.length(),
                    }),
                });
                let mut record =
                    answer::write(&self.message, agreed, &self.macros, &filter, replies)?;
                if policies.records_header {
                    let header = self.message.header();
                    record.header = header[..header.len().min(LONGEST_HEADER)].to_vec();
                }
                records.push(record);
                self.forget();
                return Ok(Flow::GoesOn);
            }
            // The end of one of the MTA's connections that another follows, and a message that ends
            // early.
            b'A' | b'K' => self.forget(),
            b'Q' => return Ok(Flow::Ends),
            // CONNECT, HELO, DATA, UNKNOWN from an MTA that was not told to leave them out.
            b'C' | b'H' | b'T' | b'U' => {}
            _ => return Err(Malformed("a command that does not exist").into()),
        }
        if !matches!(packet.command, b'D' | b'A' | b'K') && agreed.answers(packet.command) {
            packet::write(replies, b'c', &[])?;
        }
        Ok(Flow::GoesOn)
    }

    fn negotiate(&mut self, packet: Packet<'_>, replies: &mut impl Write) -> io::Result<Flow> {
        match packet.command {
            b'O' => {
                let agreed = Agreement::on(packet.data)?;
                packet::write(replies, b'O', &[&agreed.answer()])?;
                self.agreed = Some(agreed);
                self.stage = Stage::Idle;
                Ok(Flow::GoesOn)
            }
            b'Q' => Ok(Flow::Ends),
            _ => Err(Malformed("a command before the offer").into()),
        }
    }

    /// Macros: the command that they belong to, then names and values, each ended by NUL.
    fn remember(&mut self, data: &[u8]) {
        let mut texts = data.get(1..).unwrap_or_default().split(|&octet| octet == 0);
        while let (Some(name), Some(value)) = (texts.next(), texts.next()) {
            let text = || String::from_utf8_lossy(value).into_owned();
            match name {
                b"i" | b"{i}" => self.macros.queue_id = text(),
                b"v" | b"{v}" => self.macros.version = text(),
                // Sendmail tags addresses that are no IPv4.
                b"{client_addr}" => {
                    self.macros.client = text().trim_start_matches("IPv6:").to_owned()
                }
                b"{auth_authen}" => self.macros.has_login = !value.is_empty(),
                _ => {}
            }
        }
    }

    fn begin(&mut self, policies: &Arc<Policies>) {
        self.message = Shown::new(policies.base.max_message, self.memory.share());
        self.policies = Some(Arc::clone(policies));
        self.stage = Stage::Header;
    }

    fn begin_unless_begun(&mut self, policies: &Arc<Policies>) -> Result<(), Malformed> {
        match self.stage {
            Stage::Header => Ok(()),
            Stage::Body => Err(Malformed("a field after the header")),
            Stage::Offer | Stage::Idle => {
                self.begin(policies);
                Ok(())
            }
        }
    }

    fn field(
        &mut self,
        packet: Packet<'_>,
        agreed: Agreement,
        policies: &Arc<Policies>,
    ) -> Result<(), Malformed> {
        let (name, value) = packet.two_texts()?;
        self.begin_unless_begun(policies)?;
        self.message.add_field(name, value, agreed.keeps_leading_space());
        Ok(())
    }

    fn end_header(&mut self, policies: &Arc<Policies>) -> Result<(), Malformed> {
        self.begin_unless_begun(policies)?;
        self.message.end_header();
        self.stage = Stage::Body;
        Ok(())
    }

    fn body(&mut self, octets: &[u8]) -> Result<(), Malformed> {
        if self.stage != Stage::Body {
            return Err(Malformed("a body before the end of the header"));
        }
        self.message.add_body(octets);
        Ok(())
    }

    fn forget(&mut self) {
        self.message = Shown::new(0, self.memory.share());
        self.policies = None;
        self.macros.queue_id.clear();
        self.macros.has_login = false;
        self.stage = Stage::Idle;
    }
}

/// The address in a MAIL or RCPT: the first of several texts that end with NUL.
fn address(data: &[u8]) -> String {
    Addresses::bare(data.split(|&octet| octet == 0).next().unwrap_or_default())
}

/// Whether a MAIL has this parameter: the texts after the address, each ended by NUL.
fn has_parameter(data: &[u8], parameter: &[u8]) -> bool {
    data.split(|&octet| octet == 0).skip(1).any(|text| text.eq_ignore_ascii_case(parameter))
}

impl From<Malformed> for io::Error {
    fn from(malformed: Malformed) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, malformed.0)
    }
}
