//! Fields whose tokens are never encoded: only comments are text. What 7 bits cannot carry is
//! dropped or downgraded (rule H9).

use std::ops::Range;

use super::Downgrade;
use super::comment::write_comment;
use super::draft::Draft;
use super::raw_field::RawField;
use super::rules::FieldRules;
use super::text::rename;
use super::typed_address::write_typed_address;
use crate::ascii::{are_printable_or_fws, trim_fws};
use crate::decode::{RawText, text};
use crate::encode::holds_long_word;
use crate::encode::{Item, Level, Octets, Space};
use crate::lengths::{MAX_TOKEN, MAX_UNFOLDABLE_LINE};
use crate::syntax::address::{Token, TokenKind, opaque_tokens, span_of, tokens};
use crate::syntax::date_time::{self, DateTime};
use crate::syntax::encoded_word::mark;
use crate::syntax::lexical::{chunks, unfold, unfolded};
use crate::syntax::value;
use crate::{Code, Span};

/// The words that begin a clause of Received (RFC 5321, 4.4); one that 7 bits cannot carry is
/// dropped (RFC 6857, 3.1.4).
const CLAUSES: [&str; 6] = ["from", "by", "via", "with", "id", "for"];

/// Returns a field of tokens.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let mut draft = Draft::new(field, rules);
    // What is about authentication could mean something else with a space in place of another
    // octet.
    let mut tokens = match field.row.downgrade {
        Downgrade::Rename => tokens(field.value()),
        _ => opaque_tokens(field.value()),
    };
    let mut is_unsafe = unsafe_tokens(&draft, &tokens);

    let date = unsafe_date_of_trace(&draft, &tokens, &is_unsafe);
    if let Some(date) = &date {
        tokens.truncate(date.first);
        is_unsafe.truncate(date.first);
    }

    let is_safe = !is_unsafe.contains(&true);
    if (rules.policy.rewrites || !is_safe) && write_decoded(&mut draft) {
        return draft;
    }
    let left = match field.row.downgrade {
        _ if is_safe => Some(tokens),
        Downgrade::TypedAddress if write_typed_address(&mut draft) => return draft,
        Downgrade::TypedAddress | Downgrade::Rename => None,
        Downgrade::Date => return draft_of_date(draft, &tokens, &is_unsafe),
        _ => without_unsafe_units(&mut draft, &tokens, &is_unsafe),
    };
    match left {
        Some(left) => {
            note_blanks(&mut draft, &left);
            write_tokens(&mut draft, &left);
            if let Some(date) = date {
                report_date(&mut draft, date.span);
                write_date(&mut draft, date.at);
            }
        }
        None => rename(&mut draft),
    }
    draft
}

/// Reports the blanks that become spaces, or nothing; controls alone, too, that would begin text in
/// another charset if any were beside them.
fn note_blanks(draft: &mut Draft<'_>, tokens: &[Token]) {
    let mut at = 0;
    for (piece, is_blank) in value::pieces(draft.value()) {
        let span = Span::new(at, at + piece.len());
        at = span.end;
        if is_blank && !are_printable_or_fws(piece) {
            draft.repair(Code::ControlReplaced, span);
        }
    }
    // Those beside a bracket are no tokens.
    let ends = tokens.iter().map(Token::end);
    let starts = tokens.iter().map(Token::start).chain([draft.value().len()]);
    let gaps = std::iter::once(0).chain(ends).zip(starts).map(|(end, start)| Span::new(end, start));
    let controls = tokens.iter().filter(|token| token.kind == TokenKind::Controls).map(Token::span);
    for span in gaps.chain(controls) {
        let octets = draft.octets(span);
        if octets.iter().all(u8::is_ascii_control) && !value::trim(octets).is_empty() {
            draft.repair(Code::ControlReplaced, span);
        }
    }
}

