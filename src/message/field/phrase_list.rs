//! Keywords and List-Id (rule H3).

use super::comment::write_comment;
use super::downgrade::rename;
use super::draft::Draft;
use super::line_room::fits;
use super::phrase::write_phrase;
use super::raw_field::RawField;
use super::rules::FieldRules;
use crate::Span;
use crate::ascii::are_printable_or_fws;
use crate::encode::{Item, Level, Space};
use crate::syntax::address::{AddressList, Node, Role, Token, list};
use crate::syntax::lexical::unfold;

/// Returns whether a clean field is in normal form: its phrases stay as they are. A rule that changes clean
/// fields must be reflected here; `field/tests/ways.rs` fails until it is.
#[inline]
pub(super) fn is_normal<'a>(_: impl FnOnce() -> RawField<'a>) -> bool {
    true
}

/// `phrase-list = phrase *("," phrase)`, and `[phrase] "<" list-id ">"` of RFC 2919.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let list = list(field.value());
    if !field.is_unfit() {
        let mut probe = Draft::to_probe(field, rules);
        write_phrases(&mut probe, &list);
        if !probe.changed {
            return probe;
        }
    }
    let mut draft = Draft::to_write(field, rules);
    write_phrases(&mut draft, &list);
    draft
}

fn write_phrases(draft: &mut Draft<'_>, list: &AddressList<'_>) {
    let mut stretches = list.stretches();
    let mut gap = Gap::default();
    while let Some(stretch) = stretches.next() {
        let chunks = stretch.nodes.chunk_by(|a, b| is_text(a) && is_text(b));
        for nodes in chunks.chain(stretch.separator.map(std::slice::from_ref)) {
            if !write_nodes(draft, list, nodes, &mut gap) {
                return rename(draft);
            }
        }
    }
}

/// Writes a phrase, or one node that is not one; returns whether that was possible.
fn write_nodes(draft: &mut Draft<'_>, list: &AddressList<'_>, nodes: &[Node], gap: &mut Gap) -> bool {
    let (before, nodes, after) = trimmed(nodes);
    let space = before.unwrap_or(gap.space);
    gap.space = space;
    let Some(node) = nodes.first() else { return true };
    let first = draft.items.len();
    let sticks = gap.sticks && node.separates() && !draft.items.last().is_some_and(Item::holds_word);
    match node.role {
        Role::Phrase | Role::Bare => write_phrase(draft, list.tokens_of(nodes), space),
        Role::Comment => write_comment(draft, node.span, space),
        _ if !keep(draft, list, node, space) => return false,
        _ => {}
    }
    let parts = draft.is_to_write() && !sticks;
    if let Some(item) = draft.items.get_mut(first) {
        if item.space.is_empty() && parts {
            item.space = Space::ONE;
        }
        if gap.separated && !node.separates() {
            item.level = Level::Unit;
        }
    }
    let space = after.unwrap_or_default();
    *gap = Gap { space, sticks: !node.separates(), separated: node.separates() };
    true
}

/// What is before the next node.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    space: Span,
    /// Whether a separator may follow without white space.
    sticks: bool,
    /// Whether a separator came before it.
    separated: bool,
}

/// Returns the nodes without the white space at their ends, and that white space.
fn trimmed(nodes: &[Node]) -> (Option<Span>, &[Node], Option<Span>) {
    let space = |node: &Node| (node.role == Role::Space).then_some(node.span);
    let before = nodes.first().and_then(space);
    let nodes = &nodes[usize::from(before.is_some())..];
    let after = nodes.last().and_then(space);
    (before, &nodes[..nodes.len() - usize::from(after.is_some())], after)
}

/// Writes something that is neither phrase nor comment as it is, if that is safe: a quote in it that closes
/// nothing could close something next to new text.
fn keep(draft: &mut Draft<'_>, list: &AddressList<'_>, node: &Node, space: Span) -> bool {
    let octets = draft.octets(node.span);
    let is_stray = draft.is_to_write() && list.tokens(node).iter().any(Token::is_stray_delimiter);
    let safe = are_printable_or_fws(octets) && !is_stray && (!draft.cuts_long || fits(&unfold(octets)));
    if safe {
        draft.token(draft.space(space), unfold(octets));
    }
    safe
}

fn is_text(node: &Node) -> bool {
    matches!(node.role, Role::Phrase | Role::Bare | Role::Space)
}
