//! Mail servers and programs beside Postfix, each set up as docs/mta.md says: the configuration is
//! read from there, with the paths of this test inserted. Packages that would replace Postfix are
//! unpacked where `install.sh` puts them.
//!
//! Over 400 lines: one program after another, each started and asked in its own way.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sevenbit::{Normalizer, Profile};
use tempfile::TempDir;

use super::support::{
    Client, Filter, Mail, PROJECT, Postfix, Sink, SinkOptions, binary, free_port, has, has_postfix,
    has_user, not_tried, open_to_all, wait,
};

const MESSAGE: &[u8] =
    b"From: a@example.org\r\nDate: Sun, 22 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n\
    Subject: caf\xE9\r\n\r\nd\xE9j\xE0 vu\r\n";

/// The block of docs/mta.md that contains these words, with some words replaced.
pub fn documented(words: &str, instead: &[(&str, &str)]) -> String {
    let page = Path::new(PROJECT).join("docs/mta.md");
    let page = fs::read_to_string(page).expect("docs/mta.md");
    let block = page.split("```").skip(1).step_by(2).find(|block| block.contains(words));
    let block = block.unwrap_or_else(|| panic!("no block with {words}"));
    let (_, mut block) =
        block.split_once('\n').map(|(kind, block)| (kind, block.to_owned())).expect("lines");
    for (from, to) in instead {
        assert!(block.contains(from), "{from} is not in {block}");
        block = block.replace(from, to);
    }
    block
}

/// A file of an unpacked package.
fn unpacked(path: &str) -> Option<PathBuf> {
    let servers =
        std::env::var_os("SEVENBIT_SERVERS").unwrap_or_else(|| "/opt/sevenbit-test-servers".into());
    let path = Path::new(&servers).join(path);
    if !path.exists() {
        not_tried(&format!("{} is not there (cli/tests/mta/install.sh)", path.display()));
    }
    path.exists().then_some(path)
}

/// A private server, killed at the end.
pub struct Server {
    child: Child,
    folder: TempDir,
}

impl Server {
    pub fn start(folder: TempDir, port: u16, command: &mut Command) -> Self {
        let log = fs::File::create(folder.path().join("said")).expect("a file");
        let errors = log.try_clone().expect("a file");
        let child =
            command.stdin(Stdio::null()).stdout(log).stderr(errors).spawn().expect("it runs");
        let mut server = Self { child, folder };
        wait("a mail server", || {
            if let Ok(Some(status)) = server.child.try_wait() {
                let said = fs::read_to_string(server.folder.path().join("said"));
                panic!("it ended, {status}: {}", said.unwrap_or_default());
            }
            ["127.0.0.1", "::1"]
                .iter()
                .any(|host| std::net::TcpStream::connect((*host, port)).is_ok())
        });
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its children end with it.
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        let _ = self.child.wait();
    }
}

pub fn folder() -> TempDir {
    let folder = TempDir::new_in("/tmp").expect("a directory");
    open_to_all(folder.path());
    folder
}

/// Sends the message to `port`; returns what arrives without the fields that servers put on top.
pub fn passed(port: u16, sink: &Sink) -> Vec<u8> {
    sent(MESSAGE, port, sink)
}

/// The same of any message whose first field is From.
fn sent(octets: &[u8], port: u16, sink: &Sink) -> Vec<u8> {
    let mut client = Client::connect(port).expect("a connection");
    let mail =
        Mail { from: "a@example.org", to: "b@example.org", parameters: " BODY=8BITMIME", octets };
    assert!(client.send(mail).expect("an answer").starts_with("250"));
    drop(client);
    wait("the message", || sink.count() == 1);
    let octets = sink.arrived().remove(0).octets;
    let start = octets.windows(5).position(|five| five == b"From:").expect("From");
    octets[start..].to_vec()
}

#[track_caller]
pub fn is_normal(made: &[u8]) {
    is_normal_of(made, MESSAGE);
}

#[track_caller]
fn is_normal_of(made: &[u8], message: &[u8]) {
    let normal = Normalizer::new().profile(Profile::Transport).normalize(message).into_octets();
    assert_eq!(made.escape_ascii().to_string(), normal.escape_ascii().to_string());
}