/// Returns a date without what 7 bits cannot carry, if it says the same then; else what readers
/// take it for, by the grammar. One that nobody can read is text.
fn draft_of_date<'a>(mut draft: Draft<'a>, tokens: &[Token], is_unsafe: &[bool]) -> Draft<'a> {
    let value = draft.value();
    let Some(date) = date_time::read(value) else {
        rename(&mut draft);
        return draft;
    };
    let whole = draft.field.span();
    report_date(&mut draft, whole);
    let (mut left, mut text) =
        (Vec::with_capacity(tokens.len()), value::blanked(value).into_owned());
    for unit in units(value, tokens, false) {
        if is_unsafe[unit.clone()].contains(&true) {
            text[Range::from(span_of(&tokens[unit]))].fill(b' ');
        } else {
            left.extend_from_slice(&tokens[unit]);
        }
    }
    let is_plain = !left.iter().any(Token::is_stray_delimiter);
    match date_time::read(&text) {
        Some(same) if same.at == date.at && !same.is_guess && is_plain => {
            write_tokens(&mut draft, &left)
        }
        _ => write_date(&mut draft, date.at),
    }
    draft
}

/// Reports that a date is written otherwise.
fn report_date(draft: &mut Draft<'_>, span: Span) {
    let date = unfold(draft.octets(span)).into_owned();
    draft.changed = true;
    draft.report(Code::DateRewritten, span, || {
        String::from_utf8_lossy(trim_fws(&date)).into_owned()
    });
}

/// Writes a date by the grammar.
fn write_date(draft: &mut Draft<'_>, at: DateTime) {
    for piece in at.to_string().split(' ') {
        draft.token(Space::ONE, piece.as_bytes().to_vec());
    }
}

/// The date of a trace field.
struct DateOfTrace {
    /// The number of its first token.
    first: usize,
    span: Span,
    at: DateTime,
}

/// Returns the date of a trace field, which comes after its last semicolon (RFC 5321, 4.4), if it
/// cannot stay as it is and readers take it for one.
fn unsafe_date_of_trace(
    draft: &Draft<'_>,
    tokens: &[Token],
    is_unsafe: &[bool],
) -> Option<DateOfTrace> {
    if draft.field.row.downgrade != Downgrade::DropClauses {
        return None;
    }
    let semicolon = tokens.iter().rposition(|token| token.kind == TokenKind::Special(b';'))?;
    let first = semicolon + 1;
    if !is_unsafe[first..].contains(&true) {
        return None;
    }

    let span = span_of(&tokens[first..]);
    let date = date_time::read(draft.octets(span))?;
    Some(DateOfTrace { first, span, at: date.at })
}

/// Writes ids or URLs that some program put into encoded-words, brackets and all; returns whether
/// there are any. Hardly any reader decodes words in such fields. A word inside brackets is part of
/// an id.
fn write_decoded(draft: &mut Draft<'_>) -> bool {
    let blanked = value::blanked(draft.value());
    let value = value::trim(&blanked);
    let folds = match draft.field.row.downgrade {
        Downgrade::DropTokens if value.starts_with(b"=?") => false,
        Downgrade::FoldTokens if value.starts_with(b"=?") => true,
        _ => return false,
    };
    let decoded = text(value, &RawText::Unknown);
    let octets = trim_fws(decoded.text().as_bytes());
    let is_plain =
        decoded.is_lossless() && are_printable_or_fws(octets) && mark(octets, 0).is_none();
    if !is_plain || !octets.starts_with(b"<") || !octets.ends_with(b">") {
        return false;
    }
    if !folds && chunks(octets).any(|(_, chunk)| chunk.len() > MAX_UNFOLDABLE_LINE) {
        return false;
    }
    for (space, chunk) in chunks(octets) {
        write_chunk(draft, space.into(), Octets::copied(chunk));
    }
    note_blanks(draft, &[]);
    draft.repair(Code::EncodedWordRepaired, draft.field.span());
    true
}

/// Writes a chunk without white space. One that is too long for a line is folded inside, where
/// white space has no meaning (RFC 2369, 2; base64).
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

