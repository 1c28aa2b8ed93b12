//! Address lists (rules H3, H6): names and comments are rewritten where necessary, and what is between them
//! stays.
//!
//! Over 400 lines: the writer of a list is one state from its first element to its last.

mod no_mailbox;

use super::addr_spec::{AddrSpec, address_text, judge_addr_spec};
use super::ambiguous::is_ambiguous;
use super::comment::write_comment;
use super::draft::Draft;
use super::phrase::{quote_lone_atom, write_phrase, write_phrase_joined, write_text_as_phrase};
use super::raw_field::RawField;
use super::rules::FieldRules;
use super::table::Repeat;
use crate::ascii::{is_fws, is_printable};
use crate::decode::phrase_text;
use crate::encode::{Item, Level, Octets, Space, Token};
use crate::issue::Tally;
use crate::syntax::address::{
    self, AddressList, Node, Role, SimpleMailbox, Stretch, Text, TokenKind, addr_spec, has_no_words, list,
};
use crate::syntax::lexical::unfold;
use crate::{Code, Span};

/// Returns whether a clean field is in normal form: a list that names people has to follow the grammar. A
/// rule that changes clean fields must be reflected here; `field/tests/ways.rs` fails until it is.
pub(super) fn is_normal<'a>(field: impl FnOnce() -> RawField<'a>) -> bool {
    let field = &field();
    !asks_for_grammar(field) || SimpleMailbox::are_plain(field.value())
}

/// Returns whether mailboxes must be written as the grammar says (rule H6).
fn asks_for_grammar(field: &RawField<'_>) -> bool {
    field.row.names_people
}

/// Returns the field with the facts that its encoded-words add. What looks like one in an addr-spec is not
/// one (RFC 2047, 5), however long it is.
pub(super) fn with_word_lengths<'a>(field: &RawField<'a>) -> RawField<'a> {
    let may_be = field.lines.may_hold_long_words(field.raw);
    if may_be { field.with_word_lengths(&without_specs(field)) } else { *field }
}

/// Returns the octets of the field with an `x` for each octet of an addr-spec.
pub(super) fn without_specs(field: &RawField<'_>) -> Vec<u8> {
    let mut text = field.raw.to_vec();
    for span in list(field.value()).spec_runs() {
        let octets = &mut text[field.value_start + span.start..field.value_start + span.end];
        octets.iter_mut().filter(|octet| !is_fws(**octet)).for_each(|octet| *octet = b'x');
    }
    text
}

/// Returns whether a list contains an address with a domain.
pub(crate) fn holds_spec(field: &RawField<'_>) -> bool {
    list(field.value()).holds_spec()
}

/// Returns the draft of a list of addresses.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let list = list(field.value());
    let joins = asks_for_grammar(field) && rules.policy.settles_lists;
    let list = if joins { list.with_joined_names() } else { list };
    let (mut draft, repaired) = draft_of(field, rules, &list);
    let of_one = field.row.repeat == Repeat::Once;
    if asks_for_grammar(field) && !repaired && is_ambiguous(&draft, &list, of_one) {
        let code = if of_one { Code::AmbiguousSender } else { Code::AmbiguousRecipient };
        draft.tally.note(code, Span::new(0, field.value().len()));
    }
    draft
}

/// Returns the draft, and whether the list had to be repaired.
fn draft_of<'a>(field: &RawField<'a>, rules: &FieldRules, list: &AddressList<'a>) -> (Draft<'a>, bool) {
    let asks = asks_for_grammar(field);
    let is_mended = |broken: bool| asks && broken;
    if !field.is_unfit() {
        let mut probe = Draft::to_probe(field, rules);
        let (broken, _) = Writer::new(&mut probe, list, asks).write();
        if !probe.changed && !is_mended(broken) {
            return (probe, false);
        }
    }
    let mut draft = Draft::to_write(field, rules);
    let (broken, left_out) = Writer::new(&mut draft, list, asks).write();
    // What is written is written by the grammar, whatever for.
    let repaired = left_out || broken;
    if repaired {
        draft.repair(Code::AddressListRepaired, Span::new(0, field.value().len()));
    }
    (draft, repaired)
}

