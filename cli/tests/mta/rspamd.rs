//! rspamd beside the milter: one that judges stands before it, one that signs and seals after it.

use std::collections::HashMap;
use std::fs;
use std::net::UdpSocket;
use std::path::Path;
use std::process::Command;
use std::thread;

use super::dkim::{MESSAGES, OpenDkim, fields, has_all, new_key};
use super::others::{Server, documented, folder, is_normal, passed};
use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, free_port, has, has_postfix, has_user, wait,
};

/// Whether rspamd can be run here.
fn has_rspamd() -> bool {
    has("rspamd") && has_user("_rspamd")
}

/// Starts one with these settings, in which a worker listens on `port`. `{folder}` in them is a
/// directory of its own, which `fill` may put files into.
fn start(settings: &str, port: u16, fill: impl FnOnce(&Path)) -> Server {
    let folder = folder();
    fill(folder.path());
    let path = folder.path().display().to_string();
    let settings = format!(
        "{}\noptions {{ url_tld = \"{path}/tld\"; pidfile = \"{path}/pid\"; }}\n\
         logging {{ type = \"console\"; }}\n",
        settings.replace("{folder}", &path)
    );
    fs::write(folder.path().join("conf"), settings).expect("a file");
    fs::write(folder.path().join("tld"), "org\n").expect("a file");
    let owned = Command::new("chown").arg("-R").arg("_rspamd").arg(folder.path()).status();
    assert!(owned.is_ok_and(|done| done.success()));

    let mut command = Command::new("rspamd");
    command
        .args(["-f", "-i", "-u", "_rspamd", "-g", "_rspamd", "-c"])
        .arg(folder.path().join("conf"))
        .args(["RUNDIR", "DBDIR", "LOGDIR"].map(|name| format!("--var={name}={path}")));
    Server::start(folder, port, &mut command)
}

/// The worker that is a milter of Postfix.
fn milter_at(port: u16) -> String {
    format!(
        "worker \"rspamd_proxy\" {{ bind_socket = \"127.0.0.1:{port}\"; milter = yes; count = 1;\n\
         upstream \"local\" {{ default = yes; self_scan = yes; }} }}\n"
    )
}

/// rspamd judges what was sent, before this milter.
#[test]
fn rspamd_before_the_milter() {
    if !has_postfix() || !has_rspamd() {
        return;
    }
    let (sink, port, judge) = (Sink::start(SinkOptions::default()), free_port(), free_port());
    let milter = Filter::milter(&[]);
    // Only what shows that it was there.
    let settings = format!(
        "options {{ dns {{ nameserver = [\"127.0.0.1:1\"]; }} }}\n\
         modules {{ path = \"/usr/share/rspamd/plugins/milter_headers.lua\"; }}\n\
         milter_headers {{ use = [\"x-rspamd-server\"]; skip_local = false; }}\n{}",
        milter_at(judge)
    );
    let _rspamd = start(&settings, judge, |_| {});
    let settings = documented(
        "# main.cf: rspamd comes first, and judges what was sent",
        &[
            ("127.0.0.1:11332", &format!("127.0.0.1:{judge}")),
            ("unix:/run/sevenbit/milter.sock", &milter.place),
        ],
    );
    let _postfix = Postfix::start(sink.port, &[(port, String::new())], &settings);
    let octets = passed(port, &sink);
    let field = b"X-Rspamd-Server: ";
    let at = octets.windows(field.len()).position(|part| part == field).expect("rspamd's field");
    let end = at + octets[at..].iter().position(|&octet| octet == b'\n').expect("a line") + 1;
    is_normal(&[&octets[..at], &octets[end..]].concat());
}

/// A name server that knows TXT records: it listens on this port as long as the tests run.
fn name_server(records: HashMap<String, String>) -> u16 {
    const TXT: u16 = 16;
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let port = socket.local_addr().expect("bound").port();
    thread::spawn(move || {
        let mut query = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut query) {
            // The question: labels, each after its length, a type, a class (RFC 1035, 4.1.2).
            let question = &query[12..length];
            let mut labels = Vec::new();
            let mut at = 0;
            while question[at] != 0 {
                let end = at + 1 + usize::from(question[at]);
                labels.push(String::from_utf8_lossy(&question[at + 1..end]).to_lowercase());
                at = end;
            }
            let kind = u16::from_be_bytes([question[at + 1], question[at + 2]]);
            let known = records.get(&labels.join("."));
            let answer = known.filter(|_| kind == TXT);

            let flags: u16 = if known.is_some() { 0x8580 } else { 0x8583 };
            let mut reply = query[..2].to_vec();
            for number in [flags, 1, answer.is_some().into(), 0, 0] {
                reply.extend(number.to_be_bytes());
            }
            reply.extend(&question[..at + 5]);
            if let Some(text) = answer {
                let pieces = text.as_bytes().chunks(255);
                let data: Vec<u8> =
                    pieces.flat_map(|piece| [&[piece.len() as u8], piece].concat()).collect();
                for number in [0xC00C, TXT, 1, 0, 60, data.len() as u16] {
                    reply.extend(number.to_be_bytes());
                }
                reply.extend(data);
            }
            let _ = socket.send_to(&reply, client);
        }
    });
    port
}