/// Writes tokens as they are, comments by their own rule; the best place to fold is after a
/// semicolon.
fn write_tokens(draft: &mut Draft<'_>, tokens: &[Token]) {
    let (mut space, mut before, mut end) = (Space::default(), Span::default(), 0);
    let one = |a: &Token, b: &Token| !separates(a) && !separates(b) && a.end() == b.start();
    for group in tokens.chunk_by(one) {
        let (span, first) = (span_of(group), draft.items.len());
        let gap = std::mem::replace(&mut end, span.end)..span.start;
        match group[0].kind {
            TokenKind::Space => space = draft.space(span),
            TokenKind::Controls if space.is_empty() => space = Space::ONE,
            _ => {}
        }
        if is_blank(&group[0]) {
            continue;
        }

        // If a token was left out, those beside it stay apart; a semicolon is attached to what is
        // left before it, and a bracket to what is in it.
        let is_inside = || value::trim(&draft.value()[gap.clone()]).is_empty();
        let space = match std::mem::take(&mut space) {
            _ if !gap.is_empty() && (sticks(draft, span) || is_inside()) => Space::default(),
            space if !gap.is_empty() && space.is_empty() => Space::ONE,
            space => space,
        };
        match group[0].kind {
            TokenKind::Comment => write_comment(draft, span, space),
            _ => {
                for (between, chunk) in chunks(draft.octets(span)) {
                    write_chunk(draft, unfolded(between).into(), chunk.into());
                }
                draft.set_space(first, space);
            }
        }
        if draft.octets(before).ends_with(b";")
            && let Some(item) =
                draft.items.get_mut(first).filter(|item| item.level != Level::Comment)
        {
            item.level = Level::Unit;
        }
        before = span;
        draft.lay_out_settled();
    }
}

/// Returns whether tokens need no white space before them: a semicolon with none after it, which
/// would attach more.
fn sticks(draft: &Draft<'_>, span: Span) -> bool {
    draft.octets(span) == b";" && !draft.items.last().is_some_and(Item::holds_word)
}

/// Returns which tokens cannot be written: those with octets outside 20-7E, except comments; and
/// those that are part of something too long for a line, if that has to be cut.
fn unsafe_tokens(draft: &Draft<'_>, tokens: &[Token]) -> Vec<bool> {
    let folds = draft.field.row.downgrade == Downgrade::FoldTokens;
    let is_long =
        |chunk: &[u8]| chunk.len() > MAX_UNFOLDABLE_LINE && !folds || holds_long_word(chunk);
    let mut is_unsafe = Vec::with_capacity(tokens.len());
    for group in tokens.chunk_by(|a, b| !separates(a) && !separates(b)) {
        let is_long = draft.cuts_long
            && group[0].kind != TokenKind::Comment
            && chunks(draft.octets(span_of(group))).any(|(_, chunk)| is_long(chunk));
        let is_odd =
            |token: &Token| !separates(token) && !are_printable_or_fws(draft.octets(token.span()));
        is_unsafe.extend(group.iter().map(|token| is_long || is_odd(token)));
    }
    is_unsafe
}

/// Returns the tokens without the units that cannot be written; `None` if nothing that the field is
/// for is left.
fn without_unsafe_units(
    draft: &mut Draft<'_>,
    tokens: &[Token],
    is_unsafe: &[bool],
) -> Option<Vec<Token>> {
    let (value, downgrade) = (draft.value(), draft.field.row.downgrade);
    let mut left = Vec::with_capacity(tokens.len());
    let mut dropped = Vec::new();
    for unit in units(value, tokens, downgrade == Downgrade::DropClauses) {
        if is_unsafe[unit.clone()].contains(&true) {
            dropped.push(span_of(&tokens[unit.clone()]));
            left.extend(left_comma(&tokens[unit], &left));
        } else {
            left.extend_from_slice(&tokens[unit]);
        }
    }
    // When something unclosed is dropped, something after it could close: no such delimiter stays.
    left.retain(|token| !token.is_stray_delimiter());
    // Nothing follows the last comma any more.
    if let Some(last) = left.iter().rposition(|token| !separates(token))
        && left[last].kind == TokenKind::Special(b',')
    {
        left.remove(last);
    }
    if downgrade != Downgrade::DropClauses && !serves(value, &left) {
        return None;
    }
    let name = String::from_utf8_lossy(draft.field.name()).into_owned();
    for span in dropped {
        let octets = unfold(draft.octets(span));
        let shown = String::from_utf8_lossy(trim_fws(&octets));
        draft.report(Code::FieldDowngraded, span, || format!("{name}: {shown} removed"));
    }
    draft.changed = true;
    Some(left)
}

