//! The output of the filters for those who watch them: log, counters, health.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::service::{CONTINUE, offer, raw, read_until};
use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, fields_and_body, free_port, has_postfix,
    packet, sevenbit, wait,
};

/// Signed content that is not 7-bit safe.
fn signed() -> Vec<u8> {
    let kind = " multipart/signed; boundary=b; protocol=\"application/pgp-signature\"";
    let body =
        b"--b\r\n\r\nd\xE9j\xE0 vu\r\n--b\r\nContent-Type: application/pgp-signature\r\n\r\n\
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
    // To each MAIL, and to each end but the last.
    (0..7).for_each(|_| drop(read_until(&stream, CONTINUE)));
    read_until(&stream, b"\0\0\0\x01t");
    wait("four lines", || milter.log().matches("\"message\":\"message\"").count() == 4);
    let log = milter.log();
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of_message: Vec<&Value> =
        lines.iter().filter(|line| line["message"] == "message").collect();
    assert_eq!(of_message[0]["id"], "4Q\"ABC");
    assert_eq!(of_message[0]["client"], "192.0.2.1");
    assert_eq!(
        (&of_message[0]["peer"], &of_message[0]["from"]),
        (&"unix".into(), &"a@example.org".into())
    );
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
    let healthy = || sevenbit().args(["milter", "health", &place]).output().expect("it runs");
    let said = healthy();
    assert_eq!(said.status.code(), Some(75));
    assert!(
        String::from_utf8_lossy(&said.stderr).contains("not ready: inet:127.0.0.1:"),
        "{said:?}"
    );
    let _sink = Sink::start_at(next, SinkOptions::default());
    assert!(get("/readyz").starts_with("HTTP/1.1 200 "));
    assert!(healthy().status.success());
    assert!(begun.elapsed() < Duration::from_secs(4), "the slow client was waited for");
    let said = get("/metrics");
    let version = format!("sevenbit_build_info{{version=\"{}\"}} 1", env!("CARGO_PKG_VERSION"));
    assert!(said.contains(&version), "{said}");
    assert!(asked(metrics, "\0\u{ff}\r\n\r\n").starts_with("HTTP/1.1 404 "));
}

/// A next hop that takes the connection, and would take no mail.
#[test]
fn a_next_hop_that_would_refuse_mail_is_not_ready() {
    let metrics = free_port();
    let place = format!("127.0.0.1:{metrics}");
    for (answers, said) in [
        (&["554 5.3.2 no service\r\n"][..], "it refuses the connection: 554 5.3.2 no service"),
        (&["220 next.test\r\n", "421 4.3.2 busy\r\n"], "it refuses EHLO: 421 4.3.2 busy"),
        (&["hello\r\n"], "the next hop does not answer in SMTP"),
        (&["220 next.test\r\n", "250 next.test\r\n", "221 bye\r\n"], ""),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let next = listener.local_addr().expect("an address").port();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut lines = BufReader::new(&stream).lines();
                for answer in answers {
                    let _ = (&stream).write_all(answer.as_bytes());
                    let _ = lines.next();
                }
            }
        });
        let _gateway = Filter::gateway(next, &["--metrics", &place]);
        let answer = asked(metrics, "GET /readyz HTTP/1.1\r\n\r\n");
        let status = if said.is_empty() { "HTTP/1.1 200 " } else { "HTTP/1.1 503 " };
        assert!(answer.starts_with(status) && answer.contains(said), "{said}: {answer}");
        let counters = asked(metrics, "GET /metrics HTTP/1.1\r\n\r\n");
        let up = format!("sevenbit_next_hops_up {}", u8::from(said.is_empty()));
        assert!(
            counters.contains(&up) && counters.contains("sevenbit_next_hops 1"),
            "{up}: {counters}"
        );
    }
}

