//! Connections to the next hop that serve several conversations, one after the other.

use std::cell::{Cell, RefCell};

use super::client::{From, Hops, Ran, greeting, run_between};
use super::filter;
use super::gateway::FULL;
use super::gateway_cases::{CAFE, in_memory, with};
use super::next_hop::NextHop as Next;
use crate::filter::{Filter, OnFailure};
use crate::gateway::{Connection, History, Wanted};

/// A service with one next hop, whose conversations come one after the other.
struct Service {
    next: Next,
    filter: Filter,
    /// The connections that wait.
    waiting: RefCell<Vec<Connection<Next>>>,
    /// How many connections were made.
    made: Cell<usize>,
}

impl Service {
    fn new(next: Next) -> Self {
        let (waiting, made) = (RefCell::default(), Cell::default());
        Self { next, filter: filter(), waiting, made }
    }

    fn run(&self, says: &str) -> Ran {
        self.run_from(From::default(), says)
    }

    fn run_from(&self, from: From, says: &str) -> Ran {
        let connect = |wanted| {
            let kept = match wanted {
                Wanted::Any => self.waiting.borrow_mut().pop(),
                Wanted::New => None,
            };
            Ok(kept.unwrap_or_else(|| {
                self.made.set(self.made.get() + 1);
                greeting(self.next.again())
            }))
        };
        let hops = Hops {
            heard: &self.next.heard,
            taken: &self.next.taken,
            connect: &connect,
            give_back: &|connection| self.waiting.borrow_mut().push(connection),
        };
        run_between(from, says.as_bytes(), usize::MAX, &hops, &self.filter, &in_memory())
    }

    /// How many connections were made, and how many wait.
    fn counts(&self) -> (usize, usize) {
        (self.made.get(), self.waiting.borrow().len())
    }

    /// Changes the connections that wait.
    fn change(&self, change: impl Fn(&mut Next)) {
        self.waiting.borrow_mut().iter_mut().for_each(|kept| change(&mut kept.channel));
    }
}

/// What the next hop hears of one message.
const HEARD: [&str; 4] = ["EHLO c", "MAIL FROM:<a@example.org>", "RCPT TO:<b@example.org>", "DATA"];

/// The end of what a client hears.
const BYE: &str = "250 2.0.0 queued as X\r\n221 2.0.0 gw.test bye\r\n";

#[test]
fn a_conversation_goes_on_by_the_connection_of_another() {
    let without_quit = CAFE.replace("QUIT\r\n", "");
    let with_reset = CAFE.replace("QUIT\r\n", "RSET\r\nNOOP\r\nQUIT\r\n");
    for first in [CAFE, &without_quit, &with_reset] {
        let service = Service::new(with(FULL));
        assert_eq!(service.run(first).heard[..4], HEARD);
        assert_eq!(service.counts(), (1, 1), "{first}");
        let ran = service.run(CAFE);
        assert_eq!((&ran.heard[..], ran.taken.len()), (&HEARD.map(str::to_owned)[..], 1));
        assert!(ran.answers.starts_with("220 gw.test ESMTP sevenbit\r\n250-gw.test\r\n"));
        assert!(ran.answers.ends_with(BYE) && ran.ended.is_ok(), "{}", ran.answers);
        assert_eq!(service.counts(), (1, 1));
    }
}

