//! Failures on the way: the filter, the next hop, the disk. Nothing is lost, and nothing is
//! delivered twice without need.
//!
//! Over 400 lines: one failure after another, each brought about in its own way.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{Read, Write};
use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tempfile::TempDir;

use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, fields_and_body, has_postfix, not_tried,
    packet, wait,
};

const MESSAGE: &[u8] = b"From: a@example.org\r\nSubject: caf\xE9\r\n\r\nd\xE9j\xE0 vu\r\n";

fn mail(to: &str) -> Mail<'_> {
    Mail { from: "a@example.org", to, parameters: " BODY=8BITMIME", octets: MESSAGE }
}

/// Sends message after message until `is_enough` of them, each until it is accepted, as a client
/// with a queue does. Returns how many were sent, and how often that took a second try.
fn send_all(port: u16, is_enough: impl Fn(usize) -> bool) -> (usize, usize) {
    let mut again = 0;
    let mut client = None;
    let mut number = 0;
    while !is_enough(number) {
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
                // A new connection after a refusal: the filter of an old one stays away until its
                // end.
                if answer.starts_with("250") {
                    client = Some(open);
                    break;
                }
            }
            again += 1;
            std::thread::sleep(Duration::from_millis(20));
        }
        number += 1;
    }
    (number, again)
}

/// How often each message arrived.
fn times(sink: &Sink) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for arrived in sink.arrived() {
        *times.entry(arrived.name()).or_default() += 1;
    }
    times
}

/// Messages, as many as a daily run has time for.
const COUNT: usize = 400;

/// How often a filter is killed at least; by default as often as those messages last
/// (`SEVENBIT_KILLS` for more).
fn kills() -> usize {
    std::env::var("SEVENBIT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// The number of times that a filter is restarted (`SEVENBIT_RESTARTS` for more).
fn restarts() -> usize {
    std::env::var("SEVENBIT_RESTARTS").ok().and_then(|text| text.parse().ok()).unwrap_or(10)
}

/// Some time up to this many milliseconds, different on each call.
fn a_while(max: u64) -> Duration {
    Duration::from_millis(RandomState::new().build_hasher().finish() % max)
}

/// Sends messages while the filter is killed at random moments, and stays away for a while each
/// time. Returns how many were sent, how often one had to be sent a second time, and how often the
/// filter was killed.
fn send_all_to_the_killed(port: u16, filter: &mut Filter) -> (usize, usize, usize) {
    let killed = AtomicUsize::new(0);
    let is_sent = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_sent.load(Ordering::Relaxed) {
                std::thread::sleep(a_while(150));
                filter.kill();
                std::thread::sleep(a_while(100));
                filter.restart();
                killed.fetch_add(1, Ordering::Relaxed);
            }
        });
        let (count, again) =
            send_all(port, |count| count >= COUNT && killed.load(Ordering::Relaxed) >= kills());
        is_sent.store(true, Ordering::Relaxed);
        let kills = killed.load(Ordering::Relaxed);
        println!("{count} messages, {kills} kills, {again} sent again");
        (count, again, kills)
    })
}

#[test]
fn a_milter_that_is_killed_loses_nothing() {
    if !has_postfix() {
        return;
    }
    let sink = Sink::start(SinkOptions::default());
    let mut milter = Filter::milter(&[]);
    let [port] = Postfix::ports();
    let _postfix =
        Postfix::start(sink.port, &[(port, format!("-o smtpd_milters={}", milter.place))], "");
    let (count, again, kills) = send_all_to_the_killed(port, &mut milter);
    assert!(again > 0, "killed {kills} times, and no message was under way");
    wait("all messages", || sink.count() >= count);
    let times = times(&sink);
    assert_eq!(times.len(), count);
    // Postfix did not keep a message that it answered with 4xx.
    assert!(times.values().all(|&times| times == 1));
    assert!(sink.arrived().iter().all(|arrived| arrived.is_7bit()), "one passed unfiltered");
}

/// The stage that a message reached, with what its client heard then.
#[derive(Debug)]
enum Heard {
    /// Before the message itself: a reply, or nothing if the connection has ended.
    Before(Option<String>),
    /// After 354 and the message.
    AtEnd(Option<String>),
}

fn send_by_steps(client: &mut Client, to: &str) -> Heard {
    for command in ["MAIL FROM:<a@example.org> BODY=8BITMIME", &format!("RCPT TO:<{to}>"), "DATA"] {
        match client.ask(command) {
            Ok(answer) if answer.starts_with(['2', '3']) => {}
            other => return Heard::Before(other.ok()),
        }
    }
    let sent = client.say(&[MESSAGE, b".\r\n"].concat());
    Heard::AtEnd(sent.and_then(|()| client.reply()).ok())
}

