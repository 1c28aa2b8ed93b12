//! Address lists (rules H3, H6, H8): names and comments are written anew where they have to be, addr-specs
//! stay octet for octet, internationalised ones are carried as RFC 6857 says.

use std::borrow::Cow;

use super::FieldRules;
use super::field::{Draft, Field};
use super::phrase::holds_long_word;
use crate::ascii::is_fws;
use crate::decode::{RawCharset, addr_spec, raw_text};
use crate::encode::{Item, MOST_PLAIN, Place, Run, Token};
use crate::issue::Tally;
use crate::syntax::address::{Node, Role, TokenKind, nodes, tokens};
use crate::syntax::lexical::unfolded;
use crate::{Code, Issue, Span};

/// What becomes of an addr-spec.
enum Spec {
    /// It stays, with what stands around it in the brackets.
    Keep,
    /// It is written like this, without the white space and comments in it.
    Write(Vec<u8>),
    /// 7 bits cannot carry it.
    Beyond,
}

/// Where in the list the writer is.
#[derive(Default)]
struct State {
    /// White space before the next token.
    space: Span,
    /// The separator that comes before the next element.
    separator: Option<Span>,
    group: Group,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Group {
    #[default]
    None,
    Open,
    /// Closed early, for a member that has to be a group itself; its own end goes.
    Cut,
}

impl FieldRules {
    pub(super) fn address_list<'a>(&self, field: &Field<'a>, draft: &mut Draft<'a>) {
        let value = field.value();
        let nodes = nodes(value);
        let mut state = State::default();
        for element in nodes.chunk_by(|a, b| !separates(a) && !separates(b)) {
            if separates(&element[0]) {
                separator(value, &element[0], &mut state, draft);
            } else {
                self.element(field, element, &mut state, draft);
            }
        }
        flush(value, &mut state, draft);
    }

    /// Writes what stands between two separators.
    fn element<'a>(&self, field: &Field<'a>, nodes: &[Node], state: &mut State, draft: &mut Draft<'a>) {
        let value = field.value();
        let specs: Vec<Spec> = nodes.iter().map(|node| self.spec(value, node, draft)).collect();
        let beyond = specs.iter().any(|spec| matches!(spec, Spec::Beyond));
        if beyond && state.group == Group::Open {
            cut_group(state, draft);
        }
        flush(value, state, draft);
        let first = draft.items.len();
        for (node, spec) in nodes.iter().zip(&specs) {
            self.node(field, node, spec, state, draft);
        }
        if beyond {
            draft.items.push(Item::plain(b" ".as_slice(), b":;".as_slice()));
        }
        if let Some(item) = draft.items.get_mut(first) {
            item.unit = true;
            if item.space.is_empty() && first > 0 {
                item.space = b" ".into();
            }
        }
    }

    fn node<'a>(
        &self,
        field: &Field<'a>,
        node: &Node,
        spec: &Spec,
        state: &mut State,
        draft: &mut Draft<'a>,
    ) {
        let value = field.value();
        let Draft { items, tally, changed, issues, .. } = draft;
        match (node.role, spec) {
            (Role::Space, _) => {
                state.space = node.span;
                return;
            }
            (Role::Phrase, _) => *changed |= self.phrase(value, node.span, state.space, items, tally),
            (Role::Comment, _) => *changed |= self.comment(value, node.span, state.space, items, tally),
            (_, Spec::Keep) => {
                let octets = unfolded_text(&value[node.span.start..node.span.end]);
                items.push(Item::plain(unfolded(&value[state.space.start..state.space.end]), octets));
            }
            (role, Spec::Write(spec)) => {
                let octets =
                    if role == Role::Angle { [b"<", &spec[..], b">"].concat() } else { spec.clone() };
                items.push(Item::plain(b" ".as_slice(), octets));
                *changed = true;
            }
            (_, Spec::Beyond) => {
                *changed = true;
                let octets = addr_spec(&value[node.span.start..node.span.end]);
                let run = self.address_text(&octets, node.span, tally);
                let at = node.span.shifted(field.value.start);
                let shown = String::from_utf8_lossy(&run.octets).into_owned();
                issues.push(Issue::new(Code::AddressNotAscii, at).with_detail(shown));
                items.push(Item::new(b" ".as_slice(), Token::Encode(run)));
            }
        }
        state.space = Span::default();
    }

    /// What becomes of the addr-spec in a node.
    fn spec(&self, value: &[u8], node: &Node, draft: &mut Draft<'_>) -> Spec {
        let octets = &value[node.span.start..node.span.end];
        if !matches!(node.role, Role::Angle | Role::Bare) {
            return Spec::Keep;
        }
        let plain = |octets: &[u8]| octets.iter().all(|o| matches!(o, b' '..=b'~' | b'\t'));
        let fits = |octets: &[u8]| octets.len() <= MOST_PLAIN && !holds_long_word(octets);
        if octets.iter().all(|&o| is_fws(o) || plain(&[o])) && fits(octets) {
            return Spec::Keep;
        }
        let spec = addr_spec(octets);
        if plain(&spec) && fits(&spec) {
            comments(octets, node.span, draft);
            return Spec::Write(spec);
        }
        match self.ascii_domain(&spec, node.span) {
            Some(spec) if fits(&spec) => {
                draft.tally.note(Code::DomainToAscii, node.span);
                Spec::Write(spec)
            }
            _ => Spec::Beyond,
        }
    }

    /// An addr-spec with its domain in A-labels (UTS 46, non-transitional), if that is all it needs.
    fn ascii_domain(&self, spec: &[u8], span: Span) -> Option<Vec<u8>> {
        let at = spec.iter().rposition(|&o| o == b'@')?;
        let (local, domain) = (&spec[..at], &spec[at + 1..]);
        let local_fine = !local.is_empty() && local.iter().all(|o| matches!(o, b' '..=b'~'));
        let raw = self.raw_text();
        if !local_fine || domain.is_ascii() || raw.charset(domain) == RawCharset::Unknown {
            return None;
        }
        let domain = raw_text(domain, span, raw, &mut Tally::default());
        let labels = idna::domain_to_ascii(&domain).ok()?;
        let host = |o: u8| o.is_ascii_alphanumeric() || matches!(o, b'-' | b'.' | b'_');
        (!labels.is_empty() && labels.bytes().all(host)).then(|| [local, b"@", labels.as_bytes()].concat())
    }

    /// An addr-spec as text for encoded-words.
    fn address_text<'a>(&self, spec: &[u8], span: Span, tally: &mut Tally) -> Run<'a> {
        let raw = self.raw_text();
        let (label, octets) = match raw.charset(spec) {
            RawCharset::Unknown => {
                let visible = |&o: &u8| if o.is_ascii_control() { b'?' } else { o };
                (Some(Cow::Borrowed(b"unknown-8bit".as_slice())), spec.iter().map(visible).collect())
            }
            _ => (None, raw_text(spec, span, raw, tally).into_owned().into_bytes()),
        };
        Run { label, octets, place: Place::Phrase }
    }
}