/// An address list that is being written.
struct Writer<'w, 'a> {
    draft: &'w mut Draft<'a>,
    list: &'w AddressList<'a>,
    /// Whether it matters that the list is broken.
    judged: bool,
    /// Whether the list has addresses with a domain, among which nothing else may be (archive).
    among_specs: bool,
    /// White space before the next token.
    space: Span,
    /// The separator that comes before the next element, with the white space before it.
    separator: Option<(Span, Span, Role)>,
    /// Whether a group was closed, and no comma has come since.
    after_group: bool,
    /// Whether there was a `;` that closes no group.
    stray: bool,
    /// Whether an element was written last.
    after_element: bool,
    /// Whether that element held words: more than comments.
    after_words: bool,
    /// Whether it was words alone, which would become the name of a following mailbox that has none.
    after_name: bool,
    group: Group,
    /// Whether specials that cannot be made into anything are left out, as they are next to an address that
    /// is rewritten.
    tidies: bool,
    /// Whether any were left out.
    left_out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    None,
    Open,
    /// Closed early, for a member that has to be a group itself; its own end is dropped.
    Cut,
}

impl<'w, 'a> Writer<'w, 'a> {
    fn new(draft: &'w mut Draft<'a>, list: &'w AddressList<'a>, judged: bool) -> Self {
        let is_settled = judged && draft.rules.policy.settles_lists;
        let among_specs = is_settled && (draft.rules.among_addresses || list.holds_spec());
        Self {
            draft,
            list,
            judged,
            among_specs,
            space: Span::default(),
            separator: None,
            after_group: false,
            stray: false,
            after_element: false,
            after_words: false,
            after_name: false,
            group: Group::None,
            tidies: false,
            left_out: false,
        }
    }

    /// Writes the list; returns whether it was broken, and whether anything was left out. It was broken if
    /// readers that do not share the deviations of [`list`] find other mailboxes in it because a comma,
    /// bracket or `;` is missing, or words are where none may be; written as the grammar says, it leaves no
    /// choice.
    fn write(mut self) -> (bool, bool) {
        let mut stretches = self.list.stretches();
        let mut broken = false;
        while let Some(stretch) = stretches.next() {
            if !stretch.nodes.is_empty() {
                broken |= self.elements(&stretch);
            }
            if let Some(separator) = stretch.separator {
                self.separator(separator);
            }
            self.draft.advance();
        }
        self.end();
        (broken || self.stray || self.group != Group::None, self.left_out)
    }

    /// Ends the list: if it is written, the only separator at its end is the `;` of a group.
    fn end(&mut self) {
        let separates = |(_, _, role): &mut (Span, Span, Role)| *role == Role::Comma;
        if self.draft.is_to_write() && self.separator.take_if(separates).is_some() {
            self.left_out = true;
        }
        self.flush();
        if self.group == Group::Open && self.draft.is_to_write() {
            // Set off from words, as when it is read.
            let follows_word = self.after_element && self.draft.items.last().is_some_and(Item::holds_word);
            self.draft.token(if follows_word { Space::ONE } else { Space::default() }, b";".as_slice());
        }
    }

    /// Writes what is between two separators; returns whether that was broken.
    fn elements(&mut self, stretch: &Stretch<'_>) -> bool {
        let mut elements = stretch.elements().peekable();
        let mut broken = false;
        while let Some(element) = elements.next() {
            let group = elements.peek().is_none() && stretch.opens_group();
            let is_lost = self.list.is_lost(element) || !group && self.is_empty(element);
            broken |= elements.peek().is_some() || is_lost;
            let is_looked_at = self.judged || self.draft.is_to_write();
            broken |= is_looked_at && (self.follows_group(element) || self.list.is_broken_element(element));
            broken |= !group && self.is_no_mailbox(element);
            if is_lost && self.draft.is_to_write() {
                self.left_out = true;
                self.report_empty(element);
                continue;
            }
            if self.after_element && self.separator.is_none() && self.draft.is_to_write() {
                self.glued(b",");
            }
            if group && self.group == Group::Open {
                // A group in a group: the one around it ends here.
                broken = true;
                if self.draft.is_to_write() {
                    self.cut_group();
                }
            }
            let first = self.element(element, group);
            let is_name = !group && !element.iter().any(Node::is_address);
            let is_written = self.draft.is_to_write();
            if is_name && is_written {
                quote_lone_atom(&mut self.draft.items, first);
            }
            if let Some(item) = self.draft.items.get_mut(first) {
                item.level = Level::Unit;
            }
        }
        broken
    }

