use super::*;
use crate::charset::Guess;
use crate::facts::guesses::Labels;
use crate::message::options::Options;
use crate::message::policy::{Policy, Zone};
use crate::{Code, Detail, Issue, Normalizer, Profile, Span};

mod attacks;
mod laws;
mod left;
mod ways;

/// Returns the verdict about `raw`; its issues are added to `issues`.
fn apply(rules: &FieldRules, raw: &[u8], issues: &mut Vec<Issue>) -> FieldVerdict {
    let judged = judge(&RawField::split(raw), rules);
    issues.extend(judged.issues);
    judged.verdict
}

fn rules(profile: Profile) -> FieldRules {
    FieldRules {
        policy: Policy::of(&Options { profile, ..Options::default() }, Zone::Free),
        guess: None,
        labels: Labels::default(),
        max_header_octets: usize::MAX,
    }
}

/// Returns what is written, its lines joined by `|`, and the issues' codes.
fn run(profile: Profile, raw: &[u8]) -> (String, Vec<&'static str>) {
    let mut issues = Vec::new();
    let out = match apply(&rules(profile), raw, &mut issues) {
        FieldVerdict::Keep => "keep".to_owned(),
        FieldVerdict::Write(out) => shown(out),
        FieldVerdict::Drop => panic!("dropped"),
    };
    (out, issues.iter().map(|i| i.code().as_str()).collect())
}

fn shown(out: Vec<u8>) -> String {
    let text = String::from_utf8(out).unwrap();
    text.strip_suffix("\r\n").unwrap().replace("\r\n", "|")
}

#[track_caller]
fn archive(raw: &str, expected: &str, codes: &[&str]) {
    let (out, found) = run(Profile::Archive, format!("{raw}\r\n").as_bytes());
    assert_eq!(out, expected, "{found:?}");
    assert_eq!(found, codes, "{raw}");
}

#[track_caller]
fn transport(raw: &str, expected: &str) {
    assert_eq!(run(Profile::Transport, format!("{raw}\r\n").as_bytes()).0, expected);
}

#[track_caller]
fn both(raw: &str, expected: &str) {
    transport(raw, expected);
    assert_eq!(run(Profile::Archive, format!("{raw}\r\n").as_bytes()).0, expected);
}

#[test]
fn clean_fields_are_kept() {
    both("Subject:   odd   spacing\r\n\tand folds", "keep");
    both(
        "To: Team (the old one): \"A, B\" <a@example.org>, c@example.org (C);, d@example.org",
        "keep",
    );
    both("Content-Type: TEXT/plain; CharSet=\"US-ASCII\"", "keep");
    both("Subject:", "keep");
    both("Subject: =?utf-8?q?gr=c3=bc=C3=9Fe?= =?US-ASCII?B?YWJj?=", "keep");
    both("From: =?utf-8?Q?Moore=2C_Keith?= <k@example.org>", "keep");
    both("Subject: =?utf-8?Q?=3D=3Futf-8=3FQ=3Fx=3F=3D?=", "keep");
    both("Subject: =?utf-8?Q?never closed", "keep");
}

