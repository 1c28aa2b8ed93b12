//! The milter over TCP: who may connect, and that no side waits for a delayed acknowledgement.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, fields_and_body, has_postfix, not_tried,
    packet, wait,
};

const MESSAGE: &[u8] = b"From: a@example.org\r\nSubject: caf\xE9\r\n\r\nd\xE9j\xE0 vu\r\n";

fn mail(to: &str) -> Mail<'_> {
    Mail { from: "a@example.org", to, parameters: " BODY=8BITMIME", octets: MESSAGE }
}

/// An address of this machine that is not loopback, if it has one: the source address for the
/// network of examples (RFC 5737). Nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("203.0.113.1:9")?;
        socket.local_addr()
    });
    let address = socket.ok().map(|address| address.ip()).filter(|address| !address.is_loopback());
    if address.is_none() {
        not_tried(
            "a connection from an address that is not loopback, which this machine has none of",
        );
    }
    address
}

/// Postfix is served, or turned away, depending on its address.
#[test]
fn a_mail_server_is_served_if_it_may_connect() {
    if !has_postfix() {
        return;
    }
    let loopback = "127.0.0.1".to_owned();
    let mut rows = vec![
        (loopback.clone(), None, true),
        (loopback.clone(), Some("127.0.0.0/8".to_owned()), true),
        (loopback, Some("198.51.100.0/24".to_owned()), false),
    ];
    if let Some(own) = own_address().map(|own| own.to_string()) {
        rows.push((own.clone(), None, false));
        rows.push((own.clone(), Some(format!("{own}/32")), true));
    }
    let sink = Sink::start(SinkOptions::default());
    let mut served = 0;
    for (number, (host, allow, is_served)) in rows.iter().enumerate() {
        let options: Vec<&str> = allow.iter().flat_map(|network| ["--allow", network]).collect();
        let milter = Filter::milter_over_tcp("0.0.0.0", &options);
        let [port] = Postfix::ports();
        let options = format!("-o smtpd_milters=inet:{host}:{}", milter.port());
        let _postfix = Postfix::start(sink.port, &[(port, options)], "");
        let mut client = Client::connect(port).expect("a connection");
        let to = format!("n{number}@example.org");
        let answer = client.send(mail(&to)).expect("an answer");
        assert!(
            answer.starts_with(if *is_served { "250" } else { "451" }),
            "{host}, {allow:?}: {answer}"
        );
        // The start of the test has connected from loopback, and may have been turned away itself.
        let knocks = usize::from(host == "127.0.0.1");
        let refused = format!("not allowed to connect peer=\"{host}\"");
        let is_refused = || milter.log().matches(&refused).count() > knocks;
        if *is_served {
            assert!(!is_refused(), "{host}, {allow:?}: {}", milter.log())
        } else {
            wait("a refusal", is_refused)
        }
        // The queue of this Postfix is removed with it.
        served += usize::from(*is_served);
        wait("what was served", || sink.count() == served);
    }
    assert!(sink.arrived().iter().all(|arrived| arrived.is_7bit()));
}

/// How long Linux may delay an acknowledgement, at least; a program that waits for one waits that
/// long.
const DELAYED: Duration = Duration::from_millis(40);

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// How long the milter takes to answer a message that is written in pieces, each of which waits by
/// Nagle's algorithm until the one before it is acknowledged.
#[test]
fn pieces_of_a_message_are_acknowledged_at_once() {
    let milter = Filter::milter_over_tcp("127.0.0.1", &["-q"]);
    let mut stream = TcpStream::connect(("127.0.0.1", milter.port())).expect("a connection");
    stream.set_nodelay(false).expect("an option");
    let offer = packet(b'O', &[6_u32, 0x1FF, 0x1F_FFFF].map(u32::to_be_bytes).concat());
    stream.write_all(&offer).expect("sent");
    assert!(stream.read(&mut [0; 100]).expect("an answer") > 0);
    let message = fields_and_body(&[("Subject", " caf\u{e9}")], b"x\r\n");
    let times = (0..31).map(|_| {
        let begun = Instant::now();
        message.chunks(30).for_each(|piece| stream.write_all(piece).expect("sent"));
        let mut said = Vec::new();
        while !said.ends_with(b"\0\0\0\x01c") {
            let mut octets = [0; 1000];
            let read = stream.read(&mut octets).expect("an answer");
            assert!(read > 0, "closed");
            said.extend_from_slice(&octets[..read]);
        }
        begun.elapsed()
    });
    let time = middle(times.collect());
    assert!(time < DELAYED, "{time:?}");
}

/// The end of a message at a real Postfix, with the milter over TCP and through a Unix socket.
#[test]
fn postfix_waits_no_longer_over_tcp() {
    if !has_postfix() {
        return;
    }
    let sink = Sink::start(SinkOptions { forgets: true, ..SinkOptions::default() });
    let [over_tcp, through_unix] = Postfix::ports();
    let filters = [Filter::milter_over_tcp("127.0.0.1", &["-q"]), Filter::milter(&["-q"])];
    let options = [0, 1].map(|at| format!("-o smtpd_milters={}", filters[at].place));
    let [tcp, unix] = options;
    let _postfix = Postfix::start(sink.port, &[(over_tcp, tcp), (through_unix, unix)], "");
    let mut clients =
        [over_tcp, through_unix].map(|port| Client::connect(port).expect("a connection"));
    let long = [b"Subject: caf\xE9\r\n\r\n", &b"d\xE9j\xE0 vu\r\n".repeat(20_000)[..]].concat();
    for octets in [MESSAGE, &long] {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..21 {
            for (client, times) in clients.iter_mut().zip(&mut times) {
                let begun = Instant::now();
                let mail = Mail { octets, ..mail("b@example.org") };
                assert!(client.send(mail).expect("an answer").starts_with("250"));
                times.push(begun.elapsed());
            }
        }
        let [tcp, unix] = times.map(middle);
        println!("{} octets: {tcp:?} over TCP, {unix:?} through a Unix socket", octets.len());
        assert!(tcp < unix + DELAYED, "{tcp:?} over TCP, {unix:?} through a Unix socket");
    }
}
