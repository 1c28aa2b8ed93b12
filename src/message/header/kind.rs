//! What a field's value is made of (rule H2), by its name.

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
        let mut lower = [0_u8; 32];
        let Some(lower) = lower.get_mut(..name.len()) else { return Self::Unstructured };
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        let listed = |names: &[&str]| names.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok();
        match () {
            () if listed(PARAMETERISED) => Self::Parameterised,
            () if listed(ADDRESS_LISTS) => Self::AddressList,
            () if listed(OPAQUE) || lower.starts_with(b"list-") && lower != b"list-id" => Self::Opaque,
            () if listed(PHRASE_LISTS) => Self::PhraseList,
            () => Self::Unstructured,
        }
    }
}

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