#[test]
fn broken_address_lists_are_mended() {
    for (list, mended) in [
        ("Ada <a@b.example> <c@d.example>", "Ada <a@b.example>, <c@d.example>"),
        ("Ada <a@b.example>(x)<c@d.example>", "Ada <a@b.example> (x), <c@d.example>"),
        ("Ada <a@b.example", "Ada <a@b.example>"),
        ("Ada a@b.example", "Ada <a@b.example>"),
        ("<a@b.example>harbour", "harbour <a@b.example>"),
        ("Crew: a@b.example", "Crew: a@b.example;"),
        ("a@b.example>", "a@b.example"),
        ("Ada <<a@b.example>>", "Ada <a@b.example>"),
        ("\"Ada\"> <a@b.example> >, <c@d.example>;", "\"Ada\" <a@b.example>, <c@d.example>"),
        ("Ada\" <a@b.example>", "\"Ada\\\"\" <a@b.example>"),
    ] {
        both(&format!("From: {list}"), &format!("From: {mended}"));
        both(&format!("Return-Path: {list}"), "keep");
    }
    // Other things that are not grammatical.
    for (list, mended) in [
        ("=?utf-8?Q?Ada_<a@b.example>?=", "=?us-ascii?B?PT91dGYtOD9RP0FkYV8=?= ?= <a@b.example>"),
        ("a@b.example c@d.example", "a@b.example, c@d.example"),
        ("a@b.example <c@d.example>", "\"a@b.example\" <c@d.example>"),
        ("a@b.example: c@d.example;", "\"a@b.example\": c@d.example;"),
        ("<a@b.example:c@d.example>", "\"<a@b.example:c@d.example>\" :;"),
        ("Ann <ann@b,example>", "\"Ann <ann@b,example>\" :;"),
        ("<mailto:a@b.example>", "<a@b.example>"),
        ("<a@b.example>@c.example", "\"@c.example\" <a@b.example>"),
        // Readers find two hosts.
        ("a@b.example@c.example", "\"a@b.example@c.example\" :;"),
        ("Ada <a@b.example d@c.example>", "\"Ada <a@b.example d@c.example>\" :;"),
        ("a@@b", "\"a@@b\" :;"),
        // A local part gets the quotes that it lacks.
        ("a\\@b.example", "<\"a\\\\\"@b.example>"),
        ("<No One@b.example>", "<\"No One\"@b.example>"),
        ("reply-[n2]@b.example", "<\"reply-[n2]\"@b.example>"),
        ("\"Ada\"a@b.example", "\"Ada\" <a@b.example>"),
        ("a@[IPv6:::1]", "<a@[IPv6:::1]>"),
        ("undisclosed-recipients;;", "undisclosed-recipients:;"),
        ("a:b:c;", "\"a:b\": c;"),
        // Readers decode it, and disagree about the result.
        ("=?x?q?a=40b=3e?=c@d.example", "=?us-ascii?B?PT94P3E/YT00MGI9M2U/PWNAZC5leGFtcGxl?= :;"),
        // Words before a mailbox in brackets are its name.
        ("a, b <c@d.example>", "\"a, b\" <c@d.example>"),
        ("a; \"b\" <c@d.example>", "\"a; b\" <c@d.example>"),
        (
            "Doe, Jane, MD <c@d.example>, e@f.example",
            "\"Doe, Jane, MD\" <c@d.example>, e@f.example",
        ),
        ("crew: a, b <c@d.example>;", "crew: \"a, b\" <c@d.example>;"),
        ("a @ b.example", "a@b.example"),
        ("<@x.example:a@b.example>", "<a@b.example>"),
        ("a@b.example;", "a@b.example"),
        ("<a@b.example>; c@d.example", "<a@b.example>, c@d.example"),
        ("a: b@c.example; d@e.example", "a: b@c.example;, d@e.example"),
        ("\"Name, Inc.\", <info@example.org>", "\"Name, Inc.\" <info@example.org>"),
        ("(<a@b.example>) <c@d.example>", "\"(<a@b.example>)\" <c@d.example>"),
    ] {
        both(&format!("To: {list}"), &format!("To: {mended}"));
    }
    // Elements that no comma or bracket would make clear, or whose owner cannot be listed; a word
    // that might hide a mailbox.
    for list in [
        "root",
        "<>",
        "Ada <MAILER-DAEMON>",
        "crew:;",
        "Ada",
        "a@b.example,",
        "root, ada",
        "ada, Bo <bo>",
        "a b (c)",
        "a, b c",
        "\"a\"",
        "\"\"",
    ] {
        both(&format!("To: {list}"), "keep");
    }
}

