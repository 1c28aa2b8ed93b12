//! Which field of those that rules speak of this is.

/// The fields that the planner asks for by name: told apart once, while they are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Tag {
    Other,
    From,
    Sender,
    To,
    Cc,
    Bcc,
    ReplyTo,
    Subject,
    Date,
    MessageId,
    MimeVersion,
    ContentType,
    ContentTransferEncoding,
    ContentDisposition,
    /// Any other field whose name begins with `Content-`.
    Content,
}

impl Tag {
    pub(crate) fn of(name: &[u8]) -> Self {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        match (name.len(), name.first().map_or(0, |octet| octet | 0x20)) {
            (4, b'f') if is("from") => Self::From,
            (4, b'd') if is("date") => Self::Date,
            (6, b's') if is("sender") => Self::Sender,
            (2, b't') if is("to") => Self::To,
            (2, b'c') if is("cc") => Self::Cc,
            (3, b'b') if is("bcc") => Self::Bcc,
            (8, b'r') if is("reply-to") => Self::ReplyTo,
            (7, b's') if is("subject") => Self::Subject,
            (10, b'm') if is("message-id") => Self::MessageId,
            (12, b'm') if is("mime-version") => Self::MimeVersion,
            (12, b'c') if is("content-type") => Self::ContentType,
            (25, b'c') if is("content-transfer-encoding") => Self::ContentTransferEncoding,
            (19, b'c') if is("content-disposition") => Self::ContentDisposition,
            (8.., b'c') if name[..8].eq_ignore_ascii_case(b"content-") => Self::Content,
            _ => Self::Other,
        }
    }

    /// The name, in lower case, of a field that the tag tells from all others.
    pub(crate) fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::From => "from",
            Self::Sender => "sender",
            Self::To => "to",
            Self::Cc => "cc",
            Self::Bcc => "bcc",
            Self::ReplyTo => "reply-to",
            Self::Subject => "subject",
            Self::Date => "date",
            Self::MessageId => "message-id",
            Self::MimeVersion => "mime-version",
            Self::ContentType => "content-type",
            Self::ContentTransferEncoding => "content-transfer-encoding",
            Self::ContentDisposition => "content-disposition",
            Self::Other | Self::Content => return None,
        })
    }

    /// Whether the field may stand once, and another one is no part of it (rule H10); of `Content` each name may.
    pub(crate) fn is_single(self) -> bool {
        self != Self::Other && self != Self::MimeVersion && !self.is_recipients()
    }

    /// Whether people read the value as who wrote, and to whom.
    pub(crate) fn has_addresses(self) -> bool {
        matches!(self, Self::From | Self::Sender) || self.is_recipients()
    }

    /// Whether the value is whom a message is for, or whom an answer is; several such fields of one name are one list.
    pub(crate) fn is_recipients(self) -> bool {
        matches!(self, Self::To | Self::Cc | Self::Bcc | Self::ReplyTo)
    }

    /// Whether the value has parameters.
    pub(crate) fn has_parameters(self) -> bool {
        matches!(self, Self::ContentType | Self::ContentDisposition)
    }

    /// Whether it belongs to MIME's description of the body.
    pub(crate) fn is_content(self) -> bool {
        self >= Self::ContentType
    }
}
