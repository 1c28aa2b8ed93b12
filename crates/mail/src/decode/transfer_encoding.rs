//! The transfer encoding that a field names (rule B1).

use crate::syntax::mechanism::mechanism;
use crate::transfer::{NameSpelling, TransferEncoding};

/// Reads the value of Content-Transfer-Encoding (RFC 2045, 6.1).
pub fn transfer_encoding(value: &[u8]) -> (TransferEncoding, NameSpelling) {
    TransferEncoding::named(value, mechanism)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_and_what_is_meant() {
        use NameSpelling::{Exact, Misspelt, Odd};
        use TransferEncoding::*;
        let cases = [
            ("7bit", SevenBit, Exact),
            (" 8BIT\r\n", EightBit, Exact),
            ("Quoted-Printable", QuotedPrintable, Exact),
            ("base64;", Base64, Odd),
            ("base64 (as ever)", Base64, Odd),
            ("(a (nested) comment) base64", Base64, Odd),
            (r"(\)) base64", Base64, Odd),
            (r"(\(a) quoted-printable (b)", QuotedPrintable, Odd),
            (r"(\\) BASE64", Base64, Odd),
            ("\"quoted-printable\"", QuotedPrintable, Odd),
            ("quoted?printable", QuotedPrintable, Misspelt),
            ("base64\u{b}", Base64, Odd),
            ("base\u{0}64", Base64, Misspelt),
            ("8-bit", EightBit, Odd),
            ("8bits", EightBit, Odd),
            ("8bit?(raw)", EightBit, Odd),
            ("7-bit", SevenBit, Odd),
            ("6bit", SevenBit, Odd),
            ("utf-8", EightBit, Odd),
            ("text/html", EightBit, Odd),
            ("plain", SevenBit, Odd),
            ("", SevenBit, Odd),
            ("(", SevenBit, Odd),
            ("x-uuencode", Uuencode, Exact),
            ("foobar", Unknown, Exact),
            ("7vladi.pimenovit", Unknown, Exact),
            ("foo bar", SevenBit, Odd),
            ("ba(x)se64", SevenBit, Odd),
            ("foo (caf\u{e9})", SevenBit, Odd),
        ];
        for (value, encoding, spelling) in cases {
            assert_eq!(transfer_encoding(value.as_bytes()), (encoding, spelling), "{value:?}");
        }
    }
}
