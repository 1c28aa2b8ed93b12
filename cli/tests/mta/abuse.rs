//! Input that no mail server sends: it gets an answer or a closed connection, never a hang, and
//! other clients are served.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use super::support::{Client, Filter, Mail, Sink, SinkOptions, fields_and_body, packet, wait};

fn offer() -> Vec<u8> {
    packet(b'O', &[6_u32, 0x1FF, 0x1F_FFFF].map(u32::to_be_bytes).concat())
}

/// The octets received until the milter closes the connection, or has nothing more to say.
fn answers(milter: &Filter, wire: &[u8]) -> Vec<u8> {
    let mut stream = milter.connect();
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    // It may be closed in the middle of it.
    let _ = stream.write_all(wire).and_then(|()| stream.shutdown(std::net::Shutdown::Write));
    let mut said = Vec::new();
    match stream.read_to_end(&mut said) {
        Ok(_) => said,
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => said,
        Err(error) => panic!("{error} after {}", wire.escape_ascii()),
    }
}

/// The octets received until the milter itself closes the connection: it does not know that nothing
/// more will come, and would wait for ten minutes.
fn answers_and_an_end(milter: &Filter, wire: &[u8]) -> Vec<u8> {
    let mut stream = milter.connect();
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    let _ = stream.write_all(wire);
    let mut said = Vec::new();
    match stream.read_to_end(&mut said) {
        Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => {
            panic!("{error} after {}", wire.escape_ascii())
        }
        _ => said,
    }
}

#[test]
fn a_milter_survives_other_protocols() {
    let milter = Filter::milter(&[]);
    let good = [offer(), fields_and_body(&[("Subject", " caf\u{e9}")], b"x\r\n")].concat();
    let expected = answers(&milter, &good);
    assert!(expected.len() > 40 && expected.ends_with(b"\0\0\0\x01c"));
    for wrong in [
        &b"\0\0\0\0"[..],
        b"\xFF\xFF\xFF\xFF",
        b"EHLO x\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        &packet(b'L', b"a\0b\0"),
        &packet(b'E', b""),
        &packet(b'?', b""),
        &packet(b'O', b"\0\0\0\x01\0\0\x01\xFF\0\0\0\0"),
        &packet(b'O', b"\0\0"),
        &[offer(), b"\0\0\0\0".to_vec()].concat(),
        &[offer(), b"\xFF\xFF\xFF\xFFB".to_vec()].concat(),
        &[offer(), b"\x01\0\0\x01B".to_vec()].concat(),
        &[offer(), packet(b'L', b"Sub\0ject\0 x\0")].concat(),
        &[offer(), packet(b'L', b"\0Subject\0 x\0")].concat(),
        &[offer(), packet(b'L', b"Subject")].concat(),
        &[offer(), packet(b'?', b"")].concat(),
        &[offer(), packet(b'\0', b"")].concat(),
        &[offer(), offer()].concat(),
        &[offer(), packet(b'B', b"x")].concat(),
        &[offer(), packet(b'N', b""), packet(b'N', b"")].concat(),
        &[offer(), packet(b'N', b""), packet(b'L', b"Subject\0 x\0")].concat(),
        // In the middle of a message, and after one.
        &[&good[..good.len() - 5], b"\0\0\0\0"].concat(),
        &[&good[..good.len() - 5], b"\xFF\xFF\xFF\xFF"].concat(),
    ] {
        let said = answers_and_an_end(&milter, wrong);
        // To each MAIL, and to no end of a message.
        let count = |octets: &[u8], part: &[u8]| {
            octets.windows(part.len()).filter(|found| *found == part).count()
        };
        assert_eq!(count(&said, b"\0\0\0\x01c"), count(wrong, b"M<a@"), "{}", wrong.escape_ascii());
        assert_eq!(answers(&milter, &good), expected, "after {}", wrong.escape_ascii());
    }
    let after = [&good[..], b"\xFF\xFF\xFF\xFF"].concat();
    assert_eq!(answers_and_an_end(&milter, &after), expected);
    // Cut anywhere, by a client that disconnects.
    for cut in 0..good.len() {
        answers(&milter, &good[..cut]);
    }
    assert_eq!(answers(&milter, &good), expected);
}

/// Connections that say nothing, or stop in the middle of a packet or a message, or after one.
#[test]
fn half_open_connections_do_not_block_others() {
    let milter = Filter::milter(&["--timeout", "3"]);
    let good = [offer(), fields_and_body(&[("Subject", " caf\u{e9}")], b"x\r\n")].concat();
    let expected = answers(&milter, &good);
    let starts: [&[u8]; 6] = [
        b"",
        b"\0\0",
        &offer(),
        &[&offer()[..], b"\0\0\x10\0BHalf a pack"].concat(),
        &good[..good.len() - 5],
        &good,
    ];
    let mut open: Vec<UnixStream> = (0..200)
        .map(|number| {
            let mut stream = milter.connect();
            stream.write_all(starts[number % starts.len()]).expect("sent");
            stream.set_nonblocking(true).expect("an option");
            stream
        })
        .collect();
    // Meanwhile others are served, with nothing of theirs.
    for _ in 0..20 {
        assert_eq!(answers(&milter, &good), expected);
    }
    // They end without help.
    super::support::wait("the end of the others", || {
        open.retain_mut(|stream| match stream.read(&mut [0; 4096]) {
            Ok(read) => read > 0,
            Err(error) => error.kind() == std::io::ErrorKind::WouldBlock,
        });
        open.is_empty()
    });
    assert_eq!(answers(&milter, &good), expected);
}

