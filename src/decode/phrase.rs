//! Phrases: display names and group names (RFC 5322, 3.2.5; RFC 2047, 5 (3)).

use std::borrow::Cow;

use super::{RawText, text};
use crate::issue::Tally;
use crate::syntax::address::{Token, TokenKind};
use crate::syntax::lexical::{unescape, unquote};
use crate::{Code, Span};

/// A piece of a phrase or comment whose text is read at once.
#[derive(Clone, Debug)]
pub(crate) struct Stretch<'a> {
    pub(crate) span: Span,
    /// The octets, quotes and backslashes taken off.
    pub(crate) octets: Cow<'a, [u8]>,
    pub(crate) quoted: bool,
    /// Whether white space stood before it that is not part of it.
    pub(crate) spaced: bool,
}

/// The stretches of a phrase: quoted-strings, and what stands between them.
pub(crate) fn stretches<'a>(value: &'a [u8], phrase: &[Token]) -> Vec<Stretch<'a>> {
    let mut found: Vec<Stretch<'_>> = Vec::new();
    let mut spaced = false;
    for token in phrase {
        let text = &value[token.span.start..token.span.end];
        let span = token.span;
        match token.kind {
            TokenKind::Space | TokenKind::Comment => {
                spaced = true;
                continue;
            }
            TokenKind::Quoted => found.push(Stretch { span, octets: unquote(text), quoted: true, spaced }),
            _ => match found.last_mut() {
                Some(last) if !last.quoted => {
                    last.span.end = span.end;
                    last.octets = Cow::Borrowed(&value[last.span.start..span.end]);
                }
                _ => found.push(Stretch { span, octets: Cow::Borrowed(text), quoted: false, spaced }),
            },
        }
        spaced = false;
    }
    found.iter_mut().for_each(unescape_plain);
    found
}

/// The text of a phrase.
pub(crate) fn phrase_text(value: &[u8], phrase: &[Token], raw: RawText, tally: &mut Tally) -> String {
    let mut out = String::new();
    for stretch in stretches(value, phrase) {
        if stretch.spaced && !out.is_empty() {
            out.push(' ');
        }
        let decoded = text(&stretch.octets, &raw);
        note(&decoded, stretch.span, tally);
        out.push_str(decoded.text());
    }
    out
}

/// The text of a comment, its own parentheses taken off, those inside left.
pub(crate) fn comment_text(comment: &[u8], span: Span, raw: RawText, tally: &mut Tally) -> String {
    let inner = unquote(&comment[span.start..span.end]);
    let decoded = text(&inner, &raw);
    note(&decoded, span, tally);
    decoded.text().trim().to_owned()
}

fn note(decoded: &crate::Decoded<'_>, span: Span, tally: &mut Tally) {
    decoded.issues().iter().map(crate::Issue::code).for_each(|code: Code| tally.note(code, span));
}

fn unescape_plain(stretch: &mut Stretch<'_>) {
    if !stretch.quoted && stretch.octets.contains(&b'\\') {
        stretch.octets = Cow::Owned(unescape(&stretch.octets).into_owned());
    }
}
