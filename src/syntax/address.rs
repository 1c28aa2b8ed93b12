//! Address lists: RFC 5322, section 3.4, and what mail holds in their place.

mod ends;
mod tokens;

use std::ops::Range;

use self::ends::{angle_end, element_end};
use super::encoded_word::holds_word;
use crate::Span;

pub(crate) use self::tokens::{Token, TokenKind, tokens};

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

/// An address list, cut into tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AddressList<'v> {
    value: &'v [u8],
    tokens: Vec<Token>,
}

/// What stands between two separators, and the one behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch<'s> {
    pub(crate) nodes: &'s [Node],
    pub(crate) separator: Option<&'s Node>,
}

impl AddressList<'_> {
    /// The tokens of a node. What a quote or parenthesis means depends on all before it, so a stretch must not
    /// be cut into tokens on its own.
    pub(crate) fn tokens(&self, node: &Node) -> &[Token] {
        &self.tokens[node.tokens.clone()]
    }

    /// The tokens of a phrase that are words, without the angle brackets at its end: `Ada <` of `Ada <<a@b>>`.
    pub(crate) fn words(&self, phrase: &Node) -> &[Token] {
        let tokens = self.tokens(phrase);
        let is_bracket = |token: &Token| matches!(token.kind, TokenKind::Special(b'<' | b'>'));
        let is_word = |token: &Token| !is_bracket(token) && token.kind != TokenKind::Space;
        let words = tokens.iter().rposition(is_word).map_or(0, |last| last + 1);
        if tokens.last().is_some_and(is_bracket) { &tokens[..words] } else { tokens }
    }

    /// The tokens from the first to the last of some nodes.
    pub(crate) fn tokens_of(&self, nodes: &[Node]) -> &[Token] {
        match (nodes.first(), nodes.last()) {
            (Some(first), Some(last)) => &self.tokens[first.tokens.start..last.tokens.end],
            _ => &[],
        }
    }

    /// What the list is made of, one stretch after the other.
    pub(crate) fn stretches(&self) -> Stretches<'_> {
        Stretches { value: self.value, tokens: &self.tokens, at: 0, nodes: Vec::new(), separator: None }
    }
}

/// What [`AddressList::stretches`] gives; the nodes of one stretch are kept at a time.
#[derive(Clone, Debug)]
pub(crate) struct Stretches<'l> {
    value: &'l [u8],
    tokens: &'l [Token],
    /// The first token behind what was given.
    at: usize,
    nodes: Vec<Node>,
    separator: Option<Node>,
}

impl<'s> Stretch<'s> {
    /// Whether this is the name of a group.
    pub(crate) fn opens_group(&self) -> bool {
        self.separator.is_some_and(|separator| separator.role == Role::GroupOpen)
    }

    /// The nodes by what they say together, one address at most: where two mailboxes in brackets stand without a comma
    /// between them, they are cut apart behind the first and its comments.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &'s [Node]> + use<'s> {
        let mut rest = self.nodes;
        std::iter::from_fn(move || {
            let (element, behind) = rest.split_at(element_len(rest));
            rest = behind;
            (!element.is_empty()).then_some(element)
        })
    }
}

/// How many nodes are the first element: those up to an angle and the comments behind it, if there is another angle.
fn element_len(nodes: &[Node]) -> usize {
    let is_angle = |node: &Node| node.role == Role::Angle;
    let beside = |node: &Node| matches!(node.role, Role::Space | Role::Comment);
    let Some(angle) = nodes.iter().position(is_angle) else { return nodes.len() };
    let end = angle + 1 + nodes[angle + 1..].iter().take_while(|node| beside(node)).count();
    if nodes[end..].iter().any(is_angle) { end } else { nodes.len() }
}

impl Node {
    /// Whether this stands between stretches.
    pub(crate) fn separates(&self) -> bool {
        matches!(self.role, Role::Comma | Role::GroupOpen | Role::GroupClose)
    }
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
pub(crate) fn list(value: &[u8]) -> AddressList<'_> {
    AddressList { value, tokens: tokens(value) }
}

