//! Phrases: display names and group names (RFC 5322, 3.2.5; RFC 2047, 5 (3)).

use std::borrow::Cow;

use super::{RawText, text};
use crate::ascii::is_fws;
use crate::issue::Tally;
use crate::syntax::address::{TokenKind, tokens};
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

/// The stretches of a phrase: quoted-strings, and what stands between them. Comments are left out.
pub(crate) fn stretches(phrase: &[u8], span: Span) -> Vec<Stretch<'_>> {
    let octets = &phrase[span.start..span.end];
    let mut found: Vec<Stretch<'_>> = Vec::new();
    let mut spaced = false;
    for token in tokens(octets) {
        let text = &octets[token.span.start..token.span.end];
        let at = token.span.shifted(span.start);
        match token.kind {
            TokenKind::Space | TokenKind::Comment => {
                spaced = true;
                continue;
            }
            TokenKind::Quoted => {
                found.push(Stretch { span: at, octets: unquote(text), quoted: true, spaced });
            }
            _ => match found.last_mut() {
                Some(last) if !last.quoted => extend(last, phrase, at),
                _ => found.push(Stretch { span: at, octets: Cow::Borrowed(text), quoted: false, spaced }),
            },
        }
        spaced = false;
    }
    found.iter_mut().for_each(unescape_plain);
    found
}

/// The text of a phrase.
pub(crate) fn phrase_text(phrase: &[u8], span: Span, raw: RawText, tally: &mut Tally) -> String {
    let mut out = String::new();
    for stretch in stretches(phrase, span) {
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

/// Grows an unquoted stretch to the end of a token, white space between them included; a comment between
/// them counts as white space.
fn extend<'a>(last: &mut Stretch<'a>, phrase: &'a [u8], token: Span) {
    let between = &phrase[last.span.end..token.start];
    if between.iter().all(|&o| is_fws(o)) && matches!(last.octets, Cow::Borrowed(_)) {
        last.octets = Cow::Borrowed(&phrase[last.span.start..token.end]);
    } else {
        let octets = last.octets.to_mut();
        if !between.is_empty() {
            octets.push(b' ');
        }
        octets.extend_from_slice(&phrase[token.start..token.end]);
    }
    last.span.end = token.end;
}

fn unescape_plain(stretch: &mut Stretch<'_>) {
    if !stretch.quoted && stretch.octets.contains(&b'\\') {
        stretch.octets = Cow::Owned(unescape(&stretch.octets).into_owned());
    }
}
