//! What arrives through a filter is the normal form of what arrives without it, octet for octet.

use std::collections::BTreeMap;

use serde_json::Value;
use sevenbit::{Normalizer, Profile};

use super::support::{
    Arrived, Client, Filter, Mail, Postfix, Sink, SinkOptions, corpus, has_postfix, real_mail, wait,
};

/// The ways in, which the names of recipients begin with. `proxy` hands mail to the sink as a gateway before the queue gets it.
const WAYS: [&str; 5] = ["none", "milter", "after", "before", "proxy"];

/// All that is between a client and the sink.
struct Chain {
    sink: Sink,
    filters: [Filter; 3],
    ports: [u16; 5],
    _postfix: Postfix,
}

impl Chain {
    fn start() -> Self {
        let sink = Sink::start(SinkOptions::default());
        let [none, with_milter, with_after, with_before, with_proxy, again] = Postfix::ports();
        let milter = Filter::milter(&["--log", "json"]);
        let (after, before) =
            (Filter::gateway(again, &["--log", "json"]), Filter::gateway(again, &["--log", "json"]));
        let ports = [
            (none, String::new()),
            (with_milter, format!("-o smtpd_milters={}", milter.place)),
            (with_after, format!("-o content_filter=smtp:[127.0.0.1]:{}", after.port())),
            (with_before, format!("-o smtpd_proxy_filter=127.0.0.1:{}", before.port())),
            (with_proxy, format!("-o smtpd_proxy_filter=127.0.0.1:{}", sink.port)),
            // This one takes what comes from the gateways.
            (again, "-o smtpd_authorized_xforward_hosts=127.0.0.0/8".to_owned()),
        ];
        let postfix = Postfix::start(sink.port, &ports, "");
        let ports = [none, with_milter, with_after, with_before, with_proxy];
        Self { sink, filters: [milter, after, before], ports, _postfix: postfix }
    }

    fn connect(&self) -> [Client; 5] {
        self.ports.map(|port| Client::connect(port).expect("a connection"))
    }
}

fn send(client: &mut Client, name: &str, octets: &[u8]) {
    let to = format!("{name}@example.org");
    let mail = Mail { from: "a@example.org", to: &to, parameters: " BODY=8BITMIME", octets };
    let answer = client.send(mail).expect("an answer");
    assert!(answer.starts_with("250"), "{name}: {answer}");
}

/// What differs, and how many messages were compared.
fn differences(messages: &[(std::path::PathBuf, Vec<u8>)]) -> (Vec<String>, usize) {
    let chain = Chain::start();
    let mut clients = chain.connect();
    for (number, (_, octets)) in messages.iter().enumerate() {
        if number % 100 == 99 {
            clients = chain.connect();
        }
        for (client, way) in clients.iter_mut().zip(WAYS) {
            send(client, &format!("{way}-{number}"), octets);
        }
    }
    let arrived = all(&chain.sink, messages.len() * WAYS.len());
    // A gateway before the queue sees mail before most of Postfix does. What arrives then is the normal form of what it is
    // handed, and whatever Postfix does to that.
    let normalizer = Normalizer::new().profile(Profile::Transport);
    let [again, ..] = &mut clients;
    for number in 0..messages.len() {
        let handed = &arrived[&format!("proxy-{number}")];
        send(again, &format!("expected-{number}"), normalizer.normalize(&handed.octets).octets());
    }
    let arrived = all(&chain.sink, messages.len() * (WAYS.len() + 1));
    let mut different = Vec::new();
    for (number, (path, _)) in messages.iter().enumerate() {
        let of = |way: &str| &arrived[&format!("{way}-{number}")];
        let without = of("none");
        let octets = normalizer.normalize(&without.octets).into_octets().into_owned();
        let normal = Arrived { octets, ..without.clone() };
        for (way, expected) in [("milter", &normal), ("after", &normal), ("before", of("expected"))] {
            let (made, mut expected) = (of(way).without_trace(), expected.without_trace());
            if way == "milter" && !has_body(&without.octets) {
                // Postfix sends no empty line after a header that had none, and no filter can add one.
                expected = expected.strip_suffix(b"\r\n").unwrap_or(expected);
            }
            if made != expected {
                let differ =
                    made.iter().zip(expected).take_while(|(made, expected)| made == expected).count();
                let near = |octets: &[u8]| {
                    octets[differ.saturating_sub(60)..octets.len().min(differ + 60)]
                        .escape_ascii()
                        .to_string()
                };
                let (made, expected) = (near(made), near(expected));
                different.push(format!("{way}: {}\n  {made}\n  {expected}", path.display()));
            }
        }
    }
    for filter in &chain.filters {
        println!("{}: {}", filter.place, latencies(&filter.log()));
    }
    (different, messages.len())
}

/// How long a filter had for a message, by its own log.
fn latencies(log: &str) -> String {
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut times: Vec<u64> = lines.filter_map(|line| line["microseconds"].as_u64()).collect();
    times.sort_unstable();
    let at = |part: usize| times.get(times.len() * part / 100).copied().unwrap_or_default();
    format!("{} messages, microseconds: half under {}, 99 % under {}", times.len(), at(50), at(99))
}

/// Whether an empty line ends the header.
fn has_body(message: &[u8]) -> bool {
    message.windows(4).any(|four| four == b"\r\n\r\n")
}

/// So many messages, by their names, when they have arrived.
fn all(sink: &Sink, count: usize) -> BTreeMap<String, Arrived> {
    wait("all messages", || sink.count() == count);
    sink.arrived().into_iter().map(|one| (one.name(), one)).collect()
}

#[test]
fn what_arrives_is_the_normal_form_of_what_arrives_without() {
    if !has_postfix() {
        return;
    }
    let (different, compared) = differences(&corpus());
    assert!(different.is_empty(), "{} of {compared}:\n{}", different.len(), different.join("\n"));
}

/// Minutes: by hand.
#[test]
#[ignore = "minutes, and real mail beside the project"]
fn real_mail_arrives_in_its_normal_form() {
    let messages = real_mail();
    if !has_postfix() || messages.is_empty() {
        return;
    }
    let (different, compared) = differences(&messages);
    println!("{compared} messages, {} differ", different.len());
    assert!(different.is_empty(), "{} of {compared}:\n{}", different.len(), different.join("\n"));
}