    /// Takes a separator, which is written before the next element, or at the end.
    fn separator(&mut self, node: &Node) {
        if node.role == Role::GroupClose && self.group == Group::Cut {
            self.group = Group::None;
            return;
        }
        self.flush();
        let role = self.role(node);
        if node.role == Role::GroupOpen && !self.after_words && self.draft.is_to_write() {
            // Nothing is left of its name.
            self.draft.token(Space::ONE, b"\"\"".as_slice());
            self.after_element = true;
        }
        match node.role {
            Role::GroupOpen => self.group = Group::Open,
            Role::GroupClose => self.group = Group::None,
            _ => {}
        }
        self.separator = Some((std::mem::take(&mut self.space), node.span, role));
    }

    /// Returns the role of a separator: a `;` that closes no group counts as a comma.
    fn role(&mut self, node: &Node) -> Role {
        if node.role == Role::GroupClose && self.group == Group::None {
            self.stray = true;
            return Role::Comma;
        }
        node.role
    }

    /// Returns whether a comma is missing after a group.
    fn follows_group(&self, nodes: &[Node]) -> bool {
        let closes = self.separator.map_or(self.after_group, |(_, _, role)| role == Role::GroupClose);
        let is_text = |node: &Node| !matches!(node.role, Role::Space | Role::Comment);
        closes && nodes.iter().any(is_text)
    }

    /// Writes the pending separator. In a field that is rewritten, only one that follows an element may lack
    /// white space before it.
    fn flush(&mut self) {
        if let Some((space, span, role)) = self.separator.take() {
            self.after_group = role == Role::GroupClose;
            let mut space = self.draft.space(space);
            if space.is_empty() && self.draft.is_to_write() && !self.sticks() {
                space = Space::ONE;
            }
            let is_stray = role == Role::Comma && self.draft.octets(span) == b";" && self.draft.is_to_write();
            let separator = if is_stray { b",".as_slice() } else { self.draft.octets(span) };
            let grown = space.is_empty()
                && (!is_stray && self.draft.grow_last(span)
                    || self.sticks() && self.draft.append_to_last(separator));
            if !grown {
                self.draft.token(space, separator);
            }
            (self.after_element, self.after_words) = (false, false);
        }
    }

    /// Returns whether a separator may follow without white space: after an element that does not end with an
    /// encoded-word.
    fn sticks(&self) -> bool {
        self.after_element && !self.draft.items.last().is_some_and(Item::holds_word)
    }

    fn glued(&mut self, octets: &'static [u8]) {
        self.draft.token(Space::default(), octets);
    }

    /// Writes one element, or the name of a group; returns the index of its first item.
    fn element(&mut self, nodes: &[Node], is_group: bool) -> usize {
        if !is_group && self.draft.is_to_write() {
            let decodes = || self.decodes_to_address(nodes).then_some(Text { address: None });
            if let Some(text) = self.list.as_text(nodes).or_else(decodes) {
                return self.text(nodes, &text);
            }
            if self.is_no_mailbox(nodes) {
                return self.group_without_members(nodes);
            }
        }
        let address = nodes.iter().find(|node| node.is_address());
        let mut spec = address.map_or(AddrSpec::Keep, |address| self.spec(nodes, address));
        let unwritable = matches!(spec, AddrSpec::Unwritable);
        if unwritable && self.group == Group::Open {
            self.cut_group();
        }
        self.begin(nodes);
        self.report_joined(nodes);
        let first = self.draft.items.len();
        self.tidies = self.draft.is_to_write() && address.is_some();
        self.nodes(nodes, &mut spec);
        if unwritable {
            self.draft.token(Space::ONE, b":;");
        }
        let written = &self.draft.items[first..];
        self.after_element |= !written.is_empty();
        self.after_words |= written.iter().any(|item| item.level != Level::Comment);
        self.after_name = !is_group && self.could_name_what_follows(nodes);
        first
    }

