//! Mail that arrives through a filter is the normal form of what arrives without it, octet for
//! octet.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;
use sevenbit::{Normalizer, Profile};

use super::support::{
    Arrived, Client, Filter, Mail, Postfix, Sink, SinkOptions, corpus, has_postfix, real_mail, wait,
};

/// The ways in, at the start of recipients' names. `proxy` hands mail to the sink as a gateway
/// before the queue gets it.
const WAYS: [&str; 5] = ["none", "milter", "after", "before", "proxy"];

/// Everything between a client and the sink.
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
        let (after, before) = (
            Filter::gateway(again, &["--log", "json"]),
            Filter::gateway(again, &["--log", "json"]),
        );
        let ports = [
            (none, String::new()),
            (with_milter, format!("-o smtpd_milters={}", milter.place)),
            (with_after, format!("-o content_filter=smtp:[127.0.0.1]:{}", after.port())),
            (with_before, format!("-o smtpd_proxy_filter=127.0.0.1:{}", before.port())),
            (with_proxy, format!("-o smtpd_proxy_filter=127.0.0.1:{}", sink.port)),
            // This one accepts mail from the gateways.
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

fn send(client: &mut Client, name: &str, octets: &[u8]) -> std::io::Result<()> {
    let to = format!("{name}@example.org");
    let mail = Mail { from: "a@example.org", to: &to, parameters: " BODY=8BITMIME", octets };
    let answer = client.send(mail)?;
    assert!(answer.starts_with("250"), "{name}: {answer}");
    Ok(())
}

/// The differences, and how many messages were compared.
fn differences(messages: &[(std::path::PathBuf, Vec<u8>)]) -> (Vec<String>, usize) {
    let chain = Chain::start();
    let mut clients = chain.connect();
    // A first line `From ` over 2,048 octets kills Postfix 3.7 if it has a proxy, ours or any.
    let mut fatal = BTreeSet::new();
    for (number, (path, octets)) in messages.iter().enumerate() {
        if number % 100 == 99 {
            clients = chain.connect();
        }
        for (way, name) in WAYS.into_iter().enumerate() {
            if let Err(error) = send(&mut clients[way], &format!("{name}-{number}"), octets) {
                assert!(["before", "proxy"].contains(&name), "{name}: {}: {error}", path.display());
                println!("{name}: Postfix does not survive {}: {error}", path.display());
                fatal.insert(number);
                clients = chain.connect();
            }
        }
    }
    let arrived = all(&chain.sink, messages.len() * WAYS.len() - 2 * fatal.len());
    // A gateway before the queue sees mail before most of Postfix does. What arrives then is the
    // normal form of its input, with Postfix's changes to that.
    let normalizer = Normalizer::new().profile(Profile::Transport);
    let [again, ..] = &mut clients;
    for number in (0..messages.len()).filter(|number| !fatal.contains(number)) {
        let handed = &arrived[&format!("proxy-{number}")];
        let sent = send(
            again,
            &format!("expected-{number}"),
            normalizer.normalize(&handed.octets).octets(),
        );
        sent.expect("an answer");
    }
    let arrived = all(&chain.sink, messages.len() * (WAYS.len() + 1) - 3 * fatal.len());
    let mut different = Vec::new();
    for (number, (path, octets)) in messages.iter().enumerate() {
        let of = |way: &str| &arrived[&format!("{way}-{number}")];
        let without = of("none");
        let mut made = normalizer.normalize(&without.octets).into_octets().into_owned();
        if !made.ends_with(b"\r\n") {
            made.extend_from_slice(b"\r\n"); // SMTP has no message without
        }
        let normal = Arrived { octets: made, ..without.clone() };
        // Postfix cuts a header over its limit, and not at the same place each time.
        let is_cut = header_length(octets) > HEADER_LIMIT;
        let before = (!fatal.contains(&number) && !is_cut).then(|| ("before", of("expected")));
        for (way, expected) in [("milter", &normal), ("after", &normal)].into_iter().chain(before) {
            let made = of(way).without_trace();
            let same = match way {
                "milter" => {
                    by_a_milter(made)
                        == by_a_milter(milters(expected.without_trace(), &without.octets))
                }
                _ => made == expected.without_trace(),
            };
            if !same {
                different.push(format!(
                    "{way}: {}\n{}",
                    path.display(),
                    where_they_differ(made, expected.without_trace())
                ));
            }
        }
    }
    println!(
        "{}",
        changed_by_postfix(messages, |number| arrived[&format!("none-{number}")].without_trace())
    );
    for filter in &chain.filters {
        println!("{}: {}", filter.place, latencies(&filter.log()));
    }
    (different, messages.len())
}

/// Postfix's `header_size_limit`, of one field.
const HEADER_LIMIT: usize = 102_400;

fn header_length(message: &[u8]) -> usize {
    let end = |empty: &[u8]| message.windows(empty.len()).position(|part| part == empty);
    end(b"\r\n\r\n").or_else(|| end(b"\n\n")).unwrap_or(message.len())
}

/// The octets expected of the milter: Postfix sends no empty line after a header that had none, and
/// no filter can add one.
fn milters<'a>(expected: &'a [u8], shown: &[u8]) -> &'a [u8] {
    if has_body(shown) { expected } else { expected.strip_suffix(b"\r\n").unwrap_or(expected) }
}

