//! The Content- fields of an entity, read leniently.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::decode::{
    ParameterTexts, RawText, Wanted, decides, held_controls, may_hold_unlabelled, transfer_encoding,
};
use crate::report::Tally;
use crate::syntax::media_type::{is_a_token, is_top_type, media_type, mended};
use crate::syntax::parameter::{FILE_OF_DISPOSITION, FILE_OF_TYPE, ends_with_control, is_hidden};
use crate::transfer::{NameSpelling, TransferEncoding};

use super::common_types;
use super::field::Field;
use crate::transfer::decode;

/// The media type given to a body that is not looked into (rule G13).
pub const OPAQUE_TYPE: &str = "application/octet-stream";

/// The type of a body whose media type cannot be read, unless it shows another one.
const UNREADABLE_TYPE: &str = "text/plain";

/// The first Content-Type, Content-Transfer-Encoding and Content-Disposition of an entity (rule
/// H10).
#[derive(Clone, Debug)]
pub struct Content {
    /// The type that is used where the media type is missing or cannot be read.
    fallback_type: Option<Cow<'static, str>>,
    pub parameters: ParameterTexts,
    /// The media type with all parameters, if one was asked for that decides nothing.
    all_parameters: OnceLock<Box<ParameterTexts>>,
    /// The file name, if what surrounds it had to be asked how it is read.
    file_name: OnceLock<Option<Box<str>>>,
    pub class: Class,
    /// Whether few readers find its parts (rule B8).
    pub hides_parts: bool,
    /// Whether the media type was told by the octets of the body.
    pub is_typed_by_octets: bool,
    pub encoding: TransferEncoding,
    pub spelling: NameSpelling,
    pub disposition: Option<ParameterTexts>,
    /// Indexes into the tree's fields.
    pub type_field: Option<usize>,
    pub encoding_field: Option<usize>,
    pub disposition_field: Option<usize>,
}

/// How a media type classifies a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Text that a reader shows.
    Shown,
    /// A body that consists of parts.
    Multipart,
    /// A message with a header of its own, or an article that is opened as one (rule B9).
    Message,
    /// Blocks of fields (rule B6).
    Fields,
    Other,
}

impl Class {
    fn of(media_type: &str) -> Self {
        match media_type {
            "text/plain" | "text/html" | "text/enriched" | "text/richtext" | "text/calendar"
            | "text/vcard" | "text/x-vcard" | "text/xml" => Self::Shown,
            "message/rfc822" | "message/global" => Self::Message,
            "message/delivery-status"
            | "message/global-delivery-status"
            | "message/disposition-notification"
            | "message/global-disposition-notification"
            | "message/feedback-report"
            | "text/rfc822-headers"
            | "message/global-headers"
            | "message/rfc822-headers" => Self::Fields,
            _ if media_type.starts_with("multipart/") => Self::Multipart,
            _ => Self::Other,
        }
    }
}

/// The parameters that name a file, in the order in which they are asked: that of
/// Content-Disposition comes first.
const FILE_NAMES: [&str; 2] = [FILE_OF_DISPOSITION, FILE_OF_TYPE];

impl Content {
    /// Reads `fields`, the first of which has index `base` in the tree.
    pub fn read(source: &[u8], fields: &[Field], base: usize, default_type: &'static str) -> Self {
        let mut first = [None; 5];
        for (at, field) in fields.iter().enumerate().rev() {
            if let Some(mime) = field.row.mime {
                first[mime as usize] = Some(base + at);
            }
        }
        let [_, type_field, encoding_field, disposition_field, _] = first;
        let value = |at: usize| fields[at - base].value_of(source);
        let texts = |at: Option<usize>, of_file| {
            let read =
                |value| ParameterTexts::read(value, of_file, Wanted::Deciding, RawText::in_value);
            at.map(value).map(read)
        };
        let parameters = texts(type_field, FILE_OF_TYPE).unwrap_or_default();
        let fallback_type = match type_field {
            None => Some(default_type.into()),
            Some(_) if is_media_type(parameters.value()) => None,
            Some(_) => Some(mended(parameters.value()).map_or(UNREADABLE_TYPE.into(), Cow::Owned)),
        };
        let (encoding, spelling) = encoding_field
            .map_or((TransferEncoding::SevenBit, NameSpelling::Exact), |at| {
                transfer_encoding(value(at))
            });
        Self {
            class: Class::of(fallback_type.as_deref().unwrap_or_else(|| parameters.value())),
            fallback_type,
            parameters,
            all_parameters: OnceLock::new(),
            file_name: OnceLock::new(),
            hides_parts: false,
            is_typed_by_octets: false,
            encoding,
            spelling,
            disposition: texts(disposition_field, FILE_OF_DISPOSITION),
            type_field,
            encoding_field,
            disposition_field,
        }
    }

