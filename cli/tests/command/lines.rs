//! `header` and `mailbox-name`: filters that work on lines.

use crate::support::World;

const FILTERS: [&[&str]; 5] = [
    &["header", "decode"],
    &["header", "encode"],
    &["mailbox-name", "decode"],
    &["mailbox-name", "decode", "--lenient"],
    &["mailbox-name", "encode"],
];

#[test]
fn a_line_in_is_a_line_out() {
    let world = World::new();
    for filter in FILTERS {
        assert_eq!(
            world.run_on(filter, b"one\ntwo\r\n\nfour").exits(0).text(),
            "one\ntwo\n\nfour\n",
            "{filter:?}"
        );
        assert_eq!(world.run_on(filter, b"").exits(0).text(), "", "{filter:?}");
    }
}

#[test]
fn arguments_stand_for_lines() {
    let world = World::new();
    for filter in FILTERS {
        let ran = world.run_on(&[filter, &["one", "two words"]].concat(), b"not read").exits(0);
        assert_eq!(ran.text(), "one\ntwo words\n", "{filter:?}");
    }
}

#[test]
fn oddities_are_reported_beside_the_text() {
    let world = World::new();
    let ran = world.run(&["header", "decode", "fine", "=?x-nobody?Q?=F0?="]).exits(0);
    let ran = ran.says(&["argument 2, octet 0: note: charset not known", "(charset-unknown)"]);
    assert_eq!(ran.text(), "fine\n=?x-nobody?Q?=F0?=\n");
    assert_eq!(world.run(&["header", "decode", "--quiet", "=?x-nobody?Q?=F0?="]).exits(0).err, "");
    world
        .run(&["mailbox-name", "decode", "--lenient", "&AGE-"])
        .exits(0)
        .says(&["superfluous-shift"]);
}

#[test]
fn folded_lines_are_one_header() {
    let world = World::new();
    let folded = "=?utf-8?Q?a=C3?=\r\n =?utf-8?Q?=A4?=\r\nplain,\n\tgoes on\n\n end\n";
    let ran = world.run_on(&["header", "decode"], folded.as_bytes()).exits(0);
    assert_eq!((ran.text().as_str(), ran.err.as_str()), ("a\u{e4}\nplain,\tgoes on\n end\n", ""));
    let ran = world.run(&["header", "decode", "=?utf-8?Q?a=C3?=\n =?utf-8?Q?=A4?=", " x"]).exits(0);
    assert_eq!(ran.text(), "a\u{e4}\n x\n");
    let late = world.run_on(&["header", "decode"], b"one,\n two\n=?x-nobody?Q?=F0?=\n").exits(0);
    late.says(&["standard input, line 3, octet 0"]);
    assert_eq!(
        world.run_on(&["header", "encode"], b"one\n two\n").exits(0).text().lines().count(),
        2
    );
}

#[test]
fn what_is_said_of_many_lines_is_bounded() {
    let world = World::new();
    let lines = b"\xe9\n".repeat(3000);
    for (filter, code, more) in
        [(&["header", "decode"][..], 0, "5,000"), (&["mailbox-name", "decode"], 65, "2,000")]
    {
        let ran =
            world.run_on(filter, &lines).exits(code).says(&[&format!("and {more} more of these")]);
        assert_eq!((ran.err.lines().count(), ran.text().lines().count()), (1001, 3000));
    }
}

#[test]
fn lines_that_are_not_text_fail_and_keep_the_others_in_step() {
    let world = World::new();
    for filter in [&["header", "encode"], &["mailbox-name", "encode"]] {
        let ran =
            world.run_on(filter, b"one\ntw\xff\nthree\n").exits(65).says(&["line 2", "UTF-8"]);
        assert_eq!(ran.text(), "one\n\nthree\n");
    }
}

#[test]
fn messages_and_text_are_repaired() {
    let world = World::new();
    let ran = world.run_on(&["repair"], "schÃ¶ne GrÃ¼ÃŸe".as_bytes()).exits(0);
    assert_eq!(ran.text(), "schöne Grüße");

    let mojibake = "Subject: a\nContent-Type: text/plain; charset=utf-8\n\nschÃ¶ne GrÃ¼ÃŸe\n";
    let ran = world.run_on(&["repair"], mojibake.as_bytes()).exits(0);
    let ran = ran.says(&["part 1: UTF-8 that was read as windows-1252"]);
    assert!(ran.text().contains("c2Now7ZuZSBHcsO8w59l"), "{}", ran.text());

    let unread =
        b"Subject: a\nContent-Type: text/plain; charset=iso-8859-1\n\n\xF0\xD2\xC9\xD7\xC5\xD4\n";
    let ran = world
        .run_on(&["repair", "--as", "koi8-r"], unread)
        .exits(0)
        .says(&["part 1: read as KOI8-R"]);
    assert!(ran.text().contains("0J/RgNC40LLQtdGC"), "{}", ran.text());
    world.run_on(&["repair", "--as", "koi9"], unread).exits(64);

    let listed = world.run_on(&["repair", "--candidates"], mojibake.as_bytes()).exits(0);
    let listed = listed.text();
    let at = |text: &str| listed.find(text).unwrap_or_else(|| panic!("{text}: {listed}"));
    assert!(
        at(r#""part":"1","label":"utf-8""#) < at("schöne Grüße")
            && at("schöne Grüße") < at("schÃ¶ne")
    );

    // One octet that is none of UTF-8: nothing is repaired unasked, and what may help is named.
    let broken = [mojibake.as_bytes(), b"\xFC\n"].concat();
    world.run_on(&["repair"], &broken).exits(0).says(&["`--candidates` lists how"]);
}

#[test]
fn a_message_of_outlook_is_repaired_and_a_store_is_refused() {
    let world = World::new();
    let file = |name: &str| format!("{}/../tests/files/{name}", env!("CARGO_MANIFEST_DIR"));
    let mail = world.run(&["repair", &file("japanese.msg")]).exits(0).text();
    assert!(mail.contains("Subject: =?utf-8?B?5pel5pys6Kqe?="), "{mail}");
    let listed = world.run(&["repair", "--candidates", &file("japanese.msg")]).exits(0).text();
    assert!(listed.contains(r#""part":"1""#), "{listed}");
    for (name, is) in [
        ("store.pst", "an Outlook data file (.pst)"),
        ("one.eml.gz", "a gzip file"),
        ("damaged.msg", "cannot be read"),
    ] {
        world.run(&["repair", &file(name)]).exits(65).says(&[is]);
    }
}
