//! Whether a quoted-printable body needs no repair, so that every parser reads the same out of it.

use super::is_literal;
use crate::codec::{hex, scan};

/// Whether `body` is quoted-printable to the letter, but for the length of its lines and for LF as a line end:
/// only printable US-ASCII, space and TAB; each `=` before two digits in upper case or a line end. White space
/// at the end of a line does not count: RFC 2045 says that it means nothing, and half of the parsers keep it, so
/// it is left for each to read as it did.
pub(crate) fn is_clean(body: &[u8]) -> bool {
    let odd_octet = |octet| !(is_literal(octet) | (octet == b'=') | (octet == b'\r') | (octet == b'\n'));
    let odd_pair = |octet, next| (octet == b'\r') & (next != b'\n');
    !scan::any(body, odd_octet)
        && !scan::any_pair(body, odd_pair)
        && body.last() != Some(&b'\r')
        && escapes_are_clean(body)
}

fn escapes_are_clean(body: &[u8]) -> bool {
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'=', &body[at..]) {
        at += next;
        let mut octets = [0; 32];
        let run = hex::unescape(b'=', &body[at..], &mut octets);
        match body[at + 1..] {
            _ if run.escapes > 0 && !run.lower => at += 3 * run.escapes,
            [b'\r' | b'\n', ..] => at += 2,
            _ => return false,
        }
    }
    true
}
