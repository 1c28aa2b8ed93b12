//! The addr-spec in an address (RFC 5322, 3.4.1).

use std::borrow::Cow;

use super::{Token, TokenKind};
use crate::syntax::lexical::unfold;

/// Returns the addr-spec of an address with or without angle brackets: without route, comments and white
/// space, with its quotes, nothing decoded.
///
/// ```text
/// angle-addr = [CFWS] "<" [obs-route] addr-spec ">" [CFWS]
/// addr-spec  = local-part "@" domain
/// ```
pub(crate) fn addr_spec<'v>(value: &'v [u8], address: &[Token]) -> Cow<'v, [u8]> {
    plain_addr_spec(value, address).map_or_else(|| any_addr_spec(value, address).into(), Cow::Borrowed)
}

/// Returns the addr-spec, if only the brackets have to be removed.
fn plain_addr_spec<'v>(value: &'v [u8], address: &[Token]) -> Option<&'v [u8]> {
    let is =
        |token: Option<&Token>, bracket| token.is_some_and(|token| token.kind == TokenKind::Special(bracket));
    let inner = if is(address.first(), b'<') { &address[1..] } else { address };
    let inner = if is(inner.last(), b'>') { &inner[..inner.len() - 1] } else { inner };
    let plain = |token: &Token| match token.kind {
        TokenKind::Atom => true,
        TokenKind::Special(special) => !matches!(special, b'<' | b'>' | b':'),
        _ => false,
    };
    match inner {
        [] => Some(b""),
        [first, .., last] | [first @ last] if inner.iter().all(plain) => {
            Some(&value[first.span.start..last.span.end])
        }
        _ => None,
    }
}

fn any_addr_spec(value: &[u8], address: &[Token]) -> Vec<u8> {
    let octets = address.first().zip(address.last()).map_or(0, |(a, b)| b.span.end - a.span.start);
    let mut out = Vec::with_capacity(octets);
    for token in address {
        let octets = &value[token.span.start..token.span.end];
        match token.kind {
            TokenKind::Space | TokenKind::Comment | TokenKind::Special(b'<' | b'>') => {}
            TokenKind::Special(b':') if is_route(&out) => out.clear(),
            TokenKind::Quoted | TokenKind::Literal => out.extend_from_slice(&unfold(octets)),
            _ => out.extend_from_slice(octets),
        }
    }
    out
}

/// `obs-route = obs-domain-list ":"`, a list that begins with `@` (or with commas before it).
fn is_route(before: &[u8]) -> bool {
    before.iter().find(|&&o| o != b',') == Some(&b'@')
}
