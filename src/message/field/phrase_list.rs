//! Fields whose values are phrases and what separates them: Keywords and List-Id (rule H3).

use super::comment::write_comment;
use super::draft::Draft;
use super::phrase::write_phrase;
use super::raw_field::RawField;
use super::rules::FieldRules;
use super::text::rename;
use crate::Span;
use crate::ascii::are_printable_or_fws;
use crate::encode::fits;
use crate::encode::{Item, Level, Space};
use crate::syntax::address::{Token, TokenKind, angle_end, span_of, tokens};
use crate::syntax::lexical::unfold;

/// `phrase-list = phrase *("," phrase)`, and `[phrase] "<" list-id ">"` of RFC 2919.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let tokens = tokens(field.value());
    let mut draft = Draft::new(field, rules);
    let mut before = Before::Nothing;
    for (space, piece) in pieces(&tokens) {
        before = write_piece(&mut draft, space, piece, before);
    }
    let is_kept = |piece: &&[Token]| piece[0].kind != TokenKind::Comment && !is_text(&piece[0]);
    let mut kept = pieces(&tokens).map(|(_, piece)| piece).filter(is_kept);
    if !kept.all(|piece| may_stay(&draft, piece)) {
        rename(&mut draft);
    }
    draft
}

/// What stands before a piece of a value, white space left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// The beginning of the value.
    Nothing,
    /// A comma, a semicolon or a colon.
    Separator,
    /// A phrase, a comment or something in angle brackets.
    Other,
}

/// Cuts a value into phrases, comments, separators and what is in angle brackets, each with the
/// white space before it.
fn pieces(tokens: &[Token]) -> impl Iterator<Item = (Span, &[Token])> {
    let mut rest = tokens;
    std::iter::from_fn(move || {
        let space =
            rest.first().filter(|token| token.kind == TokenKind::Space).map(|token| token.span());
        rest = &rest[usize::from(space.is_some())..];
        let len = match rest.first()?.kind {
            TokenKind::Special(b'<') => angle_end(rest, 0).max(1),
            _ => {
                let text = rest.iter().take_while(|token| is_text(token)).count();
                let words = rest[..text].iter().rposition(|token| token.kind != TokenKind::Space);
                words.map_or(1, |last| last + 1)
            }
        };
        let (piece, after) = rest.split_at(len);
        rest = after;
        Some((space.unwrap_or_default(), piece))
    })
}

/// Writes a piece, and returns what it is for the piece after it.
fn write_piece(draft: &mut Draft<'_>, space: Span, piece: &[Token], before: Before) -> Before {
    let (first, space) = (draft.items.len(), draft.space(space));
    let separates = matches!(piece[0].kind, TokenKind::Special(b',' | b';' | b':'));
    let sticks =
        separates && before == Before::Other && !draft.items.last().is_some_and(Item::holds_word);
    match piece[0].kind {
        TokenKind::Comment => write_comment(draft, span_of(piece), space),
        _ if is_text(&piece[0]) => write_phrase(draft, piece, space),
        _ => draft.token(space, unfold(draft.octets(span_of(piece)))),
    }
    if let Some(item) = draft.items.get_mut(first) {
        if item.space.is_empty() && !sticks {
            item.space = Space::ONE;
        }
        if before == Before::Separator && !separates {
            item.level = Level::Unit;
        }
    }
    if separates { Before::Separator } else { Before::Other }
}

/// Returns whether a piece that is neither phrase nor comment may stay as it is: a quote in it that
/// closes nothing could close something next to new text.
fn may_stay(draft: &Draft<'_>, piece: &[Token]) -> bool {
    let octets = draft.octets(span_of(piece));
    let stays =
        !draft.changed && !draft.field.is_unfit() || !piece.iter().any(Token::is_stray_delimiter);
    are_printable_or_fws(octets) && stays && (!draft.cuts_long || fits(&unfold(octets)))
}

/// Returns whether a token may be part of a phrase, or is written as part of one.
fn is_text(token: &Token) -> bool {
    !matches!(token.kind, TokenKind::Comment | TokenKind::Special(b'<' | b',' | b';' | b':'))
}
