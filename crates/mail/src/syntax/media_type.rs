//! Media types (RFC 2045, 5.1).

use super::lexical::split_while;
use crate::ascii::is_token;

/// Returns the type and the subtype, if `value` is exactly a media type. (The lenient reader of
/// whole fields is [`list`](super::parameter::list).)
///
/// `content := "Content-Type" ":" type "/" subtype *(";" parameter)`, both tokens.
pub fn media_type(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let (top, rest) = split_while(value, is_token);
    let (sub, rest) = split_while(rest.strip_prefix(b"/")?, is_token);
    (!top.is_empty() && !sub.is_empty() && rest.is_empty()).then_some((top, sub))
}

/// The longest media type or disposition that is written anew, in octets: as long as either half of
/// a type may be (RFC 4288, 4.2).
pub const LONGEST_TYPE: usize = 127;

/// The top-level types: those that are registered (RFC 6838, 4.2).
const TOP_TYPES: [&str; 11] = [
    "application",
    "audio",
    "example",
    "font",
    "haptics",
    "image",
    "message",
    "model",
    "multipart",
    "text",
    "video",
];

/// Returns whether `top` is the name of a registered top-level type, in lower case.
pub fn is_top_type(top: &str) -> bool {
    TOP_TYPES.contains(&top)
}

/// Returns the media type that was meant by a value in lower case that is none, because other
/// characters are beside its tokens or in them; `None` if that cannot be told.
///
/// ```text
/// meant = junk top-level junk "/" junk [subtype] junk
/// junk  = *<any character that may not be in a token>
/// ```
///
/// The top-level type decides what a body is, so that it counts even if the subtype cannot be read:
/// 1. `multipart/` something is `multipart/mixed` (RFC 2046, 5.1.3), and readers show its parts.
/// 2. `text/` something is plain text (RFC 2046, 4.1.4).
pub fn mended(value: &str) -> Option<String> {
    let is_junk = |c: char| !u8::try_from(c).is_ok_and(is_token);
    let (top, rest) = value.split_once('/')?;
    let top = top.trim_matches(is_junk);
    if !is_top_type(top) {
        return None;
    }

    let rest = rest.trim_matches(is_junk);
    let is_whole = !rest.is_empty() && !rest.contains(is_junk);
    match top {
        _ if is_whole => {
            let mut mended = format!("{top}/{rest}");
            mended.truncate(LONGEST_TYPE);
            Some(mended)
        }
        "multipart" => Some(String::from("multipart/mixed")),
        "text" => Some(String::from("text/plain")),
        _ => None,
    }
}

/// Splits `octets` after the token, or the two with a slash between them, that they begin with.
pub(super) fn split_value(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let (top, rest) = split_while(octets, is_token);
    let sub = rest.strip_prefix(b"/").map(|rest| split_while(rest, is_token).0);
    let is_value = !top.is_empty() && sub != Some(b"");
    is_value.then(|| octets.split_at(top.len() + sub.map_or(0, |sub| sub.len() + 1)))
}

/// `token := 1*<any (US-ASCII) CHAR except SPACE, CTLs, or tspecials>`
pub fn is_a_token(octets: &[u8]) -> bool {
    !octets.is_empty() && octets.iter().all(|&octet| is_token(octet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_with_junk_are_mended() {
        for (value, meant) in [
            ("\"application/pdf\"", Some("application/pdf")),
            ("<application/pdf>", Some("application/pdf")),
            ("application/pdf:", Some("application/pdf")),
            ("multipart/alternative,", Some("multipart/alternative")),
            ("multipart/mi,xed", Some("multipart/mixed")),
            ("multipart//mixed", Some("multipart/mixed")),
            ("multipart/", Some("multipart/mixed")),
            ("multipart/mixed\u{fffd}", Some("multipart/mixed")),
            ("text/ht,ml", Some("text/plain")),
            ("image/jp,eg", None),
            ("multi,part/mixed", None),
            ("http://example.org/", None),
            ("pdf", None),
        ] {
            assert_eq!(mended(value).as_deref(), meant, "{value:?}");
        }
    }

    #[test]
    fn types_are_two_tokens() {
        assert_eq!(media_type(b"text/plain"), Some((&b"text"[..], &b"plain"[..])));
        for odd in ["text", "text/", "/plain", "text/a/b", "text / plain", "text/caf\u{e9}", ""] {
            assert_eq!(media_type(odd.as_bytes()), None, "{odd:?}");
        }
    }
}
