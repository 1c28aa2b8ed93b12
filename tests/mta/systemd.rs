//! The units of packaging/, as systemd reads and runs them.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::support::{
    Client, Mail, Sink, SinkOptions, binary, fields_and_body, free_port, has, packet, wait,
};

/// What stands in packaging/systemd, with this command in the place of the one that is installed.
fn units(folder: &Path) -> Vec<String> {
    let packaged = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/systemd");
    let command = binary().display().to_string();
    let entries = fs::read_dir(packaged).expect("packaging/systemd").map(|entry| entry.expect("an entry"));
    let write = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).expect("a unit");
        let unit = folder.join(entry.file_name());
        fs::write(&unit, text.replace("/usr/local/bin/sevenbit", &command)).expect("a file");
        unit.display().to_string()
    };
    entries.map(write).collect()
}

#[test]
fn systemd_finds_nothing_wrong_with_the_units() {
    if !has("systemd-analyze") {
        return;
    }
    let folder = TempDir::new_in("/tmp").expect("a directory");
    let units = units(folder.path());
    assert_eq!(units.len(), 3);
    // The man page is made by the command, and not installed here.
    let ran = Command::new("systemd-analyze").args(["verify", "--man=no"]).args(&units).output();
    let ran = ran.expect("it runs");
    let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    assert!(ran.status.success() && said.is_empty(), "{said}");
    for service in units.iter().filter(|unit| unit.ends_with(".service")) {
        let words = ["security", "--no-pager", "--offline=true", "--threshold=13"];
        let ran = Command::new("systemd-analyze").args(words).arg(service).output().expect("it runs");
        let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
        assert!(ran.status.success(), "more than 1.3 of 10 is exposed: {said}");
    }
}

/// A filter that is started by a connection to its socket.
struct Activated(Child);

impl Activated {
    fn start(socket: &str, words: &[&str]) -> Self {
        let mut command = Command::new("systemd-socket-activate");
        command.args(["-l", socket]).arg(binary()).args(words).stdin(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().expect("it runs"))
    }

    /// Tells it to stop, and waits until it has.
    fn stop(mut self) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").arg(id).status().is_ok_and(|sent| sent.success()));
        assert!(self.0.wait().is_ok_and(|ended| ended.success()));
    }
}

impl Drop for Activated {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A session with the milter: what it says to a message that is not 7-bit.
fn session(mut stream: impl Read + Write) {
    let offer = packet(b'O', &[6_u32, 0x1FF, 0x1F_FFFF].map(u32::to_be_bytes).concat());
    let message = fields_and_body(&[("Subject", " caf\u{e9}")], b"x\r\n");
    stream.write_all(&[offer, message.repeat(2), packet(b'Q', b"")].concat()).expect("sent");
    let mut said = Vec::new();
    stream.read_to_end(&mut said).expect("answers");
    let changes = said.windows(8).filter(|part| part == b"Subject\0").count();
    assert_eq!(changes, 2, "{}", said.escape_ascii());
    assert!(said.ends_with(b"\0\0\0\x01c"), "{}", said.escape_ascii());
}

#[test]
fn a_milter_takes_the_socket_that_systemd_hands_over() {
    if !has("systemd-socket-activate") {
        return;
    }
    let folder = TempDir::new_in("/tmp").expect("a directory");
    let path = folder.path().join("socket");
    let milter = Activated::start(&path.display().to_string(), &["milter", "--listen", "systemd", "-q"]);
    wait("the socket", || path.exists());
    for _ in 0..3 {
        session(UnixStream::connect(&path).expect("a connection"));
    }
    milter.stop();

    let place = format!("127.0.0.1:{}", free_port());
    let milter = Activated::start(&place, &["milter", "--listen", "systemd", "-q"]);
    wait("the port", || TcpStream::connect(&place).is_ok());
    session(TcpStream::connect(&place).expect("a connection"));
    milter.stop();
}

#[test]
fn a_gateway_takes_the_socket_that_systemd_hands_over() {
    if !has("systemd-socket-activate") {
        return;
    }
    let sink = Sink::start(SinkOptions { is_7bit: true, ..SinkOptions::default() });
    let port = free_port();
    let next = format!("127.0.0.1:{}", sink.port);
    let words = ["gateway", "--listen", "systemd", "--next", &next, "-q"];
    let gateway = Activated::start(&format!("127.0.0.1:{port}"), &words);
    wait("the port", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    let octets = b"Subject: caf\xE9\r\n\r\nd\xE9j\xE0 vu\r\n";
    let mail = Mail { from: "a@example.org", to: "b@example.org", parameters: " BODY=8BITMIME", octets };
    let mut client = Client::connect(port).expect("a connection");
    assert!(client.send(mail).expect("an answer").starts_with("250"));
    assert!(sink.count() == 1 && sink.arrived()[0].is_7bit());
    drop(client);
    gateway.stop();
}

/// systemd as process 1, with the units installed as packaging/README.md says, and Postfix beside them.
#[test]
fn the_units_run_where_systemd_runs() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mta/systemd/boot.sh");
    let ran = Command::new("timeout").arg("300").arg(script).arg(binary()).output().expect("it runs");
    let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    if ran.status.code() == Some(77) {
        eprintln!("{}", said.trim_end());
        return;
    }
    assert!(ran.status.success() && said.contains("all of it was tried"), "{said}");
}
