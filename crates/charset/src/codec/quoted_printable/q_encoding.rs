//! The Q encoding of encoded-words (RFC 2047, 4.2).

use std::ops::Range;

use fearless_simd::{dispatch, prelude::*};

use super::escape;
use crate::ascii::is_printable;
use crate::codec::hex;
use crate::codec::lanes::ending;
use crate::codec::level::{self, Level};
use crate::report::Tally;
use crate::{Code, Span};

/// Which octets an encoded-text in Q may contain as they are. A space is always written as `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QLiterals {
    /// Printable US-ASCII except `=`, `?` and `_` (RFC 2047, 4.2).
    Printable,
    /// Of those, all but `(`, `)`, `\` and `"` (RFC 2047, 5 (2)).
    NoDelimiters,
    /// Letters, digits, `!`, `*`, `+`, `-` and `/` only (RFC 2047, 5 (3)).
    Restricted,
}

/// Returns whether Q may contain an octet as it is, or as `_`.
#[inline]
pub fn is_q_literal(octet: u8, literals: QLiterals) -> bool {
    let anywhere = is_printable(octet) & !matches!(octet, b'=' | b'?' | b'_');
    match literals {
        QLiterals::Printable => anywhere,
        QLiterals::NoDelimiters => anywhere & !matches!(octet, b'(' | b')' | b'\\' | b'"'),
        QLiterals::Restricted => {
            octet.is_ascii_alphanumeric()
                || matches!(octet, b'!' | b'*' | b'+' | b'-' | b'/' | b' ')
        }
    }
}

/// [`is_q_literal`] for all octets of a vector.
#[inline(always)]
pub fn literals<S: Simd, V: SimdInt<S, Element = u8>>(octets: V, allowed: QLiterals) -> V::Mask {
    let is = |octet: u8| octets.simd_eq(octet);
    if allowed == QLiterals::Restricted {
        let letters = ((octets | 0x20) - b'a').simd_lt(26);
        let marks = is(b'!') | is(b'*') | is(b'+') | is(b'-') | is(b' ');
        // `/` precedes `0`.
        return letters | (octets - b'/').simd_lt(11) | marks;
    }
    let anywhere = (octets - b' ').simd_lt(0x5F) & !(is(b'=') | is(b'?') | is(b'_'));
    if allowed == QLiterals::Printable {
        return anywhere;
    }
    anywhere & !(is(b'(') | is(b')') | is(b'\\') | is(b'"'))
}

/// Appends pieces of a text in Q, with `between` between them; more of the text around them may be
/// loaded.
pub fn encode_joined(
    text: &[u8],
    pieces: impl Iterator<Item = Range<usize>>,
    allowed: QLiterals,
    between: &[u8],
    out: &mut Vec<u8>,
) {
    for (number, piece) in pieces.enumerate() {
        if number > 0 {
            out.extend_from_slice(between);
        }
        encode_word(Level::new(), text, piece, allowed, out);
    }
}

/// Appends the octets of `text` in `range`, in Q.
pub(super) fn encode_word(
    level: Level,
    text: &[u8],
    range: Range<usize>,
    allowed: QLiterals,
    out: &mut Vec<u8>,
) {
    if level::picks(level) {
        return dispatch!(level, simd => encode_vectors(simd, text, range, allowed, out));
    }
    text[range].chunks(FEW).for_each(|octets| encode_few(octets, allowed, out));
}

#[inline(always)]
fn encode_vectors<S: Simd>(
    simd: S,
    text: &[u8],
    range: Range<usize>,
    allowed: QLiterals,
    out: &mut Vec<u8>,
) {
    let mut at = range.start;
    while at < range.end {
        let octets = match text.get(at..at + S::u8s::LEN) {
            Some(whole) => S::u8s::from_slice(simd, whole),
            None => ending(simd, text, at),
        };
        let literal = literals(octets, allowed);
        let octets = octets.simd_eq(b' ').select(S::u8s::splat(simd, b'_'), octets);
        let count = (S::u8s::LEN / 3 * 3).min(range.end - at);
        let mut wide = [0; 3 * 64 + escape::SLACK];
        let written = escape::write(simd, octets, literal, count, &mut wide);
        out.extend_from_slice(&wide[..written]);
        at += count;
    }
}

/// The number of octets that are written in one step where there are no vectors.
const FEW: usize = 64;

/// Appends at most [`FEW`] octets in Q. Each is stored as three octets, and what follows a literal
/// is stored over the second and third of them.
fn encode_few(octets: &[u8], allowed: QLiterals, out: &mut Vec<u8>) {
    let mut text = [0; 3 * FEW];
    let mut length = 0;
    for &octet in octets {
        let literal = is_q_literal(octet, allowed);
        let itself = if octet == b' ' { b'_' } else { octet };
        let written = if literal { [itself, 0, 0] } else { hex::escape(b'=', octet) };
        text[length..length + 3].copy_from_slice(&written);
        length += if literal { 1 } else { 3 };
    }
    out.extend_from_slice(&text[..length]);
}

/// Appends the octets that the text of a Q word encodes: `_` is a space; a `=` that begins no
/// escape stands for itself and is reported.
pub fn decode_word(text: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
    let start = out.len();
    out.resize(start + text.len(), 0);
    let (mut read, mut written) = (0, start);
    while let Some(&octet) = text.get(read) {
        if octet == b'=' {
            let run = hex::unescape(b'=', &text[read..], &mut out[written..]);
            (read, written) = (read + 3 * run.escapes, written + run.escapes);
            if run.escapes > 0 {
                continue;
            }
            tally.note(Code::QuotedPrintableRepaired, Span::new(read, read + 1));
        }
        out[written] = if octet == b'_' { b' ' } else { octet };
        (read, written) = (read + 1, written + 1);
    }
    out.truncate(written);
}