/// The milter speaks to itself as a mail server does.
#[test]
fn a_milter_that_answers_no_offer_is_not_ready() {
    let metrics = free_port();
    let place = format!("127.0.0.1:{metrics}");
    let milter = Filter::milter(&["--metrics", &place, "--max-connections", "1"]);
    let ready = || asked(metrics, "GET /readyz HTTP/1.1\r\n\r\n");
    wait("readiness", || ready().starts_with("HTTP/1.1 200 "));
    // All of its connections are taken.
    let mut taken = None;
    wait("the end of what asked for readiness", || {
        let mut stream = milter.connect();
        let is_taken = stream.write_all(&offer()).is_ok() && matches!(stream.read(&mut [0]), Ok(1));
        taken = Some(stream);
        is_taken
    });
    let said = ready();
    assert!(said.starts_with("HTTP/1.1 503 "), "{said}");
    let counters = asked(metrics, "GET /metrics HTTP/1.1\r\n\r\n");
    assert!(counters.contains("sevenbit_open_connections 1\n"), "{counters}");
}

/// Each setting that changed is in force, or is said not to be.
#[test]
fn a_reload_says_of_each_change_whether_it_is_in_force() {
    let (file, metrics) = (tempfile::NamedTempFile::new().expect("a file"), free_port());
    let write = |text: &str| std::fs::write(file.path(), text).expect("written");
    let place = format!("metrics = \"127.0.0.1:{metrics}\"\n");
    write(&format!("{place}max-connections = 10\nmax-message = 1000\n"));
    let milter = Filter::milter(&["--config", &file.path().display().to_string()]);
    write(&format!(
        "{place}max-connections = 20\nmax-message = 2000\nallow = \"192.0.2.0/24\"\n[[rule]]\nskip = true\n"
    ));
    milter.signal("HUP");
    wait("the reload", || milter.log().contains("options read again"));
    let log = milter.log();
    let says = |option: &str, what: &str| {
        log.lines()
            .any(|line| line.contains(&format!("option=\"{option}\"")) && line.contains(what))
    };
    assert!(
        says("max-message", "changed, and in force") && says("rule", "changed, and in force"),
        "{log}"
    );
    assert!(
        says("max-connections", "needs a restart") && says("allow", "needs a restart"),
        "{log}"
    );
    assert!(!says("metrics", ""), "{log}");
    write("max-message = \"many\"\n");
    milter.signal("HUP");
    wait("the count", || {
        let counters = asked(metrics, "GET /metrics HTTP/1.1\r\n\r\n");
        counters.contains("sevenbit_reloads_total{result=\"failed\"} 1")
            && counters.contains("sevenbit_reloads_total{result=\"applied\"} 1")
    });
}

#[test]
fn too_few_open_files_are_said_at_the_start() {
    let milter = Filter::milter(&["--max-connections", "100000000"]);
    wait("a warning", || milter.log().contains("the limit of open files carries"));
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
            let mut client =
                TcpStream::connect(("127.0.0.1", gateway.port())).expect("a connection");
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
    for (form, from, to) in [
        ("plain", Some("a@example.org"), Some("b@example.org")),
        ("hash", None, None),
        ("none", None, None),
    ] {
        let gateway = Filter::gateway(sink.port, &["--log", "json", "--log-addresses", form]);
        let mut client = Client::connect(gateway.port()).expect("a connection");
        let octets = b"Subject: x\r\n\r\n";
        let mail = Mail { from: "a@example.org", to: "b@example.org", parameters: "", octets };
        assert!(client.send(mail).expect("an answer").starts_with("250"));
        wait("a line", || gateway.log().contains("\"message\":\"message\""));
        let log = gateway.log();
        let line =
            log.lines().find(|line| line.contains("\"message\":\"message\"")).expect("a line");
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(line["peer"], "127.0.0.1");
        let is_hash = |text: &Value| {
            text.as_str().is_some_and(|text| text.len() == 16 && !text.contains('@'))
        };
        match form {
            "hash" => assert!(is_hash(&line["from"]) && is_hash(&line["to"]), "{line}"),
            _ => assert_eq!((line["from"].as_str(), line["to"].as_str()), (from, to)),
        }
    }
}

