//! What the rules know about a field by its name: one row for each name. The first rows have
//! fixed places (see [`PREFIXES`]); the order of the others does not matter.

mod names;
mod set;

use std::ops::Deref;

pub(crate) use set::RowSet;

/// What is known about the fields of one name, or of all names that begin alike.
#[derive(Debug)]
pub(crate) struct Row {
    /// In lower case. A name that ends with `-` is a prefix, and covers all names that have no row of their
    /// own.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) repeat: Repeat,
    /// Whether people read the value as who wrote, or to whom: such lists are written as the grammar says
    /// (rule H6).
    pub(crate) names_people: bool,
    /// What MIME uses the field for.
    pub(crate) mime: Option<Mime>,
    /// What becomes of an opaque value that 7 bits cannot carry (rule H9).
    pub(crate) downgrade: Downgrade,
    pub(crate) signature: Option<Signature>,
    /// Whether an ARC seal covers the field (RFC 8617, 5.1.1).
    pub(crate) is_sealed: bool,
}

/// What a value is made of (rule H2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text, as in Subject.
    Text,
    /// Mailboxes and groups.
    AddressList,
    /// Phrases between commas, and what follows one in angle brackets.
    PhraseList,
    /// A value and parameters.
    Parameters,
    /// Tokens that are never encoded; text only in comments.
    Opaque,
    /// A line that is not a field.
    Unparsed,
}

/// How often a field may occur in a header section (rule H10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    Freely,
    /// Once; another one is not part of it.
    Once,
    /// Several fields of one name form one list.
    OneList,
}

/// The fields of MIME.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mime {
    Version,
    Type,
    TransferEncoding,
    Disposition,
    /// Another field that describes the body.
    Description,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Downgrade {
    /// The tokens that need it are dropped. If nothing useful would be left, the field is renamed.
    DropTokens,
    /// The same; URLs in brackets are folded (RFC 2369, 2).
    FoldUrls,
    /// The field is renamed, and its value becomes text (RFC 6857, 3.1.10): without some of its tokens it could
    /// mean something else.
    Rename,
    /// The clauses that need it are dropped (RFC 6857, 3.1.4).
    DropClauses,
    /// An address of type `utf-8` is written in the form for 7 bits (RFC 6533, section 3).
    TypedAddress,
}

/// What a field signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signature {
    /// The fields that it lists, and the body.
    Message,
    /// The ARC fields (RFC 8617).
    Seals,
}

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowId(u8);

impl RowId {
    pub(super) const UNPARSED: Self = Self(1);

    /// How many rows there are.
    pub(crate) const COUNT: usize = ROWS.len();

    /// Returns the row of the field of that name, in any case. A known name with a comment in it is not a
    /// name, though the grammar allows parentheses in names: some readers take it for the name without the
    /// comment.
    #[inline(always)]
    pub(crate) fn of(name: &[u8]) -> Self {
        names::find(name).map_or_else(|| Self::of_unknown(name), Self)
    }

    #[inline(never)]
    fn of_unknown(name: &[u8]) -> Self {
        if name.contains(&b'(') && Self::of(&names::without_comments(name)) != Self(0) {
            return Self::UNPARSED;
        }
        let named = |prefix: &u8| begins(name, ROWS[usize::from(*prefix)].name.as_bytes());
        Self(PREFIXES.into_iter().find(named).unwrap_or(0))
    }
}

impl Deref for RowId {
    type Target = Row;

    fn deref(&self) -> &Row {
        &ROWS[usize::from(self.0)]
    }
}

impl std::fmt::Debug for RowId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.name)
    }
}

impl Row {
    /// Returns whether the field describes the body.
    pub(crate) fn is_content(&self) -> bool {
        matches!(self.mime, Some(mime) if mime != Mime::Version)
    }

    /// Returns whether the value says whom a message, or a reply to it, is for.
    pub(crate) fn is_recipients(&self) -> bool {
        self.repeat == Repeat::OneList
    }

    /// Returns the fields that an ARC seal covers.
    pub(crate) fn all_sealed() -> impl Iterator<Item = &'static Self> {
        ROWS.iter().filter(|row| row.is_sealed)
    }

    const fn new(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            repeat: Repeat::Freely,
            names_people: false,
            mime: None,
            downgrade: Downgrade::DropTokens,
            signature: None,
            is_sealed: false,
        }
    }

    const fn once(self) -> Self {
        Self { repeat: Repeat::Once, ..self }
    }

    const fn people(self) -> Self {
        Self { names_people: true, ..self }
    }

    const fn recipients(self) -> Self {
        Self { repeat: Repeat::OneList, ..self.people() }
    }

    const fn content(self, mime: Mime) -> Self {
        Self { mime: Some(mime), ..self.once() }
    }

    const fn downgraded(self, downgrade: Downgrade) -> Self {
        Self { downgrade, ..self }
    }

    const fn renamed(self) -> Self {
        self.downgraded(Downgrade::Rename)
    }

    const fn signs(self, what: Signature) -> Self {
        Self { signature: Some(what), ..self }
    }

    const fn sealed(self) -> Self {
        Self { is_sealed: true, ..self }
    }
}

const fn text(name: &'static str) -> Row {
    Row::new(name, Kind::Text)
}

const fn addresses(name: &'static str) -> Row {
    Row::new(name, Kind::AddressList)
}

const fn phrases(name: &'static str) -> Row {
    Row::new(name, Kind::PhraseList)
}

const fn parameters(name: &'static str) -> Row {
    Row::new(name, Kind::Parameters)
}

const fn opaque(name: &'static str) -> Row {
    Row::new(name, Kind::Opaque)
}

