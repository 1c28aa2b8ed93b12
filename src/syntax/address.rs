//! Address lists: RFC 5322, section 3.4, and what mail holds in their place.

use std::ops::Range;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) role: Role,
    pub(crate) span: Span,
    /// Its tokens, by their place among those of the list.
    tokens: Range<usize>,
}

/// An address list taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AddressList {
    pub(crate) nodes: Vec<Node>,
    tokens: Vec<Token>,
}

impl AddressList {
    /// The tokens of a node. What a quote or parenthesis means depends on all before it, so a stretch must not
    /// be cut into tokens on its own.
    pub(crate) fn tokens(&self, node: &Node) -> &[Token] {
        &self.tokens[node.tokens.clone()]
    }

    /// The tokens from the first to the last of some nodes.
    pub(crate) fn tokens_of(&self, nodes: &[Node]) -> &[Token] {
        match (nodes.first(), nodes.last()) {
            (Some(first), Some(last)) => &self.tokens[first.tokens.start..last.tokens.end],
            _ => &[],
        }
    }

    /// What stands between separators, and the separators, each alone. Where two mailboxes in brackets stand
    /// without a comma between them, they are cut apart behind the first and its comments.
    pub(crate) fn elements(&self) -> Vec<&[Node]> {
        let between = self.nodes.chunk_by(|a, b| !a.separates() && !b.separates());
        between.flat_map(mailboxes).collect()
    }
}

impl Node {
    /// Whether this stands between elements.
    pub(crate) fn separates(&self) -> bool {
        matches!(self.role, Role::Comma | Role::GroupOpen | Role::GroupClose)
    }
}

