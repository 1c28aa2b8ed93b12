//! Fields whose tokens are never encoded: text only in comments; what 7 bits cannot carry is renamed (rule H9).

use super::FieldRules;
use super::draft::{Draft, Pass};
use super::field::Field;
use super::phrase::holds_long_word;
use crate::ascii::is_fws;
use crate::encode::{Item, Level};
use crate::syntax::address::{Token, TokenKind, tokens};
use crate::syntax::lexical::{chunks, unfolded};
use crate::{Code, Span};

/// The longest token beside the white space before it.
const MOST_TOKEN: usize = 990;

impl FieldRules {
    pub(super) fn opaque<'a>(&self, field: &Field<'a>, draft: &mut Draft<'a>) {
        let value = field.value();
        draft.pass = Pass::Write; // the only one
        let tokens = tokens(value);
        let bad = unsafe_tokens(value, &tokens);
        if bad.iter().any(|&bad| bad) {
            if field.name.eq_ignore_ascii_case(b"received") {
                return self.received(field, &tokens, &bad, draft);
            }
            if self.typed_address(field, draft) {
                return;
            }
            return self.downgrade(field, draft);
        }
        self.verbatim(field, &tokens, draft);
    }

    /// Writes tokens as they stand, comments by their own rule; the best place to fold is behind a semicolon.
    pub(super) fn verbatim<'a>(&self, field: &Field<'a>, tokens: &[Token], draft: &mut Draft<'a>) {
        let value = field.value();
        let mut space = Span::default();
        let mut semicolon = false;
        let one = |a: &Token, b: &Token| !separates(a) && !separates(b) && a.span.end == b.span.start;
        for group in tokens.chunk_by(one) {
            let span = Span::new(group[0].span.start, group[group.len() - 1].span.end);
            let first = draft.items.len();
            match group[0].kind {
                TokenKind::Space => {
                    space = span;
                    continue;
                }
                TokenKind::Comment => self.comment(value, span, space, draft),
                _ => {
                    let pieces = chunks(&value[span.start..span.end]);
                    draft.items.extend(pieces.map(|(space, chunk)| Item::plain(unfolded(space), chunk)));
                    if let Some(item) = draft.items.get_mut(first) {
                        item.space = unfolded(&value[space.start..space.end]).into();
                    }
                }
            }
            space = Span::default();
            if let Some(item) = draft.items.get_mut(first).filter(|_| semicolon) {
                item.level = Level::Unit;
            }
            semicolon = value[span.end - 1] == b';';
            draft.advance(field);
        }
    }

    /// Renames a field that 7 bits cannot carry, its value as text in encoded-words (RFC 6857, 3.1.10).
    pub(super) fn downgrade<'a>(&self, field: &Field<'a>, draft: &mut Draft<'a>) {
        let name = String::from_utf8_lossy(field.name).into_owned();
        let span = Span::new(0, field.raw.len());
        draft.items.clear();
        draft.changed = true;
        draft.name = Some(format!("Downgraded-{name}").into_bytes());
        draft.tell(Code::FieldDowngraded, span, || name);
        self.whole_text(field, draft);
    }
}

/// Which tokens cannot be written: with octets outside 20-7E in them or in what they stick to, but for a `;`
/// between; or too long for a line.
fn unsafe_tokens(value: &[u8], tokens: &[Token]) -> Vec<bool> {
    let text = |group: &[Token]| &value[group[0].span.start..group[group.len() - 1].span.end];
    let semicolon = |token: &Token| token.kind == TokenKind::Special(b';');
    let odd = |octets: &[u8]| !octets.iter().all(|&o| is_fws(o) || matches!(o, b' '..=b'~'));
    let mut bad = Vec::with_capacity(tokens.len());
    for group in tokens.chunk_by(|a, b| !separates(a) && !separates(b)) {
        let comment = group[0].kind == TokenKind::Comment;
        let long = chunks(text(group)).any(|(_, chunk)| chunk.len() > MOST_TOKEN || holds_long_word(chunk));
        for part in group.chunk_by(|a, b| !semicolon(a) && !semicolon(b)) {
            bad.extend(part.iter().map(|_| !comment && (long || odd(text(part)))));
        }
    }
    bad
}

fn separates(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Space | TokenKind::Comment)
}
