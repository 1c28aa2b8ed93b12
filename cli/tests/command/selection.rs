//! Selecting messages, runs that write nothing, the man page and completions.

use crate::support::{CLEAN, World, json_lines};

fn written(world: &World) -> Vec<String> {
    world
        .files()
        .into_iter()
        .filter_map(|name| name.strip_prefix("out/").map(str::to_owned))
        .collect()
}

#[test]
fn names_are_included_and_excluded() {
    let names = ["mail/a.eml", "mail/b.txt", "mail/old/c.eml", "mail/old/draft.eml"];
    for (args, expected) in [
        (&["--include", "*.eml"][..], &["a.eml", "old/c.eml", "old/draft.eml"][..]),
        (&["--include", "*.eml", "--exclude", "draft*"], &["a.eml", "old/c.eml"]),
        (&["--exclude", "old/**"], &["a.eml", "b.txt"]),
        (&["--include", "*.txt", "--include", "old/c*"], &["b.txt", "old/c.eml"]),
    ] {
        let world = World::with(&names);
        world.run(&[&["normalize", "mail", "-o", "out"], args].concat()).exits(0);
        assert_eq!(written(&world), expected, "{args:?}");
    }
    World::with(&names).run(&["normalize", "mail", "-o", "out", "--include", "[a"]).exits(64);
}

#[test]
fn messages_of_other_days_are_left_alone() {
    let world = World::with(&["mail/new"]);
    world.write("mail/old", "Date: Thu, 1 Jan 2015 00:00:00 +0000\r\nSubject: x\r\n\r\n");
    world.write("mail/none", "Subject: x\r\n\r\n");
    world
        .run(&["normalize", "mail", "-o", "out", "--since", "2020-01-01"])
        .exits(0)
        .says(&["1  skipped: sent on another day than asked for"]);
    assert_eq!(written(&world), ["new", "none"]);
    world.run(&["normalize", "mail", "-o", "out", "--since", "soon"]).exits(64);

    // The whole of the last day, and nothing of the next one.
    world.write("mail/late", "Date: Thu, 1 Jan 2015 23:59:59 +0000\r\nSubject: x\r\n\r\n");
    world.write("mail/later", "Date: Fri, 2 Jan 2015 00:00:00 +0000\r\nSubject: x\r\n\r\n");
    let of_2015 = ["--since", "2015-01-01", "--until", "2015-01-01"];
    world.run(&[&["normalize", "mail", "-o", "2015"][..], &of_2015].concat()).exits(0);
    let found: Vec<String> =
        world.files().into_iter().filter(|name| name.starts_with("2015/")).collect();
    assert_eq!(found, ["2015/late", "2015/none", "2015/old"]);
}

#[test]
fn issues_of_one_kind_are_listed() {
    let world = World::new();
    world.write("mail/guessed", "From: a@example.org\nSubject: Sch\u{f6}ne Gr\u{fc}\u{df}e\n\nx\n");
    world.write("mail/doubtful", b"From: a@example.org\nSubject: Sch\xF6ne Gr\xFC\xDFe\n\nx\n");
    for (kind, found) in [
        ("doubt", &["doubtful"][..]),
        ("charset-guessed", &["doubtful"]),
        ("raw-header-text", &["doubtful", "guessed"]),
        ("repair", &["doubtful", "guessed"]),
        ("loss,doubt", &["doubtful"]),
        ("loss", &[]),
    ] {
        let ran = world.run(&["normalize", "--check", "--report", "r", "--issue", kind, "mail"]);
        let text = ran.exits(i32::from(!found.is_empty())).text();
        let rows = json_lines(&world.read("r"));
        let named: Vec<String> = found.iter().map(|name| format!("mail/{name}")).collect();
        let inputs: Vec<&str> =
            rows.iter().map(|row| row["input"].as_str().expect("a name")).collect();
        assert_eq!(inputs, named, "{kind}");
        for line in text.lines() {
            assert!(named.iter().any(|name| line.starts_with(name)), "{kind}: {line}");
        }
        assert_eq!(text.is_empty(), found.is_empty(), "{kind}");
    }
    // One that would not change is listed as well.
    world.write("normal/a", "From: \"a@bank.example\" <b@evil.example>\r\nSubject: x\r\nDate: Thu, 1 Jan 2015 10:00:00 +0000\r\nMessage-ID: <1@x.example>\r\n\r\nx\r\n");
    let ran = world.run(&[
        "normalize",
        "--profile",
        "transport",
        "--check",
        "--issue",
        "doubt",
        "normal",
    ]);
    assert!(ran.exits(1).text().contains("ambiguous-sender"));
    world.run(&["normalize", "--check", "--issue", "odd", "mail"]).exits(64);
    world.run(&["normalize", "--issue", "loss", "mail", "-o", "out"]).exits(64);
}

