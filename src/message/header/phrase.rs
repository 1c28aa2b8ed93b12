//! Display names, group names and keywords (rules H3, H4, H6).

use super::FieldRules;
use super::field::{Draft, Field};
use super::text::{Source, WordsHere};
use crate::Span;
use crate::decode::stretches;
use crate::encode::{Atoms, Item, MOST_PLAIN, Place};
use crate::issue::Tally;
use crate::message::Profile;
use crate::syntax::address::{Role, TokenKind, nodes, tokens};
use crate::syntax::encoded_word::{MOST_OCTETS, holds_word};
use crate::syntax::lexical::unfolded;

impl FieldRules {
    /// `phrase-list = phrase *("," phrase)`, and `[phrase] "<" list-id ">"` of RFC 2919.
    pub(super) fn phrase_list<'a>(&self, field: &Field<'a>, draft: &mut Draft<'a>) {
        let value = field.value();
        let mut space = Span::default();
        for node in nodes(value) {
            let octets = &value[node.span.start..node.span.end];
            match node.role {
                Role::Space => {
                    space = node.span;
                    continue;
                }
                Role::Phrase => {
                    draft.changed |= self.phrase(value, node.span, space, &mut draft.items, &mut draft.tally);
                }
                Role::Comment => {
                    draft.changed |=
                        self.comment(value, node.span, space, &mut draft.items, &mut draft.tally);
                }
                _ if octets.iter().all(|o| matches!(o, b' '..=b'~')) && octets.len() <= MOST_OCTETS => {
                    draft.plain(unfolded(&value[space.start..space.end]), octets);
                }
                _ => return self.downgrade(field, draft),
            }
            space = Span::default();
        }
    }

    /// Writes a phrase; says whether it changed.
    pub(super) fn phrase<'a>(
        &self,
        value: &'a [u8],
        span: Span,
        space: Span,
        items: &mut Vec<Item<'a>>,
        tally: &mut Tally,
    ) -> bool {
        let space = unfolded(&value[space.start..space.end]);
        let first = items.len();
        let changed = match self.phrase_anew(value, span, tally) {
            Some(anew) => {
                items.extend(anew);
                true
            }
            None => {
                verbatim(value, span, items);
                false
            }
        };
        if let Some(item) = items.get_mut(first) {
            item.space = space;
        }
        changed
    }

    /// The items of a phrase that cannot stay as it is.
    fn phrase_anew<'a>(&self, value: &'a [u8], span: Span, tally: &mut Tally) -> Option<Vec<Item<'a>>> {
        let octets = &value[span.start..span.end];
        if octets.iter().all(|o| matches!(o, b' '..=b'~')) && !has_mark(octets) && octets.len() <= MOST_PLAIN
        {
            return None;
        }
        let mut atoms = Atoms::default();
        let mut changed = false;
        let mut before: Option<bool> = None;
        for stretch in stretches(value, span) {
            if stretch.spaced {
                atoms.space(" ");
            }
            let words = if stretch.quoted { WordsHere::Misplaced } else { WordsHere::Allowed };
            let source = Source { octets: &stretch.octets, span: stretch.span, place: Place::Phrase, words };
            let glued = before.is_some() && !stretch.spaced;
            changed |= self.text(&source, &mut atoms, tally);
            changed |= glued && self.profile == Profile::Archive && has_mark(octets);
            changed |= stretch.octets.len() > MOST_PLAIN;
            before = Some(stretch.quoted);
        }
        changed.then(|| atoms.into_items(Place::Phrase))
    }
}

fn has_mark(octets: &[u8]) -> bool {
    memchr::memmem::find(octets, b"=?").is_some()
}

/// Adds the tokens of a phrase as they stand, unfolded.
fn verbatim<'a>(value: &'a [u8], span: Span, items: &mut Vec<Item<'a>>) {
    let octets = &value[span.start..span.end];
    let mut space = Span::default();
    for token in tokens(octets) {
        if token.kind == TokenKind::Space {
            space = token.span;
            continue;
        }
        let text = &octets[token.span.start..token.span.end];
        let before = unfolded(&octets[space.start..space.end]);
        items.push(Item::plain(before, unfolded(text)));
        space = Span::default();
    }
}

/// Whether octets that stay hold a word that fits on no line.
pub(super) fn holds_long_word(octets: &[u8]) -> bool {
    octets.len() > MOST_OCTETS && holds_word(octets)
}
