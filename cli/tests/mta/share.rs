//! How many messages of real mail each policy changes, and how many signatures that breaks. The
//! milter works in this process, without a mail server. `cargo test --test mta share --
//! --nocapture` prints the table of docs/mta.md.

use sevenbit::Code;
use sevenbit_mta::filter::{Action, Fate, Filter, Only};
use sevenbit_mta::laws::filter;
use sevenbit_mta::laws::mail_server::{Mail, OFFER, offer};
use sevenbit_mta::laws::milter::hear;
use sevenbit_mta::octets::Path;

use super::support::{not_tried, real_mail};

/// A stored message as a server sends it, without the line of its mailbox; nothing of what no
/// server may be given.
fn as_sent(stored: &[u8]) -> Option<Vec<u8>> {
    let message = match stored.strip_prefix(b"From ") {
        Some(rest) => &rest[rest.iter().position(|&octet| octet == b'\n')? + 1..],
        None => stored,
    };
    let mut sent = Vec::with_capacity(message.len() + message.len() / 32);
    for line in message.split_inclusive(|&octet| octet == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > 998 || line.iter().any(|octet| b"\r\0".contains(octet)) {
            return None;
        }
        sent.extend_from_slice(line);
        sent.extend_from_slice(b"\r\n");
    }
    (!Mail::of(&sent).fields.is_empty()).then_some(sent)
}

/// The outcome for some messages: how many change, and how many of them lose a signature.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    all: usize,
    changed: usize,
    broken: usize,
}

fn outcome<'m>(messages: impl Iterator<Item = &'m Vec<u8>>, filter: &Filter) -> Outcome {
    let mut outcome = Outcome::default();
    for message in messages {
        let wire = [offer(OFFER), Mail::of(message).shown()].concat();
        let heard = hear([&wire[..]], filter);
        let is_changed = heard.records[0].fate == Fate::Changed;
        let codes = &heard.records[0].codes;
        let loses = codes.contains(&Code::DkimBroken) || codes.contains(&Code::SignatureBroken);
        outcome.all += 1;
        outcome.changed += usize::from(is_changed);
        outcome.broken += usize::from(is_changed && loses);
    }
    outcome
}

#[test]
fn the_share_of_messages_that_each_policy_changes() {
    let mut messages: Vec<Vec<u8>> = real_mail()
        .iter()
        .filter(|(path, _)| path.extension().is_none_or(|extension| extension != "mbox"))
        .filter_map(|(_, stored)| as_sent(stored))
        .collect();
    messages.sort();
    messages.dedup();
    if messages.is_empty() {
        return not_tried("there is no real mail beside the project");
    }

    let unsafe_only = Filter { only: Only::Unsafe, ..filter() };
    let eight_bit = Path { eight_bit: true, smtputf8: false };
    let leaves = vec![(Code::DkimBroken, Action::Leave), (Code::SignatureBroken, Action::Leave)];
    let policies = [
        ("one-reading", filter()),
        (
            "one-reading, signatures left, 8bitmime",
            Filter { on: leaves, carries: eight_bit, ..filter() },
        ),
        ("unsafe", unsafe_only.clone()),
        ("unsafe, 8bitmime", Filter { carries: eight_bit, ..unsafe_only }),
    ];
    for (name, filter) in policies {
        let is_clean = |message: &&Vec<u8>| message.is_ascii();
        let clean = outcome(messages.iter().filter(is_clean), &filter);
        let all = outcome(messages.iter(), &filter);
        println!("{name}: clean {clean:?}, all {all:?}");
        if name.starts_with("unsafe") {
            assert_eq!((clean.changed, clean.broken), (0, 0), "{name}");
        }
        if name.ends_with("8bitmime") {
            // A signature over a header with raw octets cannot be carried without SMTPUTF8.
            assert!(all.broken * 1000 < all.all, "{name}: {all:?}");
        }
    }
}
