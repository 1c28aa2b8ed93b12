//! What a field's value is made of (rule H2), by its name.

use std::sync::LazyLock;

/// The kinds of fields that are read and written differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// Text, as in Subject; also every name that is not known.
    Unstructured,
    /// Mailboxes and groups.
    AddressList,
    /// Phrases between commas, and what stands in angle brackets behind one.
    PhraseList,
    /// A value and parameters.
    Parameterised,
    /// Tokens that are never encoded; text only in comments.
    Opaque,
}

/// The longest name that is looked up.
const MOST_KNOWN: usize = 32;

const ADDRESS_LISTS: &[&str] = &[
    "apparently-to",
    "author",
    "bcc",
    "cc",
    "delivered-to",
    "disposition-notification-to",
    "envelope-to",
    "errors-to",
    "from",
    "mail-followup-to",
    "mail-reply-to",
    "original-from",
    "reply-to",
    "resent-bcc",
    "resent-cc",
    "resent-from",
    "resent-reply-to",
    "resent-sender",
    "resent-to",
    "return-path",
    "return-receipt-to",
    "sender",
    "to",
    "x-envelope-from",
    "x-envelope-to",
    "x-original-to",
];

const PHRASE_LISTS: &[&str] = &["keywords", "list-id"];

const PARAMETERISED: &[&str] = &["content-disposition", "content-type"];

const OPAQUE: &[&str] = &[
    "accept-language",
    "arc-authentication-results",
    "arc-message-signature",
    "arc-seal",
    "arrival-date",
    "authentication-results",
    "auto-submitted",
    "content-duration",
    "content-features",
    "content-id",
    "content-language",
    "content-md5",
    "content-transfer-encoding",
    "date",
    "deferred-delivery",
    "delivery-date",
    "dkim-signature",
    "domainkey-signature",
    "encrypted",
    "expires",
    "expiry-date",
    "final-recipient",
    "importance",
    "in-reply-to",
    "last-attempt-date",
    "list-archive",
    "list-help",
    "list-owner",
    "list-post",
    "list-subscribe",
    "list-unsubscribe",
    "list-unsubscribe-post",
    "message-id",
    "mime-version",
    "newsgroups",
    "obsoletes",
    "original-message-id",
    "original-recipient",
    "path",
    "received",
    "received-spf",
    "references",
    "reply-by",
    "reporting-mta",
    "resent-date",
    "resent-message-id",
    "supersedes",
    "xref",
];

impl FieldKind {
    /// The kind of the field of that name, in any case.
    pub(crate) fn of(name: &[u8]) -> Self {
        let Some(known) = KNOWN.get(name.len()) else { return Self::Unstructured };
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        match known.iter().find(|(known, _)| is(known)) {
            Some((_, kind)) => *kind,
            None if name.len() >= 5 && name[..5].eq_ignore_ascii_case(b"list-") => Self::Opaque,
            None => Self::Unstructured,
        }
    }
}

/// Names that are known, by their length: most of any length are few.
static KNOWN: LazyLock<[Vec<(&str, FieldKind)>; MOST_KNOWN + 1]> = LazyLock::new(|| {
    let mut known = [const { Vec::new() }; MOST_KNOWN + 1];
    let listed = [
        (ADDRESS_LISTS, FieldKind::AddressList),
        (PHRASE_LISTS, FieldKind::PhraseList),
        (PARAMETERISED, FieldKind::Parameterised),
        (OPAQUE, FieldKind::Opaque),
    ];
    for (names, kind) in listed {
        names.iter().for_each(|name| known[name.len()].push((*name, kind)));
    }
    known
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case() {
        assert_eq!(FieldKind::of(b"FROM"), FieldKind::AddressList);
        assert_eq!(FieldKind::of(b"Content-type"), FieldKind::Parameterised);
        assert_eq!(FieldKind::of(b"List-Id"), FieldKind::PhraseList);
        assert_eq!(FieldKind::of(b"List-Something"), FieldKind::Opaque);
        assert_eq!(FieldKind::of(b"X-Anything"), FieldKind::Unstructured);
        assert_eq!(FieldKind::of(&[b'x'; 400]), FieldKind::Unstructured);
    }

    #[test]
    fn tables_are_sorted() {
        for table in [ADDRESS_LISTS, PHRASE_LISTS, PARAMETERISED, OPAQUE] {
            assert!(table.is_sorted());
        }
    }
}
