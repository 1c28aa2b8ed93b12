//! `inspect`: the keys of its objects, and nothing that a terminal would obey.

use crate::support::{CLEAN, PROJECT, World, keys};

/// Returns the keys that docs/cli.md lists between two places, in order: the first cell of each row
/// of a table.
fn documented(start: &str, end: &str) -> Vec<String> {
    let page = std::fs::read_to_string(std::path::Path::new(PROJECT).join("docs/cli.md"));
    let page = page.expect("the page");
    let (_, rest) = page.split_once(start).expect("where the tables begin");
    let (tables, _) = rest.split_once(end).expect("where the tables end");

    let cells = tables.lines().filter_map(|line| line.strip_prefix("| ")?.split('|').next());
    let mut keys: Vec<String> =
        cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
    keys.sort();
    keys
}

/// Returns the keys of a message, without those that are there on request only.
fn message_keys() -> Vec<String> {
    let mut found = documented("\n## What a message says\n", "\nEach of `parts`");
    found.retain(|key| !["headers", "fields"].contains(&&**key));
    found.push("input".to_owned());
    found.sort();
    found
}

/// Returns the keys of a part, `text` included.
fn part_keys() -> Vec<String> {
    documented("\nEach of `parts`", "\nA `report`")
}

/// A message of which every part tries to reach the terminal.
const HOSTILE: &[u8] = b"From: =?utf-8?Q?=1B]0;owned=07?= <\x1b[31ma@example.org>\r\n\
    Subject: \x1b[2J =?utf-8?B?G1syShs=?= =?utf-8?Q?=C2=9B31m=E2=80=AEgpj?= \x9b5n \x7f\r\n\
    Content-Type: text/\x1b[7mplain; charset=\"\x1b[5m\"; name=\"\x1b[8m.txt\"\r\n\
    Content-Disposition: \x1b[4m; filename*=utf-8''%1B%5B31m%E2%80%AEexe.txt\r\n\
    Content-Transfer-Encoding: \x1b[1m\r\n\x1b[6mX: y\r\n\r\n\x1b[2J\x1b]52;c;AAAA\x07\xc2\x9b31m\r\n\x08\x08\r\n";

#[test]
fn json_is_one_object_a_message_with_the_keys_of_the_contract() {
    let world = World::with(&["a.eml", "mail/b", "mail/c"]);
    let objects = world.run(&["inspect", "--json", "a.eml", "mail"]).exits(0).json();
    assert_eq!(objects.len(), 3);
    let with_text = part_keys();
    let without_text: Vec<_> = with_text.iter().filter(|key| *key != "text").cloned().collect();
    for object in &objects {
        assert_eq!(keys(object), message_keys());
        assert_eq!(object["parts"].as_array().expect("a list").len(), 1);
        assert_eq!(keys(&object["parts"][0]), without_text);
        assert_eq!(object["parts"][0]["sha256"].as_str().expect("a digest").len(), 64);
    }
    let object = &world.run_on(&["inspect", "--json", "--text"], CLEAN).exits(0).json()[0];
    assert_eq!(keys(&object["parts"][0]), with_text);
}

#[test]
fn json_says_where_a_message_comes_from() {
    let world = World::with(&["a.eml"]);
    world.write("in.mbox", [b"From a Thu Nov 19 10:00:00 2026\n", CLEAN, b"\n"].concat());
    let objects = world.run(&["inspect", "--json", "a.eml", "in.mbox"]).exits(0).json();
    assert_eq!(objects[0]["input"], "a.eml");
    assert_eq!(objects[1]["input"], "in.mbox");
    assert_eq!(
        objects[1]["mailbox"],
        serde_json::json!({ "number": 1, "octets": [32, 32 + CLEAN.len()] })
    );
}

#[test]
fn json_has_all_headers_on_request() {
    let world = World::with(&["a.eml"]);
    let object = &world.run(&["inspect", "--json", "--headers", "a.eml"]).exits(0).json()[0];
    let headers = object["headers"].as_array().expect("a list");
    assert_eq!(headers[2], serde_json::json!({ "name": "Subject", "value": "Clean" }));
    assert_eq!(headers.len(), 5);
}