/// Sends messages on several connections while the filter is stopped and started again, as a
/// service is. Returns how many were accepted, how many were refused before they were sent, and
/// what else was heard at their end.
fn send_all_to_the_restarted(port: u16, filter: &mut Filter) -> (usize, usize, Vec<Heard>) {
    const CONNECTIONS: usize = 4;
    let (accepted, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let is_over = AtomicBool::new(false);
    let send = |number: usize| {
        let mut wrong = Vec::new();
        let mut client = None;
        while !is_over.load(Ordering::Relaxed) {
            let Some(mut open) = client.take().or_else(|| Client::connect(port).ok()) else {
                std::thread::sleep(Duration::from_millis(5));
                continue;
            };
            match send_by_steps(&mut open, &format!("n{number}@example.org")) {
                Heard::AtEnd(Some(answer)) if answer.starts_with("250") => {
                    accepted.fetch_add(1, Ordering::Relaxed);
                    client = Some(open);
                }
                Heard::Before(answer) => {
                    assert!(
                        answer.as_ref().is_none_or(|answer| answer.starts_with('4')),
                        "{answer:?}"
                    );
                    refused.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(5));
                }
                heard => wrong.push(heard),
            }
        }
        wrong
    };
    let wrong = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..CONNECTIONS).map(|number| scope.spawn(move || send(number))).collect();
        for _ in 0..restarts() {
            std::thread::sleep(Duration::from_millis(100) + a_while(150));
            filter.signal("TERM");
            assert!(filter.wait().success());
            filter.restart();
        }
        std::thread::sleep(Duration::from_millis(300));
        is_over.store(true, Ordering::Relaxed);
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    (accepted.into_inner(), refused.into_inner(), wrong)
}

/// A message that is sent when the milter restarts is accepted; one that begins meanwhile is
/// deferred before it is sent.
#[test]
fn a_milter_that_is_restarted_defers_no_message_at_its_end() {
    if !has_postfix() {
        return;
    }
    let sink = Sink::start(SinkOptions::default());
    let mut milter = Filter::milter(&[]);
    let [port] = Postfix::ports();
    let _postfix =
        Postfix::start(sink.port, &[(port, format!("-o smtpd_milters={}", milter.place))], "");
    let (accepted, refused, wrong) = send_all_to_the_restarted(port, &mut milter);
    println!("milter, {} restarts: {accepted} accepted, {refused} refused before", restarts());
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(accepted > 0 && refused > 0, "{accepted} {refused}");
    wait("all messages", || sink.count() >= accepted);
    assert_eq!(sink.count(), accepted);
    assert!(sink.arrived().iter().all(|arrived| arrived.is_7bit()), "one passed unfiltered");
}

#[test]
fn a_gateway_that_is_restarted_answers_each_message() {
    let sink =
        Sink::start(SinkOptions { slow: Duration::from_millis(5), ..SinkOptions::default() });
    let mut gateway = Filter::gateway(sink.port, &[]);
    let (accepted, refused, wrong) = send_all_to_the_restarted(gateway.port(), &mut gateway);
    println!("gateway, {} restarts: {accepted} accepted, {refused} refused before", restarts());
    assert!(wrong.is_empty() && accepted > 0, "{accepted} {wrong:?}");
    assert_eq!(sink.count(), accepted);
}

