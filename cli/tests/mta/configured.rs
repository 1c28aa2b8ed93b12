//! The configuration of the filters: options, rules, a dry run, and the blocks of the page that
//! concern them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

use super::others::documented;
use super::service::{CONTINUE, END_OF_OFFER, offer, raw, read_until};
use super::support::{
    Client, Filter, Mail, Postfix, Sink, SinkOptions, free_port, has_postfix, sevenbit, wait,
};

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
fn options_are_read_again_on_sighup() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "# small\nmax-message = 10\non-too-large = \"tempfail\"\n")
        .expect("written");
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
    std::fs::write(file.path(), "max-message = \"1M\"\n").expect("written");
    milter.signal("HUP");
    wait("the new options", || ask() == b'c');
    // Invalid options change nothing.
    std::fs::write(file.path(), "# now\nmax-message = \"many\"\n").expect("written");
    milter.signal("HUP");
    wait("the complaint", || milter.log().contains("line 2: invalid value 'many'"));
    assert_eq!(ask(), b'c');
}

#[test]
fn a_message_keeps_the_options_that_it_began_with() {
    let (file, config) = options("max-message = \"1M\"\n");
    let milter = Filter::milter(&["--config", &config]);
    let mut stream = milter.connect();
    let wire = raw();
    let (begun, rest) = wire.split_at(40);
    stream.write_all(&[&offer(), begun].concat()).expect("sent");
    read_until(&stream, END_OF_OFFER);
    // To MAIL.
    read_until(&stream, CONTINUE);
    // One write: the rest was read with the offer, or is read within this time.
    std::thread::sleep(Duration::from_millis(300));
    read_again(&milter, &file, "max-message = 10\non-too-large = \"tempfail\"\n");
    stream.write_all(&[rest, &wire].concat()).expect("sent");
    read_until(&stream, CONTINUE);
    read_until(&stream, b"\0\0\0\x01t");
}

