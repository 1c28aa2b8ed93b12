//! The filters as services: signals, options, counters, logs, who may connect.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, fields_and_body, free_port, has_postfix, packet,
    sevenbit, wait,
};

fn offer() -> Vec<u8> {
    packet(b'O', &[6_u32, 0x1FF, 0x1F_FFFF].map(u32::to_be_bytes).concat())
}

fn raw() -> Vec<u8> {
    fields_and_body(&[("Subject", " caf\u{e9}")], b"x\r\n")
}

/// Reads until the input ends with `end`.
fn read_until(mut stream: impl Read, end: &[u8]) -> Vec<u8> {
    let mut said = Vec::new();
    let mut octet = [0];
    while !said.ends_with(end) {
        assert_eq!(stream.read(&mut octet).expect("an answer"), 1, "{}", said.escape_ascii());
        said.push(octet[0]);
    }
    said
}

const CONTINUE: &[u8] = b"\0\0\0\x01c";

/// The last of what a milter answers to an offer: a macro that it asks for.
const END_OF_OFFER: &[u8] = b"{client_addr}\0";

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
    let sink = Sink::start(SinkOptions { slow: Duration::from_millis(500), ..SinkOptions::default() });
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
fn options_are_read_again_on_sighup() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "# small\nmax-message 10\non-too-large tempfail\n").expect("written");
    let config = file.path().display().to_string();
    let milter = Filter::milter(&["--config", &config]);
    let ask = || {
        let mut stream = milter.connect();
        stream.write_all(&[offer(), raw()].concat()).expect("sent");
        stream.shutdown(std::net::Shutdown::Write).expect("sent");
        let mut said = Vec::new();
        stream.read_to_end(&mut said).expect("an answer");
        *said.last().expect("an answer")
    };
    assert_eq!(ask(), b't');
    std::fs::write(file.path(), "max-message 1M\n").expect("written");
    milter.signal("HUP");
    wait("the new options", || ask() == b'c');
    // Invalid options change nothing.
    std::fs::write(file.path(), "# now\nmax-message many\n").expect("written");
    milter.signal("HUP");
    wait("the complaint", || milter.log().contains("line 2: invalid value 'many'"));
    assert_eq!(ask(), b'c');
}

/// A file of options.
fn options(text: &str) -> (tempfile::NamedTempFile, String) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("written");
    let config = file.path().display().to_string();
    (file, config)
}

/// Gives a filter other options, and waits until it has them.
fn read_again(filter: &Filter, file: &tempfile::NamedTempFile, text: &str) {
    std::fs::write(file.path(), text).expect("written");
    filter.signal("HUP");
    wait("the new options", || filter.log().contains("options read again"));
}

#[test]
fn a_message_keeps_the_options_that_it_began_with() {
    let (file, config) = options("max-message 1M\n");
    let milter = Filter::milter(&["--config", &config]);
    let mut stream = milter.connect();
    let wire = raw();
    let (begun, rest) = wire.split_at(40);
    stream.write_all(&[&offer(), begun].concat()).expect("sent");
    read_until(&stream, END_OF_OFFER);
    // One write: the rest was read with the offer, or is read within this time.
    std::thread::sleep(Duration::from_millis(300));
    read_again(&milter, &file, "max-message 10\non-too-large tempfail\n");
    stream.write_all(&[rest, &wire].concat()).expect("sent");
    read_until(&stream, CONTINUE);
    read_until(&stream, b"\0\0\0\x01t");
}

#[test]
fn a_gateway_reads_its_options_again_for_messages_that_begin() {
    let (file, config) = options("max-message 10\non-too-large tempfail\n");
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &["--config", &config]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    client.ask("MAIL FROM:<a@example.org>").expect("an answer");
    client.ask("RCPT TO:<b@example.org>").expect("an answer");
    read_again(&gateway, &file, "max-message 1M\n");
    client.ask("DATA").expect("an answer");
    client.say(b"Subject: long enough\r\n\r\n.\r\n").expect("sent");
    let answer = client.reply().expect("an answer");
    assert!(answer.starts_with("451 4.3.4 "), "{answer}");
    let octets = b"Subject: long enough\r\n\r\n";
    let mail = Mail { from: "a@example.org", to: "b@example.org", parameters: "", octets };
    let answer = client.send(mail).expect("an answer");
    assert!(answer.starts_with("250"), "{answer}");
    assert_eq!(sink.count(), 1);
}