/// The keys of each object inside, as docs/cli.md has them.
#[test]
fn json_says_what_the_view_answers() {
    let written = |name: &str| {
        let path = std::path::Path::new(PROJECT).join("corpus/view").join(name);
        std::fs::read(path).expect("a message of corpus/view")
    };
    let world = World::new();
    world.write("a.eml", written("list-hops-and-authentication.eml"));
    world.write("b.eml", written("groups-and-a-guessed-date.eml"));
    world.write("c.eml", written("bounce-of-postfix.eml"));
    world.write("d.eml", written("receipt-for-a-bounce.eml"));
    let objects =
        world.run(&["inspect", "--json", "a.eml", "b.eml", "c.eml", "d.eml"]).exits(0).json();
    let [list, groups, bounce, receipt] = &objects[..] else { panic!("{objects:?}") };
    let read = &receipt["report"]["recipients"][0];
    assert_eq!(
        (&read["address"], &read["action"]),
        (&"bob@example.org".into(), &"displayed".into())
    );
    let of_list =
        ["archive", "help", "id", "name", "one_click", "owner", "post", "subscribe", "unsubscribe"];
    assert_eq!(keys(&list["list"]), of_list);
    assert_eq!(list["references"], serde_json::json!(["1@example.org", "2@example.org"]));
    assert_eq!(list["thread"], "<1@example.org>");
    assert_eq!(
        keys(&list["hops"][1]),
        ["by", "date", "delay", "for", "from", "from_info", "id", "via", "with"]
    );
    assert_eq!(
        (&list["hops"][1]["delay"], &list["hops"][1]["date"]),
        (&7.into(), &"2025-03-03T10:00:12+00:00".into())
    );
    let results = &list["authentication_results"][0];
    assert_eq!(keys(results), ["results", "server"]);
    assert_eq!(keys(&results["results"][0]), ["comment", "method", "properties", "result"]);
    assert_eq!(
        results["results"][0]["properties"][0],
        serde_json::json!({ "name": "header.d", "value": "lists.example" })
    );
    assert_eq!(
        groups["groups"][0],
        serde_json::json!({ "field": "to", "name": "undisclosed-recipients", "members": [] })
    );
    assert_eq!(
        (&groups["sent"], &groups["sent_is_guess"]),
        (&"2025-03-03T10:11:12+02:00".into(), &true.into())
    );
    let of_report = [
        "arrival",
        "disposition",
        "envelope_id",
        "errors",
        "feedback_type",
        "fields",
        "is_automatic",
        "kind",
        "original_id",
        "recipients",
        "reporter",
        "sender",
        "source_ip",
    ];
    assert_eq!(keys(&bounce["report"]), of_report);
    assert_eq!(
        (&receipt["report"]["disposition"], &receipt["report"]["is_automatic"]),
        (&"displayed".into(), &false.into())
    );
    let recipient = &bounce["report"]["recipients"][0];
    assert_eq!(
        keys(recipient),
        ["action", "address", "diagnostic", "original_address", "remote", "status"]
    );
    assert_eq!(
        (&recipient["address"], &recipient["status"]),
        (&"bob@example.net".into(), &"5.1.1".into())
    );
    assert_eq!(bounce["attachments"][0]["safe_name"], "unnamed.txt");
}

