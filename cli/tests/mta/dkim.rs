//! OpenDKIM beside the milter: it verifies before it and signs after it.

use std::fs;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command};

use tempfile::TempDir;

use super::others::documented;
use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, free_port, has, has_postfix, wait,
};

pub struct OpenDkim {
    child: Child,
    /// Where it listens, in Postfix's notation.
    pub place: String,
}

impl OpenDkim {
    /// One on a port.
    pub fn start(folder: &Path, name: &str, settings: &str) -> Self {
        let port = free_port();
        let child = run(folder, name, &format!("Socket inet:{port}@127.0.0.1\n{settings}"));
        wait("OpenDKIM", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        Self { child, place: format!("inet:127.0.0.1:{port}") }
    }

    /// One whose settings say this port of this machine.
    pub fn start_at(port: u16, folder: &Path, name: &str, settings: &str) -> Self {
        let child = run(folder, name, settings);
        wait("OpenDKIM", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        Self { child, place: format!("inet:127.0.0.1:{port}") }
    }

    /// One on a Unix socket that Postfix, another user, may use.
    pub fn start_local(folder: &Path, name: &str, settings: &str) -> Self {
        let path = folder.join(format!("{name}.socket"));
        let child =
            run(folder, name, &format!("Socket local:{}\nUMask 000\n{settings}", path.display()));
        wait("OpenDKIM", || UnixStream::connect(&path).is_ok());
        Self { child, place: format!("unix:{}", path.display()) }
    }
}

fn run(folder: &Path, name: &str, settings: &str) -> Child {
    let config = folder.join(name);
    let text = format!(
        "Canonicalization relaxed/simple\nInternalHosts 127.0.0.1\nExternalIgnoreList 127.0.0.1\nUserID root\n\
         RequireSafeKeys no\nAlwaysAddARHeader yes\n{settings}\n"
    );
    fs::write(&config, text).expect("a file");
    Command::new("/usr/sbin/opendkim").arg("-f").arg("-x").arg(&config).spawn().expect("it runs")
}

impl Drop for OpenDkim {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The key of a `TXT` record, its quoted pieces joined.
fn record(text: &str) -> String {
    text.split('"').skip(1).step_by(2).collect()
}

/// Whether OpenDKIM and Postfix can be run here.
pub fn has_all() -> bool {
    has_postfix() && has("opendkim") && has("opendkim-genkey")
}

/// Makes a key in `folder`. Returns the settings of the signer, and the line with which a verifier
/// finds it without the DNS.
pub fn new_key(folder: &Path, selector: &str) -> (String, String) {
    let made = Command::new("opendkim-genkey")
        .args([
            "-D",
            &folder.display().to_string(),
            "-d",
            "example.org",
            "-s",
            selector,
            "-b",
            "2048",
        ])
        .output();
    assert!(made.is_ok_and(|made| made.status.success()));
    let public = fs::read_to_string(folder.join(format!("{selector}.txt"))).expect("a key");
    let private = folder.join(format!("{selector}.private"));
    let signs =
        format!("Mode s\nDomain example.org\nSelector {selector}\nKeyFile {}\n", private.display());
    (signs, format!("{selector}._domainkey.example.org {}\n", record(&public)))
}

/// The settings of a verifier with these keys, and its name in the results.
fn verifies(folder: &Path, keys: &str, name: &str) -> String {
    let path = folder.join("keys");
    fs::write(&path, keys).expect("a file");
    format!(
        "Mode v\nInternalHosts 192.0.2.1\nAuthservID {name}\nTestPublicKeys {}\n",
        path.display()
    )
}

pub const MESSAGES: [&[u8]; 5] = [
    b"From: a@example.org\r\nTo: b@example.org\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n\
      Subject: plain\r\n\r\nplain\r\n",
    b"From: a@example.org\r\nTo: b@example.org\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <2@example.org>\r\n\
      Subject: caf\xE9\r\n\r\nraw subject\r\n",
    b"From: a@example.org\r\nTo: b@example.org\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <3@example.org>\r\n\
      Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\
      \r\nd\xE9j\xE0 vu\r\n",
    b"From: J\xC3\xB6rg <a@example.org>\r\nTo: b@example.org\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\n\
      Message-ID: <4@example.org>\r\nSubject: x\r\n\r\nd\xC3\xA9j\xC3\xA0 vu\r\n",
    b"From: a@example.org\r\nTo: b@example.org\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <5@example.org>\r\n\
      Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=windows-1251\r\nContent-Transfer-Encoding: 8bit\r\n\
      \r\n<p>\xCF\xF0\xE8\xE2\xE5\xF2\r\n",
];

#[test]
fn signatures_made_after_the_milter_verify_at_a_7bit_next_hop() {
    if !has_all() {
        return;
    }
    let folder = TempDir::new_in("/tmp").expect("a directory");
    let (signs, key) = new_key(folder.path(), "sel");
    let signer = OpenDkim::start(folder.path(), "sign.conf", &signs);
    let verifies = verifies(folder.path(), &key, "judge.test");
    let verifier = OpenDkim::start(folder.path(), "verify.conf", &verifies);
    let milter = Filter::milter(&[]);

    let sink = Sink::start(SinkOptions { is_7bit: true, ..SinkOptions::default() });
    let [after, before, judge] = Postfix::ports();
    let ports = [
        (after, format!("-o {{smtpd_milters={} {}}}", milter.place, signer.place)),
        (before, format!("-o {{smtpd_milters={} {}}}", signer.place, milter.place)),
        (judge, format!("-o {{smtpd_milters={}}}", verifier.place)),
    ];
    let postfix = Postfix::start(sink.port, &ports, "");
    for (way, port) in [("after", after), ("before", before)] {
        let mut client = Client::connect(port).expect("a connection");
        for (number, octets) in MESSAGES.into_iter().enumerate() {
            let to = format!("{way}-{number}@example.org");
            let mail =
                Mail { from: "a@example.org", to: &to, parameters: " BODY=8BITMIME", octets };
            assert!(client.send(mail).expect("an answer").starts_with("250"));
        }
    }
    let count = 2 * MESSAGES.len();
    wait("signed messages", || sink.count() == count);
    let mut client = Client::connect(judge).expect("a connection");
    for signed in sink.arrived() {
        let octets = String::from_utf8_lossy(&signed.octets);
        assert!(
            signed.is_7bit() && octets.contains("DKIM-Signature: "),
            "{octets}\n{}",
            postfix.log()
        );
        let to = format!("judged-{}@example.org", signed.name());
        let mail = Mail { from: "a@example.org", to: &to, parameters: "", octets: &signed.octets };
        assert!(client.send(mail).expect("an answer").starts_with("250"));
    }
    wait("judged messages", || sink.count() == 2 * count);
    let judged = |name: String| {
        let all = sink.arrived();
        let one = all.iter().find(|one| one.name() == name).expect("it arrived");
        String::from_utf8_lossy(&one.octets).contains("dkim=pass")
    };
    for number in 0..MESSAGES.len() {
        assert!(judged(format!("judged-after-{number}")), "message {number}: {}", postfix.log());
        // A signature made first covers what is not sent: only clean mail survives.
        assert_eq!(judged(format!("judged-before-{number}")), number == 0, "message {number}");
    }
}

/// The verdict of the OpenDKIM of this name in a message on the signature with this key: `pass`,
/// `fail`...
fn result(octets: &[u8], name: &str, selector: &str) -> Option<String> {
    let begin = format!("{name};");
    let all = fields(octets, "Authentication-Results");
    let results = all.iter().find_map(|field| field.strip_prefix(&begin))?;
    let key = format!("header.s={selector} ");
    let result = results.split(';').find(|result| result.contains(&key))?;
    Some(result.trim_start().strip_prefix("dkim=")?.split(' ').next()?.to_owned())
}

/// The values of the fields of this name in a message, each in one line.
pub fn fields(octets: &[u8], name: &str) -> Vec<String> {
    let text = String::from_utf8_lossy(octets).replace("\r\n\t", " ").replace("\r\n ", " ");
    let header = text.split("\r\n\r\n").next().unwrap_or_default();
    let begin = format!("{name}: ");
    header.split("\r\n").filter_map(|field| field.strip_prefix(&begin)).map(str::to_owned).collect()
}

/// A Postfix that verifies, makes mail 7-bit safe and signs it, in this order: mail that someone
/// else had signed.
#[test]
fn incoming_mail_is_verified_and_outgoing_mail_is_signed() {
    if !has_all() {
        return;
    }
    let folder = TempDir::new_in("/tmp").expect("a directory");
    let [(origin, first), (_, second)] =
        ["origin", "relay"].map(|selector| new_key(folder.path(), selector));
    let keys = first + &second;
    let start = |name: &str, settings: &str| OpenDkim::start(folder.path(), name, settings);
    let origin = start("origin.conf", &origin);
    // The blocks of the page, with other places, and a verifier that takes this machine for another
    // and finds keys in a file.
    let settings = |name: &str, instead: &[(&str, &str)]| {
        let port = free_port();
        let place = if name == "sign.conf" { "inet:8892@" } else { "inet:8890@" };
        let other = format!("inet:{port}@");
        let instead = [instead, &[(place, other.as_str())]].concat();
        (port, documented(&format!("# /etc/opendkim/{name}"), &instead))
    };
    let (port, signs) = settings(
        "sign.conf",
        &[
            (
                "/etc/dkimkeys/mail.private",
                &folder.path().join("relay.private").display().to_string(),
            ),
            ("            mail\n", "            relay\n"),
        ],
    );
    let relay = OpenDkim::start_at(port, folder.path(), "relay.conf", &signs);
    let (port, judges) = settings("verify.conf", &[("mx.example.org", "verifier.test")]);
    let finds = verifies(folder.path(), &keys, "verifier.test");
    let verifier =
        OpenDkim::start_at(port, folder.path(), "verifier.conf", &format!("{finds}{judges}"));
    let judge = start("judge.conf", &verifies(folder.path(), &keys, "judge.test"));
    let milter = Filter::milter(&["--log", "json"]);

    let sink = Sink::start(SinkOptions::default());
    let [sends, relays, judges] = Postfix::ports();
    let milters = |places: &[&str]| format!("-o {{smtpd_milters={}}}", places.join(" "));
    let ports = [
        (sends, milters(&[&origin.place])),
        (relays, milters(&[&verifier.place, &milter.place, &relay.place])),
        (judges, milters(&[&judge.place])),
    ];
    let _postfix = Postfix::start(sink.port, &ports, "");
    // Messages that reached the sink are sent to the next port.
    let mut octets = MESSAGES.map(<[u8]>::to_vec);
    for (way, port) in [("signed", sends), ("relayed", relays), ("judged", judges)] {
        let mut client = Client::connect(port).expect("a connection");
        for (number, message) in octets.iter_mut().enumerate() {
            let name = format!("{way}-{number}");
            let to = format!("{name}@example.org");
            let mail = Mail {
                from: "a@example.org",
                to: &to,
                parameters: " BODY=8BITMIME",
                octets: message,
            };
            assert!(client.send(mail).expect("an answer").starts_with("250"));
            wait("a message", || sink.arrived().iter().any(|one| one.name() == name));
            let arrived = sink.arrived();
            let arrived = arrived.iter().find(|one| one.name() == name).expect("it arrived");
            *message = arrived.octets.clone();
            // Only the first of them was 7-bit; the milter made the others so.
            assert_eq!(arrived.is_7bit(), number == 0 || way != "signed", "{name}");
        }
    }
    wait("the records", || {
        milter.log().matches("\"fate\":\"changed\"").count() == MESSAGES.len() - 1
    });
    for (number, octets) in octets.iter().enumerate() {
        let shown = String::from_utf8_lossy(octets);
        let result = |name, selector| result(octets, name, selector);
        // Before it, the message is as it was signed.
        assert_eq!(result("verifier.test", "origin").as_deref(), Some("pass"), "{shown}");
        // After it, the message goes on as it was signed.
        assert_eq!(result("judge.test", "relay").as_deref(), Some("pass"), "{shown}");
        // A message that the milter changed no longer has what was signed first.
        assert_eq!(
            result("judge.test", "origin").as_deref() == Some("pass"),
            number == 0,
            "{shown}"
        );
        assert!(result("judge.test", "origin").is_some(), "{shown}");
    }
}
