//! Address lists: RFC 5322, section 3.4, and what is found in their place in mail.

mod addr_spec;
mod elements;
mod grammar;
mod kinds;
mod plain;
mod simple;
mod tokens;

use std::ops::Range;

use self::elements::{Names, angle_end, element_end};
use super::encoded_word::holds_word;
use crate::Span;

pub(crate) use self::addr_spec::addr_spec;
use self::grammar::first_spec;
pub(crate) use self::grammar::{Text, is_spaced, says_something};
pub(crate) use self::plain::is_plain_spec;
pub(crate) use self::simple::SimpleMailbox;
pub(crate) use self::tokens::{Token, TokenKind, tokens};

/// The role of a node in an address list. The nodes of a list cover it without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Space,
    Comment,
    /// Words of a display name or group name, with the white space between them.
    Phrase,
    /// `<` addr-spec `>`, with its brackets (the closing one may be missing).
    Angle,
    /// An addr-spec without brackets.
    Bare,
    Comma,
    /// The `:` after a group's name.
    GroupOpen,
    /// The `;` that ends a group, or is written instead of a comma.
    GroupClose,
}

/// A node of an address list: some adjacent tokens with one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) role: Role,
    pub(crate) span: Span,
    /// Its tokens, as a range of the list's tokens.
    tokens: Range<usize>,
}

/// An address list, split into tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AddressList<'v> {
    value: &'v [u8],
    tokens: Vec<Token>,
    /// Whether words before a mailbox in brackets are its name, whatever commas are in between.
    joins: bool,
}

/// The nodes between two separators, and the separator after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch<'s> {
    pub(crate) nodes: &'s [Node],
    pub(crate) separator: Option<&'s Node>,
}

impl AddressList<'_> {
    /// Returns the tokens of a node. What a quote or parenthesis means depends on everything before it, so a
    /// stretch cannot be tokenised on its own.
    pub(crate) fn tokens(&self, node: &Node) -> &[Token] {
        &self.tokens[node.tokens.clone()]
    }

    /// Returns the tokens of a phrase without stray angle brackets, commas and the like at its end, such as
    /// the first `<` of `Ada <<a@b>>`.
    pub(crate) fn words(&self, phrase: &Node) -> &[Token] {
        let tokens = self.tokens(phrase);
        let is_bracket = |token: &Token| {
            token.is_angle_bracket() || matches!(token.kind, TokenKind::Special(b',' | b';' | b':'))
        };
        let is_word = |token: &Token| !is_bracket(token) && token.kind != TokenKind::Space;
        let words = tokens.iter().rposition(is_word).map_or(0, |last| last + 1);
        if tokens.last().is_some_and(is_bracket) { &tokens[..words] } else { tokens }
    }

    /// Returns the tokens from the first to the last of some nodes.
    pub(crate) fn tokens_of(&self, nodes: &[Node]) -> &[Token] {
        match (nodes.first(), nodes.last()) {
            (Some(first), Some(last)) => &self.tokens[first.tokens.start..last.tokens.end],
            _ => &[],
        }
    }

    /// Returns the spans of adjacent tokens that contain an `@`: addr-specs, or what is left of some.
    pub(crate) fn spec_runs(&self) -> impl Iterator<Item = Span> {
        let is_part = |token: &Token| match token.kind {
            TokenKind::Atom | TokenKind::Quoted | TokenKind::Literal => true,
            TokenKind::Special(special) => matches!(special, b'@' | b'.'),
            _ => false,
        };
        let runs = self.tokens.chunk_by(move |a, b| is_part(a) && is_part(b));
        let holds_at = |run: &&[Token]| run.iter().any(|token| token.kind == TokenKind::Special(b'@'));
        runs.filter(holds_at).map(|run| Span::new(run[0].span.start, run[run.len() - 1].span.end))
    }

    /// Returns the stretches of the list, in order.
    pub(crate) fn stretches(&self) -> Stretches<'_> {
        let (nodes, separator) = (Vec::new(), None);
        let names = self.joins.then(Names::default);
        Stretches { value: self.value, tokens: &self.tokens, at: 0, in_group: false, names, nodes, separator }
    }

    /// Returns the list as an archive reads it: words without an `@` before a mailbox in brackets are its
    /// name, whatever commas are in between.
    pub(crate) fn with_joined_names(self) -> Self {
        Self { joins: true, ..self }
    }

    /// Returns whether there is an addr-spec with a domain in it.
    pub(crate) fn holds_spec(&self) -> bool {
        first_spec(&self.tokens).is_some()
    }
}

