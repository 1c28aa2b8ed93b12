//! Fields whose tokens are never encoded: only comments are text. What 7 bits cannot carry is dropped or downgraded
//! (rule H9).

use std::ops::Range;

use super::comment::write_comment;
use super::downgrade::rename;
use super::draft::{Draft, Purpose};
use super::line_room::holds_long_word;
use super::raw_field::RawField;
use super::received::without_unsafe_clauses;
use super::rules::FieldRules;
use super::table::Downgrade;
use super::typed_address::write_typed_address;
use crate::ascii::{are_printable_or_fws, trim_fws};
use crate::decode::{RawText, text};
use crate::encode::{Item, Level, Octets, Space};
use crate::lengths::{MAX_TOKEN, MAX_UNFOLDABLE_LINE};
use crate::syntax::address::{Token, TokenKind, tokens};
use crate::syntax::date_time::date_time;
use crate::syntax::encoded_word::mark;
use crate::syntax::lexical::{chunks, unfolded};
use crate::{Code, Span};

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
    let is_unsafe = unsafe_tokens(field, &tokens, draft.cuts_long);
    let is_safe = !is_unsafe.contains(&true);
    if (rules.policy.rewrites || !is_safe) && write_decoded(&mut draft) {
        return draft;
    }
    if is_safe {
        write_tokens(&mut draft, &tokens);
        return draft;
    }
    let kept = match field.row.downgrade {
        Downgrade::DropClauses => Some(without_unsafe_clauses(&mut draft, &tokens, &is_unsafe)),
        Downgrade::TypedAddress if write_typed_address(&mut draft) => return draft,
        Downgrade::DropTokens | Downgrade::FoldUrls => without_unsafe_units(&mut draft, &tokens, &is_unsafe),
        Downgrade::TypedAddress | Downgrade::Rename => None,
    };
    match kept {
        Some(kept) => write_tokens(&mut draft, &kept),
        None => rename(&mut draft),
    }
    draft
}

/// Writes ids or URLs that some program put into encoded-words, brackets and all; returns whether there are any.
/// Hardly any reader decodes words in such fields. A word inside brackets is part of an id.
fn write_decoded(draft: &mut Draft<'_>) -> bool {
    let value = draft.value();
    let has_brackets = matches!(draft.field.row.downgrade, Downgrade::DropTokens | Downgrade::FoldUrls);
    if !has_brackets || !trim_fws(value).starts_with(b"=?") {
        return false;
    }
    let decoded = text(value, &RawText::Unknown);
    let octets = trim_fws(decoded.text().as_bytes());
    let is_plain = decoded.is_lossless() && are_printable_or_fws(octets) && mark(octets, 0).is_none();
    if !is_plain || !octets.starts_with(b"<") || !octets.ends_with(b">") {
        return false;
    }
    let folds = draft.field.row.downgrade == Downgrade::FoldUrls;
    if !folds && chunks(octets).any(|(_, chunk)| chunk.len() > MAX_UNFOLDABLE_LINE) {
        return false;
    }
    for (space, chunk) in chunks(octets) {
        write_chunk(draft, space.into(), Octets::copied(chunk));
    }
    draft.repair(Code::EncodedWordRepaired, Span::new(0, value.len()));
    true
}

/// Writes a chunk without white space. A URL that is too long for a line is folded inside, where white space has
/// no meaning (RFC 2369, 2).
fn write_chunk<'a>(draft: &mut Draft<'a>, space: Space, chunk: Octets<'a>) {
    if chunk.len() <= MAX_UNFOLDABLE_LINE {
        return draft.items.push(Item::plain(space, chunk));
    }
    let mut space = space;
    for piece in chunk.chunks(MAX_TOKEN) {
        draft.items.push(Item::plain(space, Octets::copied(piece)));
        space = Space::ONE;
    }
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
                let space = draft.space(space);
                for (between, chunk) in chunks(draft.octets(span)) {
                    write_chunk(draft, unfolded(between).into(), chunk.into());
                }
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

