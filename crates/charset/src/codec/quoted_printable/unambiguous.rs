//! Whether every reader decodes quoted-printable to the same octets, even if it is not exactly
//! right.

use crate::ascii::is_wsp;
use crate::codec::scan;

/// Returns whether each `=` begins an escape, in upper or lower case, or is the last octet of its
/// line, and no line ends in white space. Readers treat anything else in different ways: half of
/// them keep the white space that RFC 2045 says means nothing (6.7, rule 3), and some drop a `=`
/// that begins no escape, or more than that.
pub fn is_unambiguous(body: &[u8]) -> bool {
    let ends_in_blank = |octet: u8, next: u8| {
        ((octet == b' ') | (octet == b'\t')) & ((next == b'\r') | (next == b'\n'))
    };
    let is_escape = |at: usize| match body[at + 1..] {
        [b'\n', ..] | [b'\r', b'\n', ..] => true,
        [high, low, ..] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        _ => false,
    };
    !body.last().is_some_and(|&octet| is_wsp(octet))
        && !scan::any_pair(body, ends_in_blank)
        && memchr::memchr_iter(b'=', body).all(is_escape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_readers_agree_about() {
        for (body, is) in [
            ("a=3D=3d=\r\nb=\nc \t d\r\n", true),
            ("", true),
            ("a=", false),
            ("a=3", false),
            ("a=3\r\n", false),
            ("a==3D", false),
            ("a= \r\nb", false),
            ("a \r\n", false),
            ("a\t\n", false),
            ("a ", false),
            ("=XY", false),
        ] {
            assert_eq!(is_unambiguous(body.as_bytes()), is, "{body:?}");
        }
    }
}