/// Returns the units of a value, by their tokens: a semicolon; what is in angle brackets; or what
/// is between those, blanks, comments and commas. The comma after it is part of a unit. One that
/// begins a clause is the whole clause.
fn units(value: &[u8], tokens: &[Token], has_clauses: bool) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let end = if has_clauses && begins_clause(value, tokens, start) {
            clause_end(value, tokens, start)
        } else {
            unit_end(tokens, start)
        };
        let unit = start..end;
        start = end;
        (!unit.is_empty()).then_some(unit)
    })
}

fn unit_end(tokens: &[Token], start: usize) -> usize {
    let ends_unit = |token: &Token| separates(token) || token.kind == TokenKind::Special(b';');
    let is_comma = |token: &Token| token.kind == TokenKind::Special(b',');
    if let Some(end) = closed_end(tokens, start) {
        return end + usize::from(tokens.get(end).is_some_and(is_comma));
    }
    let mut end = start;
    while end < tokens.len() {
        let token = &tokens[end];
        if end > start && (ends_unit(token) || closed_end(tokens, end).is_some()) {
            break;
        }
        end += 1;
        if ends_unit(token) || is_comma(token) {
            break;
        }
    }
    end
}

/// Returns the end of what is in angle brackets, if the token at `start` opens them and they are
/// closed.
fn closed_end(tokens: &[Token], start: usize) -> Option<usize> {
    if tokens.get(start)?.kind != TokenKind::Special(b'<') {
        return None;
    }
    let close = (start + 1..tokens.len()).find(|&at| is_angle_bracket(&tokens[at]))?;
    (tokens[close].kind == TokenKind::Special(b'>')).then_some(close + 1)
}

/// Returns the comma of a unit that is dropped, if what it is glued to would lack one.
fn left_comma(unit: &[Token], left: &[Token]) -> Option<Token> {
    let is_comma = |token: &Token| token.kind == TokenKind::Special(b',');
    let last = left.last().filter(|last| !separates(last) && !is_comma(last))?;
    let is_glued = last.end() == unit.first()?.start();
    unit.last().filter(|token| is_comma(token) && is_glued).copied()
}

/// Returns whether the token `at` begins a clause.
fn begins_clause(value: &[u8], tokens: &[Token], at: usize) -> bool {
    let is_apart = at.checked_sub(1).is_none_or(|before| separates(&tokens[before]));
    let word = tokens.get(at).map_or(&b""[..], |token| &value[Range::from(token.span())]);
    is_apart && CLAUSES.iter().any(|clause| word.eq_ignore_ascii_case(clause.as_bytes()))
}

/// Returns where the clause of Received that begins at `start` ends: before the next, or before the
/// `;` of the date.
fn clause_end(value: &[u8], tokens: &[Token], start: usize) -> usize {
    let is_date = |at: usize| value[Range::from(tokens[at].span())] == *b";";
    let ends = |at: &usize| is_date(*at) || begins_clause(value, tokens, *at);
    (start + 1..tokens.len()).find(ends).unwrap_or(tokens.len())
}

/// Returns whether a field still has what it is for: something in brackets, if anything was in any.
/// A word that begins the value would be decoded once what is beside it is gone.
fn serves(value: &[u8], left: &[Token]) -> bool {
    let mut words = left.iter().filter(|token| !separates(token));
    match words.clone().next() {
        None => false,
        Some(first) if value[first.start()..].starts_with(b"=?") => false,
        _ => !value.contains(&b'<') || words.any(is_angle_bracket),
    }
}

fn is_angle_bracket(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Special(b'<' | b'>'))
}

/// Returns whether a token is between words.
fn separates(token: &Token) -> bool {
    is_blank(token) || token.kind == TokenKind::Comment
}

fn is_blank(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Space | TokenKind::Controls)
}