fn exim(words: &str, instead: &[(&str, &str)], port: u16) -> Option<Server> {
    let program = unpacked("exim4-daemon-light/usr/sbin/exim4")?;
    if !has_user("Debian-exim") {
        return None;
    }
    let folder = folder();
    let path = folder.path().display();
    let blocks = documented(words, instead);
    let config = format!(
        "exim_path = {}\nprimary_hostname = exim.sevenbit.test\nspool_directory = {path}/spool\nlog_file_path = {path}/spool/log-%s\n\
         daemon_smtp_ports = {port}\nlocal_interfaces = 127.0.0.1\nhost_lookup =\nrfc1413_query_timeout = 0s\n\
         smtputf8_advertise_hosts =\nacl_smtp_rcpt = allow\nbegin acl\nallow:\n  accept\n{blocks}",
        program.display()
    );
    fs::write(folder.path().join("conf"), config).expect("a file");
    fs::create_dir(folder.path().join("spool")).expect("a directory");
    let owned = Command::new("chown").arg("Debian-exim").arg(folder.path().join("spool")).status();
    assert!(owned.is_ok_and(|done| done.success()));
    let mut command = Command::new(program);
    command
        .arg("-C")
        .arg(folder.path().join("conf"))
        .args(["-bdf", "-oP"])
        .arg(folder.path().join("pid"));
    Some(Server::start(folder, port, &mut command))
}

#[test]
fn exim_by_a_pipe_in_its_transport() {
    let (sink, port) = (Sink::start(SinkOptions::default()), free_port());
    let sinks = sink.port.to_string();
    let command = binary().display().to_string();
    let instead =
        [("/usr/local/bin/sevenbit", command.as_str()), ("port = 25", &format!("port = {sinks}"))];
    if let Some(_exim) = exim("transport_filter", &instead, port) {
        is_normal(&passed(port, &sink));
    }
}

#[test]
fn exim_by_the_gateway() {
    let (sink, port) =
        (Sink::start(SinkOptions { is_7bit: true, ..SinkOptions::default() }), free_port());
    let gateway = Filter::gateway(sink.port, &[]);
    let instead = [("port = 10025", &*format!("port = {}", gateway.port()))];
    if let Some(_exim) = exim("driver = manualroute\n  transport = to_sevenbit", &instead, port) {
        is_normal(&passed(port, &sink));
    }
}

#[test]
fn sendmail_by_the_milter() {
    let Some(program) = unpacked("sendmail-bin/usr/libexec/sendmail/sendmail") else { return };
    let Some(sources) = unpacked("sendmail-cf/usr/share/sendmail/cf/m4/cf.m4") else { return };
    if !has("m4") {
        return;
    }
    let (sink, port, milter, folder) =
        (Sink::start(SinkOptions::default()), free_port(), Filter::milter(&[]), folder());
    let filter = documented("INPUT_MAIL_FILTER", &[("milter.sock", "socket")]);
    let (path, sources, to) = (folder.path().display(), sources.display(), sink.port);
    let config = format!(
        "include(`{sources}')dnl\nOSTYPE(`linux')dnl\ndefine(`confPID_FILE', `{path}/pid')dnl\n\
         define(`QUEUE_DIR', `{path}/queue')dnl\ndefine(`STATUS_FILE', `{path}/statistics')dnl\n\
         define(`ALIAS_FILE', `')dnl\ndefine(`confDOMAIN_NAME', `sendmail.sevenbit.test')dnl\n\
         define(`confDONT_BLAME_SENDMAIL', `GroupWritableDirPathSafe')dnl\n\
         define(`confDONT_PROBE_INTERFACES', `True')dnl\n\
         define(`SMART_HOST', `esmtp:[127.0.0.1]')dnl\ndefine(`ESMTP_MAILER_ARGS', `TCP $h {to}')dnl\n\
         FEATURE(`no_default_msa')dnl\nFEATURE(`accept_unresolvable_domains')dnl\nFEATURE(`promiscuous_relay')dnl\n\
         FEATURE(`nocanonify')dnl\nDAEMON_OPTIONS(`Port={port}, Addr=127.0.0.1, Name=MTA')dnl\n{filter}MAILER(`smtp')dnl\n"
    );
    fs::write(folder.path().join("mc"), config).expect("a file");
    fs::create_dir(folder.path().join("queue")).expect("a directory");
    let made = Command::new("m4")
        .arg(folder.path().join("mc"))
        .stderr(Stdio::null())
        .output()
        .expect("m4");
    fs::write(folder.path().join("cf"), made.stdout).expect("a file");
    // It looks up the name of its host first: there is one here, and no server to ask beyond. It
    // would not use a socket below a directory that everyone may write to.
    fs::write(
        folder.path().join("hosts"),
        "127.0.0.1 sendmail.sevenbit.test localhost client.test\n",
    )
    .expect("a file");
    let script = format!(
        "hostname sendmail.sevenbit.test && mount --bind {path}/hosts /etc/hosts && mount --bind /dev/null /etc/resolv.conf && \
         mount -t tmpfs -o mode=755 none /run && mkdir /run/sevenbit && mount --bind {} /run/sevenbit && exec {} -bD -q1s -C {path}/cf",
        milter.path().parent().expect("a folder").display(),
        program.display()
    );
    let mut command = Command::new("unshare");
    command.args(["-m", "-u", "--", "sh", "-c", &script]);
    let _sendmail = Server::start(folder, port, &mut command);
    is_normal(&passed(port, &sink));
}

