//! Which charset: a row of the one table of all known charsets.

use std::fmt;

use super::route::{Entry, Route};
use super::tables::list::{self, CHARSETS};

/// A character set that mail may be labelled with: an index into the one table of all known
/// charsets.
///
/// Text is read as senders meant it, so some labels are read as a superset of the charset that they
/// name:
///
/// | label | read as | because |
/// |---|---|---|
/// | `iso-8859-1` | windows-1252 | octets 80-9F are quotes and dashes in mail, never C1 controls |
/// | `iso-8859-9`, `tis-620` | windows-1254, windows-874 | likewise |
/// | windows-125x | with C1 controls at free octets | Windows itself reads them so, and nothing is lost |
/// | `gb2312`, `gbk` | GB 18030 | mailers say GB2312 for everything Chinese |
/// | `ks_c_5601-1987`, `euc-kr` | code page 949 | Outlook's label for all 11172 syllables |
/// | `shift_jis` | Windows-31J | NEC's and IBM's characters; 5C is a backslash |
/// | `euc-jp`, `iso-2022-jp` and its kin | with NEC's and IBM's characters | what Windows and mobile mailers send |
/// | `iso-2022-jp` | with half-width katakana and the escapes of -1, -2, -3 | code pages 50220 to 50222 under its label |
/// | `big5` | with the Hong Kong and ETEN characters | no label told them apart |
/// | `iso-8859-8-i`, `-e` and `iso-8859-6-i`, `-e` | as without it | direction does not affect octets |
/// | `us-ascii` | nothing more | 8-bit octets under it are an issue: the label lies |
///
/// Under such a label only characters of the charset that it names are written: `€` is not in
/// `iso-8859-1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Charset(pub(super) u16);

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

    /// Returns every known charset, decodable or not.
    pub fn all() -> impl Iterator<Item = Charset> {
        (0..).take(CHARSETS.len()).map(Charset)
    }

    /// Returns the preferred MIME name.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns its other labels.
    pub fn aliases(self) -> &'static [&'static str] {
        self.entry().aliases
    }

    /// Returns whether IANA has registered it.
    pub fn is_registered(self) -> bool {
        self.entry().registered
    }

    /// Returns whether text in it can be read.
    pub fn is_decodable(self) -> bool {
        !matches!(self.route(), Route::Nothing(_))
    }

    /// Returns why it cannot be read, if it cannot.
    pub fn why_not_decodable(self) -> Option<&'static str> {
        match self.route() {
            Route::Nothing(why) => Some(why.as_str()),
            _ => None,
        }
    }

    /// Returns whether text can be written in it.
    pub fn is_encodable(self) -> bool {
        self.is_decodable()
    }

    /// Returns whether escapes or byte order marks carry state, so that encoded-words must be
    /// decoded one by one (rule H3).
    pub fn is_stateful(self) -> bool {
        self.route().is_stateful()
    }

    /// Returns whether it uses octets up to 7F only, so that others cannot be text in it.
    pub(crate) fn is_seven_bit(self) -> bool {
        let name = self.name();
        name.starts_with("ISO-2022-")
            || matches!(name, "US-ASCII" | "UTF-7" | "HZ-GB-2312" | "UNICODE-1-1-UTF-7")
    }

    /// Returns whether octets may be other text in it than in US-ASCII.
    #[doc(hidden)]
    pub fn tells(self, octets: &[u8]) -> bool {
        !octets.is_ascii() || self.is_stateful()
    }

    /// Returns whether each octet is a character.
    #[doc(hidden)]
    pub fn is_single_byte(self) -> bool {
        match self.route() {
            Route::Table(_) => true,
            Route::Whatwg(encoding, _) => encoding.is_single_byte(),
            _ => false,
        }
    }

    pub(super) fn route(self) -> Route {
        self.entry().route.as_built()
    }

    fn entry(self) -> &'static Entry {
        &CHARSETS[usize::from(self.0)]
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Charset").field(&self.name()).finish()
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