    /// Writes the nodes of an element, with words before the address, and comments after it if they have to
    /// move.
    fn nodes(&mut self, nodes: &[Node], spec: &mut AddrSpec<'a>) {
        let first = self.draft.items.len();
        let unwritable = matches!(spec, AddrSpec::Unwritable);
        let moves = nodes.len() > 1 && !unwritable && self.draft.is_to_write() && self.has_words_after(nodes);
        let mut moved = Vec::new();
        if moves {
            moved.extend(nodes.iter().filter(|node| node.role != Role::Space).cloned());
            moved.sort_by_key(|node| place(node.role));
        }
        for node in if moves { &moved } else { nodes } {
            match node.role {
                Role::Phrase if self.tidies && has_no_words(self.words(node)) => {
                    (self.left_out, self.space) = (true, Span::default());
                }
                Role::Phrase if unwritable || moves => {
                    let words = self.words(node);
                    write_phrase_joined(self.draft, words);
                }
                _ => self.node(node, spec),
            }
            let is_nothing = || self.draft.items[first..].iter().all(|item| item.level == Level::Comment);
            if self.after_name && node.role == Role::Phrase && is_nothing() {
                // Nothing is left of its name except that it has one.
                self.draft.token(Space::ONE, b"\"\"".as_slice());
            }
        }
    }

    /// Returns whether an element is words alone, which would become the name of a following mailbox that has
    /// none.
    fn could_name_what_follows(&self, nodes: &[Node]) -> bool {
        let may_name = |node: &Node| matches!(node.role, Role::Phrase | Role::Bare);
        let is_angle = |node: &Node| node.role == Role::Angle;
        nodes.iter().any(may_name) && !nodes.iter().any(is_angle) && self.list.is_without_domain(nodes)
    }

    /// Writes what comes before an element.
    fn begin(&mut self, nodes: &[Node]) {
        let follows = self.judged && self.draft.is_to_write() && self.follows_group(nodes);
        self.flush();
        if follows && std::mem::take(&mut self.after_group) {
            self.glued(b",");
        }
    }

    /// Returns whether an element without an address decodes to what would be one.
    fn decodes_to_address(&self, nodes: &[Node]) -> bool {
        let (value, raw) = (self.draft.value(), self.draft.rules.raw_text());
        // Nothing else becomes an `@`.
        let may_hold = |node: &Node| memchr::memchr2(b'@', b'?', self.draft.octets(node.span)).is_some();
        let text = |node: &Node| phrase_text(value, self.list.tokens(node), raw, &mut Tally::default());
        let holds = |node: &Node| node.role == Role::Phrase && may_hold(node) && text(node).contains('@');
        !nodes.iter().any(Node::is_address) && nodes.iter().any(holds)
    }

    /// Writes an element that is not a mailbox by the grammar: as the name of the address in it, or of a
    /// group without members.
    fn text(&mut self, nodes: &[Node], text: &Text) -> usize {
        let spec =
            text.address.clone().map(|tokens| addr_spec(self.draft.value(), self.list.tokens_in(tokens)));
        let spec = spec.filter(|spec| spec.iter().all(|&octet| is_printable(octet)));
        if spec.is_none() && self.group == Group::Open {
            self.cut_group();
        }
        self.begin(nodes);
        let first = self.draft.items.len();
        let (octets, span) = self.list.text_of(nodes);
        self.space = Span::default();
        if spec.is_some() {
            self.report_joined(nodes);
        }
        let is_named = spec.as_deref() != Some(octets);
        if is_named {
            write_text_as_phrase(self.draft, octets, span);
        }
        match spec {
            Some(spec) if !is_named => self.draft.token(Space::ONE, spec),
            Some(spec) => self.draft.token(Space::ONE, in_brackets(&spec)),
            None => {
                self.report_text(octets, span);
                self.draft.token(Space::ONE, b":;".as_slice());
            }
        }
        self.draft.changed = true;
        (self.after_element, self.after_words, self.after_name) = (true, true, false);
        first
    }

    /// Reports text that is not an address.
    fn report_text(&mut self, octets: &[u8], span: Span) {
        let at = span.shifted(self.draft.field.value_start);
        self.draft.report(Code::AddressUnreadable, at, || String::from_utf8_lossy(octets).into_owned());
    }

