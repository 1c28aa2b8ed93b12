//! The command `sevenbit` where its interface depends on the normal form: what changes, what is
//! reported, what `--check`, `--signed` and the line filters do with real mail.

use serde_json::Value;

use crate::support::{CLEAN, World, json_lines, keys};

/// Raw UTF-8 in the header, Latin-1 in 8bit in the body.
const EIGHT_BIT: &[u8] = b"From: =?iso-8859-1?Q?J=F6rg?= <j@example.org>\r\nTo: b@example.org\r\n\
    Subject: Gr\xc3\xbc\xc3\x9fe\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n\
    MIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\n\
    Gr\xfc\xdfe aus K\xf6ln.\r\n";

/// 7-bit safe, but not yet in UTF-8.
const SEVEN_BIT: &[u8] = b"From: a@example.org\r\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\n\
    Date: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n\
    Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
    Gr=FC=DFe\r\n";

/// Signed content that is not 7-bit safe.
const SIGNED: &[u8] = b"From: a@example.org\r\nSubject: Signed\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\n\
    Message-ID: <1@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/signed; boundary=b;\r\n \
    protocol=\"application/pgp-signature\"; micalg=pgp-sha256\r\n\r\n--b\r\n\
    Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGr\xc3\xbc\xc3\x9fe\r\n\
    --b\r\nContent-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n--b--\r\n";

/// A tree: text and an attachment.
const TREE: &[u8] = b"From: =?utf-8?Q?J=C3=B6rg?= <j@example.org>\r\nTo: Ann <a@example.org>, b@example.org\r\n\
    Subject: =?utf-8?B?R3LDvMOfZQ==?=\r\nDate: Thu, 19 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n\
    MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\
    Content-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
    Gr=FC=DFe\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\
    Content-Disposition: attachment; filename*=utf-8''%C3%BCber.pdf\r\n\r\nJVBERg==\r\n--b--\r\n";

fn codes(report: &Value) -> Vec<&str> {
    let issues = report["issues"].as_array().expect("a list");
    issues.iter().map(|issue| issue["code"].as_str().expect("a code")).collect()
}

fn is_seven_bit(octets: &[u8]) -> bool {
    octets.iter().all(|octet| matches!(octet, 1..=0x7F))
}

#[test]
fn what_comes_out_is_seven_bit_and_stays_as_it_is() {
    let world = World::new();
    for profile in ["transport", "archive"] {
        for message in [EIGHT_BIT, SEVEN_BIT, SIGNED, TREE, CLEAN, b"", b"\xff\x00\n"] {
            let once = world.run_on(&["normalize", "--profile", profile], message).exits(0).out;
            assert!(is_seven_bit(&once), "{profile}: {}", once.escape_ascii());
            let twice = world.run_on(&["normalize", "--profile", profile], &once).exits(0).out;
            assert_eq!(twice, once, "{profile}");
        }
    }
}

#[test]
fn the_default_profile_is_archive() {
    let world = World::new();
    let out = |args: &[&str]| world.run_on(args, SEVEN_BIT).exits(0).out;
    assert_eq!(out(&["normalize"]), out(&["normalize", "--profile", "archive"]));
    assert_eq!(out(&["normalize", "--profile", "transport"]), SEVEN_BIT);
    assert_ne!(out(&["normalize"]), SEVEN_BIT);
}

#[test]
fn the_report_says_what_was_done() {
    let world = World::new();
    world.write("a.eml", EIGHT_BIT);
    world.run(&["normalize", "a.eml", "-o", "b.eml", "--report", "r.jsonl"]).exits(0);
    let report = &json_lines(&world.read("r.jsonl"))[0];
    assert_eq!(report["changed"], true);
    assert_eq!(report["octets_in"], EIGHT_BIT.len());
    assert_eq!(report["octets_out"], world.read("b.eml").len());
    assert!(codes(report).contains(&"raw-header-text"), "{report}");
    for issue in report["issues"].as_array().expect("a list") {
        assert_eq!(keys(issue), ["code", "detail", "part", "rule", "severity", "span"]);
        assert!(["note", "repair", "loss"].contains(&issue["severity"].as_str().expect("a word")));
        let span: Vec<u64> = serde_json::from_value(issue["span"].clone()).expect("two numbers");
        assert!(
            span.len() == 2 && span[0] <= span[1] && span[1] <= EIGHT_BIT.len() as u64,
            "{issue}"
        );
    }
}

#[test]
fn a_check_prints_a_line_for_each_change() {
    let world = World::new();
    world.write("mail/dirty", EIGHT_BIT);
    world.write("mail/clean", CLEAN);
    let before = world.files();
    let ran = world
        .run(&["normalize", "--check", "mail"])
        .exits(1)
        .says(&["1  would change", "1  already normal"]);
    assert!(!ran.text().is_empty());
    assert!(ran.text().lines().all(|line| line.starts_with("mail/dirty: ")), "{}", ran.text());
    assert_eq!(world.files(), before);
    world.run_on(&["normalize", "--check"], EIGHT_BIT).exits(1);
    world.run(&["normalize", "--check", "mail/clean"]).exits(0);
    world.run(&["normalize", "--check", "mail", "none"]).exits(66);
    let report =
        world.run(&["normalize", "--check", "mail/dirty", "--report", "-"]).exits(1).json();
    assert_eq!(report[0]["changed"], true);
    assert_eq!(report[0]["octets_out"], world.run(&["normalize", "mail/dirty"]).out.len());
}

