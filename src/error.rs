//! The one error type: for what cannot be done, not for what is merely odd.

use std::fmt;

use crate::Code;

/// Why a strict operation could not be done, and where. Opaque, so that it may grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: Code,
    offset: usize,
    character: Option<char>,
    value: Option<u32>,
}

impl Error {
    pub(crate) const fn new(kind: Code, offset: usize) -> Self {
        Self { kind, offset, character: None, value: None }
    }

    /// Adds the character at fault.
    pub(crate) const fn naming(self, character: char) -> Self {
        Self { character: Some(character), ..self }
    }

    /// Adds the value that the octets encoded.
    pub(crate) const fn standing_for(self, value: Option<u32>) -> Self {
        Self { value, ..self }
    }

    /// Returns what was wrong, by its stable code.
    pub const fn kind(&self) -> Code {
        self.kind
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
        write!(f, "{} at octet {}", self.kind.summary(), self.offset)?;
        if let Some(character) = self.character {
            write!(f, ": U+{:04X}", u32::from(character))?;
        }
        write!(f, " ({})", self.kind)
    }
}

impl std::error::Error for Error {}
