//! Charsets: identity, labels, routing to codecs and tables, detection.

mod bocu1;
mod decoder;
mod detect;
mod double_byte;
mod encoder;
mod hz;
mod iso2022;
mod koi7;
mod labels;
mod multi_byte;
mod route;
mod scsu;
mod single_byte;
mod sink;
mod tables;
mod unicode;
mod whatwg;

use std::borrow::Cow;
use std::sync::LazyLock;

pub use self::decoder::Decoder;
pub use self::encoder::{Encoder, Substitution};
pub use self::labels::Spelling;
pub(crate) use self::labels::says_nothing;
use self::route::{Entry, Route};
use self::tables::list::{self, CHARSETS};
use crate::codec::utf8;
use crate::{Code, Decoded, Error};

/// A character set that mail may be labelled with: an index into the one table of all that are known.
///
/// Text is read as senders meant it, so some labels are read as a superset of the charset that they name:
///
/// | label | read as | because |
/// |---|---|---|
/// | `iso-8859-1` | windows-1252 | octets 80-9F are quotes and dashes in mail, never C1 controls |
/// | `iso-8859-9`, `tis-620` | windows-1254, windows-874 | the same |
/// | windows-125x | with C1 controls at free octets | Windows itself reads them so, and nothing is lost |
/// | `gb2312`, `gbk` | GB 18030 | mailers say GB2312 for everything Chinese |
/// | `ks_c_5601-1987`, `euc-kr` | code page 949 | Outlook's label for all 11172 syllables |
/// | `shift_jis` | Windows-31J | NEC's and IBM's characters; 5C is a backslash |
/// | `euc-jp`, `iso-2022-jp` and its kin | with NEC's and IBM's characters | what Windows and mobile mailers send |
/// | `iso-2022-jp` | with half-width katakana and the escapes of -1, -2, -3 | code pages 50220 to 50222 under its label |
/// | `big5` | with the Hong Kong and ETEN characters | no label told them apart |
/// | `iso-8859-8-i`, `-e` and `iso-8859-6-i`, `-e` | as without it | direction is no matter of octets |
/// | `us-ascii` | nothing more | 8-bit octets under it are an issue: the label lies |
///
/// Under such a label only characters of the charset that it names are written: `€` is not in `iso-8859-1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Charset(u16);