#[test]
fn a_summary_names_the_message_that_asks_most_to_be_looked_at() {
    let world = World::with(&["a.eml"]);
    world.write("b c.eml", b"From: a@example.org\nSubject: Sch\xF6ne Gr\xFC\xDFe\n\nx\n");
    let many = ["normalize", "-n", "a.eml", "b c.eml", "-o", "out"];
    world.run(&many).exits(0).says(&[
        "would be written to out",
        "`sevenbit explain 'b c.eml' -o page.html` shows one message",
    ]);
    // Of one message, too, numbers are asked for.
    world.run(&["normalize", "-n", "b c.eml"]).exits(0).says(&["1 message", "1  would change"]);
}

#[test]
fn patterns_that_the_shell_left_are_expanded() {
    let world = World::with(&["a1.eml", "a2.eml", "b.eml"]);
    world.run(&["normalize", "a*.eml", "-o", "out"]).exits(0);
    assert_eq!(written(&world), ["a1.eml", "a2.eml"]);
    world.write("[x].eml", CLEAN);
    assert_eq!(world.run(&["normalize", "[x].eml"]).exits(0).out, CLEAN, "a name as it is");
    world.run(&["normalize", "z*.eml"]).exits(66).says(&["z*.eml: matches no file"]);
}

#[test]
fn a_dry_run_says_what_would_be_and_writes_nothing() {
    let world = World::with(&["mail/a"]);
    let raw = b"From: a@example.org\nSubject: \xfc\n\n";
    world.write("mail/b", raw);
    let ran = world.run(&["normalize", "--dry-run", "mail", "-o", "out"]).exits(0);
    assert!(ran.out.is_empty());
    ran.says(&["2 messages", "1  would change", "1  already normal"]);
    world.run(&["normalize", "-n", "--in-place", "mail"]).exits(0).says(&["1  would change"]);
    assert_eq!(world.files(), ["mail/a", "mail/b"]);
    assert_eq!(world.read("mail/b"), raw);
}

#[test]
fn the_summary_is_a_table() {
    let world = World::with(&["mail/a"]);
    world.write(
        "mail/b",
        b"Content-Type: text/plain; charset=ISO-8859-15\nContent-Transfer-Encoding: 8bit\n\n\xa4\n",
    );
    let full = ["normalize", "mail", "-o", "out", "--summary", "full"];
    let ran = world.run(&full).exits(0);
    let ran =
        ran.says(&["2 messages", "1  changed", "0  failed", "what was found", "1  iso-8859-15"]);
    for noise in ["/s", "slowest", "refused", "skipped"] {
        assert!(!ran.err.contains(noise), "{noise} of work so short: {}", ran.err);
    }
}

/// Totals, losses, doubts, codes, where the output is and what to run next, in fifteen lines
/// whatever was found.
#[test]
fn a_short_summary_says_what_matters() {
    let world = World::new();
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/mail");
    let ran = world.run(&["normalize", corpus, "-o", "out", "--report", "r.jsonl"]).exits(0);
    let words = [
        ", written to out",
        "lost something: ",
        "in doubt: ",
        "found: ",
        "more",
        "next: ",
        "r.jsonl lists",
    ];
    let ran = ran.says(&words);
    assert!(ran.err.lines().count() <= 15, "{}", ran.err);
    // A command is on one line, to be copied.
    let fits = |line: &str| line.len() <= 100 || line.starts_with("  sevenbit ");
    assert!(ran.err.lines().skip(1).all(fits), "{}", ran.err);

    let none = ["normalize", corpus, "-o", "out2", "--summary", "none"];
    assert_eq!(world.run(&none).exits(0).err, "");
}

#[test]
fn pages_and_completions_are_made() {
    let world = World::new();
    assert!(world.run(&["pages", "man"]).exits(0).text().contains(".TH sevenbit"));
    assert!(world.run(&["pages", "man", "normalize"]).exits(0).text().contains("in\\-place"));
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            world.run(&["pages", "completions", shell]).exits(0).text().contains("sevenbit"),
            "{shell}"
        );
    }
    world.run(&["pages", "man", "none"]).exits(64);
    let convert = world.run(&["pages", "man", "charset", "convert"]).exits(0).text();
    assert!(
        convert.contains(".SH \"EXIT STATUS\"") && convert.contains("sevenbit\\-charset(1)"),
        "{convert}"
    );
    assert!(world.run(&["--help"]).exits(0).text().contains("pages"));
}