    /// Returns the media type in lower case; `text/plain` if none can be read.
    pub fn media_type(&self) -> &str {
        self.fallback_type.as_deref().unwrap_or_else(|| self.parameters.value())
    }

    /// Returns the media type if it is another one than Content-Type has.
    pub fn mended_type(&self) -> Option<&str> {
        self.type_field.and(self.fallback_type.as_deref())
    }

    /// Returns whether the media type that is used is not the one that Content-Type has.
    fn is_type_unreadable(&self) -> bool {
        self.type_field.is_some() && matches!(self.fallback_type, Some(Cow::Borrowed(_)))
    }

    /// Gives a leaf whose media type cannot be read the one that it shows itself to have.
    pub(super) fn find_type(&mut self, body: &[u8]) {
        if !self.is_type_unreadable() {
            return;
        }
        let by_header = shown_by_value(self.parameters.value())
            .or_else(|| self.filename().and_then(common_types::by_name));
        let is_file = self.filename().is_some() || !self.has_identity_encoding();
        let is_asked = by_header.is_none() && is_file && self.charset_label().is_none();
        let found = match by_header {
            Some(found) => found,
            None if is_asked => {
                shown_by_octets(&decode(self.encoding, prefix(body), &mut Tally::default()))
            }
            None => UNREADABLE_TYPE,
        };
        self.fallback_type = Some(found.into());
        self.class = Class::of(found);
        self.is_typed_by_octets = is_asked;
    }

    /// Returns the part of the media type before the slash.
    pub fn top_type(&self) -> &str {
        self.media_type().split('/').next().unwrap_or_default()
    }

    /// Returns the text of any parameter of Content-Type, given the value of that field.
    pub fn parameter(&self, name: &str, value: &[u8]) -> Option<&str> {
        if self.parameters.is_plain() || decides(name) {
            return self.parameters.get(name);
        }
        let read = || {
            let (of_file, raw) = (FILE_OF_TYPE, RawText::in_value);
            Box::new(ParameterTexts::read(value, of_file, Wanted::All, raw))
        };
        self.all_parameters.get_or_init(read).get(name)
    }

    /// Returns the charset label as it was given.
    pub fn charset_label(&self) -> Option<&str> {
        self.parameters.get("charset")
    }

    /// Returns `attachment`, `inline`... A value that is not a token counts as an unknown
    /// disposition, and so as `attachment` (RFC 2183, 2.8).
    pub fn disposition_type(&self) -> Option<&str> {
        let disposition = self.disposition.as_ref()?;
        match disposition.value() {
            _ if disposition.is_bare() => None,
            // RFC 2183, 2.8: a disposition that is not recognised is treated as an attachment.
            value if !is_a_token(value.as_bytes()) => Some("attachment"),
            value => Some(value),
        }
    }

    /// Returns the file name, from Content-Disposition or else Content-Type.
    pub fn filename(&self) -> Option<&str> {
        let is_name = |name: &&str| !name.trim_ascii().is_empty();
        let disposition =
            self.disposition.as_ref().and_then(|disposition| disposition.get(FILE_OF_DISPOSITION));
        disposition.filter(is_name).or_else(|| self.parameters.get(FILE_OF_TYPE).filter(is_name))
    }

