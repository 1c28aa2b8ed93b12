//! The mailboxes of an address field (RFC 5322, 3.4): names as text, addresses never decoded (rules H3, H6).

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
    let mut tally = Tally::default();
    if let Some(Text { address: Some(tokens) }) = list.as_text(nodes) {
        let (octets, _) = list.text_of(nodes);
        let spec = addr_spec(value, list.tokens_in(tokens));
        if spec.iter().all(|&octet| is_printable(octet)) {
            let name =
                if *spec == *octets { String::new() } else { text(octets, &raw).into_text().into_owned() };
            return Some((name, ascii(&spec)));
        }
    }
    let mut name: Option<String> = None;
    let mut comment = None;
    let mut address: Option<String> = None;
    let has_address = nodes.iter().any(Node::is_address);
    for node in nodes {
        match node.role {
            Role::Phrase if has_address && has_no_words(list.words(node)) => {}
            Role::Phrase => {
                let words = if has_address { list.words(node) } else { list.tokens(node) };
                let text = phrase_text(value, words, raw, &mut tally);
                name = Some(match name {
                    Some(before) => before + " " + &text,
                    None => text,
                });
            }
            Role::Comment => comment = Some(node.span),
            Role::Angle | Role::Bare => {
                let spec = addr_spec(value, list.tokens(node));
                address = Some(match literal_text(&spec) {
                    Some(text) => text.to_owned(),
                    None => raw_text(&spec, node.span, raw, &mut tally).into_owned(),
                });
            }
            _ => {}
        }
    }
    let mut name = name.unwrap_or_default();
    if name.trim().len() < name.len() {
        name = name.trim().to_owned();
    }
    if name.is_empty() && address.as_ref().is_some_and(|address| !address.is_empty()) {
        name = comment.map(|span| comment_text(value, span, raw, &mut tally)).unwrap_or_default();
    }
    (address.is_some() || !name.is_empty()).then(|| (name, address.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decode::Fallback;

    proptest! {
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