#[test]
fn an_archive_has_no_words_among_mailboxes() {
    for (list, written) in [
        ("=?utf-8?Q?J=C3=B6rg?=, b <c@d.example>", "=?utf-8?B?SsO2cmcs?= b <c@d.example>"),
        ("a <b@c.example>, d, \"e f\"", "a <b@c.example>, d, e f :;"),
        ("a b <>, c@d.example", "a b :;, c@d.example"),
        ("a b (c), c@d.example", "a b (c) :;, c@d.example"),
        // Quotes without content are dropped.
        ("<>, a@b.example, \"\"", "\"<>\" :;, a@b.example"),
    ] {
        let raw = format!("To: {list}\r\n");
        let (out, codes) = run(Profile::Archive, raw.as_bytes());
        assert_eq!(out, format!("To: {written}"), "{list}");
        assert!(codes.contains(&"address-list-repaired"), "{list}: {codes:?}");
        assert_eq!(run(Profile::Archive, format!("{out}\r\n").as_bytes()).0, "keep", "{list}");
    }
    // Local parts alone are plain local mail.
    for list in ["a, b@c.example", "<a>, B <c>, d@e.example", "crew: a, b@c.example;"] {
        both(&format!("To: {list}"), "keep");
    }
}

#[test]
fn words_with_specials_are_one_atom() {
    for (name, written) in [
        ("=?utf-8?Q?10:20?=", "\"10:20\""),
        ("=?utf-8?Q?M=C3=BCller,_Ada?=", "=?utf-8?B?TcO8bGxlciw=?= Ada"),
        ("=?utf-8?Q?Ada_(crew)?=", "\"Ada (crew)\""),
        ("=?utf-8?Q?\"M=C3=BCller;_A\"?=", "=?utf-8?B?Ik3DvGxsZXI7IEEi?="),
    ] {
        for profile in [Profile::Transport, Profile::Archive] {
            let (out, _) =
                run(profile, format!("To: {name} <a@b.example>, c@d.example\r\n").as_bytes());
            assert_eq!(out, format!("To: {written} <a@b.example>, c@d.example"), "{name}");
        }
    }
    // Nothing in an addr-spec is a word.
    let torn = b"To: =?utf-8?Q?a,b?=@example.org, c@=?utf-8?Q?d,e?=\r\n";
    assert_eq!(run(Profile::Transport, torn).0, "keep");
}

#[test]
fn lines_are_mended() {
    archive("Subject : a", "Subject: a", &["space-before-colon"]);
    archive("Subject: a\r\n \r\n b", "Subject: a b", &["blank-continuation"]);
    archive("Subject: a\rb", "Subject: a b", &["bare-line-end"]);
    archive("Subject: a\nb", "Subject: a b", &["fold-restored"]);
    let words = "word ".repeat(300);
    let (out, codes) = run(Profile::Transport, format!("X-Long: {words}\r\n").as_bytes());
    assert!(out.split('|').all(|line| line.len() <= 78) && codes == ["refolded"]);
}

#[test]
fn raw_text_is_encoded_word_by_word() {
    both("Subject: Grüße aus Köln", "Subject: =?utf-8?B?R3LDvMOfZQ==?= aus =?utf-8?B?S8O2bG4=?=");
    both("Subject: a é è b", "Subject: a =?utf-8?B?w6kgw6g=?= b");
    both("X-Name:é", "X-Name: =?utf-8?B?w6k=?=");
    both("Subject: nul\0 and\x07 bell", "Subject: nul and  bell");
    let (out, codes) = run(Profile::Archive, b"Subject: caf\xe9\r\n");
    assert_eq!((out.as_str(), codes[1]), ("Subject: =?utf-8?B?Y2Fmw6k=?=", "charset-guessed"));
    assert_eq!(
        run(Profile::Transport, b"Subject: caf\xe9\r\n").0,
        "Subject: =?windows-1252?Q?caf=E9?="
    );
    both("Subject: \x1b$BF|K\\\x1b(B", "Subject: =?utf-8?B?5pel5pys?=");
}

#[test]
fn what_transport_could_not_read_archive_may() {
    let guess = crate::Charset::for_label("koi8-r").map(Guess::certain);
    let koi8 = FieldRules { guess, ..rules(Profile::Archive) };
    let raw = b"Subject: =?unknown-8bit?Q?=F0=D2=C9=D7=C5=D4?=\r\n";
    assert_eq!(run(Profile::Transport, raw).0, "keep");
    let FieldVerdict::Write(out) = apply(&koi8, raw, &mut Vec::new()) else { panic!("kept") };
    assert_eq!(shown(out), "Subject: =?utf-8?B?0J/RgNC40LLQtdGC?=");
}

