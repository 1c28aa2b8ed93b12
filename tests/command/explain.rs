//! `explain`: a page that contains the message, and lets nothing of it out.

use crate::support::{CLEAN, World};

const HOSTILE: &[u8] = b"Subject: </script><script>owned()</script> \xE9\r\n\
    Content-Type: text/html; charset=\"<b>\"\r\n\r\n</sevenbit-message><!--<img src=x onerror=owned()>\x1b[2J\r\n";

/// The data in a page.
fn held(page: &str) -> serde_json::Value {
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
    assert!(held["rules"].as_str().expect("rules").contains("**G1 octets**"));
    assert!(page.contains("default-src 'none'") && page.contains("<title>a.eml</title>"), "{}", &page[..600]);
}

#[test]
fn content_of_the_message_is_never_markup() {
    let world = World::new();
    let page = world.run_on(&["explain", "--profile", "transport"], HOSTILE).exits(0).text();
    assert!(!page.contains("<script>owned") && !page.contains("<img") && !page.contains('\x1b'));
    let facts = &held(&page)["facts"];
    assert_eq!(facts["profile"], "transport");
    assert!(
        facts["issues"].as_array().expect("issues").iter().any(|issue| issue["code"] == "raw-header-text")
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
        let at = |i: usize| usize::try_from(change["span"][i].as_u64().expect("a place")).expect("an offset");
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