/// Returns which tokens cannot be written: those of [units](units) with octets outside 20-7E; or those too long
/// for a line, if that has to be cut.
fn unsafe_tokens(field: &RawField<'_>, tokens: &[Token], cuts_long: bool) -> Vec<bool> {
    let value = field.value();
    let folds = field.row.downgrade == Downgrade::FoldUrls;
    let is_long = |chunk: &[u8]| chunk.len() > MAX_UNFOLDABLE_LINE && !folds || holds_long_word(chunk);
    let mut bad = Vec::with_capacity(tokens.len());
    for group in tokens.chunk_by(|a, b| !separates(a) && !separates(b)) {
        let is_text = group[0].kind != TokenKind::Comment;
        let long = is_text && cuts_long && chunks(text_of(value, group)).any(|(_, chunk)| is_long(chunk));
        bad.extend(group.iter().map(|_| long));
    }
    for unit in units(tokens) {
        let is_odd = |token: &Token| !are_printable_or_fws(&value[token.span.start..token.span.end]);
        let is_comment = unit.len() == 1 && tokens[unit.start].kind == TokenKind::Comment;
        if !is_comment && tokens[unit.clone()].iter().any(is_odd) {
            unit.for_each(|n| bad[n] = !is_separator(&tokens[n]));
        }
    }
    bad
}

/// Returns the units of a value, by their tokens: what is between white space, comments, commas and semicolons, with
/// the comma or semicolon after it; what is in angle brackets is not divided.
fn units(tokens: &[Token]) -> impl Iterator<Item = Range<usize>> {
    let ends_brackets = |n: &usize| is_angle_bracket(&tokens[*n]);
    let mut start = 0;
    std::iter::from_fn(move || {
        let mut end = start;
        while end < tokens.len() {
            let token = &tokens[end];
            if end > start && separates(token) {
                break;
            }
            let closes = (token.kind == TokenKind::Special(b'<'))
                .then(|| (end + 1..tokens.len()).find(ends_brackets))
                .flatten();
            end = closes.filter(|&n| tokens[n].kind == TokenKind::Special(b'>')).unwrap_or(end) + 1;
            if separates(token) || is_separator(token) {
                break;
            }
        }
        let unit = start..end;
        start = end;
        (!unit.is_empty()).then_some(unit)
    })
}

/// Returns the tokens without the units that cannot be written; `None` if nothing that the field is for is left.
fn without_unsafe_units(draft: &mut Draft<'_>, tokens: &[Token], is_unsafe: &[bool]) -> Option<Vec<Token>> {
    let value = draft.value();
    let mut kept = Vec::with_capacity(tokens.len());
    let mut dropped = Vec::new();
    for unit in units(tokens) {
        if is_unsafe[unit.clone()].contains(&true) {
            dropped.push(unit);
        } else {
            kept.extend_from_slice(&tokens[unit]);
        }
    }
    // When something unclosed is dropped, something after it could close: no such delimiter stays.
    kept.retain(|token| !token.is_stray_delimiter());
    // Nothing follows the last comma any more.
    let last = kept.iter().rposition(|token| !separates(token))?;
    if kept[last].kind == TokenKind::Special(b',') && kept[last].span.end < tokens[tokens.len() - 1].span.end
    {
        kept.remove(last);
    }
    // A word that begins the value would be decoded once what is beside it is gone.
    let first = kept.iter().find(|token| token.kind != TokenKind::Space);
    let is_word = first.is_some_and(|token| value[token.span.start..].starts_with(b"=?"));
    if is_word || !serves(draft.field.row.name, value, &kept) {
        return None;
    }
    let name = String::from_utf8_lossy(draft.field.name()).into_owned();
    for unit in dropped {
        let span = Span::new(tokens[unit.start].span.start, tokens[unit.end - 1].span.end);
        let at = span.shifted(draft.field.value_start);
        let octets = String::from_utf8_lossy(draft.octets(span));
        draft.report(Code::FieldDowngraded, at, || format!("{name}: {octets} removed"));
    }
    draft.changed = true;
    Some(kept)
}

/// Returns whether a field still has what it is for: a date, if it has one; something in brackets, if anything was
/// in any.
fn serves(name: &str, value: &[u8], kept: &[Token]) -> bool {
    if name.ends_with("date") {
        let left: Vec<&[u8]> = kept.iter().map(|token| &value[token.span.start..token.span.end]).collect();
        return date_time(&left.concat()).is_ok();
    }
    let has_bracket = |tokens: &[Token]| tokens.iter().any(is_angle_bracket);
    if value.contains(&b'<') { has_bracket(kept) } else { kept.iter().any(|token| !separates(token)) }
}

fn text_of<'v>(value: &'v [u8], tokens: &[Token]) -> &'v [u8] {
    &value[tokens[0].span.start..tokens[tokens.len() - 1].span.end]
}

fn is_angle_bracket(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Special(b'<' | b'>'))
}

fn is_separator(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Special(b',' | b';'))
}

fn separates(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Space | TokenKind::Comment)
}