    fn spec(&mut self, nodes: &[Node], node: &Node) -> AddrSpec<'a> {
        let tokens = self.list.tokens(node);
        let spec = judge_addr_spec(self.draft, tokens, node.span);
        let words = nodes.len() > 1 && nodes.iter().any(|node| self.is_name(node));
        match spec {
            // Next to a phrase that is rewritten, an addr-spec without brackets might become part of it.
            AddrSpec::Keep if node.role == Role::Bare && words && self.draft.is_to_write() => {
                AddrSpec::Write(addr_spec(self.draft.value(), tokens), Role::Angle)
            }
            AddrSpec::Write(spec, _) if words => AddrSpec::Write(spec, Role::Angle),
            spec => spec,
        }
    }

    /// Writes a node; `spec` is what becomes of the element's address.
    fn node(&mut self, node: &Node, spec: &mut AddrSpec<'a>) {
        let space = std::mem::take(&mut self.space);
        let tokens = if node.role == Role::Phrase { self.words(node) } else { self.list.tokens(node) };
        let first = self.draft.items.len();
        match (node.role, spec) {
            (Role::Space, _) => self.space = node.span,
            (Role::Phrase, _) => write_phrase(self.draft, tokens, space),
            (Role::Comment, _) => write_comment(self.draft, node.span, space),
            (_, AddrSpec::Keep) => {
                let octets = unfold(self.draft.octets(node.span));
                self.draft.token(self.draft.space(space), octets);
            }
            (_, AddrSpec::Write(spec, role)) => {
                self.report_comments(node);
                let octets =
                    if *role == Role::Angle { in_brackets(spec) } else { std::mem::take(spec).into() };
                self.draft.token(Space::ONE, octets);
                self.draft.changed = true;
            }
            (_, AddrSpec::Unwritable) => self.as_text(node),
        }
        if self.draft.is_to_write()
            && let Some(item) = self.draft.items.get_mut(first)
            && item.space.is_empty()
        {
            item.space = Space::ONE;
        }
    }

    /// Reports the comments in an addr-spec that is rewritten: next to it they might be read as a name.
    fn report_comments(&mut self, node: &Node) {
        for comment in self.list.tokens(node).iter().filter(|token| token.kind == TokenKind::Comment) {
            let text = self.draft.octets(comment.span);
            let at = comment.span.shifted(self.draft.field.value_start);
            self.draft.report(Code::CommentDropped, at, || String::from_utf8_lossy(text).into_owned());
        }
    }

    /// Writes an addr-spec as text in encoded-words: the name of a group without members (RFC 6857, 3.1.8).
    fn as_text(&mut self, node: &Node) {
        self.report_comments(node);
        let spec = addr_spec(self.draft.value(), self.list.tokens(node));
        let run = address_text(self.draft, &spec, node.span);
        let at = node.span.shifted(self.draft.field.value_start);
        self.draft.changed = true;
        self.draft.report(Code::AddressNotAscii, at, || String::from_utf8_lossy(&run.octets).into_owned());
        self.draft.items.push(Item::new(Space::ONE, Token::Encode(Box::new(run))));
    }

    /// Returns the tokens of a phrase that are to be written.
    fn words(&mut self, node: &Node) -> &'w [address::Token] {
        let (list, tokens) = (self.list, self.list.tokens(node));
        if !self.tidies {
            return tokens;
        }
        let words = list.words(node);
        self.left_out |= words.len() < tokens.len();
        words
    }

    /// Returns whether a phrase is written as a name. After a name an empty one is written too.
    fn is_name(&self, node: &Node) -> bool {
        node.role == Role::Phrase && (self.after_name || !has_no_words(self.list.words(node)))
    }

    /// Returns whether words come after the address: if the field is rewritten, they move to where a name
    /// belongs.
    fn has_words_after(&self, nodes: &[Node]) -> bool {
        let address = nodes.iter().position(Node::is_address);
        address.is_some_and(|at| nodes[at..].iter().any(|node| self.is_name(node)))
    }

    /// Ends a group before a member that has to be a group itself.
    fn cut_group(&mut self) {
        self.group = Group::Cut;
        // A comma that was inserted for this member comes after the group.
        let is_comma = |item: &mut Item<'_>| matches!(&item.token, Token::Plain(octets) if **octets == *b",");
        if self.separator.is_none() && self.draft.items.pop_if(is_comma).is_some() {
            return self.glued(b";,");
        }
        let opens = self.separator.is_some_and(|(_, span, _)| self.draft.octets(span) == b":");
        if opens {
            self.flush();
        }
        self.glued(if opens { b";," } else { b";" });
    }
}

/// `angle-addr = "<" addr-spec ">"`
fn in_brackets(spec: &[u8]) -> Octets<'static> {
    if spec.is_empty() { Octets::from(b"<>") } else { Octets::joined([b"<", spec, b">"]) }
}

/// `mailbox = [display-name] angle-addr [CFWS]`
fn place(role: Role) -> u8 {
    match role {
        Role::Phrase => 0,
        Role::Angle | Role::Bare => 1,
        _ => 2,
    }
}