impl AddressList<'_> {
    /// Whether there is the beginning of an encoded-word with an octet in it that ends an atom. Some readers take the word
    /// whole: it is not torn for good.
    pub(crate) fn has_torn_word(&self) -> bool {
        self.tokens.iter().any(|token| {
            let octets = &self.value[token.span.start..token.span.end];
            token.kind == TokenKind::Atom && octets.starts_with(b"=?") && !octets.ends_with(b"?=")
        })
    }

    /// Whether an element lacks a bracket, or has words where none may stand.
    pub(crate) fn is_broken_element(&self, nodes: &[Node]) -> bool {
        let is_words = |node: &Node| node.role == Role::Phrase;
        let Some(at) = nodes.iter().position(|node| matches!(node.role, Role::Angle | Role::Bare)) else {
            return false;
        };
        let (before, behind) = (&nodes[..at], &nodes[at + 1..]);
        match nodes[at].role {
            // An encoded-word that `<` has torn is no name of ours to write.
            Role::Angle if behind.iter().any(|node| self.value[node.span.start..].starts_with(b"?=")) => {
                false
            }
            Role::Angle => {
                let open = !self.value[..nodes[at].span.end].ends_with(b">");
                let loose = |node: &Node| self.tokens(node).iter().any(is_loose);
                open || behind.iter().any(is_words) || before.iter().any(|node| is_words(node) && loose(node))
            }
            // Of two addresses without brackets neither is the name of the other.
            _ => {
                let mut words = before.iter().chain(behind).filter(|node| is_words(node)).peekable();
                let is_at = |token: &Token| token.kind == TokenKind::Special(b'@');
                words.peek().is_some() && !words.any(|node| self.tokens(node).iter().any(is_at))
            }
        }
    }
}

/// Whether a token is a bracket, quote or backslash that nothing was made of.
fn is_loose(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Special(b'<' | b'>' | b'"' | b'\\' | b'(' | b')' | b'[' | b']'))
}

/// Whether nothing in a phrase is a word: beside an address that is no name. (Dots may be one.)
pub(crate) fn is_litter(phrase: &[Token]) -> bool {
    let is_word = |token: &Token| !matches!(token.kind, TokenKind::Special(special) if special != b'.');
    !phrase.iter().any(|token| token.kind != TokenKind::Space && is_word(token))
}

impl Stretches<'_> {
    /// The next stretch, if there is one.
    pub(crate) fn next(&mut self) -> Option<Stretch<'_>> {
        if self.at == self.tokens.len() {
            return None;
        }
        let end = element_end(self.tokens, self.at);
        let role = self.tokens.get(end).map(|token| match token.kind {
            TokenKind::Special(b':') => Role::GroupOpen,
            TokenKind::Special(b';') => Role::GroupClose,
            _ => Role::Comma,
        });
        self.nodes.clear();
        match role {
            _ if self.at == end => {}
            Some(Role::GroupOpen) => self.plain(self.at..end),
            _ => self.element(self.at..end),
        }
        self.separator = role.map(|role| Node { role, span: self.tokens[end].span, tokens: end..end + 1 });
        self.at = self.tokens.len().min(end + 1);
        Some(Stretch { nodes: &self.nodes, separator: self.separator.as_ref() })
    }

    /// The nodes of what stands between two separators: each angle, or the addr-spec without brackets, and
    /// the phrases around them.
    fn element(&mut self, tokens: Range<usize>) {
        let (Some(first), Some(last)) = (self.tokens.get(tokens.start), self.tokens[..tokens.end].last())
        else {
            return;
        };
        let brackets = memchr::memchr(b'<', &self.value[first.span.start..last.span.end]).is_some();
        let mut from = tokens.start;
        let mut angles = false;
        while brackets
            && from < tokens.end
            && let Some(address) = angle(&self.tokens[from..tokens.end], angles)
        {
            if address.start > 0 {
                self.plain(from..from + address.start);
            }
            self.node(Role::Angle, from + address.start..from + address.end);
            from += address.end;
            angles = true;
        }
        if from == tokens.end {
            return;
        }
        let rest = &self.tokens[from..tokens.end];
        let address = if angles { rest.len()..rest.len() } else { bare(self.value, rest) };
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
    let starts = (0..tokens.len()).filter(|&n| tokens[n].kind == TokenKind::Special(b'<'));
    let is_closed = |range: &Range<usize>| tokens[range.end - 1].kind == TokenKind::Special(b'>');
    let mut last = None;
    for start in starts {
        let range = start..angle_end(tokens, start);
        if is_closed(&range) {
            return Some(range);
        }
        last = Some(range);
    }
    last.filter(|_| !closed)
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
