//! Finds the end of an element of an address list, and of an angle in it.

use super::{Token, TokenKind};

/// Where the element that begins at `from` ends: at a separator, or at the end of the list. `in_group` says that a `;` ends
/// a group.
pub(super) fn element_end(tokens: &[Token], from: usize, in_group: bool) -> usize {
    let mut at = from;
    let (mut words, mut address, mut angle) = (false, false, false);
    while let Some(token) = tokens.get(at) {
        match token.kind {
            TokenKind::Special(b',' | b';')
                if words
                    && !address
                    && !(in_group && token.kind == TokenKind::Special(b';'))
                    && names_an_angle(&tokens[at + 1..]) => {}
            TokenKind::Special(b',' | b';') => return at,
            TokenKind::Special(b':') if words && !angle && (!address || holds_member(&tokens[at + 1..])) => {
                return at;
            }
            TokenKind::Special(b'<') => {
                (address, angle) = (true, true);
                at = angle_end(tokens, at);
                continue;
            }
            TokenKind::Special(b'@') => address = true,
            TokenKind::Special(b':') => {}
            // A special by itself is quoted where it is written, and a word from then on.
            TokenKind::Atom | TokenKind::Quoted | TokenKind::Special(_) => words = true,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Whether an address in brackets comes next, with no word before it.
fn names_an_angle(tokens: &[Token]) -> bool {
    let next = tokens.iter().find(|token| match token.kind {
        TokenKind::Space | TokenKind::Comment | TokenKind::Controls => false,
        TokenKind::Special(special) => matches!(special, b',' | b';' | b':' | b'<'),
        _ => true,
    });
    next.is_some_and(|token| token.kind == TokenKind::Special(b'<'))
}

/// Whether an address follows before any separator.
fn holds_member(tokens: &[Token]) -> bool {
    let separates = |token: &&Token| !matches!(token.kind, TokenKind::Special(b',' | b';' | b':'));
    let is_of_address = |token: &Token| matches!(token.kind, TokenKind::Special(b'@' | b'<'));
    tokens.iter().take_while(separates).any(is_of_address)
}

/// The token after the angle that begins at `from`; trailing white space is not part of an unclosed angle.
pub(super) fn angle_end(tokens: &[Token], from: usize) -> usize {
    let mut separator = None;
    for (at, token) in tokens.iter().enumerate().skip(from + 1) {
        match token.kind {
            TokenKind::Special(b'>') => return at + 1,
            TokenKind::Special(b'<') => {
                separator = separator.or(Some(at));
                break;
            }
            TokenKind::Special(b',' | b';') => separator = separator.or(Some(at)),
            _ => {}
        }
    }
    let end = separator.unwrap_or(tokens.len());
    let last = tokens[..end].iter().rposition(|t| t.kind != TokenKind::Space);
    last.map_or(end, |last| last + 1)
}
