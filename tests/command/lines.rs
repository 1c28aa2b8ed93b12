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
    world.run(&["mailbox-name", "decode", "--lenient", "&AGE-"]).exits(0).says(&["superfluous-shift"]);
}

#[test]
fn lines_that_are_not_text_fail_and_keep_the_others_in_step() {
    let world = World::new();
    for filter in [&["header", "encode"], &["mailbox-name", "encode"]] {
        let ran = world.run_on(filter, b"one\ntw\xff\nthree\n").exits(65).says(&["line 2", "UTF-8"]);
        assert_eq!(ran.text(), "one\n\nthree\n");
    }
}
