//! The addr-spec in an address (RFC 5322, 3.4.1).

use std::borrow::Cow;

use super::plain::is_plain_dot_atom;
use super::{MailboxKind, Token, TokenKind, Words};
use crate::Span;
use crate::ascii::is_fws;
use crate::syntax::lexical::{escape_into, unfold, unquote};

/// Reads an address, with brackets or without. Returns what it is, and the addr-spec if it is not
/// what the address without white space, comments and route says; `None` if it is not an address.
///
/// ```text
/// angle-addr = [CFWS] "<" [obs-route] addr-spec ">" [CFWS]
/// addr-spec  = local-part "@" domain
/// local-part = word *("." word)
/// domain     = atom *("." atom) / domain-literal
/// ```
///
/// Deviations:
/// 1. Dots may be anywhere: such addresses are in use.
/// 2. A local part with white space, brackets or a backslash in it lacks its quotes, which it gets:
///    most readers take it so. One with an `@` is no local part: readers see other hosts in it.
/// 3. `mailto:` is not part of an address, nor is a separator before its closing bracket: `<a@b,>`.
/// 4. A domain loses the dot at its end: half of all readers show it, the others do not.
/// 5. A local part that needs no quotes loses them: `"ada"@b` is `ada@b` (RFC 5321, 4.1.2). Some
///    readers show the quotes, and one shows no local part.
pub(super) fn read(value: &[u8], address: &[Token]) -> Option<(MailboxKind, Option<Box<[u8]>>)> {
    let inner = inner(value, address);
    let Some(at) = inner.iter().rposition(|token| token.kind == AT) else {
        let kind =
            if kinds(inner).next().is_none() { MailboxKind::Empty } else { MailboxKind::Local };
        return is_dotted(kinds(inner), is_word).then_some((kind, None));
    };
    let (local, domain) = (&inner[..at], &inner[at + 1..]);
    let is_domain = || {
        is_dotted(kinds(domain), |kind| *kind == TokenKind::Atom)
            && !kinds(domain).all(|kind| is_dot(&kind))
    };
    if kinds(local).all(|kind| is_dot(&kind))
        || !kinds(domain).eq([TokenKind::Literal]) && !is_domain()
    {
        return None;
    }
    if is_dotted(kinds(local), is_word) {
        let spec = unquoted(value, inner, at).or_else(|| undotted(value, inner));
        return Some((MailboxKind::Whole, spec));
    }
    let are_fit = kinds(local).all(|kind| may_be_quoted(&kind));
    are_fit.then(|| (MailboxKind::Whole, Some(quoted(value, inner, at))))
}

/// Returns the kinds of the tokens that are neither blanks nor comments.
fn kinds(tokens: &[Token]) -> impl Iterator<Item = TokenKind> {
    tokens.iter().map(|token| token.kind).filter(is_word_or_special)
}

const AT: TokenKind = TokenKind::Special(b'@');

/// Returns the octets of an address without brackets, route, white space and comments.
pub(super) fn octets<'v>(value: &'v [u8], address: &[Token]) -> Cow<'v, [u8]> {
    let inner = inner(value, address);
    let is_plain = |token: &Token| matches!(token.kind, TokenKind::Atom | TokenKind::Special(_));
    match inner {
        [] => Cow::Borrowed(b""),
        [first, .., last] | [first @ last] if inner.iter().all(is_plain) => {
            Cow::Borrowed(&value[first.start()..last.end()])
        }
        _ => {
            let mut octets = Vec::new();
            for token in inner.iter().filter(|token| is_word_or_special(&token.kind)) {
                octets.extend_from_slice(&unfold(octets_of(value, token)));
            }
            Cow::Owned(octets)
        }
    }
}

/// Returns an addr-spec without the dot at the end of its domain, if there is just one.
fn undotted(value: &[u8], inner: &[Token]) -> Option<Box<[u8]>> {
    let last = kinds(inner).last().filter(is_dot);
    let spec = last.map(|_| octets(value, inner))?;
    spec.strip_suffix(b".").filter(|spec| !spec.ends_with(b".")).map(Box::from)
}

/// Returns an addr-spec without the quotes of its local part, up to the token `at`, if it needs
/// none.
fn unquoted(value: &[u8], inner: &[Token], at: usize) -> Option<Box<[u8]>> {
    if !kinds(&inner[..at]).eq([TokenKind::Quoted]) {
        return None;
    }
    let local = unquote(&octets(value, &inner[..at])).into_owned();
    is_plain_dot_atom(&local).then(|| with_domain(local, value, &inner[at..]))
}

