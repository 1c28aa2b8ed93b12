//! The lexical tokens of RFC 5322, section 3.2, over header octets with their folds still in.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use nom::IResult;
use nom::bytes::complete::take_while;
use nom::error::{Error, ErrorKind};

use crate::ascii::{is_fws, is_printable, is_wsp};

/// `atext`, RFC 5322 3.2.3, as RFC 6532 widens it.
///
/// Deviations:
/// 1. Control octets count as atext: they are repaired later (rule H5) and must not end a name
///    here.
pub const fn is_atext(octet: u8) -> bool {
    !is_fws(octet) && !is_special(octet)
}

/// `specials`, RFC 5322 3.2.3.
pub const fn is_special(octet: u8) -> bool {
    matches!(
        octet,
        b'(' | b')' | b'<' | b'>' | b'[' | b']' | b':' | b';' | b'@' | b'\\' | b',' | b'.' | b'"'
    )
}

/// ```text
/// [FWS]
/// FWS = ([*WSP CRLF] 1*WSP) / obs-FWS
/// ```
///
/// Deviations:
/// 1. A line end without white space after it, and a bare CR or LF, count too: they are what is
///    left of damaged folds.
pub fn opt_fws(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while(is_fws)(input)
}

/// `quoted-string = DQUOTE *([FWS] qcontent) [FWS] DQUOTE`, the quotes included.
pub fn quoted_string(input: &[u8]) -> IResult<&[u8], &[u8]> {
    delimited(input, b'"', b'"')
}

/// `domain-literal = "[" *([FWS] dtext) [FWS] "]"`, the brackets included.
pub fn domain_literal(input: &[u8]) -> IResult<&[u8], &[u8]> {
    delimited(input, b'[', b']')
}

/// Returns the text of the quoted-string that `input` begins with, and what follows it, if the text
/// is printable US-ASCII without quoted-pairs and without anything like an encoded-word.
pub(super) fn simple_quoted_string(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = input.strip_prefix(b"\"")?;
    let mut at = 0;
    loop {
        at += text[at..].iter().position(|&octet| !IN_QUOTES[usize::from(octet)])?;
        match text[at] {
            b'"' => return Some((&text[..at], &text[at + 1..])),
            b'?' if !text[..at].ends_with(b"=") => at += 1,
            _ => return None,
        }
    }
}

/// The octets that do nothing in a quoted-string, as a table: it is consulted for every octet.
static IN_QUOTES: [bool; 256] = {
    let mut in_quotes = [false; 256];
    let mut octet = b' ';
    while is_printable(octet) {
        in_quotes[octet as usize] = !matches!(octet, b'"' | b'\\' | b'?');
        octet += 1;
    }
    in_quotes
};

/// Returns the content of a quoted-string or comment, without delimiters, folds and the backslashes
/// of quoted-pairs.
pub fn unquote(quoted: &[u8]) -> Cow<'_, [u8]> {
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    unescape(inner)
}

/// Appends the content of a quoted-string to `out`, with a backslash before each quote and
/// backslash.
pub fn escape_into(content: &[u8], out: &mut Vec<u8>) {
    for &octet in content {
        if matches!(octet, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(octet);
    }
}

/// Returns `inner` without the backslashes of its quoted-pairs and without folds.
pub fn unescape(inner: &[u8]) -> Cow<'_, [u8]> {
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

/// Returns `octets` without folds: white space with a line end in it is [unfolded].
pub fn unfold(octets: &[u8]) -> Cow<'_, [u8]> {
    let (mut rest, mut fold) = (octets, memchr2(b'\r', b'\n', octets));
    if fold.is_none() {
        return Cow::Borrowed(octets);
    }
    let mut out = Vec::with_capacity(octets.len());
    while let Some(line_end) = fold {
        let end = rest[..line_end].iter().rposition(|&octet| !is_wsp(octet)).map_or(0, |at| at + 1);
        let (space, after) = split_while(&rest[end..], is_fws);
        out.extend_from_slice(&rest[..end]);
        out.extend_from_slice(&unfolded(space));
        (rest, fold) = (after, memchr2(b'\r', b'\n', after));
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// Returns white space unfolded: without line ends and lines of only white space; one space if
/// nothing else is left.
#[inline]
pub fn unfolded(space: &[u8]) -> Cow<'_, [u8]> {
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
        (before, after) => Cow::Owned([before, after].concat()),
    }
}

/// Returns `octets` as pairs of white space and the octets that follow it. Trailing white space
/// comes with empty octets.
pub fn chunks(octets: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
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

/// Splits `octets` after the first ones that are all in a class.
pub(super) fn split_while(octets: &[u8], is_in_class: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    octets.split_at(octets.iter().position(|&octet| !is_in_class(octet)).unwrap_or(octets.len()))
}

/// Returns `octets` without leading white space and folds.
pub(super) fn trim_fws_start(octets: &[u8]) -> &[u8] {
    split_while(octets, is_fws).1
}

/// Parses from `open` at the start to the first `close` that no backslash quotes.
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

/// Returns the result of a parser that has read `at` octets.
pub(super) fn split(input: &[u8], at: usize) -> IResult<&[u8], &[u8]> {
    let (token, rest) = input.split_at(at);
    Ok((rest, token))
}

/// Returns the failure of a parser that could not read its token.
pub(super) fn fail<T>(input: &[u8]) -> IResult<&[u8], T> {
    Err(nom::Err::Error(Error::new(input, ErrorKind::Verify)))
}
/// Returns each field of a block of fields with its folds, and each other line; all with their line
/// ends.
pub fn fields(mut block: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let line_end =
            |from: usize| memchr(b'\n', &block[from..]).map_or(block.len(), |at| from + at + 1);
        let mut end = line_end(0);
        let is_empty = matches!(&block[..end], b"" | b"\n" | b"\r\n");
        while !is_empty && block.get(end).is_some_and(|&octet| is_wsp(octet)) {
            end = line_end(end);
        }
        let (field, rest) = block.split_at(end);
        block = rest;
        (!field.is_empty()).then_some(field)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::syntax::encoded_word::mark;

    proptest! {
        #[test]
        fn simple_quoted_strings_are_those_of_the_grammar(input in r#""?([ab~]|=|\?|\\|"|\t|\r\n|é){0,8}"#) {
            let is_plain = |octet: &u8| is_printable(*octet) && *octet != b'\\';
            let of_grammar = quoted_string(input.as_bytes()).ok().map(|(rest, quoted)| (&quoted[1..quoted.len() - 1], rest));
            let simple = of_grammar.filter(|(text, _)| text.iter().all(is_plain) && mark(text, 0).is_none());
            prop_assert_eq!(simple_quoted_string(input.as_bytes()), simple);
        }

        #[test]
        fn unfolding_goes_from_fold_to_fold_as_it_would_from_word_to_word(value in "([ab]|[ \t]|\r\n|\r|\n){0,12}") {
            let word_by_word: Vec<u8> = chunks(value.as_bytes())
                .flat_map(|(space, word)| [&unfolded(space), word].concat())
                .collect();
            prop_assert_eq!(unfold(value.as_bytes()), word_by_word);
        }
    }
}
