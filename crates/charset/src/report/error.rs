//! The one error type: for what cannot be done, not for what is merely odd.

use std::fmt;

use crate::{Code, DecodeFault};

/// The reason for an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Octets are not text in their charset.
    Decode(DecodeFault),
    /// Something else was lost on the way to the text, as the code says.
    Loss(Code),
    /// The charset is known by name only: its text can be neither read nor written.
    CharsetUnknown,
    /// The charset does not have a character.
    Unmappable,
}

/// Why a strict operation could not be done, and where. Opaque, so that it may grow.
///
/// ```
/// use sevenbit::{Charset, DecodeFault, ErrorKind};
///
/// let error = Charset::UTF_8.decode_strict(b"a\xC0\x80").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Decode(DecodeFault::Utf8Overlong));
/// assert_eq!((error.code().as_str(), error.offset()), ("utf8-overlong", 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    offset: usize,
    character: Option<char>,
    value: Option<u32>,
}

impl Error {
    #[doc(hidden)]
    pub const fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset, character: None, value: None }
    }

    /// Adds the character at fault.
    #[doc(hidden)]
    pub const fn naming(self, character: char) -> Self {
        Self { character: Some(character), ..self }
    }

    /// Adds the value that the octets encoded.
    #[doc(hidden)]
    pub const fn standing_for(self, value: Option<u32>) -> Self {
        Self { value, ..self }
    }

    /// Returns what could not be done.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns what was wrong, by its stable code.
    pub const fn code(&self) -> Code {
        match self.kind {
            ErrorKind::Decode(fault) => Code::Decode(fault),
            ErrorKind::Loss(code) => code,
            ErrorKind::CharsetUnknown => Code::CharsetUnknown,
            ErrorKind::Unmappable => Code::Unmappable,
        }
    }

    /// Returns where it began: an octet offset in the input.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the character at fault, if there is one.
    pub const fn character(&self) -> Option<char> {
        self.character
    }

    /// Returns the value that the octets at fault encoded, if known: see
    /// [`Issue::value`](crate::Issue::value).
    pub const fn value(&self) -> Option<u32> {
        self.value
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at octet {}", self.code().summary(), self.offset)?;
        if let Some(character) = self.character {
            write!(f, ": U+{:04X}", u32::from(character))?;
        }
        write!(f, " ({})", self.code())
    }
}

impl std::error::Error for Error {}