/// Mail of others that is forwarded, and mail of this machine: what came is judged before it is
/// changed, signed and sealed afterwards, by the blocks of the page.
#[test]
fn rspamd_signs_and_seals_after_the_milter() {
    if !has_all() || !has_rspamd() {
        return;
    }
    let keys = folder();
    let [(origin, first), (_, second)] =
        ["origin", "mail"].map(|selector| new_key(keys.path(), selector));
    let records = [first, second].map(|line| {
        let (name, key) = line.trim_end().split_once(' ').expect("a name and a key");
        (name.to_owned(), key.to_owned())
    });
    let resolver = format!(
        "options {{ dns {{ nameserver = [\"127.0.0.1:{}\"]; }} }}\n",
        name_server(HashMap::from(records))
    );
    let origin = OpenDkim::start(keys.path(), "origin.conf", &origin);

    // One judges what came, and the same settings judge what is sent.
    let judging = |port: u16| {
        let settings = documented("# /etc/rspamd/local.d/milter_headers.conf", &[]);
        format!(
            "{resolver}options {{ filters = \"dkim\"; }}\n\
             modules {{ path = \"/usr/share/rspamd/plugins/milter_headers.lua\"; path = \"/usr/share/rspamd/plugins/arc.lua\"; }}\narc {{ sign_inbound = false; sign_local = false; }}\n\
             milter_headers {{ skip_local = false; {settings} }}\n{}",
            milter_at(port)
        )
    };
    let [judge, signer, last] = [(); 3].map(|()| free_port());
    let _judge = start(&judging(judge), judge, |_| {});
    let signs = documented(
        "# /etc/rspamd/sign.conf",
        &[
            ("/var/lib/rspamd/dkim/mail.private", "{folder}/mail.private"),
            ("127.0.0.1:11342", &format!("127.0.0.1:{signer}")),
        ],
    );
    let _signer = start(&format!("{resolver}{signs}"), signer, |folder| {
        fs::copy(keys.path().join("mail.private"), folder.join("mail.private")).expect("a key");
    });
    let _last = start(&judging(last), last, |_| {});
    let milter = Filter::milter(&[]);

    let sink = Sink::start(SinkOptions { is_7bit: true, ..SinkOptions::default() });
    let order = documented(
        "# main.cf: rspamd judges, and another one signs and seals",
        &[
            ("127.0.0.1:11332", &format!("127.0.0.1:{judge}")),
            ("unix:/run/sevenbit/milter.sock", &milter.place),
            ("127.0.0.1:11342", &format!("127.0.0.1:{signer}")),
        ],
    );
    let open =
        "-o smtpd_authorized_xclient_hosts=127.0.0.1 -o mynetworks=127.0.0.1,192.0.2.9".to_owned();
    let [sends, relays, judges] = Postfix::ports();
    let ports = [
        (sends, format!("-o {{smtpd_milters={}}}", origin.place)),
        (relays, open.clone()),
        (judges, format!("{open} -o {{smtpd_milters=inet:127.0.0.1:{last}}}")),
    ];
    let original = Sink::start(SinkOptions::default());
    let sending = Postfix::start(original.port, &ports[..1], "");
    let postfix = Postfix::start(sink.port, &ports[1..], &order);
    let pass = |sink: &Sink, port: u16, from_outside: bool, name: &str, octets: &[u8]| {
        let mut client = Client::connect(port).expect("a connection");
        if from_outside {
            assert!(client.ask("XCLIENT ADDR=192.0.2.9").expect("an answer").starts_with("220"));
            client.ask("EHLO client.test").expect("an answer");
        }
        let to = format!("{name}@example.org");
        let mail = Mail { from: "a@example.org", to: &to, parameters: " BODY=8BITMIME", octets };
        assert!(client.send(mail).expect("an answer").starts_with("250"));
        wait("a message", || sink.arrived().iter().any(|one| one.name() == name));
        let arrived = sink.arrived();
        arrived.iter().find(|one| one.name() == name).expect("it arrived").octets.clone()
    };

    for (number, message) in MESSAGES.into_iter().enumerate() {
        let signed = pass(&original, sends, false, &format!("origin-{number}"), message);
        for (way, from_outside) in [("forwarded", true), ("own", false)] {
            let octets = if from_outside { &signed[..] } else { message };
            let sent = pass(&sink, relays, from_outside, &format!("{way}-{number}"), octets);
            let judged = pass(&sink, judges, true, &format!("{way}-judged-{number}"), &sent);
            // The last one removes what others found before it.
            let results = fields(&judged, "Authentication-Results").concat();
            let shown = format!("{}\n{}", String::from_utf8_lossy(&judged), postfix.log());
            if from_outside {
                // What came was as it was signed; what goes on is changed, and sealed as it is.
                let told = fields(&sent, "ARC-Authentication-Results").concat();
                assert!(told.contains("dkim=pass"), "{way} {number}: {told}: {shown}");
                assert!(results.contains("arc=pass"), "{way} {number}: {results}: {shown}");
            } else {
                let passed = results.contains("dkim=pass header.d=example.org header.s=mail");
                assert!(passed, "{way} {number}: {results}: {shown}");
            }
        }
    }
    drop(sending);
}
