//! Messages per second through Postfix, with each filter and with ones that do nothing, and the
//! effect of a long time or a long message on them. Measurements are made by hand, on an otherwise
//! idle machine: `.ci/measure filters`.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::dkim::OpenDkim;
use super::nothing::{serve_milter, serve_relay};
use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, has, has_postfix, open_to_all, packet,
    real_mail, wait,
};

/// Messages per run, over so many connections at a time, and rounds of runs (`SEVENBIT_ROUNDS` for
/// fewer): the median counts.
const COUNT: usize = 400;
const CONNECTIONS: [usize; 3] = [1, 20, 100];
const ROUNDS: usize = 25;

#[test]
#[ignore = "a measurement"]
fn load() {
    if !has_postfix() || !has("smtp-source") {
        return;
    }
    let sink = Sink::start(SinkOptions { forgets: true, ..SinkOptions::default() });
    let [
        none,
        with_milter,
        over_tcp,
        with_nothing,
        with_dkim,
        with_gateway,
        with_relay,
        proxied,
        direct,
        again,
    ] = Postfix::ports();
    let (milter, gateway) = (Filter::milter(&["-q"]), Filter::gateway(again, &["-q"]));
    let remote = Filter::milter_over_tcp("127.0.0.1", &["-q"]);
    let folder = TempDir::new_in("/tmp").expect("a directory");
    open_to_all(folder.path());
    let nothing = folder.path().join("socket");
    serve_milter(UnixListener::bind(&nothing).expect("a socket"));
    assert!(
        Command::new("chmod").arg("666").arg(&nothing).status().is_ok_and(|done| done.success())
    );
    let dkim =
        has("opendkim").then(|| OpenDkim::start_local(folder.path(), "verify.conf", "Mode v\n"));
    let filtered = |port: u16| format!("-o content_filter=smtp:[127.0.0.1]:{port}");
    let before = |port: u16| format!("-o smtpd_proxy_filter=127.0.0.1:{port}");
    let ports = [
        (none, String::new()),
        (with_milter, format!("-o smtpd_milters={}", milter.place)),
        (over_tcp, format!("-o smtpd_milters={}", remote.place)),
        (with_nothing, format!("-o smtpd_milters=unix:{}", nothing.display())),
        (
            with_dkim,
            dkim.as_ref()
                .map_or_else(String::new, |dkim| format!("-o smtpd_milters={}", dkim.place)),
        ),
        (with_gateway, filtered(gateway.port())),
        (with_relay, filtered(serve_relay(again))),
        (proxied, before(gateway.port())),
        (direct, before(again)),
        (again, "-o myhostname=again.sevenbit.test".to_owned()),
    ];
    let postfix = Postfix::start(sink.port, &ports, "");
    let ways = [
        ("Postfix alone", none),
        ("a milter that does nothing", with_nothing),
        ("the milter", with_milter),
        ("the milter over TCP", over_tcp),
        ("OpenDKIM, which verifies", with_dkim),
        ("an SMTP relay that does nothing, after the queue", with_relay),
        ("the gateway, after the queue", with_gateway),
        ("a second smtpd, before the queue", direct),
        ("the gateway, before the queue", proxied),
    ];
    let count =
        std::env::var("SEVENBIT_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    for connections in CONNECTIONS {
        println!("{connections} connections, {count} rounds");
        measure(count, &ways, |port| rate(&sink, &postfix, port, connections));
    }
    for filter in [&milter, &remote, &gateway] {
        let (memory, time) = (memory(filter.id(), "VmHWM"), processor_time(filter.id()));
        let times = if filter.id() == gateway.id() { 2 } else { 1 };
        let each = time.as_micros() / (times * CONNECTIONS.len() * count * COUNT) as u128;
        println!(
            "{}: at most {memory} kB of memory, {each} microseconds of processor time a message",
            filter.place
        );
    }
}