#[test]
fn what_cannot_work_is_said_at_the_start() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "# how\nprofile archive\nmax-mesage 3\n").expect("written");
    let config = file.path().display().to_string();
    let wrong = "line 3: unexpected argument '--max-mesage'";
    let gateway = ["gateway", "--listen", "127.0.0.1:0", "--next", "127.0.0.1:25"];
    for (words, status, said) in [
        (&["milter", "--listen", "127.0.0.1:0", "--config", &config][..], 64, wrong),
        (&[&gateway[..], &["--config", &config]].concat(), 64, wrong),
        (
            &[&gateway[..], &["--temporary", "/no/such/place"]].concat(),
            73,
            "/no/such/place: cannot be created",
        ),
        // Everyone could send through it, in the name of this machine.
        (&[&gateway[..], &["--allow", "0.0.0.0/0"]].concat(), 64, "an open relay"),
    ] {
        let ended = sevenbit().args(words).output().expect("it runs");
        let complaint = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(status), "{complaint}");
        assert!(complaint.contains(said), "{complaint}");
    }
}

/// Signed content that is not 7-bit safe.
fn signed() -> Vec<u8> {
    let kind = " multipart/signed; boundary=b; protocol=\"application/pgp-signature\"";
    let body = b"--b\r\n\r\nd\xE9j\xE0 vu\r\n--b\r\nContent-Type: application/pgp-signature\r\n\r\n\
        -----BEGIN PGP SIGNATURE-----\r\n--b--\r\n";
    fields_and_body(&[("MIME-Version", " 1.0"), ("Content-Type", kind)], body)
}

/// The response to a request for counters.
fn asked(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut said = String::new();
    stream.read_to_string(&mut said).expect("an answer");
    said
}

