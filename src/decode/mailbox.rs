//! The mailboxes of an address field (RFC 5322, 3.4): names as text, addresses never decoded (rules H3, H6).

use std::borrow::Cow;

use super::phrase::{comment_text, phrase_text};
use super::{RawText, literal_text, raw_text, text};
use crate::ascii::is_printable;
use crate::codec::text::lossy;
use crate::issue::Tally;
use crate::syntax::address::{AddressList, Node, Role, SimpleMailbox, Text, addr_spec, has_no_words, list};

/// Returns the display names and addr-specs in order, groups flattened. A name without an address is kept
/// with an empty addr-spec; without a display name the comment after the address serves, as it did before RFC
/// 822.
pub(crate) fn mailboxes(value: &[u8], raw: &RawText) -> Vec<(String, String)> {
    match SimpleMailbox::list(value) {
        Some(plain) => plain.iter().map(|one| (ascii(one.name), ascii(one.address))).collect(),
        None => any_mailboxes(value, raw),
    }
}

/// Whether an address is in a list, be it a local part alone: whether any of its [`mailboxes`] has one.
pub(crate) fn holds_address(value: &[u8]) -> bool {
    let list = list(value);
    let mut stretches = list.stretches();
    while let Some(stretch) = stretches.next() {
        let mut elements = stretch.elements();
        let is_there =
            |nodes| address(value, &list, nodes, RawText::Unknown).is_some_and(|address| !address.is_empty());
        if elements.any(|nodes| !list.is_lost(nodes) && is_there(nodes)) {
            return true;
        }
    }
    false
}

fn ascii(octets: &[u8]) -> String {
    lossy(octets).into_owned()
}

fn any_mailboxes(value: &[u8], raw: &RawText) -> Vec<(String, String)> {
    let list = list(value);
    let mut stretches = list.stretches();
    let mut found = Vec::new();
    while let Some(stretch) = stretches.next() {
        let mut elements = stretch.elements().peekable();
        while let Some(element) = elements.next() {
            let group = elements.peek().is_none() && stretch.opens_group();
            if !group {
                found.extend(mailbox(value, &list, element, *raw));
            }
        }
    }
    found
}

/// Returns one mailbox, if the nodes hold one.
fn mailbox(value: &[u8], list: &AddressList<'_>, nodes: &[Node], raw: RawText) -> Option<(String, String)> {
    if list.is_lost(nodes) {
        return None;
    }
    if let Some(spec) = address_of_text(value, list, nodes) {
        let (octets, _) = list.text_of(nodes);
        let name = if *spec == *octets { String::new() } else { text(octets, &raw).into_text().into_owned() };
        return Some((name, ascii(&spec)));
    }
    let address = written_address(value, list, nodes, raw);
    let mut name = name(value, list, nodes, raw);
    if name.is_empty() && address.as_ref().is_some_and(|address| !address.is_empty()) {
        let comment = nodes.iter().rfind(|node| node.role == Role::Comment);
        let text = |comment: &Node| comment_text(value, comment.span, raw, &mut Tally::default());
        name = comment.map(text).unwrap_or_default();
    }
    (address.is_some() || !name.is_empty()).then(|| (name, address.unwrap_or_default()))
}

/// The address of a mailbox, if it has one.
fn address(value: &[u8], list: &AddressList<'_>, nodes: &[Node], raw: RawText) -> Option<String> {
    match address_of_text(value, list, nodes) {
        Some(spec) => Some(ascii(&spec)),
        None => written_address(value, list, nodes, raw),
    }
}

/// The address that nodes name of which the grammar makes no mailbox.
fn address_of_text<'v>(value: &'v [u8], list: &AddressList<'_>, nodes: &[Node]) -> Option<Cow<'v, [u8]>> {
    let Text { address } = list.as_text(nodes)?;
    let spec = addr_spec(value, list.tokens_in(address?));
    spec.iter().all(|&octet| is_printable(octet)).then_some(spec)
}

/// The address that stands where one may.
fn written_address(value: &[u8], list: &AddressList<'_>, nodes: &[Node], raw: RawText) -> Option<String> {
    let node = nodes.iter().rfind(|node| node.is_address())?;
    let spec = addr_spec(value, list.tokens(node));
    Some(match literal_text(&spec) {
        Some(text) => text.to_owned(),
        None => raw_text(&spec, node.span, raw, &mut Tally::default()).into_owned(),
    })
}

/// The words of a mailbox; beside an address only what is more than specials.
fn name(value: &[u8], list: &AddressList<'_>, nodes: &[Node], raw: RawText) -> String {
    let has_address = nodes.iter().any(Node::is_address);
    let words = |node| if has_address { list.words(node) } else { list.tokens(node) };
    let phrases = nodes.iter().filter(|node| node.role == Role::Phrase).map(words);
    let phrases = phrases.filter(|words| !has_address || !has_no_words(words));
    let texts = phrases.map(|words| phrase_text(value, words, raw, &mut Tally::default()));
    let name = texts.reduce(|before, text| before + " " + &text).unwrap_or_default();
    if name.trim().len() < name.len() { name.trim().to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decode::Fallback;

    proptest! {
        #[test]
        fn a_list_holds_an_address_if_a_mailbox_has_one(value in r#"([ab <>@,;:().]|\"|\[|\\|\x00|é){0,12}"#) {
            let mailboxes = mailboxes(value.as_bytes(), &RawText::Unknown);
            let is_there = mailboxes.iter().any(|(_, address)| !address.is_empty());
            prop_assert_eq!(holds_address(value.as_bytes()), is_there);
        }

        #[test]
        fn simple_mailboxes_read_alike(
            value in r#"( |"[a-z ]{0,3}"|[A-Z][.]?|<|>|@|,|<?a[.a]{0,2}@b[.c]{0,2}>?|[(:;=?'\t]|=[?]|\r\n |[a-z.]{1,3}){0,12}(\r\n)?"#,
        ) {
            if let Some(plain) = SimpleMailbox::list(value.as_bytes()) {
                for raw in [RawText::Unknown, RawText::Guess(Fallback::NONE)] {
                    prop_assert_eq!(mailboxes(value.as_bytes(), &raw), any_mailboxes(value.as_bytes(), &raw));
                }
                prop_assert!(!plain.is_empty());
            }
        }
    }

    #[test]
    fn simple_is_what_mail_holds() {
        let list = " \"A, B\" <a@b.c>,\r\n John Q. Public <j.q@p.example>, c@d\r\n";
        let found = SimpleMailbox::list(list.as_bytes()).expect("a plain list");
        let names: Vec<_> = found.iter().map(|one| one.name).collect();
        assert_eq!(names, [&b"A, B"[..], b"John Q. Public", b""]);
        for odd in [
            "",
            "a",
            "<a>",
            "a <b@c",
            "a (b) <c@d>",
            "=?a <b@c>",
            "a\r\n b <c@d>",
            "a: b@c;",
            "a@b,",
            "@b",
            "a@.",
        ] {
            assert_eq!(SimpleMailbox::list(odd.as_bytes()), None, "{odd}");
        }
    }
}
