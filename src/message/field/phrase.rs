//! Display names, group names and keywords (rules H3, H4, H6).

use std::borrow::Cow;
use std::ops::Range;

use super::doubtful::{self, Piece};
use super::draft::Draft;
use super::raw_text::{TextSource, WordPolicy};
use super::text::{read_piece, read_text};
use crate::ascii::are_printable_or_fws;
use crate::decode::{Stretch, stretches};
use crate::encode::{
    Item, Level, MAX_TOKEN, Octets, Place, Space, TextWords, Token as Written, quoted_word,
};
use crate::encode::{MAX_BESIDE_WORD, holds_long_word};
use crate::syntax::address::{Token, TokenKind, span_of};
use crate::syntax::encoded_word::holds_word;
use crate::syntax::lexical::{chunks, is_atext, unfold};
use crate::syntax::value;
use crate::{Code, Span};

/// Writes a phrase, with white space before it.
pub(super) fn write_phrase(draft: &mut Draft<'_>, phrase: &[Token], space: Space) {
    let first = draft.items.len();
    let odd = is_odd(phrase) || holds_torn_word(draft.value(), phrase);
    let text = draft.octets(span_of(phrase));
    // Such a phrase is its own text: short enough for a line, printable US-ASCII, without the `?`
    // of an encoded-word.
    if !odd && text.len() <= MAX_TOKEN && are_printable_or_fws(text) && !text.contains(&b'?') {
        write_tokens(draft, phrase);
    } else {
        match rewritten(draft, phrase, WordPolicy::Allowed) {
            (false, _) if !odd => write_tokens(draft, phrase),
            (_, out) => out.append_to(&mut draft.items, Place::Phrase),
        }
    }
    draft.set_space(first, space);
}

/// Rewrites a phrase, whether it needs that or not, to be joined with what is next to it.
pub(super) fn write_phrase_joined(draft: &mut Draft<'_>, phrase: &[Token]) {
    let first = draft.items.len();
    let (_, out) = rewritten(draft, phrase, WordPolicy::Misplaced);
    out.append_to(&mut draft.items, Place::Phrase);
    draft.set_space(first, Space::ONE);
    let is_kept =
        |item: Option<&Item<'_>>| item.is_some_and(|item| matches!(item.token, Written::Word(_)));
    if is_kept(draft.items.get(first)) && is_kept(draft.items[..first].last()) {
        // Two words that are kept would be read as one text.
        draft.items.insert(first, Item::plain(Space::ONE, b"\"\"".as_slice()));
    }
}

/// Writes any octets as a phrase.
pub(super) fn write_text_as_phrase(draft: &mut Draft<'_>, octets: &[u8], span: Span) {
    if let Some(quoted) = quoted_word(octets) {
        return draft.token(Space::ONE, quoted);
    }
    let first = draft.items.len();
    let octets = &unfold(octets);
    let source = TextSource { octets, span, place: Place::Phrase, words: WordPolicy::Misplaced };
    let mut out = TextWords::default();
    read_text(draft, &source, &mut out);
    out.append_to(&mut draft.items, Place::Phrase);
    draft.set_space(first, Space::ONE);
}

/// Returns whether a phrase has to be rewritten, and its text in that case; `allowed` says whether
/// its words may be kept.
fn rewritten<'a>(
    draft: &mut Draft<'a>,
    phrase: &[Token],
    allowed: WordPolicy,
) -> (bool, TextWords<'a>) {
    let value = draft.value();
    let mut out = TextWords::default();
    let apart = |a: &Token, b: &Token| a.kind != TokenKind::Space && b.kind != TokenKind::Space;
    let long = |chunk: &[Token]| match &value[Range::from(span_of(chunk))] {
        word if chunk.len() == 1 => holds_long_word(word),
        // Separators may follow them without white space.
        words => words.len() > MAX_BESIDE_WORD && holds_word(words),
    };
    let cuts_long = draft.cuts_long;
    let mut changed = phrase.chunk_by(apart).any(long);
    let mut stretches: Vec<Stretch<'_>> = stretches(value, phrase).collect();
    changed |= drop_outer_blanks(draft, &mut stretches);
    let pieces: Vec<Piece<'_>> =
        stretches.iter().map(|stretch| (stretch.spaced, &*stretch.octets)).collect();
    if let Some(text) = doubtful::mend(draft, &pieces, span_of(phrase)) {
        out.text(&text);
        draft.changed = true;
        return (true, out);
    }
    let mut stretches = stretches.into_iter().enumerate().peekable();
    while let Some((n, stretch)) = stretches.next() {
        if stretch.spaced {
            out.space(b" ");
        }
        let glued =
            n > 0 && !stretch.spaced || stretches.peek().is_some_and(|(_, next)| !next.spaced);
        let words = if stretch.quoted || glued { WordPolicy::Misplaced } else { allowed };
        let source =
            TextSource { octets: &stretch.octets, span: stretch.span, place: Place::Phrase, words };
        changed |= read_piece(draft, &source, &mut out) || cuts_long && is_long(&stretch);
    }
    draft.changed |= changed;
    (changed, out)
}

