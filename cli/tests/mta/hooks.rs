//! MTA Hooks with a mail server of our own, which asks over HTTP/1.1.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sevenbit::{Normalizer, Profile};
use sevenbit_mta::hooks::{Form, Patch};
use sevenbit_mta::laws::hooks::request;

use super::support::{Filter, PROJECT, free_port, real_mail, sevenbit, wait};

const OPERATIONS: Form = Form::Draft(Patch::Operations);

const RAW: &[u8] = b"From: a@example.org\r\nSubject: caf\xC3\xA9\r\n\r\nd\xC3\xA9j\xC3\xA0 vu\r\n";

/// A mail server, and one connection of it.
struct Server {
    stream: BufReader<TcpStream>,
    fields: String,
}

/// An answer: its status, its fields by their names in lower case, and its body.
#[derive(Debug)]
struct Answer {
    status: u16,
    fields: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Server {
    fn connect(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        Self { stream: BufReader::new(stream), fields: String::new() }
    }

    /// One that sends these fields with each request.
    fn with(port: u16, fields: &str) -> Self {
        Self { fields: fields.to_owned(), ..Self::connect(port) }
    }

    fn send(&mut self, octets: &[u8]) {
        self.stream.get_mut().write_all(octets).expect("sent");
    }

    fn ask(&mut self, method: &str, path: &str, body: &[u8]) -> Answer {
        let (fields, length) = (&self.fields, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: mx\r\n{fields}Content-Length: {length}\r\n\r\n"
        );
        self.send(&[head.as_bytes(), body].concat());
        self.answer()
    }

    /// Asks about a message.
    fn hook(&mut self, message: &[u8], form: Form) -> Answer {
        self.fields = match form {
            Form::Stalwart => String::new(),
            Form::Draft(_) => "X-MTA-Hooks-Request-Id: 1\r\n".to_owned(),
        };
        self.ask("POST", "/hook", &request(message, form))
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("a line");
        line.trim_end().to_owned()
    }

    fn answer(&mut self) -> Answer {
        let status = self.line();
        let status = status.split(' ').nth(1).and_then(|word| word.parse().ok());
        let mut fields = BTreeMap::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(": ") else { break };
            fields.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let length = fields.get("content-length").and_then(|text| text.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        self.stream.read_exact(&mut body).expect("a body");
        Answer { status: status.expect("a status"), fields, body }
    }

    /// Whether the other side has closed the connection, or does.
    fn is_closed(&mut self) -> bool {
        let mut rest = Vec::new();
        self.stream.read_to_end(&mut rest).is_ok()
    }
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|why| panic!("{why}: {}", self.body.escape_ascii()))
    }

    /// The message that replaces the one that was asked about.
    fn message(&self) -> Option<Vec<u8>> {
        if self.status == 204 {
            return None;
        }
        let json = self.json();
        let sets = json["set"].as_array().expect("operations").clone();
        let found = sets.iter().find(|set| set["path"] == "/rawMessage")?;
        Some(STANDARD.decode(found["value"].as_str().expect("text")).expect("Base64"))
    }
}