#[test]
fn a_gateway_that_is_killed_loses_nothing() {
    if !has_postfix() {
        return;
    }
    const CONNECTIONS: usize = 3;
    let sink = Sink::start(SinkOptions::default());
    let [port, again] = Postfix::ports();
    let mut gateway = Filter::gateway(again, &[]);
    let options = format!("-o content_filter=smtp:[127.0.0.1]:{}", gateway.port());
    let limit = format!("smtp_destination_concurrency_limit = {CONNECTIONS}");
    let postfix = Postfix::start(sink.port, &[(port, options), (again, String::new())], &limit);
    let (count, _, kills) = send_all_to_the_killed(port, &mut gateway);
    wait("all messages", || sink.count() >= count && postfix.queue().is_empty());
    assert!(
        postfix.log().contains("status=deferred"),
        "killed {kills} times, and no message was under way"
    );
    let times = times(&sink);
    assert_eq!(times.len(), count);
    // Those that were killed between the next hop's reply and the gateway's own, at most one per
    // connection: SMTP has no cure for that.
    let twice: usize = times.values().map(|times| times - 1).sum();
    assert!(twice <= kills * CONNECTIONS, "{twice} came twice");
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
        assert!(
            !matches!(&refused, Ok(answer) if !answer.starts_with('4')),
            "{dies_at}: {refused:?}"
        );
        assert_eq!(sink.count(), usize::from(dies_at == "after"), "{dies_at}");
        if dies_at == "." {
            // Which message that was can be read in the log.
            wait("a line", || gateway.log().contains("message connection="));
            let log = gateway.log();
            let line =
                log.lines().find(|line| line.contains("message connection=")).expect("a line");
            assert!(
                line.contains("to=\"b@example.org\"") && line.contains("answer=\"none: "),
                "{line}"
            );
        }
        sink.set(SinkOptions::default());
        let mut client = Client::connect(gateway.port()).expect("a connection");
        assert!(
            client.send(mail("b@example.org")).expect("an answer").starts_with("250"),
            "after {dies_at}"
        );
    }
}

/// With a real queue: mail that Postfix passed to the gateway while the next hop died at any point
/// arrives when it is back.
#[test]
fn a_queue_outlives_a_next_hop_that_dies() {
    if !has_postfix() {
        return;
    }
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &[]);
    let [port] = Postfix::ports();
    let options = format!("-o content_filter=smtp:[127.0.0.1]:{}", gateway.port());
    let postfix = Postfix::start(sink.port, &[(port, options)], "");
    let mut client = Client::connect(port).expect("a connection");
    for (number, dies_at) in ["EHLO", "MAIL", "RCPT", "DATA", ".", "after"].into_iter().enumerate()
    {
        sink.set(SinkOptions { dies_at, ..SinkOptions::default() });
        let to = format!("n{number}@example.org");
        assert!(client.send(mail(&to)).expect("an answer").starts_with("250"));
        wait("a delivery that fails", || postfix.log().matches("status=deferred").count() > number);
        sink.set(SinkOptions::default());
        wait("an empty queue", || postfix.queue().is_empty());
    }
    let times = times(&sink);
    assert_eq!(times.len(), 6);
    assert!(times.iter().all(|(name, &times)| times == 1 || name == "n5"), "{times:?}");
}

/// Sends a message slower than a next hop waits for DATA; returns the reply.
fn send_slowly(client: &mut Client, pause: Duration) -> String {
    for command in ["MAIL FROM:<a@example.org>", "RCPT TO:<b@example.org>", "DATA"] {
        let answer = client.ask(command).expect("an answer");
        assert!(answer.starts_with(['2', '3']), "{command}: {answer}");
    }
    let (begun, rest) = MESSAGE.split_at(30);
    client.say(begun).expect("sent");
    std::thread::sleep(pause);
    client.say(&[rest, b".\r\n"].concat()).expect("sent");
    client.reply().expect("an answer")
}

