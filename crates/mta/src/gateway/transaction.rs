//! A mail transaction (RFC 5321, 3.3) as the client began it, and as the next hop was asked for it.

use std::sync::Arc;

use super::command::Envelope;
use crate::filter::Addresses;
use crate::policy::Policies;

/// The demands of a message and its addresses on the next hop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// Accept octets beyond ASCII in the body.
    pub eight_bit: bool,
    /// Accept them in addresses and header fields.
    pub smtputf8: bool,
}

/// MAIL and the recipients that were accepted.
#[derive(Clone, Debug)]
pub struct Transaction {
    mail: Vec<u8>,
    recipients: Vec<Vec<u8>>,
    /// The options that it began with.
    pub policies: Arc<Policies>,
    /// The demands that the next hop was asked to meet.
    pub asked: Demands,
    /// Whether the client said SMTPUTF8.
    pub is_international: bool,
}

impl Transaction {
    /// A transaction that begins with this MAIL, of which the next hop was asked only what the
    /// address needs.
    pub fn new(mail: &[u8], asked: Demands, policies: Arc<Policies>) -> Self {
        let is_international = Envelope::of(mail).has(b"SMTPUTF8");
        Self { mail: mail.to_vec(), recipients: Vec::new(), policies, asked, is_international }
    }

    /// A transaction whose message passes as it is, of which the next hop was asked what the client
    /// asks.
    pub fn as_it_is(mail: &[u8], policies: Arc<Policies>) -> Self {
        let asked = Demands {
            eight_bit: Envelope::of(mail).has(b"BODY=8BITMIME"),
            smtputf8: Envelope::of(mail).has(b"SMTPUTF8"),
        };
        Self::new(mail, asked, policies)
    }

    /// Whether its message passes as it is, whatever is found in it and whoever sends it.
    pub fn passes_as_it_is(policies: &Policies) -> bool {
        (policies.base.dry_run || policies.base.skip) && !policies.has_rules()
    }

    /// Adds a recipient that the next hop accepted.
    pub fn add(&mut self, recipient: &[u8]) {
        self.recipients.push(recipient.to_vec());
    }

    /// Its addresses.
    pub fn addresses(&self) -> Addresses {
        let bare = |line: &Vec<u8>| Addresses::bare(Envelope::of(line).path);
        Addresses { from: bare(&self.mail), to: self.recipients.iter().map(bare).collect() }
    }

    /// How many recipients there are.
    pub fn count(&self) -> usize {
        self.recipients.len()
    }

    /// Its commands, after those that came `before` it.
    pub fn commands(&self, before: &[Vec<u8>]) -> Vec<Vec<u8>> {
        [before, &[mail(&self.mail, self.asked)], &self.recipients].concat()
    }
}

/// The client's MAIL with these demands on the next hop.
pub fn mail(line: &[u8], demands: Demands) -> Vec<u8> {
    let mut words: Vec<&[u8]> = Vec::new();
    if demands.eight_bit {
        words.push(b"BODY=8BITMIME");
    }
    if demands.smtputf8 {
        words.push(b"SMTPUTF8");
    }
    Envelope::of(line).with_demands(&words)
}
