//! Address lists: RFC 5322, section 3.4, and what is found in their place in mail.
//!
//! [`list`] reads a value into a model: mailboxes, groups and text, each a range of tokens. What is
//! not written as the grammar says is read as most readers take it, and marked as
//! [broken](AddressList::is_broken).

mod cut;
mod kinds;
mod plain;
mod read;
mod simple;
mod spec;
mod tokens;

use std::borrow::Cow;
use std::num::NonZeroU32;

use crate::Span;

pub use self::cut::without_cuts;
pub use self::plain::is_plain_spec;
pub use self::read::{angle_end, list};
pub use self::simple::SimpleMailbox;
pub use self::spec::{spec_runs, word_pieces};
use self::tokens::place;
pub use self::tokens::{Token, TokenKind, opaque_tokens, span_of, tokens};

/// The addr-spec of a mailbox whose own one 7 bits cannot carry (RFC 6858, 2.1). Nobody has it, and
/// nobody will: the domain `invalid` is reserved for that (RFC 2606, 2).
pub const NOBODY: &str = "invalid@internationalized-address.invalid";

/// An address list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressList<'v> {
    pub value: &'v [u8],
    tokens: Vec<Token>,
    /// The entries in order, the members of a group between its name and its end.
    pub entries: Vec<Entry>,
    /// The addr-specs that are not what the tokens of their mailboxes say.
    specs: Vec<Box<[u8]>>,
    /// Whether a comma, a bracket or the end of a group is missing, or anything is where it may not
    /// be.
    pub is_broken: bool,
}

/// One entry of an address list, or of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    Mailbox(Mailbox),
    /// The name of a group, whose members are the entries up to its [`End`](Self::End).
    ///
    /// `group = display-name ":" [group-list] ";" [CFWS]`
    Group(Words),
    /// The end of a group, and the comments after it.
    End(Words),
    /// Words or comments that are not a mailbox.
    Text(Words),
    /// The name of a group without members: words that cannot be written as a mailbox. Only repairs
    /// make such entries; reading a list never does.
    EmptyGroup(Words),
    /// A mailbox whose addr-spec becomes part of the name of a group without members. Only repairs
    /// make such entries.
    Unwritable(Mailbox),
    /// A mailbox whose addr-spec 7 bits cannot carry: it becomes part of the name of
    /// [`NOBODY`]'s. Only repairs make such entries.
    NotAscii(Mailbox),
}

/// `mailbox = ([display-name] [CFWS] "<" [obs-route] addr-spec ">" [CFWS]) / addr-spec`
///
/// The name may also be after the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// Its tokens, the address among them.
    pub all: Words,
    /// The tokens of the address, with its brackets.
    pub address: Words,
    /// Which of the list's addr-specs it has, counted from one, if that is not what these tokens
    /// say.
    spec: Option<NonZeroU32>,
    pub kind: MailboxKind,
}

/// How a mailbox has to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailboxKind {
    /// The mailbox has an addr-spec, or an encoded form of one.
    Whole,
    /// The mailbox has a local part alone.
    Local,
    /// Its brackets are empty.
    Empty,
}

/// Adjacent tokens of a list, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words {
    start: u32,
    end: u32,
}

impl Words {
    fn new(start: usize, end: usize) -> Self {
        Self { start: place(start), end: place(end) }
    }

    const fn start(self) -> usize {
        self.start as usize
    }

    const fn end(self) -> usize {
        self.end as usize
    }
}

/// A piece of the words around an address.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'l> {
    /// Words with the white space between them.
    Phrase(&'l [Token]),
    Comment(Span),
}

impl Mailbox {
    /// Returns what comes before the address.
    pub fn before(&self) -> Words {
        Words { start: self.all.start, end: self.address.start }
    }

    /// Returns what comes after the address.
    pub fn after(&self) -> Words {
        Words { start: self.address.end, end: self.all.end }
    }
}

impl<'v> AddressList<'v> {
    /// Returns the tokens of some words. What a quote or parenthesis means depends on everything
    /// before it, so a piece of a list cannot be tokenised on its own.
    pub fn tokens(&self, words: Words) -> &[Token] {
        &self.tokens[words.start()..words.end()]
    }

