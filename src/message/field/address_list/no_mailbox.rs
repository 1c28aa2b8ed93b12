//! Elements of a mailbox list that are not mailboxes (rule H6): half of all readers take words, or a local
//! part alone, for an address, half do not, and some then give up the whole list. An archive writes such an
//! element as the name of a group without members.

use super::super::comment::write_comment;
use super::super::phrase::{write_phrase_joined, write_text_as_phrase};
use super::{Group, Writer};
use crate::Span;
use crate::encode::{Level, Space};
use crate::syntax::address::{Node, Role, Token, TokenKind, addr_spec, says_something};

impl Writer<'_, '_> {
    /// Returns whether an element is not a mailbox, has some content, and is among others that are. In a list
    /// without any address with a domain it stays: local parts are plain local mail, and for words alone many
    /// readers show the name.
    pub(super) fn is_no_mailbox(&self, nodes: &[Node]) -> bool {
        let has_content = |node: &Node| match node.role {
            Role::Phrase => says_something(self.list.tokens(node)),
            Role::Angle => !self.list.is_empty_angle(node),
            role => role == Role::Bare,
        };
        self.among_specs && self.list.is_without_domain(nodes) && nodes.iter().any(has_content)
    }

    /// Returns whether an element among mailboxes is empty brackets or empty quotes.
    pub(super) fn is_empty(&self, nodes: &[Node]) -> bool {
        let is_void = |node: &Node| match node.role {
            Role::Phrase => !says_something(self.list.tokens(node)),
            Role::Angle => self.list.is_empty_angle(node),
            role => role == Role::Space,
        };
        let is_there = |node: &Node| node.role != Role::Space;
        self.among_specs && nodes.iter().any(is_there) && nodes.iter().all(is_void)
    }

    /// Reports an element that is left out, if readers see a mailbox without an address in it.
    pub(super) fn report_empty(&mut self, nodes: &[Node]) {
        let is_closed = |node: &&Node| self.list.is_empty_angle(node) && node.span.len() > 1;
        if let Some(brackets) = nodes.iter().find(is_closed) {
            let octets = self.draft.octets(brackets.span);
            self.report_text(octets, brackets.span);
        }
    }

    /// Reports an element whose name goes on after a comma, or is followed by several: the words before the
    /// comma are not an address of their own.
    pub(super) fn report_joined(&mut self, nodes: &[Node]) {
        if !self.among_specs {
            return;
        }
        let name = nodes.split(Node::is_address).next().unwrap_or_default();
        let is_comma = |token: &Token| matches!(token.kind, TokenKind::Special(b',' | b';'));
        let is_word = |token: &Token| match token.kind {
            TokenKind::Atom | TokenKind::Quoted | TokenKind::Literal => true,
            kind => kind == TokenKind::Special(b'.'),
        };
        let from_comma = self.list.tokens_of(name).iter().skip_while(|token| !is_comma(token));
        if from_comma.skip(1).any(|token| is_comma(token) || is_word(token)) {
            let (octets, span) = self.list.text_of(name);
            self.report_text(octets, span);
        }
    }

    /// Writes an element that is not a mailbox; returns the index of its first item.
    pub(super) fn group_without_members(&mut self, nodes: &[Node]) -> usize {
        if self.group == Group::Open {
            self.cut_group();
        }
        self.begin(nodes);
        let first = self.draft.items.len();
        self.name_of_group(nodes);
        if self.draft.items[first..].iter().all(|item| item.level == Level::Comment) {
            // Nothing is left of its name.
            self.draft.token(Space::ONE, b"\"\"".as_slice());
        }
        self.draft.token(Space::ONE, b":;".as_slice());
        self.draft.changed = true;
        self.space = Span::default();
        (self.after_element, self.after_words, self.after_name) = (true, true, false);
        first
    }

    fn name_of_group(&mut self, nodes: &[Node]) {
        let (octets, span) = self.list.text_of(nodes);
        self.report_text(octets, span);
        let is_local = |node: &&Node| node.is_address() && !self.list.is_empty_angle(node);
        if let Some(local) = nodes.iter().find(is_local) {
            let is_alone = nodes.iter().all(|node| node.role == Role::Space || is_local(&node));
            let part = is_alone.then(|| addr_spec(self.draft.value(), self.list.tokens(local)));
            return write_text_as_phrase(self.draft, part.as_deref().unwrap_or(octets), span);
        }
        let is_beside_angle = nodes.iter().any(|node| self.list.is_empty_angle(node));
        let mut space = Span::default();
        for node in nodes {
            match node.role {
                Role::Space => space = node.span,
                Role::Phrase if is_beside_angle => write_phrase_joined(self.draft, self.list.words(node)),
                Role::Phrase => write_phrase_joined(self.draft, self.list.tokens(node)),
                Role::Comment => write_comment(self.draft, node.span, std::mem::take(&mut space)),
                _ => {}
            }
        }
    }
}
