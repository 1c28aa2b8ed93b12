//! Finds the end of an element of an address list, and of an angle in it.

use super::grammar::{first_spec, says_something};
use super::{Token, TokenKind};

/// State of the search for names of several words with commas.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// No token before this one belongs to a name that goes on after a comma.
    none_before: usize,
}

/// Returns where the element that begins at `from` ends: at a separator, or at the end of the list.
/// `in_group` says that a `;` ends a group.
pub(super) fn element_end(
    tokens: &[Token],
    from: usize,
    in_group: bool,
    mut names: Option<&mut Names>,
) -> usize {
    let mut at = from;
    let (mut words, mut oddities, mut address, mut angle) = (false, false, false, false);
    while let Some(token) = tokens.get(at) {
        match token.kind {
            TokenKind::Special(separator @ (b',' | b';')) => {
                let goes_on = (words || oddities) && !address && !(in_group && separator == b';');
                let names = names.as_deref_mut().filter(|_| says_something(&tokens[from..at]));
                let joined = || names.and_then(|names| names.angle_after(tokens, at, in_group));
                let angle = if goes_on { next_angle(tokens, at + 1).or_else(joined) } else { None };
                match angle {
                    Some(angle) => at = angle,
                    None => return at,
                }
                continue;
            }
            TokenKind::Special(b':') if words && !angle && (!address || holds_member(&tokens[at + 1..])) => {
                return at;
            }
            TokenKind::Special(b'<') => {
                (address, angle) = (true, true);
                at = angle_end(tokens, at);
                continue;
            }
            TokenKind::Special(b'@') => address = true,
            // A special by itself is quoted when it is written, and a word from then on; so is what is left of
            // the others. But none of these is the name of a group.
            TokenKind::Special(b':') | TokenKind::Literal | TokenKind::Controls => oddities = true,
            TokenKind::Atom | TokenKind::Quoted | TokenKind::Special(_) => words = true,
            _ => {}
        }
        at += 1;
    }
    at
}

impl Names {
    /// Returns the address in brackets, with a domain, that is named by the words and commas before it, from
    /// `at` on.
    fn angle_after(&mut self, tokens: &[Token], at: usize, in_group: bool) -> Option<usize> {
        let ends = |token: &Token| match token.kind {
            TokenKind::Special(b';') => in_group,
            TokenKind::Special(special) => matches!(special, b'<' | b'@' | b':'),
            _ => false,
        };
        if at < self.none_before {
            return None;
        }
        let end = tokens[at..].iter().position(ends).map_or(tokens.len(), |len| at + len);
        let is_angle = tokens.get(end).is_some_and(|token| token.kind == TokenKind::Special(b'<'));
        if is_angle && first_spec(&tokens[end..angle_end(tokens, end)]).is_some() {
            return Some(end);
        }
        self.none_before = end;
        None
    }
}

/// Returns the address in brackets that comes next, with no word before it; a `:` there does not open a
/// group.
fn next_angle(tokens: &[Token], from: usize) -> Option<usize> {
    let is_next = |token: &Token| match token.kind {
        TokenKind::Space | TokenKind::Comment | TokenKind::Controls => false,
        TokenKind::Special(special) => matches!(special, b',' | b';' | b'<' | b'.'),
        _ => true,
    };
    let next = from + tokens[from..].iter().position(is_next)?;
    (tokens[next].kind == TokenKind::Special(b'<')).then_some(next)
}

/// Returns whether an address follows before any separator.
fn holds_member(tokens: &[Token]) -> bool {
    let separates = |token: &&Token| !matches!(token.kind, TokenKind::Special(b',' | b';' | b':'));
    let is_of_address = |token: &Token| matches!(token.kind, TokenKind::Special(b'@' | b'<'));
    tokens.iter().take_while(separates).any(is_of_address)
}

/// Returns the token after the angle that begins at `from`; trailing white space is not part of an unclosed
/// angle.
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
