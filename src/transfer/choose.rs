//! Choosing the transfer encoding of what is written anew (rule B3).

use super::{LineEnds, Survey, TransferEncoding};
use crate::codec::{base64, quoted, scan};

/// What CR and LF are in some content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    /// Text: CRLF is a line end.
    Text,
    /// Anything else: all octets are data.
    Binary,
}

/// The encoding for `octets` among `boundaries`: 7bit if they may stand as they are, else quoted-printable
/// or base64, whichever is shorter; quoted-printable if neither is.
///
/// Text may stand as it is only if no line of it could be changed or misread on the way (rule B4).
pub(crate) fn choose(octets: &[u8], content: Content, boundaries: &[&[u8]]) -> TransferEncoding {
    if Survey::of(octets, LineEnds::Crlf).is_seven_bit() && !quoted::has_risky_line(octets, boundaries) {
        TransferEncoding::SevenBit
    } else {
        choose_encoded(octets, content, boundaries)
    }
}

/// The shorter of quoted-printable and base64.
pub(crate) fn choose_encoded(octets: &[u8], content: Content, boundaries: &[&[u8]]) -> TransferEncoding {
    let limit = base64::lines_len(octets.len());
    let bounds = Bounds::of(octets, content);
    // Most text is decided without counting line by line.
    if bounds.most <= limit {
        return TransferEncoding::QuotedPrintable;
    }
    if bounds.least > limit {
        return TransferEncoding::Base64;
    }
    let length = match content {
        Content::Text => quoted::text_fits(octets, boundaries, limit),
        Content::Binary => quoted::binary_fits(octets, boundaries, limit),
    };
    if length.is_some() { TransferEncoding::QuotedPrintable } else { TransferEncoding::Base64 }
}

/// Between what lengths quoted-printable must lie, from counting octets alone.
struct Bounds {
    least: usize,
    most: usize,
}

/// An encoded line that ends in a soft break is at least that long: what did not fit was 12 columns wide at the most.
const SHORTEST_BROKEN_LINE: usize = 64;

impl Bounds {
    fn of(octets: &[u8], content: Content) -> Self {
        let line_ends = scan::count(octets, |octet| (octet == b'\n') | (octet == b'\r'));
        let escapes =
            scan::count(octets, |octet| !(quoted::is_literal(octet) | (octet == b'\n') | (octet == b'\r')));
        let escaped = octets.len() + 2 * escapes;
        let (least, bare) = match content {
            Content::Binary => (escaped + 2 * line_ends, 2 * line_ends),
            Content::Text if has_bare_line_end(octets) => (escaped, 2 * line_ends),
            Content::Text => (escaped, 0),
        };
        // Were each line to end in white space, and each encoded line to begin in a risky way.
        let widest = escaped + bare + 2 * line_ends + 4;
        Self { least, most: widest + 5 * (widest / SHORTEST_BROKEN_LINE + 1) }
    }
}

fn has_bare_line_end(octets: &[u8]) -> bool {
    octets.first() == Some(&b'\n')
        || octets.last() == Some(&b'\r')
        || scan::any_pair(octets, |octet, next| (octet == b'\r') != (next == b'\n'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn chooses_the_shorter() {
        let text = |text: &str| choose(text.as_bytes(), Content::Text, &[b"b"]);
        assert_eq!(text(""), TransferEncoding::SevenBit);
        assert_eq!(text("plain\r\n"), TransferEncoding::SevenBit);
        assert_eq!(text("plain\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("nul\0, but long enough to say so\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("From here\r\nto there"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("a\r\n--b\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("a café by the sea\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(text("Привет\r\n"), TransferEncoding::Base64);
        assert_eq!(text(&"x".repeat(999)), TransferEncoding::QuotedPrintable);
        assert_eq!(text(&"x".repeat(998)), TransferEncoding::SevenBit);
    }

    proptest! {
        #[test]
        fn is_the_naive_choice(text in "([a-z]{0,20}|\u{e9}{0,5}|\r\n|=|\n){0,40}", binary in any::<bool>()) {
            let octets = text.as_bytes();
            let content = if binary { Content::Binary } else { Content::Text };
            let mut quoted = Vec::new();
            match content {
                Content::Text => quoted::encode_text(octets, &[], &mut quoted),
                Content::Binary => quoted::encode_binary(octets, &[], &mut quoted),
            }
            let mut lines = Vec::new();
            base64::encode_lines(octets, &mut lines);
            let shorter = quoted.len() <= lines.len();
            prop_assert_eq!(choose_encoded(octets, content, &[]) == TransferEncoding::QuotedPrintable, shorter);
        }
    }
}