const fn urls(name: &'static str) -> Row {
    opaque(name).downgraded(Downgrade::FoldUrls)
}

/// The indexes of the prefixes. Before them are the row of all other names, and that of lines that are not
/// fields.
const PREFIXES: std::ops::Range<u8> = 2..4;

static ROWS: [Row; 83] = [
    text(""),
    Row::new("", Kind::Unparsed),
    text("content-").content(Mime::Description),
    urls("list-"),
    opaque("accept-language"),
    addresses("apparently-to"),
    opaque("arc-authentication-results").renamed().sealed(),
    opaque("arc-message-signature").renamed().sealed().signs(Signature::Message),
    opaque("arc-seal").renamed().sealed().signs(Signature::Seals),
    opaque("arrival-date"),
    opaque("authentication-results").renamed(),
    addresses("author"),
    opaque("auto-submitted"),
    addresses("bcc").recipients(),
    addresses("cc").recipients(),
    parameters("content-disposition").content(Mime::Disposition),
    opaque("content-duration").content(Mime::Description),
    opaque("content-features").content(Mime::Description),
    opaque("content-id").content(Mime::Description),
    opaque("content-language").content(Mime::Description),
    opaque("content-md5").content(Mime::Description),
    opaque("content-transfer-encoding").renamed().content(Mime::TransferEncoding),
    parameters("content-type").content(Mime::Type),
    opaque("date").once(),
    opaque("deferred-delivery"),
    addresses("delivered-to"),
    opaque("delivery-date"),
    addresses("disposition-notification-to"),
    opaque("dkim-signature").renamed().signs(Signature::Message),
    opaque("domainkey-signature").renamed(),
    opaque("encrypted").renamed(),
    addresses("envelope-to"),
    addresses("errors-to"),
    opaque("expires"),
    opaque("expiry-date"),
    opaque("final-recipient").downgraded(Downgrade::TypedAddress),
    addresses("from").once().people(),
    opaque("importance"),
    opaque("in-reply-to"),
    phrases("keywords"),
    opaque("last-attempt-date"),
    urls("list-archive"),
    urls("list-help"),
    phrases("list-id"),
    urls("list-owner"),
    urls("list-post"),
    urls("list-subscribe"),
    urls("list-unsubscribe"),
    opaque("list-unsubscribe-post"),
    addresses("mail-followup-to"),
    addresses("mail-reply-to"),
    opaque("message-id").once(),
    Row { mime: Some(Mime::Version), ..opaque("mime-version").renamed() },
    opaque("newsgroups"),
    opaque("obsoletes"),
    addresses("original-from"),
    opaque("original-message-id"),
    opaque("original-recipient").downgraded(Downgrade::TypedAddress),
    opaque("path"),
    opaque("received").downgraded(Downgrade::DropClauses),
    opaque("received-spf").renamed(),
    opaque("references"),
    opaque("reply-by"),
    addresses("reply-to").recipients(),
    opaque("reporting-mta"),
    addresses("resent-bcc"),
    addresses("resent-cc"),
    opaque("resent-date"),
    addresses("resent-from"),
    opaque("resent-message-id"),
    addresses("resent-reply-to"),
    addresses("resent-sender"),
    addresses("resent-to"),
    addresses("return-path"),
    addresses("return-receipt-to"),
    addresses("sender").once().people(),
    text("subject").once(),
    opaque("supersedes"),
    addresses("to").recipients(),
    addresses("x-envelope-from"),
    addresses("x-envelope-to"),
    addresses("x-original-to"),
    opaque("xref"),
];

/// Returns whether a name begins with `prefix`, in any case.
#[inline]
pub(super) fn begins(name: &[u8], prefix: &[u8]) -> bool {
    name.get(..prefix.len()).is_some_and(|head| {
        // Most names differ in their first octet: this saves a call.
        head.first().map(u8::to_ascii_lowercase) == prefix.first().copied()
            && head.eq_ignore_ascii_case(prefix)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case() {
        assert_eq!(RowId::of(b"FROM").kind, Kind::AddressList);
        assert_eq!(RowId::of(b"Content-type").kind, Kind::Parameters);
        assert_eq!(RowId::of(b"List-Id").kind, Kind::PhraseList);
        assert_eq!(RowId::of(b"List-Something").kind, Kind::Opaque);
        assert!(RowId::of(b"Content-Something").is_content());
        assert_eq!(RowId::of(b"X-Anything").kind, Kind::Text);
        assert_eq!(RowId::of(&[b'x'; 400]).kind, Kind::Text);
        assert_eq!(RowId::of(b"").kind, Kind::Text);
    }

    #[test]
    fn every_row_is_found_by_its_name() {
        for (at, row) in ROWS.iter().enumerate().skip(2) {
            let is_prefix = PREFIXES.contains(&u8::try_from(at).unwrap());
            let name = if is_prefix { format!("{}a-name", row.name) } else { row.name.to_owned() };
            assert_eq!(usize::from(RowId::of(name.to_uppercase().as_bytes()).0), at, "{name}");
            assert_eq!(row.name.ends_with('-'), is_prefix, "{name}");
        }
    }

    /// A row of its own must not lose what the prefix of its name says.
    #[test]
    fn rows_say_what_their_prefix_says() {
        for row in &ROWS[usize::from(PREFIXES.end)..] {
            for prefix in &ROWS[usize::from(PREFIXES.start)..usize::from(PREFIXES.end)] {
                if row.name.starts_with(prefix.name) {
                    assert_eq!(row.is_content(), prefix.is_content(), "{}", row.name);
                    assert_eq!(row.repeat, prefix.repeat, "{}", row.name);
                }
            }
        }
    }
}
