//! Policies for octets that are not well-formed.

use crate::words;

/// The way a decoder treats ill-formed octets.
///
/// UTF-8B, which keeps them all, yields UTF-16 instead of text: `utf8::to_utf8b`, with the feature
/// `bindings`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Malformed {
    /// An error: the text ends before them, and a [`Decoder`](crate::Decoder) accepts nothing more.
    Strict,
    /// U+FFFD, one for each maximal subpart as Unicode recommends, and an issue that is a loss.
    #[default]
    Replace,
    /// In UTF-8, the character of ISO-8859-1 that each octet is; reported as a guess. In other
    /// charsets as `Replace`.
    Latin1,
    /// In UTF-8, the character of windows-1252 that each octet is; reported as a guess. In other
    /// charsets as `Replace`.
    Windows1252,
}

words!(Malformed, "policy for ill-formed octets": Strict "strict", Replace "replace", Latin1 "latin1", Windows1252 "windows-1252");