#[test]
fn copies_of_a_message_are_left_out_and_reported() {
    let world = World::new();
    let mail = |server: &str, id: u8, text: &str| {
        format!("Received: by {server}\nMessage-ID: <{id}@a.example>\nSubject: x\n\n{text}\n")
    };
    world.write("mail/1", mail("one", 1, "Text"));
    world.write("mail/2", mail("two", 1, "Text"));
    world.write("mail/3", mail("one", 1, "Other text"));
    world.write("mail/4", mail("one", 2, "Text"));
    let unique = ["normalize", "--unique", "mail", "-o", "out", "--report", "r"];
    world.run(&unique).exits(0).says(&["3 messages", "1  left out: copies of earlier messages"]);
    assert!(
        !world.files().contains(&"out/2".to_owned()) && world.files().contains(&"out/4".to_owned())
    );
    let report = json_lines(&world.read("r"));
    assert_eq!(report[1]["kept"], "left out: a copy of an earlier message");
    world.run(&["normalize", "--unique", "--in-place", "mail"]).exits(64);
}

/// Each page that a page names is there, and none is empty.
#[test]
fn man_pages_name_only_pages_that_are_there() {
    let world = World::new();
    world.run(&["pages", "man", "--all", "man"]).exits(0);
    let files = world.files();
    assert!(files.len() > 20, "{files:?}");
    for file in &files {
        let page = String::from_utf8(world.read(file)).expect("text").replace("\\-", "-");
        assert!(page.contains(".SH NAME"), "{file}");
        for word in page.split([' ', ',', '\n', '.']).filter(|word| word.starts_with("sevenbit")) {
            let Some((name, section)) = word.split_once('(') else { continue };
            let name = if page.contains(&format!("{name}.conf(5)")) && section.starts_with('5') {
                format!("{name}.conf")
            } else {
                name.to_owned()
            };
            let section = section.trim_end_matches(')');
            let named = format!("man/man{section}/{name}.{section}");
            assert!(files.contains(&named), "{file} names {named}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_how_far_it_is_and_nothing_else_does() {
    let world = World::new();
    let message = b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: \xfc\n\nText.\n\n";
    world.write("in.mbox", message.repeat(20_000));
    // Standard output is read slowly, so that there is something to wait for; standard error is a
    // terminal.
    let on_terminal = |options: &str| {
        let job = format!("$SEVENBIT normalize {options} in.mbox | (sleep 2; cat > /dev/null)");
        world.shell(&format!("script -qec '{job}' /dev/null < /dev/null"))
    };
    let ran = on_terminal("");
    if ran.code == Some(127) {
        println!("no `script` here: there is no terminal to look at");
        return;
    }
    let shown = ran.text();
    for word in ["%, ", " messages, ", "B/s", " left", "20,000 messages"] {
        assert!(shown.contains(word), "`{}` is not in: {shown}", word);
    }
    assert_eq!(on_terminal("--quiet").text(), "");
    let ran = world.shell("$SEVENBIT normalize in.mbox | (sleep 2; cat > /dev/null)").exits(0);
    assert!(!ran.err.contains(" left") && !ran.err.contains('\r'), "{}", ran.err);
}

#[test]
fn days_that_none_is_and_messages_without_a_day() {
    let world = World::new();
    world.write("d/none.eml", "From: a@example.org\nSubject: x\n\ntext\n");
    world.write("d/a.eml", CLEAN);
    let days = ["--since", "2001-01-01", "--until", "2040-01-01"];
    let check = |more: &[&str]| world.run(&[&["normalize", "-n", "d"][..], &days, more].concat());
    check(&[]).exits(0).says(&["2 messages"]);
    check(&["--undated", "leave"]).exits(0).says(&["1 message"]);
    world
        .run(&["normalize", "-n", "d", "--since", "2020-01-02", "--until", "2020-01-01"])
        .exits(64)
        .says(&["`--since` is after `--until`"]);
}

#[test]
fn a_pattern_that_matches_nothing_is_told_by_each_command() {
    let world = World::with(&["d/a.eml"]);
    for command in [&["inspect"][..], &["extract", "--to", "out"], &["normalize", "-n"]] {
        world
            .run(&[command, &["--include", "*.nope", "d"]].concat())
            .says(&["`--include *.nope` matches no file"]);
    }
}
