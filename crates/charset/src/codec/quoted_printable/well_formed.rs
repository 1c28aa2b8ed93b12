//! Whether a quoted-printable body needs no repair, so that every parser reads the same out of it.

use fearless_simd::dispatch;
use fearless_simd::prelude::*;

use super::strict::digit;
use crate::codec::level::Level;

/// Returns whether `body` is exactly quoted-printable, except for the length of its lines and for
/// LF as a line end: only printable US-ASCII, space and TAB; each `=` before two digits in upper
/// case or a line end. White space at the end of a line does not count: RFC 2045 says that it means
/// nothing, and half of the parsers keep it, so each is left to read it as before.
pub fn is_well_formed(body: &[u8]) -> bool {
    is_well_formed_by(Level::new(), body)
}

pub(super) fn is_well_formed_by(level: Level, body: &[u8]) -> bool {
    !matches!(body.last(), Some(b'\r' | b'='))
        && dispatch!(level, simd => has_well_formed_places(simd, body))
}

/// The widest vector, and the two octets after it.
const WINDOW: usize = 64 + 2;

#[inline(always)]
fn has_well_formed_places<S: Simd>(simd: S, body: &[u8]) -> bool {
    let mut at = 0;
    while let Some(window) = body.get(at..at + S::u8s::LEN + 2) {
        if !is_well_formed_window(simd, window) {
            return false;
        }
        at += S::u8s::LEN;
    }
    while at < body.len() {
        // Padded with line ends.
        let mut window = [b'\n'; WINDOW];
        let rest = &body[at..body.len().min(at + WINDOW)];
        window[..rest.len()].copy_from_slice(rest);
        if !is_well_formed_window(simd, &window) {
            return false;
        }
        at += S::u8s::LEN;
    }
    true
}

/// Returns whether every octet of a vector is well-formed together with the two after it.
#[inline(always)]
fn is_well_formed_window<S: Simd>(simd: S, window: &[u8]) -> bool {
    let place = |at: usize| S::u8s::from_slice(simd, &window[at..at + S::u8s::LEN]);
    let (octets, first, second) = (place(0), place(1), place(2));
    let (cr, lf) = (octets.simd_eq(b'\r'), octets.simd_eq(b'\n'));
    let known = (octets - b' ').simd_lt(0x5F) | octets.simd_eq(b'\t') | cr | lf;
    let next_lf = first.simd_eq(b'\n');
    let escape = digit(first).0 & digit(second).0;
    let mark = octets.simd_eq(b'=') & !(escape | next_lf | first.simd_eq(b'\r'));
    !(!known | (cr & !next_lf) | mark).any_true()
}
