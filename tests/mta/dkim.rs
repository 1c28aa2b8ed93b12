//! OpenDKIM beside the milter: who signs after it is verified, who signs before it is not.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};

use tempfile::TempDir;

use super::support::{Client, Filter, Mail, Postfix, Sink, SinkOptions, free_port, has, has_postfix, wait};

pub struct OpenDkim {
    child: Child,
    /// Where it listens, as Postfix says it.
    pub place: String,
}

impl OpenDkim {
    pub fn start(folder: &Path, name: &str, settings: &str) -> Self {
        let port = free_port();
        let config = folder.join(name);
        let text = format!(
            "Socket inet:{port}@127.0.0.1\nCanonicalization relaxed/simple\nInternalHosts 127.0.0.1\n\
             ExternalIgnoreList 127.0.0.1\nUserID root\nRequireSafeKeys no\nAlwaysAddARHeader yes\n{settings}\n"
        );
        fs::write(&config, text).expect("a file");
        let child =
            Command::new("/usr/sbin/opendkim").arg("-f").arg("-x").arg(&config).spawn().expect("it runs");
        wait("OpenDKIM", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
        Self { child, place: format!("inet:127.0.0.1:{port}") }
    }
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

const MESSAGES: [&[u8]; 4] = [
    b"From: a@example.org\r\nTo: b@example.org\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n\
      Subject: plain\r\n\r\nplain\r\n",
    b"From: a@example.org\r\nTo: b@example.org\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <2@example.org>\r\n\
      Subject: caf\xE9\r\n\r\nraw subject\r\n",
    b"From: a@example.org\r\nTo: b@example.org\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <3@example.org>\r\n\
      Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\
      \r\nd\xE9j\xE0 vu\r\n",
    b"From: J\xC3\xB6rg <a@example.org>\r\nTo: b@example.org\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\n\
      Message-ID: <4@example.org>\r\nSubject: x\r\n\r\nd\xC3\xA9j\xC3\xA0 vu\r\n",
];

#[test]
fn what_is_signed_after_the_milter_verifies_at_a_7bit_next_hop() {
    if !has_postfix() || !has("opendkim") || !has("opendkim-genkey") {
        return;
    }
    let folder = TempDir::new_in("/tmp").expect("a directory");
    let made = Command::new("opendkim-genkey")
        .args(["-D", &folder.path().display().to_string(), "-d", "example.org", "-s", "sel", "-b", "2048"])
        .output();
    assert!(made.is_ok_and(|made| made.status.success()));
    let key = fs::read_to_string(folder.path().join("sel.txt")).expect("a key");
    let keys = folder.path().join("keys");
    fs::write(&keys, format!("sel._domainkey.example.org {}\n", record(&key))).expect("a file");
    let signs = format!(
        "Mode s\nDomain example.org\nSelector sel\nKeyFile {}\n",
        folder.path().join("sel.private").display()
    );
    let verifies = format!("Mode v\nInternalHosts 192.0.2.1\nTestPublicKeys {}\n", keys.display());
    let signer = OpenDkim::start(folder.path(), "sign.conf", &signs);
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
            let mail = Mail { from: "a@example.org", to: &to, parameters: " BODY=8BITMIME", octets };
            assert!(client.send(mail).expect("an answer").starts_with("250"));
        }
    }
    let count = 2 * MESSAGES.len();
    wait("signed messages", || sink.count() == count);
    let mut client = Client::connect(judge).expect("a connection");
    for signed in sink.arrived() {
        let octets = String::from_utf8_lossy(&signed.octets);
        assert!(signed.is_7bit() && octets.contains("DKIM-Signature: "), "{octets}\n{}", postfix.log());
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
        // Whoever signs first signs what is not sent: only what was clean survives.
        assert_eq!(judged(format!("judged-before-{number}")), number == 0, "message {number}");
    }
}