/// A message as a milter can express it: a field without any value would be deleted, so it gets a
/// space instead.
fn by_a_milter(message: &[u8]) -> Vec<u8> {
    let end =
        message.windows(4).position(|four| four == b"\r\n\r\n").map_or(message.len(), |at| at + 2);
    let (header, body) = message.split_at(end);
    let lines = header.split_inclusive(|&octet| octet == b'\n');
    let lines = lines.map(|line| {
        line.strip_suffix(b": \r\n").map_or(line.to_vec(), |name| [name, b":\r\n"].concat())
    });
    [lines.collect::<Vec<_>>().concat(), body.to_vec()].concat()
}

fn where_they_differ(made: &[u8], expected: &[u8]) -> String {
    let at = made.iter().zip(expected).take_while(|(made, expected)| made == expected).count();
    let near = |octets: &[u8]| {
        octets[at.saturating_sub(60)..octets.len().min(at + 60)].escape_ascii().to_string()
    };
    format!("  {}\n  {}", near(made), near(expected))
}

/// Postfix's own changes to messages, as counts of messages: which fields come and go, and what
/// happens to lines.
fn changed_by_postfix<'a>(
    messages: &[(std::path::PathBuf, Vec<u8>)],
    arrived: impl Fn(usize) -> &'a [u8],
) -> String {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for (number, (_, sent)) in messages.iter().enumerate() {
        let (mut lines, got) = (HashMap::<&[u8], i32>::new(), arrived(number));
        if got == sent {
            *kinds.entry("nothing".to_owned()).or_default() += 1;
            continue;
        }
        sent.split(|&octet| octet == b'\n')
            .for_each(|line| *lines.entry(without_cr(line)).or_default() -= 1);
        got.split(|&octet| octet == b'\n')
            .for_each(|line| *lines.entry(without_cr(line)).or_default() += 1);
        let mut found: Vec<String> = lines
            .iter()
            .filter(|(_, count)| **count != 0)
            .map(|(line, count)| kind(line, *count))
            .collect();
        found.sort();
        found.dedup();
        if found.is_empty() {
            found.push("only line ends".to_owned());
        }
        found.into_iter().for_each(|kind| *kinds.entry(kind).or_default() += 1);
    }
    kinds.iter().map(|(kind, count)| format!("Postfix, {count} messages: {kind}\n")).collect()
}

fn without_cr(line: &[u8]) -> &[u8] {
    &line[..line.iter().rposition(|&octet| octet != b'\r').map_or(0, |last| last + 1)]
}

/// The kind of a line that is added or removed.
fn kind(line: &[u8], count: i32) -> String {
    let name = line.split(|&octet| octet == b':').next().filter(|name| name.len() < line.len());
    let is_name =
        |name: &&[u8]| name.iter().all(|octet| octet.is_ascii_alphanumeric() || *octet == b'-');
    let what = match name.filter(is_name) {
        _ if line.is_empty() => "an empty line".to_owned(),
        _ if line.contains(&0) => "a line with NUL".to_owned(),
        _ if line.len() > 2048 => "a line over 2,048 octets".to_owned(),
        _ if line.starts_with(b"From ") || line.starts_with(b">From ") => "a From line".to_owned(),
        Some(name) => String::from_utf8_lossy(name).to_ascii_lowercase(),
        None => "other text".to_owned(),
    };
    format!("{} {what}", if count > 0 { "comes:" } else { "goes:" })
}

/// How long a filter took for a message, by its own log.
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

/// This many messages, by their names, once they have arrived.
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

/// Takes minutes: run by hand.
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
