//! Display names, group names and keywords (rules H3, H4, H6).

use super::draft::{Draft, Pass};
use super::field::Field;
use super::text::{Source, WordsHere};
use super::{FieldRules, Shape};
use crate::Span;
use crate::ascii::is_fws;
use crate::decode::{Stretch, stretches};
use crate::encode::{Atoms, Item, Level, MOST_PLAIN, Octets, Place, Space};
use crate::syntax::address::{AddressList, Node, Role, Token, TokenKind, list};
use crate::syntax::encoded_word::{MOST_OCTETS, holds_word};
use crate::syntax::lexical::{chunks, unfold, unfolded};

impl FieldRules {
    /// `phrase-list = phrase *("," phrase)`, and `[phrase] "<" list-id ">"` of RFC 2919.
    pub(super) fn phrase_list<'a>(&self, field: &Field<'a>, shape: &Shape, draft: &mut Draft<'a>) {
        let list = list(field.value());
        if !shape.is_unfit() && !field.spaced {
            self.phrases(field, &list, draft);
            if !draft.changed {
                return;
            }
        }
        *draft = Draft::to_write();
        self.phrases(field, &list, draft);
    }

    fn phrases<'a>(&self, field: &Field<'a>, list: &AddressList<'_>, draft: &mut Draft<'a>) {
        let mut stretches = list.stretches();
        let mut gap = Gap::default();
        while let Some(stretch) = stretches.next() {
            let chunks = stretch.nodes.chunk_by(|a, b| is_text(a) && is_text(b));
            for nodes in chunks.chain(stretch.separator.map(std::slice::from_ref)) {
                if !self.nodes(field.value(), list, nodes, &mut gap, draft) {
                    return self.downgrade(field, draft);
                }
            }
        }
    }

    /// Writes a phrase, or one node that is none; says whether that could be done.
    fn nodes<'a>(
        &self,
        value: &'a [u8],
        list: &AddressList<'_>,
        nodes: &[Node],
        gap: &mut Gap,
        draft: &mut Draft<'a>,
    ) -> bool {
        let (before, nodes, behind) = trimmed(nodes);
        let space = before.unwrap_or(gap.space);
        gap.space = space;
        let Some(node) = nodes.first() else { return true };
        let first = draft.items.len();
        let sticks = gap.sticks && node.separates() && !draft.items.last().is_some_and(Item::holds_word);
        match node.role {
            Role::Phrase | Role::Bare => self.phrase(value, list.tokens_of(nodes), space, draft),
            Role::Comment => self.comment(value, node.span, space, draft),
            _ if !kept(value, node, space, draft) => return false,
            _ => {}
        }
        if let Some(item) = draft.items.get_mut(first) {
            if item.space.is_empty() && draft.pass == Pass::Write && !sticks {
                item.space = Space::ONE;
            }
            if gap.separated && !node.separates() {
                item.level = Level::Unit;
            }
        }
        let space = behind.unwrap_or_default();
        *gap = Gap { space, sticks: !node.separates(), separated: node.separates() };
        true
    }

    /// Writes a phrase.
    pub(super) fn phrase<'a>(&self, value: &'a [u8], phrase: &[Token], space: Span, draft: &mut Draft<'a>) {
        let first = draft.items.len();
        let odd = draft.pass == Pass::Write && is_odd(phrase);
        if let [word] = phrase
            && word.kind == TokenKind::Atom
            && is_plain_text(octets_of(value, phrase))
        {
            draft.plain(unfolded(&value[space.start..space.end]), octets_of(value, phrase));
            return;
        }
        if !odd && is_plain_text(octets_of(value, phrase)) {
            verbatim(value, phrase, &mut draft.items);
        } else {
            match self.phrase_anew(value, phrase, WordsHere::Allowed, draft) {
                (Need::None, _) if !odd => verbatim(value, phrase, &mut draft.items),
                (_, atoms) => atoms.append_to(&mut draft.items, Place::Phrase),
            }
        }
        if let Some(item) = draft.items.get_mut(first) {
            item.space = unfolded(&value[space.start..space.end]).into();
        }
    }

    /// Writes a phrase anew, whether it needs that or not: what stands beside it is to be joined with it.
    pub(super) fn phrase_joined<'a>(&self, value: &'a [u8], phrase: &[Token], draft: &mut Draft<'a>) {
        let first = draft.items.len();
        let (_, atoms) = self.phrase_anew(value, phrase, WordsHere::Misplaced, draft);
        atoms.append_to(&mut draft.items, Place::Phrase);
        if let Some(item) = draft.items.get_mut(first) {
            item.space = Space::ONE;
        }
    }

    /// The text of a phrase, and whether it has to be written anew; words may be kept only where they are `allowed`.
    fn phrase_anew<'a>(
        &self,
        value: &'a [u8],
        phrase: &[Token],
        allowed: WordsHere,
        draft: &mut Draft<'a>,
    ) -> (Need, Atoms<'a>) {
        let mut atoms = Atoms::default();
        let apart = |a: &Token, b: &Token| a.kind != TokenKind::Space && b.kind != TokenKind::Space;
        let long = |chunk: &[Token]| holds_long_word(octets_of(value, chunk));
        let mut changed = holds_word(octets_of(value, phrase)) && phrase.chunk_by(apart).any(long);
        let mut stretches = stretches(value, phrase).peekable();
        let mut first = true;
        while let Some(stretch) = stretches.next() {
            if stretch.spaced {
                atoms.space(b" ");
            }
            let glued = !first && !stretch.spaced || stretches.peek().is_some_and(|next| !next.spaced);
            first = false;
            let words = if stretch.quoted || glued { WordsHere::Misplaced } else { allowed };
            let source = Source { octets: &stretch.octets, span: stretch.span, place: Place::Phrase, words };
            changed |= self.text(&source, &mut atoms, &mut draft.tally) || is_long(&stretch);
        }
        draft.changed |= changed;
        (if changed { Need::Anew } else { Need::None }, atoms)
    }
}

