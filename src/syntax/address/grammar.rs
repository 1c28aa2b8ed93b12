//! Which part of an element of an address list is an addr-spec by the grammar.

use std::ops::Range;

use crate::Span;

use super::{AddressList, Node, Role, Token, TokenKind, addr_spec, span_back, span_on, tokens};

/// How to read an element that is not a mailbox by the grammar: all of it is a name, and this is the address
/// that the name belongs to, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    /// The tokens of the list that are the address.
    pub(crate) address: Option<Range<usize>>,
}

impl Node {
    /// Returns whether it is an address, in brackets or not.
    pub(crate) fn is_address(&self) -> bool {
        matches!(self.role, Role::Angle | Role::Bare)
    }
}

impl AddressList<'_> {
    /// Returns how to read an element instead if it is not a mailbox by the grammar, though it contains an
    /// `@`.
    pub(crate) fn as_text(&self, nodes: &[Node]) -> Option<Text> {
        let address = nodes.iter().find(|node| node.is_address());
        let Some(node) = address else {
            let holds_at = |node: &Node| self.tokens(node).iter().any(is_at);
            let is_none = nodes.iter().any(|node| node.role == Role::Phrase && holds_at(node));
            return is_none.then_some(Text { address: None });
        };
        let is_empty = self.is_empty_angle(node);
        let name = nodes.iter().find(|node| node.role == Role::Phrase).filter(|_| is_empty);
        let is_before = |other: &&Node| other.span.start < node.span.start;
        let imitates = |other: &Node| other.role == Role::Comment && self.octets(other).contains(&b'<');
        if nodes.iter().take_while(is_before).any(imitates) {
            return Some(Text { address: self.first_sound(&node.tokens) });
        }
        match name {
            Some(name) => self.first_sound(&name.tokens).map(|address| Text { address: Some(address) }),
            None if is_sound(self.tokens(node)) => None,
            None => Some(Text { address: self.first_sound(&node.tokens) }),
        }
    }

    fn octets(&self, node: &Node) -> &[u8] {
        &self.value[node.span.start..node.span.end]
    }

    /// Returns the first addr-spec among some tokens of the list, as a range of the list's tokens.
    fn first_sound(&self, tokens: &Range<usize>) -> Option<Range<usize>> {
        let among = &self.tokens[tokens.clone()];
        let found = first_spec(among).filter(|found| is_sound(&among[found.clone()]))?;
        Some(tokens.start + found.start..tokens.start + found.end)
    }

    /// Returns the octets of an element that is text, and their span, without empty brackets.
    pub(crate) fn text_of(&self, nodes: &[Node]) -> (&[u8], Span) {
        let is_nothing = |node: &Node| node.role == Role::Space || self.is_empty_angle(node);
        let start = nodes.iter().find(|node| !is_nothing(node)).map_or(0, |node| node.span.start);
        let end = nodes.iter().rfind(|node| !is_nothing(node)).map_or(start, |node| node.span.end);
        (&self.value[start..end], Span::new(start, end))
    }

    /// Returns whether an element has no addr-spec with a domain: it is words, or a local part alone.
    pub(crate) fn is_without_domain(&self, nodes: &[Node]) -> bool {
        let address = nodes.iter().find(|node| node.is_address());
        // Without the route, which is not written.
        let spec = |node| addr_spec(self.value, self.tokens(node));
        !address.is_some_and(|node| tokens(&spec(node)).iter().any(is_at))
    }

    /// Returns whether a node is brackets with nothing in them, or with nothing that is written.
    pub(crate) fn is_empty_angle(&self, node: &Node) -> bool {
        node.role == Role::Angle && addr_spec(self.value, self.tokens(node)).is_empty()
    }

    /// Returns whether an element is no more than a bracket that opens nothing, with no name before it.
    pub(crate) fn is_lost(&self, nodes: &[Node]) -> bool {
        let is_open = |node: &Node| node.role == Role::Angle && node.span.len() == 1;
        let is_void = |node: &Node| match node.role {
            Role::Phrase => !says_something(self.tokens(node)),
            role => role == Role::Space || is_open(node),
        };
        nodes.iter().any(is_open) && nodes.iter().all(is_void)
    }

    /// Returns the tokens in a range.
    pub(crate) fn tokens_in(&self, tokens: Range<usize>) -> &[Token] {
        &self.tokens[tokens]
    }
}