fn mailboxes(nodes: &[Node]) -> Vec<&[Node]> {
    let last = nodes.iter().rposition(|node| node.role == Role::Angle);
    let mut found = Vec::new();
    let mut from = 0;
    let mut angle = false;
    for (at, node) in nodes.iter().enumerate() {
        if angle && !matches!(node.role, Role::Space | Role::Comment) {
            found.push(&nodes[from..at]);
            (from, angle) = (at, false);
        }
        angle |= node.role == Role::Angle && Some(at) != last;
    }
    found.push(&nodes[from..]);
    found
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
/// 2. A group may lack its `;`. `:` opens one behind words only: not at the start, nor behind an address.
/// 3. `;` outside a group separates, as some programs write it.
/// 4. `<` without `>` reaches to the next separator.
/// 5. Words may stand before and behind an addr-spec without brackets.
/// 6. Where the comma between two mailboxes in brackets is missing, they are two all the same.
pub(crate) fn list(value: &[u8]) -> AddressList {
    let mut list = AddressList { nodes: Vec::new(), tokens: tokens(value) };
    let mut at = 0;
    while at < list.tokens.len() {
        let end = element_end(&list.tokens, at);
        let separator = list.tokens.get(end).map(|token| token.kind);
        match separator {
            Some(TokenKind::Special(b':')) => list.plain(at..end),
            _ => list.element(value, at..end),
        }
        match separator {
            None => {}
            Some(TokenKind::Special(b':')) => list.node(Role::GroupOpen, end..end + 1),
            Some(TokenKind::Special(b';')) => list.node(Role::GroupClose, end..end + 1),
            Some(_) => list.node(Role::Comma, end..end + 1),
        }
        at = end + 1;
    }
    list
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
fn element_end(tokens: &[Token], from: usize) -> usize {
    let mut at = from;
    let (mut words, mut address) = (false, false);
    while let Some(token) = tokens.get(at) {
        match token.kind {
            TokenKind::Special(b',' | b';') => return at,
            TokenKind::Special(b':') if words && !address => return at,
            TokenKind::Special(b'<') => {
                address = true;
                at = angle_end(tokens, at);
                continue;
            }
            TokenKind::Special(b'@') => address = true,
            TokenKind::Atom | TokenKind::Quoted => words = true,
            _ => {}
        }
        at += 1;
    }
    at
}

/// The token behind the angle that begins at `from`; white space behind one that is not closed is not part of it.
fn angle_end(tokens: &[Token], from: usize) -> usize {
    let rest = &tokens[from + 1..];
    let stop = rest.iter().position(|t| matches!(t.kind, TokenKind::Special(b'<' | b'>')));
    if let Some(n) = stop.filter(|&n| rest[n].kind == TokenKind::Special(b'>')) {
        return from + n + 2;
    }
    let separator = rest.iter().position(|t| matches!(t.kind, TokenKind::Special(b',' | b';' | b'<')));
    let end = separator.map_or(tokens.len(), |n| from + 1 + n);
    let last = tokens[..end].iter().rposition(|t| t.kind != TokenKind::Space);
    last.map_or(end, |last| last + 1)
}

impl AddressList {
    /// The nodes of what stands between two separators: each angle, or the addr-spec without brackets, and
    /// the phrases around them.
    fn element(&mut self, value: &[u8], tokens: Range<usize>) {
        let mut from = tokens.start;
        let mut angles = false;
        while let Some(address) = angle(&self.tokens[from..tokens.end], angles) {
            self.plain(from..from + address.start);
            self.node(Role::Angle, from + address.start..from + address.end);
            from += address.end;
            angles = true;
        }
        let rest = &self.tokens[from..tokens.end];
        let address = if angles { rest.len()..rest.len() } else { bare(value, rest) };
        self.plain(from..from + address.start);
        self.node(Role::Bare, from + address.start..from + address.end);
        self.plain(from + address.end..tokens.end);
    }

    /// Nodes for tokens that are no address: phrases between comments, white space at their ends apart.
    fn plain(&mut self, tokens: Range<usize>) {
        for at in tokens {
            match self.tokens[at].kind {
                TokenKind::Space => self.node(Role::Space, at..at + 1),
                TokenKind::Comment => self.node(Role::Comment, at..at + 1),
                _ => self.phrase(at),
            }
        }
    }

    /// A word; the phrase before it grows over the white space between.
    fn phrase(&mut self, at: usize) {
        let spaces = usize::from(self.nodes.last().is_some_and(|n| n.role == Role::Space));
        match self.nodes.len().checked_sub(1 + spaces) {
            Some(last) if self.nodes[last].role == Role::Phrase => {
                self.nodes[last].span.end = self.tokens[at].span.end;
                self.nodes[last].tokens.end = at + 1;
                self.nodes.truncate(last + 1);
            }
            _ => self.node(Role::Phrase, at..at + 1),
        }
    }

    fn node(&mut self, role: Role, tokens: Range<usize>) {
        if let (Some(first), Some(last)) = (self.tokens.get(tokens.start), self.tokens[..tokens.end].last())
            && !tokens.is_empty()
        {
            let span = Span::new(first.span.start, last.span.end);
            self.nodes.push(Node { role, span, tokens });
        }
    }
}

/// The first angle that is closed, or the last at all, if none is `closed` before.
fn angle(tokens: &[Token], closed: bool) -> Option<Range<usize>> {
    let starts = || (0..tokens.len()).filter(|&n| tokens[n].kind == TokenKind::Special(b'<'));
    let is_closed = |range: &Range<usize>| tokens[range.end - 1].kind == TokenKind::Special(b'>');
    let ranges = || starts().map(|start| start..angle_end(tokens, start));
    ranges().find(is_closed).or_else(|| if closed { None } else { ranges().next_back() })
}

/// Where the addr-spec without brackets stands in an element; empty if there is none.
///
/// `addr-spec = local-part "@" domain`; a single atom counts as well (`root`).
fn bare(value: &[u8], tokens: &[Token]) -> Range<usize> {
    let Some(at) = tokens.iter().rposition(|t| t.kind == TokenKind::Special(b'@')) else {
        return lone_atom(value, tokens).unwrap_or(tokens.len()..tokens.len());
    };
    let start = span_back(tokens, at);
    let end = span_on(tokens, at);
    let words = |tokens: &[Token]| {
        tokens
            .iter()
            .any(|t| !matches!(t.kind, TokenKind::Space | TokenKind::Comment | TokenKind::Special(_)))
    };
    let whole = words(&tokens[start..at]) && words(&tokens[at + 1..end]);
    if whole { start..end } else { tokens.len()..tokens.len() }
}

/// The only atom among white space and comments, dots and all; not if it is text rather than a name.
fn lone_atom(value: &[u8], tokens: &[Token]) -> Option<Range<usize>> {
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

#[cfg(test)]
mod tests;