/// Returns the addr-spec with its local part, up to the token `at`, in quotes, unless nothing but
/// controls made it need them.
fn quoted(value: &[u8], inner: &[Token], at: usize) -> Box<[u8]> {
    let text = |token: &Token| match token.kind {
        TokenKind::Comment | TokenKind::Controls => Cow::Borrowed(&b""[..]),
        TokenKind::Space => Cow::Borrowed(&b" "[..]),
        _ => unfold(octets_of(value, token)),
    };
    let local: Vec<u8> = inner[..at].iter().flat_map(|token| text(token).into_owned()).collect();
    let local = local.trim_ascii();
    if is_plain_dot_atom(local) {
        return with_domain(local.to_vec(), value, &inner[at..]);
    }

    let mut spec = vec![b'"'];
    escape_into(local, &mut spec);
    spec.push(b'"');
    with_domain(spec, value, &inner[at..])
}

/// Returns a local part with the `@` and the domain of some tokens, without a dot at its end.
fn with_domain(mut local: Vec<u8>, value: &[u8], domain: &[Token]) -> Box<[u8]> {
    local.extend(undotted(value, domain).unwrap_or_else(|| octets(value, domain).into()));
    local.into()
}

fn may_be_quoted(kind: &TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Atom
            | TokenKind::Literal
            | TokenKind::Special(b'.' | b'[' | b']' | b'\\' | b'(' | b')')
    )
}

fn is_word_or_special(kind: &TokenKind) -> bool {
    !matches!(kind, TokenKind::Space | TokenKind::Comment | TokenKind::Controls)
}

fn is_word(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Atom | TokenKind::Quoted)
}

fn is_dot(kind: &TokenKind) -> bool {
    *kind == TokenKind::Special(b'.')
}

/// Returns whether these are words with dots between them.
fn is_dotted(
    mut words: impl Iterator<Item = TokenKind>,
    is_word: impl Fn(&TokenKind) -> bool,
) -> bool {
    let mut follows_word = false;
    words.all(|kind| {
        let is_fine = is_dot(&kind) || is_word(&kind) && !follows_word;
        follows_word = !is_dot(&kind);
        is_fine
    })
}

fn octets_of<'v>(value: &'v [u8], token: &Token) -> &'v [u8] {
    &value[token.start()..token.end()]
}

/// Returns an address without its brackets and what comes before its addr-spec: a route, or
/// `mailto:`.
///
/// `obs-route = obs-domain-list ":"`, a list that begins with `@`, or with commas before it.
fn inner<'t>(value: &[u8], address: &'t [Token]) -> &'t [Token] {
    let is = |token: &Token, special| token.kind == TokenKind::Special(special);
    let [open, inner @ ..] = address else { return address };
    if !is(open, b'<') {
        return address;
    }
    let inner = match inner {
        [rest @ .., close] if is(close, b'>') => without_separators(rest),
        _ => inner,
    };
    let first = inner.iter().find(|token| is_word_or_special(&token.kind) && !is(token, b','));
    let leads = first.is_some_and(|first| {
        first.kind == AT || octets_of(value, first).eq_ignore_ascii_case(b"mailto")
    });
    match inner.iter().position(|token| is(token, b':')) {
        Some(colon) if leads => &inner[colon + 1..],
        _ => inner,
    }
}

/// Returns what is in brackets without the separators and blanks at its end, if an `@` is left.
fn without_separators(inner: &[Token]) -> &[Token] {
    let is_last = |token: &Token| {
        is_word_or_special(&token.kind)
            && !matches!(token.kind, TokenKind::Special(b',' | b';' | b':'))
    };
    let end = inner.iter().rposition(is_last).map_or(0, |at| at + 1);
    if inner[..end].iter().any(|token| token.kind == AT) { &inner[..end] } else { inner }
}