/// Checks what a program that delivers to a file makes of the message.
fn delivered(command: &mut Command) {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("it runs");
    child.stdin.take().expect("standard input").write_all(MESSAGE).expect("sent");
    assert!(child.wait().is_ok_and(|status| status.success()));
}

/// The message that was delivered to a file, with CR LF, without the lines of the mailbox.
fn found(path: &Path) -> Vec<u8> {
    let stored = fs::read(path).expect("a mailbox");
    let start = stored.windows(6).position(|six| six == b"From: ").expect("From");
    let lines: Vec<&[u8]> =
        stored[start..].trim_ascii_end().split(|&octet| octet == b'\n').collect();
    [lines.join(&b"\r\n"[..]), b"\r\n".to_vec()].concat()
}

#[test]
fn maildrop_by_a_pipe() {
    if !has("maildrop") {
        return;
    }
    let folder = folder();
    let mailbox = folder.path().join("mailbox");
    let rules =
        documented("xfilter", &[("/usr/local/bin/sevenbit", &binary().display().to_string())])
            + "to \""
            + &mailbox.display().to_string()
            + "\"\n";
    let file = folder.path().join("rules");
    fs::write(&file, rules).expect("a file");
    assert!(Command::new("chmod").arg("600").arg(&file).status().is_ok_and(|done| done.success()));
    delivered(Command::new("maildrop").arg(&file));
    is_normal(&found(&mailbox));
}

#[test]
fn procmail_by_a_pipe() {
    if !has("procmail") {
        return;
    }
    let folder = folder();
    let mailbox = folder.path().join("mailbox");
    let recipe =
        documented(":0 fw", &[("/usr/local/bin/sevenbit", &binary().display().to_string())]);
    let file = folder.path().join("recipe");
    fs::write(&file, format!("DEFAULT={}\n{recipe}", mailbox.display())).expect("a file");
    delivered(Command::new("procmail").arg("-m").arg(&file));
    is_normal(&found(&mailbox));
}

#[test]
fn dovecot_by_a_sieve_script() {
    if !has("sieve-test") || !has_user("mail") {
        return;
    }
    let folder = folder();
    let path = folder.path().display().to_string();
    fs::create_dir(folder.path().join("bin")).expect("a directory");
    let script = documented(
        "exec /usr/local/bin/sevenbit",
        &[("/usr/local/bin/sevenbit", &binary().display().to_string())],
    );
    let program = folder.path().join("bin/sevenbit");
    fs::write(&program, script).expect("a file");
    assert!(
        Command::new("chmod").arg("755").arg(&program).status().is_ok_and(|done| done.success())
    );
    let settings = documented(
        "sieve_filter_bin_dir",
        &[("/usr/local/lib/dovecot/sieve-filter", &format!("{path}/bin"))],
    );
    let settings = format!(
        "ssl = no\nprotocols =\nlog_path = /dev/stderr\nmail_uid = mail\nmail_gid = mail\nfirst_valid_uid = 0\nfirst_valid_gid = 0\n\
         mail_home = {path}/home\nmail_location = maildir:{path}/home/mail\n{settings}"
    );
    fs::write(folder.path().join("dovecot.conf"), settings).expect("a file");
    fs::write(folder.path().join("script"), documented("filter \"sevenbit\"", &[]))
        .expect("a file");
    fs::write(folder.path().join("message"), MESSAGE).expect("a file");
    fs::create_dir(folder.path().join("home")).expect("a directory");
    assert!(
        Command::new("chown")
            .args(["-R", "mail"])
            .arg(folder.path())
            .status()
            .is_ok_and(|done| done.success())
    );
    let ran = Command::new("sieve-test")
        .current_dir(folder.path())
        .args([
            "-c",
            "dovecot.conf",
            "-e",
            "-l",
            &format!("maildir:{path}/home/mail"),
            "script",
            "message",
        ])
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    let stored =
        fs::read_dir(folder.path().join("home/mail/new")).expect(&said).next().expect("a message");
    is_normal(&found(&stored.expect("an entry").path()));
}