    /// Returns the file name if few readers find it, since it does not plainly follow a semicolon,
    /// or ends with a control, which they take into its extension. `values` are those of
    /// Content-Disposition and Content-Type.
    pub fn hidden_filename(&self, values: [Option<&[u8]>; 2]) -> Option<&str> {
        let texts = [self.disposition.as_ref(), Some(&self.parameters)];
        let is_name = |name: &&str| !name.trim_ascii().is_empty();
        for ((texts, value), name) in texts.into_iter().zip(values).zip(FILE_NAMES) {
            let Some((texts, value)) = texts.zip(value) else { continue };
            let Some(found) = texts.get(name).filter(is_name) else { continue };
            if texts.is_plain() {
                return None;
            }

            // A control that is decoded becomes a space.
            let few_find_it = is_hidden(value, name.as_bytes())
                || ends_with_control(value, name.as_bytes())
                || found.ends_with(' ') && held_controls(value, name);
            return few_find_it.then_some(found);
        }
        None
    }

    /// Returns the file name as `raw` reads the octets of it that have no label; `values` are those
    /// of Content-Disposition and Content-Type.
    pub fn filename_read_by(
        &self,
        values: [Option<&[u8]>; 2],
        raw: impl Fn(&[u8]) -> RawText,
    ) -> Option<&str> {
        let is_raw = |value: &&[u8]| may_hold_unlabelled(value);
        if !values.iter().flatten().any(is_raw) {
            return self.filename();
        }
        let name = || {
            let is_name = |name: &&str| !name.trim_ascii().is_empty();
            values.into_iter().zip(FILE_NAMES).find_map(|(value, of_file)| {
                let read = ParameterTexts::read(value?, of_file, Wanted::Deciding, &raw);
                read.get(of_file).filter(is_name).map(Box::from)
            })
        };
        self.file_name.get_or_init(name).as_deref()
    }

    /// Returns whether this is text that is shown with the message (rule B5), not kept as a file.
    pub fn is_inline_text(&self) -> bool {
        self.class == Class::Shown && !self.is_file()
    }

    /// Returns whether the header calls the body an attachment, or gives it a file name.
    pub fn is_file(&self) -> bool {
        self.disposition_type() == Some("attachment") || self.filename().is_some()
    }

    /// Returns whether the header says that the body is signed or encrypted parts. Its content has
    /// to [bear that out](super::tree::Tree::is_seal).
    pub fn claims_seal(&self) -> bool {
        matches!(self.media_type(), "multipart/signed" | "multipart/encrypted")
    }

    /// Returns whether the body may be encoded in what the label meant, but is taken as it is.
    pub fn ignores_encoding(&self) -> bool {
        self.spelling == NameSpelling::Misspelt && self.encoding == TransferEncoding::SevenBit
    }

    /// Returns whether the body is written without an encoding, so that it may still be given one.
    pub fn has_identity_encoding(&self) -> bool {
        !self.encoding.is_decoded()
    }
}

/// Returns the type that a value names in another way: by an extension alone (`pdf`), or with a
/// full stop for the slash (`application.pdf`).
fn shown_by_value(value: &str) -> Option<&'static str> {
    let word = match value.split_once('.') {
        Some((top, word)) if is_top_type(top) => word,
        _ => value,
    };
    // Half of a type says nothing about the other half; text is text.
    let is_half = is_top_type(word) && word != "text";
    let is_word =
        !word.is_empty() && !is_half && word.bytes().all(|octet| octet.is_ascii_alphanumeric());
    if is_word { common_types::by_name(&format!("x.{word}")) } else { None }
}

/// Returns the type that the octets of a file show: that of text if they are text,
/// `application/octet-stream` if nothing tells.
fn shown_by_octets(octets: &[u8]) -> &'static str {
    let is_control =
        |octet: &u8| *octet < b' ' && !matches!(octet, b'\t' | b'\n' | 0x0c | b'\r' | 0x1b);
    let known = common_types::by_octets(octets);
    known.unwrap_or(if octets.iter().any(is_control) { OPAQUE_TYPE } else { UNREADABLE_TYPE })
}

/// Returns the octets of a body that its type is told by.
fn prefix(body: &[u8]) -> &[u8] {
    const MAX_ASKED: usize = 8192;
    &body[..body.len().min(MAX_ASKED)]
}

/// Returns whether `value` is exactly a media type.
pub fn is_media_type(value: &str) -> bool {
    media_type(value.as_bytes()).is_some()
}
