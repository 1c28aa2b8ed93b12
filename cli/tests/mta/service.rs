//! The filters as services: signals, sockets, who may connect.

use std::io::{Read, Write};
use std::time::Duration;

use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, fields_and_body, has_postfix, packet,
    sevenbit, wait,
};

pub fn offer() -> Vec<u8> {
    packet(b'O', &[6_u32, 0x1FF, 0x1F_FFFF].map(u32::to_be_bytes).concat())
}

pub fn raw() -> Vec<u8> {
    fields_and_body(&[("Subject", " caf\u{e9}")], b"x\r\n")
}

/// Reads until the input ends with `end`.
pub fn read_until(mut stream: impl Read, end: &[u8]) -> Vec<u8> {
    let mut said = Vec::new();
    let mut octet = [0];
    while !said.ends_with(end) {
        assert_eq!(stream.read(&mut octet).expect("an answer"), 1, "{}", said.escape_ascii());
        said.push(octet[0]);
    }
    said
}

pub const CONTINUE: &[u8] = b"\0\0\0\x01c";

/// The last of what a milter answers to an offer: a macro that it asks for.
pub const END_OF_OFFER: &[u8] = b"{client_addr}\0";

#[test]
fn messages_that_have_begun_end_before_the_service_does() {
    let mut milter = Filter::milter(&[]);
    let mut idle = milter.connect();
    idle.write_all(&offer()).expect("sent");
    let mut busy = milter.connect();
    let wire = raw();
    busy.write_all(&[offer(), wire[..40].to_vec()].concat()).expect("sent");
    // It has read that once it has answered the offer.
    read_until(&busy, END_OF_OFFER);
    // To MAIL.
    read_until(&busy, CONTINUE);
    read_until(&idle, END_OF_OFFER);
    std::thread::sleep(Duration::from_millis(300));
    milter.signal("TERM");
    assert_eq!(idle.read(&mut [0]).expect("the end"), 0);
    wait("the socket to go", || !milter.path().exists());
    busy.write_all(&wire[40..]).expect("sent");
    let said = read_until(&busy, CONTINUE);
    assert!(said.windows(8).any(|part| part == b"Subject\0"));
    assert!(milter.wait().success());
    assert!(milter.log().contains("stopped"), "{}", milter.log());
}

#[test]
fn a_gateway_ends_after_its_messages() {
    let sink =
        Sink::start(SinkOptions { slow: Duration::from_millis(500), ..SinkOptions::default() });
    let mut gateway = Filter::gateway(sink.port, &[]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    client.ask("MAIL FROM:<a@example.org>").expect("an answer");
    gateway.signal("TERM");
    client.ask("RCPT TO:<b@example.org>").expect("an answer");
    client.ask("DATA").expect("an answer");
    client.say(b"Subject: x\r\n\r\n.\r\n").expect("sent");
    assert!(client.reply().expect("an answer").starts_with("250"));
    assert!(client.reply().expect("an answer").starts_with("421 4.3.2"));
    assert!(gateway.wait().success());
    assert_eq!(sink.count(), 1);
}

#[test]
fn only_networks_that_are_allowed_may_connect() {
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &["--allow", "192.0.2.0/24"]);
    assert!(Client::connect(gateway.port()).is_err());
    wait("a word about it", || gateway.log().contains("not allowed"));
    let gateway =
        Filter::gateway(sink.port, &["--allow", "192.0.2.0/24", "--allow", "127.0.0.0/8"]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    let mail = Mail {
        from: "a@example.org",
        to: "b@example.org",
        parameters: "",
        octets: b"Subject: x\r\n\r\n",
    };
    assert!(client.send(mail).expect("an answer").starts_with("250"));
}

/// The treatment by Postfix of a message that is too large to be processed.
#[test]
fn a_message_that_cannot_be_looked_at_is_left_to_the_policy() {
    if !has_postfix() {
        return;
    }
    let octets = b"Subject: caf\xE9, and it is long enough\r\n\r\n";
    for (policy, answer, held, is_delivered) in [
        ("accept", "250", 0, true),
        ("reject", "552 5.3.4 ", 0, false),
        ("tempfail", "451", 0, false),
        ("quarantine", "250", 1, false),
    ] {
        let sink = Sink::start(SinkOptions::default());
        let milter = Filter::milter(&["--max-message", "10", "--on-too-large", policy]);
        let [port] = Postfix::ports();
        let options = format!("-o smtpd_milters={}", milter.place);
        let postfix = Postfix::start(sink.port, &[(port, options)], "");
        let mut client = Client::connect(port).expect("a connection");
        let mail = Mail {
            from: "a@example.org",
            to: "b@example.org",
            parameters: " BODY=8BITMIME",
            octets,
        };
        let said = client.send(mail).expect("an answer");
        assert!(said.starts_with(answer), "{policy}: {said}");
        wait("the message", || {
            postfix.queue().len() == held && sink.count() == usize::from(is_delivered)
        });
        // It passes as it is.
        assert!(
            sink.arrived().iter().all(|one| one.octets.windows(4).any(|four| four == b"caf\xE9"))
        );
        assert_eq!(
            postfix
                .queue()
                .iter()
                .filter(|path| path.components().any(|part| part.as_os_str() == "hold"))
                .count(),
            held
        );
        // The record may be written after the answer.
        wait("the record", || {
            let log = milter.log();
            log.contains("WARN message") && log.contains("fate=\"too-large\"")
        });
    }
}

#[test]
fn a_socket_has_the_mode_that_is_asked_for() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::TempDir::new_in("/tmp").expect("a directory");
    let sink = Sink::start(SinkOptions::default());
    let next = format!("127.0.0.1:{}", sink.port);
    for (name, options, expected) in
        [("a", &[][..], 0o660), ("b", &["--socket-mode", "600"], 0o600)]
    {
        for words in [&["milter"][..], &["gateway", "--next", &next]] {
            let path = folder.path().join(format!("{name}-{}", words[0]));
            let place = format!("unix:{}", path.display());
            let mut command = sevenbit();
            let command = command.args(words).args(["--listen", &place, "-q"]).args(options);
            let mut child = command.spawn().expect("it runs");
            wait("the mode", || {
                std::fs::metadata(&path)
                    .is_ok_and(|found| found.permissions().mode() & 0o777 == expected)
            });
            child.kill().and_then(|()| child.wait()).expect("ended");
        }
    }
}

#[test]
fn a_socket_that_is_in_use_is_not_taken() {
    let mut milter = Filter::milter(&[]);
    let second = sevenbit().args(["milter", "--listen", &milter.place]).output().expect("it runs");
    assert_eq!(second.status.code(), Some(73), "{}", String::from_utf8_lossy(&second.stderr));
    // A leftover one is.
    milter.kill_and_restart();
}
