//! Whether every reader decodes a base64 body to the same octets, even if it is not exactly right.

use super::well_formed::is_symbol;
use crate::ascii::is_fws;
use crate::codec::scan;

/// Returns whether `body` consists only of symbols and white space, in whole quads, with the padding that the
/// last one needs at the very end. Readers treat anything else in different ways: they stop at padding or go
/// on, they skip other octets or stop, they drop what is left of a quad or not.
pub(crate) fn is_unambiguous(body: &[u8]) -> bool {
    let end = memchr::memchr(b'=', body).unwrap_or(body.len());
    let (data, rest) = body.split_at(end);
    let is_blank = |octet: u8| matches!(octet, b' ' | b'\t' | b'\r' | b'\n');
    let padding = scan::count(rest, |octet| octet == b'=');
    let [symbols, blanks] = scan::count_both(data, is_symbol, is_blank);
    (symbols + padding) % 4 == 0
        && padding <= 2
        && symbols + blanks == data.len()
        && rest.iter().all(|&octet| octet == b'=' || is_fws(octet))
}

/// Returns where the data of a body ends for most readers: after the first padding that completes a quad (RFC
/// 2045, 6.8: it "may be taken as evidence that the end of the data has been reached"), or at the end of a
/// body without such padding.
pub(crate) fn end_of_data(body: &[u8]) -> usize {
    let (mut symbols, mut from) = (0, 0);
    for at in memchr::memchr_iter(b'=', body) {
        symbols += scan::count(&body[from..at], is_symbol);
        let padding = if symbols % 4 >= 2 { padding_end(body, at, 4 - symbols % 4) } else { None };
        if let Some(end) = padding {
            return end;
        }
        from = at + 1;
    }
    body.len()
}

/// Returns where `wanted` octets of padding end, with white space between them.
fn padding_end(body: &[u8], at: usize, mut wanted: usize) -> Option<usize> {
    for (place, &octet) in body.iter().enumerate().skip(at) {
        match octet {
            b'=' if wanted == 1 => return Some(place + 1),
            b'=' => wanted -= 1,
            _ if is_fws(octet) => {}
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, proptest};

    use super::super::well_formed::is_well_formed;
    use super::*;

    #[test]
    fn what_readers_agree_about() {
        for (body, is) in [
            ("", true),
            ("QUJD\r\nQUI=\r\n", true),
            ("QU JD\n\nQ\tUI=", true),
            ("QUI= \r\n", true),
            ("QUJDQUI", false),
            ("QUI=QUJD", false),
            ("====QUJD", false),
            ("QUJD====", false),
            ("QU*JD", false),
            ("QUJD\r\n--\r\n", false),
            ("QUJD\0", false),
        ] {
            assert_eq!(is_unambiguous(body.as_bytes()), is, "{body:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_so_to_the_letter_is_read_alike(body in "([A-Z]{4}|[A-Z]{2}[AQ]=|[A-Z][AQ]==|\r?\n|[ =A-Z]){0,9}") {
            prop_assert!(!is_well_formed(body.as_bytes()) || is_unambiguous(body.as_bytes()));
        }
    }

    #[test]
    fn data_end_with_their_padding() {
        for (body, end) in [("QUI=QUJD", 4), ("QUJD=QUI=", 9), ("QQ= =QUJD", 5), ("QQ=QUJD", 7), ("QUJD", 4)]
        {
            assert_eq!(end_of_data(body.as_bytes()), end, "{body:?}");
        }
    }
}
