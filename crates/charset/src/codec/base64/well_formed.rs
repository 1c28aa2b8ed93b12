//! Whether a base64 body needs no repair, so that every parser reads the same out of it.

use super::{Leftover, MIME};
use crate::codec::scan;

/// Returns whether `body` contains only symbols in lines ended by CRLF or LF, padding only as the
/// last symbols, whole quads in total, and zero bits where padding takes their place.
pub fn is_well_formed(body: &[u8]) -> bool {
    let end =
        body.iter().rposition(|&octet| !matches!(octet, b'\r' | b'\n')).map_or(0, |at| at + 1);
    let padding = body[..end].iter().rev().take(3).take_while(|&&octet| octet == b'=').count();
    let (symbols, ends) = (&body[..end - padding], &body[end..]);
    let [count, line_ends] = scan::count_both(symbols, is_symbol, is_line_end);
    (count + padding) % 4 == 0
        && count + line_ends == symbols.len()
        && tail_is_well_formed(symbols, padding)
        && line_ends_are_whole(symbols)
        && line_ends_are_whole(ends)
}

/// Returns whether the last symbol comes directly before the padding, with zero bits where the
/// padding requires them.
fn tail_is_well_formed(symbols: &[u8], padding: usize) -> bool {
    let last = symbols.last().and_then(|&symbol| MIME.value(symbol));
    match padding {
        0 => true,
        1 | 2 => last
            .is_some_and(|last| Leftover::judge(4 - padding, 8, last.into()) == Leftover::Nothing),
        _ => false,
    }
}

/// Returns whether an octet is neither a symbol nor CR or LF.
#[inline]
pub(super) fn is_alien(octet: u8) -> bool {
    !(is_symbol(octet) | is_line_end(octet))
}

#[inline]
fn is_line_end(octet: u8) -> bool {
    (octet == b'\r') | (octet == b'\n')
}

/// Returns whether an octet is a symbol: the twin of [`MIME.contains`](super::Alphabet::contains)
/// for loops over vectors.
#[inline]
pub(super) fn is_symbol(octet: u8) -> bool {
    let letter = (octet | 0x20).wrapping_sub(b'a') < 26;
    let digit = octet.wrapping_sub(b'/') < 11; // `/` precedes `0`
    letter | digit | (octet == b'+')
}

/// Returns whether a LF follows each CR.
fn line_ends_are_whole(octets: &[u8]) -> bool {
    octets.last() != Some(&b'\r')
        && !scan::any_pair(octets, |octet, next| (octet == b'\r') & (next != b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_those_of_the_alphabet() {
        assert!((0..=u8::MAX).all(|octet| is_symbol(octet) == MIME.contains(octet)));
    }
}
