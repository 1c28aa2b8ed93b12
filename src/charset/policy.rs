//! What becomes of octets that are not well-formed: named policies.

use crate::codec::utf8;

/// What a [`Decoder`](crate::Decoder) makes of octets that are ill-formed in their charset. The strict policy is
/// [`Charset::decode_strict`](crate::Charset::decode_strict), and for text in chunks
/// [`Decoder::error`](crate::Decoder::error).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Malformed {
    /// U+FFFD, one for each maximal subpart as Unicode recommends, and an issue that is a loss.
    #[default]
    Replace,
    /// In UTF-8, the character of ISO-8859-1 that each octet is; reported as a guess. In other charsets as `Replace`.
    Latin1,
    /// In UTF-8, the character of windows-1252 that each octet is; reported as a guess. In other charsets as `Replace`.
    Windows1252,
}

impl Malformed {
    /// Every policy.
    pub const ALL: &'static [Malformed] = &[Malformed::Replace, Malformed::Latin1, Malformed::Windows1252];

    /// The word for it: `replace`, `latin1` or `windows-1252`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Malformed::Replace => "replace",
            Malformed::Latin1 => "latin1",
            Malformed::Windows1252 => "windows-1252",
        }
    }

    /// The same for the codec of UTF-8.
    pub(super) fn utf8(self) -> utf8::Policy {
        match self {
            Malformed::Replace => utf8::Policy::Replace,
            Malformed::Latin1 => utf8::Policy::Latin1,
            Malformed::Windows1252 => utf8::Policy::Windows1252,
        }
    }
}

/// Octets as UTF-16 units by UTF-8B: each octet that is no part of well-formed UTF-8 is U+DC80 to U+DCFF, so that
/// [`from_utf8b`] gives back any octets at all.
///
/// ```
/// let units = sevenbit::to_utf8b(b"caf\xE9");
/// assert_eq!(units[3], 0xDCE9);
/// assert_eq!(sevenbit::from_utf8b(&units).as_deref(), Some(&b"caf\xE9"[..]));
/// ```
pub fn to_utf8b(octets: &[u8]) -> Vec<u16> {
    utf8::to_utf8b(octets)
}

/// The octets that UTF-16 units of UTF-8B stand for; nothing if a surrogate stands alone that is not one of those.
pub fn from_utf8b(units: &[u16]) -> Option<Vec<u8>> {
    utf8::from_utf8b(units)
}