#[test]
fn words_are_converted_and_joined_in_archive_only() {
    let raw = "Subject: =?koi8-r?Q?=F0=D2?= \t =?utf-8?Q?_caf=C3=A9?= plain";
    archive(raw, "Subject: =?utf-8?B?0J/RgCBjYWbDqQ==?= plain", &["header-transcoded"]);
    transport(raw, "keep");
    let split = "Subject: =?utf-8?B?5pel5pys6A==?= =?utf-8?B?qp4=?=";
    archive(split, "Subject: =?utf-8?B?5pel5pys6Kqe?=", &["encoded-word-repaired"]);
    archive(
        "Subject: a=?utf-8?Q?=C3=A9?=b",
        "Subject: =?utf-8?Q?a=C3=A9b?=",
        &["encoded-word-repaired"],
    );
    archive("Subject: =?utf-8?Q?two words?=", "Subject: two words", &["encoded-word-repaired"]);
    archive("Subject: =?utf-8?Q??= x", "Subject: x", &["encoded-word-repaired"]);
}

#[test]
fn words_of_unknown_charsets_stay() {
    archive("Subject: =?x-foo?Q?abc?=", "keep", &["charset-unknown"]);
    both("Subject: é =?x-foo?Q?abc?=", "Subject: =?utf-8?B?w6kg?= =?x-foo?Q?abc?=");
    let long = format!("Subject: =?x-foo?Q?{}?=", "x".repeat(80));
    both(
        &long,
        &format!("Subject: =?x-foo?Q?{}?=| =?x-foo?Q?{}?=", "x".repeat(55), "x".repeat(25)),
    );
}

#[test]
fn long_text_is_cut_between_characters() {
    let (out, _) =
        run(Profile::Archive, format!("Subject: {}\r\n", "日本語".repeat(30)).as_bytes());
    for line in out.trim_start_matches("Subject: ").split('|') {
        let word = crate::decode_header(line.trim().as_bytes());
        assert!(line.len() <= 76 && word.is_lossless() && !word.text().contains('\u{fffd}'));
    }
    let (out, _) = run(Profile::Archive, format!("Subject: {}\r\n", "y".repeat(2000)).as_bytes());
    assert!(out.split('|').all(|line| line.len() <= 76) && out.contains("us-ascii"));
}

#[test]
fn display_names() {
    both("From: Jörg Müller <a@b>", "From: =?utf-8?B?SsO2cmcgTcO8bGxlcg==?= <a@b>");
    both("To: \"Jörg\" <a@b>, c@d", "To: =?utf-8?B?SsO2cmc=?= <a@b>, c@d");
    let name = "=?us-ascii?Q?Doe=2C?= John =?utf-8?B?w6k=?=";
    both("From: Doe, John é <a@b>", &format!("From: {name} <a@b>"));
    both(
        "From: \"a, b <c@d> é\" <e@f>",
        "From: =?us-ascii?Q?a=2C?= b =?utf-8?B?PGNAZD4gw6k=?= <e@f>",
    );
    archive(
        "From: \"=?utf-8?Q?=C3=A9?=\" <a@b>",
        "From: =?utf-8?B?w6k=?= <a@b>",
        &["encoded-word-repaired"],
    );
    archive("From: =?iso-8859-1?Q?a=2C_b?= <a@b>", "From: \"a, b\" <a@b>", &["header-transcoded"]);
    transport("From: \"=?utf-8?Q?=C3=A9?=\" <a@b>", "keep");
    both(
        "To: a@b (Jörg (der Ältere)), c@d",
        "To: a@b (=?utf-8?B?SsO2cmc=?= (der =?utf-8?Q?=C3=84ltere?=) ), c@d",
    );
}

