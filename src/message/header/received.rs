//! Received: a clause that 7 bits cannot carry goes, the field stays (rule H9; RFC 6857, 3.1.4).

use super::FieldRules;
use super::draft::Draft;
use super::field::Field;
use crate::syntax::address::{Token, TokenKind};
use crate::{Code, Issue, Span};

/// The words that begin a clause (RFC 5321, 4.4).
const CLAUSES: [&str; 6] = ["from", "by", "via", "with", "id", "for"];

impl FieldRules {
    /// Writes the field without the clauses that hold a token of `bad`.
    pub(super) fn received<'a>(
        &self,
        field: &Field<'a>,
        tokens: &[Token],
        bad: &[bool],
        draft: &mut Draft<'a>,
    ) {
        let value = field.value();
        let mut kept = vec![true; tokens.len()];
        for clause in clauses(value, tokens) {
            let Some(first) = clause.clone().find(|&n| bad[n]) else { continue };
            let span = Span::new(tokens[clause.start].span.start, tokens[clause.end - 1].span.end);
            let word = &value[tokens[clause.start].span.start..tokens[clause.start].span.end];
            if is_clause(word) {
                kept[clause].fill(false);
            } else {
                clause.for_each(|n| kept[n] = !bad[n]);
            }
            let name =
                if is_clause(word) { String::from_utf8_lossy(word).into_owned() } else { "token".to_owned() };
            let at = if is_clause(word) { span } else { tokens[first].span };
            let issue = Issue::new(Code::FieldDowngraded, at.shifted(field.value.start));
            draft.issues.push(issue.with_detail(format!("Received: {name} removed")));
        }
        // Where what is not closed goes, something behind it could close: no such mark stays.
        tokens.iter().zip(&mut kept).for_each(|(token, kept)| *kept &= !is_unclosed(token));
        draft.changed = true;
        self.verbatim(value, &without(value, tokens, &kept), draft);
    }
}

/// Whether a token is a mark that would have begun a comment or a quoted-string, or ended one.
fn is_unclosed(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Special(b'(' | b')' | b'"' | b'[' | b']' | b'\\'))
}

/// The tokens that are kept; a `;` sticks to what is left before it, and another one says no more.
fn without(value: &[u8], tokens: &[Token], kept: &[bool]) -> Vec<Token> {
    let semicolon = |token: &Token| value[token.span.start..token.span.end] == *b";";
    let mut left: Vec<Token> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(at, _)| kept[*at]) {
        if semicolon(token) && left.last().is_some_and(semicolon) {
            continue;
        }
        let cut = at > 0 && !kept[at - 1] && semicolon(token);
        if cut && left.len() > 1 && left.last().is_some_and(|last| last.kind == TokenKind::Space) {
            left.pop();
        }
        left.push(*token);
    }
    left
}

/// The clauses of the field, by their tokens: each from its word to the next, and the date from its `;`.
fn clauses(value: &[u8], tokens: &[Token]) -> Vec<std::ops::Range<usize>> {
    let begins = |n: usize| {
        let apart = n == 0 || matches!(tokens[n - 1].kind, TokenKind::Space | TokenKind::Comment);
        let word = &value[tokens[n].span.start..tokens[n].span.end];
        word == b";" || apart && is_clause(word)
    };
    let mut starts: Vec<usize> = (0..tokens.len()).filter(|&n| begins(n)).collect();
    if starts.first() != Some(&0) && !tokens.is_empty() {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([tokens.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

fn is_clause(word: &[u8]) -> bool {
    CLAUSES.iter().any(|clause| word.eq_ignore_ascii_case(clause.as_bytes()))
}
