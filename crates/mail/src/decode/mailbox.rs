//! The mailboxes of an address field (RFC 5322, 3.4): names as text, addresses never decoded (rules
//! H3, H6).

use super::phrase::{comment_text, phrase_text};
use super::{RawText, literal_text, raw_text, text};
use crate::codec::text::lossy;
use crate::report::Tally;
use crate::syntax::address::{
    AddressList, Entry, Mailbox, Piece, SimpleMailbox, Words, list, without_cuts,
};

/// Returns the display names and addr-specs in order, groups flattened. A name without an address
/// is kept with an empty addr-spec; without a display name the comment after the address serves, as
/// it did before RFC 822.
pub fn mailboxes(value: &[u8], raw: &RawText) -> Vec<(String, String)> {
    match SimpleMailbox::list(value) {
        Some(plain) => plain.iter().map(|one| (ascii(one.name), ascii(one.address))).collect(),
        None => any_mailboxes(value, *raw),
    }
}

/// One entry of an address list: a mailbox, or a group with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    Mailbox(String, String),
    Group(String, Vec<(String, String)>),
}

/// Returns the entries in order, as [`mailboxes`] reads them, with groups kept: also those without
/// members.
pub fn addresses(value: &[u8], raw: &RawText) -> Vec<Address> {
    if let Some(plain) = SimpleMailbox::list(value) {
        let one = |one: &SimpleMailbox<'_>| Address::Mailbox(ascii(one.name), ascii(one.address));
        return plain.iter().map(one).collect();
    }
    let whole = without_cuts(value);
    let list = list(&whole);
    let (mut entries, mut found) = (list.entries.iter(), Vec::new());
    while let Some(entry) = entries.next() {
        if let Entry::Group(name) = entry {
            let members = entries.by_ref().take_while(|entry| !matches!(entry, Entry::End(_)));
            let members = members.filter_map(|entry| member(&list, entry, *raw)).collect();
            found.push(Address::Group(words_text(&list, *name, *raw), members));
        } else if let Some((name, address)) = member(&list, entry, *raw) {
            found.push(Address::Mailbox(name, address));
        }
    }
    found
}

fn ascii(octets: &[u8]) -> String {
    lossy(octets).into_owned()
}

fn any_mailboxes(value: &[u8], raw: RawText) -> Vec<(String, String)> {
    let whole = without_cuts(value);
    let list = list(&whole);
    list.members().filter_map(|entry| member(&list, entry, raw)).collect()
}

/// Returns the name and the address of an entry that is not a group.
fn member(list: &AddressList<'_>, entry: &Entry, raw: RawText) -> Option<(String, String)> {
    match entry {
        Entry::Mailbox(mailbox) => Some(read(list, mailbox, raw)),
        Entry::Text(words) => Some((words_text(list, *words, raw), String::new()))
            .filter(|(name, _)| !name.is_empty()),
        _ => None,
    }
}

/// Returns the name and the address of a mailbox.
fn read(list: &AddressList<'_>, mailbox: &Mailbox, raw: RawText) -> (String, String) {
    let spec = list.spec(mailbox);
    let address = match literal_text(&spec) {
        Some(text) => text.to_owned(),
        None => {
            raw_text(&spec, list.span(mailbox.address), raw, &mut Tally::default()).into_owned()
        }
    };
    let mut name = name(list, mailbox, raw);
    if name.is_empty() && !address.is_empty() {
        let comments =
            [mailbox.before(), mailbox.after()].into_iter().flat_map(|words| list.pieces(words));
        let last = comments
            .filter_map(|piece| if let Piece::Comment(span) = piece { Some(span) } else { None })
            .last();
        let text = |comment| comment_text(list.value, comment, raw, &mut Tally::default());
        name = last.map(text).unwrap_or_default();
    }
    (name, address)
}

fn name(list: &AddressList<'_>, mailbox: &Mailbox, raw: RawText) -> String {
    if let Some((octets, _)) = list.name_as_text(mailbox) {
        return text(octets, &raw).into_text().trim().to_owned();
    }
    let phrases = list.names(mailbox.before()).chain(list.names(mailbox.after()));
    joined(phrases.map(|phrase| phrase_text(list.value, phrase, raw, &mut Tally::default())))
}

/// Returns the text of words that are not a mailbox.
pub fn words_text(list: &AddressList<'_>, words: Words, raw: RawText) -> String {
    joined(list.pieces(words).filter_map(|piece| match piece {
        Piece::Phrase(phrase) => Some(phrase_text(list.value, phrase, raw, &mut Tally::default())),
        Piece::Comment(_) => None,
    }))
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    let text = texts.reduce(|before, text| before + " " + &text).unwrap_or_default();
    if text.trim().len() < text.len() { text.trim().to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn simple_mailboxes_read_alike(
            value in r#"( |"[a-z ]{0,3}"|[A-Z][.]?|<|>|@|,|<?a[.a]{0,2}@b[.c]{0,2}>?|[(:;=?'\t]|=[?]|\r\n |[a-z.]{1,3}){0,12}(\r\n)?"#,
        ) {
            if let Some(plain) = SimpleMailbox::list(value.as_bytes()) {
                for raw in [RawText::Unknown, RawText::Alone] {
                    prop_assert_eq!(mailboxes(value.as_bytes(), &raw), any_mailboxes(value.as_bytes(), raw));
                }
                prop_assert!(!plain.is_empty());
            }
        }
    }

    #[test]
    fn groups_are_kept() {
        let read = |value: &str| addresses(value.as_bytes(), &RawText::Unknown);
        let one = |name: &str, address: &str| Address::Mailbox(name.into(), address.into());
        let group = |name: &str, members: &[(&str, &str)]| {
            let members =
                members.iter().map(|&(name, address)| (name.into(), address.into())).collect();
            Address::Group(name.into(), members)
        };
        assert_eq!(read("undisclosed-recipients:;"), [group("undisclosed-recipients", &[])]);
        assert_eq!(read("undisclosed recipients;"), [group("undisclosed recipients", &[])]);
        assert_eq!(
            read("a@b, =?utf-8?Q?Caf=C3=A9?=: Ada <c@d>, e@f; , g@h"),
            [one("", "a@b"), group("Café", &[("Ada", "c@d"), ("", "e@f")]), one("", "g@h")]
        );
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