/// Measures all ways in rounds, and prints what they are beside each other.
fn measure(count: usize, ways: &[(&str, u16)], rate: impl Fn(u16) -> f64) {
    let measured = |&(_, port): &(&str, u16)| rate(port);
    // In alternating order: no way always follows the same other one.
    let rounds: Vec<Vec<f64>> = (0..count)
        .map(|round| match round % 2 {
            0 => ways.iter().map(measured).collect(),
            _ => {
                let mut rates: Vec<f64> = ways.iter().rev().map(measured).collect();
                rates.reverse();
                rates
            }
        })
        .collect();
    print(&rounds, &ways.iter().map(|&(way, _)| way).collect::<Vec<_>>());
}

/// The machine's other work changes from round to round: two ways are compared within each.
fn print(rounds: &[Vec<f64>], ways: &[&str]) {
    let beside = |way: usize, other: usize| {
        let mut ratios: Vec<f64> =
            rounds.iter().map(|round| 100.0 * round[way] / round[other]).collect();
        ratios.sort_by(f64::total_cmp);
        [1, 2, 3].map(|quarter| ratios[ratios.len() * quarter / 4])
    };
    for (at, way) in ways.iter().enumerate() {
        let (rate, [_, ratio, _]) = (middle(rounds.iter().map(|round| round[at])), beside(at, 0));
        println!("{way}: {rate:.0} messages/s, {ratio:.0} % of Postfix alone");
    }
    for (way, other) in [(2, 1), (3, 1), (6, 5), (8, 7)] {
        let ([low, ratio, high], [way, other]) =
            (beside(way, other), [way, other].map(|at| ways[at]));
        println!(
            "{way}: {ratio:.1} % of {other}; half of the rounds between {low:.0} and {high:.0} %"
        );
    }
}

