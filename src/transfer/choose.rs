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
    // Dense text is decided without counting line by line.
    if octets.len() + 2 * escaped(octets, content) > limit {
        return TransferEncoding::Base64;
    }
    let length = match content {
        Content::Text => quoted::text_fits(octets, boundaries, limit),
        Content::Binary => quoted::binary_fits(octets, boundaries, limit),
    };
    if length.is_some() { TransferEncoding::QuotedPrintable } else { TransferEncoding::Base64 }
}

/// How many octets are escaped at the least.
fn escaped(octets: &[u8], content: Content) -> usize {
    scan::count(octets, |octet| match content {
        Content::Text => (octet & 0x80 != 0) | (octet == b'='),
        Content::Binary => (octet & 0x80 != 0) | (octet == b'=') | (octet == b'\n') | (octet == b'\r'),
    })
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