/// What stands before the next node.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    space: Span,
    /// Whether a separator may stand there without white space.
    sticks: bool,
    /// Whether a separator stood before it.
    separated: bool,
}

/// Nodes without the white space at their ends, and that.
fn trimmed(nodes: &[Node]) -> (Option<Span>, &[Node], Option<Span>) {
    let space = |node: &Node| (node.role == Role::Space).then_some(node.span);
    let before = nodes.first().and_then(space);
    let nodes = &nodes[usize::from(before.is_some())..];
    let behind = nodes.last().and_then(space);
    (before, &nodes[..nodes.len() - usize::from(behind.is_some())], behind)
}

/// Writes what is neither phrase nor comment as it stands, if that is safe.
fn kept<'a>(value: &'a [u8], node: &Node, space: Span, draft: &mut Draft<'a>) -> bool {
    let octets = &value[node.span.start..node.span.end];
    let safe = octets.iter().all(|&o| is_fws(o) || matches!(o, b' '..=b'~')) && fits(octets);
    if safe {
        draft.items.push(Item::plain(unfolded(&value[space.start..space.end]), unfold(octets)));
    }
    safe
}

fn is_text(node: &Node) -> bool {
    matches!(node.role, Role::Phrase | Role::Bare | Role::Space)
}

/// Whether a phrase has to be written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    None,
    Anew,
}

fn octets_of<'v>(value: &'v [u8], tokens: &[Token]) -> &'v [u8] {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => &value[first.span.start..last.span.end],
        _ => b"",
    }
}

/// Whether a phrase holds specials that have no business in it, or words that stick to a quoted-string. Where the field is
/// written anyhow, they are written properly too: they might be read otherwise beside what is new.
fn is_odd(phrase: &[Token]) -> bool {
    let word = |token: &Token| !matches!(token.kind, TokenKind::Space | TokenKind::Comment);
    let quoted = |token: &Token| token.kind == TokenKind::Quoted;
    let glued = |a: &Token, b: &Token| word(a) && word(b) && (quoted(a) || quoted(b));
    phrase.iter().any(is_loose) || phrase.windows(2).any(|pair| glued(&pair[0], &pair[1]))
}

/// Whether the text of a phrase is what stands there, in one look: short enough for a line, printable US-ASCII, and
/// without the `?` of an encoded-word.
fn is_plain_text(phrase: &[u8]) -> bool {
    phrase.len() <= MOST_PLAIN && phrase.iter().all(|&o| is_fws(o) || matches!(o, b' '..=b'~') && o != b'?')
}

/// Whether a token may stand in a phrase only because nothing else was made of it.
fn is_loose(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Special(special) if special != b'.') || token.kind == TokenKind::Literal
}

/// Whether a stretch cannot stand on a line: a quoted-string is not folded inside.
fn is_long(stretch: &Stretch<'_>) -> bool {
    let most = |octets: &[u8]| octets.len() > MOST_PLAIN;
    if stretch.quoted { most(&stretch.octets) } else { chunks(&stretch.octets).any(|(_, chunk)| most(chunk)) }
}

/// Adds the tokens of a phrase as they stand, unfolded.
fn verbatim<'a>(value: &'a [u8], phrase: &[Token], items: &mut Vec<Item<'a>>) {
    let mut space = Span::default();
    for token in phrase {
        if token.kind == TokenKind::Space {
            space = token.span;
            continue;
        }
        let before = unfolded(&value[space.start..space.end]);
        let octets = &value[token.span.start..token.span.end];
        let may_fold = matches!(token.kind, TokenKind::Quoted | TokenKind::Literal | TokenKind::Comment);
        let octets = if may_fold { unfold(octets).into() } else { Octets::from(octets) };
        items.push(Item::plain(before, octets));
        space = Span::default();
    }
}

/// Whether octets that are not folded inside fit on a line, with a separator beside them. What looks like an
/// encoded-word in them may be none, but lines are measured as if it were (rule G3).
pub(super) fn fits(octets: &[u8]) -> bool {
    octets.len() <= MOST_OCTETS - 5 || octets.len() <= MOST_PLAIN && !holds_word(octets)
}

/// Whether octets that stay hold a word that fits on no line.
pub(super) fn holds_long_word(octets: &[u8]) -> bool {
    octets.len() > MOST_OCTETS && holds_word(octets)
}
