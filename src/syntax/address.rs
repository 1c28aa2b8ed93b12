//! Address lists: RFC 5322, section 3.4, and what mail holds in their place.

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::take;
use nom::combinator::map;

use super::encoded_word::holds_word;
use super::lexical::{atom, comment, domain_literal, fws, quoted_string};
use crate::Span;

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

/// What a stretch of an address list is there for. The nodes of a list cover it without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Space,
    Comment,
    /// Words of a display name or group name, with the white space between them.
    Phrase,
    /// `<` addr-spec `>`, the brackets included (the closing one may be missing).
    Angle,
    /// An addr-spec without brackets.
    Bare,
    Comma,
    /// The `:` behind a group's name.
    GroupOpen,
    /// The `;` that ends a group, or stands in place of a comma.
    GroupClose,
}

/// A stretch of an address list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) role: Role,
    pub(crate) span: Span,
}

/// ```text
/// address-list = (address *("," address)) / obs-addr-list
/// address      = mailbox / group
/// mailbox      = ([display-name] [CFWS] "<" [obs-route] addr-spec ">" [CFWS]) / addr-spec
/// group        = display-name ":" [group-list] ";" [CFWS]
/// ```
///
/// Deviations:
/// 1. Between separators anything may stand: what is no address is a phrase, so that nothing is left out.
/// 2. `:` opens a group only where its `;` follows, or nothing at all; else it is part of the phrase
///    (`Re: someone <a@example.org>`).
/// 3. `;` outside a group separates, as some programs write it.
/// 4. `<` without `>` reaches to the next separator.
/// 5. Words may stand before and behind an addr-spec without brackets.
pub(crate) fn nodes(value: &[u8]) -> Vec<Node> {
    let tokens = tokens(value);
    let mut nodes = Vec::new();
    let last_close = tokens.iter().rposition(|t| t.kind == TokenKind::Special(b';'));
    let mut at = 0;
    while at < tokens.len() {
        let end = element_end(&tokens, at, last_close);
        let separator = tokens.get(end);
        match separator.map(|t| t.kind) {
            Some(TokenKind::Special(b':')) => plain(&tokens[at..end], &mut nodes),
            _ => element(value, &tokens[at..end], &mut nodes),
        }
        if let Some(separator) = separator {
            let role = match separator.kind {
                TokenKind::Special(b':') => Role::GroupOpen,
                TokenKind::Special(b';') => Role::GroupClose,
                _ => Role::Comma,
            };
            nodes.push(Node { role, span: separator.span });
        }
        at = end + 1;
    }
    nodes
}

/// The lexical tokens of `value`, nothing left out. A quote, parenthesis or bracket that is never closed is
/// a [`TokenKind::Special`]; after the first of its kind no other is looked for, which keeps this linear.
pub(crate) fn tokens(value: &[u8]) -> Vec<Token> {
    let mut open = Openers { quote: true, comment: true, bracket: true };
    let mut found = Vec::new();
    let mut at = 0;
    while at < value.len() {
        let Ok((rest, kind)) = token(&value[at..], &mut open) else { break };
        let end = value.len() - rest.len();
        found.push(Token { kind, span: Span::new(at, end) });
        at = end;
    }
    found
}

/// Which openers may still find their closer.
struct Openers {
    quote: bool,
    comment: bool,
    bracket: bool,
}