fn middle(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn rate(sink: &Sink, postfix: &Postfix, port: u16, connections: usize) -> f64 {
    let before = sink.count();
    let begun = Instant::now();
    let count = COUNT.to_string();
    let ran = Command::new("smtp-source")
        .args([
            "-s",
            &connections.to_string(),
            "-m",
            &count,
            "-l",
            "4096",
            "-f",
            "a@example.org",
            "-t",
            "b@example.org",
        ])
        .arg(format!("127.0.0.1:{port}"))
        .output()
        .expect("it runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    wait("all messages", || sink.count() == before + COUNT);
    let rate = COUNT as f64 / begun.elapsed().as_secs_f64();
    wait("an empty queue", || postfix.queue().is_empty());
    rate
}

/// Messages of 10 MB: the time from the first octet to the answer, beside filters that do nothing.
#[test]
#[ignore = "a measurement"]
fn long_messages() {
    let sink = Sink::start(SinkOptions { forgets: true, ..SinkOptions::default() });
    let folder = TempDir::new_in("/tmp").expect("a directory");
    let nothing = folder.path().join("socket");
    serve_milter(UnixListener::bind(&nothing).expect("a socket"));
    let (milter, gateway) = (Filter::milter(&["-q"]), Filter::gateway(sink.port, &["-q"]));
    let relay = serve_relay(sink.port);

    let text = b"Subject: x\r\n\r\n";
    let label =
        b"Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
        Content-Transfer-Encoding: 8bit\r\n\r\n";
    let ascii_line =
        b"A line of a text that goes on and on, and says nothing new. Read it again.\r\n";
    let line =
        b"Un texte qui ne dit rien de nouveau, d\xE9j\xE0 vu et revu, sans que rien ne change.\r\n";
    let kinds = [
        ("an attachment", with_attachment(130_000)),
        ("ASCII text", [&text[..], &ascii_line.repeat(130_000)].concat()),
        ("Latin-1 text", [&label[..], &line.repeat(126_000)].concat()),
    ];
    for (kind, message) in &kinds {
        let wire = shown_to_milters(message);
        let show = |path: &Path| {
            let mut stream = UnixStream::connect(path).expect("a connection");
            let begun = Instant::now();
            stream.write_all(&wire).expect("sent");
            stream.read_to_end(&mut Vec::new()).expect("answers");
            begun.elapsed().as_secs_f64()
        };
        let send = |port: u16| {
            let mut client = Client::connect(port).expect("a connection");
            let begun = Instant::now();
            let answer = client.send(Mail { parameters: " BODY=8BITMIME", ..to_b(message) });
            assert!(answer.as_ref().is_ok_and(|answer| answer.starts_with("250")), "{answer:?}");
            begun.elapsed().as_secs_f64()
        };
        compare(
            kind,
            "a milter that does nothing",
            || show(&nothing),
            "the milter",
            || show(&milter.path()),
        );
        compare(
            kind,
            "a relay that does nothing",
            || send(relay),
            "the gateway",
            || send(gateway.port()),
        );
    }
    for filter in [&milter, &gateway] {
        println!("{}: at most {} kB", filter.place, memory(filter.id(), "VmHWM"));
    }
}

/// Prints the medians of two measurements in alternating order, and of their ratios.
fn compare(
    kind: &str,
    one: &str,
    measure_one: impl Fn() -> f64,
    other: &str,
    measure_other: impl Fn() -> f64,
) {
    let rounds: Vec<[f64; 2]> = (0..2 * ROUNDS)
        .map(|round| match round % 2 {
            0 => [measure_one(), measure_other()],
            _ => {
                let second = measure_other();
                [measure_one(), second]
            }
        })
        .collect();
    let [first, second] = [0, 1].map(|at| 1000.0 * middle(rounds.iter().map(|round| round[at])));
    let ratio = middle(rounds.iter().map(|[first, second]| second / first));
    println!("{kind}: {one} {first:.1} ms, {other} {second:.1} ms, ratio {ratio:.2}");
}

/// A connection of a mail server that shows a message.
fn shown_to_milters(message: &[u8]) -> Vec<u8> {
    let end = message.windows(4).position(|four| four == b"\r\n\r\n").expect("a body");
    let mut wire = packet(b'O', &[6_u32, 0x1FF, 0x1F_FFFF].map(u32::to_be_bytes).concat());
    wire.extend(packet(b'M', b"<a@example.org>\0"));
    for field in message[..end].split(|&octet| octet == b'\n') {
        let colon = field.iter().position(|&octet| octet == b':').expect("a field");
        let (name, value) = (&field[..colon], field[colon + 1..].trim_ascii_end());
        wire.extend(packet(b'L', &[name, b"\0", value, b"\0"].concat()));
    }
    wire.extend(packet(b'N', b""));
    for chunk in message[end + 4..].chunks(65_535) {
        wire.extend(packet(b'B', chunk));
    }
    wire.extend(packet(b'E', b""));
    wire.extend(packet(b'Q', b""));
    wire
}

/// The system's figure for a process's memory, in kB.
fn memory(id: u32, what: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// The processor time of a process, its own and the system's for it.
fn processor_time(id: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // After the name, which is in brackets: the 12th and 13th words, in hundredths of a second.
    let words = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    Duration::from_millis(words.filter_map(|word| word.parse::<u64>().ok()).sum::<u64>() * 10)
}

/// Real mail, over and over, straight through the milter's and the gateway's sockets by way of
/// Postfix, for `SEVENBIT_SOAK` seconds.
#[test]
#[ignore = "as long as it is told"]
fn soak() {
    let messages = real_mail();
    if !has_postfix() || messages.is_empty() {
        return;
    }
    let seconds =
        std::env::var("SEVENBIT_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(600);
    let end = Instant::now() + Duration::from_secs(seconds);
    let sink = Sink::start(SinkOptions { forgets: true, ..SinkOptions::default() });
    // As in production: with a log line per message.
    let (milter, gateway) = (Filter::milter(&[]), Filter::gateway(sink.port, &[]));
    let [port] = Postfix::ports();
    let options = format!(
        "-o smtpd_milters={} -o content_filter=smtp:[127.0.0.1]:{}",
        milter.place,
        gateway.port()
    );
    let postfix = Postfix::start(sink.port, &[(port, options)], "");
    let mut sampled: Vec<[u64; 2]> = Vec::new();
    std::thread::scope(|scope| {
        for client in 0..2 {
            let (messages, postfix) = (&messages, &postfix);
            scope.spawn(move || {
                while Instant::now() < end {
                    send_some(port, messages, client, end);
                    wait("a short queue", || postfix.queue().len() < 500);
                }
            });
        }
        while Instant::now() < end {
            std::thread::sleep(Duration::from_secs(seconds.div_ceil(20)));
            sampled.push([milter.id(), gateway.id()].map(|id| memory(id, "VmRSS")));
            println!("{} messages, milter and gateway {:?} kB", sink.count(), sampled.last());
        }
    });
    let half = sampled.len() / 2;
    for which in 0..2 {
        let most =
            |part: &[[u64; 2]]| part.iter().map(|sample| sample[which]).max().unwrap_or_default();
        let (before, after) = (most(&sampled[..half]), most(&sampled[half..]));
        assert!(after <= before + before / 10 + 1024, "it grows: {before} kB, then {after} kB");
    }
}

fn send_some(port: u16, messages: &[(std::path::PathBuf, Vec<u8>)], client: usize, end: Instant) {
    for part in messages.chunks(100).skip(client).step_by(2) {
        let mut connection = Client::connect(port).expect("a connection");
        for (path, octets) in part {
            if Instant::now() >= end {
                return;
            }
            let mail = Mail {
                from: "a@example.org",
                to: "b@example.org",
                parameters: " BODY=8BITMIME",
                octets,
            };
            let answer = connection.send(mail).expect("an answer");
            assert!(answer.starts_with("250"), "{}: {answer}", path.display());
        }
    }
}

/// Long attachments on many connections: none is refused for want of memory.
#[test]
#[ignore = "4 GB of mail"]
fn long_attachments_need_little_memory() {
    const CLIENTS: usize = 20;
    const MESSAGES: usize = 10;
    let sink = Sink::start(SinkOptions { forgets: true, ..SinkOptions::default() });
    let gateway = Filter::gateway(sink.port, &["-q"]);
    let octets = &with_attachment(280_000);
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let mut client = Client::connect(gateway.port()).expect("a connection");
                for _ in 0..MESSAGES {
                    let answer = client.send(to_b(octets)).expect("an answer");
                    assert!(answer.starts_with("250"), "{answer}");
                }
            });
        }
    });
    let most = memory(gateway.id(), "VmHWM");
    println!("{} messages of {} octets: at most {most} kB", sink.count(), octets.len());
    assert!(octets.len() > 20 << 20 && most < 400 << 10, "{most} kB");
}

/// A message with an attachment of so many lines in base64.
fn with_attachment(lines: usize) -> Vec<u8> {
    let header = b"Subject: caf\xE9\r\nMIME-Version: 1.0\r\nContent-Type: application/zip\r\n\
        Content-Transfer-Encoding: base64\r\n\r\n";
    let line = [&b"UEsD".repeat(19)[..], b"\r\n"].concat();
    [&header[..], &line.repeat(lines)].concat()
}

fn to_b(octets: &[u8]) -> Mail<'_> {
    Mail { from: "a@example.org", to: "b@example.org", parameters: "", octets }
}

/// An attachment of 40 MB: only the octets that the plan needs are in memory.
#[test]
fn a_long_attachment_is_not_held() {
    let sink = Sink::start(SinkOptions { forgets: true, ..SinkOptions::default() });
    let gateway = Filter::gateway(sink.port, &[]);
    let octets = &with_attachment(560_000);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    let answer = client.send(to_b(octets)).expect("an answer");
    assert!(answer.starts_with("250"), "{answer}");
    // A build for tests takes 10 MB more than a release.
    let most = memory(gateway.id(), "VmHWM");
    assert!(octets.len() > 40 << 20 && most < 40 << 10, "{most} kB");
}
