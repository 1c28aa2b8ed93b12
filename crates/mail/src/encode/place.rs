//! The places of a header field in which text is written.

use crate::codec::quoted_printable::{QLiterals, is_q_literal};
use crate::syntax::lexical::is_special;

/// Where text is written, which decides what it may contain unencoded, and in an encoded-word (RFC
/// 2047, 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Unstructured,
    Phrase,
    Comment,
}

impl Place {
    /// Returns whether a word in this place may hold an octet as it is.
    pub fn may_hold(self, octet: u8) -> bool {
        octet.is_ascii_graphic()
            && match self {
                Self::Unstructured => true,
                Self::Phrase => !is_special(octet),
                Self::Comment => !matches!(octet, b'(' | b')' | b'\\'),
            }
    }

    /// Returns whether the encoded-text of a word in Q may contain an octet in this place, as
    /// itself or as part of an escape.
    pub fn may_hold_in_q(self, octet: u8) -> bool {
        is_q_literal(octet, self.literals()) || matches!(octet, b'=' | b'_')
    }

    /// Returns what an encoded-word in this place may contain in Q.
    pub const fn literals(self) -> QLiterals {
        match self {
            Self::Unstructured => QLiterals::Printable,
            Self::Phrase => QLiterals::Restricted,
            Self::Comment => QLiterals::NoDelimiters,
        }
    }
}
