//! Address lists (rules H3, H6): names and comments are written anew where they have to be, and what stands
//! between them stays.

use super::draft::{Draft, Pass};
use super::field::Field;
use super::spec::Spec;
use super::{FieldRules, Shape};
use crate::encode::{Item, Level, Octets, Space, Token};
use crate::syntax::address::{self, AddressList, Node, Role, Stretch, TokenKind, is_litter, list};
use crate::syntax::encoded_word::holds_word;
use crate::syntax::lexical::{is_atext, unfold, unfolded};
use crate::{Code, Span};

impl FieldRules {
    pub(super) fn address_list<'a>(&self, field: &Field<'a>, shape: &Shape, draft: &mut Draft<'a>) {
        let list = list(field.value());
        let asks = self.asks_for_grammar(field);
        let is_mended = |broken: bool| asks && broken && !list.has_torn_word();
        if !shape.is_unfit() && !field.spaced {
            let broken = Writer { judged: asks, ..Writer::new(self, field, &list, draft) }.write();
            if !draft.changed && !is_mended(broken) {
                return;
            }
        }
        *draft = Draft::to_write();
        let mut writer = Writer { judged: asks, ..Writer::new(self, field, &list, draft) };
        let broken = writer.write();
        if writer.left_out || is_mended(broken) {
            draft.repair(Code::AddressListRepaired, Span::new(0, field.value().len()));
        }
    }
}

/// An address list on its way out.
struct Writer<'w, 'a> {
    rules: &'w FieldRules,
    field: &'w Field<'a>,
    value: &'a [u8],
    list: &'w AddressList<'a>,
    draft: &'w mut Draft<'a>,
    /// Whether it is asked whether the list is broken.
    judged: bool,
    /// White space before the next token.
    space: Span,
    /// The separator that comes before the next element, behind its white space.
    separator: Option<(Span, Span)>,
    /// Whether an element was written last.
    after_element: bool,
    /// Whether words were: more than comments.
    after_words: bool,
    group: Group,
    /// Whether specials of which nothing can be made are left out: beside an address that is written anew.
    tidies: bool,
    /// Whether some were.
    left_out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    None,
    Open,
    /// Closed early, for a member that has to be a group itself; its own end goes.
    Cut,
}

impl<'w, 'a> Writer<'w, 'a> {
    fn new(
        rules: &'w FieldRules,
        field: &'w Field<'a>,
        list: &'w AddressList<'a>,
        draft: &'w mut Draft<'a>,
    ) -> Self {
        let (value, space) = (field.value(), Span::default());
        Self {
            judged: false,
            rules,
            field,
            value,
            list,
            draft,
            space,
            separator: None,
            after_element: false,
            after_words: false,
            group: Group::None,
            tidies: false,
            left_out: false,
        }
    }

    /// Writes the list; whether it was broken: whether readers that do not share the deviations of [`list`] find other
    /// mailboxes in it, where one that is written as the grammar says leaves no choice, since a comma, bracket or `;` is
    /// missing, or words stand where none may.
    fn write(&mut self) -> bool {
        let mut stretches = self.list.stretches();
        let mut broken = false;
        while let Some(stretch) = stretches.next() {
            if !stretch.nodes.is_empty() {
                broken |= self.elements(&stretch);
            }
            if let Some(separator) = stretch.separator {
                self.separator(separator);
            }
            self.draft.advance(self.field);
        }
        self.flush();
        if self.group == Group::Open && self.draft.pass == Pass::Write {
            self.glued(b";");
        }
        broken || self.group != Group::None
    }

    /// Writes what stands between two separators; whether that was broken.
    fn elements(&mut self, stretch: &Stretch<'_>) -> bool {
        let mut elements = stretch.elements().peekable();
        let mut broken = false;
        while let Some(element) = elements.next() {
            broken |= elements.peek().is_some() || self.judged && self.list.is_broken_element(element);
            if self.after_element && self.separator.is_none() && self.draft.pass == Pass::Write {
                self.glued(b",");
            }
            let first = self.element(element);
            let group = elements.peek().is_none() && stretch.opens_group();
            let written = &mut self.draft.items[first..];
            if !group && !element.iter().any(|node| matches!(node.role, Role::Angle | Role::Bare)) {
                quote_lone_atom(written);
            }
            if let Some(item) = written.first_mut() {
                item.level = Level::Unit;
            }
        }
        broken
    }

