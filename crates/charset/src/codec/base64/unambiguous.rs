//! Whether every reader decodes a base64 body to the same octets, even if it is not exactly right.

use super::well_formed::is_symbol;
use crate::ascii::is_fws;
use crate::codec::scan;

/// Returns whether `body` consists only of symbols and white space, in whole quads, with the
/// padding that the last one needs at the very end. Readers treat anything else in different ways:
/// they stop at padding or go on, they skip other octets or stop, they drop what is left of a quad
/// or not.
pub fn is_unambiguous(body: &[u8]) -> bool {
    let is_end = |octet: u8| octet == b'=' || is_fws(octet);
    let end = body.iter().rposition(|&octet| !is_end(octet)).map_or(0, |last| last + 1);
    let (data, rest) = body.split_at(end);
    let padding = scan::count(rest, |octet| octet == b'=');

    let is_blank = |octet: u8| matches!(octet, b' ' | b'\t' | b'\r' | b'\n');
    let [symbols, blanks] = scan::count_both(data, is_symbol, is_blank);
    (symbols + padding) % 4 == 0 && padding <= 2 && symbols + blanks == data.len()
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
            ("QUJDQQ= =", true),
            ("QUI=\r\n\r\n\t", true),
            ("QUI=\0", false),
            (" \r\n", true),
            ("=", false),
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
}
