//! The lexical tokens of an address field.

use nom::IResult;

use crate::Span;
use crate::ascii::is_fws;
use crate::syntax::encoded_word::loose_word;
use crate::syntax::lexical::{comment, domain_literal, is_atext, is_special, quoted_string};

/// What a lexical token of an address field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Space,
    Comment,
    Quoted,
    Literal,
    Atom,
    /// One octet of `specials`, or a quote or bracket that is never closed.
    Special(u8),
}

/// A lexical token, with where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The lexical tokens of `value`, nothing left out. A quote, parenthesis or bracket that is never closed is
/// a [`TokenKind::Special`]; after the first of its kind no other is looked for, which keeps this linear.
pub(crate) fn tokens(value: &[u8]) -> Vec<Token> {
    let mut open = Openers { quote: true, comment: true, bracket: true };
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < value.len() {
        let word = if value[at..].starts_with(b"=?") { loose(&found, &value[at..]) } else { None };
        let (kind, length) = word.unwrap_or_else(|| token(&value[at..], &mut open));
        let span = Span::new(at, at + length);
        found.push(Token { kind, span });
        at = span.end;
    }
    found
}

/// An encoded-word with specials in it is one atom, but not behind an `@`: an addr-spec is never decoded.
fn loose(before: &[Token], input: &[u8]) -> Option<(TokenKind, usize)> {
    let last = before.iter().rfind(|token| token.kind != TokenKind::Space);
    let in_spec = last.is_some_and(|token| token.kind == TokenKind::Special(b'@'));
    if in_spec { None } else { loose_word(input).map(|length| (TokenKind::Atom, length)) }
}

/// Which openers may still find their closer.
struct Openers {
    quote: bool,
    comment: bool,
    bracket: bool,
}

/// The token that `input`, which is not empty, begins with, and its length.
///
/// `atom = 1*atext`; for `FWS` see [`opt_fws`](super::lexical::opt_fws).
fn token(input: &[u8], open: &mut Openers) -> (TokenKind, usize) {
    let enclosed = match input[0] {
        b'"' => enclosed(quoted_string, TokenKind::Quoted, input, &mut open.quote),
        b'(' => enclosed(comment, TokenKind::Comment, input, &mut open.comment),
        b'[' => enclosed(domain_literal, TokenKind::Literal, input, &mut open.bracket),
        0x1b => shifted(input),
        _ => None,
    };
    let run = |of: fn(u8) -> bool| input.iter().position(|&octet| !of(octet)).unwrap_or(input.len());
    match enclosed {
        Some((rest, kind)) => (kind, input.len() - rest.len()),
        None if is_special(input[0]) => (TokenKind::Special(input[0]), 1),
        None if is_fws(input[0]) => (TokenKind::Space, run(is_fws)),
        None => (TokenKind::Atom, run(is_atext)),
    }
}

fn enclosed<'a>(
    parser: impl Fn(&'a [u8]) -> IResult<&'a [u8], &'a [u8]>,
    kind: TokenKind,
    input: &'a [u8],
    open: &mut bool,
) -> Option<(&'a [u8], TokenKind)> {
    if !*open {
        return None;
    }
    match parser(input) {
        Ok((rest, _)) => Some((rest, kind)),
        Err(_) => {
            *open = false;
            None
        }
    }
}

/// Raw ISO-2022 text, from `ESC $` to the end of the line or to the escape back to ASCII: its octets look
/// like specials and are none.
fn shifted(input: &[u8]) -> Option<(&[u8], TokenKind)> {
    if input.get(1) != Some(&b'$') {
        return None;
    }
    let back = input.windows(3).position(|w| w[0] == 0x1b && w[1] == b'(' && matches!(w[2], b'B' | b'J'))?;
    let line = input.iter().position(|o| matches!(o, b'\r' | b'\n')).unwrap_or(input.len());
    (back < line).then(|| (&input[back + 3..], TokenKind::Atom))
}
