//! Input that no mail server sends: it gets an answer or a closed connection, never a hang, and other clients are served.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::support::{Client, Filter, Mail, Sink, SinkOptions, fields_and_body, packet};

fn offer() -> Vec<u8> {
    packet(b'O', &[6_u32, 0x1FF, 0x1F_FFFF].map(u32::to_be_bytes).concat())
}

/// What comes until the milter closes the connection, or has nothing more to say.
fn answers(milter: &Filter, wire: &[u8]) -> Vec<u8> {
    let mut stream = milter.connect();
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    // It may have been closed in the middle of it.
    let _ = stream.write_all(wire).and_then(|()| stream.shutdown(std::net::Shutdown::Write));
    let mut said = Vec::new();
    match stream.read_to_end(&mut said) {
        Ok(_) => said,
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => said,
        Err(error) => panic!("{error} after {}", wire.escape_ascii()),
    }
}

#[test]
fn a_milter_survives_what_is_no_milter_protocol() {
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
        &[offer(), b"\0\0\0\0".to_vec()].concat(),
        &[offer(), b"\xFF\xFF\xFF\xFFB".to_vec()].concat(),
        &[offer(), packet(b'L', b"Sub\0ject\0 x\0")].concat(),
        &[offer(), packet(b'?', b"")].concat(),
        &[offer(), packet(b'B', b"x")].concat(),
    ] {
        let said = answers(&milter, wrong);
        assert!(!said.ends_with(b"\0\0\0\x01c"), "{}", wrong.escape_ascii());
        assert_eq!(answers(&milter, &good), expected, "after {}", wrong.escape_ascii());
    }
    // Cut anywhere, by a client that goes away.
    for cut in 0..good.len() {
        answers(&milter, &good[..cut]);
    }
    assert_eq!(answers(&milter, &good), expected);
}

#[test]
fn half_open_connections_keep_nobody_out() {
    let milter = Filter::milter(&[]);
    let _open: Vec<UnixStream> = (0..200).map(|_| milter.connect()).collect();
    let good = [offer(), fields_and_body(&[("Subject", " x")], b"x\r\n")].concat();
    assert!(answers(&milter, &good).ends_with(b"\0\0\0\x01c"));
}

#[test]
fn too_many_connections_are_turned_away() {
    let milter = Filter::milter(&["--max-connections", "3"]);
    let mut open: Vec<UnixStream> = Vec::new();
    let good = [offer(), fields_and_body(&[("Subject", " x")], b"x\r\n")].concat();
    // One that comes while the connection of its start still ends is turned away itself.
    super::support::wait("the limit", || {
        open.push(milter.connect());
        open.len() >= 3 && answers(&milter, &good).is_empty()
    });
    drop(open);
    super::support::wait("room again", || answers(&milter, &good).ends_with(b"\0\0\0\x01c"));
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
        let mail =
            Mail { from: "a@example.org", to: "b@example.org", parameters: "", octets: smuggled.as_bytes() };
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