    /// Takes in a separator: it is written before the next element, or at the end.
    fn separator(&mut self, node: &Node) {
        if node.role == Role::GroupClose && self.group == Group::Cut {
            self.group = Group::None;
            return;
        }
        self.flush();
        if node.role == Role::GroupOpen && !self.after_words && self.draft.pass == Pass::Write {
            // Nothing is left of its name.
            self.draft.items.push(Item::plain(Space::ONE, b"\"\"".as_slice()));
            self.after_element = true;
        }
        match node.role {
            Role::GroupOpen => self.group = Group::Open,
            Role::GroupClose => self.group = Group::None,
            _ => {}
        }
        self.separator = Some((std::mem::take(&mut self.space), node.span));
    }

    /// Writes the separator that waits. What is written anew never sticks together more than it has to.
    fn flush(&mut self) {
        if let Some((space, span)) = self.separator.take() {
            let mut space = Space::from(unfolded(&self.value[space.start..space.end]));
            let sticks = self.after_element && !self.draft.items.last().is_some_and(Item::holds_word);
            if space.is_empty() && !sticks && self.draft.pass == Pass::Write {
                space = Space::ONE;
            }
            (self.after_element, self.after_words) = (false, false);
            let separator = &self.value[span.start..span.end];
            let grown =
                space.is_empty() && (self.grow_last(span) || sticks && self.append_to_last(separator));
            if !grown {
                self.draft.plain(space, separator);
            }
        }
    }

    /// Takes what stands at `span` into the last item, if that is what stands before it: one token less to lay out.
    fn grow_last(&mut self, span: Span) -> bool {
        let Some(Item { token: Token::Plain(last), level, .. }) = self.draft.items.last_mut() else {
            return false;
        };
        // One octet tells most of them apart without a call.
        if last.last().is_some_and(|octet| self.value[..span.start].last() != Some(octet)) {
            return false;
        }
        let before = span.start.checked_sub(last.len()).map(|from| from..span.end);
        match before {
            Some(grown) if *level != Level::Comment && self.value[grown.start..span.start] == **last => {
                *last = Octets::from(&self.value[grown]);
                true
            }
            _ => false,
        }
    }

    /// Takes `octets` into the last item, if that is short.
    fn append_to_last(&mut self, octets: &[u8]) -> bool {
        match self.draft.items.last_mut() {
            Some(Item { token: Token::Plain(last), level, .. })
                if *level != Level::Comment && last.are_few_with(octets.len()) =>
            {
                last.append(octets);
                true
            }
            _ => false,
        }
    }

    fn glued(&mut self, octets: &'static [u8]) {
        self.draft.items.push(Item::plain(Space::default(), octets));
    }

    /// Writes one element; gives the place of its first item.
    fn element(&mut self, nodes: &[Node]) -> usize {
        let address = nodes.iter().find(|node| matches!(node.role, Role::Angle | Role::Bare));
        let mut spec = match address {
            Some(address) => self.spec(nodes, address),
            None => Spec::Keep,
        };
        let beyond = matches!(spec, Spec::Beyond);
        if beyond && self.group == Group::Open {
            self.cut_group();
        }
        self.flush();
        let first = self.draft.items.len();
        let several = nodes.len() > 1;
        let moves = several && !beyond && self.draft.pass == Pass::Write && self.has_words_behind(nodes);
        self.tidies = self.draft.pass == Pass::Write && address.is_some();
        let mut write = |writer: &mut Self, node: &Node| match node.role {
            Role::Phrase if writer.tidies && is_litter(writer.words(node)) => {
                (writer.left_out, writer.space) = (true, Span::default());
            }
            Role::Phrase if beyond || moves => {
                let words = writer.words(node);
                writer.rules.phrase_joined(writer.value, words, writer.draft);
            }
            _ => writer.node(node, &mut spec),
        };
        if moves {
            let mut nodes: Vec<&Node> = nodes.iter().filter(|node| node.role != Role::Space).collect();
            nodes.sort_by_key(|node| place(node.role));
            nodes.into_iter().for_each(|node| write(self, node));
        } else {
            nodes.iter().for_each(|node| write(self, node));
        }
        if beyond {
            self.draft.items.push(Item::plain(Space::ONE, b":;"));
        }
        let written = &self.draft.items[first..];
        self.after_element |= !written.is_empty();
        self.after_words |= written.iter().any(|item| item.level != Level::Comment);
        first
    }