/// Returns the first addr-spec, or something close to one: words on both sides of an `@`.
pub(super) fn first_spec(tokens: &[Token]) -> Option<Range<usize>> {
    let is_word =
        |token: &Token| !matches!(token.kind, TokenKind::Space | TokenKind::Comment | TokenKind::Special(_));
    let ats = (0..tokens.len()).filter(|&at| is_at(&tokens[at]));
    ats.map(|at| (at, span_back(tokens, at)..span_on(tokens, at)))
        .find(|(at, span)| {
            tokens[span.start..*at].iter().any(is_word) && tokens[at + 1..span.end].iter().any(is_word)
        })
        .map(|(_, span)| span)
}

/// Returns whether an address has white space, comments or a route in it: more than an addr-spec.
pub(crate) fn is_spaced(address: &[Token]) -> bool {
    use TokenKind::{Comment, Space, Special};
    address.iter().any(|token| matches!(token.kind, Space | Comment | Special(b':')))
}

/// Returns whether an address, with brackets or without, is an addr-spec, a local part alone, or nothing.
///
/// ```text
/// addr-spec = local-part "@" domain
/// local-part = word *("." word)
/// domain = atom *("." atom) / domain-literal
/// ```
///
/// Deviations:
/// 1. Dots may be anywhere: such addresses are in use.
fn is_sound(address: &[Token]) -> bool {
    let words = words_of(address);
    let words = without_route(&words);
    let at = words.iter().position(|kind| *kind == TokenKind::Special(b'@'));
    let (local, domain) = words.split_at(at.unwrap_or(words.len()));
    let is_dot = |kind: &TokenKind| *kind == TokenKind::Special(b'.');
    let dotted = |words: &[TokenKind], is_word: fn(&TokenKind) -> bool| {
        words.iter().all(|kind| is_word(kind) || is_dot(kind))
            && !words.windows(2).any(|pair| !is_dot(&pair[0]) && !is_dot(&pair[1]))
    };
    let is_local = dotted(local, |kind| matches!(kind, TokenKind::Atom | TokenKind::Quoted));
    let is_domain = match domain {
        [] => true,
        [_, TokenKind::Literal] => true,
        [_, domain @ ..] => {
            !local.iter().all(is_dot)
                && !domain.iter().all(is_dot)
                && dotted(domain, |kind| *kind == TokenKind::Atom)
        }
    };
    is_local && is_domain
}

/// Returns what an address consists of, without brackets, white space and comments.
fn words_of(address: &[Token]) -> Vec<TokenKind> {
    let kinds = inner(address).iter().map(|token| token.kind);
    kinds.filter(|kind| !matches!(kind, TokenKind::Space | TokenKind::Comment)).collect()
}

/// Returns an address without its brackets.
fn inner(address: &[Token]) -> &[Token] {
    let inner = match address {
        [open, rest @ ..] if open.kind == TokenKind::Special(b'<') => rest,
        _ => address,
    };
    match inner {
        [rest @ .., close] if close.kind == TokenKind::Special(b'>') => rest,
        _ => inner,
    }
}

/// `obs-route = obs-domain-list ":"`, a list that begins with `@`, or with commas before it.
fn without_route(words: &[TokenKind]) -> &[TokenKind] {
    let is = |kind: &TokenKind, special| *kind == TokenKind::Special(special);
    let begins = words.iter().find(|kind| !is(kind, b',')).is_some_and(|kind| is(kind, b'@'));
    match words.iter().position(|kind| is(kind, b':')) {
        Some(colon) if begins => &words[colon + 1..],
        _ => words,
    }
}

pub(super) fn is_at(token: &Token) -> bool {
    token.kind == TokenKind::Special(b'@')
}

/// Returns whether some tokens include anything that is written as a word, other than a pair of quotes with
/// nothing in it.
pub(crate) fn says_something(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| match token.kind {
        TokenKind::Atom | TokenKind::Literal | TokenKind::Special(_) => true,
        TokenKind::Quoted => token.span.len() > 2,
        _ => false,
    })
}