#[test]
fn counters_and_log_say_what_was_done() {
    let port = free_port();
    let place = format!("127.0.0.1:{port}");
    let options = [
        &["--metrics", &place, "--log", "json", "--signed", "refuse"][..],
        &["--max-message", "1k", "--on-too-large", "tempfail"],
    ];
    let options = options.concat();
    let milter = Filter::milter(&options);
    let mut stream = milter.connect();
    let macros = packet(b'D', b"Ei\x004Q\"ABC\0{client_addr}\x00192.0.2.1\0");
    let clean = fields_and_body(&[("Subject", " x")], b"x\r\n");
    let too_large = fields_and_body(&[("Subject", " x")], &[b'x'; 2000]);
    stream.write_all(&[offer(), macros, raw(), clean, signed(), too_large].concat()).expect("sent");
    (0..3).for_each(|_| drop(read_until(&stream, CONTINUE)));
    read_until(&stream, b"\0\0\0\x01t");
    wait("four lines", || milter.log().matches("\"message\":\"message\"").count() == 4);
    let log = milter.log();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of_message: Vec<&Value> = lines.iter().filter(|line| line["message"] == "message").collect();
    assert_eq!(of_message[0]["id"], "4Q\"ABC");
    assert_eq!(of_message[0]["client"], "192.0.2.1");
    assert_eq!((&of_message[0]["peer"], &of_message[0]["from"]), (&"unix".into(), &"a@example.org".into()));
    assert!(of_message[0]["connection"].is_u64());
    assert_eq!(of_message[0]["fate"], "changed");
    assert_eq!(of_message[0]["codes"], "raw-header-text");
    assert!(of_message[0]["microseconds"].is_u64() && of_message[0]["octets"] == 21);
    let fates: Vec<&Value> = of_message.iter().map(|line| &line["fate"]).collect();
    assert_eq!(fates, ["changed", "clean", "refused", "too-large"]);
    let octets: u64 = of_message.iter().filter_map(|line| line["octets"].as_u64()).sum();

    let said = asked(port, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(said.starts_with("HTTP/1.1 200 OK\r\n"));
    for line in [
        "sevenbit_messages_total{fate=\"changed\"} 1",
        "sevenbit_messages_total{fate=\"clean\"} 1",
        "sevenbit_messages_total{fate=\"refused\"} 1",
        "sevenbit_messages_total{fate=\"too-large\"} 1",
        "sevenbit_messages_with_total{code=\"raw-header-text\"} 1",
        "# TYPE sevenbit_message_seconds histogram",
        "sevenbit_message_seconds_count 4",
        "sevenbit_message_seconds_bucket{le=\"+Inf\"} 4",
        &format!("sevenbit_message_bytes_total {octets}"),
        "# EOF",
    ] {
        assert!(said.lines().any(|said| said == line), "{line}: {said}");
    }
    assert!(asked(port, "GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404 "));
}

/// A gateway whose next hop is not there runs, and is not ready.
#[test]
fn those_who_watch_are_told_whether_mail_can_go_on() {
    let [metrics, next] = Postfix::ports();
    let place = format!("127.0.0.1:{metrics}");
    let _gateway = Filter::gateway(next, &["--metrics", &place]);
    let get = |path: &str| asked(metrics, &format!("GET {path} HTTP/1.1\r\n\r\n"));
    // Who is slow, or says nothing, holds up no one.
    let mut slow = TcpStream::connect(&place).expect("a connection");
    slow.write_all(b"GET /metr").expect("sent");
    let begun = Instant::now();
    assert!(get("/healthz").starts_with("HTTP/1.1 200 "));
    assert!(get("/readyz").starts_with("HTTP/1.1 503 "));
    let _sink = Sink::start_at(next, SinkOptions::default());
    assert!(get("/readyz").starts_with("HTTP/1.1 200 "));
    assert!(begun.elapsed() < Duration::from_secs(4), "the slow client was waited for");
    let said = get("/metrics");
    let version = format!("sevenbit_build_info{{version=\"{}\"}} 1", env!("CARGO_PKG_VERSION"));
    assert!(said.contains(&version), "{said}");
    assert!(asked(metrics, "\0\u{ff}\r\n\r\n").starts_with("HTTP/1.1 404 "));
}

#[test]
fn clients_that_are_turned_away_are_told_and_counted() {
    let sink = Sink::start(SinkOptions::default());
    let metrics = free_port();
    let place = format!("127.0.0.1:{metrics}");
    for (options, why) in [
        (&["--max-connections", "1"][..], "too many connections"),
        (&["--max-per-client", "1"], "too many connections of one client"),
        (&["--allow", "192.0.2.0/24"], "not allowed to connect"),
    ] {
        let gateway = Filter::gateway(sink.port, &[options, &["--metrics", &place]].concat());
        let mut open = Vec::new();
        wait(why, || {
            let mut client = TcpStream::connect(("127.0.0.1", gateway.port())).expect("a connection");
            let said = String::from_utf8(read_until(&mut client, b"\r\n")).expect("text");
            open.push(client);
            said == format!("421 4.7.0 sevenbit.localhost {why}\r\n")
        });
        assert!(gateway.log().contains(&format!("{why} peer=\"127.0.0.1\"")), "{}", gateway.log());
        let counted = format!("sevenbit_turned_away_total{{reason=\"{why}\"}}");
        assert!(asked(metrics, "GET /metrics HTTP/1.1\r\n\r\n").contains(&counted));
    }
}

#[test]
fn addresses_are_logged_as_is_asked() {
    let sink = Sink::start(SinkOptions::default());
    for (form, from, to) in
        [("plain", Some("a@example.org"), Some("b@example.org")), ("hash", None, None), ("none", None, None)]
    {
        let gateway = Filter::gateway(sink.port, &["--log", "json", "--log-addresses", form]);
        let mut client = Client::connect(gateway.port()).expect("a connection");
        let octets = b"Subject: x\r\n\r\n";
        let mail = Mail { from: "a@example.org", to: "b@example.org", parameters: "", octets };
        assert!(client.send(mail).expect("an answer").starts_with("250"));
        wait("a line", || gateway.log().contains("\"message\":\"message\""));
        let log = gateway.log();
        let line = log.lines().find(|line| line.contains("\"message\":\"message\"")).expect("a line");
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(line["peer"], "127.0.0.1");
        let is_hash =
            |text: &Value| text.as_str().is_some_and(|text| text.len() == 16 && !text.contains('@'));
        match form {
            "hash" => assert!(is_hash(&line["from"]) && is_hash(&line["to"]), "{line}"),
            _ => assert_eq!((line["from"].as_str(), line["to"].as_str()), (from, to)),
        }
    }
}

/// Postfix gives the name in its own log: to a content filter from its queue.
#[test]
fn a_gateway_logs_the_queue_id_of_postfix() {
    if !has_postfix() {
        return;
    }
    let sink = Sink::start(SinkOptions::default());
    let [port, again] = Postfix::ports();
    let gateway = Filter::gateway(again, &["--log", "json"]);
    let ports = [
        (port, format!("-o content_filter=smtp:[127.0.0.1]:{}", gateway.port())),
        (again, "-o smtpd_authorized_xforward_hosts=127.0.0.0/8".to_owned()),
    ];
    let postfix = Postfix::start(sink.port, &ports, "smtp_send_xforward_command = yes");
    let mut client = Client::connect(port).expect("a connection");
    let octets = b"Subject: x\r\n\r\n";
    let mail = Mail { from: "a@example.org", to: "b@example.org", parameters: "", octets };
    assert!(client.send(mail).expect("an answer").starts_with("250"));
    wait("the message", || sink.count() == 1);
    wait("a line", || gateway.log().contains("\"message\":\"message\""));
    let log = gateway.log();
    let line = log.lines().find(|line| line.contains("\"message\":\"message\"")).expect("a line");
    let line: Value = serde_json::from_str(line).expect("JSON");
    let id = line["id"].as_str().expect(&log);
    assert!(postfix.log().contains(&format!("{id}: client=")), "{id}: {}", postfix.log());
}

#[test]
fn only_networks_that_are_allowed_may_connect() {
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &["--allow", "192.0.2.0/24"]);
    assert!(Client::connect(gateway.port()).is_err());
    wait("a word about it", || gateway.log().contains("not allowed"));
    let gateway = Filter::gateway(sink.port, &["--allow", "192.0.2.0/24", "--allow", "127.0.0.0/8"]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    let mail =
        Mail { from: "a@example.org", to: "b@example.org", parameters: "", octets: b"Subject: x\r\n\r\n" };
    assert!(client.send(mail).expect("an answer").starts_with("250"));
}

/// What Postfix does with a message that is too large to be processed.
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
        let mail = Mail { from: "a@example.org", to: "b@example.org", parameters: " BODY=8BITMIME", octets };
        let said = client.send(mail).expect("an answer");
        assert!(said.starts_with(answer), "{policy}: {said}");
        wait("the message", || postfix.queue().len() == held && sink.count() == usize::from(is_delivered));
        // It passes as it is.
        assert!(sink.arrived().iter().all(|one| one.octets.windows(4).any(|four| four == b"caf\xE9")));
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
    for (name, options, expected) in [("a", &[][..], 0o660), ("b", &["--socket-mode", "600"], 0o600)] {
        for words in [&["milter"][..], &["gateway", "--next", &next]] {
            let path = folder.path().join(format!("{name}-{}", words[0]));
            let place = format!("unix:{}", path.display());
            let mut command = sevenbit();
            let command = command.args(words).args(["--listen", &place, "-q"]).args(options);
            let mut child = command.spawn().expect("it runs");
            wait("the mode", || {
                std::fs::metadata(&path).is_ok_and(|found| found.permissions().mode() & 0o777 == expected)
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

#[test]
fn a_command_line_that_makes_no_sense_is_refused() {
    for wrong in [
        &["milter"][..],
        &["milter", "--listen", "8891"],
        &["milter", "--listen", "unix:/tmp/x", "--on-error", "explode"],
        &["milter", "--listen", "unix:/tmp/x", "--header-report", "not a name"],
        &["gateway", "--listen", "127.0.0.1:0"],
        &["gateway", "--listen", "127.0.0.1:0", "--next", "systemd"],
        &["gateway", "--listen", "127.0.0.1:0", "--next", "127.0.0.1:1", "--allow", "everybody"],
    ] {
        let ran = sevenbit().args(wrong).output().expect("it runs");
        assert_eq!(ran.status.code(), Some(64), "{wrong:?}");
    }
}
