//! The table of what the rules know about a field by its name: one row for each name. The first
//! rows have fixed places (see [`PREFIXES`]); the order of the others does not matter.

mod names;
mod set;

use std::ops::Deref;

pub use set::RowSet;

use crate::ascii::begins;

/// The facts about the fields of one name, or of all names that begin alike.
#[derive(Debug)]
pub struct Row {
    /// In lower case. A name that ends with `-` is a prefix, and covers all names that have no row
    /// of their own.
    pub name: &'static str,
    pub kind: FieldKind,
    pub repeat: Repeat,
    /// The use of the field in MIME, if there is one.
    pub mime: Option<Mime>,
    /// The treatment of an opaque value that 7 bits cannot carry (rule H9).
    pub downgrade: Downgrade,
    pub signature: Option<Signature>,
}

/// The kind of a field, by what its value is made of (rule H2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
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
pub enum Repeat {
    Freely,
    /// Once; another one is not part of it.
    Once,
    /// Several fields of one name form one list.
    OneList,
}

/// The fields of MIME, in the order in which
/// [`Content::read`](crate::facts::content::Content::read) lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mime {
    Version,
    Type,
    TransferEncoding,
    Disposition,
    /// Another field that describes the body.
    Description,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Downgrade {
    /// The tokens that need it are dropped. If nothing useful would be left, the field is renamed.
    DropTokens,
    /// Tokens are dropped likewise, and one that is too long for a line is folded, where white
    /// space means nothing: a URL in brackets (RFC 2369, 2), base64.
    FoldTokens,
    /// The field is renamed, and its value becomes text (RFC 6857, 3.1.10): without some of its
    /// tokens it could mean something else.
    Rename,
    /// The clauses that need it are dropped (RFC 6857, 3.1.4).
    DropClauses,
    /// The tokens that need it are dropped. If what is left does not say the same date, that is
    /// written.
    Date,
    /// An address of type `utf-8` is written in the form for 7 bits (RFC 6533, section 3).
    TypedAddress,
}

/// The kind of a signature, by what it signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// The fields that it lists, and the body.
    Message,
    /// The ARC fields (RFC 8617).
    Seals,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowId(u8);

impl RowId {
    pub(super) const OTHER: Self = Self(0);
    pub const UNPARSED: Self = Self(1);
    pub const UNREAD: Self = Self(PREFIXES.end);

    /// How many rows there are.
    pub const COUNT: usize = ROWS.len();

    /// Returns the row of the field of that name, in any case. A known name with a comment in it is
    /// not a name, though the grammar allows parentheses in names: some readers take it for the
    /// name without the comment.
    #[inline(always)]
    pub fn of(name: &[u8]) -> Self {
        names::find(name).map_or_else(|| Self::of_unknown(name), Self)
    }

    #[inline(never)]
    fn of_unknown(name: &[u8]) -> Self {
        if name.contains(&b'(')
            && ![Self::OTHER, Self::UNREAD].contains(&Self::of(&names::without_comments(name)))
        {
            return Self::UNPARSED;
        }
        let named = |prefix: &u8| begins(name, ROWS[usize::from(*prefix)].name.as_bytes());
        Self(PREFIXES.into_iter().find(named).unwrap_or(0))
    }

    /// Returns whether even a clean field has to be read to see that it is in normal form: one of
    /// MIME, one that names people, a line that is not a field, or what is past a limit.
    #[inline(always)]
    pub fn is_read(self) -> bool {
        self.mime.is_some() || self.names_people() || matches!(self, Self::UNPARSED | Self::UNREAD)
    }
}

impl Deref for RowId {
    type Target = Row;

    fn deref(&self) -> &Row {
        &ROWS[usize::from(self.0)]
    }
}

impl Row {
    /// Returns whether the field describes the body.
    pub fn is_content(&self) -> bool {
        matches!(self.mime, Some(mime) if mime != Mime::Version)
    }

