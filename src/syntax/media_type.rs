//! Media types (RFC 2045, 5.1).

use crate::ascii::is_token;

/// Returns the type and the subtype, if `value` is exactly a media type. (The lenient reader of whole fields
/// is [`list`](super::parameter::list).)
///
/// `content := "Content-Type" ":" type "/" subtype *(";" parameter)`, both tokens.
pub(crate) fn media_type(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let slash = value.iter().position(|&octet| octet == b'/')?;
    let (top, sub) = (&value[..slash], &value[slash + 1..]);
    (is_a_token(top) && is_a_token(sub)).then_some((top, sub))
}

/// `token := 1*<any (US-ASCII) CHAR except SPACE, CTLs, or tspecials>`
pub(crate) fn is_a_token(octets: &[u8]) -> bool {
    !octets.is_empty() && octets.iter().all(|&octet| is_token(octet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_two_tokens() {
        assert_eq!(media_type(b"text/plain"), Some((&b"text"[..], &b"plain"[..])));
        for odd in ["text", "text/", "/plain", "text/a/b", "text / plain", "text/caf\u{e9}", ""] {
            assert_eq!(media_type(odd.as_bytes()), None, "{odd:?}");
        }
    }
}
