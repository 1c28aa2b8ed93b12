//! Charsets: identity, labels, routing to codecs and tables, detection.

mod bocu1;
mod by_fours;
#[doc(hidden)]
pub mod code_pages;
#[cfg(feature = "bindings")]
mod code_units;
mod common;
mod compose;
mod content_lines;
mod decoder;
mod detect;
mod double_byte;
mod encoder;
mod gb18030;
mod guess;
mod hkscs;
mod hz;
mod identity;
mod inverse;
mod iso2022;
mod koi7;
mod labels;
#[doc(hidden)]
pub mod markup;
mod multi_byte;
#[cfg(feature = "bindings")]
mod pairs;
mod repertoire;
mod route;
#[doc(hidden)]
pub mod script;
mod scsu;
mod single_byte;
mod sink;
mod tables;
mod unicode;
mod whatwg;

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::LazyLock;

#[cfg(feature = "bindings")]
pub use self::code_units::CodeUnits;
#[doc(hidden)]
pub use self::common::is_common;
pub use self::decoder::Decoder;
pub use self::encoder::{Encoder, Substitution};
#[doc(hidden)]
pub use self::guess::Evidence;
pub use self::guess::Guess;
pub use self::identity::Charset;
pub use self::labels::Spelling;
#[doc(hidden)]
pub use self::labels::{Label, UNKNOWN_8BIT, says_nothing};
use self::route::Route;
use self::tables::list;
use crate::codec::utf8;
use crate::codec::utf16::{ByteOrder, order};
use crate::{Decoded, Error, ErrorKind, ParseError};

