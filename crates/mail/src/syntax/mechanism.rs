//! The value of Content-Transfer-Encoding (RFC 2045, 6.1).

use super::comment::comment;
use crate::ascii::is_fws;

/// Returns the word that names a transfer encoding, without comments and quotes; empty if there is
/// none.
///
/// `mechanism := "7bit" / "8bit" / "binary" / "quoted-printable" / "base64" / ietf-token / x-token`
///
/// Deviations, all of them seen in mail:
/// 1. Comments may precede the word; one that is never closed reaches to the end.
/// 2. The word may be in quotes or brackets, after other punctuation, or with more after it.
/// 3. A vertical tab or form feed is white space, as six of ten readers take it.
pub fn mechanism(value: &[u8]) -> &[u8] {
    let is_between = |octet: u8| {
        is_fws(octet) || matches!(octet, 0x0B | 0x0C | b'"' | b'\'' | b';' | b',' | b'<' | b':')
    };
    let ends = |octet: u8| is_between(octet) || matches!(octet, b'(' | b'>');
    let mut rest = value;
    loop {
        rest = &rest[rest.iter().take_while(|&&octet| is_between(octet)).count()..];
        if rest.first() != Some(&b'(') {
            return &rest[..rest.iter().take_while(|&&octet| !ends(octet)).count()];
        }
        match comment(rest) {
            Ok((after, _)) => rest = after,
            Err(_) => return &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_without_what_stands_around_them() {
        let cases = [
            ("7bit", "7bit"),
            (" base64;\r\n", "base64"),
            ("\u{b}base64\u{c}", "base64"),
            ("base64 (as ever)", "base64"),
            ("(a (nested) comment) base64", "base64"),
            (r"(\)) base64", "base64"),
            (r"(a) (\(b\\) <8bit>", "8bit"),
            ("\"quoted-printable\"", "quoted-printable"),
            ("8bit?(raw)", "8bit?"),
            ("", ""),
            ("( base64", ""),
            (r"(\) base64", ""),
        ];
        for (value, word) in cases {
            assert_eq!(mechanism(value.as_bytes()), word.as_bytes(), "{value:?}");
        }
    }
}