#[test]
fn json_says_what_was_guessed_and_what_is_inside() {
    let world = World::new();
    world.write(
        "a.eml",
        "Subject: Re: AW: Lunch\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
        --b\r\nContent-Type: text/calendar; method=request\r\n\r\nBEGIN:VCALENDAR\r\n\
        --b\r\nContent-Type: message/rfc822\r\n\r\nFrom: Ada <ada@example.org>\r\nSubject: =?utf-8?Q?caf=C3=A9?=\r\n\
        Date: Mon, 3 Mar 2025 10:00:00 +0100\r\nMessage-ID: <a@b>\r\n\r\na\0b\r\n\
        --b--\r\n",
    );
    world.write("b.eml", b"Subject: x\r\n\r\nd\xE9j\xE0 vu, na\xEFve\r\n");
    let objects = world
        .run(&["inspect", "--json", "--text", "--nul", "replace", "a.eml", "b.eml"])
        .exits(0)
        .json();
    let (parts, message) = (&objects[0]["parts"], &objects[0]["messages"][0]);
    assert_eq!(objects[0]["base_subject"], "Lunch");
    assert_eq!(
        (&parts[0]["calendar_method"], &parts[1]["text"]),
        (&"REQUEST".into(), &"a\u{fffd}b".into())
    );
    assert_eq!(keys(message), ["cc", "from", "message_id", "part", "sent", "subject", "to"]);
    assert_eq!((&message["part"], &message["subject"]), (&"2".into(), &"caf\u{e9}".into()));
    assert_eq!(
        (&message["sent"], &message["message_id"]),
        (&"2025-03-03T10:00:00+01:00".into(), &"a@b".into())
    );
    let guess = &objects[1]["parts"][0]["charset_guess"];
    assert_eq!(guess["charset"], "windows-1252");
    let sureness = |guess: &serde_json::Value| guess["sureness"].as_f64().expect("a number");
    let others = guess["alternatives"].as_array().expect("a list");
    assert!(
        others.iter().all(|other| (0.01..=sureness(guess)).contains(&sureness(other))),
        "{guess}"
    );
    assert!(
        !others.is_empty() && others.iter().all(|other| other["charset"] != "windows-1252"),
        "{guess}"
    );
}

#[test]
fn one_header_field_is_printed_by_its_name() {
    let world = World::new();
    world.write(
        "a.eml",
        "X-A: one\r\nSubject: =?utf-8?Q?caf=C3=A9=1B[31m?=\r\n two\r\nx-a: two\r\n\r\n",
    );
    let run = |args: &[&str]| world.run(&[&["inspect"], args, &["a.eml"]].concat()).exits(0).text();
    assert_eq!(run(&["--header", "x-a"]), "one\ntwo\n");
    assert_eq!(run(&["--header", "subject", "--header", "X-A"]).lines().next(), Some("X-A: one"));
    assert!(!run(&["--header", "subject"]).contains('\x1b'));
    assert_eq!(run(&["--header", "none"]), "");
    let object = &world.run(&["inspect", "--json", "--header", "x-a", "a.eml"]).exits(0).json()[0];
    assert_eq!(object["headers"].as_array().map(Vec::len), Some(2));
}

#[test]
fn fields_are_placed_by_octets_or_lines() {
    let world = World::new();
    let inner = "Subject: in\r\nX: y\r\n\r\nb\r\n";
    let head =
        "Subject: caf\u{e9}\r\n and more\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n";
    let part = "--m\r\nContent-Type: message/rfc822\r\n\r\n";
    world.write("a.eml", format!("{head}{part}{inner}\r\n--m--\r\n"));
    let run = |args: &[&str]| world.run(&[&["inspect"], args, &["a.eml"]].concat()).exits(0);
    let fields =
        |args: &[&str]| run(&[&["--json", "--fields"], args].concat()).json()[0]["fields"].clone();
    let inner_at = head.len() + part.len();
    assert_eq!(
        fields(&[])[3],
        serde_json::json!({ "part": "1.0", "name": "Subject", "value": "in", "octets": [inner_at, inner_at + 11] })
    );
    assert_eq!((&fields(&[])[0]["part"], &fields(&[])[2]["part"]), (&"0".into(), &"1".into()));
    assert_eq!(fields(&["--line-numbers"])[0]["lines"], serde_json::json!([1, 2]));
    assert_eq!(fields(&["--line-numbers"])[4]["lines"], serde_json::json!([9, 9]));
    let issues = run(&["--json", "--line-numbers"]).json()[0]["issues"].clone();
    assert_eq!(
        (&issues[0]["code"], &issues[0]["lines"]),
        (&"raw-header-text".into(), &serde_json::json!([1, 2]))
    );
    assert_eq!(keys(&issues[0]), ["code", "detail", "lines", "part", "rule", "severity", "span"]);
    let shown = run(&["--fields", "--line-numbers"]).text();
    assert!(shown.contains("lines 1-2: Subject: café and more"), "{shown}");
    assert!(shown.contains("line 8: Subject: in"), "{shown}");
    assert!(shown.contains("(raw-header-text, H3, lines 1-2)"), "{shown}");
    let end = head.find("\r\n ").expect("a fold") + 11;
    assert!(
        run(&["--fields"]).text().contains(&format!("octets 0..{end}: Subject: café and more"))
    );
    let checked = world.run(&["normalize", "--check", "--line-numbers", "a.eml"]).exits(1).text();
    assert!(checked.contains("header, Subject, lines 1-2: repair: "), "{checked}");
    world
        .run(&["normalize", "--line-numbers", "--report", "r.jsonl", "a.eml", "-o", "b.eml"])
        .exits(0);
    let report = crate::support::json_lines(&world.read("r.jsonl"));
    assert_eq!(report[0]["issues"][0]["lines"], serde_json::json!([1, 2]));
    world
        .run(&["normalize", "--line-numbers", "a.eml"])
        .exits(64)
        .says(&["needs `--check` or `--report`"]);
}