/// Drops the no-break spaces and their kin, in UTF-8, at the ends of a phrase, which no reader
/// shows; returns whether there are any.
fn drop_outer_blanks(draft: &mut Draft<'_>, stretches: &mut [Stretch<'_>]) -> bool {
    let mut drops = false;
    let last = stretches.len().saturating_sub(1);
    for (at, stretch) in stretches.iter_mut().enumerate().filter(|(at, _)| *at == 0 || *at == last)
    {
        let within = value::within(&stretch.octets);
        let is_outer = |octets: &[u8]| {
            !octets.is_ascii()
                && std::str::from_utf8(octets).is_ok_and(|text| text.trim().is_empty())
        };
        let start =
            if at == 0 && is_outer(&stretch.octets[..within.start]) { within.start } else { 0 };
        let length = stretch.octets.len();
        let end =
            if at == last && is_outer(&stretch.octets[within.end..]) { within.end } else { length };
        if start > 0 || end < length {
            stretch.octets = Cow::Owned(stretch.octets[start..end.max(start)].to_vec());
            draft.tally.note(Code::ControlReplaced, stretch.span);
            drops = true;
        }
    }
    drops
}

/// Returns whether a phrase holds misplaced specials, or words attached to a quoted-string. If the
/// field is written anyway, they are written properly too: next to new text they might be read
/// differently.
fn is_odd(phrase: &[Token]) -> bool {
    let word = |token: &Token| !matches!(token.kind, TokenKind::Space | TokenKind::Comment);
    let quoted = |token: &Token| token.kind == TokenKind::Quoted;
    let glued = |a: &Token, b: &Token| word(a) && word(b) && (quoted(a) || quoted(b));
    // Tokens that are part of a phrase only because they could not be made into anything else.
    let is_misplaced =
        |token: &Token| token.is_special_in_phrase() || token.kind == TokenKind::Literal;
    phrase.iter().any(is_misplaced) || phrase.windows(2).any(|pair| glued(&pair[0], &pair[1]))
}

/// Returns whether an encoded-word begins a word of a phrase but does not end it, because an octet
/// in it ends the word: some readers would take it whole, with what is in between.
fn holds_torn_word(value: &[u8], phrase: &[Token]) -> bool {
    let is_torn = |octets: &[u8]| octets.starts_with(b"=?") && !holds_word(octets);
    let mut atoms = phrase.iter().filter(|token| token.kind == TokenKind::Atom);
    atoms.any(|token| is_torn(&value[Range::from(token.span())]))
}

/// Returns whether a stretch does not fit on a line: a quoted-string is not folded inside.
fn is_long(stretch: &Stretch<'_>) -> bool {
    let is_long = |octets: &[u8]| octets.len() > MAX_TOKEN;
    if stretch.quoted {
        is_long(&stretch.octets)
    } else {
        chunks(&stretch.octets).any(|(_, chunk)| is_long(chunk))
    }
}

/// Adds the tokens of a phrase as they are, unfolded.
fn write_tokens(draft: &mut Draft<'_>, phrase: &[Token]) {
    let mut space = Span::default();
    for token in phrase {
        if token.kind == TokenKind::Space {
            space = token.span();
            continue;
        }
        let octets = draft.octets(token.span());
        let octets = match token.kind {
            TokenKind::Quoted | TokenKind::Literal | TokenKind::Comment => unfold(octets).into(),
            _ => Octets::from(octets),
        };
        draft.token(draft.space(space), octets);
        space = Span::default();
    }
}

/// Quotes the words of a phrase without an address, from item `first` on, if they are all atoms and
/// dots without white space between them, which would otherwise be read as one.
pub(super) fn quote_lone_atom(items: &mut Vec<Item<'_>>, first: usize) {
    let is_word = |item: &Item<'_>| item.level != Level::Comment;
    let is_atom = |word: &[u8]| word.iter().all(|&o| is_atext(o) || o == b'.') && !holds_word(word);
    let Some(start) = items[first..].iter().position(is_word).map(|at| first + at) else { return };
    let words = items[start..].iter().filter(|item| is_word(item)).enumerate();
    let atoms: Option<Vec<&[u8]>> = words
        .map(|(at, item)| match &item.token {
            Written::Plain(word) if is_atom(word) && (at == 0 || item.space.is_empty()) => {
                Some(&word[..])
            }
            _ => None,
        })
        .collect();
    let Some(atoms) = atoms else { return };
    let (quoted, end) = ([b"\"", &atoms.concat()[..], b"\""].concat(), start + atoms.len());
    items[start].token = Written::Plain(quoted.into());
    items.drain(start + 1..end);
}
