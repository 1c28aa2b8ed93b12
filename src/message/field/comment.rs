//! Comments (RFC 5322, 3.2.2): text in parentheses, which may contain encoded-words.

use super::draft::Draft;
use super::raw_text::{TextSource, WordPolicy};
use super::text::read_text;
use crate::ascii::are_printable_or_fws;
use crate::encode::holds_long_word;
use crate::encode::{Item, Level, MAX_TOKEN, Place, Space, TextWords};
use crate::syntax::comment::{CommentPiece, comment_pieces};
use crate::syntax::encoded_word::mark;
use crate::syntax::lexical::{chunks, unescape, unfolded};
use crate::{Code, Span};

/// How deep comments may be nested; anything deeper is text, parentheses and all.
const MAX_DEPTH: usize = 16;

/// Writes a comment, with white space before it.
pub(super) fn write_comment(draft: &mut Draft<'_>, span: Span, mut space: Space) {
    let octets = draft.octets(span);
    let first = draft.items.len();
    match rewritten(draft, octets, span) {
        Some(items) => {
            draft.changed = true;
            draft.items.extend(items);
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
    draft.set_space(first, space);
}

/// Returns the items of a comment that cannot stay as it is.
fn rewritten<'a>(draft: &mut Draft<'a>, octets: &'a [u8], span: Span) -> Option<Vec<Item<'a>>> {
    let clean = are_printable_or_fws(octets);
    let is_long = |chunk: &[u8]| chunk.len() > MAX_TOKEN || holds_long_word(chunk);
    let mut changed = draft.cuts_long && chunks(octets).any(|(_, chunk)| is_long(chunk));
    if clean && !changed && mark(octets, 0).is_none() {
        return None;
    }
    let mut items = Vec::new();
    let (pieces, depth) = comment_pieces(octets, MAX_DEPTH);
    for (n, piece) in pieces.iter().enumerate() {
        match piece {
            CommentPiece::Open => items.push(Item::plain(Space::ONE, b"(".as_slice())),
            CommentPiece::Close => {
                let follows_another = n > 0 && pieces[n - 1] == CommentPiece::Close;
                let space = if follows_another { Space::ONE } else { Space::default() };
                items.push(Item::plain(space, b")".as_slice()));
            }
            CommentPiece::Text(at) => {
                let text = unescape(&octets[at.start..at.end]);
                let source = TextSource {
                    octets: &text,
                    span,
                    place: Place::Comment,
                    words: WordPolicy::Allowed,
                };
                let mut out = TextWords::default();
                changed |= read_text(draft, &source, &mut out);
                out.append_to(&mut items, Place::Comment);
            }
        }
    }
    if changed && depth > MAX_DEPTH {
        draft.tally.note(Code::CommentTooDeep, span);
    }
    changed.then_some(items)
}