    /// Returns the entries with the members of groups in place of the groups.
    pub fn members(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !matches!(entry, Entry::Group(_) | Entry::End(_)))
    }

    /// Returns whether each entry is so short that it fits on a line, however it is written, and
    /// none is a group.
    pub fn is_of_short_entries(&self) -> bool {
        /// An octet becomes twelve at most, and a line has up to 998.
        const SHORT: usize = 64;
        self.entries.iter().all(|entry| match entry {
            Entry::Mailbox(one) | Entry::Unwritable(one) | Entry::NotAscii(one) => {
                self.span(one.all).len() <= SHORT
            }
            Entry::Text(words) | Entry::EmptyGroup(words) => self.span(*words).len() <= SHORT,
            Entry::Group(_) | Entry::End(_) => false,
        })
    }

    /// Returns whether a mailbox with a domain is in the list.
    pub fn holds_spec(&self) -> bool {
        self.members()
            .any(|entry| matches!(entry, Entry::Mailbox(one) if one.kind == MailboxKind::Whole))
    }

    /// Returns the span of some words in the value, without the white space around them.
    pub fn span(&self, words: Words) -> Span {
        span_of(trimmed(self.tokens(words), |token| token.kind == TokenKind::Space))
    }

    /// Returns the octets of some words, without the white space around them.
    pub fn octets(&self, words: Words) -> &'v [u8] {
        let span = self.span(words);
        &self.value[span.start..span.end]
    }

    /// Returns the addr-spec of a mailbox, or its local part alone: without brackets, route,
    /// comments and white space, with its quotes, nothing decoded.
    pub fn spec(&self, mailbox: &Mailbox) -> Cow<'v, [u8]> {
        match self.own_spec(mailbox) {
            Some(spec) => spec.to_vec().into(),
            None => spec::octets(self.value, self.tokens(mailbox.address)),
        }
    }

    /// Returns the addr-spec of a mailbox if it is not what the tokens of the address say.
    pub fn own_spec(&self, mailbox: &Mailbox) -> Option<&[u8]> {
        mailbox.spec.map(|number| &*self.specs[number.get() as usize - 1])
    }

    /// Gives a mailbox an addr-spec that is not what the tokens of its address say.
    pub fn set_spec(&mut self, mailbox: &mut Mailbox, spec: impl Into<Box<[u8]>>) {
        self.specs.push(spec.into());
        mailbox.spec = NonZeroU32::new(place(self.specs.len()));
    }

    /// Returns whether an address is in brackets.
    pub fn is_in_brackets(&self, mailbox: &Mailbox) -> bool {
        self.tokens(mailbox.address)
            .first()
            .is_some_and(|token| token.kind == TokenKind::Special(b'<'))
    }

    /// Returns whether a mailbox is written with brackets: also if it has a name; or a colon or a
    /// quoted local part, since one or two readers do not find those without.
    pub fn takes_brackets(&self, mailbox: &Mailbox) -> bool {
        let (before, after, octets) =
            (mailbox.before(), mailbox.after(), self.octets(mailbox.address));
        let is_requoted = |spec: &[u8]| {
            spec.starts_with(b"\"") && !octets.starts_with(b"\"") || !spec.contains(&b'@')
        };
        self.is_in_brackets(mailbox)
            || self.own_spec(mailbox).is_some_and(is_requoted)
            || octets.contains(&b':')
            || self.names(before).chain(self.names(after)).next().is_some()
            || self.name_as_text(mailbox).is_some()
    }

    /// Returns the phrases and comments among some words.
    pub fn pieces(&self, words: Words) -> impl Iterator<Item = Piece<'_>> {
        let is_comment = |token: &Token| token.kind == TokenKind::Comment;
        let runs = self.tokens(words).chunk_by(move |a, b| !is_comment(a) && !is_comment(b));
        let runs = runs.map(|run| trimmed(run, |token| token.kind == TokenKind::Space));
        runs.filter(|run| !run.is_empty()).map(|run| match run[0].kind {
            TokenKind::Comment => Piece::Comment(run[0].span()),
            _ => Piece::Phrase(run),
        })
    }

    /// Returns the phrases that name a mailbox, before the address or after it, without stray
    /// specials at their ends, such as the first `<` of `Ada <<a@b>>`.
    pub fn names(&self, words: Words) -> impl Iterator<Item = &[Token]> {
        self.pieces(words).filter_map(|piece| match piece {
            Piece::Phrase(phrase) => Some(name(phrase)).filter(|name| !name.is_empty()),
            Piece::Comment(_) => None,
        })
    }

    /// Returns what comes before the address of a mailbox, if it is text: a comment there contains
    /// a bracket and an `@` or another bracket, which five readers of ten take for another address
    /// or show as a name.
    pub fn name_as_text(&self, mailbox: &Mailbox) -> Option<(&'v [u8], Span)> {
        let imitates = |token: &Token| {
            let octets = &self.value[token.start()..token.end()];
            let may_hold_address = || octets.iter().any(|octet| matches!(octet, b'@' | b'>'));
            token.kind == TokenKind::Comment && octets.contains(&b'<') && may_hold_address()
        };
        let before = mailbox.before();
        self.tokens(before).iter().any(imitates).then(|| (self.octets(before), self.span(before)))
    }

    /// Returns whether some words contain anything that a phrase may not.
    pub fn holds_odd_token(&self, words: Words) -> bool {
        let is_odd = |token: &Token| {
            token.is_special_in_phrase()
                || matches!(token.kind, TokenKind::Literal | TokenKind::Controls)
        };
        self.tokens(words).iter().any(is_odd)
    }

    /// Returns whether some words contain anything that is written as a word, other than a pair of
    /// quotes with nothing in it.
    pub fn says_something(&self, words: Words) -> bool {
        self.tokens(words).iter().any(|token| match token.kind {
            TokenKind::Atom | TokenKind::Literal | TokenKind::Special(_) => true,
            TokenKind::Quoted => token.span().len() > 2,
            _ => false,
        })
    }
}

/// Returns a phrase beside an address without stray specials at its ends; nothing if that is all it
/// has. (Dots may be a name.)
pub fn name(phrase: &[Token]) -> &[Token] {
    let is_nothing = |token: &Token| {
        let is_separator =
            matches!(token.kind, TokenKind::Special(b'<' | b'>' | b',' | b';' | b':'));
        is_separator || token.kind == TokenKind::Space
    };
    let is_word = |token: &Token| {
        !matches!(token.kind, TokenKind::Space | TokenKind::Controls)
            && !token.is_special_in_phrase()
    };
    let name = trimmed(phrase, is_nothing);
    if name.iter().any(is_word) { name } else { &[] }
}

fn trimmed(tokens: &[Token], is_nothing: impl Fn(&Token) -> bool) -> &[Token] {
    let start = tokens.iter().position(|token| !is_nothing(token)).unwrap_or(tokens.len());
    let end = tokens.iter().rposition(|token| !is_nothing(token)).map_or(start, |last| last + 1);
    &tokens[start..end]
}

#[cfg(test)]
mod tests;