#[test]
fn a_gateway_reads_its_options_again_for_messages_that_begin() {
    let (file, config) = options("max-message = 10\non-too-large = \"tempfail\"\n");
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &["--config", &config]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    client.ask("MAIL FROM:<a@example.org>").expect("an answer");
    client.ask("RCPT TO:<b@example.org>").expect("an answer");
    read_again(&gateway, &file, "max-message = \"1M\"\n");
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
    std::fs::write(file.path(), "# how\nprofile = \"archive\"\nmax-mesage = 3\n").expect("written");
    let config = file.path().display().to_string();
    let wrong = "line 3: unexpected argument '--max-mesage'";
    let gateway = ["gateway", "--listen", "127.0.0.1:0", "--next", "127.0.0.1:25"];
    let missing = "none.toml: the file of --config cannot be read: No such file or directory; \
                   `sevenbit pages config milter > FILE` writes one";
    for (words, status, said) in [
        (&["milter", "--listen", "127.0.0.1:0", "--config", &config][..], 64, wrong),
        (&["milter", "--config", "none.toml"], 64, missing),
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

/// Each filter says of a configuration what its start would say.
#[test]
fn a_check_finds_what_would_keep_the_filter_from_starting() {
    let folder = tempfile::TempDir::new_in("/tmp").expect("a directory");
    let socket = format!("unix:{}", folder.path().join("socket").display());
    let missing = folder.path().join("none/report").display().to_string();
    let in_missing = format!("unix:{missing}");
    let port = free_port();
    let (everywhere, itself) = (format!("0.0.0.0:{port}"), format!("127.0.0.1:{port}"));
    let milter = ["milter", "--listen", &socket];
    let gateway = ["gateway", "--listen", &everywhere, "--next"];
    let to_self = &*format!("is --listen inet:{everywhere}: the gateway would connect to itself");
    let cannot = format!("{missing}: cannot be created: No such file or directory");
    for (words, status, said) in [
        (&[&gateway[..], &[&itself]].concat(), 64, to_self),
        (&[&gateway[..], &[&everywhere]].concat(), 64, to_self),
        (&[&gateway[..], &["127.0.0.1:1", "--next", &itself]].concat(), 64, to_self),
        (
            &[&gateway[..], &["127.0.0.1:9191", "--metrics", "127.0.0.1:9191"]].concat(),
            64,
            "--next inet:127.0.0.1:9191 is --metrics inet:127.0.0.1:9191",
        ),
        (
            &["gateway", "--listen", &socket, "--next", &socket].to_vec(),
            64,
            "would connect to itself",
        ),
        (
            &[&milter[..], &["--listen", "127.0.0.1:9191", "--metrics", "127.0.0.1:9191"]].concat(),
            64,
            "--listen inet:127.0.0.1:9191 and --metrics inet:127.0.0.1:9191 are one socket",
        ),
        (&[&milter[..], &["--listen", &socket]].concat(), 64, "are one socket"),
        (&[&milter[..], &["--report", &missing]].concat(), 73, &*cannot),
        (&[&gateway[..], &["127.0.0.1:1", "--report", &missing]].concat(), 73, &cannot),
        (&[&gateway[..], &["127.0.0.1:1", "--temporary", &missing]].concat(), 73, &cannot),
        (&["milter", "--listen", &in_missing].to_vec(), 73, &cannot),
    ] {
        for check in [&["--check-config"][..], &[]] {
            let ended = sevenbit().args(words).args(check).output().expect("it runs");
            let complaint = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(status), "{words:?} {check:?}: {complaint}");
            assert!(complaint.contains(said), "{words:?} {check:?}: {complaint}");
        }
    }

    // What is right is not complained of, and nothing is made.
    let report = folder.path().join("report").display().to_string();
    for words in [
        &[&milter[..], &["--report", &report]].concat(),
        &[&gateway[..], &["127.0.0.1:1", "--report", &report]].concat(),
    ] {
        let ended = sevenbit().args(words).arg("--check-config").output().expect("it runs");
        assert!(ended.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a directory").count(), 0);
}

/// A week of mail that is only looked at; then the sum.
#[test]
fn a_dry_run_reports_what_would_change() {
    let folder = tempfile::TempDir::new_in("/tmp").expect("a directory");
    let report = folder.path().join("report").display().to_string();
    let (_file, config) = options(
        "dry-run = true\n[on]\nbare-line-end = \"reject\"\n[[rule]]\nname = \"news\"\nfrom = \"example.com\"\nskip = true\ndry-run = false\n",
    );
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &["--config", &config, "--report", &report]);
    let mut client = Client::connect(gateway.port()).expect("a connection");
    let octets = b"Subject: caf\xC3\xA9\r\n\r\n";
    for from in ["a@example.org", "a@example.org", "a@example.com"] {
        let mail = Mail { from, to: "b@example.org", parameters: " BODY=8BITMIME", octets };
        assert!(client.send(mail).expect("an answer").starts_with("250"));
    }
    assert!(sink.arrived().iter().all(|arrived| arrived.octets == octets));
    wait("three lines", || {
        std::fs::read_to_string(&report).is_ok_and(|lines| lines.lines().count() == 3)
    });
    // A reader that has seen enough is no failure.
    let mut reading = sevenbit()
        .args(["milter", "report", &report])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(reading.stdout.take());
    assert!(reading.wait().expect("its end").success());
    // Each filter sums up what any of them has reported.
    let [said, again] = ["gateway", "milter"].map(|filter| {
        let ran = sevenbit().args([filter, "report", &report]).output().expect("it runs");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    });
    assert_eq!(said, again);
    for line in [
        "3 messages, 2 of them in a dry run; 0 (0.0 %) changed, 2 (66.7 %) would have changed",
        "2 (100.0 %)  changed",
        "3 (100.0 %)  delivered (next-hop)",
        "1 (100.0 %)  skipped",
        "2 (66.7 %), 2  raw-header-text",
        "1 (33.3 %)  news",
        "2 of 2  example.org",
        "0 of 1  example.com",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
}

#[test]
fn rules_are_explained_before_they_run() {
    let (_file, config) = options(
        "listen = \"127.0.0.1:0\"\nlocal-domain = \"example.org\"\n[[rule]]\nname = \"lists\"\nclient = \"192.0.2.0/24\"\nskip = true\n\
         [[rule]]\ndirection = \"out\"\ndry-run = true\n",
    );
    let explained = |message: &str| {
        let words = ["milter", "--config", &config, "--check-config", "--explain", message];
        String::from_utf8(sevenbit().args(words).output().expect("it runs").stdout).expect("text")
    };
    for (message, rule) in [
        ("client=192.0.2.9 rcpt=b@example.com", "rule lists: passes as it is;"),
        (
            "client=198.51.100.1 rcpt=b@example.com",
            "rule 2: passes as it is, and is reported (dry run);",
        ),
        ("client=198.51.100.1 rcpt=b@example.org", "no rule: is mended;"),
    ] {
        let said = explained(message);
        assert!(said.starts_with(&format!("{message}: {rule}")), "{said}");
    }
    // With the message itself, what decides in it.
    let mail = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(mail.path(), "From: a@example.org\r\nFrom: b@example.com\r\n\r\nHi.\r\n")
        .expect("written");
    let (_rejects, rejecting) = options(
        "on = { \"duplicate-field\" = \"reject\", \"ambiguous-sender\" = \"tag\" }\n[[rule]]\nname = \"long\"\nlarger-than = 100\nskip = true\n",
    );
    let message = format!("message={}", mail.path().display());
    let words = ["milter", "--config", &rejecting, "--check-config", "--explain", &message];
    let said =
        String::from_utf8(sevenbit().args(words).output().expect("it runs").stdout).expect("text");
    assert!(
        said.starts_with(&format!("{message}: no rule: is judged by what is in it;")),
        "{said}"
    );
    let decided = "  rejected, 554 5.6.0 a field that may stand only once: From [duplicate-field]; found: \
                   duplicate-field (reject), ambiguous-sender (tag)\n";
    assert!(said.ends_with(decided), "{said}");
    for (text, wrong) in [
        ("on = { refolded = \"leave\" }\n", "line 1: invalid value 'refolded=leave'"),
        ("on = { nothing = \"reject\" }\n", "there is no code `nothing`"),
        ("\n[[rule]]\nclient = \"here\"\n", "line 3: expected a network"),
        ("\n[[rule]]\nmemory = 1\n", "line 3: a rule has no `memory`"),
        ("[[rule]]\nprofile = \"none\"\n", "line 2: invalid value 'none'"),
        // The values that are possible, and the name that is nearly right.
        (
            "on-error = \"pass\"\n",
            "'--on-error <POLICY>' [possible values: accept, reject, tempfail, quarantine]",
        ),
        ("dry-run = \"yes\"\n", "[possible values: true, false]"),
        ("dry_run = true\n", "'--dry_run' found; a similar argument exists: '--dry-run'"),
        ("[[rule]]\nfrom = \"@/no/such/list\"\n", "line 2: /no/such/list: No such file"),
        ("local-domain = \"@/no/such/list\"\n", "line 1: /no/such/list: No such file"),
        ("[[rule]]\nfrom = \"@list\"\n", "line 2: expected addresses"),
        (
            "[[rule]]\nheader = { \"no name\" = \"x\" }\n",
            "line 2: expected the name of a header field",
        ),
        ("[[rule]]\nsignature = \"pgp\"\n", "line 2: expected dkim, arc or none"),
        ("[[rule]]\nlarger-than = \"many\"\n", "line 2: expected a number of octets"),
        ("[[rule]]\nauthentication = \"dkim=pass\"\n", "line 2: expected SERVER METHOD=RESULT"),
        ("reject-text = { \"duplicate-field\" = \"100 %\" }\n", "line 1: invalid value"),
    ] {
        let (_file, config) = options(text);
        let ended = sevenbit()
            .args(["milter", "--config", &config, "--check-config"])
            .output()
            .expect("it runs");
        let complaint = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(
            ended.status.code() == Some(64) && complaint.contains(wrong),
            "{wrong}: {complaint}"
        );
    }
}

/// Rules about the message itself, with a list of a file, which is read again with the options; own
/// texts; own fields.
#[test]
fn rules_ask_what_the_message_itself_says() {
    let list = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(list.path(), "# partners\nexample.net\n").expect("written");
    let text = format!(
        "on = {{ \"duplicate-field\" = \"reject\", \"raw-header-text\" = \"tag\" }}\n\
         reject-text = {{ \"duplicate-field\" = \"two From fields\" }}\nmax-message = 2000\n\
         [[rule]]\nname = \"partners\"\nfrom = \"@{}\"\nskip = true\n\
         [[rule]]\nname = \"bulk\"\nheader = {{ Precedence = [\"bulk\", \"list\"], \"List-Id\" = \"*\" }}\nskip = true\n\
         [[rule]]\nname = \"long and signed\"\nsignature = \"dkim\"\nlarger-than = 1000\nskip = true\n\
         [[rule]]\nname = \"checked\"\nauthentication = \"mx.example.org dmarc=pass\"\non = {{ \"duplicate-field\" = \"fix\" }}\n",
        list.path().display()
    );
    let (file, config) = options(&text);
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &["--config", &config]);
    let log = tempfile::NamedTempFile::new().expect("a file");
    let milter =
        Filter::milter(&["--config", &config, "--report", &log.path().display().to_string()]);

    let twice = "From: a@example.org\r\nFrom: b@example.com\r\n";
    let long = format!("{}\r\n", "text\r\n".repeat(400));
    let signature = "DKIM-Signature: v=1; d=example.org\r\n";
    let send = |from: &str, fields: &str, body: &str| {
        let mut client = Client::connect(gateway.port()).expect("a connection");
        let octets = format!("{fields}\r\n{body}");
        let mail = Mail { from, to: "c@example.org", parameters: "", octets: octets.as_bytes() };
        client.send(mail).expect("an answer")
    };
    let refused = "554 5.6.0 two From fields [duplicate-field]";
    for (from, fields, body, answer) in [
        ("a@example.org", twice, "", refused),
        ("a@example.net", twice, "", "250 "),
        (
            "a@example.org",
            &format!("{twice}precedence: Bulk\r\nList-ID: <l.example.org>\r\n"),
            "",
            "250 ",
        ),
        ("a@example.org", &format!("{twice}Precedence: bulk\r\n"), "", refused),
        ("a@example.org", &format!("{twice}{signature}"), "", refused),
        // Longer than messages may be that are looked at.
        ("a@example.org", &format!("{twice}{signature}"), &long, "250 "),
        ("a@example.org", twice, &long, "552 5.3.4 "),
        (
            "a@example.org",
            &format!("Authentication-Results: mx.example.org; spf=fail; dmarc=pass\r\n{twice}"),
            "",
            "250 ",
        ),
        (
            "a@example.org",
            &format!("Authentication-Results: mx.example.com; dmarc=pass\r\n{twice}"),
            "",
            refused,
        ),
    ] {
        let said = send(from, fields, body);
        assert!(said.starts_with(answer), "{from} {fields}: {said}");
    }
    let rules =
        ["rule=\"partners\"", "rule=\"bulk\"", "rule=\"long and signed\"", "rule=\"checked\""];
    for rule in rules {
        assert!(gateway.log().contains(rule), "{rule}: {}", gateway.log());
    }

    assert!(send("a@example.org", "X-Sevenbit: none\r\nSubject: x\r\n", "").starts_with("250 "));
    let arrived = sink.arrived();
    let last = arrived.last().map(|arrived| String::from_utf8_lossy(&arrived.octets).into_owned());
    assert!(last.is_some_and(|last| last.contains("Subject: x") && !last.contains("X-Sevenbit")));

    // The milter asks the same.
    let packet = |command: u8, data: &str| {
        let length = u32::try_from(data.len() + 1).expect("a length").to_be_bytes();
        [&length[..], &[command], data.as_bytes()].concat()
    };
    let shown = [
        packet(b'M', "<a@example.org>\0"),
        packet(b'L', "From\0 a@example.org\0"),
        packet(b'L', "From\0 b@example.com\0"),
        packet(b'N', ""),
        packet(b'E', ""),
    ];
    let mut stream = milter.connect();
    stream.write_all(&[offer(), shown.concat()].concat()).expect("sent");
    read_until(&stream, refused.as_bytes());

    // The list has changed, and nothing else.
    std::fs::write(list.path(), "a@example.org # now\n").expect("written");
    read_again(&gateway, &file, &text);
    assert!(send("a@example.org", twice, "").starts_with("250 "));
    assert!(gateway.log().contains("changed, and in force"), "{}", gateway.log());
    std::fs::remove_file(list.path()).expect("removed");
    gateway.signal("HUP");
    let complaint = format!("{}: No such file", list.path().display());
    wait("the complaint", || gateway.log().contains(&complaint));
    assert!(send("a@example.org", twice, "").starts_with("250 "));
}

/// Two listeners of one process, each with a rule; what the command line says is said to overrule
/// the file.
#[test]
fn a_process_may_have_several_listeners() {
    let [first, second] = Postfix::ports();
    let sink = Sink::start(SinkOptions::default());
    let (_file, config) = options(&format!(
        "memory = \"1M\"\nlisten = [\"127.0.0.1:{second}\"]\n[[rule]]\nlistener = \"127.0.0.1:{second}\"\nskip = true\n"
    ));
    let next = format!("127.0.0.1:{}", sink.port);
    let both = format!("127.0.0.1:{first}");
    let mut words = vec!["gateway", "--config", &config, "--next", &next, "--memory", "2M"];
    let second_place = format!("127.0.0.1:{second}");
    words.extend(["--listen", &both, "--listen", &second_place]);
    let log = tempfile::NamedTempFile::new().expect("a file");
    let mut child =
        sevenbit().args(&words).stderr(log.reopen().expect("a file")).spawn().expect("it runs");
    for (port, is_7bit) in [(first, true), (second, false)] {
        wait("the listener", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        let mut client = Client::connect(port).expect("a connection");
        let octets = b"Subject: caf\xC3\xA9\r\n\r\n";
        let mail = Mail {
            from: "a@example.org",
            to: "b@example.org",
            parameters: " BODY=8BITMIME",
            octets,
        };
        assert!(client.send(mail).expect("an answer").starts_with("250"));
        assert_eq!(
            sink.arrived().last().map(|arrived| arrived.octets.is_ascii()),
            Some(is_7bit),
            "{port}"
        );
    }
    child.kill().and_then(|()| child.wait()).expect("ended");
    let log = std::fs::read_to_string(log.path()).expect("a log");
    for option in ["line 1: memory", "line 2: listen"] {
        assert!(
            log.lines().any(|line| line.contains("overruled") && line.contains(option)),
            "{option}: {log}"
        );
    }
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
        &["gateway", "--listen", "127.0.0.1:0", "--next", "0.0.0.0:1", "--allow", "0.0.0.0/0"],
        &[
            "gateway",
            "--listen",
            "127.0.0.1:0",
            "--next",
            "[::1]:1",
            "--allow",
            "10.0.0.0/24,10.0.1.0/32",
        ],
    ] {
        let ran = sevenbit().args(wrong).output().expect("it runs");
        assert_eq!(ran.status.code(), Some(64), "{wrong:?}");
    }
}

/// Whose mail it is, is said after MAIL with its SIZE.
#[test]
fn a_long_message_passes_if_a_rule_is_for_it() {
    let rule = "max-message = 1000\n[[rule]]\nfrom = \"a@example.org\"\nskip = true\n";
    let (_file, config) = options(rule);
    let sink = Sink::start(SinkOptions::default());
    let gateway = Filter::gateway(sink.port, &["--config", &config]);
    let octets = [&b"Subject: x\r\n\r\n"[..], &b"text\r\n".repeat(500)].concat();
    for (from, answer) in [("a@example.org", "250 "), ("b@example.org", "552 5.3.4 ")] {
        let mut client = Client::connect(gateway.port()).expect("a connection");
        let mail = Mail { from, to: "c@example.org", parameters: " SIZE=3014", octets: &octets };
        let said = client.send(mail).expect("an answer");
        assert!(said.starts_with(answer), "{from}: {said}");
    }
}

/// Mail arrives as it would without a filter, with its parameters, which the next hop judges.
#[test]
fn a_dry_run_changes_nothing_before_a_7bit_next_hop() {
    let sink = Sink::start(SinkOptions { is_7bit: true, ..SinkOptions::default() });
    let gateway = Filter::gateway(sink.port, &["--dry-run"]);
    let octets = b"Subject: caf\xE9\r\n\r\nd\xE9j\xE0 vu\r\n";
    for parameters in ["", " BODY=8BITMIME"] {
        let mut client = Client::connect(gateway.port()).expect("a connection");
        let mail = Mail { from: "a@example.org", to: "b@example.org", parameters, octets };
        let said = client.send(mail).expect("an answer");
        assert!(said.starts_with("250 "), "{parameters}: {said}");
    }
    let arrived = sink.arrived();
    assert_eq!(arrived.iter().map(|mail| &mail.octets[..]).collect::<Vec<_>>(), [octets, octets]);
    assert_eq!(
        arrived.iter().map(|mail| mail.mail.as_str()).collect::<Vec<_>>(),
        ["MAIL FROM:<a@example.org>", "MAIL FROM:<a@example.org> BODY=8BITMIME"]
    );
    assert_eq!(gateway.log().matches("dry_run=true").count(), 2, "{}", gateway.log());
}

/// The next hop sees the gateway's address: where everyone may connect, it has to trust no address.
#[test]
fn a_next_hop_may_refuse_to_relay_for_everyone() {
    if !has_postfix() {
        return;
    }
    let sink = Sink::start(SinkOptions::default());
    let block = documented("-o mynetworks=", &[]);
    let refuses: Vec<&str> =
        block.lines().map(str::trim).filter(|line| line.starts_with("-o ")).collect();
    for (options, answer) in [("", "250"), (&*refuses.join(" "), "554 5.7.1 ")] {
        let [port] = Postfix::ports();
        let _postfix = Postfix::start(sink.port, &[(port, options.to_owned())], "");
        let gateway = Filter::gateway(port, &["--allow", "0.0.0.0/0", "--i-know"]);
        let mut client = Client::connect(gateway.port()).expect("a connection");
        let mail = Mail {
            from: "a@example.com",
            to: "b@example.org",
            parameters: "",
            octets: b"Subject: x\r\n\r\n",
        };
        let said = client.send(mail).expect("an answer");
        assert!(said.starts_with(answer), "{options}: {said}");
    }
}

/// With what made trouble before: TLS asked for of all servers, and a copy of each message.
#[test]
fn the_block_after_the_queue_works_as_it_is_written() {
    if !has_postfix() {
        return;
    }
    let block = documented("content_filter = sevenbit:[127.0.0.1]:10025", &[]);
    let options = |from: &str| {
        let lines = block.split(from).nth(1).expect("a service").lines().skip(1);
        lines
            .take_while(|line| line.starts_with("    -o "))
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let sink = Sink::start(SinkOptions::default());
    let [port, again] = Postfix::ports();
    let gateway = Filter::gateway(again, &["--log", "json"]);
    let transport = format!(
        "sevenbit unix - - n - - smtp {}\nlast unix - - n - - smtp -o smtp_tls_security_level=none",
        options("sevenbit unix")
    );
    let filtered =
        format!("-o content_filter=sevenbit:[127.0.0.1]:{}\n{transport}", gateway.port());
    let ports = [(port, filtered), (again, options("127.0.0.1:10026 inet"))];
    // Only the last hop of this test is left out of it.
    let settings = format!(
        "smtp_tls_security_level = encrypt\nalways_bcc = copy@example.org\ndefault_transport = last:[127.0.0.1]:{}",
        sink.port
    );
    let postfix = Postfix::start(sink.port, &ports, &settings);
    let mut client = Client::connect(port).expect("a connection");
    let octets = b"Subject: caf\xC3\xA9\r\n\r\n";
    let mail =
        Mail { from: "a@example.org", to: "b@example.org", parameters: " BODY=8BITMIME", octets };
    assert!(client.send(mail).expect("an answer").starts_with("250"));
    wait("the message and its copy", || sink.count() >= 1 && postfix.queue().is_empty());
    let arrived = sink.arrived();
    assert!(arrived.iter().all(|arrived| arrived.is_7bit()));
    let mut names: Vec<String> = arrived.iter().flat_map(|one| one.recipients.clone()).collect();
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(
        names[0].contains("<b@example.org>") && names[1].contains("<copy@example.org>"),
        "{names:?}"
    );
    assert!(gateway.log().contains("\"id\":\""), "no XFORWARD: {}", gateway.log());
}

/// The one before cannot be reached; then it can.
#[test]
fn a_next_hop_may_have_another_behind_it() {
    let [first, second] = Postfix::ports();
    let behind = Sink::start_at(second, SinkOptions::default());
    let place = format!("127.0.0.1:{second}");
    let gateway = Filter::gateway(first, &["--next", &place]);
    let send = || {
        let mut client = Client::connect(gateway.port()).expect("a connection");
        let mail = Mail {
            from: "a@example.org",
            to: "b@example.org",
            parameters: "",
            octets: b"Subject: x\r\n\r\n",
        };
        assert!(client.send(mail).expect("an answer").starts_with("250"));
    };
    send();
    assert_eq!(behind.count(), 1);
    let front = Sink::start_at(first, SinkOptions::default());
    send();
    assert_eq!((front.count(), behind.count()), (1, 1));
}