    fn spec(&mut self, nodes: &[Node], node: &Node) -> Spec<'a> {
        let tokens = self.list.tokens(node);
        let spec = self.rules.spec(self.value, tokens, node.span, self.draft);
        let words = nodes.len() > 1 && nodes.iter().any(|node| node.role == Role::Phrase);
        match spec {
            // Beside a phrase that is written anew an addr-spec without brackets might grow into it.
            Spec::Keep if node.role == Role::Bare && words && self.draft.pass == Pass::Write => {
                Spec::Write(crate::decode::addr_spec(self.value, tokens), Role::Angle)
            }
            Spec::Write(spec, _) if words => Spec::Write(spec, Role::Angle),
            Spec::Fold(local, domain, _) if words => Spec::Fold(local, domain, Role::Angle),
            spec => spec,
        }
    }

    /// Writes a node; `spec` is what becomes of the element's address.
    fn node(&mut self, node: &Node, spec: &mut Spec<'a>) {
        let (value, space) = (self.value, std::mem::take(&mut self.space));
        let tokens = if node.role == Role::Phrase { self.words(node) } else { self.list.tokens(node) };
        let first = self.draft.items.len();
        match (node.role, spec) {
            (Role::Space, _) => self.space = node.span,
            (Role::Phrase, _) => self.rules.phrase(value, tokens, space, self.draft),
            (Role::Comment, _) => self.rules.comment(value, node.span, space, self.draft),
            (_, Spec::Keep) => {
                let octets = unfold(&value[node.span.start..node.span.end]);
                self.draft.items.push(Item::plain(unfolded(&value[space.start..space.end]), octets));
            }
            (_, Spec::Write(spec, role)) => {
                self.report_comments(node);
                let octets =
                    if *role == Role::Angle { in_brackets(spec) } else { std::mem::take(spec).into() };
                self.draft.items.push(Item::plain(Space::ONE, octets));
                self.draft.changed = true;
            }
            (_, Spec::Fold(local, domain, role)) => {
                self.report_comments(node);
                let (open, close): (&[u8], &[u8]) =
                    if *role == Role::Angle { (b"<", b">") } else { (b"", b"") };
                self.draft.items.push(Item::plain(Space::ONE, [open, local].concat()));
                self.draft.items.push(Item::plain(Space::ONE, [domain, close].concat()));
                self.draft.changed = true;
            }
            (_, Spec::Beyond) => self.beyond(node),
        }
        if let Some(item) = self.draft.items.get_mut(first)
            && item.space.is_empty()
            && self.draft.pass == Pass::Write
        {
            item.space = Space::ONE;
        }
    }

    /// Tells of the comments in an addr-spec that is written anew: beside it they might be read as a name.
    fn report_comments(&mut self, node: &Node) {
        for comment in self.list.tokens(node).iter().filter(|token| token.kind == TokenKind::Comment) {
            let text = &self.value[comment.span.start..comment.span.end];
            let at = comment.span.shifted(self.field.value.start);
            self.draft.tell(Code::CommentDropped, at, || String::from_utf8_lossy(text).into_owned());
        }
    }

    /// Writes an addr-spec as text in encoded-words: the name of a group without members (RFC 6857, 3.1.8).
    fn beyond(&mut self, node: &Node) {
        self.report_comments(node);
        let spec = crate::decode::addr_spec(self.value, self.list.tokens(node));
        let run = self.rules.address_text(&spec, node.span, &mut self.draft.tally);
        let at = node.span.shifted(self.field.value.start);
        self.draft.changed = true;
        self.draft.tell(Code::AddressNotAscii, at, || String::from_utf8_lossy(&run.octets).into_owned());
        self.draft.items.push(Item::new(Space::ONE, Token::Encode(Box::new(run))));
    }

    /// The tokens of a phrase that are to be written.
    fn words(&mut self, node: &Node) -> &'w [address::Token] {
        let (list, tokens) = (self.list, self.list.tokens(node));
        if !self.tidies {
            return tokens;
        }
        let words = list.words(node);
        self.left_out |= words.len() < tokens.len();
        words
    }

    /// Whether words stand behind the address: where the field is written anew they go where a name belongs.
    fn has_words_behind(&self, nodes: &[Node]) -> bool {
        let address = nodes.iter().position(|node| matches!(node.role, Role::Angle | Role::Bare));
        let is_words = |node: &Node| node.role == Role::Phrase && !is_litter(self.list.words(node));
        address.is_some_and(|at| nodes[at..].iter().any(is_words))
    }

    /// Ends a group before a member that has to be a group itself.
    fn cut_group(&mut self) {
        self.group = Group::Cut;
        let opens = self.separator.is_some_and(|(_, span)| self.value[span.start] == b':');
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

/// Quotes the only word of a phrase that has no address: it would be read as one.
fn quote_lone_atom(items: &mut [Item<'_>]) {
    let mut words = items.iter_mut().filter(|item| item.level != Level::Comment);
    if let (Some(Item { token: Token::Plain(word), .. }), None) = (words.next(), words.next())
        && word.iter().all(|&o| is_atext(o))
        && !holds_word(word)
    {
        *word = [b"\"", &word[..], b"\""].concat().into();
    }
}