    /// Returns whether the value says whom a message is for.
    pub fn is_recipients(&self) -> bool {
        self.repeat == Repeat::OneList
    }

    /// Returns whether people read the value as who wrote, or to whom: such lists are written as
    /// the grammar says (rule H6).
    pub fn names_people(&self) -> bool {
        self.kind == FieldKind::AddressList && self.repeat != Repeat::Freely
    }

    /// Returns whether the value says who wrote a message, or sent it.
    pub fn names_sender(&self) -> bool {
        matches!(self.name, "from" | "sender")
    }

    /// Returns whether an ARC seal covers the field (RFC 8617, 5.1.1).
    pub fn is_sealed(&self) -> bool {
        self.name.starts_with("arc-")
    }

    /// Returns the fields that an ARC seal covers.
    pub fn all_sealed() -> impl Iterator<Item = &'static Self> {
        ROWS.iter().filter(|row| row.is_sealed())
    }

    const fn once(self) -> Self {
        Self { repeat: Repeat::Once, ..self }
    }

    const fn recipients(self) -> Self {
        Self { repeat: Repeat::OneList, ..self }
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
}

/// A row that says nothing but how the values are parsed.
const fn row(name: &'static str, kind: FieldKind) -> Row {
    Row {
        name,
        kind,
        repeat: Repeat::Freely,
        mime: None,
        downgrade: Downgrade::DropTokens,
        signature: None,
    }
}

/// The indexes of the prefixes. Before them are the row of all other names, and that of lines that
/// are not fields.
const PREFIXES: std::ops::Range<u8> = 2..4;

