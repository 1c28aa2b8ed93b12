//! Comments (RFC 5322, 3.2.2): text in parentheses, in which encoded-words may stand.

use super::FieldRules;
use super::draft::Draft;
use super::phrase::holds_long_word;
use super::text::{Source, WordsHere};
use crate::encode::{Atoms, Item, Level, MOST_PLAIN, Place, Space};
use crate::issue::Tally;
use crate::syntax::encoded_word::mark;
use crate::syntax::lexical::{chunks, unescape, unfolded};
use crate::{Code, Span};

/// How deep comments stand in comments; what is deeper is text, parentheses and all.
const MOST_DEPTH: usize = 16;

/// What a comment is made of.
enum Piece {
    Open,
    Close,
    Text(Span),
}

impl FieldRules {
    /// Writes a comment.
    pub(super) fn comment<'a>(&self, value: &'a [u8], span: Span, space: Span, draft: &mut Draft<'a>) {
        let octets = &value[span.start..span.end];
        let mut space = Space::from(unfolded(&value[space.start..space.end]));
        let first = draft.items.len();
        match self.comment_anew(octets, span, &mut draft.tally) {
            Some(anew) => {
                draft.changed = true;
                draft.items.extend(anew);
                if space.is_empty() {
                    space = Space::ONE;
                }
            }
            None => {
                let pieces = chunks(octets).map(|(space, chunk)| Item::plain(unfolded(space), chunk));
                draft.items.extend(pieces);
            }
        }
        draft.items[first..].iter_mut().for_each(|item| item.level = Level::Comment);
        if let Some(item) = draft.items.get_mut(first) {
            item.space = space;
        }
    }

    /// The items of a comment that cannot stay as it is.
    fn comment_anew<'a>(&self, octets: &'a [u8], span: Span, tally: &mut Tally) -> Option<Vec<Item<'a>>> {
        let clean = octets.iter().all(|&o| crate::ascii::is_fws(o) || matches!(o, b' '..=b'~'));
        let marked = mark(octets, 0).is_some();
        let mut changed = chunks(octets).any(|(_, chunk)| chunk.len() > MOST_PLAIN || holds_long_word(chunk));
        if clean && !marked && !changed {
            return None;
        }
        let mut items = Vec::new();
        let mut closes = false;
        let (pieces, depth) = pieces(octets);
        for piece in pieces {
            match piece {
                Piece::Open => items.push(Item::plain(Space::ONE, b"(".as_slice())),
                Piece::Close => {
                    let space: &[u8] = if closes { b" " } else { b"" };
                    items.push(Item::plain(space, b")".as_slice()));
                }
                Piece::Text(at) => {
                    let text = unescape(&octets[at.start..at.end]);
                    let words = WordsHere::Allowed;
                    let source = Source { octets: &text, span, place: Place::Comment, words };
                    let mut atoms = Atoms::default();
                    changed |= self.text(&source, &mut atoms, tally);
                    atoms.append_to(&mut items, Place::Comment);
                }
            }
            closes = matches!(piece, Piece::Close);
        }
        if changed && depth > MOST_DEPTH {
            tally.note(Code::CommentTooDeep, span);
        }
        changed.then_some(items)
    }
}

/// `octets` cut at its parentheses, as far as they are not too deep: there they are text. And how deep they are.
fn pieces(octets: &[u8]) -> (Vec<Piece>, usize) {
    let mut found = Vec::new();
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut from = 0;
    let mut at = 0;
    while let Some(&octet) = octets.get(at) {
        let paren = match octet {
            b'(' => {
                depth += 1;
                (depth <= MOST_DEPTH).then_some(Piece::Open)
            }
            b')' => {
                depth = depth.saturating_sub(1);
                (depth < MOST_DEPTH).then_some(Piece::Close)
            }
            _ => None,
        };
        deepest = deepest.max(depth);
        let next = at + if octet == b'\\' { 2 } else { 1 };
        if let Some(paren) = paren {
            if from < at {
                found.push(Piece::Text(Span::new(from, at)));
            }
            found.push(paren);
            from = next;
        }
        at = next;
    }
    (found, deepest)
}
