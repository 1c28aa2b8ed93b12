//! Choosing the transfer encoding of what is written anew (rule B3).

use super::TransferEncoding;
use super::survey::has_bare_line_end;
use crate::codec::{base64, quoted, scan};

/// The shorter of quoted-printable and base64 for content whose line ends are CRLF, among `boundaries`; quoted-printable
/// if neither is.
pub(crate) fn choose_encoded(octets: &[u8], boundaries: &[&[u8]]) -> TransferEncoding {
    let limit = base64::lines_len(octets.len());
    let bounds = Bounds::of(octets);
    // Most text is decided without counting line by line.
    if bounds.most <= limit {
        return TransferEncoding::QuotedPrintable;
    }
    if bounds.least > limit {
        return TransferEncoding::Base64;
    }
    let fits = quoted::text_fits(octets, boundaries, limit).is_some();
    if fits { TransferEncoding::QuotedPrintable } else { TransferEncoding::Base64 }
}

/// Between what lengths quoted-printable must lie, from counting octets alone.
struct Bounds {
    least: usize,
    most: usize,
}

/// An encoded line that ends in a soft break is at least that long: what did not fit was 12 columns wide at the most.
const SHORTEST_BROKEN_LINE: usize = 64;

impl Bounds {
    fn of(octets: &[u8]) -> Self {
        let line_ends = scan::count(octets, |octet| (octet == b'\n') | (octet == b'\r'));
        let escapes =
            scan::count(octets, |octet| !(quoted::is_literal(octet) | (octet == b'\n') | (octet == b'\r')));
        let escaped = octets.len() + 2 * escapes;
        let bare = if has_bare_line_end(octets) { 2 * line_ends } else { 0 };
        // Were each line to end in white space, and each encoded line to begin in a risky way.
        let widest = escaped + bare + 2 * line_ends + 4;
        Self { least: escaped, most: widest + 5 * (widest / SHORTEST_BROKEN_LINE + 1) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn chooses_the_shorter() {
        let text = |text: &str| choose_encoded(text.as_bytes(), &[b"b"]);
        assert_eq!(text("plain\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("nul\0, but long enough to say so\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("From here\r\nto there"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("a\r\n--b\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("a café by the sea\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("Привет\r\n"), TransferEncoding::Base64);
        assert_eq!(text(&"x".repeat(999)), TransferEncoding::QuotedPrintable);
    }

    proptest! {
        #[test]
        fn is_the_naive_choice(text in "([a-z]{0,20}|\u{e9}{0,5}|\r\n|=|\n){0,40}") {
            let octets = text.as_bytes();
            let (mut quoted, mut lines) = (Vec::new(), Vec::new());
            quoted::encode_text_to(octets, &[], &mut quoted).expect("a vector takes all");
            base64::encode_lines_to(octets, &mut lines).expect("a vector takes all");
            let shorter = quoted.len() <= lines.len();
            prop_assert_eq!(choose_encoded(octets, &[]) == TransferEncoding::QuotedPrintable, shorter);
        }
    }
}
