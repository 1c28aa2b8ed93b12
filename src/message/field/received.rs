//! Received: a clause that 7 bits cannot carry is dropped, the field stays (rule H9; RFC 6857, 3.1.4).

use std::borrow::Cow;
use std::ops::Range;

use super::draft::Draft;
use crate::syntax::address::{Token, TokenKind};
use crate::{Code, Span};

/// The words that begin a clause (RFC 5321, 4.4).
const CLAUSES: [&str; 6] = ["from", "by", "via", "with", "id", "for"];

/// Returns the tokens of the field without the clauses that contain an unsafe one.
pub(super) fn without_unsafe_clauses(
    draft: &mut Draft<'_>,
    tokens: &[Token],
    is_unsafe: &[bool],
) -> Vec<Token> {
    let value = draft.value();
    let mut kept = vec![true; tokens.len()];
    for clause in clauses(value, tokens) {
        let Some(first) = clause.clone().find(|&n| is_unsafe[n]) else { continue };
        let word = &value[tokens[clause.start].span.start..tokens[clause.start].span.end];
        let mut report = |span: Span, name: Cow<'_, str>| {
            let at = span.shifted(draft.field.value_start);
            draft.report(Code::FieldDowngraded, at, || format!("Received: {name} removed"));
        };
        if is_clause(word) {
            let span = Span::new(tokens[clause.start].span.start, tokens[clause.end - 1].span.end);
            report(span, String::from_utf8_lossy(word));
            kept[clause].fill(false);
        } else {
            report(tokens[first].span, "token".into());
            clause.for_each(|n| kept[n] = !is_unsafe[n]);
        }
    }
    // When something unclosed is dropped, something after it could close: no such delimiter stays.
    tokens.iter().zip(&mut kept).for_each(|(token, kept)| *kept &= !token.is_stray_delimiter());
    draft.changed = true;
    without(value, tokens, &kept)
}

/// Returns the tokens that are kept; a `;` is attached to what is left before it, and a second one adds
/// nothing.
fn without(value: &[u8], tokens: &[Token], kept: &[bool]) -> Vec<Token> {
    let semicolon = |token: &Token| value[token.span.start..token.span.end] == *b";";
    let mut left: Vec<Token> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(at, _)| kept[*at]) {
        if semicolon(token) && left.last().is_some_and(semicolon) {
            continue;
        }
        let cut = at > 0 && !kept[at - 1] && semicolon(token);
        // What follows the `;` without white space would be attached to what is left before it.
        let is_apart = tokens.get(at + 1).is_none_or(|next| next.kind == TokenKind::Space);
        if cut && is_apart && left.len() > 1 && left.last().is_some_and(|last| last.kind == TokenKind::Space)
        {
            left.pop();
        }
        left.push(*token);
    }
    left
}

/// Returns the clauses of the field, by their tokens: each from its word to the next, and the date from its
/// `;`.
fn clauses(value: &[u8], tokens: &[Token]) -> impl Iterator<Item = Range<usize>> {
    let begins = move |n: usize| {
        let apart = matches!(tokens[n - 1].kind, TokenKind::Space | TokenKind::Comment);
        let word = &value[tokens[n].span.start..tokens[n].span.end];
        word == b";" || apart && is_clause(word)
    };
    let mut start = 0;
    std::iter::from_fn(move || {
        let end = (start + 1..tokens.len()).find(|&n| begins(n)).unwrap_or(tokens.len());
        let clause = (start < end).then_some(start..end);
        start = end;
        clause
    })
}

fn is_clause(word: &[u8]) -> bool {
    (2..=4).contains(&word.len()) && CLAUSES.iter().any(|clause| word.eq_ignore_ascii_case(clause.as_bytes()))
}
