//! A next hop that supports neither 8BITMIME nor SMTPUTF8: what arrives at it, whichever way the
//! message came in.

use std::fmt::Write as _;

use super::support::{Client, Filter, Mail, Postfix, Sink, SinkOptions, has_postfix, wait};

const UTF8: &str = " BODY=8BITMIME SMTPUTF8";
const EIGHT: &str = " BODY=8BITMIME";

/// Ten cases: a description, the parameters of MAIL, the message.
const CASES: [(&str, &str, &[u8]); 10] = [
    ("ASCII", "", b"Subject: x\r\n\r\nbody\r\n"),
    (
        "8-bit body, labelled",
        EIGHT,
        b"Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
        Content-Transfer-Encoding: 8bit\r\n\r\nd\xE9j\xE0 vu\r\n",
    ),
    ("8-bit body, not labelled", EIGHT, b"Subject: x\r\n\r\nd\xE9j\xE0 vu\r\n"),
    ("8-bit body, not declared", "", b"Subject: x\r\n\r\nd\xE9j\xE0 vu\r\n"),
    ("raw Latin-1 subject", EIGHT, b"Subject: caf\xE9\r\n\r\nbody\r\n"),
    ("raw UTF-8 subject, no SMTPUTF8", EIGHT, b"Subject: caf\xC3\xA9\r\n\r\nbody\r\n"),
    ("UTF-8 subject, SMTPUTF8", UTF8, b"Subject: caf\xC3\xA9\r\n\r\nbody\r\n"),
    ("UTF-8 name in From, SMTPUTF8", UTF8, b"From: J\xC3\xB6rg <j@example.org>\r\n\r\nbody\r\n"),
    ("UTF-8 address in From, SMTPUTF8", UTF8, b"From: <j\xC3\xB6rg@example.org>\r\n\r\nbody\r\n"),
    ("SMTPUTF8 and ASCII", UTF8, b"Subject: x\r\n\r\nbody\r\n"),
];

#[test]
fn a_7bit_next_hop_gets_what_can_be_had() {
    if !has_postfix() {
        return;
    }
    let sink = Sink::start(SinkOptions { is_7bit: true, ..SinkOptions::default() });
    let [none, with_milter, after, before, again] = Postfix::ports();
    let milter = Filter::milter(&[]);
    // The gateway after the queue is between Postfix and the next hop; the other one hands back to
    // Postfix.
    let gateway = Filter::gateway(sink.port, &[]);
    let proxy = Filter::gateway(again, &[]);
    let ports = [
        (none, String::new()),
        (with_milter, format!("-o smtpd_milters={}", milter.place)),
        (after, format!("-o content_filter=smtp:[127.0.0.1]:{}", gateway.port())),
        (before, format!("-o smtpd_proxy_filter=127.0.0.1:{}", proxy.port())),
        (again, String::new()),
    ];
    // On a connection that it reuses, Postfix does not ask whether a message needs SMTPUTF8.
    let postfix = Postfix::start(sink.port, &ports, "smtp_connection_cache_on_demand = no");
    let ways = [("none", none), ("milter", with_milter), ("after", after), ("before", before)];
    for (way, port) in ways {
        let mut client = Client::connect(port).expect("a connection");
        for (number, (case, parameters, octets)) in CASES.into_iter().enumerate() {
            let to = format!("{way}-{number}@example.org");
            let answer = client
                .send(Mail { from: "a@example.org", to: &to, parameters, octets })
                .expect("an answer");
            assert!(answer.starts_with("250"), "{way}, {case}: {answer}");
        }
    }
    // A bounce is a message of its own, to the sender.
    wait("all messages", || postfix.queue().is_empty());
    let arrived = sink.arrived();
    let mut table = String::new();
    for (number, (case, ..)) in CASES.into_iter().enumerate() {
        let _ = write!(table, "{case}:");
        for (way, _) in ways {
            let name = format!("{way}-{number}");
            let word = match arrived.iter().find(|one| one.name() == name) {
                None => "bounced",
                Some(one) if one.is_7bit() => "7-bit",
                Some(_) => "8-bit",
            };
            let _ = write!(table, " {word}");
        }
        table.push('\n');
    }
    // Without, milter, gateway after the queue, gateway before it: the table of docs/mta.md. The
    // last one's next hop is Postfix, which offers SMTPUTF8: an address in UTF-8 stays, and it is
    // Postfix that finds no way on.
    let expected = "\
        ASCII: 7-bit 7-bit 7-bit 7-bit\n\
        8-bit body, labelled: 7-bit 7-bit 7-bit 7-bit\n\
        8-bit body, not labelled: 8-bit 7-bit 7-bit 7-bit\n\
        8-bit body, not declared: 8-bit 7-bit 7-bit 7-bit\n\
        raw Latin-1 subject: 8-bit 7-bit 7-bit 7-bit\n\
        raw UTF-8 subject, no SMTPUTF8: 8-bit 7-bit 7-bit 7-bit\n\
        UTF-8 subject, SMTPUTF8: bounced bounced 7-bit 7-bit\n\
        UTF-8 name in From, SMTPUTF8: bounced bounced 7-bit 7-bit\n\
        UTF-8 address in From, SMTPUTF8: bounced bounced 7-bit bounced\n\
        SMTPUTF8 and ASCII: 7-bit 7-bit 7-bit 7-bit\n";
    assert_eq!(table, expected);
}

/// A recipient beyond ASCII, beside one that is not: it is delivered if the next hop accepts it,
/// else returned.
#[test]
fn an_address_beyond_ascii_goes_where_it_is_accepted() {
    if !has_postfix() {
        return;
    }
    for is_7bit in [false, true] {
        let sink = Sink::start(SinkOptions { is_7bit, ..SinkOptions::default() });
        let gateway = Filter::gateway(sink.port, &[]);
        let [port] = Postfix::ports();
        let options = format!("-o content_filter=smtp:[127.0.0.1]:{}", gateway.port());
        let postfix =
            Postfix::start(sink.port, &[(port, options)], "smtp_destination_recipient_limit = 10");
        let mut client = Client::connect(port).expect("a connection");
        let envelope = [
            "MAIL FROM:<a@example.org> BODY=8BITMIME SMTPUTF8",
            "RCPT TO:<b@example.org>",
            "RCPT TO:<\u{e9}@example.org>",
        ];
        for command in envelope {
            assert!(client.ask(command).expect("an answer").starts_with("250"), "{command}");
        }
        client.ask("DATA").expect("an answer");
        client.say("Subject: caf\u{e9}\r\n\r\nx\r\n.\r\n".as_bytes()).expect("sent");
        assert!(client.reply().expect("an answer").starts_with("250"));
        wait("an empty queue", || postfix.queue().is_empty());
        let arrived = sink.arrived();
        let to = |name: &str| {
            arrived.iter().any(|one| one.recipients.iter().any(|to| to.contains(name)))
        };
        assert!(to("<b@example.org>"), "{}", postfix.log());
        assert_eq!(to("<\u{e9}@example.org>"), !is_7bit, "{}", postfix.log());
        assert_eq!(postfix.log().contains("553 5.6.7"), is_7bit, "{}", postfix.log());
        let asked = arrived.iter().any(|one| one.mail.ends_with(" SMTPUTF8"));
        assert_eq!(asked, !is_7bit);
        // The message itself needs nothing, whichever way it goes.
        let message =
            arrived.iter().find(|one| one.mail.starts_with("MAIL FROM:<a@")).expect("it arrived");
        assert!(message.octets.is_ascii());
    }
}
