//! A client of the gateway, and the result of a conversation with it.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::next_hop::NextHop;
use crate::filter::{Filter, Record};
use crate::gateway::{
    Broken, Channel, Connection, Conversation, History, Host, Patience, Room, Wanted,
};
use crate::policy::Policies;

const MINUTE: Duration = Duration::from_secs(60);

/// A client: what it sends, in pieces of some size, and receives.
struct Client<'s> {
    offers_tls: bool,
    is_private: bool,
    says: &'s [u8],
    piece: usize,
    hears: Rc<RefCell<Vec<u8>>>,
}

impl Read for Client<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = self.piece.min(self.says.len()).min(out.len());
        let (said, rest) = self.says.split_at(length);
        out[..length].copy_from_slice(said);
        self.says = rest;
        Ok(length)
    }
}

impl Write for Client<'_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.hears.borrow_mut().extend_from_slice(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Its encryption is none: only that it was asked for is seen.
impl Channel for Client<'_> {
    fn can_be_secured(&self) -> bool {
        self.offers_tls
    }

    fn secure(&mut self) -> io::Result<()> {
        (self.offers_tls, self.is_private) = (false, true);
        Ok(())
    }

    fn is_private(&self) -> bool {
        self.is_private
    }
}

/// The result of a conversation.
#[derive(Debug)]
pub struct Ran {
    /// The answers that the client received.
    pub answers: String,
    /// The commands that the next hop received.
    pub heard: Vec<String>,
    /// The messages that it accepted, as they were on the wire, each with its MAIL.
    pub taken: Vec<(String, Vec<u8>)>,
    /// The gateway's records of messages.
    pub records: Vec<Record>,
    /// How it ended.
    pub ended: Result<(), Broken>,
}

/// Runs a conversation with a client that says this in pieces, and disconnects.
pub fn run(says: &[u8], piece: usize, next: NextHop, filter: &Filter, room: &Room) -> Ran {
    run_from(From::default(), says, piece, next, filter, room)
}

/// Where a client comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct From {
    /// Its address.
    pub peer: Option<IpAddr>,
    /// Whether its proxy does not know its address.
    pub is_unknown: bool,
    /// Whether it is not believed who its client is.
    pub is_stranger: bool,
    /// Whether the next hop is told.
    pub tells_client: bool,
    /// Whether its connection can be encrypted.
    pub offers_tls: bool,
    /// Whether it cannot be read on the way.
    pub is_private: bool,
}

/// Runs a conversation with a client that comes from there. No other one follows it.
pub fn run_from(
    from: From,
    says: &[u8],
    piece: usize,
    next: NextHop,
    filter: &Filter,
    room: &Room,
) -> Ran {
    let again = next.again();
    let first = RefCell::new(Some(next));
    let connect = |_| Ok(greeting(first.take().unwrap_or_else(|| again.again())));
    let give_back = |mut connection: Connection<NextHop>| {
        // The next hop is there as long as it is written to.
        let _ = connection.channel.write_all(b"QUIT\r\n");
    };
    let hops =
        Hops { heard: &again.heard, taken: &again.taken, connect: &connect, give_back: &give_back };
    run_between(from, says, piece, &hops, filter, room)
}

/// A new connection to a next hop.
pub fn greeting(mut next: NextHop) -> Connection<NextHop> {
    next.greet();
    Connection { number: 0, channel: next, history: History::New }
}

/// The connections to the next hop of a conversation, and all that comes through them.
pub struct Hops<'h> {
    pub heard: &'h RefCell<Vec<String>>,
    pub taken: &'h RefCell<Vec<(String, Vec<u8>)>>,
    pub connect: &'h dyn Fn(Wanted) -> io::Result<Connection<NextHop>>,
    pub give_back: &'h dyn Fn(Connection<NextHop>),
}

/// Runs a conversation with a client that comes from there, and these connections.
pub fn run_between(
    from: From,
    says: &[u8],
    piece: usize,
    hops: &Hops<'_>,
    filter: &Filter,
    room: &Room,
) -> Ran {
    let hears = Rc::new(RefCell::new(Vec::new()));
    let From { offers_tls, is_private, .. } = from;
    let client = Client { offers_tls, is_private, says, piece, hears: Rc::clone(&hears) };
    let mut records = Vec::new();
    let patience = Patience { line: MINUTE, idle: MINUTE / 2, message: MINUTE };
    let host = Host {
        name: "gw.test",
        listener: "inet:test:25",
        peer: from.peer,
        is_unknown: from.is_unknown,
        is_proxied: false,
        is_trusted: !from.is_stranger,
        tells_client: from.tells_client,
        patience,
        room,
        connect: hops.connect,
        give_back: hops.give_back,
        wait: &|_| {},
        goes_on: &|_| true,
        begins: &|| true,
    };
    let policies = Arc::new(Policies::all(Arc::new(filter.clone())));
    let next = (hops.connect)(Wanted::Any).expect("a connection");
    let ended = Conversation::new(client, next, host)
        .run(|| Arc::clone(&policies), |record| records.push(record));
    let answers = String::from_utf8_lossy(&hears.borrow()).into_owned();
    Ran { answers, heard: hops.heard.take(), taken: hops.taken.take(), records, ended }
}