/// The stretches of an [`AddressList`], which hold the nodes of one stretch at a time.
#[derive(Clone, Debug)]
pub(crate) struct Stretches<'l> {
    value: &'l [u8],
    tokens: &'l [Token],
    /// The first token that has not been read yet.
    at: usize,
    in_group: bool,
    /// Where names are, if they are joined.
    names: Option<Names>,
    nodes: Vec<Node>,
    separator: Option<Node>,
}

impl<'s> Stretch<'s> {
    /// Returns whether this is the name of a group.
    pub(crate) fn opens_group(&self) -> bool {
        self.separator.is_some_and(|separator| separator.role == Role::GroupOpen)
    }

    /// Returns the nodes in groups with at most one address each: two addresses without a comma between them
    /// are split after the first one and its comments.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &'s [Node]> + use<'s> {
        let mut rest = self.nodes;
        std::iter::from_fn(move || {
            let (element, after) = rest.split_at(element_len(rest));
            rest = after;
            (!element.is_empty()).then_some(element)
        })
    }
}

/// Counts the nodes of the first element: those up to an address and the comments after it, if another
/// follows.
fn element_len(nodes: &[Node]) -> usize {
    let is_space_or_comment = |node: &Node| matches!(node.role, Role::Space | Role::Comment);
    let Some(angle) = nodes.iter().position(Node::is_address) else { return nodes.len() };
    let end = angle + 1 + nodes[angle + 1..].iter().take_while(|node| is_space_or_comment(node)).count();
    if nodes[end..].iter().any(Node::is_address) { end } else { nodes.len() }
}

impl Node {
    /// Returns whether this separates stretches.
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
/// 1. Anything may occur between separators: what is not an address is a phrase, so that nothing is left out.
/// 2. A group may lack its `;`. `:` opens a group only after words: not at the start, nor after an address.
/// 3. `;` outside a group separates, as some programs write it.
/// 4. `<` without `>` reaches to the next separator.
/// 5. Words may come before and after an addr-spec without brackets.
/// 6. Two addresses count as two even without a comma between them.
/// 7. `:` also opens a group after an address, if another address follows.
/// 8. A comma between words and an address in brackets belongs to the words: `"Name, Inc.",
///    <info@example.org>`; and so does a `;` outside a group.
pub(crate) fn list(value: &[u8]) -> AddressList<'_> {
    AddressList { value, tokens: tokens(value), joins: false }
}

impl AddressList<'_> {
    /// Returns whether an element lacks a bracket, has misplaced words or specials, or a spaced address.
    pub(crate) fn is_broken_element(&self, nodes: &[Node]) -> bool {
        let is_words = |node: &Node| node.role == Role::Phrase;
        let is_odd = |token: &Token| token.is_special_in_phrase() || token.kind == TokenKind::Literal;
        let holds_odd = |node: &Node| is_words(node) && self.tokens(node).iter().any(is_odd);
        let Some(at) = nodes.iter().position(Node::is_address) else {
            return nodes.iter().any(holds_odd);
        };
        let (before, address, after) = (&nodes[..at], &nodes[at], &nodes[at + 1..]);
        let tokens = self.tokens(address);
        let is_open = address.role == Role::Angle && !self.value[..address.span.end].ends_with(b">");
        let is_named = address.role == Role::Bare && before.iter().any(is_words);
        is_open
            || is_named
            || is_spaced(tokens)
            || after.iter().any(is_words)
            || before.iter().any(holds_odd)
            || self.as_text(nodes).is_some()
    }
}

