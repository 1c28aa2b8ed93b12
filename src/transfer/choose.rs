//! Choosing the transfer encoding of what is written anew (rule B3).

use super::TransferEncoding;
use crate::codec::{base64, quoted};

/// The shorter of quoted-printable and base64 for content whose line ends are CRLF, each of them, among `boundaries`;
/// quoted-printable if neither is.
pub(crate) fn choose_encoded(octets: &[u8], boundaries: &[&[u8]]) -> TransferEncoding {
    let limit = base64::lines_len(octets.len());
    // Most text is decided without counting line by line, and dense text by its beginning.
    let (mut least, mut line_ends) = (octets.len(), 0);
    for piece in octets.chunks(PIECE) {
        let count = quoted::count(piece);
        least += 2 * count.escaped;
        line_ends += count.line_ends;
        if least > limit {
            return TransferEncoding::Base64;
        }
    }
    if most_quoted(least, line_ends) <= limit || quoted::text_fits(octets, boundaries, limit).is_some() {
        TransferEncoding::QuotedPrintable
    } else {
        TransferEncoding::Base64
    }
}

/// Looked at before it is asked again whether there is more to say.
const PIECE: usize = 4096;

/// An encoded line that ends in a soft break is at least that long: what did not fit was 12 columns wide at the most.
const SHORTEST_BROKEN_LINE: usize = 64;

/// What a text may grow to that takes `least` without any soft break: were each line to end in white space, and each
/// encoded line to begin in a risky way.
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
        let text = |text: &str| choose_encoded(text.as_bytes(), &[b"b"]);
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
            quoted::encode_text_to(octets, &[], &mut quoted).expect("a vector takes all");
            base64::encode_lines_to(octets, &mut lines).expect("a vector takes all");
            let shorter = quoted.len() <= lines.len();
            prop_assert_eq!(choose_encoded(octets, &[]) == TransferEncoding::QuotedPrintable, shorter);
        }
    }
}
