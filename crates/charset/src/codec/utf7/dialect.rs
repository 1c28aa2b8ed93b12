//! The dialects of UTF-7, as data.

use crate::codec::octet_set::{OctetSet, members};

/// The properties of a dialect of UTF-7, for the vector code.
pub(super) struct Dialect {
    /// The octets that stand for themselves when read, and the shift.
    pub(super) readable: OctetSet,
    /// Octets that are written as themselves.
    pub(super) direct: OctetSet,
}

impl Dialect {
    const fn new(direct: &[bool; 256]) -> Self {
        Self { readable: OctetSet::new(&READABLE), direct: OctetSet::new(direct) }
    }
}

/// Begins a shifted sequence.
pub(super) const SHIFT: u8 = b'+';

/// RFC 2152, with set D written as itself.
pub(super) static MAIL_SAFE: Dialect = Dialect::new(&IS_MAIL_SAFE);
/// RFC 2152, with sets D and O written as themselves.
pub(super) static OPTIONAL_DIRECT: Dialect = Dialect::new(&IS_DIRECT);

/// Sets D and O, the white space of rule 3, and `+`.
const READABLE: [bool; 256] =
    members(&[[b'\t', b'\n'], [b'\r', b'\r'], [b' ', b'['], [b']', b'}']]);

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