/// Returns whether a phrase has no words, so that next to an address it is not a name. (Dots may be one.)
pub(crate) fn has_no_words(phrase: &[Token]) -> bool {
    let is_nothing = |token: &Token| matches!(token.kind, TokenKind::Space | TokenKind::Controls);
    phrase.iter().all(|token| is_nothing(token) || token.is_special_in_phrase())
}

impl Stretches<'_> {
    /// Returns the next stretch, if there is one.
    pub(crate) fn next(&mut self) -> Option<Stretch<'_>> {
        if self.at == self.tokens.len() {
            return None;
        }
        let end = element_end(self.tokens, self.at, self.in_group, self.names.as_mut());
        let role = self.tokens.get(end).map(|token| match token.kind {
            TokenKind::Special(b':') => Role::GroupOpen,
            TokenKind::Special(b';') => Role::GroupClose,
            _ => Role::Comma,
        });
        self.nodes.clear();
        match role {
            Some(Role::GroupOpen) => self.in_group = true,
            Some(Role::GroupClose) => self.in_group = false,
            _ => {}
        }
        match role {
            _ if self.at == end => {}
            Some(Role::GroupOpen) => self.plain(self.at..end),
            _ => self.element(self.at..end),
        }
        self.separator = role.map(|role| Node { role, span: self.tokens[end].span, tokens: end..end + 1 });
        self.at = self.tokens.len().min(end + 1);
        Some(Stretch { nodes: &self.nodes, separator: self.separator.as_ref() })
    }

    /// Adds the nodes between two separators: each angle, or the addr-spec without brackets, and the phrases
    /// around them.
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
        while !angles
            && let Some(address) = bare(self.value, &self.tokens[from..tokens.end], from == tokens.start)
        {
            self.plain(from..from + address.start);
            self.node(Role::Bare, from + address.start..from + address.end);
            from += address.end;
        }
        self.plain(from..tokens.end);
    }

    /// Adds nodes for tokens outside addresses: phrases between comments, with the white space around them as
    /// nodes of its own.
    fn plain(&mut self, tokens: Range<usize>) {
        for at in tokens {
            match self.tokens[at].kind {
                TokenKind::Space => self.node(Role::Space, at..at + 1),
                TokenKind::Comment => self.node(Role::Comment, at..at + 1),
                _ => self.phrase(at),
            }
        }
    }

    /// Adds a word: the phrase before it is extended over the white space between them.
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

/// Returns the first angle that is closed; without one, the last open angle, unless one before was `closed`.
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

/// Returns the range of the first addr-spec without brackets; a single atom (`root`) counts if it is alone.
fn bare(value: &[u8], tokens: &[Token], is_all: bool) -> Option<Range<usize>> {
    if tokens.iter().any(|token| token.kind == TokenKind::Special(b'@')) {
        first_spec(tokens)
    } else {
        lone_atom(value, tokens).filter(|_| is_all)
    }
}

/// Returns the only atom among white space and comments, with its dots, unless it is text rather than a name.
fn lone_atom(value: &[u8], tokens: &[Token]) -> Option<Range<usize>> {
    let words = |t: &Token| !matches!(t.kind, TokenKind::Space | TokenKind::Comment);
    let first = tokens.iter().position(words)?;
    let last = tokens.iter().rposition(words)?;
    let part = |t: &Token| matches!(t.kind, TokenKind::Atom | TokenKind::Special(b'.'));
    let octets = &value[tokens[first].span.start..tokens[last].span.end];
    let text = octets.iter().any(|o| !o.is_ascii_graphic()) || holds_word(octets);
    (!text && tokens[first..=last].iter().all(part)).then_some(first..last + 1)
}

/// Returns the first token of the local-part that ends before `at`: words joined by dots, folds only around
/// dots and before the `@`.
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

/// Returns the end of the domain that begins after `at`, as a token index.
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