/// What is known about octets whatever their charset.
#[derive(Clone, Copy)]
pub(crate) enum Known<'o> {
    Ascii(&'o str),
    /// UTF-8 that is not all US-ASCII.
    Utf8(&'o str),
    Other(&'o [u8]),
}

impl<'o> Known<'o> {
    pub(crate) fn of(octets: &'o [u8]) -> Self {
        match utf8::validate(octets) {
            Some(text) if text.is_ascii() => Self::Ascii(text),
            Some(text) => Self::Utf8(text),
            None => Self::Other(octets),
        }
    }
}

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset(list::UTF_8);
    /// UTF-7 (RFC 2152).
    pub const UTF_7: Charset = Charset(list::UTF_7);
    /// US-ASCII.
    pub const US_ASCII: Charset = Charset(list::US_ASCII);
    /// ISO-8859-1.
    pub const ISO_8859_1: Charset = Charset(list::ISO_8859_1);
    /// windows-1252.
    pub const WINDOWS_1252: Charset = Charset(list::WINDOWS_1252);

    /// The charset that has `label` as its name or as an alias, in any case.
    pub fn for_label(label: &str) -> Option<Charset> {
        labels::exact(label.as_bytes())
    }

    /// The charset that has `label` as its name or as an alias, in any case, for octets of a header.
    pub(crate) fn for_octets(label: &[u8]) -> Option<Charset> {
        labels::exact(label)
    }

    /// The charset that `label` means, even if it is misspelt, quoted or has something around it; and whether it was.
    pub fn for_label_lenient(label: &str) -> Option<(Charset, Spelling)> {
        labels::lenient(label)
    }

    /// Every known charset, decodable or not.
    pub fn all() -> impl Iterator<Item = Charset> {
        (0..).take(CHARSETS.len()).map(Charset)
    }

    /// The charset that unlabelled text seems to be in; windows-1252 if nothing suggests another. This is a guess: text
    /// that is ASCII without escapes tells nothing, and the answer is never UTF-7.
    pub fn detect(octets: &[u8]) -> Charset {
        detect::detect(octets)
    }

    /// The preferred MIME name.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Its other labels.
    pub fn aliases(self) -> &'static [&'static str] {
        self.entry().aliases
    }

    /// Whether IANA has registered it.
    pub fn is_registered(self) -> bool {
        self.entry().registered
    }

    /// Whether text in it can be read.
    pub fn is_decodable(self) -> bool {
        !matches!(self.route(), Route::Nothing(_))
    }

    /// Why it cannot be read, if it cannot.
    pub fn why_not_decodable(self) -> Option<&'static str> {
        match self.route() {
            Route::Nothing(why) => Some(why.as_str()),
            _ => None,
        }
    }

    /// Whether text can be written in it.
    pub fn is_encodable(self) -> bool {
        self.is_decodable()
    }

    /// Whether escapes or signatures carry state, so that encoded-words must be decoded one by one (rule H3).
    pub fn is_stateful(self) -> bool {
        self.route().is_stateful()
    }

    /// Whether it uses octets up to 7F only, so that others cannot be text in it.
    pub(crate) fn is_seven_bit(self) -> bool {
        let name = self.name();
        name.starts_with("ISO-2022-")
            || matches!(name, "US-ASCII" | "UTF-7" | "HZ-GB-2312" | "UNICODE-1-1-UTF-7")
    }

    /// Whether CR LF ends a line in it, as it does not in UTF-16.
    pub(crate) fn has_line_ends(self) -> bool {
        static HAVE: LazyLock<Vec<bool>> = LazyLock::new(|| {
            let has = |charset: Charset| charset.decode_lossless(b"\r\n").is_some_and(|text| text == "\r\n");
            Charset::all().map(has).collect()
        });
        HAVE[usize::from(self.0)]
    }

    /// Whether a label of this charset cannot be true of `octets` (rule B7): a 7-bit charset over 8-bit octets, or
    /// UTF-8 over octets that hold no well-formed multi-octet sequence.
    pub(crate) fn is_belied_by(self, octets: &[u8]) -> bool {
        match self {
            Self::UTF_8 => !octets.is_ascii() && !utf8::holds_sequence(octets),
            Self::US_ASCII => !octets.is_ascii(),
            _ => self.is_seven_bit() && !octets.is_ascii() && self.decode_lossless(octets).is_none(),
        }
    }

    /// Decodes `octets`, with U+FFFD for what is ill-formed. Of a charset that is not decodable only ASCII is read.
    pub fn decode(self, octets: &[u8]) -> Decoded<'_> {
        let text = self.is_read_as_utf_8(octets).then(|| utf8::validate(octets)).flatten();
        text.map_or_else(|| self.decode_anew(octets), as_it_stands)
    }

    /// Decodes octets about which something is known already.
    pub(crate) fn decode_known(self, known: Known<'_>) -> Decoded<'_> {
        match (self.route(), known) {
            (Route::Utf8, Known::Ascii(text) | Known::Utf8(text)) => as_it_stands(text),
            (route, Known::Ascii(text)) if route.does_not_shift(text.as_bytes()) => as_it_stands(text),
            (_, Known::Ascii(text) | Known::Utf8(text)) => self.decode_anew(text.as_bytes()),
            (_, Known::Other(octets)) => self.decode_anew(octets),
        }
    }

    fn decode_anew(self, octets: &[u8]) -> Decoded<'static> {
        let (mut decoder, mut text) = (self.decoder(), String::with_capacity(octets.len()));
        decoder.push(octets, &mut text);
        let issues = decoder.finish(&mut text);
        Decoded::new(Cow::Owned(text), issues)
    }

    /// Decodes `octets`; `None` if anything is ill-formed.
    pub fn decode_lossless(self, octets: &[u8]) -> Option<Cow<'_, str>> {
        self.decode_strict(octets).ok()
    }

    /// Decodes `octets` strictly.
    ///
    /// # Errors
    /// The first ill-formed octets, with their offset; `charset-unknown` if the charset is not decodable.
    pub fn decode_strict(self, octets: &[u8]) -> Result<Cow<'_, str>, Error> {
        if !self.is_decodable() {
            return Err(Error::new(Code::CharsetUnknown, 0));
        }
        if let Some(text) = self.decode_at_once(octets) {
            return Ok(text);
        }
        self.decode(octets).into_lossless()
    }

    /// A decoder for text in chunks.
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

    /// An encoder for text in chunks.
    pub fn encoder(self) -> Encoder {
        Encoder::new(self)
    }

    /// Whether `octets`, if they are UTF-8, are their own text in this charset.
    fn is_read_as_utf_8(self, octets: &[u8]) -> bool {
        match self.route() {
            Route::Utf8 => true,
            route => route.keeps_ascii(octets),
        }
    }

    /// Decodes well-formed octets without the machinery for anything else, in charsets that have such a short path.
    fn decode_at_once(self, octets: &[u8]) -> Option<Cow<'_, str>> {
        match self.route() {
            Route::Utf8 => utf8::validate(octets).map(Cow::Borrowed),
            Route::Whatwg(encoding, _) if encoding.is_single_byte() && octets.len() <= whatwg::SHORT => {
                whatwg::decode_short(encoding, usize::from(self.0), octets).map(Cow::Owned)
            }
            Route::Whatwg(encoding, _) => {
                encoding.decode_without_bom_handling_and_without_replacement(octets)
            }
            _ => None,
        }
    }

    /// Whether text is its own encoding.
    fn keeps(self, text: &str) -> bool {
        match self.route() {
            Route::Utf8 => true,
            Route::Iso2022Kr => false, // its header stands before any text
            route => route.keeps_ascii(text.as_bytes()),
        }
    }

    fn route(self) -> Route {
        self.entry().route.as_built()
    }

    fn entry(self) -> &'static Entry {
        &CHARSETS[usize::from(self.0)]
    }
}

impl std::fmt::Debug for Charset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Charset").field(&self.name()).finish()
    }
}

impl std::fmt::Display for Charset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

fn as_it_stands(text: &str) -> Decoded<'_> {
    Decoded::new(Cow::Borrowed(text), Vec::new())
}

/// Guesses the charset of unlabelled text that is not UTF-8 (rule "archive" of the profiles' table).
pub(crate) fn detect(octets: &[u8]) -> Charset {
    Charset::detect(octets)
}

/// Guesses the charset from letters only, for text that was put together from pieces.
pub(crate) fn detect_by_letters(octets: &[u8]) -> Charset {
    detect::by_statistics(octets)
}