#[test]
fn a_connection_that_knows_a_client_or_has_refused_something_serves_no_other() {
    let before = |line: &str| CAFE.replace("MAIL", &format!("{line}\r\nMAIL"));
    let after = |lines: &str| CAFE.replace("QUIT", &format!("{lines}QUIT"));
    let extensions = ["XCLIENT ADDR", "XFORWARD ADDR", "AUTH PLAIN"];
    for (why, says, answers) in [
        ("XCLIENT", before("XCLIENT ADDR=192.0.2.1"), vec![]),
        ("a login", before("AUTH PLAIN AGEAYg=="), vec![]),
        ("a login that ends amid it", format!("{CAFE}EHLO c\r\nAUTH LOGIN\r\n"), vec![]),
        ("a refused login", before("AUTH PLAIN AGEAYg=="), vec![("AUTH", "535 5.7.8 no")]),
        ("a refused VRFY", before("VRFY ada"), vec![("VRFY", "502 5.5.1 no")]),
        (
            "a refused recipient",
            CAFE.replace("DATA", "RCPT TO:<x@example.org>\r\nDATA"),
            vec![("RCPT TO:<x", "450 4.2.0 later")],
        ),
        ("an old server", CAFE.to_owned(), vec![("EHLO", "502 5.5.1 what")]),
        ("a refused message", CAFE.to_owned(), vec![(".", "450 4.2.0 later")]),
        ("an unasked reply", CAFE.to_owned(), vec![(".", "250 ok\r\n421 4.3.2 bye")]),
        ("no message", "EHLO c\r\nQUIT\r\n".to_owned(), vec![]),
        ("no EHLO", "QUIT\r\n".to_owned(), vec![]),
        ("an open transaction", after("MAIL FROM:<a@example.org>\r\n"), vec![]),
        ("a message to come", after("XFORWARD ADDR=192.0.2.9\r\n"), vec![]),
        ("half a message", after("MAIL FROM:<a@b>\r\nRCPT TO:<a@b>\r\nDATA\r\n"), vec![]),
        ("many commands", after(&"NOOP\r\n".repeat(5)), vec![]),
    ] {
        let service = Service::new(Next { is_private: true, answers, ..with(&extensions) });
        let says =
            if why.starts_with("a login that") { says.replace("QUIT\r\n", "") } else { says };
        let ran = service.run_from(From { is_private: true, ..From::default() }, &says);
        assert_eq!(service.counts(), (1, 0), "{why}");
        let is_told = ran.heard.last().is_some_and(|last| last == "QUIT");
        assert!(is_told, "{why}: {:?}", ran.heard);
    }

    // One recipient of a message in LMTP.
    let service = Service::new(with(FULL));
    let says = CAFE.replace("EHLO", "LHLO").replace("DATA", "RCPT TO:<c@example.org>\r\nDATA");
    assert!(service.run(&says).answers.contains("452 4.2.2 full"));
    assert_eq!(service.counts(), (1, 0));

    // A message that the gateway refuses has reached no next hop.
    let small = Filter { max_message: 3, on_too_large: OnFailure::Reject, ..filter() };
    let service = Service { filter: small, ..Service::new(with(FULL)) };
    service.run(&CAFE.replace(" SIZE=50", ""));
    assert_eq!(service.counts(), (1, 0));
}

/// Every other client of such a next hop is its own.
#[test]
fn nothing_is_kept_where_the_next_hop_is_told_the_client() {
    let peer = Some("192.0.2.1".parse().expect("an address"));
    for is_stranger in [true, false] {
        let service = Service::new(with(&["XCLIENT ADDR"]));
        let from = From { peer, is_stranger, tells_client: true, ..From::default() };
        assert_eq!(service.run_from(from, CAFE).taken.len(), 1);
        assert_eq!(service.counts(), (1, 0));
    }
}

#[test]
fn a_kept_connection_that_has_gone_is_replaced_and_nobody_hears_it() {
    let mut first = HEARD.map(str::to_owned).to_vec();
    for (what, change, heard) in [
        ("dead", (|next| next.die()) as fn(&mut Next), 0),
        ("421 at EHLO", |next| next.answers = vec![("EHLO", "421 4.4.2 too long")], 1),
        ("dead at EHLO", |next| next.dies_at = "EHLO", 1),
        ("421 at MAIL", |next| next.answers = vec![("MAIL", "421 4.7.0 too many")], 2),
        ("dead at MAIL", |next| next.dies_at = "MAIL", 2),
    ] {
        let service = Service::new(with(FULL));
        service.run(CAFE);
        service.change(change);
        let ran = service.run(CAFE);
        assert!(ran.answers.ends_with(BYE) && ran.ended.is_ok(), "{what}: {}", ran.answers);
        assert!(!ran.answers.contains("421"), "{what}: {}", ran.answers);
        assert_eq!((ran.taken.len(), ran.records.len()), (1, 1), "{what}");
        let twice = [&first[..heard], &first[..]].concat();
        assert_eq!((ran.heard, service.counts()), (twice, (2, 1)), "{what}");
    }

    // With the XFORWARD of the message.
    let service = Service::new(with(&["XFORWARD ADDR"]));
    let from = From { peer: Some("192.0.2.1".parse().expect("an address")), ..From::default() };
    service.run_from(from, CAFE);
    service.change(|next| next.dies_at = "MAIL");
    let ran = service.run_from(from, CAFE);
    first.insert(1, "XFORWARD ADDR=192.0.2.1".to_owned());
    assert_eq!(ran.heard, [&first[..3], &first[..]].concat());
    assert!(ran.answers.ends_with(BYE), "{}", ran.answers);
}