/// Octets, by what is known of them whatever their charset.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Known<'o> {
    /// US-ASCII alone.
    Ascii(&'o str),
    /// UTF-8 that is not all US-ASCII.
    Utf8(&'o str),
    /// Octets that are not UTF-8.
    Other(&'o [u8]),
}

impl<'o> Known<'o> {
    /// Returns what is known of `octets`.
    pub fn of(octets: &'o [u8]) -> Self {
        match utf8::validate(octets) {
            Some(text) if text.is_ascii() => Self::Ascii(text),
            Some(text) => Self::Utf8(text),
            None => Self::Other(octets),
        }
    }
}

impl Charset {
    /// Returns the charset that has `label` as its name or as an alias, in any case.
    pub fn for_label(label: &str) -> Option<Charset> {
        labels::exact(label.as_bytes())
    }

    /// Returns the charset that has `label` as its name or as an alias, in any case, for octets of
    /// a header.
    #[doc(hidden)]
    pub fn for_octets(label: &[u8]) -> Option<Charset> {
        labels::exact(label)
    }

    /// Returns the charset that `label` means, even if it is misspelt, quoted or has something
    /// around it; and whether it was.
    pub fn for_label_lenient(label: &str) -> Option<(Charset, Spelling)> {
        labels::lenient(label)
    }

    /// Returns the charset that unlabelled text seems to be in; windows-1252 if nothing suggests
    /// another. This is a guess: ASCII text without escapes gives no clue, and the answer is never
    /// UTF-7.
    pub fn detect(octets: &[u8]) -> Charset {
        Self::guess(octets).charset()
    }

    /// Returns the charset that unlabelled text seems to be in, with how sure that is.
    ///
    /// ```
    /// let guess = sevenbit::Charset::guess(b"Sch\xF6ne Gr\xFC\xDFe");
    /// assert_eq!(guess.charset().name(), "windows-1252");
    /// assert!(guess.sureness() > 0.9);
    /// ```
    pub fn guess(octets: &[u8]) -> Guess {
        detect::guess(octets)
    }

    /// Returns all charsets that unlabelled text may be in: first what [`guess`](Self::guess)
    /// returns, then the others with how probable each is, those below a hundredth left out.
    ///
    /// ```
    /// let guesses = sevenbit::Charset::guesses(b"\xE6\xEF");
    /// assert_eq!(guesses[0], sevenbit::Charset::guess(b"\xE6\xEF"));
    /// assert!(guesses.len() > 1 && guesses[1].sureness() >= 0.01);
    /// ```
    pub fn guesses(octets: &[u8]) -> Vec<Guess> {
        detect::guesses(octets)
    }

    /// Returns the charset of octets that indicate it themselves: by a byte order mark, escapes,
    /// zeros, or as well-formed UTF-8.
    #[doc(hidden)]
    pub fn shown_by(octets: &[u8]) -> Option<Charset> {
        detect::shown_by(octets)
    }

    /// Returns whether CR LF ends a line in it, which it does not in UTF-16.
    #[doc(hidden)]
    pub fn has_line_ends(self) -> bool {
        static HAVE: LazyLock<Vec<bool>> = LazyLock::new(|| {
            let has = |charset: Charset| {
                charset.decode_lossless(b"\r\n").is_some_and(|text| text == "\r\n")
            };
            Charset::all().map(has).collect()
        });
        HAVE[usize::from(self.0)]
    }

    /// Returns the charset that states the order in which `octets` are read, if this one states
    /// none and they have no byte order mark.
    #[doc(hidden)]
    pub fn order_guessed(self, octets: &[u8]) -> Option<Charset> {
        let says_no_order = matches!(self.route(), Route::Utf16 | Route::Utf16Old);
        if !says_no_order || octets.is_empty() || order::signed(octets).is_some() {
            return None;
        }
        Some(Charset(match order::likely(octets) {
            ByteOrder::Big => list::UTF_16BE,
            ByteOrder::Little => list::UTF_16LE,
        }))
    }

    /// Returns whether a label of this charset cannot be true of `octets` (rule B7): a 7-bit
    /// charset over 8-bit octets (unless it is ISO-2022 and an escape sequence proves the label),
    /// UTF-8 over octets without a well-formed multi-octet sequence, or one that was cut, or UTF-16
    /// or UTF-32 over words in US-ASCII.
    #[doc(hidden)]
    pub fn is_belied_by(self, octets: &[u8]) -> bool {
        match self {
            Self::UTF_8 => {
                // What is UTF-8 without the label is no other text with it.
                let is_utf_8 = utf8::holds_sequence(octets)
                    || utf8::is_cut(octets)
                    || utf8::is_surely_cut(octets);
                !octets.is_ascii() && !is_utf_8
            }
            Self::US_ASCII => !octets.is_ascii(),
            _ if self.is_wide() => utf8::is_words(octets),
            _ if octets.is_ascii()
                || !self.is_seven_bit()
                || self.decode_lossless(octets).is_some() =>
            {
                false
            }
            _ => !(self.name().starts_with("ISO-2022") && detect::holds_escape(octets)),
        }
    }

    /// Returns whether it cannot be true of a whole text, of which no piece is elsewhere. Besides
    /// the above, it cannot be true of UTF-8 that is not text in the charset; ISO-8859-1 and
    /// windows-1252, in which all octets are text, cannot be true of prose in UTF-8 or in a charset
    /// of East Asia; UTF-16 and
    /// UTF-32 cannot be true of plain text in UTF-8, nor ANSI X3.110 of letters without an accent
    /// before any of them.
    #[doc(hidden)]
    pub fn is_belied_by_text(self, octets: &[u8]) -> bool {
        if self.is_wide() {
            return utf8::is_plain_text(octets);
        }
        let may_be_other = self != Self::UTF_8 && !octets.is_ascii() && utf8::shows_itself(octets);
        self.is_belied_by(octets)
            || may_be_other && self.decode_lossless(octets).is_none()
            || self.is_western() && !octets.is_ascii() && script::is_prose_in_utf_8(octets)
            || self.shown_by_pairs(octets).is_some()
            || self.is_ansi_x3_110() && has_letters_without_accents(octets)
    }

    /// Returns whether octets that are not UTF-8 may show that it cannot be true of them.
    #[doc(hidden)]
    pub fn may_lie(self) -> bool {
        self == Self::UTF_8 || self.is_seven_bit() || self.is_ansi_x3_110()
    }

    /// Returns the guess for octets that show by themselves that they are in a charset of East
    /// Asia, and not in this one.
    #[doc(hidden)]
    pub fn shown_by_pairs(self, octets: &[u8]) -> Option<Guess> {
        if self.is_western() { script::prose_in_pairs(octets) } else { None }
    }

    fn is_western(self) -> bool {
        matches!(self, Self::ISO_8859_1 | Self::WINDOWS_1252)
    }

    fn is_ansi_x3_110(self) -> bool {
        self.name() == "ANSI_X3.110-1983"
    }

    /// Returns whether each code unit has two or four octets.
    #[doc(hidden)]
    pub fn is_wide(self) -> bool {
        use Route::{Utf16, Utf16Be, Utf16Le, Utf16Old, Utf32, Utf32Be, Utf32Le};
        matches!(self.route(), Utf16 | Utf16Be | Utf16Le | Utf16Old | Utf32 | Utf32Be | Utf32Le)
    }

    /// Decodes `octets`, with U+FFFD for anything ill-formed. In a charset that is not decodable
    /// only ASCII is read.
    pub fn decode(self, octets: &[u8]) -> Decoded<'_> {
        let text = self.is_read_as_utf_8(octets).then(|| utf8::validate(octets)).flatten();
        text.map_or_else(|| self.decode_in_full(octets), as_it_is)
    }

    /// Decodes octets about which something is already known.
    pub(crate) fn decode_known(self, known: Known<'_>) -> Decoded<'_> {
        match (self.route(), known) {
            (Route::Utf8, Known::Ascii(text) | Known::Utf8(text)) => as_it_is(text),
            (route, Known::Ascii(text)) if route.does_not_shift(text.as_bytes()) => as_it_is(text),
            (_, Known::Ascii(text) | Known::Utf8(text)) => self.decode_in_full(text.as_bytes()),
            (_, Known::Other(octets)) => self.decode_in_full(octets),
        }
    }

    /// Decodes `octets` as the text of mail: as [`decode`](Self::decode) does, with letters
    /// composed.
    #[doc(hidden)]
    pub fn read(self, octets: &[u8]) -> Decoded<'_> {
        self.composing(self.decode(octets))
    }

    /// Decodes octets about which something is already known, as the text of mail.
    #[doc(hidden)]
    pub fn read_known(self, known: Known<'_>) -> Decoded<'_> {
        self.composing(self.decode_known(known))
    }

    /// Decodes `octets` as the text of mail; `None` if anything is ill-formed.
    #[doc(hidden)]
    pub fn read_lossless(self, octets: &[u8]) -> Option<Cow<'_, str>> {
        self.decode_lossless(octets).map(|text| self.composed(text))
    }

    fn composing(self, decoded: Decoded<'_>) -> Decoded<'_> {
        let (text, issues) = decoded.into_parts();
        Decoded::new(self.composed(text), issues)
    }

    fn decode_in_full(self, octets: &[u8]) -> Decoded<'static> {
        let (mut decoder, mut text) = (self.decoder(), String::with_capacity(octets.len()));
        decoder.push(octets, &mut text);
        let issues = decoder.finish(&mut text);
        Decoded::new(Cow::Owned(text), issues)
    }

    /// Decodes `octets`; `None` if anything is ill-formed.
    #[doc(hidden)]
    pub fn decode_lossless(self, octets: &[u8]) -> Option<Cow<'_, str>> {
        match self.route() {
            // Octets that their short path refuses are ill-formed; only an error has to say where.
            Route::Utf8 | Route::Whatwg(..) => self.decode_at_once(octets),
            _ => self.decode_strict(octets).ok(),
        }
    }

    /// Decodes `octets` strictly.
    ///
    /// # Errors
    /// The first ill-formed octets, with their offset; `charset-unknown` if the charset is not
    /// decodable.
    pub fn decode_strict(self, octets: &[u8]) -> Result<Cow<'_, str>, Error> {
        if !self.is_decodable() {
            return Err(Error::new(ErrorKind::CharsetUnknown, 0));
        }
        if let Some(text) = self.decode_at_once(octets) {
            return Ok(text);
        }
        self.decode(octets).into_strict()
    }

    /// Returns a decoder for text in chunks.
    pub fn decoder(self) -> Decoder {
        Decoder::new(self)
    }

    /// Encodes `text`.
    ///
    /// # Errors
    /// `unmappable` at the offset of the character that the charset does not have.
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, Error> {
        if self.keeps(text) {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        let (mut encoder, mut octets) = (self.encoder(), Vec::with_capacity(text.len()));
        encoder.push(text, &mut octets)?;
        encoder.finish(&mut octets);
        Ok(Cow::Owned(octets))
    }

    /// Returns an encoder for text in chunks.
    pub fn encoder(self) -> Encoder {
        Encoder::new(self)
    }

    /// Returns whether `octets`, if they are UTF-8, are their own text in this charset.
    fn is_read_as_utf_8(self, octets: &[u8]) -> bool {
        match self.route() {
            Route::Utf8 => true,
            route => route.keeps_ascii(octets),
        }
    }

    /// Decodes well-formed octets without the machinery for anything else, in charsets that have
    /// such a short path.
    fn decode_at_once(self, octets: &[u8]) -> Option<Cow<'_, str>> {
        match self.route() {
            Route::Utf8 => utf8::validate(octets).map(Cow::Borrowed),
            Route::Whatwg(encoding, _)
                if encoding.is_single_byte() && octets.len() <= whatwg::SHORT =>
            {
                whatwg::decode_short(encoding, usize::from(self.0), octets).map(Cow::Owned)
            }
            Route::Whatwg(encoding, _) => {
                encoding.decode_without_bom_handling_and_without_replacement(octets)
            }
            _ => None,
        }
    }

    /// Returns whether text is its own encoding.
    fn keeps(self, text: &str) -> bool {
        match self.route() {
            Route::Utf8 => true,
            Route::Iso2022Kr => false, // its header comes before any text
            route => route.keeps_ascii(text.as_bytes()),
        }
    }
}

