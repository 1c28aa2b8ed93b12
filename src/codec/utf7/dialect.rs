//! The dialects of UTF-7, as data.

use crate::codec::base64::{Alphabet, UTF_7};
use crate::codec::octet_set::{OctetSet, members};

/// The properties of a dialect of UTF-7, for the vector code.
pub(in crate::codec) struct Dialect {
    /// Begins a shifted sequence.
    pub(super) shift: u8,
    pub(super) alphabet: &'static Alphabet,
    /// The octets that stand for themselves when read, and the shift.
    pub(super) readable: OctetSet,
    /// Octets that are written as themselves.
    pub(super) direct: OctetSet,
    pub(super) hyphen: Hyphen,
}

impl Dialect {
    pub(in crate::codec) const fn new(
        shift: u8,
        alphabet: &'static Alphabet,
        readable: &[bool; 256],
        direct: &[bool; 256],
        hyphen: Hyphen,
    ) -> Self {
        Self { shift, alphabet, readable: OctetSet::new(readable), direct: OctetSet::new(direct), hyphen }
    }
}

/// Where a `-` ends a shifted sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codec) enum Hyphen {
    /// If it would go on otherwise, and before another `-`.
    Needed,
    /// Everywhere.
    Always,
}

/// RFC 2152, with set D written as itself.
pub(super) static MAIL_SAFE: Dialect = Dialect::new(b'+', UTF_7, &READABLE, &IS_MAIL_SAFE, Hyphen::Needed);
/// RFC 2152, with sets D and O written as themselves.
pub(super) static OPTIONAL_DIRECT: Dialect = Dialect::new(b'+', UTF_7, &READABLE, &IS_DIRECT, Hyphen::Needed);

/// Sets D and O, the white space of rule 3, and `+`.
const READABLE: [bool; 256] = members(&[[b'\t', b'\n'], [b'\r', b'\r'], [b' ', b'['], [b']', b'}']]);

/// Set D and the white space of rule 3.
pub(super) static IS_MAIL_SAFE: [bool; 256] = members(&[
    [b'\t', b'\n'],
    [b'\r', b'\r'],
    [b' ', b' '],
    [b'\'', b')'],
    [b',', b':'],
    [b'?', b'?'],
    [b'A', b'Z'],
    [b'a', b'z'],
]);

/// Sets D and O, and the white space of rule 3.
pub(super) static IS_DIRECT: [bool; 256] =
    members(&[[b'\t', b'\n'], [b'\r', b'\r'], [b' ', b'*'], [b',', b'['], [b']', b'}']]);

/// Membership in [`IS_MAIL_SAFE`] by comparisons, which are faster for many octets in one go.
#[inline]
pub(super) const fn is_mail_safe(octet: u8) -> bool {
    let letter = (octet | 0x20).wrapping_sub(b'a') < 26;
    let quote = octet.wrapping_sub(b'\'') < 3; // ' ( )
    let digit = octet.wrapping_sub(b',') < 15; // , - . / 0-9 :
    letter | quote | digit | (octet == b'?') | is_white(octet)
}

/// Membership in [`IS_DIRECT`] by comparisons.
#[inline]
pub(super) const fn is_direct(octet: u8) -> bool {
    let graphic = octet.wrapping_sub(b'!') < 0x5D; // up to }
    graphic & (octet != b'+') & (octet != b'\\') | is_white(octet)
}

#[inline]
const fn is_white(octet: u8) -> bool {
    (octet == b' ') | (octet == b'\t') | (octet == b'\n') | (octet == b'\r')
}

/// Returns whether a character must be shifted: all but sets D and O and the white space of rule 3.
#[inline]
pub(super) const fn is_special(octet: u8) -> bool {
    let graphic = octet.wrapping_sub(b' ') < 0x5E;
    let white = (octet == b'\t') | (octet == b'\n') | (octet == b'\r');
    !(graphic | white) | (octet == b'+') | (octet == b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_comparisons_agree() {
        for octet in 0..=255 {
            let at = usize::from(octet);
            assert_eq!(is_mail_safe(octet), IS_MAIL_SAFE[at], "{octet:X}");
            assert_eq!(is_direct(octet), IS_DIRECT[at], "{octet:X}");
            assert_eq!(!is_special(octet) || octet == b'+', READABLE[at], "{octet:X}");
        }
    }
}