#[test]
fn a_message_whose_signature_would_break_is_refused_on_request() {
    let world = World::new();
    world.write("mail/signed", SIGNED);
    world.write("mail/other", EIGHT_BIT);
    let args = ["normalize", "--signed", "refuse", "mail", "-o", "out", "--report", "r"];
    world.run(&args).exits(65).says(&["mail/signed: refused", "1  refused"]);
    assert_eq!(world.read("out/signed"), SIGNED, "it passes through unchanged");
    assert!(is_seven_bit(&world.read("out/other")));
    let report = json_lines(&world.read("r"));
    let signed = report.iter().find(|line| line["input"] == "mail/signed").expect("a line");
    assert!(signed["changed"] == false && codes(signed).contains(&"refused"), "{signed}");
    world.run(&["normalize", "--signed", "refuse", "mail", "none", "-o", "out"]).exits(66);
}

#[test]
fn a_broken_signature_is_reported() {
    let world = World::new();
    let ran = world.run_on(&["normalize", "--report", "r"], SIGNED).exits(0);
    assert!(is_seven_bit(&ran.out));
    assert!(codes(&json_lines(&world.read("r"))[0]).contains(&"signature-broken"));
}

#[test]
fn the_summary_counts_by_code() {
    let world = World::new();
    (0..3).for_each(|n| world.write(&format!("mail/{n}"), EIGHT_BIT));
    world.write("mail/clean", CLEAN);
    let ran = world.run(&["normalize", "mail", "-o", "out"]).exits(0);
    ran.says(&["4 messages", "3  changed", "1  already normal", "raw-header-text"]);
}

#[test]
fn inspect_gives_the_view() {
    let world = World::new();
    let object = &world.run_on(&["inspect", "--json", "--text"], TREE).exits(0).json()[0];
    assert_eq!(object["subject"], "Grüße");
    assert_eq!(object["from"], serde_json::json!([{"name": "Jörg", "address": "j@example.org"}]));
    assert_eq!(object["to"][0]["name"], "Ann");
    assert_eq!(object["to"][1]["address"], "b@example.org");
    assert_eq!(object["cc"], serde_json::json!([]));
    assert_eq!(object["date"], "Thu, 19 Nov 2026 10:00:00 +0000");
    assert_eq!(object["message_id"], "1@example.org");
    let [text, file] = object["parts"].as_array().expect("a list").as_slice() else {
        panic!("{object}")
    };
    assert_eq!((&text["path"], &text["type"]), (&"1".into(), &"text/plain".into()));
    assert_eq!(
        (&text["charset"], &text["encoding"]),
        (&"iso-8859-1".into(), &"quoted-printable".into())
    );
    assert_eq!((&text["text"], &text["octets"]), (&"Grüße".into(), &5.into()));
    assert_eq!((&file["path"], &file["disposition"]), (&"2".into(), &"attachment".into()));
    assert_eq!((&file["filename"], &file["text"]), (&"über.pdf".into(), &Value::Null));
    assert_eq!(file["sha256"], "315d429b7714cedb6ad04ac31240145257692630457f3c88253c5beceac76027");
}

#[test]
fn inspect_shows_the_tree() {
    let world = World::new();
    let shown = world.run_on(&["inspect", "--text"], TREE).exits(0).text();
    for words in [
        "Jörg <j@example.org>",
        "Grüße",
        "multipart/mixed",
        "├─ 1 text/plain, ISO-8859-1, quoted-printable, 5 B",
        "│  │ Grüße",
        "└─ 2 application/pdf, base64, 4 B, attachment \"über.pdf\"",
    ] {
        assert!(shown.contains(words), "`{words}` is not in:\n{shown}");
    }
}

#[test]
fn header_text_goes_both_ways() {
    let world = World::new();
    let decoded = world
        .run(&["header", "decode", "=?iso-8859-1?Q?Gr=FC=DFe?=", "=?utf-8?Q?a=0D=0Ab?="])
        .exits(0);
    assert_eq!(decoded.text().lines().collect::<Vec<_>>(), ["Grüße", "a b"]);
    let long = "Grüße aus Köln und von überall her, wo es schön ist. ".repeat(9);
    let encoded =
        world.run_on(&["header", "encode"], format!("{long}\nplain\n").as_bytes()).exits(0);
    assert!(
        is_seven_bit(&encoded.out) && encoded.text().lines().count() == 2,
        "{}",
        encoded.text()
    );
    assert_eq!(
        world.run_on(&["header", "decode"], &encoded.out).exits(0).text(),
        format!("{long}\nplain\n")
    );
}

#[test]
fn mailbox_names_go_both_ways_and_are_strict() {
    let world = World::new();
    assert_eq!(
        world.run(&["mailbox-name", "encode", "台北", "A&B"]).exits(0).text(),
        "&U,BTFw-\nA&-B\n"
    );
    assert_eq!(
        world.run(&["mailbox-name", "decode", "&U,BTFw-", "A&-B"]).exits(0).text(),
        "台北\nA&B\n"
    );
    let ran = world
        .run(&["mailbox-name", "decode", "ok", "&U,BTFw", "too"])
        .exits(65)
        .says(&["argument 2"]);
    assert_eq!(ran.text(), "ok\n\ntoo\n");
    let lenient = world.run(&["mailbox-name", "decode", "--lenient", "&U,BTFw"]).exits(0);
    assert_eq!(lenient.text(), "台北\n");
}
