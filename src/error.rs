//! The one error type: for what is impossible, not for what is merely odd.

use std::fmt;

use crate::Code;

/// Why a strict operation could not be done, and where. Opaque, so that it may grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: Code,
    offset: usize,
}

impl Error {
    pub(crate) const fn new(kind: Code, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// What was wrong, by its stable code.
    pub const fn kind(&self) -> Code {
        self.kind
    }

    /// Where it began: an octet offset in the input.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at octet {} ({})", self.kind.summary(), self.offset, self.kind)
    }
}

impl std::error::Error for Error {}
