//! The lexical tokens of an address field.

use nom::IResult;

use crate::Span;
use crate::ascii::{is_fws, is_printable};
use crate::syntax::comment::comment;
use crate::syntax::encoded_word::loose_word;
use crate::syntax::lexical::{domain_literal, is_atext, is_special, quoted_string};
use crate::syntax::value;

/// The kinds of lexical tokens in an address field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Space,
    Comment,
    Quoted,
    Literal,
    Atom,
    /// [Blanks](value) other than white space, by themselves or beside an addr-spec: not a word,
    /// and nothing is left of them when a field is written (rule H5).
    Controls,
    /// One octet of `specials`, or a quote or bracket that is never closed.
    Special(u8),
}

/// A lexical token and its place, in twelve octets: a hostile list has a token for each octet, and
/// fresh memory costs more time than reading. No header is read further than
/// [`MAX_READ_HEADER`](crate::lengths::MAX_READ_HEADER).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    start: u32,
    end: u32,
}

impl Token {
    fn new(kind: TokenKind, start: usize, end: usize) -> Self {
        Self { kind, start: place(start), end: place(end) }
    }

    pub const fn start(&self) -> usize {
        self.start as usize
    }

    pub const fn end(&self) -> usize {
        self.end as usize
    }

    pub const fn span(&self) -> Span {
        Span::new(self.start(), self.end())
    }

    /// Returns whether this is a quote, parenthesis, bracket or backslash that is part of no other
    /// token: next to something that is rewritten it might be read differently.
    pub fn is_stray_delimiter(&self) -> bool {
        matches!(self.kind, TokenKind::Special(b'"' | b'(' | b')' | b'[' | b']' | b'\\'))
    }

    /// Returns whether this is a special that a phrase must not contain; a dot is allowed (RFC
    /// 5322, 4.1, `obs-phrase`).
    pub fn is_special_in_phrase(&self) -> bool {
        matches!(self.kind, TokenKind::Special(special) if special != b'.')
    }
}

/// Returns a place, or a number, in 32 bits.
pub(super) fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Returns the span of some adjacent tokens.
pub fn span_of(tokens: &[Token]) -> Span {
    match tokens {
        [first, .., last] | [first @ last] => Span::new(first.start(), last.end()),
        [] => Span::default(),
    }
}

/// Returns the lexical tokens of `value`, without gaps. A quote, parenthesis or bracket that is
/// never closed is a [`TokenKind::Special`]; after the first of its kind no other is searched for,
/// nor on its line an escape back to US-ASCII after one that none follows, which keeps this linear.
pub fn tokens(value: &[u8]) -> Vec<Token> {
    let mut open = Openers { quote: true, comment: true, bracket: true, unshifted: usize::MAX };
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < value.len() {
        let word = if value[at..].starts_with(b"=?") { loose(&found, &value[at..]) } else { None };
        let (kind, length) = word.unwrap_or_else(|| token(&value[at..], &mut open));
        found.push(Token::new(kind, at, at + length));
        at += length;
    }
    set_apart_blanks(value, &mut found);
    found
}

/// Returns the lexical tokens of the value of an opaque field, in which [blanks](value) of any kind
/// separate; those between a bracket and what is in it are left out.
pub fn opaque_tokens(value: &[u8]) -> Vec<Token> {
    let tokens = tokens(value);
    let is_odd = |token: &Token| token.kind == TokenKind::Atom && !is_printable_atom(value, token);
    if !tokens.iter().any(|token| is_odd(token) || token.kind == TokenKind::Controls) {
        return tokens;
    }
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if is_odd(&token) {
            push_pieces(value, token, &mut found);
        } else {
            found.push(token);
        }
    }
    let opens = |at: usize| at > 0 && found[at - 1].kind == TokenKind::Special(b'<');
    let closes =
        |at: usize| found.get(at + 1).is_some_and(|next| next.kind == TokenKind::Special(b'>'));
    let is_left_out =
        |at: usize| found[at].kind == TokenKind::Controls && (opens(at) || closes(at));
    (0..found.len()).filter(|&at| !is_left_out(at)).map(|at| found[at]).collect()
}

fn is_printable_atom(value: &[u8], atom: &Token) -> bool {
    value[atom.start()..atom.end()].iter().all(|&octet| is_printable(octet))
}

/// Adds an atom as what is between blanks, and the blanks.
fn push_pieces(value: &[u8], atom: Token, found: &mut Vec<Token>) {
    let mut at = atom.start();
    for (piece, is_blank) in value::pieces(&value[atom.start()..atom.end()]) {
        let kind = if is_blank { TokenKind::Controls } else { TokenKind::Atom };
        found.push(Token::new(kind, at, at + piece.len()));
        at += piece.len();
    }
}

/// Takes the blanks at either end of the atoms in addr-specs, and in what may be one, as tokens of
/// their own; blanks above 7F between two of its tokens are an atom of it.
fn set_apart_blanks(value: &[u8], tokens: &mut Vec<Token>) {
    let is_raw = |token: &Token| !value[token.start()..token.end()].is_ascii();
    let is_part = |token: &Token| match token.kind {
        TokenKind::Atom | TokenKind::Quoted | TokenKind::Special(b'.' | b'@') => true,
        TokenKind::Controls => is_raw(token),
        _ => false,
    };
    let is_odd = |token: &Token| match token.kind {
        TokenKind::Atom => !is_printable_atom(value, token),
        TokenKind::Controls => is_raw(token),
        _ => false,
    };
    if !tokens.iter().any(is_odd) {
        return;
    }

    let mut found = Vec::with_capacity(tokens.len());
    for run in tokens.chunk_by(|a, b| is_part(a) && is_part(b)) {
        let is_spec = run.iter().any(|token| token.kind == TokenKind::Special(b'@'));
        let last = run.len() - 1;
        for (at, token) in run.iter().enumerate() {
            if is_spec && is_odd(token) {
                push_trimmed(value, *token, (at == 0, at == last), &mut found);
            } else {
                found.push(*token);
            }
        }
    }
    *tokens = found;
}