/// What the command writes for a message.
fn normalized(message: &[u8]) -> Vec<u8> {
    let mut child = sevenbit()
        .args(["normalize", "--profile", "transport", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = child.stdin.take().expect("a pipe");
    let message = message.to_vec();
    let writing = std::thread::spawn(move || input.write_all(&message));
    let made = child.wait_with_output().expect("it ends").stdout;
    writing.join().expect("no panic").expect("written");
    made
}

#[test]
fn a_message_becomes_what_the_command_writes() {
    let hooks = Filter::hooks(&["--log", "json"]);
    let mut server = Server::connect(hooks.port());
    let mut count = 0;
    for entry in fs::read_dir(format!("{PROJECT}/corpus/mail")).expect("corpus/mail").step_by(4) {
        let path = entry.expect("an entry").path();
        let message = fs::read(&path).expect("a message");
        let answered = server.hook(&message, OPERATIONS);
        let made = answered.message().unwrap_or_else(|| message.clone());
        let expected = normalized(&message);
        let shown = |octets: &[u8]| octets.escape_ascii().to_string();
        assert_eq!(shown(&made), shown(&expected), "{}", path.display());
        count += 1;
    }
    assert!(count > 80, "{count}");
    wait("a line for each", || hooks.log().matches("\"message\":\"message\"").count() == count);
}

/// Takes minutes: run by hand.
#[test]
#[ignore = "minutes, and real mail beside the project"]
fn real_mail_becomes_its_normal_form() {
    let messages = real_mail();
    let hooks = Filter::hooks(&["-q"]);
    let mut server = Server::connect(hooks.port());
    let normalizer = Normalizer::new().profile(Profile::Transport);
    let is_different = |(_, message): &&(PathBuf, Vec<u8>)| {
        let made = server.hook(message, OPERATIONS).message();
        made.as_deref().unwrap_or(message) != normalizer.normalize(message).octets()
    };
    let different: Vec<_> = messages.iter().filter(is_different).map(|(path, _)| path).collect();
    println!("{} messages by hooks, {} differ", messages.len(), different.len());
    assert!(different.is_empty(), "{different:?}");
}

#[test]
fn both_forms_are_reported_and_counted() {
    let folder = tempfile::TempDir::new().expect("a directory");
    let report = folder.path().join("report.jsonl").display().to_string();
    let place = format!("127.0.0.1:{}", free_port());
    let hooks = Filter::hooks(&["--report", &report, "--metrics", &place]);
    let mut server = Server::connect(hooks.port());

    let answered = server.hook(RAW, Form::Stalwart);
    assert_eq!((answered.status, &*answered.fields["content-type"]), (200, "application/json"));
    let said = answered.json();
    let changes = said["modifications"].as_array().expect("changes");
    assert_eq!(said["action"], "accept");
    let body = changes.iter().find(|change| change["type"] == "replaceContents");
    assert_eq!(body.expect("a body")["value"], "ZMOpasOgIHZ1DQo=\r\n");
    assert_eq!(server.hook(b"Subject: x\r\n\r\nx\r\n", OPERATIONS).status, 204);

    let rows = fs::read_to_string(&report).expect("a report");
    let rows: Vec<Value> =
        rows.lines().map(|row| serde_json::from_str(row).expect("JSON")).collect();
    let members = |row: &Value, names: &[&str]| {
        names.iter().map(|name| row[name].as_str().unwrap_or("-").to_owned()).collect::<Vec<_>>()
    };
    let names = ["id", "client", "from", "fate", "outcome", "by", "subject"];
    assert_eq!(
        members(&rows[0], &names),
        ["4q1", "192.0.2.7", "a@example.org", "changed", "passed", "mail-server", "caf\u{E9}"]
    );
    assert_eq!(members(&rows[1], &["fate", "outcome"]), ["clean", "passed"]);

    let mut watching = TcpStream::connect(&place).expect("a connection");
    watching.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").expect("sent");
    let mut said = String::new();
    watching.read_to_string(&mut said).expect("an answer");
    for line in [
        "sevenbit_messages_total{fate=\"changed\"} 1",
        "sevenbit_outcomes_total{outcome=\"passed\",by=\"mail-server\"} 2",
        "sevenbit_connections_ended_early_total{reason=\"protocol\"} 0",
        "sevenbit_memory_used_bytes 0",
        &format!("sevenbit_message_bytes_total {}", RAW.len() + 17),
    ] {
        let is_none = line.ends_with("} 0") && !said.contains(line.trim_end_matches(" 0"));
        assert!(is_none || said.lines().any(|said| said == line), "{line}: {said}");
    }
    let healthy = sevenbit().args(["milter", "health", &place]).output().expect("it runs");
    assert!(healthy.status.success(), "{healthy:?}");
}

#[test]
fn rules_and_policies_decide() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let config = "on = { duplicate-field = 'reject' }\n\
        [[rule]]\nname = 'left alone'\nclient = '192.0.2.0/24'\nfrom = 'a@example.org'\n\
        header = { Subject = 'skip' }\nskip = true\n";
    fs::write(file.path(), config).expect("written");
    let path = file.path().display().to_string();
    let hooks = Filter::hooks(&["--config", &path]);
    let mut server = Server::connect(hooks.port());

    let twice = b"From: a@example.org\r\nFrom: b@example.org\r\n\r\nx\r\n";
    let said = server.hook(twice, Form::Stalwart).json();
    assert_eq!((&said["action"], &said["response"]["status"]), (&"reject".into(), &554.into()));
    let said = server.hook(twice, OPERATIONS).json();
    assert_eq!(said["set"][0]["value"], "reject");
    assert_eq!(said["set"][1]["value"]["code"], 554);

    let skipped = b"From: a@example.org\r\nFrom: b@example.org\r\nSubject: skip\r\n\r\nx\r\n";
    assert_eq!(
        server.hook(skipped, Form::Stalwart).json(),
        serde_json::json!({"action": "accept"})
    );
    wait("the rule", || hooks.log().contains("left alone"));

    fs::write(file.path(), "dry-run = true\n").expect("written");
    hooks.signal("HUP");
    wait("the options", || hooks.log().contains("options read again"));
    assert_eq!(server.hook(twice, OPERATIONS).status, 204);
}

#[test]
fn a_json_patch_is_answered_if_it_is_asked_for() {
    let hooks = Filter::hooks(&["--patch", "json-patch"]);
    let mut server = Server::connect(hooks.port());
    let said = server.hook(RAW, OPERATIONS).json();
    assert_eq!((&said[0]["op"], &said[0]["path"]), (&"add".into(), &"/rawMessage".into()));
    let text = said[0]["value"].as_str().expect("text");
    assert_eq!(STANDARD.decode(text).expect("Base64"), normalized(RAW));
    let clean = server.hook(b"Subject: x\r\n\r\nx\r\n", OPERATIONS);
    assert_eq!((clean.status, &clean.body[..]), (200, &b"[]"[..]));
}

#[test]
fn the_request_of_the_page_is_answered() {
    let page = fs::read_to_string(format!("{PROJECT}/docs/mta.md")).expect("docs/mta.md");
    let command = page.split("curl -s http://127.0.0.1:8896/ -d '").nth(1).expect("a command");
    let asked = command.split('\'').next().expect("a request");
    let hooks = Filter::hooks(&[]);
    let said = Server::connect(hooks.port()).ask("POST", "/", asked.as_bytes()).json();
    assert_eq!(said["modifications"][0]["value"], " =?utf-8?B?Y2Fmw6k=?=\r\n");
}

/// The flow of the draft's last example (-01, B.1): found, registered, asked, registered no more.
#[test]
fn a_server_of_the_draft_registers_and_asks() {
    let hooks = Filter::hooks(&[]);
    let mut server = Server::connect(hooks.port());
    let found = server.ask("GET", "/.well-known/mta-hooks", b"").json();
    assert!(
        found["capabilities"]["inbound"]["fetchProperties"]
            .as_array()
            .is_some_and(|names| names.contains(&"/rawMessage".into()))
    );

    let wanted = br#"{"name": "mx1", "serialization": "json",
        "inbound": {"stages": ["data"], "properties": ["/rawMessage", "/envelope"]}}"#;
    let place = found["endpoints"]["registration"].as_str().expect("a path");
    let answered = server.ask("POST", place, wanted);
    let registered = answered.json();
    assert_eq!(answered.status, 201);
    let own = registered["endpoints"]["deregistration"].as_str().expect("a path");
    assert_eq!(answered.fields["location"], own);

    let name = registered["registrationId"].as_str().expect("a name");
    server.fields =
        format!("X-MTA-Hooks-Registration: {name}\r\nX-MTA-Hooks-Request-Id: 01HZ8K3X\r\n");
    let hook = registered["hookEndpoint"].as_str().expect("a path");
    let answered = server.ask("POST", hook, &request(RAW, OPERATIONS));
    assert_eq!(answered.message(), Some(normalized(RAW)));

    let status = registered["endpoints"]["status"].as_str().expect("a path");
    assert_eq!(server.ask("GET", status, b"").json()["status"], "active");
    assert_eq!(server.ask("DELETE", own, b"").json()["status"], "deregistered");
    assert_eq!(server.ask("DELETE", "/register/x", b"").status, 404);
    assert_eq!(server.ask("POST", place, &vec![b' '; 100_000]).status, 413);
}

