//! Messages a second through Postfix, with each filter and with ones that do nothing. By hand, on a machine with nothing else to
//! do: `cargo test --release --features mta --test mta -- --ignored --nocapture load`.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Command;
use std::thread;
use std::time::Instant;

use tempfile::TempDir;

use super::support::{Filter, Postfix, Sink, SinkOptions, has, has_postfix, open_to_all, packet, wait};

/// Messages a run, and runs: what counts is the best of them.
const COUNT: usize = 2000;
const RUNS: usize = 3;

#[test]
#[ignore = "a measurement"]
fn load() {
    if !has_postfix() || !has("smtp-source") {
        return;
    }
    let sink = Sink::start(SinkOptions::default());
    let [none, with_milter, with_nothing, with_gateway, with_relay, again] = Postfix::ports();
    let milter = Filter::milter(&["-q"]);
    let gateway = Filter::gateway(again, &["-q"]);
    let folder = TempDir::new_in("/tmp").expect("a directory");
    open_to_all(folder.path());
    let nothing = folder.path().join("socket");
    serve_nothing(UnixListener::bind(&nothing).expect("a socket"));
    assert!(Command::new("chmod").arg("666").arg(&nothing).status().is_ok_and(|done| done.success()));
    let relay = relay_nothing(again);
    let filtered = |port: u16| format!("-o content_filter=smtp:[127.0.0.1]:{port}");
    let ports = [
        (none, String::new()),
        (with_milter, format!("-o smtpd_milters={}", milter.place)),
        (with_nothing, format!("-o smtpd_milters=unix:{}", nothing.display())),
        (with_gateway, filtered(gateway.port())),
        (with_relay, filtered(relay)),
        (again, "-o myhostname=again.sevenbit.test".to_owned()),
    ];
    let postfix = Postfix::start(sink.port, &ports, "");
    let ways = [
        ("Postfix alone", none),
        ("with the milter", with_milter),
        ("with a milter that does nothing", with_nothing),
        ("with the gateway after the queue", with_gateway),
        ("with a relay that does nothing", with_relay),
    ];
    let mut best = [0.0_f64; 5];
    for _ in 0..RUNS {
        for (best, (_, port)) in best.iter_mut().zip(ways) {
            let rate = rate(&sink, &postfix, port);
            *best = best.max(rate);
        }
    }
    for (rate, (way, _)) in best.iter().zip(ways) {
        println!("{way}: {rate:.0} messages/s, {:.0} % of Postfix alone", 100.0 * rate / best[0]);
    }
    for filter in [&milter, &gateway] {
        println!("{}: {}", filter.place, memory(filter.id()));
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

/// The most memory that a process has had.
fn memory(id: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().to_owned()
}

/// A milter that reads everything and changes nothing.
fn serve_nothing(listener: UnixListener) {
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let _ = read_all(&stream);
            });
        }
    });
}

fn read_all(mut stream: &UnixStream) -> std::io::Result<()> {
    let mut octets = Vec::new();
    let mut window = vec![0; 64 << 10];
    loop {
        let read = stream.read(&mut window)?;
        if read == 0 {
            return Ok(());
        }
        octets.extend_from_slice(&window[..read]);
        while let Some((length, rest)) = octets.split_first_chunk::<4>() {
            let length = u32::from_be_bytes(*length) as usize;
            if rest.len() < length {
                break;
            }
            match rest[0] {
                b'O' => {
                    let agreed = [6_u32, 0x31, 0x1C_478B].map(u32::to_be_bytes).concat();
                    stream.write_all(&packet(b'O', &agreed))?;
                }
                b'E' => stream.write_all(&packet(b'c', b""))?,
                b'Q' => return Ok(()),
                _ => {}
            }
            octets.drain(..4 + length);
        }
    }
}

/// A relay that passes octets both ways and looks at none.
fn relay_nothing(next: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect(("127.0.0.1", next)) else { continue };
            for (mut from, mut to) in [(&client, &server), (&server, &client)]
                .map(|(from, to)| (from.try_clone().expect("a stream"), to.try_clone().expect("a stream")))
            {
                let _ = to.set_nodelay(true);
                thread::spawn(move || {
                    let _ = std::io::copy(&mut from, &mut to);
                    let _ = to.shutdown(std::net::Shutdown::Write);
                });
            }
        }
    });
    port
}
