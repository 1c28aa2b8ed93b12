//! Chooses the transfer encoding of a body that is rewritten (rule B3).

use super::TransferEncoding;
use crate::codec::base64;
use crate::codec::quoted_printable::{self, LineStarts};

/// Returns the shorter of quoted-printable and base64 for content in which every line end is CRLF;
/// quoted-printable if both are equally long.
pub fn choose_encoded(octets: &[u8], starts: &LineStarts) -> TransferEncoding {
    let limit = base64::lines_len(octets.len());
    // Most text is decided without counting line by line, and dense text by its beginning.
    let (mut least, mut line_ends) = (octets.len(), 0);
    for piece in octets.chunks(PIECE) {
        let count = quoted_printable::count(piece);
        least += 2 * count.escaped;
        line_ends += count.line_ends;
        if least > limit {
            return TransferEncoding::Base64;
        }
    }
    if most_quoted(least, line_ends) <= limit
        || quoted_printable::text_fits(octets, starts, limit).is_some()
    {
        TransferEncoding::QuotedPrintable
    } else {
        TransferEncoding::Base64
    }
}

/// How many octets are counted between checks.
const PIECE: usize = 4096;

/// The shortest line that ends in a soft break: what did not fit was at most 12 columns wide.
const SHORTEST_BROKEN_LINE: usize = 64;

/// Returns an upper bound for a text that takes `least` octets without soft breaks: every line ends
/// in white space, and every encoded line begins with something that must be escaped.
fn most_quoted(least: usize, line_ends: usize) -> usize {
    let widest = least + 2 * line_ends + 4;
    widest + 5 * (widest / SHORTEST_BROKEN_LINE + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn chooses_the_shorter() {
        let text = |text: &str| {
            choose_encoded(text.as_bytes(), &LineStarts::new(&[b"--b", b"From "], Vec::new()))
        };
        assert_eq!(text("plain\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("nul\0, but long enough to say so\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("From here\r\nto there"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("a\r\n--b\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("a café by the sea\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("Привет\r\n"), TransferEncoding::Base64);
        assert_eq!(text(&"x".repeat(999)), TransferEncoding::QuotedPrintable);
    }

    proptest! {
        #[test]
        fn is_the_naive_choice(text in "([a-z]{0,20}|\u{e9}{0,5}|\r\n|=| \r\n){0,40}") {
            let octets = text.as_bytes();
            let (mut quoted, mut lines) = (Vec::new(), Vec::new());
            quoted_printable::encode_text_to(octets, &LineStarts::default(), &mut quoted).expect("a vector takes all");
            base64::encode_lines_to(octets, &mut lines).expect("a vector takes all");
            let shorter = quoted.len() <= lines.len();
            prop_assert_eq!(choose_encoded(octets, &LineStarts::default()) == TransferEncoding::QuotedPrintable, shorter);
        }
    }
}