/// Long fields, names and texts, many parts and issues: a person sees rows of 80 columns, and not
/// thousands of them.
#[test]
fn it_stays_readable_in_80_columns() {
    let world = World::new();
    let people: Vec<String> =
        (0..500).map(|n| format!("somebody-{n}@department.example.org")).collect();
    let html = format!(
        "<p>{}</p><img src=\"data:image/png;base64,{}\">",
        "Some words. ".repeat(50),
        "A".repeat(5000)
    );
    let name = "report ".repeat(20);
    let parts = b"--b\r\nContent-Type: text/plain\r\n\r\n\xe9\r\n".repeat(300);
    let head = format!(
        "From: a@example.org\r\nTo: {}\r\nSubject: caf\u{e9} {}\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\
         Content-Disposition: inline; filename=\"{name}.html\"\r\n\r\n{html}\r\n",
        people.join(",\r\n "),
        "\u{65E5}\u{672C}".repeat(60)
    );
    world.write("a.eml", [head.as_bytes(), &parts, b"--b--\r\n"].concat());
    let shown = world.run(&["inspect", "--text", "a.eml"]).exits(0).text();
    let wide = shown.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None, "{shown}");
    assert!(shown.contains("more parts: `--json` has all of them"), "{shown}");
    assert!(shown.lines().count() < 700, "{} lines", shown.lines().count());
}

#[test]
fn a_tree_for_people_names_the_input() {
    let world = World::with(&["mail/b", "mail/c"]);
    let shown = world.run(&["inspect", "mail"]).exits(0).text();
    assert!(shown.starts_with("mail/b\n") && shown.contains("\n\nmail/c\n"), "{shown}");
    assert!(shown.contains("text/plain"), "{shown}");
    world.run_on(&["inspect", "--text", "--headers", "-"], CLEAN).exits(0);
}

#[test]
fn nothing_that_a_terminal_would_obey_is_printed() {
    let world = World::new();
    world.write("\u{1b}[31mred\u{202e}", HOSTILE);
    for options in
        [&[][..], &["--text"], &["--headers", "--text"], &["--json"], &["--json", "--text"]]
    {
        let ran = world.run(&[&["inspect", "."], options].concat()).exits(0);
        safe(&ran.text());
    }
    safe(&world.run(&["normalize", "--check", ".", "--report", "-"]).text());
    safe(&world.run(&["normalize", "--check", "."]).text());
    safe(&world.run(&["normalize", "\u{1b}[31mnone\u{9b}"]).exits(66).err);
    safe(&world.run(&["mailbox-name", "encode", "--\u{1b}[31m"]).exits(64).err);
}

#[track_caller]
fn safe(text: &str) {
    let bad = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.contains(bad), "{text:?}");
}