#[test]
fn a_sender_may_be_slower_than_the_next_hop_waits() {
    let patience = Some(Duration::from_millis(500));
    let sink = Sink::start(SinkOptions { patience, ..SinkOptions::default() });
    let gateway = Filter::gateway(sink.port, &[]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    for count in 1..=3 {
        let answer = send_slowly(&mut client, Duration::from_secs(1));
        assert!(answer.starts_with("250"), "{answer}");
        assert_eq!(sink.count(), count);
    }
    assert!(
        sink.arrived().iter().all(|arrived| arrived.is_7bit() && arrived.recipients.len() == 1)
    );
}

/// Before the queue, where the sender is anyone: Postfix waits 300 seconds for a command, 10 under
/// stress, here 2.
#[test]
fn a_slow_sender_gets_through_before_the_queue() {
    if !has_postfix() {
        return;
    }
    for options in ["", " -o smtpd_proxy_options=speed_adjust"] {
        let sink = Sink::start(SinkOptions::default());
        let [port, again] = Postfix::ports();
        let gateway = Filter::gateway(again, &[]);
        let proxied = format!("-o smtpd_proxy_filter=127.0.0.1:{}{options}", gateway.port());
        let _postfix = Postfix::start(
            sink.port,
            &[(port, proxied), (again, "-o smtpd_timeout=2s".to_owned())],
            "",
        );
        let mut client = Client::connect(port).expect("a connection");
        let answer = send_slowly(&mut client, Duration::from_secs(5));
        assert!(answer.starts_with("250"), "{options}: {answer}");
        wait("the message", || sink.count() == 1);
        assert!(sink.arrived()[0].is_7bit());
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

/// Whether it accepted the message is unknown: the client keeps it, and tries again.
#[test]
fn a_next_hop_that_falls_silent_has_accepted_nothing() {
    let sink = Sink::start(SinkOptions { slow: Duration::from_secs(20), ..SinkOptions::default() });
    let gateway = Filter::gateway(sink.port, &["--timeout", "1"]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    let answer = client.send(mail("b@example.org")).expect("an answer");
    assert!(answer.starts_with("421 4.3.0 "), "{answer}");
    wait("a word about it", || gateway.log().contains("the next hop has gone"));
    sink.set(SinkOptions::default());
    let mut client = Client::connect(gateway.port()).expect("a connection");
    assert!(client.send(mail("b@example.org")).expect("an answer").starts_with("250"));
}

#[test]
fn a_directory_that_is_lost_is_a_reason_to_try_again() {
    let sink = Sink::start(SinkOptions::default());
    let folder = TempDir::new_in("/tmp").expect("a directory");
    let place = folder.path().display().to_string();
    let gateway = Filter::gateway(sink.port, &["--memory", "1k", "--temporary", &place]);
    drop(folder);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    let long = b"Subject: x\r\n\r\nlong enough\r\n".repeat(100);
    let answer = client.send(Mail { octets: &long, ..mail("b@example.org") }).expect("an answer");
    assert!(answer.starts_with("452 4.3.1 "), "{answer}");
    // Short ones need no file.
    assert!(client.send(mail("b@example.org")).expect("an answer").starts_with("250"));
    assert_eq!(sink.count(), 1);
}

/// A file system of its own, which is removed with it.
struct Small(TempDir);

impl Small {
    /// One of 256 kB; none if this user may not create any.
    fn new() -> Option<Self> {
        let folder = TempDir::new_in("/tmp").expect("a directory");
        let made = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "none"])
            .arg(folder.path())
            .output();
        let is_made = made.is_ok_and(|made| made.status.success());
        if !is_made {
            not_tried("a file system that is full, which this user may not mount");
        }
        is_made.then(|| Self(folder))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

#[test]
fn a_disk_that_becomes_full_amid_a_message_is_a_reason_to_try_again() {
    let Some(small) = Small::new() else { return };
    let sink = Sink::start(SinkOptions::default());
    let directory = small.0.path().display().to_string();
    let gateway = Filter::gateway(sink.port, &["--memory", "1k", "--temporary", &directory]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    let too_long = b"Subject: x\r\n\r\nlong enough\r\n".repeat(20_000);
    let fits = b"Subject: x\r\n\r\nlong enough\r\n".repeat(2_000);
    for _ in 0..3 {
        let answer =
            client.send(Mail { octets: &too_long, ..mail("b@example.org") }).expect("an answer");
        assert!(answer.starts_with("452 4.3.1 "), "{answer}");
        // Octets that could not be kept do not take up room.
        let answer =
            client.send(Mail { octets: &fits, ..mail("b@example.org") }).expect("an answer");
        assert!(answer.starts_with("250"), "{answer}");
    }
    assert_eq!(sink.count(), 3);
}

/// Clients that are connected and send nothing take none of the next hop's processes, and are
/// served when they do.
#[test]
fn idle_clients_hold_no_next_hop() {
    const CLIENTS: usize = 100;
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &[]);
    let mut clients: Vec<Client> =
        (0..CLIENTS).map(|_| Client::connect(gateway.port()).expect("a connection")).collect();
    assert!(sink.open() > 0, "what a client hears is what the next hop offers");
    wait("the next hop's processes", || sink.open() == 0);

    // What needs no next hop is answered without one.
    for command in ["NOOP", "RSET"] {
        assert!(clients[0].ask(command).expect("an answer").starts_with("250"));
    }
    assert_eq!(sink.open(), 0);
    for client in &mut clients {
        assert!(client.send(mail("b@example.org")).expect("an answer").starts_with("250"));
    }
    assert_eq!(sink.count(), CLIENTS);
    wait("the next hop's processes", || sink.open() == 0);
    let last = clients.pop().map(|mut client| client.ask("QUIT").expect("an answer"));
    assert!(last.is_some_and(|last| last.starts_with("221")));
    assert!(!gateway.log().contains("has gone"), "{}", gateway.log());

    // None is there any more: the client is to try again, and is served once there is one.
    sink.set(SinkOptions { dies_at: "EHLO", ..SinkOptions::default() });
    let refused = clients[0].ask("MAIL FROM:<a@example.org>").expect("an answer");
    assert!(refused.starts_with("421 4.3.0"), "{refused}");
    sink.set(SinkOptions::default());
    assert!(clients[1].send(mail("b@example.org")).expect("an answer").starts_with("250"));
}

/// The next hop ends an idle connection before the gateway does, as one that is restarted does.
#[test]
fn a_next_hop_that_has_gone_between_messages_is_connected_to_again() {
    let options = SinkOptions { patience: Some(Duration::from_secs(1)), ..SinkOptions::default() };
    let sink = Sink::start(options);
    let gateway = Filter::gateway(sink.port, &[]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    for _ in 0..2 {
        wait("the end of the connection", || sink.open() == 0);
        let answer = client.send(mail("b@example.org")).expect("an answer");
        assert!(answer.starts_with("250"), "{answer}");
    }
    assert_eq!(sink.count(), 2);
}

/// Long messages that do not fit into the memory at a time wait for each other.
#[test]
fn long_messages_wait_for_memory() {
    const CLIENTS: usize = 8;
    let sink = Sink::start(SinkOptions { forgets: true, ..SinkOptions::default() });
    let gateway = Filter::gateway(sink.port, &["--memory", "64K", "--memory-total", "1M"]);
    // In a message without a plan of its beginning all octets are held.
    let octets =
        [b"Subject: x\r\n\r\n", &b"d\xE9j\xE0 vu, et encore\r\n".repeat(30_000)[..]].concat();
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let mut client = Client::connect(gateway.port()).expect("a connection");
                let answer = client.send(Mail { octets: &octets, ..mail("b@example.org") });
                assert!(
                    answer.as_ref().is_ok_and(|answer| answer.starts_with("250")),
                    "{answer:?}"
                );
            });
        }
    });
    assert_eq!(sink.count(), CLIENTS);
}

