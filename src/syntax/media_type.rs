//! Media types (RFC 2045, 5.1).

use super::lexical::split_while;
use crate::ascii::is_token;

/// Returns the type and the subtype, if `value` is exactly a media type. (The lenient reader of whole fields
/// is [`list`](super::parameter::list).)
///
/// `content := "Content-Type" ":" type "/" subtype *(";" parameter)`, both tokens.
pub(crate) fn media_type(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let (top, rest) = split_while(value, is_token);
    let (sub, rest) = split_while(rest.strip_prefix(b"/")?, is_token);
    (!top.is_empty() && !sub.is_empty() && rest.is_empty()).then_some((top, sub))
}

/// Splits `octets` after the token, or the two with a slash between them, that they begin with.
pub(super) fn split_value(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let (top, rest) = split_while(octets, is_token);
    let sub = rest.strip_prefix(b"/").map(|rest| split_while(rest, is_token).0);
    let is_value = !top.is_empty() && sub != Some(b"");
    is_value.then(|| octets.split_at(top.len() + sub.map_or(0, |sub| sub.len() + 1)))
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
