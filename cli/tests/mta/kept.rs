//! Connections to the next hop that one client leaves to another.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, free_port, has_postfix, wait,
};

/// A gateway before this next hop, which no longer has the connection that its start took.
fn gateway(sink: &Sink, options: &[&str]) -> Filter {
    let before = sink.made();
    let gateway = Filter::gateway(sink.port, options);
    wait("the end of the first connection", || sink.made() > before && sink.open() == 0);
    gateway
}

/// Sends a message in a conversation of its own.
fn send(gateway: &Filter, to: &str) {
    send_last(Client::connect(gateway.port()).expect("a connection"), to);
}

/// Sends the last message of a conversation.
fn send_last(mut client: Client, to: &str) {
    let octets = b"Subject: caf\xE9\r\n\r\nd\xE9j\xE0 vu\r\n";
    let mail = Mail { from: "a@example.org", to, parameters: "", octets };
    let answer = client.send(mail).expect("an answer");
    assert!(answer.starts_with("250"), "{answer}");
    let bye = client.ask("QUIT").expect("an answer");
    assert!(bye.starts_with("221 2.0.0 "), "{bye}");
}

fn counters(port: u16) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").expect("sent");
    let mut said = String::new();
    stream.read_to_string(&mut said).expect("an answer");
    said
}

#[test]
fn clients_one_after_the_other_share_connections() {
    let (sink, metrics) = (Sink::start(SinkOptions::default()), free_port());
    let place = format!("127.0.0.1:{metrics}");
    for (options, made, kept) in [(&[][..], 10, 90), (&["--keep-connections", "0"], 100, 0)] {
        let gateway = gateway(&sink, &[options, &["--metrics", &place]].concat());
        let (made_before, before) = (sink.made(), sink.count());
        (0..100).for_each(|number| send(&gateway, &format!("n{number}@example.org")));
        assert_eq!((sink.made() - made_before, sink.count() - before), (made, 100));
        let arrived = sink.arrived();
        for (number, arrived) in arrived[before..].iter().enumerate() {
            assert_eq!(arrived.name(), format!("n{number}"));
            assert!(arrived.is_7bit() && arrived.recipients.len() == 1);
        }
        let said = counters(metrics);
        // One more for the test of its start.
        let new = format!("sevenbit_next_hop_connections_total{{from=\"new\"}} {}\n", made + 1);
        let kept = format!("sevenbit_next_hop_connections_total{{from=\"kept\"}} {kept}\n");
        assert!(said.contains(&new), "{said}");
        assert!(said.contains(&kept) || options.len() == 2, "{said}");
    }
}

#[test]
fn few_connections_wait_and_not_for_long() {
    const CLIENTS: usize = 50;
    let (sink, metrics) = (Sink::start(SinkOptions::default()), free_port());
    let gateway = gateway(&sink, &["--metrics", &format!("127.0.0.1:{metrics}")]);
    let begin = Barrier::new(CLIENTS);
    std::thread::scope(|scope| {
        for number in 0..CLIENTS {
            let (gateway, begin) = (&gateway, &begin);
            scope.spawn(move || {
                let client = Client::connect(gateway.port()).expect("a connection");
                begin.wait();
                send_last(client, &format!("n{number}@example.org"));
            });
        }
    });
    let begun = Instant::now();
    assert_eq!(sink.count(), CLIENTS);
    wait("the end of all but a few", || sink.open() <= 4);
    assert!(counters(metrics).contains("sevenbit_next_hop_connections_waiting 4\n"));
    wait("the end of the others", || sink.open() == 0);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(sink.quits(), sink.made());
    assert!(counters(metrics).contains("sevenbit_next_hop_connections_waiting 0\n"));
    assert!(!gateway.log().contains("next hop"), "{}", gateway.log());
}

/// A next hop that is restarted, or does not wait as long, ends connections that wait for a client.
#[test]
fn a_connection_that_ends_while_it_waits_is_replaced() {
    let options = SinkOptions { patience: Some(Duration::from_secs(1)), ..SinkOptions::default() };
    let sink = Sink::start(options);
    let gateway = gateway(&sink, &[]);
    for count in 1..=3 {
        send(&gateway, "b@example.org");
        wait("the end of the connection", || sink.open() == 0);
        assert_eq!((sink.count(), sink.made()), (count, count + 1));
    }
    assert!(!gateway.log().contains("next hop"), "{}", gateway.log());
}

#[test]
fn the_next_hop_hears_quit_when_the_service_stops_or_reloads() {
    let sink = Sink::start(SinkOptions::default());
    let mut gateway = gateway(&sink, &[]);
    send(&gateway, "b@example.org");
    assert_eq!((sink.open(), sink.quits()), (1, 1));
    gateway.signal("HUP");
    let begun = Instant::now();
    wait("the reload", || sink.quits() == 2);
    send(&gateway, "b@example.org");
    assert_eq!((sink.made(), sink.open()), (3, 1));
    gateway.signal("TERM");
    assert!(gateway.wait().success());
    wait("QUIT", || sink.quits() == 3);
    assert!(begun.elapsed() < Duration::from_secs(4), "it waits: {:?}", begun.elapsed());
}

#[test]
fn a_postfix_takes_messages_of_several_clients_by_one_connection() {
    if !has_postfix() {
        return;
    }
    let sink = Sink::start(SinkOptions::default());
    let [next] = Postfix::ports();
    let postfix = Postfix::start(sink.port, &[(next, String::new())], "");
    let gateway = Filter::gateway(next, &[]);
    (0..20).for_each(|number| send(&gateway, &format!("n{number}@example.org")));
    wait("all messages", || sink.count() == 20);
    let of_ten = "ehlo=10 mail=10 rcpt=10 data=10 quit=1 commands=41";
    wait("the end of the connections", || postfix.log().matches(of_ten).count() == 2);
}

/// What a client says of its message by XFORWARD is not said of the messages of others.
#[test]
fn a_postfix_forgets_whose_a_message_was() {
    if !has_postfix() {
        return;
    }
    let sink = Sink::start(SinkOptions::default());
    let [next] = Postfix::ports();
    let options = "-o smtpd_authorized_xforward_hosts=127.0.0.0/8".to_owned();
    let postfix = Postfix::start(sink.port, &[(next, options)], "");
    let gateway = Filter::gateway(next, &[]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    for command in ["XFORWARD NAME=first.test ADDR=192.0.2.9 IDENT=4FIRST", "MAIL FROM:<>"] {
        assert!(client.ask(command).expect("an answer").starts_with("250"));
    }
    for (command, code) in [
        ("RCPT TO:<b@example.org>", "250"),
        ("DATA", "354"),
        ("Subject: x\r\n\r\n.", "250"),
        ("QUIT", "221"),
    ] {
        assert!(client.ask(command).expect("an answer").starts_with(code), "{command}");
    }
    send(&gateway, "b@example.org");
    wait("both messages", || sink.count() == 2);
    let log = postfix.log();
    assert_eq!(log.matches("orig_client=").count(), 2, "{log}");
    let firsts = ["first.test", "192.0.2.9", "4FIRST"].map(|word| log.matches(word).count());
    assert_eq!(firsts, [1, 1, 1], "{log}");
    wait("one connection", || postfix.log().contains("ehlo=2 xforward=2 mail=2"));
}