#[test]
fn who_has_no_token_is_refused() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), "secret\nmx:word\n").expect("written");
    let hooks = Filter::hooks(&["--token-file", &file.path().display().to_string()]);
    let status = |fields: &str| {
        let mut server = Server::with(hooks.port(), fields);
        let answered = server.ask("POST", "/", &request(RAW, Form::Stalwart));
        (answered.status, answered.fields.contains_key("www-authenticate"))
    };
    assert_eq!(status(""), (401, true));
    assert_eq!(status("Authorization: Bearer other\r\n"), (401, true));
    assert_eq!(status("Authorization: Bearer secret\r\n"), (200, false));
    let basic = format!("Authorization: Basic {}\r\n", STANDARD.encode("mx:word"));
    assert_eq!(status(&basic), (200, false));

    fs::write(file.path(), "other\n").expect("written");
    hooks.signal("HUP");
    wait("the new token", || status("Authorization: Bearer other\r\n") == (200, false));
    assert_eq!(status("Authorization: Bearer secret\r\n"), (401, true));
    fs::write(file.path(), "\n").expect("written");
    hooks.signal("HUP");
    wait("the complaint", || hooks.log().contains("the tokens of before stay in force"));
    assert_eq!(status("Authorization: Bearer other\r\n"), (200, false));
}

