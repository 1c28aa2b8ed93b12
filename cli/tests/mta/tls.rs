//! STARTTLS on both sides of the gateway, and AUTH through it, with Postfix, Dovecot, curl and
//! openssl.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::abuse::trickle;
use super::others::{documented, folder};
use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, has, has_postfix, has_user, sevenbit, wait,
};

const MAIL: Mail<'_> = Mail {
    from: "a@example.org",
    to: "b@example.org",
    parameters: "",
    octets: b"Subject: caf\xC3\xA9\r\n\r\n",
};

/// A certificate for this machine that it has issued itself, and its key, as files.
pub struct Certificate {
    folder: TempDir,
}

impl Certificate {
    pub fn new(name: &str) -> Self {
        let made = Self { folder: folder() };
        made.issue(name);
        made
    }

    /// Writes another one in its place.
    fn issue(&self, name: &str) {
        let names = vec![name.to_owned(), "localhost".to_owned()];
        let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
        fs::write(self.path("certificate"), made.cert.pem()).expect("a file");
        fs::write(self.path("key"), made.signing_key.serialize_pem()).expect("a file");
    }

    /// Writes one in its place that was valid until 2001.
    fn issue_expired(&self) {
        let key = rcgen::KeyPair::generate().expect("a key");
        let mut params =
            rcgen::CertificateParams::new(vec!["gateway.test".to_owned()]).expect("a name");
        params.not_before = rcgen::date_time_ymd(2000, 1, 1);
        params.not_after = rcgen::date_time_ymd(2001, 1, 1);
        let made = params.self_signed(&key).expect("a certificate");
        fs::write(self.path("certificate"), made.pem()).expect("a file");
        fs::write(self.path("key"), key.serialize_pem()).expect("a file");
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The options by which a gateway offers it.
    fn offered(&self) -> [String; 4] {
        [
            "--tls-certificate".to_owned(),
            self.path("certificate"),
            "--tls-key".to_owned(),
            self.path("key"),
        ]
    }
}

fn words<'w>(options: &'w [String], others: &[&'w str]) -> Vec<&'w str> {
    options.iter().map(String::as_str).chain(others.iter().copied()).collect()
}

/// A certificate that is missing, or no longer valid, is found before mail is.
#[test]
fn a_configuration_is_checked_with_its_certificate() {
    let ours = Certificate::new("gateway.test");
    let place = ["gateway", "--listen", "127.0.0.1:0", "--next", "127.0.0.1:25", "--check-config"];
    let checked = |options: &[String; 4]| {
        let ran = sevenbit().args(place).args(options).output().expect("it runs");
        (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    assert_eq!(checked(&ours.offered()).0, Some(0));
    ours.issue_expired();
    let (status, said) = checked(&ours.offered());
    assert!(status == Some(64) && said.contains("the certificate has expired"), "{said}");
    fs::remove_file(ours.path("certificate")).expect("removed");
    assert_eq!(checked(&ours.offered()).0, Some(64));
}

/// A gateway keeps its certificate if the new one has expired.
#[test]
fn an_expired_certificate_does_not_take_the_place_of_another() {
    let ours = Certificate::new("gateway.test");
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &words(&ours.offered(), &[]));
    ours.issue_expired();
    gateway.signal("HUP");
    wait("a word about it", || gateway.log().contains("the certificate has expired"));
    assert!(
        gateway.log().contains("the certificate of before stays in force"),
        "{}",
        gateway.log()
    );
}

/// Postfix to the gateway and the gateway to Postfix, as the page has it; both insist on
/// encryption.
#[test]
fn both_sides_of_the_gateway_are_encrypted() {
    if !has_postfix() {
        return;
    }
    let (ours, theirs) = (Certificate::new("gateway.test"), Certificate::new("next.test"));
    let sink = Sink::start(SinkOptions::default());
    let [port, next] = Postfix::ports();
    let block = documented(
        "--next-tls verify",
        &[
            ("/etc/ssl/gateway.pem", &ours.path("certificate")),
            ("/etc/ssl/private/gateway.key", &ours.path("key")),
            ("/etc/ssl/certs/ca-certificates.crt", &theirs.path("certificate")),
        ],
    );
    let options: Vec<&str> = block
        .split_whitespace()
        .skip_while(|word| *word != "--tls-certificate")
        .filter(|word| *word != "\\")
        .collect();
    assert_eq!(options.len(), 8);
    let place = format!("localhost:{next}");
    let gateway = Filter::gateway_to(&place, &options);
    let insists = format!(
        "-o smtpd_tls_security_level=encrypt -o smtpd_tls_cert_file={} -o smtpd_tls_key_file={} -o smtpd_tls_loglevel=1",
        theirs.path("certificate"),
        theirs.path("key")
    );
    let filtered = format!(
        "-o content_filter=secured:[127.0.0.1]:{}\nsecured unix - - n - - smtp -o smtp_tls_security_level=encrypt -o smtp_tls_loglevel=1\n\
         tlsmgr unix - - n 1000? 1 tlsmgr",
        gateway.port()
    );
    let postfix = Postfix::start(sink.port, &[(port, filtered), (next, insists)], "");
    let mut client = Client::connect(port).expect("a connection");
    assert!(client.send(MAIL).expect("an answer").starts_with("250"));
    wait("the message", || sink.count() == 1);
    assert!(sink.arrived()[0].is_7bit());
    let log = postfix.log();
    assert!(
        log.contains("smtp[") && log.contains("TLS connection established to 127.0.0.1"),
        "{log}"
    );
    assert!(log.contains("TLS connection established from"), "{log}");
    // A client that does not encrypt is served as well, but the next hop still has to.
    let mut client = Client::connect(gateway.port()).expect("a connection");
    assert!(client.send(MAIL).expect("an answer").starts_with("250"));
}

#[test]
fn a_next_hop_that_is_not_who_it_should_be_gets_nothing() {
    if !has_postfix() {
        return;
    }
    let (theirs, other) = (Certificate::new("next.test"), Certificate::new("other.test"));
    let sink = Sink::start(SinkOptions::default());
    let [next, clear] = Postfix::ports();
    let offers = format!(
        "-o smtpd_tls_security_level=may -o smtpd_tls_cert_file={} -o smtpd_tls_key_file={}\ntlsmgr unix - - n 1000? 1 tlsmgr",
        theirs.path("certificate"),
        theirs.path("key")
    );
    let _postfix = Postfix::start(sink.port, &[(next, offers), (clear, String::new())], "");
    let [right, wrong] = [&theirs, &other].map(|one| one.path("certificate"));
    for (port, options, is_sent) in [
        (next, &["--next-tls", "verify", "--next-ca", &right][..], true),
        (next, &["--next-tls", "verify", "--next-ca", &wrong], false),
        (next, &["--next-tls", "encrypt"], true),
        // It offers none, or someone on the way has taken the offer away.
        (clear, &["--next-tls", "encrypt"], false),
    ] {
        let before = sink.count();
        let gateway = Filter::gateway_to(&format!("localhost:{port}"), options);
        let sent = Client::connect(gateway.port()).and_then(|mut client| client.send(MAIL));
        let is_accepted = sent.as_ref().is_ok_and(|answer| answer.starts_with("250"));
        assert_eq!(is_accepted, is_sent, "{options:?}: {sent:?}");
        wait("the message", || sink.count() == before + usize::from(is_sent));
        if !is_sent {
            wait("a word about it", || gateway.log().contains("the next hop has gone"));
        }
    }
}

/// A connection that serves several clients is encrypted once, and for all of them.
#[test]
fn a_connection_that_is_kept_stays_encrypted() {
    if !has_postfix() {
        return;
    }
    let theirs = Certificate::new("next.test");
    let sink = Sink::start(SinkOptions::default());
    let [next] = Postfix::ports();
    let options = format!(
        "-o smtpd_tls_security_level=encrypt -o smtpd_tls_cert_file={} -o smtpd_tls_key_file={} \
         -o smtpd_tls_loglevel=1\ntlsmgr unix - - n 1000? 1 tlsmgr",
        theirs.path("certificate"),
        theirs.path("key")
    );
    let postfix = Postfix::start(sink.port, &[(next, options)], "");
    let gateway = Filter::gateway_to(&format!("localhost:{next}"), &["--next-tls", "encrypt"]);
    for _ in 0..5 {
        let mut client = Client::connect(gateway.port()).expect("a connection");
        let answer = client.send(MAIL).expect("an answer");
        assert!(answer.starts_with("250"), "{answer}");
        assert!(client.ask("QUIT").expect("an answer").starts_with("221"));
    }
    wait("all messages", || sink.count() == 5);
    let count = |words: &str| postfix.log().matches(words).count();
    assert_eq!(count("TLS connection established from"), 1, "{}", postfix.log());
}

/// A login of curl, over STARTTLS, at a Postfix that asks Dovecot.
#[test]
fn a_login_passes_through_to_the_next_hop() {
    if !has_postfix() || !has("curl") || !has("dovecot") || !has_user("dovecot") {
        return;
    }
    let auth = folder();
    let path = auth.path().display();
    let settings = format!(
        "base_dir = {path}/run\nlog_path = {path}/log\nprotocols =\nssl = no\nauth_mechanisms = plain login\npassdb {{\n driver = static\n args = password=secret\n}}\n\
         userdb {{\n driver = static\n args = uid=mail gid=mail home={path}\n}}\n\
         service auth {{\n unix_listener {path}/auth {{\n mode = 0666\n }}\n}}\n"
    );
    fs::write(auth.path().join("conf"), settings).expect("a file");
    let mut dovecot = Command::new("/usr/sbin/dovecot")
        .arg("-F")
        .arg("-c")
        .arg(auth.path().join("conf"))
        .spawn()
        .expect("it runs");
    let socket = auth.path().join("auth");
    wait("Dovecot", || UnixStream::connect(&socket).is_ok());
    let ours = Certificate::new("gateway.test");
    let sink = Sink::start(SinkOptions::default());
    let [next] = Postfix::ports();
    let options = format!(
        "-o smtpd_sasl_auth_enable=yes -o smtpd_sasl_type=dovecot -o smtpd_sasl_path={path}/auth \
         -o smtpd_relay_restrictions=permit_sasl_authenticated,reject -o smtpd_timeout=2s"
    );
    let postfix = Postfix::start(sink.port, &[(next, options)], "");
    let rule = folder();
    let config = rule.path().join("conf");
    fs::write(&config, "[[rule]]\nname = \"ours\"\ndirection = \"authenticated\"\n")
        .expect("a file");
    let config = config.display().to_string();
    let offered = ours.offered();
    let gateway = Filter::gateway(next, &words(&offered, &["--config", &config, "--log", "json"]));
    let send = |password: &str, options: &[&str], pause: u64| {
        let place = format!("smtp://localhost:{}/client.test", gateway.port());
        let mut curl = Command::new("curl");
        curl.args(["-sS", "--max-time", "60", "--ssl-reqd", "--cacert", &ours.path("certificate")]);
        curl.args([
            "--mail-from",
            MAIL.from,
            "--mail-rcpt",
            MAIL.to,
            "--user",
            &format!("ada:{password}"),
        ]);
        curl.args(options).args(["--upload-file", "-", "--url", &place]);
        let mut curl = curl.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let mut message = curl.stdin.take().expect("standard input");
        std::thread::sleep(Duration::from_secs(pause));
        // It may have ended.
        let _ = message.write_all(MAIL.octets);
        drop(message);
        let ran = curl.wait_with_output().expect("it ends");
        (ran.status.success(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    for (password, options, pause, is_right) in [
        ("secret", &[][..], 0, true),
        ("secret", &["--sasl-ir"], 0, true),
        // Slower than the next hop waits: the login is said again.
        ("secret", &["--login-options", "AUTH=LOGIN"], 5, true),
        ("wrong", &[], 0, false),
    ] {
        let before = sink.count();
        let (is_sent, said) = send(password, options, pause);
        assert_eq!(is_sent, is_right, "{options:?}: {said}{}", gateway.log());
        wait("the message", || sink.count() == before + usize::from(is_right));
    }
    assert!(gateway.log().contains("\"rule\":\"ours\""), "{}", gateway.log());
    // It had not waited for the slow one.
    assert!(postfix.log().contains("timeout after RCPT"), "{}", postfix.log());
    let _ = dovecot.kill().and_then(|()| dovecot.wait());
}

/// The subject of the certificate that a gateway shows, as openssl sees it.
fn shown(gateway: &Filter) -> String {
    let ran = Command::new("openssl")
        .args([
            "s_client",
            "-starttls",
            "smtp",
            "-connect",
            &format!("127.0.0.1:{}", gateway.port()),
        ])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .expect("it runs");
    let certificate = ran.stdout;
    let mut child = Command::new("openssl")
        .args(["x509", "-noout", "-ext", "subjectAltName"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    child.stdin.take().expect("standard input").write_all(&certificate).expect("sent");
    let said = child.wait_with_output().expect("it ends").stdout;
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn a_certificate_is_read_again_on_sighup() {
    if !has("openssl") {
        return;
    }
    let ours = Certificate::new("first.test");
    let sink = Sink::start(SinkOptions::default());
    let offered = ours.offered();
    let gateway = Filter::gateway(sink.port, &words(&offered, &[]));
    assert!(shown(&gateway).contains("DNS:first.test"), "{}", shown(&gateway));
    ours.issue("second.test");
    gateway.signal("HUP");
    wait("the other certificate", || shown(&gateway).contains("DNS:second.test"));
    fs::write(ours.path("key"), "no key").expect("a file");
    gateway.signal("HUP");
    wait("a word about it", || gateway.log().contains("the certificate of before stays in force"));
    assert!(shown(&gateway).contains("DNS:second.test"));
}

/// Someone who does not speak TLS, who never ends, or who stops amid it, blocks no one.
#[test]
fn a_handshake_that_is_none_ends() {
    let ours = Certificate::new("gateway.test");
    let sink = Sink::start(SinkOptions::default());
    let offered = ours.offered();
    let gateway = Filter::gateway(sink.port, &words(&offered, &["--timeout", "2"]));
    let begun = || {
        let mut stream = TcpStream::connect(("127.0.0.1", gateway.port())).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let mut input = BufReader::new(stream.try_clone().expect("a stream"));
        let mut line = String::new();
        for command in ["", "EHLO client.test\r\n", "STARTTLS\r\n"] {
            stream.write_all(command.as_bytes()).expect("sent");
            loop {
                line.clear();
                input.read_line(&mut line).expect("an answer");
                if !line.starts_with("250-") {
                    break;
                }
            }
        }
        assert_eq!(line, "220 2.0.0 go on\r\n");
        stream
    };
    let mut wrong = begun();
    wrong
        .write_all(b"MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n")
        .expect("sent");
    let mut said = Vec::new();
    let _ = wrong.read_to_end(&mut said);
    assert!(!said.windows(4).any(|four| four == b"250 "), "{}", said.escape_ascii());
    // The first record of a handshake, for ever.
    trickle(&mut begun(), b"\x16\x03\x01\x40\x00", b"\x01");
    let mut silent = begun();
    let _ = silent.read_to_end(&mut said);
    drop(begun());
    let mut client = Client::connect(gateway.port()).expect("a connection");
    assert!(client.send(MAIL).expect("an answer").starts_with("250"));
    assert!(gateway.log().contains("TLS: "), "{}", gateway.log());
}

#[test]
fn files_that_are_no_certificate_are_said_to_be_none_at_the_start() {
    let ours = Certificate::new("gateway.test");
    let [certificate, key] = ["certificate", "key"].map(|name| ours.path(name));
    let begin = ["gateway", "--listen", "127.0.0.1:0", "--next", "localhost:25"];
    for (options, why) in [
        (&["--tls-certificate", &key, "--tls-key", &key][..], "no certificate in it"),
        (
            &["--tls-certificate", &certificate, "--tls-key", &certificate],
            &*format!("{certificate}: "),
        ),
        (&["--tls-certificate", &certificate], "--tls-key"),
        (&["--tls-certificate", "/no/such/file", "--tls-key", &key], "/no/such/file: "),
        (&["--next-tls", "verify"], "--next-tls verify needs --next-ca"),
        (&["--next-tls", "encrypt", "--next", "unix:/tmp/x"], "has no name"),
    ] {
        let ran = sevenbit().args(begin).args(options).output().expect("it runs");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.code() == Some(64) && said.contains(why), "{options:?}: {said}");
    }
}
