//! `explain`: a page that contains the message, and lets nothing of it out.

use crate::support::{CLEAN, World};

const HOSTILE: &[u8] = b"Subject: </script><script>owned()</script> \xE9\r\n\
    Content-Type: text/html; charset=\"<b>\"\r\n\r\n</sevenbit-message><!--<img src=x onerror=owned()>\x1b[2J\r\n";

/// The data in a page.
pub fn held(page: &str) -> serde_json::Value {
    let (_, after) = page.split_once("id=\"held\">").expect("data");
    let (json, _) = after.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn a_page_contains_the_message_and_its_facts() {
    let world = World::with(&["a.eml"]);
    let page = world.run(&["explain", "a.eml"]).exits(0).text();
    let held = held(&page);
    let octets: Vec<u8> = held["message"]
        .as_str()
        .expect("octets")
        .chars()
        .map(|c| u8::try_from(u32::from(c)).expect("an octet"))
        .collect();
    assert_eq!(octets, CLEAN);
    assert_eq!(held["facts"]["changed"], false);
    assert_eq!(held["facts"]["parts"].as_array().expect("parts").len(), 1);
    assert!(held["rules"].as_str().expect("rules").contains("### G1 octets"));
    assert!(
        page.contains("default-src 'none'") && page.contains("<title>a.eml</title>"),
        "{}",
        &page[..600]
    );
}

#[test]
fn a_page_replaces_a_page_and_no_mail() {
    let world = World::with(&["a.eml", "b.eml"]);
    world.run(&["explain", "a.eml", "-o", "b.eml"]).exits(73).says(&["b.eml", "no page"]);
    assert_eq!(world.read("b.eml"), CLEAN);
    for _ in 0..2 {
        world.run(&["explain", "a.eml", "-o", "a.html"]).exits(0);
    }
}

#[test]
fn content_of_the_message_is_never_markup() {
    let world = World::new();
    let page = world.run_on(&["explain", "--profile", "transport"], HOSTILE).exits(0).text();
    assert!(!page.contains("<script>owned") && !page.contains("<img") && !page.contains('\x1b'));
    let facts = &held(&page)["facts"];
    assert_eq!(facts["profile"], "transport");
    assert!(
        facts["issues"]
            .as_array()
            .expect("issues")
            .iter()
            .any(|issue| issue["code"] == "raw-header-text")
    );
    // The name of the file is as untrusted as the text of the message.
    world.write("<img src=x>.eml", HOSTILE);
    let page = world.run(&["explain", "<img src=x>.eml"]).exits(0).text();
    assert!(page.contains("<title>&lt;img src=x&gt;.eml</title>") && !page.contains("<img"));
}

#[test]
fn changes_make_the_normal_form() {
    let world = World::new();
    world.write("in.eml", HOSTILE);
    let facts = &held(&world.run(&["explain", "in.eml"]).exits(0).text())["facts"];
    let mut octets = HOSTILE.to_vec();
    for change in facts["changes"].as_array().expect("changes").iter().rev() {
        let at = |i: usize| {
            usize::try_from(change["span"][i].as_u64().expect("a place")).expect("an offset")
        };
        octets.splice(at(0)..at(1), change["with"].as_str().expect("octets").bytes());
    }
    world.run(&["normalize", "in.eml", "-o", "out.eml"]).exits(0);
    assert_eq!(octets, world.read("out.eml"));
    assert_eq!(facts["becomes"], octets.len());
}

#[test]
fn a_message_of_a_mailbox_is_asked_for_by_its_number() {
    let world = World::new();
    world.write("in.mbox", "From a Thu Nov 19 10:00:00 2026\nSubject: one\n\nx\n\nFrom a Thu Nov 19 10:00:00 2026\nSubject: two\n\nx\n\n");
    let subject = |number| {
        let page = world.run(&["explain", "in.mbox", "--message", number]).exits(0).text();
        held(&page)["facts"]["subject"].clone()
    };
    assert_eq!((subject("1"), subject("2")), ("one".into(), "two".into()));
    world.run(&["explain", "in.mbox", "--message", "3"]).exits(66).says(&[
        "in.mbox",
        "2 messages",
        "no number 3",
    ]);
}

#[test]
fn the_page_goes_where_it_is_sent_and_never_over_its_input() {
    let world = World::with(&["a.eml"]);
    world.run(&["explain", "a.eml", "-o", "a.html"]).exits(0);
    assert!(world.read("a.html").ends_with(b"</html>\n"));
    world.run(&["explain", "a.eml", "-o", "a.eml"]).exits(73);
    assert_eq!(world.read("a.eml"), CLEAN);
    world.run(&["explain", "nowhere.eml"]).exits(66);
}

/// A page for a ticket leaves the octets of attachments out, and says so; all others stay where the
/// facts say.
#[test]
fn attachments_are_left_out_of_large_pages() {
    let world = World::new();
    let line = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0\r\n";
    let message = |lines: usize| {
        format!(
            "Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
             --b\r\n\r\nThe text.\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\n\
             Content-Transfer-Encoding: base64\r\n\r\n{}--b\r\n\r\nAnother text.\r\n--b--\r\n",
            line.repeat(lines)
        )
    };
    let large = message(20_000);
    world.write("large.eml", &large);
    world.write("small.eml", message(1000));
    let ran = world
        .run(&["explain", "large.eml"])
        .exits(0)
        .says(&["of attachments are left out", "--with-attachments"]);
    assert!(ran.text().len() < 200_000, "{}", ran.text().len());
    let data = held(&ran.text());
    let (kept, gap) = (data["message"].as_str().expect("octets"), &data["leftOut"][0]);
    let at = |i: usize| usize::try_from(gap[i].as_u64().expect("a place")).expect("an offset");
    assert_eq!(kept.len() + at(1) - at(0), large.len());
    assert_eq!((&kept[..at(0)], &kept[at(0)..]), (&large[..at(0)], &large[at(1)..]));
    assert!(kept.ends_with("Another text.\r\n--b--\r\n"));
    let whole = world.run(&["explain", "--with-attachments", "large.eml"]).exits(0);
    assert!(whole.err.is_empty() && whole.text().len() > large.len());
    let small = world.run(&["explain", "small.eml"]).exits(0);
    assert!(small.err.is_empty() && held(&small.text()).get("leftOut").is_none());
    world.run(&["explain", "--without-attachments", "small.eml"]).exits(0).says(&["are left out"]);
}

#[test]
fn of_several_messages_one_is_asked_for() {
    let world = World::with(&["one/a.eml", "many/a.eml"]);
    world.write("many/b.eml", "Subject: second\r\n\r\nx\r\n");
    world.run(&["explain", "one"]).exits(0);
    let ran = world.run(&["explain", "many"]).exits(64);
    ran.says(&[
        "1  a@example.org             Clean",
        "2                            second",
        "many: has 2 messages",
        "--message NUMBER",
    ]);
    let page = world.run(&["explain", "many", "--message", "2"]).exits(0).text();
    assert_eq!(held(&page)["facts"]["subject"], "second");
    world.shell("mkdir none").exits(0);
    world.run(&["explain", "none"]).exits(66).says(&["no message"]);
}

/// A message keeps its number, whatever days are asked for.
#[test]
fn of_the_days_asked_for_one_message_is_chosen() {
    let world = World::new();
    let mail = |day: u32| {
        format!(
            "From a Thu Nov {day} 10:00:00 2026\nDate: {day} Nov 2026 10:00:00 +0000\n\
             Subject: day {day}\n\nx\n\n"
        )
    };
    world.write("in.mbox", [18, 19, 20].map(mail).concat());
    let page = world
        .run(&["explain", "in.mbox", "--since", "2026-11-19", "--until", "2026-11-19"])
        .exits(0)
        .text();
    assert_eq!(held(&page)["facts"]["subject"], "day 19");
    let ran = world.run(&["explain", "in.mbox", "--since", "2026-11-19"]).exits(64);
    assert!(!ran.err.contains("day 18"), "{}", ran.err);
    ran.says(&["     2  ", "day 19", "day 20", "has 2 messages"]);
    world
        .run(&["explain", "in.mbox", "--since", "2027-01-01"])
        .exits(66)
        .says(&["no message of these days"]);
}

/// The page opens in what the desktop opens pages with.
#[cfg(target_os = "linux")]
#[test]
fn a_page_is_opened_on_request() {
    let world = World::with(&["a.eml"]);
    let opener = "mkdir bin tmp && printf '#!/bin/sh\\necho \"$1\" > opened.tmp; mv opened.tmp opened' > bin/xdg-open && chmod +x bin/xdg-open";
    world.shell(opener).exits(0);
    let open = |args: &str| {
        let script = format!(
            "TMPDIR=tmp PATH=\"$PWD/bin:$PATH\" $SEVENBIT explain --open a.eml {args} && \
            for n in 1 2 3 4 5 6 7 8 9 10; do test -f opened && break; sleep 0.3; done; cat opened; rm opened"
        );
        world.shell(&script).exits(0).text()
    };
    assert_eq!(open("-o a.html"), "a.html\n");
    let page = open("");
    assert!(page.ends_with(".html\n"), "{page}");
    assert!(world.read(page.trim_end()).ends_with(b"</html>\n"));
    world
        .shell("PATH=none $SEVENBIT explain --open a.eml -o b.html")
        .exits(73)
        .says(&["b.html: is written, but"]);
}

/// The page about a message with very many fields is bounded.
#[test]
fn a_page_is_bounded() {
    let world = World::new();
    world.write("a.eml", b"To:\xe9\n".repeat(60_000));
    let page = world.run(&["explain", "a.eml"]).exits(0).text();
    assert!(page.len() < 4_500_000, "{}", page.len());
    let facts = &held(&page)["facts"];
    assert!(facts["changes"].as_array().expect("a list").len() <= 10_000);
}