/// Returns the first addr-spec without brackets among some words, or something close to one: words
/// on both sides of an `@`.
pub(super) fn first_bare(tokens: &[Token], within: Words) -> Option<Words> {
    let is_word = |token: &Token| {
        matches!(token.kind, TokenKind::Atom | TokenKind::Quoted | TokenKind::Literal)
    };
    let mut at = within.start();
    while let Some(next) = tokens[at..within.end()].iter().position(|token| token.kind == AT) {
        let found = at + next;
        // What was a domain is no local part.
        let start = local_start(&tokens[..found], at);
        let mut end = domain_end(tokens, found, within.end());
        while end < within.end() && tokens[end].kind == AT {
            end = domain_end(tokens, end, within.end());
        }
        if tokens[start..found].iter().any(is_word) && tokens[found..end].iter().any(is_word) {
            return Some(Words::new(start, end));
        }
        at = end;
    }
    None
}

/// Returns the first token of the local part that ends these tokens: words joined by dots, folds
/// only around dots and before the `@`, or what would be one in quotes.
fn local_start(tokens: &[Token], from: usize) -> usize {
    let mut start = tokens.len();
    let mut joined = true;
    for at in (from..tokens.len()).rev() {
        let is_glued = at + 1 == start;
        let is_after_quotes = tokens.get(start).is_some_and(|next| next.kind == TokenKind::Quoted);
        match tokens[at].kind {
            TokenKind::Space | TokenKind::Comment | TokenKind::Controls => continue,
            TokenKind::Special(b'.') => joined = true,
            TokenKind::Quoted if joined => joined = false,
            TokenKind::Atom if joined || is_glued && !is_after_quotes => joined = false,
            TokenKind::Literal | TokenKind::Special(b'[' | b']' | b'\\') if is_glued => {
                joined = false
            }
            _ => break,
        }
        start = at;
    }
    start
}

/// Returns the end of the domain after the `@` at `at`.
fn domain_end(tokens: &[Token], at: usize, to: usize) -> usize {
    let mut end = at + 1;
    let mut joined = true;
    for (n, token) in tokens[..to].iter().enumerate().skip(at + 1) {
        match token.kind {
            TokenKind::Space | TokenKind::Comment | TokenKind::Controls => continue,
            TokenKind::Special(b'.') => joined = true,
            TokenKind::Atom | TokenKind::Literal if joined || n == end => joined = false,
            _ => break,
        }
        end = n + 1;
    }
    end
}

/// Returns the spans of adjacent tokens in a value that contain an `@`: addr-specs, or what is left
/// of some.
pub fn spec_runs(value: &[u8]) -> Vec<Span> {
    let tokens = super::tokens(value);
    let is_part = |token: &Token| match token.kind {
        TokenKind::Atom | TokenKind::Quoted | TokenKind::Literal => true,
        TokenKind::Special(special) => matches!(special, b'@' | b'.'),
        _ => false,
    };
    let runs = tokens.chunk_by(|a, b| is_part(a) && is_part(b));
    let runs = runs.filter(|run| run.iter().any(|token| token.kind == AT));
    runs.map(|run| Span::new(run[0].start(), run[run.len() - 1].end())).collect()
}

/// Returns the pieces of a list in which encoded-words are read: comments, and what is between
/// specials at which a word ends. Other specials are not below `@`, and evidence is not divided
/// there, or are dots, which a phrase may hold.
pub fn word_pieces(value: &[u8]) -> Vec<&[u8]> {
    let tokens = super::tokens(value);
    let ends = |token: &Token| match token.kind {
        TokenKind::Comment => true,
        TokenKind::Special(special) => matches!(special, b'"'..=b'-' | b'/'..=b'?'),
        _ => false,
    };
    let pieces = tokens.chunk_by(|a, b| !ends(a) && !ends(b));
    pieces.map(|piece| &value[piece[0].start()..piece[piece.len() - 1].end()]).collect()
}

/// Returns the only atom among white space and comments, with its dots, unless it is text rather
/// than a name.
pub(super) fn lone_local(value: &[u8], tokens: &[Token], within: Words) -> Option<Words> {
    let is_word = |at: &usize| is_word_or_special(&tokens[*at].kind);
    let range = within.start()..within.end();
    let start = range.clone().find(is_word)?;
    let end = range.clone().rfind(is_word)? + 1;
    let is_part = |token: &Token| matches!(token.kind, TokenKind::Atom | TokenKind::Special(b'.'));
    let octets = &value[tokens[start].start()..tokens[end - 1].end()];
    let is_text = octets.iter().any(|octet| !octet.is_ascii_graphic() || is_fws(*octet));
    let is_text = is_text || crate::syntax::encoded_word::holds_word(octets);
    (!is_text && tokens[start..end].iter().all(is_part)).then(|| Words::new(start, end))
}