/// Connections that say nothing, or stop in the middle of a command, the header or the body.
#[test]
fn half_open_connections_do_not_block_others() {
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &["--timeout", "3"]);
    let starts: [&[u8]; 4] = [
        b"",
        b"MAIL FROM:<a@exa",
        b"MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\nSubj",
        b"MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\nSubject: x\r\n\r\nhal",
    ];
    let mut open: Vec<Client> = (0..200)
        .map(|number| {
            let mut client = Client::connect(gateway.port()).expect("a connection");
            client.say(starts[number % starts.len()]).expect("sent");
            client
        })
        .collect();
    let mut client = Client::connect(gateway.port()).expect("a connection");
    assert!(client.send(mail("b@example.org")).expect("an answer").starts_with("250"));
    // They end without help, and none of their messages went on.
    wait("the end of the others", || {
        open.retain_mut(|client| client.reply().is_ok());
        open.is_empty()
    });
    assert_eq!(sink.count(), 1);
}

#[test]
fn two_hundred_connections_at_a_time() {
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &[]);
    let begin = Barrier::new(200);
    std::thread::scope(|scope| {
        for _ in 0..200 {
            scope.spawn(|| {
                let mut client = Client::connect(gateway.port()).expect("a connection");
                begin.wait();
                for _ in 0..5 {
                    assert!(
                        client.send(mail("b@example.org")).expect("an answer").starts_with("250")
                    );
                }
            });
        }
    });
    assert_eq!(sink.count(), 1000);
    assert!(sink.arrived().iter().all(|arrived| arrived.is_7bit()));
}

#[test]
fn two_hundred_connections_of_mail_servers_at_a_time() {
    let milter = Filter::milter(&[]);
    let offer = packet(b'O', &[6_u32, 0x1FF, 0x1F_FFFF].map(u32::to_be_bytes).concat());
    let message = fields_and_body(&[("Subject", " caf\u{e9}")], b"x\r\n");
    let begin = Barrier::new(200);
    std::thread::scope(|scope| {
        for _ in 0..200 {
            scope.spawn(|| {
                let mut stream = milter.connect();
                begin.wait();
                stream
                    .write_all(&[&offer[..], &message.repeat(5), &packet(b'Q', b"")].concat())
                    .expect("sent");
                let mut said = Vec::new();
                stream.read_to_end(&mut said).expect("answers");
                // To MAIL and to the end of each.
                assert_eq!(said.windows(5).filter(|five| five == b"\0\0\0\x01c").count(), 10);
            });
        }
    });
}
