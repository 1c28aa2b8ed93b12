//! The byte order of UTF-16 and UTF-32, and what declares it.

use crate::words;

/// Which octet of a unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The high one: network order.
    Big,
    /// The low one.
    Little,
}

words!(ByteOrder, "byte order": Big "big-endian", Little "little-endian");

impl ByteOrder {
    /// Returns the code unit of two octets.
    pub(crate) fn unit(self, octets: [u8; 2]) -> u16 {
        match self {
            Self::Big => u16::from_be_bytes(octets),
            Self::Little => u16::from_le_bytes(octets),
        }
    }

    /// Returns the two octets of a code unit.
    pub(crate) fn octets(self, unit: u16) -> [u8; 2] {
        match self {
            Self::Big => unit.to_be_bytes(),
            Self::Little => unit.to_le_bytes(),
        }
    }
}

/// The order of octets under a label of UTF-16 or UTF-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// `UTF-16`, `UTF-32`: a byte order mark declares the order; big-endian without one.
    WithBom,
    /// `UTF-16BE`, `UTF-16LE`...: this order; there is no byte order mark, U+FEFF is a character.
    Ordered(ByteOrder),
}

impl Label {
    /// Returns the order unless a byte order mark says otherwise.
    #[doc(hidden)]
    pub const fn order(self) -> ByteOrder {
        match self {
            Self::WithBom => ByteOrder::Big,
            Self::Ordered(order) => order,
        }
    }
}

/// Whether an encoder writes U+FEFF first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bom {
    /// U+FEFF is written.
    With,
    /// U+FEFF is not written.
    Without,
}
