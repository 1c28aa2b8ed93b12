//! Fields whose tokens are never encoded: only comments are text; anything that 7 bits cannot carry is
//! downgraded (rule H9).

use super::comment::write_comment;
use super::downgrade::rename;
use super::draft::{Draft, Purpose};
use super::line_room::holds_long_word;
use super::raw_field::RawField;
use super::received::without_unsafe_clauses;
use super::rules::FieldRules;
use super::table::Downgrade;
use super::typed_address::write_typed_address;
use crate::Span;
use crate::ascii::are_printable_or_fws;
use crate::encode::{Item, Level, Space};
use crate::lengths::MAX_UNFOLDABLE_LINE;
use crate::syntax::address::{Token, TokenKind, tokens};
use crate::syntax::lexical::{chunks, unfolded};

/// Returns whether a clean field is in normal form: its tokens stay as they are. A rule that changes clean
/// fields must be reflected here; `field/tests/ways.rs` fails until it is.
#[inline]
pub(super) fn is_normal<'a>(_: impl FnOnce() -> RawField<'a>) -> bool {
    true
}

/// Returns a field of tokens.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    // There is nothing merely odd to mend: one draft is enough.
    let mut draft = Draft::to_probe(field, rules);
    draft.purpose = Purpose::Write;
    let tokens = tokens(field.value());
    let is_unsafe = unsafe_tokens(field.value(), &tokens, draft.cuts_long);
    if !is_unsafe.contains(&true) {
        write_tokens(&mut draft, &tokens);
        return draft;
    }
    match field.row.downgrade {
        Downgrade::DropClauses => {
            let kept = without_unsafe_clauses(&mut draft, &tokens, &is_unsafe);
            write_tokens(&mut draft, &kept);
        }
        Downgrade::TypedAddress if write_typed_address(&mut draft) => {}
        Downgrade::TypedAddress | Downgrade::Rename => rename(&mut draft),
    }
    draft
}

/// Writes tokens as they are, comments by their own rule; the best place to fold is after a semicolon.
fn write_tokens(draft: &mut Draft<'_>, tokens: &[Token]) {
    let mut space = Span::default();
    let mut semicolon = false;
    let mut end = 0;
    let one = |a: &Token, b: &Token| !separates(a) && !separates(b) && a.span.end == b.span.start;
    for group in tokens.chunk_by(one) {
        let span = Span::new(group[0].span.start, group[group.len() - 1].span.end);
        let first = draft.items.len();
        // If a token was left out, those beside it stay apart.
        let is_gap = std::mem::replace(&mut end, span.end) < span.start;
        match group[0].kind {
            TokenKind::Space => {
                space = span;
                continue;
            }
            TokenKind::Comment => write_comment(draft, span, space),
            _ => {
                let (pieces, space) = (chunks(draft.octets(span)), draft.space(space));
                draft.items.extend(pieces.map(|(space, chunk)| Item::plain(unfolded(space), chunk)));
                if let Some(item) = draft.items.get_mut(first) {
                    item.space = space;
                }
            }
        }
        space = Span::default();
        let is_after_word = first.checked_sub(1).is_some_and(|before| draft.items[before].holds_word());
        let sticks = !is_gap || draft.octets(span).first() == Some(&b';') && !is_after_word;
        if let Some(item) = draft.items.get_mut(first) {
            if item.space.is_empty() && !sticks {
                item.space = Space::ONE;
            }
            if semicolon && item.level != Level::Comment {
                item.level = Level::Unit;
            }
        }
        semicolon = draft.octets(span).ends_with(b";");
        draft.advance();
    }
}

/// Returns which tokens cannot be written: those with octets outside 20-7E in them or in what is attached to
/// them (a `;` separates); or those too long for a line, if that has to be cut.
fn unsafe_tokens(value: &[u8], tokens: &[Token], cuts_long: bool) -> Vec<bool> {
    let text = |group: &[Token]| &value[group[0].span.start..group[group.len() - 1].span.end];
    let semicolon = |token: &Token| token.kind == TokenKind::Special(b';');
    let odd = |octets: &[u8]| !are_printable_or_fws(octets);
    let mut bad = Vec::with_capacity(tokens.len());
    for group in tokens.chunk_by(|a, b| !separates(a) && !separates(b)) {
        let comment = group[0].kind == TokenKind::Comment;
        let is_long = |chunk: &[u8]| chunk.len() > MAX_UNFOLDABLE_LINE || holds_long_word(chunk);
        let long = cuts_long && chunks(text(group)).any(|(_, chunk)| is_long(chunk));
        for part in group.chunk_by(|a, b| !semicolon(a) && !semicolon(b)) {
            bad.extend(part.iter().map(|_| !comment && (long || odd(text(part)))));
        }
    }
    bad
}

fn separates(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Space | TokenKind::Comment)
}
