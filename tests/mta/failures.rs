//! What fails on the way: the filter, the next hop, the disk. Nothing is lost, and nothing comes twice without need.

use std::collections::BTreeMap;
use std::time::Duration;

use super::support::{Client, Filter, Mail, Postfix, Sink, SinkOptions, has_postfix, wait};

const MESSAGE: &[u8] = b"From: a@example.org\r\nSubject: caf\xE9\r\n\r\nd\xE9j\xE0 vu\r\n";

fn mail(to: &str) -> Mail<'_> {
    Mail { from: "a@example.org", to, parameters: " BODY=8BITMIME", octets: MESSAGE }
}

/// Sends until it is accepted, as a client with a queue does. Gives how often that took a second time.
fn send_all(port: u16, count: usize, mut meanwhile: impl FnMut(usize)) -> usize {
    let mut again = 0;
    let mut client = None;
    for number in 0..count {
        meanwhile(number);
        let to = format!("n{number}@example.org");
        loop {
            let open = match client.take() {
                Some(open) => Some(open),
                None => Client::connect(port).ok(),
            };
            if let Some(mut open) = open
                && let Ok(answer) = open.send(mail(&to))
            {
                assert!(!answer.starts_with('5'), "{answer}");
                // After a refusal a new connection: the filter of an old one stays away until its end.
                if answer.starts_with("250") {
                    client = Some(open);
                    break;
                }
            }
            again += 1;
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    again
}

/// How often each message arrived.
fn times(sink: &Sink) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for arrived in sink.arrived() {
        *times.entry(arrived.name()).or_default() += 1;
    }
    times
}

#[test]
fn a_milter_that_is_killed_loses_nothing() {
    if !has_postfix() {
        return;
    }
    const COUNT: usize = 400;
    let sink = Sink::start(SinkOptions::default());
    let mut milter = Filter::milter(&[]);
    let [port] = Postfix::ports();
    let _postfix = Postfix::start(sink.port, &[(port, format!("-o smtpd_milters={}", milter.place))], "");
    send_all(port, COUNT, |number| {
        if number % 100 == 50 {
            milter.kill_and_restart();
        }
    });
    wait("all messages", || sink.count() >= COUNT);
    let times = times(&sink);
    assert_eq!(times.len(), COUNT);
    // What Postfix answered 4xx to it did not keep.
    assert!(times.values().all(|&times| times == 1));
    assert!(sink.arrived().iter().all(|arrived| arrived.is_7bit()), "one passed unfiltered");
}

#[test]
fn a_gateway_that_is_killed_loses_nothing() {
    if !has_postfix() {
        return;
    }
    const COUNT: usize = 400;
    const KILLS: usize = 4;
    const CONNECTIONS: usize = 3;
    let sink = Sink::start(SinkOptions::default());
    let [port, again] = Postfix::ports();
    let mut gateway = Filter::gateway(again, &[]);
    let options = format!("-o content_filter=smtp:[127.0.0.1]:{}", gateway.port());
    let limit = format!("smtp_destination_concurrency_limit = {CONNECTIONS}");
    let postfix = Postfix::start(sink.port, &[(port, options), (again, String::new())], &limit);
    send_all(port, COUNT, |number| {
        if number % (COUNT / KILLS) == 50 {
            gateway.kill_and_restart();
        }
    });
    wait("all messages", || sink.count() >= COUNT && postfix.queue().is_empty());
    let times = times(&sink);
    assert_eq!(times.len(), COUNT);
    // Those that were killed between the next hop's answer and the gateway's own, at most one a connection: SMTP has no
    // cure for that.
    let twice: usize = times.values().map(|times| times - 1).sum();
    assert!(twice <= KILLS * CONNECTIONS, "{twice} came twice");
    assert!(sink.arrived().iter().all(|arrived| arrived.is_7bit()));
}

#[test]
fn a_next_hop_that_dies_is_tried_again() {
    for dies_at in ["EHLO", "MAIL", "RCPT", "DATA", ".", "after"] {
        let sink = Sink::start(SinkOptions { dies_at, ..SinkOptions::default() });
        let gateway = Filter::gateway(sink.port, &[]);
        let refused = match Client::connect(gateway.port()) {
            Ok(mut client) => client.send(mail("b@example.org")),
            Err(error) => Err(error),
        };
        assert!(!matches!(&refused, Ok(answer) if !answer.starts_with('4')), "{dies_at}: {refused:?}");
        assert_eq!(sink.count(), usize::from(dies_at == "after"), "{dies_at}");
        sink.set(SinkOptions::default());
        let mut client = Client::connect(gateway.port()).expect("a connection");
        assert!(client.send(mail("b@example.org")).expect("an answer").starts_with("250"), "after {dies_at}");
    }
}

#[test]
fn a_next_hop_that_is_not_there_is_said_to_be_away() {
    let [port] = Postfix::ports();
    let gateway = Filter::gateway(port, &[]);
    let stream = std::net::TcpStream::connect(("127.0.0.1", gateway.port())).expect("a connection");
    let mut said = String::new();
    std::io::Read::read_to_string(&mut &stream, &mut said).expect("an answer");
    assert!(said.starts_with("421 4.3.2 "), "{said}");
}

#[test]
fn a_slow_next_hop_is_waited_for_and_a_silent_client_is_not() {
    let slow = Duration::from_millis(700);
    let sink = Sink::start(SinkOptions { slow, ..SinkOptions::default() });
    let gateway = Filter::gateway(sink.port, &["--timeout", "1"]);
    let mut silent = Client::connect(gateway.port()).expect("a connection");
    let mut client = Client::connect(gateway.port()).expect("a connection");
    assert!(client.send(mail("b@example.org")).expect("an answer").starts_with("250"));
    wait("the end of a silent connection", || silent.reply().is_err());
}

#[test]
fn a_full_disk_is_a_reason_to_try_again() {
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &["--memory", "1k", "--temporary", "/dev/full"]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    let long = b"Subject: x\r\n\r\nlong enough\r\n".repeat(100);
    let answer = client.send(Mail { octets: &long, ..mail("b@example.org") }).expect("an answer");
    assert!(answer.starts_with("452 4.3.1 "), "{answer}");
    // Short ones need no file.
    assert!(client.send(mail("b@example.org")).expect("an answer").starts_with("250"));
    assert_eq!(sink.count(), 1);
}

#[test]
fn two_hundred_connections_at_a_time() {
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &[]);
    let mut clients: Vec<Client> =
        (0..200).map(|_| Client::connect(gateway.port()).expect("a connection")).collect();
    for client in &mut clients {
        assert!(client.send(mail("b@example.org")).expect("an answer").starts_with("250"));
    }
    assert_eq!(sink.count(), 200);
}