#[test]
fn what_is_too_large_is_answered_as_is_asked() {
    let hooks = Filter::hooks(&["--max-message", "1k", "--memory-total", "8M"]);
    let mut server = Server::connect(hooks.port());
    let long = [b"Subject: x\r\n\r\n".to_vec(), vec![b'x'; 2000]].concat();
    let said = server.hook(&long, Form::Stalwart).json();
    assert_eq!((&said["action"], &said["response"]["status"]), (&"reject".into(), &552.into()));

    // What is too long to be read is not held, in one piece or in chunks.
    let longer = [b"Subject: x\r\n\r\n".to_vec(), vec![b'x'; 20 << 20]].concat();
    let said = server.hook(&longer, OPERATIONS).json();
    assert_eq!(said["set"][1]["value"]["code"], 552);
    let chunk = [b"100000\r\n".to_vec(), vec![b' '; 1 << 20], b"\r\n".to_vec()].concat();
    server.send(b"POST / HTTP/1.1\r\nHost: mx\r\nTransfer-Encoding: chunked\r\n\r\n");
    (0..16).for_each(|_| server.send(&chunk));
    server.send(b"0\r\n\r\n");
    assert_eq!(server.answer().json()["response"]["status"], 552);

    let accepting = Filter::hooks(&["--max-message", "1k", "--on-too-large", "accept"]);
    let mut server = Server::connect(accepting.port());
    assert_eq!(server.hook(&longer, OPERATIONS).status, 204);
}

#[test]
fn there_is_no_more_memory_than_is_given() {
    let hooks = Filter::hooks(&["--memory-total", "256k"]);
    let mut server = Server::connect(hooks.port());
    let long = [b"Subject: x\r\n\r\n".to_vec(), vec![b'x'; 200 << 10]].concat();
    let said = server.hook(&long, Form::Stalwart).json();
    assert_eq!((&said["action"], &said["response"]["status"]), (&"reject".into(), &452.into()));
    assert_eq!(server.hook(RAW, Form::Stalwart).json()["action"], "accept");
}

#[test]
fn what_is_no_request_is_refused_and_the_next_one_is_answered() {
    let hooks = Filter::hooks(&[]);
    for body in [&b"{"[..], b"\xFF", b"null", b"{\"context\": 1}", &[b'['; 10_000]] {
        let mut server = Server::connect(hooks.port());
        let answered = server.ask("POST", "/", body);
        assert_eq!(answered.status, 400, "{}", body.escape_ascii());
        assert_eq!(answered.json()["error"]["code"], "INVALID_REQUEST");
        assert!(server.is_closed());
    }
    for wire in [
        &b"\r\n\r\n\0\0\0\0"[..],
        b"EHLO mx\r\n",
        b"POST / HTTP/9.9\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        &[b"GET / HTTP/1.1\r\nX: ".to_vec(), vec![b'x'; 1 << 20]].concat(),
        &[b"GET / HTTP/1.1\r\n".to_vec(), b"X: y\r\n".repeat(1000)].concat(),
    ] {
        let mut stream = TcpStream::connect(("127.0.0.1", hooks.port())).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        // It may be closed in the middle of it.
        let _ = stream.write_all(wire);
        let mut said = Vec::new();
        let ended = stream.read_to_end(&mut said).map_err(|error| error.kind());
        let is_answered = said.is_empty() || said.starts_with(b"HTTP/1.1 4");
        assert!(is_answered, "{}", said.escape_ascii());
        assert!(matches!(ended, Ok(_) | Err(std::io::ErrorKind::ConnectionReset)), "{ended:?}");
    }
    let mut server = Server::with(hooks.port(), "Content-Type: application/cbor\r\n");
    assert_eq!(server.ask("POST", "/", b"\xA0").status, 415);
    assert_eq!(Server::connect(hooks.port()).ask("GET", "/", b"").status, 404);
    assert_eq!(Server::connect(hooks.port()).hook(RAW, Form::Stalwart).status, 200);
    assert!(!hooks.log().contains("panicked"), "{}", hooks.log());
}