/// `pipe(8)` runs no shell, so an address is one word of the script's arguments, whatever it
/// contains.
#[test]
fn postfix_by_a_script_that_its_pipe_runs() {
    if !has_postfix() || !has("unshare") || !has_user("nobody") {
        return;
    }
    let (sink, port, folder) = (Sink::start(SinkOptions::default()), free_port(), folder());
    let path = folder.path().join("script");
    let script =
        documented("mktemp", &[("/usr/local/bin/sevenbit", &binary().display().to_string())]);
    fs::write(&path, script).expect("a file");
    assert!(Command::new("chmod").arg("755").arg(&path).status().is_ok_and(|done| done.success()));
    let service = documented(
        "unix - n n - 10 pipe",
        &[
            ("/usr/local/lib/sevenbit/pipe", &path.display().to_string()),
            ("user=sevenbit", "user=nobody"),
        ],
    );
    let (_, options) = service.split_once(" smtpd\n").expect("a smtpd");
    let postfix = Postfix::start_for_sendmail(sink.port, &[(port, format!("\n{options}"))], "");
    let mut client = Client::connect(port).expect("a connection");
    let senders = ["a@example.org", "", "\"$(id) -t; `id`\"@example.org"];
    for from in senders {
        let mail =
            Mail { from, to: "b@example.org", parameters: " BODY=8BITMIME", octets: MESSAGE };
        assert!(client.send(mail).expect("an answer").starts_with("250"));
    }
    wait("the messages", || {
        sink.count() == senders.len() || postfix.log().contains("status=bounced")
    });
    let arrived = sink.arrived();
    for from in senders {
        let mail = format!("MAIL FROM:<{from}>");
        let one = arrived
            .iter()
            .find(|one| one.mail.starts_with(&mail))
            .unwrap_or_else(|| panic!("{mail}: {}", postfix.log()));
        let start = one.octets.windows(5).position(|five| five == b"From:").expect("From");
        is_normal(&one.octets[start..]);
    }
}

#[test]
fn opensmtpd_by_the_gateway() {
    let Some(program) = unpacked("opensmtpd/usr/sbin/smtpd") else { return };
    if !has_user("opensmtpd") || !has_user("opensmtpq") {
        return;
    }
    let (sink, port, folder) = (Sink::start(SinkOptions::default()), free_port(), folder());
    let gateway = Filter::gateway(sink.port, &[]);
    let action = documented(
        "action \"to-sevenbit\"",
        &[("127.0.0.1:10025", &format!("127.0.0.1:{}", gateway.port()))],
    );
    let config = folder.path().join("conf");
    fs::write(&config, format!("listen on 127.0.0.1 port {port}\n{action}")).expect("a file");
    // Its directories are compiled in: they are created where no one else sees them.
    let script = format!(
        "mount -t tmpfs none /var/spool && mount -t tmpfs none /var/lib && mkdir -m 711 -p /var/lib/opensmtpd/empty && \
         exec {} -d -f {}",
        program.display(),
        config.display()
    );
    let mut command = Command::new("unshare");
    command.args(["-m", "--", "sh", "-c", &script]);
    let _smtpd = Server::start(folder, port, &mut command);
    is_normal(&passed(port, &sink));
}

/// With a header in UTF-8: Haraka reads it as that, and writes U+FFFD for anything else before the
/// gateway sees it.
#[test]
fn haraka_by_the_gateway() {
    let Some(program) = unpacked("haraka/node_modules/Haraka/bin/haraka") else { return };
    if !has("node") {
        return;
    }
    let (sink, port, folder) = (
        Sink::start(SinkOptions { is_7bit: true, ..SinkOptions::default() }),
        free_port(),
        folder(),
    );
    let gateway = Filter::gateway(sink.port, &[]);
    let made = Command::new("node")
        .arg(&program)
        .arg("-i")
        .arg(folder.path())
        .stdout(Stdio::null())
        .status();
    assert!(made.is_ok_and(|made| made.success()));
    let forward = documented("smtp_forward.ini", &[("10025", &gateway.port().to_string())]);
    for (name, text) in [
        ("smtp_forward.ini", forward.as_str()),
        ("plugins", "rcpt_to.in_host_list\nqueue/smtp_forward\n"),
        ("host_list", "example.org\n"),
        ("me", "haraka.sevenbit.test\n"),
        ("smtp.ini", &format!("listen=127.0.0.1:{port}\nnodes=0\n")),
    ] {
        fs::write(folder.path().join("config").join(name), text).expect("a file");
    }
    let mut command = Command::new("node");
    command.arg(program).arg("-c").arg(folder.path());
    let _haraka = Server::start(folder, port, &mut command);
    let at = MESSAGE.iter().position(|&octet| octet == 0xE9).expect("a letter");
    let message = [&MESSAGE[..at], "\u{E9}".as_bytes(), &MESSAGE[at + 1..]].concat();
    is_normal_of(&sent(&message, port, &sink), &message);
}
