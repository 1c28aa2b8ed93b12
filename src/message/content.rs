//! What the Content- fields of an entity say, read leniently.

use crate::decode::{self, Parameters, RawText};
use crate::transfer::{Spelling, TransferEncoding};

use super::fields::{Field, Tag};

/// The first Content-Type, Content-Transfer-Encoding and Content-Disposition of an entity (rule H10).
#[derive(Clone, Debug)]
pub(crate) struct Content {
    /// The media type in lower case; `text/plain` where there is none that can be read.
    pub(crate) media_type: String,
    pub(crate) parameters: Parameters,
    pub(crate) encoding: TransferEncoding,
    pub(crate) spelling: Spelling,
    pub(crate) disposition: Option<Parameters>,
    /// Indexes into the tree's fields.
    pub(crate) type_field: Option<usize>,
    pub(crate) encoding_field: Option<usize>,
    pub(crate) disposition_field: Option<usize>,
}

impl Content {
    /// Reads `fields`, whose first has index `base` in the tree.
    pub(crate) fn read(source: &[u8], fields: &[Field], base: usize, default_type: &str) -> Self {
        let first = |tag| fields.iter().position(|field| field.tag == tag);
        let value = |at: usize| fields[at].value_of(source);
        let raw = RawText::Guess(None);
        let type_field = first(Tag::ContentType);
        let encoding_field = first(Tag::ContentTransferEncoding);
        let disposition_field = first(Tag::ContentDisposition);
        let parameters = type_field.map(|at| decode::parameters(value(at), &raw)).unwrap_or_default();
        let media_type = match type_field {
            None => default_type,
            Some(_) => parameters.media_type().unwrap_or("text/plain"),
        };
        let (encoding, spelling) = encoding_field
            .map_or((TransferEncoding::SevenBit, Spelling::Exact), |at| TransferEncoding::read(value(at)));
        Self {
            media_type: media_type.to_owned(),
            parameters,
            encoding,
            spelling,
            disposition: disposition_field.map(|at| decode::parameters(value(at), &raw)),
            type_field: type_field.map(|at| base + at),
            encoding_field: encoding_field.map(|at| base + at),
            disposition_field: disposition_field.map(|at| base + at),
        }
    }

    /// The part of the media type before the slash.
    pub(crate) fn top_type(&self) -> &str {
        self.media_type.split('/').next().unwrap_or_default()
    }

    /// The charset label as it was given.
    pub(crate) fn charset_label(&self) -> Option<&str> {
        self.parameters.get("charset")
    }

    /// `attachment`, `inline`...
    pub(crate) fn disposition_type(&self) -> Option<&str> {
        self.disposition
            .as_ref()
            .map(|disposition| disposition.value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// The file name, from Content-Disposition or else Content-Type.
    pub(crate) fn filename(&self) -> Option<&str> {
        let disposition = self.disposition.as_ref().and_then(|disposition| disposition.get("filename"));
        disposition.or_else(|| self.parameters.get("name")).filter(|name| !name.is_empty())
    }

    /// Whether this is text that is shown with the message (rule B5), not kept as a file.
    pub(crate) fn is_inline_text(&self) -> bool {
        const SHOWN: [&str; 8] = [
            "text/plain",
            "text/html",
            "text/enriched",
            "text/richtext",
            "text/calendar",
            "text/vcard",
            "text/x-vcard",
            "text/xml",
        ];
        SHOWN.contains(&self.media_type.as_str())
            && self.disposition_type() != Some("attachment")
            && self.filename().is_none()
    }

    /// Whether the body is a message with a header of its own (rule B9).
    pub(crate) fn is_message(&self) -> bool {
        matches!(self.media_type.as_str(), "message/rfc822" | "message/global")
    }

    /// Whether the body is blocks of fields (rule B6).
    pub(crate) fn is_fields(&self) -> bool {
        const FIELDS: [&str; 8] = [
            "message/delivery-status",
            "message/global-delivery-status",
            "message/disposition-notification",
            "message/global-disposition-notification",
            "message/feedback-report",
            "text/rfc822-headers",
            "message/global-headers",
            "message/rfc822-headers",
        ];
        FIELDS.contains(&self.media_type.as_str())
    }

    /// Whether the body, as it is written in mail, may be encoded.
    pub(crate) fn has_identity_encoding(&self) -> bool {
        use TransferEncoding::{Base64, QuotedPrintable, Uuencode};
        !matches!(self.encoding, QuotedPrintable | Base64 | Uuencode)
    }
}