#[test]
fn who_is_slow_is_not_waited_for() {
    let hooks = Filter::hooks(&["--timeout", "1", "--message-timeout", "3"]);
    let begun = Instant::now();
    let mut silent = Server::connect(hooks.port());
    assert!(silent.is_closed());
    let mut half = Server::connect(hooks.port());
    half.send(b"POST / HTTP/1.1\r\nContent-");
    assert!(half.is_closed());
    let mut stuck = Server::connect(hooks.port());
    stuck.send(b"POST / HTTP/1.1\r\nHost: mx\r\nContent-Length: 100\r\n\r\n{");
    assert!(stuck.is_closed());
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());

    // However its octets come.
    for (head, most) in [
        ("POST / HTTP/1.1\r\nX: ", 20),
        ("POST / HTTP/1.1\r\nHost: mx\r\nContent-Length: 1000\r\n\r\n", 20),
    ] {
        let mut dripping = Server::connect(hooks.port());
        dripping.send(head.as_bytes());
        let begun = Instant::now();
        while dripping.stream.get_mut().write_all(b" ").is_ok() {
            assert!(begun.elapsed() < Duration::from_secs(most), "{head}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
    let ended = "silent or slow for too long";
    wait("five lines", || hooks.log().matches(ended).count() == 5);
}

#[test]
fn there_are_no_more_connections_than_are_allowed() {
    let hooks = Filter::hooks(&["--max-connections", "2"]);
    // Those that looked whether it listens have gone.
    wait("the first answer", || {
        Server::connect(hooks.port()).ask("GET", "/.well-known/mta-hooks", b"").status == 200
    });
    wait("two connections", || {
        let mut two = [Server::connect(hooks.port()), Server::connect(hooks.port())];
        let answered = |server: &mut Server| server.hook(RAW, Form::Stalwart).status == 200;
        if !two.iter_mut().all(answered) {
            return false;
        }
        assert_eq!(Server::connect(hooks.port()).answer().status, 503);
        true
    });
}

#[test]
fn a_request_that_has_begun_ends_before_the_service_does() {
    let mut hooks = Filter::hooks(&[]);
    let mut idle = Server::connect(hooks.port());
    assert_eq!(idle.hook(RAW, Form::Stalwart).status, 200);
    let body = request(RAW, Form::Stalwart);
    let mut busy = Server::connect(hooks.port());
    busy.send(
        format!(
            "POST / HTTP/1.1\r\nHost: mx\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n",
            body.len()
        )
        .as_bytes(),
    );
    // It has read that once it asks for more.
    assert_eq!(busy.answer().status, 100);
    hooks.signal("TERM");
    assert!(idle.is_closed());
    busy.send(&body);
    assert_eq!(busy.answer().json()["action"], "accept");
    assert!(busy.is_closed());
    assert!(hooks.wait().success());
    assert!(hooks.log().contains("stopped"), "{}", hooks.log());
}

#[test]
fn options_that_are_wrong_are_refused() {
    let missing = "/no/such/tokens";
    for (options, code) in [
        (&["--listen", "127.0.0.1:0", "--token-file", missing, "--check-config"][..], 66),
        (&["--listen", "127.0.0.1:0", "--patch", "other"], 64),
        (&["--patch", "operations"], 64),
    ] {
        let ran = sevenbit().arg("hooks").args(options).output().expect("it runs");
        assert_eq!(ran.status.code(), Some(code), "{options:?}: {ran:?}");
    }
}
