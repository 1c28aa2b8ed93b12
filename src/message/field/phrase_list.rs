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
use crate::syntax::address::{Token, TokenKind, angle_end, tokens};
use crate::syntax::lexical::unfold;

/// Returns whether a clean field is in normal form: its phrases stay as they are. A rule that changes clean
/// fields must be reflected here; `field/tests/ways.rs` fails until it is.
#[inline]
pub(super) fn is_normal<'a>(_: impl FnOnce() -> RawField<'a>) -> bool {
    true
}

/// `phrase-list = phrase *("," phrase)`, and `[phrase] "<" list-id ">"` of RFC 2919.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let tokens = tokens(field.value());
    if !field.is_unfit() {
        let mut probe = Draft::to_probe(field, rules);
        write_phrases(&mut probe, &tokens);
        if !probe.changed {
            return probe;
        }
    }
    let mut draft = Draft::to_write(field, rules);
    write_phrases(&mut draft, &tokens);
    draft
}

fn write_phrases(draft: &mut Draft<'_>, tokens: &[Token]) {
    let mut gap = Gap::default();
    let mut rest = tokens;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(piece_len(rest));
        if !write_piece(draft, piece, &mut gap) {
            return rename(draft);
        }
        rest = after;
    }
}

/// Counts the tokens of the first piece: a phrase, or one that is not.
fn piece_len(tokens: &[Token]) -> usize {
    match tokens[0].kind {
        TokenKind::Special(b'<') => angle_end(tokens, 0).max(1),
        _ if !is_text(&tokens[0]) => 1,
        _ => tokens.iter().take_while(|token| is_text(token)).count(),
    }
}

/// Writes a piece; returns whether that was possible.
fn write_piece(draft: &mut Draft<'_>, piece: &[Token], gap: &mut Gap) -> bool {
    let (before, piece, after) = trimmed(piece);
    let space = before.unwrap_or(gap.space);
    gap.space = space;
    let (Some(first), Some(last)) = (piece.first(), piece.last()) else { return true };
    let span = Span::new(first.span.start, last.span.end);
    let item = draft.items.len();
    let separates = matches!(first.kind, TokenKind::Special(b',' | b';' | b':'));
    let sticks = gap.sticks && separates && !draft.items.last().is_some_and(Item::holds_word);
    match first.kind {
        TokenKind::Comment => write_comment(draft, span, space),
        _ if is_text(first) => write_phrase(draft, piece, space),
        _ if !keep(draft, piece, span, space) => return false,
        _ => {}
    }
    let parts = draft.is_to_write() && !sticks;
    if let Some(item) = draft.items.get_mut(item) {
        if item.space.is_empty() && parts {
            item.space = Space::ONE;
        }
        if gap.separated && !separates {
            item.level = Level::Unit;
        }
    }
    *gap = Gap { space: after.unwrap_or_default(), sticks: !separates, separated: separates };
    true
}

/// What is before the next piece.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    space: Span,
    /// Whether a separator may follow without white space.
    sticks: bool,
    /// Whether a separator came before it.
    separated: bool,
}

/// Returns a piece without the white space at its ends, and that white space.
fn trimmed(piece: &[Token]) -> (Option<Span>, &[Token], Option<Span>) {
    let space = |token: &Token| (token.kind == TokenKind::Space).then_some(token.span);
    let before = piece.first().and_then(space);
    let piece = &piece[usize::from(before.is_some())..];
    let after = piece.last().and_then(space);
    (before, &piece[..piece.len() - usize::from(after.is_some())], after)
}

/// Writes something that is neither phrase nor comment as it is, if that is safe: a quote in it that closes
/// nothing could close something next to new text.
fn keep(draft: &mut Draft<'_>, piece: &[Token], span: Span, space: Span) -> bool {
    let octets = draft.octets(span);
    let is_stray = draft.is_to_write() && piece.iter().any(Token::is_stray_delimiter);
    let safe = are_printable_or_fws(octets) && !is_stray && (!draft.cuts_long || fits(&unfold(octets)));
    if safe {
        draft.token(draft.space(space), unfold(octets));
    }
    safe
}

/// Returns whether a token may be part of a phrase, or is written as part of one.
fn is_text(token: &Token) -> bool {
    !matches!(token.kind, TokenKind::Comment | TokenKind::Special(b'<' | b',' | b';' | b':'))
}