#[test]
fn internationalised_addresses() {
    // Nothing is left of a blank.
    both("From: <\u{85}", "From: <>");
    both("From: Jörg <j@exämple.example>", "From: =?utf-8?B?SsO2cmc=?= <j@xn--exmple-cua.example>");
    let in_name = |field: &str, before: &str, word: &str, after: &str| {
        both(field, &format!("{before}{word} <invalid@internationalized-address.invalid>{after}"));
    };
    in_name("From: <jörg@b.c>", "From: ", "=?utf-8?B?asO2cmdAYi5j?=", "");
    in_name("To: a@b, é@c.d", "To: a@b, ", "=?utf-8?B?w6lAYy5k?=", "");
    in_name("To: root, é@c.d", "To: <root>, ", "=?utf-8?B?w6lAYy5k?=", "");
    in_name("To: G: <ü@x>;", "To: G: ", "=?utf-8?B?w7xAeA==?=", ";");
}

#[test]
fn names_in_comments_are_moved_if_that_is_asked_for() {
    let mut normalizer = Normalizer::new();
    normalizer.set("comment-names", "rewrite").expect("an option");
    let first_line = |field: &str| {
        let mail = format!("{field}\r\n\r\n");
        let once = normalizer.normalize(mail.as_bytes());
        assert_eq!(normalizer.normalize(once.octets()).octets(), once.octets());
        String::from_utf8_lossy(once.octets()).lines().next().unwrap_or_default().to_owned()
    };
    for (field, expected) in [
        ("From: ada@b.example (Ada)", "From: Ada <ada@b.example>"),
        ("From: <ada@b.example> (Ada)", "From: Ada <ada@b.example>"),
        (
            "To: ada@b.example (Lind, Ada), bo@c.example",
            "To: \"Lind, Ada\" <ada@b.example>, bo@c.example",
        ),
        (
            "Cc: a@b.example (=?iso-8859-1?Q?J=F6rg?= (at home))",
            "Cc: =?utf-8?B?SsO2cmcgKGF0IGhvbWUp?= <a@b.example>",
        ),
    ] {
        assert_eq!(first_line(field), expected);
    }
    for stays in [
        "From: ada@b.example",
        "From: Ada <ada@b.example> (at home)",
        "From: ada@b.example (Ada) (at home)",
        "From: (Ada) ada@b.example",
        "From: ada@b.example (eve@c.example)",
        "From: ada@b.example (--)",
        "From: root (Ada)",
        "X-Name: ada@b.example (Ada)",
        "Return-Path: ada@b.example (Ada)",
    ] {
        assert_eq!(first_line(stays), stays);
    }
}

#[test]
fn opaque_fields() {
    both("Received: from x (é) by y; z", "Received: from x (=?utf-8?B?w6k=?=) by y; z");
    both("Received: from x by y for <é@x>; z", "Received: from x by y; z");
    both("Message-ID: <é@b>", "Downgraded-Message-ID: =?utf-8?B?PMOpQGI+?=");
    // Its words stay: their octets are evidence for the charset of the message.
    transport(
        "Authentication-Results: a =?utf-8?Q?=C3=A9?= é",
        "Downgraded-Authentication-Results: a =?utf-8?Q?=C3=A9?= =?utf-8?B?IMOp?=",
    );
    let long = format!("References: <{}@b>", "x".repeat(1000));
    assert!(
        run(Profile::Archive, format!("{long}\r\n").as_bytes())
            .0
            .starts_with("Downgraded-References: =?us-ascii?")
    );
}

#[test]
fn what_happens_again_and_again_is_summed_up() {
    let raw = [&b"Content-Type: text/plain"[..], &b"; a=b".repeat(151), b"\r\n"].concat();
    let mut issues = Vec::new();
    assert!(
        matches!(apply(&rules(Profile::Archive), &raw, &mut issues), FieldVerdict::Write(out) if out.len() == 31)
    );
    assert!(issues.iter().all(|issue| issue.code() == Code::DuplicateParameter));
    let (more, listed) = issues.split_at(1);
    assert!(listed.iter().all(|issue| issue.detail().to_string() == "dropped: a=b"));
    let repeated = Detail::Repeated { times: 50, first: Box::default() };
    assert_eq!(more.iter().map(Issue::detail).collect::<Vec<_>>(), [&repeated]);
}