fn separates(node: &Node) -> bool {
    matches!(node.role, Role::Comma | Role::GroupOpen | Role::GroupClose)
}

/// Takes in a separator: it is written before the next element, or at the end.
fn separator<'a>(value: &'a [u8], node: &Node, state: &mut State, draft: &mut Draft<'a>) {
    if node.role == Role::GroupClose && state.group == Group::Cut {
        state.group = Group::None;
        return;
    }
    flush(value, state, draft);
    match node.role {
        Role::GroupOpen => state.group = Group::Open,
        Role::GroupClose => state.group = Group::None,
        _ => {}
    }
    state.separator = Some(node.span);
}

/// Writes the separator that waits.
fn flush<'a>(value: &'a [u8], state: &mut State, draft: &mut Draft<'a>) {
    if let Some(span) = state.separator.take() {
        draft.plain(b"".as_slice(), &value[span.start..span.end]);
    }
}

/// Ends a group before a member that has to be a group itself.
fn cut_group(state: &mut State, draft: &mut Draft<'_>) {
    state.group = Group::Cut;
    if state.separator.is_some() && !draft.items.is_empty() {
        let colon =
            matches!(draft.items.last(), Some(Item { token: Token::Plain(octets), .. }) if **octets == *b":");
        let _ = colon;
    }
    draft.items.push(Item::plain(b"".as_slice(), b";".as_slice()));
}

/// Reports comments inside an addr-spec, which go with the white space in it.
fn comments(octets: &[u8], span: Span, draft: &mut Draft<'_>) {
    if tokens(octets).iter().any(|token| token.kind == TokenKind::Comment) {
        draft.tally.note(Code::RawHeaderText, span);
    }
}

/// Without line ends.
fn unfolded_text(octets: &[u8]) -> Cow<'_, [u8]> {
    if !octets.iter().any(|o| matches!(o, b'\r' | b'\n')) {
        return Cow::Borrowed(octets);
    }
    Cow::Owned(octets.iter().copied().filter(|o| !matches!(o, b'\r' | b'\n')).collect())
}
