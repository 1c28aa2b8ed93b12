//! `repair` takes one message or one text.

use crate::support::World;

/// Text of a mailbox is not one text.
#[test]
fn a_mailbox_is_sent_to_normalize() {
    let world = World::new();
    let message =
        "From a@example.org Thu Nov 19 10:00:00 2026\nFrom: a@example.org\nSubject: x\n\ntext\n\n";
    world.write("box", message.repeat(2));
    for more in [&[][..], &["--candidates"], &["--as", "koi8-r"]] {
        world
            .run(&[&["repair", "box"], more].concat())
            .exits(65)
            .says(&["is an mbox", "normalize --message NUMBER"]);
    }
}
