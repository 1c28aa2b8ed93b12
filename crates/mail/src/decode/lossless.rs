//! Whether header octets can be read: only then may their text replace them (*lossless or leave*,
//! rules H3 and B7).

use std::borrow::Cow;

use super::{RawCharset, RawText};
use crate::Charset;

/// Returns the text of octets, if all of them are text in a charset. An octet that an 8-bit charset
/// decodes to a C1 control counts as one for which it has no character.
pub fn lossless_text(charset: Charset, octets: &[u8]) -> Option<Cow<'_, str>> {
    let is_c1 = |c: char| ('\u{80}'..='\u{9F}').contains(&c);
    charset
        .read_lossless(octets)
        .filter(|text| charset == Charset::UTF_8 || octets.is_ascii() || !text.chars().any(is_c1))
}

/// Returns whether octets are text in a charset.
pub fn is_text_in(charset: Charset, octets: &[u8]) -> bool {
    lossless_text(charset, octets).is_some()
}

impl RawText {
    /// Returns whether raw octets are text in the charset that they are taken for.
    pub fn reads(self, octets: &[u8]) -> bool {
        self.charset(octets).reads(octets)
    }
}

impl RawCharset {
    /// Returns whether octets are text in this charset.
    pub fn reads(self, octets: &[u8]) -> bool {
        self == Self::Utf8 || self.charset().is_some_and(|charset| is_text_in(charset, octets))
    }
}
