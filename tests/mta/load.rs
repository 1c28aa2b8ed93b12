//! Messages a second through Postfix, with each filter and with ones that do nothing, and what a long time does to them. By hand,
//! on a machine with nothing else to do: `.ci/measure filters`.

use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::dkim::OpenDkim;
use super::nothing::{serve_milter, serve_relay};
use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, has, has_postfix, open_to_all, real_mail, wait,
};

/// Messages a run, and runs: what counts is the middle of them.
const COUNT: usize = 1000;
const RUNS: usize = 5;

#[test]
#[ignore = "a measurement"]
fn load() {
    if !has_postfix() || !has("smtp-source") {
        return;
    }
    let sink = Sink::start(SinkOptions { forgets: true, ..SinkOptions::default() });
    let [none, with_milter, with_nothing, with_dkim, with_gateway, with_relay, again] = Postfix::ports();
    let (milter, gateway) = (Filter::milter(&["-q"]), Filter::gateway(again, &["-q"]));
    let folder = TempDir::new_in("/tmp").expect("a directory");
    open_to_all(folder.path());
    let nothing = folder.path().join("socket");
    serve_milter(UnixListener::bind(&nothing).expect("a socket"));
    assert!(Command::new("chmod").arg("666").arg(&nothing).status().is_ok_and(|done| done.success()));
    let dkim = has("opendkim").then(|| OpenDkim::start(folder.path(), "verify.conf", "Mode v\n"));
    let filtered = |port: u16| format!("-o content_filter=smtp:[127.0.0.1]:{port}");
    let ports = [
        (none, String::new()),
        (with_milter, format!("-o smtpd_milters={}", milter.place)),
        (with_nothing, format!("-o smtpd_milters=unix:{}", nothing.display())),
        (
            with_dkim,
            dkim.as_ref().map_or_else(String::new, |dkim| format!("-o smtpd_milters={}", dkim.place)),
        ),
        (with_gateway, filtered(gateway.port())),
        (with_relay, filtered(serve_relay(again))),
        (again, "-o myhostname=again.sevenbit.test".to_owned()),
    ];
    let postfix = Postfix::start(sink.port, &ports, "");
    let ways = [
        ("Postfix alone", none),
        ("a milter that does nothing", with_nothing),
        ("the milter", with_milter),
        ("OpenDKIM, which verifies", with_dkim),
        ("an SMTP relay that does nothing, after the queue", with_relay),
        ("the gateway, after the queue", with_gateway),
    ];
    let mut rates = [const { Vec::new() }; 6];
    for _ in 0..RUNS {
        for (rates, (way, port)) in rates.iter_mut().zip(ways) {
            rates.push(rate(&sink, &postfix, port));
            println!("{way}: {:.0}", rates[rates.len() - 1]);
        }
    }
    let middle = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[RUNS / 2]
    });
    for (rate, (way, _)) in middle.iter().zip(ways) {
        println!("{way}: {rate:.0} messages/s, {:.0} % of Postfix alone", 100.0 * rate / middle[0]);
    }
    println!("milter {:.1} % of one that does nothing", 100.0 * middle[2] / middle[1]);
    println!("gateway {:.1} % of a relay that does nothing", 100.0 * middle[5] / middle[4]);
    for filter in [&milter, &gateway] {
        println!("{}: at most {} kB of memory", filter.place, memory(filter.id(), "VmHWM"));
    }
}

fn rate(sink: &Sink, postfix: &Postfix, port: u16) -> f64 {
    let before = sink.count();
    let begun = Instant::now();
    let count = COUNT.to_string();
    let ran = Command::new("smtp-source")
        .args(["-s", "10", "-m", &count, "-l", "4096", "-f", "a@example.org", "-t", "b@example.org"])
        .arg(format!("127.0.0.1:{port}"))
        .output()
        .expect("it runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    wait("all messages", || sink.count() == before + COUNT);
    let rate = COUNT as f64 / begun.elapsed().as_secs_f64();
    wait("an empty queue", || postfix.queue().is_empty());
    rate
}

/// What the system says of a process's memory, in kB.
fn memory(id: u32, what: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// Real mail, over and over, straight through the milter's and the gateway's sockets by way of Postfix: `SEVENBIT_SOAK` says for
/// how many seconds.
#[test]
#[ignore = "as long as it is told"]
fn soak() {
    let messages = real_mail();
    if !has_postfix() || messages.is_empty() {
        return;
    }
    let seconds = std::env::var("SEVENBIT_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(600);
    let end = Instant::now() + Duration::from_secs(seconds);
    let sink = Sink::start(SinkOptions { forgets: true, ..SinkOptions::default() });
    let (milter, gateway) = (Filter::milter(&["-q"]), Filter::gateway(sink.port, &["-q"]));
    let [port] = Postfix::ports();
    let options =
        format!("-o smtpd_milters={} -o content_filter=smtp:[127.0.0.1]:{}", milter.place, gateway.port());
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
        let most = |part: &[[u64; 2]]| part.iter().map(|sample| sample[which]).max().unwrap_or_default();
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
            let mail =
                Mail { from: "a@example.org", to: "b@example.org", parameters: " BODY=8BITMIME", octets };
            let answer = connection.send(mail).expect("an answer");
            assert!(answer.starts_with("250"), "{}: {answer}", path.display());
        }
    }
}