/// The first one ends between two messages, and the second one has gone already.
#[test]
fn a_kept_connection_that_has_gone_is_replaced_between_messages() {
    let service = Service::new(with(FULL));
    let mut gone = service.next.again();
    gone.die();
    let answers = vec![(".", "250 2.0.0 queued as X\r\n421 4.3.2 bye")];
    let ends = Next { answers, ..service.next.again() };
    for channel in [gone, ends] {
        let history = History::Kept { messages: 1 };
        service.waiting.borrow_mut().push(Connection { number: 0, channel, history });
    }
    let (_, message) = CAFE.split_once("\r\n").expect("lines");
    let ran = service.run(&CAFE.replace("QUIT\r\n", message));
    assert_eq!(ran.heard, [&HEARD[..], &["QUIT"], &HEARD].concat());
    assert_eq!((ran.taken.len(), service.counts()), (2, (1, 1)));
    assert!(ran.answers.ends_with(BYE) && !ran.answers.contains("421"), "{}", ran.answers);
}

/// Without a kept connection its client would hear the same.
#[test]
fn a_next_hop_that_does_not_come_back_is_said_to_be_away() {
    for (replies, answers, end) in [
        ("421 4.3.2 busy\r\n", vec![], "421 4.3.2 busy\r\n"),
        ("554 5.3.2 no\r\n", vec![], "451 4.3.0 the next hop takes back what it has accepted\r\n"),
        ("", vec![("EHLO", "421 4.3.2 bye")], "421 4.3.2 bye\r\n"),
    ] {
        let mut service = Service::new(with(FULL));
        service.run(CAFE);
        service.change(Next::die);
        (service.next.replies, service.next.answers) = (replies.into(), answers);
        let ran = service.run("EHLO c\r\n");
        assert!(ran.answers.ends_with(end), "{replies}: {}", ran.answers);
        assert_eq!(service.counts(), (2, 0));
    }
}

/// The next hop would take it for the other client, whose EHLO it has heard.
#[test]
fn a_client_without_ehlo_has_a_connection_of_its_own() {
    let (_, without_hello) = CAFE.split_once("\r\n").expect("lines");
    let service = Service::new(with(FULL));
    service.run(CAFE);
    let ran = service.run(without_hello);
    assert_eq!(ran.heard[..2], ["QUIT", "MAIL FROM:<a@example.org>"]);
    assert_eq!((ran.taken.len(), service.counts()), (1, (2, 1)));

    // What needs no next hop is answered here, whatever has become of the connection.
    let service = Service::new(with(FULL));
    service.run(CAFE);
    service.change(Next::die);
    let ran = service.run("NOOP\r\nRSET\r\nDATA\r\nQUIT\r\n");
    assert!(ran.heard.is_empty() && ran.ended.is_ok(), "{:?}", ran.heard);
    assert!(ran.answers.ends_with("221 2.0.0 gw.test bye\r\n"), "{}", ran.answers);
}

#[test]
fn a_connection_that_is_encrypted_stays_so() {
    let service = Service::new(Next { has_tls: true, ..with(&["STARTTLS"]) });
    let begun = service.run(CAFE);
    assert_eq!(begun.heard[..4], ["EHLO c", "STARTTLS", "(encrypted)", "EHLO c"]);
    assert_eq!(service.run(CAFE).heard, HEARD);
    assert_eq!(service.counts(), (1, 1));
}

#[test]
fn a_connection_serves_so_many_messages() {
    let service = Service::new(with(FULL));
    for _ in 0..10 {
        service.run(CAFE);
    }
    assert_eq!(service.counts(), (1, 0));

    // Those of one conversation as well.
    let (_, message) = CAFE.split_once("\r\n").expect("lines");
    let four = format!("EHLO c\r\n{}QUIT\r\n", message.replace("QUIT\r\n", "").repeat(4));
    let service = Service::new(with(FULL));
    service.run(&four);
    service.run(&four);
    assert_eq!(service.counts(), (1, 1));
    let ran = service.run(&four);
    let place = ran.heard.iter().position(|line| line == "QUIT");
    assert_eq!((place, ran.taken.len(), service.counts()), (Some(7), 4, (2, 1)));
    assert_eq!(ran.heard[8..12], HEARD);
    let waiting = service.waiting.borrow();
    assert_eq!(waiting[0].history, History::Kept { messages: 2 });

    // A client alone may send as many as it likes.
    let service = Service::new(with(FULL));
    let twenty = format!("EHLO c\r\n{}QUIT\r\n", message.replace("QUIT\r\n", "").repeat(20));
    assert_eq!((service.run(&twenty).taken.len(), service.counts()), (20, (1, 0)));
}
