//! The lexical tokens of RFC 5322, section 3.2, over header octets with their folds still in.

use std::borrow::Cow;

use nom::IResult;
use nom::bytes::complete::take_while;
use nom::error::{Error, ErrorKind};

use crate::ascii::is_fws;

/// `atext`, RFC 5322 3.2.3, as RFC 6532 widens it.
///
/// Deviations:
/// 1. Control octets count as atext: they are repaired later (rule H5) and must not end a name here.
pub(crate) const fn is_atext(octet: u8) -> bool {
    !is_fws(octet) && !is_special(octet)
}

/// `specials`, RFC 5322 3.2.3.
pub(crate) const fn is_special(octet: u8) -> bool {
    matches!(octet, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b':' | b';' | b'@' | b'\\' | b',' | b'.' | b'"')
}

/// ```text
/// [FWS]
/// FWS = ([*WSP CRLF] 1*WSP) / obs-FWS
/// ```
///
/// Deviations:
/// 1. A line end that no white space follows, and a bare CR or LF, count too: that is how lost folds look.
pub(crate) fn opt_fws(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while(is_fws)(input)
}

/// `quoted-string = DQUOTE *([FWS] qcontent) [FWS] DQUOTE`, the quotes included.
pub(crate) fn quoted_string(input: &[u8]) -> IResult<&[u8], &[u8]> {
    delimited(input, b'"', b'"')
}

/// `domain-literal = "[" *([FWS] dtext) [FWS] "]"`, the brackets included.
pub(crate) fn domain_literal(input: &[u8]) -> IResult<&[u8], &[u8]> {
    delimited(input, b'[', b']')
}

/// `comment = "(" *([FWS] ccontent) [FWS] ")"`, the parentheses included. Counts depth, does not recurse.
pub(crate) fn comment(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&octet) = input.get(at) {
        match octet {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    let closed = at > 1 && depth == 0 && at <= input.len();
    if closed { split(input, at) } else { fail(input) }
}

/// The content of a quoted-string or comment: delimiters, folds and backslashes taken off.
pub(crate) fn unquote(quoted: &[u8]) -> Cow<'_, [u8]> {
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    unescape(inner)
}

/// `inner` without the backslashes of its quoted-pairs and without folds.
pub(crate) fn unescape(inner: &[u8]) -> Cow<'_, [u8]> {
    let inner = unfold(inner);
    if !inner.contains(&b'\\') {
        return inner;
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut octets = inner.iter().copied();
    while let Some(octet) = octets.next() {
        if octet == b'\\' { out.extend(octets.next()) } else { out.push(octet) }
    }
    Cow::Owned(out)
}

/// `octets` without folds.
pub(crate) fn unfold(octets: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr2(b'\r', b'\n', octets).is_none() {
        return Cow::Borrowed(octets);
    }
    let mut out = Vec::with_capacity(octets.len());
    for (space, chunk) in chunks(octets) {
        out.extend_from_slice(&unfolded(space));
        out.extend_from_slice(chunk);
    }
    Cow::Owned(out)
}

/// White space as it stands unfolded: line ends taken out, and lines of nothing but white space with them;
/// one space where nothing else is left.
#[inline]
pub(crate) fn unfolded(space: &[u8]) -> Cow<'_, [u8]> {
    match space {
        [] | [b' ' | b'\t'] => Cow::Borrowed(space),
        _ => any_unfolded(space),
    }
}

fn any_unfolded(space: &[u8]) -> Cow<'_, [u8]> {
    let ends_line = |o: &u8| matches!(o, b'\r' | b'\n');
    let Some(first) = space.iter().position(ends_line) else { return Cow::Borrowed(space) };
    let last = space.iter().rposition(ends_line).unwrap_or(first);
    match (&space[..first], &space[last + 1..]) {
        (b"", b"") => Cow::Borrowed(b" "),
        (b"", kept) | (kept, b"") => Cow::Borrowed(kept),
        (before, behind) => Cow::Owned([before, behind].concat()),
    }
}

/// `octets` cut into white space and what stands between: `(white space before, octets)`. Trailing white
/// space comes with empty octets.
pub(crate) fn chunks(octets: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = octets;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let space = rest.iter().position(|&o| !is_fws(o)).unwrap_or(rest.len());
        let end = rest[space..].iter().position(|&o| is_fws(o)).map_or(rest.len(), |n| space + n);
        let (head, tail) = rest.split_at(end);
        rest = tail;
        Some(head.split_at(space))
    })
}

/// From `open` at the start to the first `close` that no backslash quotes.
fn delimited(input: &[u8], open: u8, close: u8) -> IResult<&[u8], &[u8]> {
    if input.first() != Some(&open) {
        return fail(input);
    }
    let mut at = 1;
    while let Some(&octet) = input.get(at) {
        match octet {
            b'\\' => at += 2,
            _ if octet == close => return split(input, at + 1),
            _ => at += 1,
        }
    }
    fail(input)
}

fn split(input: &[u8], at: usize) -> IResult<&[u8], &[u8]> {
    let (token, rest) = input.split_at(at);
    Ok((rest, token))
}

/// The failure of a parser that could not read its token.
pub(super) fn fail<T>(input: &[u8]) -> IResult<&[u8], T> {
    Err(nom::Err::Error(Error::new(input, ErrorKind::Verify)))
}