fn token<'a>(input: &'a [u8], open: &mut Openers) -> IResult<&'a [u8], TokenKind> {
    let enclosed = match input.first() {
        Some(b'"') => enclosed(quoted_string, TokenKind::Quoted, input, &mut open.quote),
        Some(b'(') => enclosed(comment, TokenKind::Comment, input, &mut open.comment),
        Some(b'[') => enclosed(domain_literal, TokenKind::Literal, input, &mut open.bracket),
        Some(0x1b) => shifted(input),
        _ => None,
    };
    match enclosed {
        Some(found) => Ok(found),
        None => alt((
            map(fws, |_| TokenKind::Space),
            map(atom, |_| TokenKind::Atom),
            map(take(1_usize), |octet: &[u8]| TokenKind::Special(octet[0])),
        ))
        .parse(input),
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

/// Where the element that begins at `from` ends: at a separator, or at the end of the list.
fn element_end(tokens: &[Token], from: usize, last_close: Option<usize>) -> usize {
    let mut at = from;
    let mut words = false;
    while let Some(token) = tokens.get(at) {
        match token.kind {
            TokenKind::Special(b',' | b';') => return at,
            TokenKind::Special(b':') if words && opens_group(tokens, at, last_close) => return at,
            TokenKind::Special(b'<') => {
                at = angle_end(tokens, at);
                continue;
            }
            TokenKind::Atom | TokenKind::Quoted => words = true,
            _ => {}
        }
        at += 1;
    }
    at
}

fn opens_group(tokens: &[Token], colon: usize, last_close: Option<usize>) -> bool {
    let closed = last_close.is_some_and(|close| close > colon);
    closed || tokens[colon + 1..].iter().all(|t| matches!(t.kind, TokenKind::Space | TokenKind::Comment))
}

/// The token behind the angle that begins at `from`.
fn angle_end(tokens: &[Token], from: usize) -> usize {
    let rest = &tokens[from + 1..];
    let stop = rest.iter().position(|t| matches!(t.kind, TokenKind::Special(b'<' | b'>')));
    match stop {
        Some(n) if rest[n].kind == TokenKind::Special(b'>') => from + n + 2,
        _ => {
            let separator =
                rest.iter().position(|t| matches!(t.kind, TokenKind::Special(b',' | b';' | b'<')));
            separator.map_or(tokens.len(), |n| from + 1 + n)
        }
    }
}

/// The nodes of one element: its angle, or its addr-spec without brackets, and the phrases around it.
fn element(value: &[u8], tokens: &[Token], nodes: &mut Vec<Node>) {
    let angle = tokens.iter().position(|t| t.kind == TokenKind::Special(b'<'));
    let (role, address) = match angle {
        Some(start) => (Role::Angle, start..angle_end(tokens, start)),
        None => (Role::Bare, bare(value, tokens)),
    };
    plain(&tokens[..address.start], nodes);
    if let (Some(first), Some(last)) = (tokens.get(address.start), tokens[..address.end].last())
        && !address.is_empty()
    {
        nodes.push(Node { role, span: Span::new(first.span.start, last.span.end) });
    }
    plain(&tokens[address.end..], nodes);
}

/// Where the addr-spec without brackets stands in an element; empty if there is none.
///
/// `addr-spec = local-part "@" domain`; a single atom counts as well (`root`).
fn bare(value: &[u8], tokens: &[Token]) -> std::ops::Range<usize> {
    let Some(at) = tokens.iter().rposition(|t| t.kind == TokenKind::Special(b'@')) else {
        return lone_atom(value, tokens).unwrap_or(tokens.len()..tokens.len());
    };
    let start = span_back(tokens, at);
    let end = span_on(tokens, at);
    if end == at + 1 && start == at { tokens.len()..tokens.len() } else { start..end }
}

/// The only atom among white space and comments, dots and all; not if it is text rather than a name.
fn lone_atom(value: &[u8], tokens: &[Token]) -> Option<std::ops::Range<usize>> {
    let words = |t: &Token| !matches!(t.kind, TokenKind::Space | TokenKind::Comment);
    let first = tokens.iter().position(words)?;
    let last = tokens.iter().rposition(words)?;
    let part = |t: &Token| matches!(t.kind, TokenKind::Atom | TokenKind::Special(b'.'));
    let octets = &value[tokens[first].span.start..tokens[last].span.end];
    let text = octets.iter().any(|o| !o.is_ascii_graphic()) || holds_word(octets);
    (!text && tokens[first..=last].iter().all(part)).then_some(first..last + 1)
}

/// The first token of the local-part that ends before `at`: words joined by dots, folds only around dots
/// and before the `@`.
fn span_back(tokens: &[Token], at: usize) -> usize {
    let mut start = at;
    let mut joined = true;
    let mut seen = at;
    while seen > 0 {
        match tokens[seen - 1].kind {
            TokenKind::Atom | TokenKind::Quoted if joined || seen == start => {
                joined = false;
                start = seen - 1;
            }
            TokenKind::Special(b'.') => {
                joined = true;
                start = seen - 1;
            }
            TokenKind::Space | TokenKind::Comment => {}
            _ => break,
        }
        seen -= 1;
    }
    start
}

/// Behind the last token of the domain that begins after `at`.
fn span_on(tokens: &[Token], at: usize) -> usize {
    let mut end = at + 1;
    let mut joined = true;
    for (n, token) in tokens.iter().enumerate().skip(at + 1) {
        match token.kind {
            TokenKind::Atom | TokenKind::Literal | TokenKind::Quoted if joined || n == end => {
                joined = false;
                end = n + 1;
            }
            TokenKind::Special(b'.') => {
                joined = true;
                end = n + 1;
            }
            TokenKind::Space | TokenKind::Comment => {}
            _ => break,
        }
    }
    end
}

/// Nodes for tokens that are no address: phrases between comments, white space at their ends apart.
fn plain(tokens: &[Token], nodes: &mut Vec<Node>) {
    for token in tokens {
        let role = match token.kind {
            TokenKind::Space => Role::Space,
            TokenKind::Comment => Role::Comment,
            _ => Role::Phrase,
        };
        push(nodes, role, token.span);
    }
}

/// Adds a node; a phrase grows over the white space before it into the phrase before that.
fn push(nodes: &mut Vec<Node>, role: Role, span: Span) {
    if role == Role::Phrase {
        let spaces = usize::from(nodes.last().is_some_and(|n| n.role == Role::Space));
        if let Some(at) = nodes.len().checked_sub(1 + spaces)
            && nodes[at].role == Role::Phrase
        {
            nodes[at].span.end = span.end;
            nodes.truncate(at + 1);
            return;
        }
    }
    nodes.push(Node { role, span });
}

#[cfg(test)]
mod tests;
