//! Percent-encoding in parameters (RFC 2231, section 7).
//!
//! `ext-octet := "%" 2(DIGIT / "A" / "B" / "C" / "D" / "E" / "F")`; digits in lower case are read
//! as well.

use super::hex;
use crate::ascii::is_token;
use crate::report::Tally;
use crate::{Code, Span};

/// Returns whether an octet may stand for itself in an extended value (RFC 2231): `attribute-char
/// := <any (US-ASCII) CHAR except SPACE, CTLs, "*", "'", "%", or tspecials>`.
pub const fn is_attribute_char(octet: u8) -> bool {
    is_token(octet) && !matches!(octet, b'*' | b'\'' | b'%')
}

/// Appends the octets that `text` encodes; a `%` that begins no escape stands for itself and is
/// reported.
pub fn decode(text: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
    out.reserve(text.len());
    let mut at = 0;
    while at < text.len() {
        let literal = memchr::memchr(b'%', &text[at..]).unwrap_or(text.len() - at);
        out.extend_from_slice(&text[at..at + literal]);
        at += literal;
        let mut octets = [0; 32];
        let run = hex::unescape(b'%', &text[at..], &mut octets);
        out.extend_from_slice(&octets[..run.escapes]);
        at += 3 * run.escapes;
        if run.escapes == 0 && at < text.len() {
            tally.note(Code::ParameterRepaired, Span::new(at, at + 1));
            out.push(text[at]);
            at += 1;
        }
    }
}

/// Appends one octet as it is written in an extended value: as itself or as an escape.
pub fn encode_octet(octet: u8, out: &mut Vec<u8>) {
    if is_attribute_char(octet) {
        out.push(octet);
    } else {
        out.extend_from_slice(&hex::escape(b'%', octet));
    }
}

/// Appends `octets` as an extended value.
pub fn encode(octets: &[u8], out: &mut Vec<u8>) {
    out.reserve(encoded_len(octets));
    octets.iter().for_each(|&octet| encode_octet(octet, out));
}

/// Returns the number of octets that [`encode`] appends.
pub fn encoded_len(octets: &[u8]) -> usize {
    octets.iter().map(|&octet| if is_attribute_char(octet) { 1 } else { 3 }).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &[u8]) -> (Vec<u8>, bool) {
        let (mut out, mut tally) = (Vec::new(), Tally::default());
        decode(text, &mut out, &mut tally);
        (out, tally.is_empty())
    }

    #[test]
    fn reads_what_comes() {
        assert_eq!(read(b"caf%E9%20cr%e8me"), (b"caf\xE9 cr\xE8me".to_vec(), true));
        assert_eq!(read(b"100%%41%4%zz%"), (b"100%A%4%zz%".to_vec(), false));
    }

    #[test]
    fn the_examples_of_the_rfc() {
        let mut out = Vec::new();
        encode(b"This is even more ***fun***", &mut out);
        assert_eq!(out, b"This%20is%20even%20more%20%2A%2A%2Afun%2A%2A%2A");
        assert_eq!(read(&out).0, b"This is even more ***fun***");
    }

    proptest! {
        #[test]
        fn comes_back(octets in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut out = Vec::new();
            encode(&octets, &mut out);
            prop_assert_eq!(out.len(), encoded_len(&octets));
            prop_assert!(out.iter().all(|&octet| octet == b'%' || is_attribute_char(octet)));
            prop_assert_eq!(read(&out), (octets, true));
        }
    }
}