#[test]
fn comments_that_are_too_deep_are_text() {
    let nested = |depth: usize, text: &str| {
        format!("To: a@example.org {}{text}{}\r\n", "(".repeat(depth), ")".repeat(depth))
    };
    assert_eq!(run(Profile::Archive, nested(40, "text").as_bytes()).0, "keep");
    assert_eq!(run(Profile::Archive, nested(16, "\u{e9}").as_bytes()).1, ["raw-header-text"]);
    let (out, codes) = run(Profile::Archive, nested(17, "\u{e9}").as_bytes());
    assert_eq!(codes, ["raw-header-text", "comment-too-deep"]);
    let (unfolded, innermost) = (out.replace('|', ""), "(=?utf-8?B?KMOpKQ==?=)");
    assert!(unfolded.ends_with(&format!("{innermost}{}", " )".repeat(15))), "{out}");
}

#[test]
fn parameters() {
    both(
        "Content-Disposition: attachment; filename=\"é.txt\"",
        "Content-Disposition: attachment; filename*=utf-8''%C3%A9.txt",
    );
    both("Content-Type: text/plain; charset=a; charset=b", "Content-Type: text/plain; charset=a");
    let raw = "Content-Disposition: attachment; filename=a b.txt; x=y";
    both(raw, "Content-Disposition: attachment; filename=\"a b.txt\"; x=y");
    both(
        "Content-Disposition: attachment; filename*=iso-8859-1'fr'%E9",
        "Content-Disposition: attachment; filename*=utf-8'fr'%C3%A9",
    );
    both(
        "Content-Disposition: attachment (; filename=a); size=1",
        "Content-Disposition: attachment; size=1",
    );
    both(
        "Content-Disposition: inline; filename**=utf-8''a; filename=\"\"",
        "Content-Disposition: inline",
    );
    both("Content-Type: =?utf-8?q?a/b;_name=3Dc?=", "Content-Type: a/b; name=c");
    both("Content-Type: =?utf-8?q?multipart/mixed;_boundary=3Dc?=", "Content-Type: text/plain");
    archive("Content-Type: image/x; name*=x-foo''%E9", "keep", &["ambiguous-file-name"]);
    let out =
        run(Profile::Transport, b"Content-Disposition: attachment; filename=\"caf\xe9\"\r\n").0;
    assert_eq!(out, "Content-Disposition: attachment; filename*=utf-8''caf%C3%A9");
}

#[test]
fn parameters_are_edited_in_place() {
    let edits = ParameterEdits {
        value: Some("text/html"),
        set: &[("charset", "utf-8"), ("new", "a b")],
        remove: &["y"],
    };
    let raw = b"Content-Type: text/plain;\r\n\tx=\"1\"; charset=koi8-r; y=2\r\n";
    let edited = |profile, edits| judge_edited(&RawField::split(raw), &rules(profile), edits);
    let Judged { verdict: FieldVerdict::Write(out), issues } = edited(Profile::Transport, &edits)
    else {
        panic!("kept")
    };
    assert_eq!(shown(out), "Content-Type: text/html; x=\"1\"; charset=utf-8; new=\"a b\"");
    assert_eq!(issues, []);
    let same =
        ParameterEdits { value: Some("text/plain"), set: &[("charset", "koi8-r")], remove: &["z"] };
    assert_eq!(edited(Profile::Archive, &same), Judged::silently(FieldVerdict::Keep));
}

#[test]
fn what_is_no_field_becomes_one() {
    both("no colon é", "X-Unparsed: no colon =?utf-8?B?w6k=?=");
    both("From(c): a@b.example", "X-Unparsed: From(c): a@b.example");
    both("(c)from: a@b.example", "X-Unparsed: (c)from: a@b.example");
    both("([fe80::1]) by mx.example", "keep");
    both("nämé: x", "X-Unparsed: =?utf-8?B?bsOkbcOpOg==?= x");
}

#[test]
fn issues_say_where() {
    let mut issues = Vec::new();
    apply(&rules(Profile::Archive), "Subject: plain Köln\r\n".as_bytes(), &mut issues);
    assert_eq!(issues[0].span(), Span::new(8, 20));
    issues.clear();
    apply(&rules(Profile::Archive), "To: a@b, Jörg <c@d>\r\n".as_bytes(), &mut issues);
    assert_eq!(issues[0].span(), Span::new(9, 14));
}