/// A mail server that never reads its answers.
#[test]
fn a_client_that_does_not_read_is_dropped() {
    let milter = Filter::milter(&["--timeout", "1"]);
    let good = [offer(), fields_and_body(&[("Subject", " caf\u{e9}")], b"x\r\n")].concat();
    let mut stream = milter.connect();
    stream.set_write_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    stream.write_all(&good).expect("sent");
    let messages = good[offer().len()..].repeat(1000);
    let ended = std::iter::repeat_with(|| stream.write_all(&messages)).find_map(Result::err);
    let ended = ended.map(|error| error.kind());
    use std::io::ErrorKind::{BrokenPipe, ConnectionReset};
    assert!(matches!(ended, Some(BrokenPipe | ConnectionReset)), "{ended:?}");
    assert!(answers(&milter, &good).ends_with(b"\0\0\0\x01c"));
}

#[test]
fn too_many_connections_are_turned_away() {
    let milter = Filter::milter(&["--max-connections", "3"]);
    let mut open: Vec<UnixStream> = Vec::new();
    let good = [offer(), fields_and_body(&[("Subject", " x")], b"x\r\n")].concat();
    // A client that arrives while the connection of its start is still ending is turned away, too.
    super::support::wait("the limit", || {
        open.push(milter.connect());
        open.len() >= 3 && answers(&milter, &good).is_empty()
    });
    drop(open);
    super::support::wait("room again", || answers(&milter, &good).ends_with(b"\0\0\0\x01c"));
}

/// An octet now and then, for ever: each read is quick, and nothing ever ends.
#[test]
fn clients_that_trickle_are_dropped() {
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &["--timeout", "2", "--message-timeout", "2"]);
    let milter = Filter::milter(&["--timeout", "2", "--message-timeout", "2"]);
    let data = b"EHLO c\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n";
    for begun in [&b""[..], data] {
        let mut client = TcpStream::connect(("127.0.0.1", gateway.port())).expect("a connection");
        let said = trickle(&mut client, begun, b"x");
        assert!(said.ends_with("421 4.4.2 sevenbit.localhost this takes too long\r\n"), "{said}");
    }
    // Amid a packet, and amid a message of whole packets.
    let field = packet(b'L', b"Subject\0x\0");
    for (begun, piece) in
        [(&[offer(), b"\0\0\x10\0B".to_vec()].concat()[..], &b"x"[..]), (&offer(), &field)]
    {
        trickle(&mut milter.connect(), begun, piece);
    }
    wait("four words about it", || {
        let slow = |filter: &Filter| filter.log().matches("silent or slow for too long").count();
        slow(&gateway) == 2 && slow(&milter) == 2
    });
    assert_eq!(sink.count(), 0);
}

/// Sends a piece every 100 ms until the connection is closed; returns what was received.
pub fn trickle(stream: &mut (impl Read + Write), begun: &[u8], piece: &[u8]) -> String {
    stream.write_all(begun).expect("sent");
    let begun = Instant::now();
    while stream.write_all(piece).is_ok() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it is still open");
        std::thread::sleep(Duration::from_millis(100));
    }
    let mut said = Vec::new();
    // A close with octets that were not read resets the connection, after what was sent on it.
    let _ = stream.read_to_end(&mut said);
    String::from_utf8_lossy(&said).into_owned()
}

/// Connections that each hold a part of a packet: past the bound they are closed, and mail servers
/// have their senders try again.
#[test]
fn unfinished_packets_take_no_more_memory_than_all_may() {
    let milter = Filter::milter(&["--memory-total", "32M"]);
    let begun = [offer(), (15_u32 << 20).to_be_bytes().to_vec(), vec![b'B'; 4 << 20]].concat();
    let open: Vec<UnixStream> = (0..30)
        .map(|_| {
            let mut stream = milter.connect();
            let _ = stream.write_all(&begun);
            stream
        })
        .collect();
    wait("a word about it", || milter.log().contains("no room for this message now"));
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", milter.id())).unwrap_or_default();
    let most = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
    // The system doubles a buffer that grows.
    assert!(most.is_none_or(|most: u64| most < 110 << 10), "{most:?} kB");
    drop(open);
    let good = [offer(), fields_and_body(&[("Subject", " x")], b"x\r\n")].concat();
    wait("room again", || answers(&milter, &good).ends_with(b"\0\0\0\x01c"));
}

#[test]
fn long_commands_are_not_passed_on() {
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &[]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    let answer =
        client.ask(&format!("MAIL FROM:<{}@example.org>", "a".repeat(31_007))).expect("an answer");
    assert!(answer.starts_with("500 5.5.2 "), "{answer}");
}

#[test]
fn nothing_is_smuggled_past_the_gateway() {
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &[]);
    for (number, end) in
        ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r", "\n\n.\r\r\n"].into_iter().enumerate()
    {
        let mut client = Client::connect(gateway.port()).expect("a connection");
        let smuggled = format!(
            "Subject: x\r\n\r\none{end}MAIL FROM:<evil@example.org>\r\nRCPT TO:<victim@example.org>\r\nDATA\r\ntwo\r\n"
        );
        let mail = Mail {
            from: "a@example.org",
            to: "b@example.org",
            parameters: "",
            octets: smuggled.as_bytes(),
        };
        assert!(client.send(mail).expect("an answer").starts_with("250"), "{end:?}");
        assert_eq!(sink.count(), number + 1, "{end:?}");
        let arrived = sink.arrived();
        let message = &arrived[number].octets;
        let bare = message.iter().enumerate().any(|(at, &octet)| match octet {
            b'\n' => at == 0 || message[at - 1] != b'\r',
            b'\r' => message.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        assert!(!bare, "{end:?}");
    }
}