static ROWS: [Row; 90] = [
    row("", FieldKind::Text),
    row("", FieldKind::Unparsed),
    row("content-", FieldKind::Text).content(Mime::Description),
    row("list-", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("x-unread", FieldKind::Text),
    row("accept-language", FieldKind::Opaque),
    row("apparently-to", FieldKind::AddressList),
    row("arc-authentication-results", FieldKind::Opaque).renamed(),
    row("arc-message-signature", FieldKind::Opaque).renamed().signs(Signature::Message),
    row("arc-seal", FieldKind::Opaque).renamed().signs(Signature::Seals),
    row("archived-at", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("arrival-date", FieldKind::Opaque).downgraded(Downgrade::Date),
    row("authentication-results", FieldKind::Opaque).renamed(),
    row("author", FieldKind::AddressList),
    row("auto-submitted", FieldKind::Opaque),
    row("autocrypt", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("autocrypt-gossip", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("bcc", FieldKind::AddressList).recipients(),
    row("cc", FieldKind::AddressList).recipients(),
    row("content-disposition", FieldKind::Parameters).content(Mime::Disposition),
    row("content-duration", FieldKind::Opaque).content(Mime::Description),
    row("content-features", FieldKind::Opaque).content(Mime::Description),
    row("content-id", FieldKind::Opaque).content(Mime::Description),
    row("content-language", FieldKind::Opaque).content(Mime::Description),
    row("content-md5", FieldKind::Opaque).content(Mime::Description),
    row("content-transfer-encoding", FieldKind::Opaque).renamed().content(Mime::TransferEncoding),
    row("content-type", FieldKind::Parameters).content(Mime::Type),
    row("date", FieldKind::Opaque).downgraded(Downgrade::Date).once(),
    row("deferred-delivery", FieldKind::Opaque).downgraded(Downgrade::Date),
    row("delivered-to", FieldKind::AddressList),
    row("delivery-date", FieldKind::Opaque).downgraded(Downgrade::Date),
    row("disposition-notification-to", FieldKind::AddressList),
    row("dkim-signature", FieldKind::Opaque).renamed().signs(Signature::Message),
    row("domainkey-signature", FieldKind::Opaque).renamed(),
    row("encrypted", FieldKind::Opaque).renamed(),
    row("envelope-to", FieldKind::AddressList),
    row("errors-to", FieldKind::AddressList),
    row("expires", FieldKind::Opaque).downgraded(Downgrade::Date),
    row("expiry-date", FieldKind::Opaque).downgraded(Downgrade::Date),
    row("face", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("final-recipient", FieldKind::Opaque).downgraded(Downgrade::TypedAddress),
    row("from", FieldKind::AddressList).once(),
    row("importance", FieldKind::Opaque),
    row("in-reply-to", FieldKind::Opaque),
    row("keywords", FieldKind::PhraseList),
    row("last-attempt-date", FieldKind::Opaque).downgraded(Downgrade::Date),
    row("list-archive", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("list-help", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("list-id", FieldKind::PhraseList),
    row("list-owner", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("list-post", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("list-subscribe", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("list-unsubscribe", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("list-unsubscribe-post", FieldKind::Opaque),
    row("mail-followup-to", FieldKind::AddressList),
    row("mail-reply-to", FieldKind::AddressList),
    row("message-id", FieldKind::Opaque).once(),
    Row { mime: Some(Mime::Version), ..row("mime-version", FieldKind::Opaque) },
    row("newsgroups", FieldKind::Opaque),
    row("obsoletes", FieldKind::Opaque),
    row("original-from", FieldKind::AddressList),
    row("original-message-id", FieldKind::Opaque),
    row("original-recipient", FieldKind::Opaque).downgraded(Downgrade::TypedAddress),
    row("path", FieldKind::Opaque),
    row("received", FieldKind::Opaque).downgraded(Downgrade::DropClauses),
    row("received-spf", FieldKind::Opaque).renamed(),
    row("references", FieldKind::Opaque),
    row("reply-by", FieldKind::Opaque).downgraded(Downgrade::Date),
    row("reply-to", FieldKind::AddressList).once(),
    row("reporting-mta", FieldKind::Opaque),
    row("resent-bcc", FieldKind::AddressList),
    row("resent-cc", FieldKind::AddressList),
    row("resent-date", FieldKind::Opaque).downgraded(Downgrade::Date),
    row("resent-from", FieldKind::AddressList),
    row("resent-message-id", FieldKind::Opaque),
    row("resent-reply-to", FieldKind::AddressList),
    row("resent-sender", FieldKind::AddressList),
    row("resent-to", FieldKind::AddressList),
    row("return-path", FieldKind::AddressList),
    row("return-receipt-to", FieldKind::AddressList),
    row("sender", FieldKind::AddressList).once(),
    row("subject", FieldKind::Text).once(),
    row("supersedes", FieldKind::Opaque),
    row("thread-index", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("to", FieldKind::AddressList).recipients(),
    row("x-envelope-from", FieldKind::AddressList),
    row("x-envelope-to", FieldKind::AddressList),
    row("x-google-dkim-signature", FieldKind::Opaque).downgraded(Downgrade::FoldTokens),
    row("x-original-to", FieldKind::AddressList),
    row("xref", FieldKind::Opaque),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case() {
        assert_eq!(RowId::of(b"FROM").kind, FieldKind::AddressList);
        assert_eq!(RowId::of(b"Content-type").kind, FieldKind::Parameters);
        assert_eq!(RowId::of(b"List-Id").kind, FieldKind::PhraseList);
        assert_eq!(RowId::of(b"List-Something").kind, FieldKind::Opaque);
        assert!(RowId::of(b"Content-Something").is_content());
        assert_eq!(RowId::of(b"X-Anything").kind, FieldKind::Text);
        assert_eq!(RowId::of(&[b'x'; 400]).kind, FieldKind::Text);
        assert_eq!(RowId::of(b"").kind, FieldKind::Text);
    }

    /// As [`is_in_any_case`](crate::ascii::is_in_any_case) expects.
    #[test]
    fn names_are_in_lower_case() {
        let is_name_octet =
            |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'-';
        assert!(ROWS.iter().all(|row| row.name.bytes().all(is_name_octet)));
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