/// The hash is the one that who knows the Message-ID makes of it. No word of a subject is there where
/// addresses are hidden.
#[test]
fn a_report_names_messages_as_addresses_are_shown() {
    let sink = Sink::start(SinkOptions::default());
    let folder = tempfile::TempDir::new_in("/tmp").expect("a directory");
    let fields = [("Message-ID", " <1@example.org>"), ("Subject", " =?utf-8?Q?caf=C3=A9?=")];
    let octets =
        fields.map(|(name, value)| format!("{name}:{value}\r\n")).concat() + "\r\ntext\r\n";
    let mail = Mail {
        from: "a@example.org",
        to: "b@example.org",
        parameters: "",
        octets: octets.as_bytes(),
    };
    for (form, id, subject) in [
        ("plain", Some("1@example.org"), Some("caf\u{e9}")),
        ("hash", Some("ab6f5b02dde34697"), None),
        ("none", None, None),
    ] {
        // In memory, and in a file.
        for memory in ["1M", "10"] {
            let report = folder.path().join(format!("gateway-{form}-{memory}"));
            let path = report.display().to_string();
            let options = ["--report", &path, "--log-addresses", form, "--memory", memory];
            let gateway = Filter::gateway(sink.port, &options);
            let mut client = Client::connect(gateway.port()).expect("a connection");
            assert!(client.send(mail).expect("an answer").starts_with("250"));
            let row = only_row(&report);
            assert_eq!((row["message_id"].as_str(), row["subject"].as_str()), (id, subject));
        }

        let report = folder.path().join(format!("milter-{form}"));
        let path = report.display().to_string();
        let milter = Filter::milter(&["--report", &path, "--log-addresses", form]);
        let mut stream = milter.connect();
        let wire = [offer(), fields_and_body(&fields, b"text\r\n")].concat();
        stream.write_all(&wire).expect("sent");
        let row = only_row(&report);
        assert_eq!((row["message_id"].as_str(), row["subject"].as_str()), (id, subject));
    }
}

/// Waits for the one row of a report.
fn only_row(report: &Path) -> Value {
    let rows = || std::fs::read_to_string(report).unwrap_or_default();
    wait("a row", || rows().ends_with('\n'));
    serde_json::from_str(&rows()).expect("one row")
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

/// Each counter of the dashboard is one that a filter has: those with labels once something was
/// counted.
#[test]
fn the_dashboard_shows_what_is_counted() {
    let text = include_str!("../../../packaging/grafana.json");
    let dashboard: Value = serde_json::from_str(text).expect("JSON");
    let sink = Sink::start(SinkOptions::default());
    let metrics = free_port();
    let place = format!("127.0.0.1:{metrics}");
    let gateway = Filter::gateway(sink.port, &["--metrics", &place, "--max-connections", "1"]);
    // One of each: a message with a code, a client that is turned away, one that disconnects amid a
    // message.
    let mut open = None;
    wait("a connection", || {
        open = Client::connect(gateway.port()).ok();
        open.is_some()
    });
    let mut client = open.expect("a connection");
    let octets = b"Subject: caf\xC3\xA9\r\n\r\n";
    let mail =
        Mail { from: "a@example.org", to: "b@example.org", parameters: " BODY=8BITMIME", octets };
    assert!(client.send(mail).expect("an answer").starts_with("250"));
    assert!(Client::connect(gateway.port()).is_err());
    for command in ["MAIL FROM:<a@example.org>", "RCPT TO:<b@example.org>", "DATA"] {
        client.ask(command).expect("an answer");
    }
    drop(client);
    let mut said = String::new();
    wait("the end of the connection", || {
        said = asked(metrics, "GET /metrics HTTP/1.1\r\n\r\n");
        said.contains("sevenbit_connections_ended_early_total{")
    });
    let panels = dashboard["panels"].as_array().expect("panels");
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().expect("targets"));
    let mut names = 0;
    for expression in targets.map(|target| target["expr"].as_str().expect("an expression")) {
        let name = expression
            .split("sevenbit_")
            .nth(1)
            .expect(expression)
            .split('{')
            .next()
            .unwrap_or_default();
        let name = format!("sevenbit_{name}");
        let family = ["_total", "_bucket", "_info"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .expect(&name);
        assert!(said.contains(&format!("# TYPE {family} ")), "{name}: {said}");
        names += 1;
    }
    assert!(names >= 10, "{names}");
}