/// Adds an atom without the blanks at its ends, and those. Those above 7F stand there by accident
/// only at an end of the addr-spec, which `is_end` says of either side: within it they make another
/// address of it, which without them would be somebody's.
fn push_trimmed(value: &[u8], atom: Token, is_end: (bool, bool), found: &mut Vec<Token>) {
    let octets = &value[atom.start()..atom.end()];
    let inner = value::within(octets);
    let (before, after) = (&octets[..inner.start], &octets[inner.end..]);
    let start = if is_end.0 || before.is_ascii() { inner.start } else { 0 };
    let end = if is_end.1 || after.is_ascii() { inner.end } else { octets.len() };

    let (start, end) = (atom.start() + start, atom.start() + end);
    let pieces = [
        Token::new(TokenKind::Controls, atom.start(), start),
        Token::new(TokenKind::Atom, start, end),
        Token::new(TokenKind::Controls, end, atom.end()),
    ];
    found.extend(pieces.into_iter().filter(|piece| piece.start() < piece.end()));
}

/// Takes an encoded-word with specials in it as one atom, but not after an `@`: an addr-spec is
/// never decoded.
fn loose(before: &[Token], input: &[u8]) -> Option<(TokenKind, usize)> {
    let last = before.iter().rfind(|token| token.kind != TokenKind::Space);
    let in_spec = last.is_some_and(|token| token.kind == TokenKind::Special(b'@'));
    if in_spec { None } else { loose_word(input).map(|length| (TokenKind::Atom, length)) }
}

/// Which delimiters may still be closed.
struct Openers {
    quote: bool,
    comment: bool,
    bracket: bool,
    /// How many octets are left after the last line that is known to have no more escapes back to
    /// US-ASCII.
    unshifted: usize,
}

/// Returns the token that `input`, which is not empty, begins with, and its length.
///
/// `atom = 1*atext`; for `FWS` see [`opt_fws`](super::lexical::opt_fws).
fn token(input: &[u8], open: &mut Openers) -> (TokenKind, usize) {
    let enclosed = match input[0] {
        b'"' => enclosed(quoted_string, TokenKind::Quoted, input, &mut open.quote),
        b'(' => enclosed(comment, TokenKind::Comment, input, &mut open.comment),
        b'[' => enclosed(domain_literal, TokenKind::Literal, input, &mut open.bracket),
        0x1b => shifted(input, &mut open.unshifted),
        _ => None,
    };
    let run =
        |of: fn(u8) -> bool| input.iter().position(|&octet| !of(octet)).unwrap_or(input.len());
    match enclosed {
        Some((rest, kind)) => (kind, input.len() - rest.len()),
        None if is_special(input[0]) => (TokenKind::Special(input[0]), 1),
        None if is_fws(input[0]) => (TokenKind::Space, run(is_fws)),
        None => atom(&input[..run(is_atext)]),
    }
}

fn atom(octets: &[u8]) -> (TokenKind, usize) {
    // An escape may be one of ISO/IEC 2022, to which the following octets belong.
    let is_lost = |&octet: &u8| octet.is_ascii_control() && octet != 0x1b;
    let is_blank =
        octets.iter().all(is_lost) || !is_printable(octets[0]) && value::trim(octets).is_empty();
    let kind = if is_blank { TokenKind::Controls } else { TokenKind::Atom };
    (kind, octets.len())
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

/// Returns octets between two escape sequences of ISO/IEC 2022, from `ESC $` to the one that
/// designates ASCII again, on one line: they are not ASCII, so octets that look like specials are
/// not.
fn shifted<'a>(input: &'a [u8], unshifted: &mut usize) -> Option<(&'a [u8], TokenKind)> {
    if input.get(1) != Some(&b'$') || input.len() > *unshifted {
        return None;
    }
    let mut line_end = input.len();
    for (at, octets) in input.windows(3).enumerate() {
        match octets {
            [0x1b, b'(', b'B' | b'J'] => return Some((&input[at + 3..], TokenKind::Atom)),
            [b'\r' | b'\n', ..] => {
                line_end = at;
                break;
            }
            _ => {}
        }
    }
    *unshifted = input.len() - line_end;
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Looks for both ends, wherever they are.
    fn naive_shifted(input: &[u8]) -> Option<&[u8]> {
        let back = input
            .windows(3)
            .position(|w| w[0] == 0x1b && w[1] == b'(' && matches!(w[2], b'B' | b'J'))?;
        let line = input.iter().position(|o| matches!(o, b'\r' | b'\n')).unwrap_or(input.len());
        (input.get(1) == Some(&b'$') && back < line).then(|| &input[back + 3..])
    }

    proptest! {
        #[test]
        fn escapes_return_where_they_do_without_memory(value in "(\x1b[$]B|\x1b[(][BJ]|\x1b|[$(]|a|\r\n |\r){0,12}") {
            let mut unshifted = usize::MAX;
            for (at, _) in value.bytes().enumerate().filter(|(_, octet)| *octet == 0x1b) {
                let input = &value.as_bytes()[at..];
                let shifted = shifted(input, &mut unshifted).map(|(rest, _)| rest);
                prop_assert_eq!(shifted, naive_shifted(input), "{}", at);
            }
        }
    }
}
