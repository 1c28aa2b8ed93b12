//! LMTP in and LMTP out: Postfix passes mail to the gateway, which passes it to Dovecot. Each
//! recipient has its own reply.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use sevenbit::{Normalizer, Profile};
use tempfile::TempDir;

use super::support::{
    Client, Filter, Postfix, Sink, SinkOptions, free_port, has, has_postfix, has_user, not_tried,
    open_to_all, wait,
};

const MESSAGE: &[u8] =
    b"From: a@example.org\r\nDate: Sun, 22 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n\
    Subject: caf\xE9\r\n\r\nd\xE9j\xE0 vu\r\n";

/// A private Dovecot, which accepts mail by LMTP.
struct Dovecot {
    child: Child,
    folder: TempDir,
}

impl Dovecot {
    fn start() -> Self {
        let folder = TempDir::new_in("/tmp").expect("a directory");
        open_to_all(folder.path());
        let path = folder.path().display().to_string();
        let settings = format!(
            "base_dir = {path}/run\nlog_path = {path}/log\nprotocols = lmtp\nssl = no\nfirst_valid_uid = 0\n\
             first_valid_gid = 0\nauth_username_format = %n\nmail_location = maildir:{path}/mail/%n\n\
             passdb {{\n driver = static\n args = nopassword\n}}\n\
             userdb {{\n driver = static\n args = uid=mail gid=mail home={path}/mail/%n allow_all_users=yes\n}}\n\
             service lmtp {{\n unix_listener {path}/lmtp {{\n mode = 0666\n }}\n}}\n"
        );
        fs::write(folder.path().join("conf"), settings).expect("a file");
        fs::create_dir(folder.path().join("mail")).expect("a directory");
        let owned = Command::new("chown").arg("mail").arg(folder.path().join("mail")).status();
        assert!(owned.is_ok_and(|done| done.success()));
        let config = folder.path().join("conf");
        let child = Command::new("/usr/sbin/dovecot").arg("-F").arg("-c").arg(config).spawn();
        let dovecot = Self { child: child.expect("it runs"), folder };
        wait("Dovecot", || UnixStream::connect(dovecot.socket()).is_ok());
        dovecot
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("lmtp")
    }

    fn mailbox(&self, user: &str) -> PathBuf {
        self.folder.path().join("mail").join(user)
    }

    /// The messages delivered to a user, with CR LF.
    fn delivered(&self, user: &str) -> Vec<Vec<u8>> {
        let entries = fs::read_dir(self.mailbox(user).join("new")).into_iter().flatten().flatten();
        let read = |path: &Path| {
            fs::read(path)
                .expect("a message")
                .split(|&octet| octet == b'\n')
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
                .join(&b"\r\n"[..])
        };
        entries.map(|entry| read(&entry.path())).collect()
    }
}

impl Drop for Dovecot {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", fs::read_to_string(self.folder.path().join("log")).unwrap_or_default());
        }
        // Its children end with it.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

#[test]
fn each_recipient_has_the_answer_of_the_next_hop() {
    if !has_postfix() || !has("dovecot") || !has_user("mail") || !has_user("dovenull") {
        return;
    }
    if !Path::new("/usr/lib/dovecot/lmtp").exists() {
        not_tried("Dovecot's LMTP is not installed (cli/tests/mta/install.sh)");
        return;
    }
    let dovecot = Dovecot::start();
    // For one recipient Dovecot finds only after the message that it cannot be delivered.
    fs::write(dovecot.mailbox("c"), "no directory").expect("a file");
    let gateway = Filter::gateway_through(&dovecot.socket(), &["--log", "json"]);
    let sink = Sink::start(SinkOptions::default());
    let port = free_port();
    let service = format!("-o content_filter=lmtp:{}\nlmtp unix - - n - - lmtp", gateway.place);
    let limit = "lmtp_destination_recipient_limit = 10";
    let postfix = Postfix::start(sink.port, &[(port, service)], limit);
    let mut client = Client::connect(port).expect("a connection");
    let to = ["b", "c", "d"].map(|user| format!("RCPT TO:<{user}@example.org>"));
    for command in ["MAIL FROM:<a@example.org> BODY=8BITMIME", &to[0], &to[1], &to[2]] {
        assert!(client.ask(command).expect("an answer").starts_with("250"), "{command}");
    }
    assert!(client.ask("DATA").expect("an answer").starts_with("354"));
    client.say(&[MESSAGE, b".\r\n"].concat()).expect("sent");
    assert!(client.reply().expect("an answer").starts_with("250"));
    let said = |to: &str, status: &str| {
        postfix.log().lines().any(|line| {
            line.contains(&format!("to=<{to}@example.org>"))
                && line.contains(&format!("status={status}"))
        })
    };
    wait("the answers", || said("b", "sent") && said("c", "deferred") && said("d", "sent"));
    assert!(!said("c", "sent"));
    let normal = Normalizer::new().profile(Profile::Transport).normalize(MESSAGE).into_octets();
    for user in ["b", "d"] {
        let delivered = dovecot.delivered(user);
        let [message] = &delivered[..] else { panic!("{} messages for {user}", delivered.len()) };
        let start = message.windows(5).position(|five| five == b"From:").expect("From");
        assert_eq!(message[start..].escape_ascii().to_string(), normal.escape_ascii().to_string());
    }
    // The place is free again: the queued message arrives, and for no one else.
    fs::remove_file(dovecot.mailbox("c")).expect("removed");
    wait("the one that waits", || said("c", "sent") && postfix.queue().is_empty());
    assert_eq!(["b", "c", "d"].map(|user| dovecot.delivered(user).len()), [1, 1, 1]);
    assert_eq!(sink.count(), 0);
}
