//! Phrases: display names and group names (RFC 5322, 3.2.5; RFC 2047, 5 (3)).

use std::borrow::Cow;

use super::{RawText, literal_text, text};
use crate::Span;
use crate::report::Tally;
use crate::syntax::address::{Token, TokenKind};
use crate::syntax::lexical::{unescape, unquote};

/// A piece of a phrase or comment whose text is read in one go.
#[derive(Clone, Debug)]
pub struct Stretch<'a> {
    pub span: Span,
    /// The octets, without quotes and the backslashes of quoted-pairs.
    pub octets: Cow<'a, [u8]>,
    pub quoted: bool,
    /// Whether white space that is not part of it came before it.
    pub spaced: bool,
}

/// Returns the stretches of a phrase: quoted-strings, and what is between them.
pub fn stretches<'a>(value: &'a [u8], phrase: &[Token]) -> impl Iterator<Item = Stretch<'a>> {
    let is_space = |token: &Token| matches!(token.kind, TokenKind::Space | TokenKind::Comment);
    let mut rest = phrase;
    std::iter::from_fn(move || {
        let spaces = rest.iter().take_while(|token| is_space(token)).count();
        let (first, after) = rest[spaces..].split_first()?;
        let quoted = first.kind == TokenKind::Quoted;
        // Up to the last word before the next quoted-string.
        let plain = after.iter().take_while(|token| !quoted && token.kind != TokenKind::Quoted);
        let words = plain
            .enumerate()
            .filter(|(_, token)| !is_space(token))
            .map(|(n, _)| n + 1)
            .last()
            .unwrap_or(0);
        let last = after[..words].last().unwrap_or(first);
        rest = &after[words..];
        let span = Span::new(first.start(), last.end());
        let text = &value[span.start..span.end];
        let octets = if quoted { unquote(text) } else { unescaped(text) };
        Some(Stretch { span, octets, quoted, spaced: spaces > 0 })
    })
}

/// Returns the text of a phrase.
pub fn phrase_text(value: &[u8], phrase: &[Token], raw: RawText, tally: &mut Tally) -> String {
    let mut out = String::new();
    for stretch in stretches(value, phrase) {
        if stretch.spaced && !out.is_empty() {
            out.push(' ');
        }
        if let Some(text) = literal_text(&stretch.octets) {
            out.push_str(text);
            continue;
        }
        let decoded = text(&stretch.octets, &raw);
        note(&decoded, stretch.span, tally);
        out.push_str(decoded.text());
    }
    out
}

/// Returns the text of a comment without its own parentheses, but with those inside.
pub fn comment_text(comment: &[u8], span: Span, raw: RawText, tally: &mut Tally) -> String {
    let inner = unquote(&comment[span.start..span.end]);
    let decoded = text(&inner, &raw);
    note(&decoded, span, tally);
    decoded.text().trim().to_owned()
}

fn note(decoded: &crate::Decoded<'_>, span: Span, tally: &mut Tally) {
    decoded.issues().iter().for_each(|issue| tally.note_issue(issue, span));
}

fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    // Folds are undone when the text is read.
    if text.contains(&b'\\') { unescape(text) } else { Cow::Borrowed(text) }
}