/// Returns whether octets are letters in ISO 6937, where an accent comes before its letter, and no
/// accent does. It is the label of programs that mean ISO-8859-1.
fn has_letters_without_accents(octets: &[u8]) -> bool {
    let is_accented = |pair: &[u8]| {
        matches!(pair[0], 0xC1..=0xCF) && (pair[1] == b' ' || pair[1].is_ascii_alphabetic())
    };
    octets.iter().any(|&octet| octet >= 0xC0) && !octets.windows(2).any(is_accented)
}

fn as_it_is(text: &str) -> Decoded<'_> {
    Decoded::new(Cow::Borrowed(text), Vec::new())
}

impl FromStr for Charset {
    type Err = ParseError;

    /// Reads a name or an alias, as [`Charset::for_label`] does.
    fn from_str(label: &str) -> Result<Self, ParseError> {
        Self::for_label(label).ok_or_else(|| ParseError::new(label, "known charset", &[]))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Charset;

    proptest! {
        #[test]
        fn lossless_is_strict(octets in prop::collection::vec(any::<u8>(), 0..80)) {
            for charset in Charset::all() {
                for octets in [&octets[..], &octets[..octets.len().min(2)], b"", b"text"] {
                    prop_assert_eq!(charset.decode_lossless(octets), charset.decode_strict(octets).ok(), "{}", charset);
                }
            }
        }
    }
}
