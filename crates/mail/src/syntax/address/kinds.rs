//! Kinds of octets in addresses, as a table, since every octet of a header is looked up.

use crate::syntax::lexical::is_atext;

/// Octets in words of a local part that every reader reads alike: not dots, nor octets at which an
/// address is cut.
pub(super) const LOCAL: u8 = 1;
/// Octets in labels that every reader reads alike: letters, digits, `-` and `_`.
pub(super) const LABEL: u8 = 1 << 1;
/// Printable atext.
pub(super) const ATEXT: u8 = 1 << 2;
/// Printable atext, dots and spaces, as in a name without quotes.
pub(super) const NAME: u8 = 1 << 3;
/// Anything but `?`, without which nothing is an encoded-word.
pub(super) const UNMARKED: u8 = 1 << 5;
/// Anything but `-`, without which no label is an A-label.
pub(super) const UNHYPHENATED: u8 = 1 << 6;
/// A dot, which is of every other kind too: it occurs between words of any kind.
pub(super) const DOT: u8 = 1 << 4;

/// Returns the kinds that an octet is of.
#[inline]
pub(super) const fn kinds_of(octet: u8) -> u8 {
    KINDS[octet as usize]
}

static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut octet = 0;
    while octet < kinds.len() {
        kinds[octet] = find_kinds(octet as u8);
        octet += 1;
    }
    kinds
};

const fn find_kinds(octet: u8) -> u8 {
    let is_local = !matches!(octet, b'"' | b'@' | b'<' | b'>' | b':');
    let is_label = octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_');
    let is_atext = octet.is_ascii_graphic() && is_atext(octet);
    let is_name = is_atext || octet == b' ';
    if octet == b'.' {
        return u8::MAX;
    }
    let kinds = [
        (is_local, LOCAL),
        (is_label, LABEL),
        (is_atext, ATEXT),
        (is_name, NAME),
        (octet != b'?', UNMARKED),
        (octet != b'-', UNHYPHENATED),
    ];
    let (mut found, mut at) = (0, 0);
    while at < kinds.len() {
        found |= if kinds[at].0 { kinds[at].1 } else { 0 };
        at += 1;
    }
    found
}
