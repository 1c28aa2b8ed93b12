//! What a field is written from: tokens that stay as they are, and text for encoded-words.

use std::borrow::Cow;

use crate::syntax::encoded_word::holds_word;

/// Where encoded-words stand: that decides which octets Q may hold (RFC 2047, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Unstructured,
    Phrase,
    Comment,
}

/// Text that goes into encoded-words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run<'a> {
    /// The charset label; nothing for UTF-8 (US-ASCII where that suffices).
    pub(crate) label: Option<Cow<'a, [u8]>>,
    pub(crate) octets: Vec<u8>,
    pub(crate) place: Place,
}

/// One token of a field's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Octets as they are written; never folded inside.
    Plain(Cow<'a, [u8]>),
    /// An encoded-word that is kept.
    Word(Cow<'a, [u8]>),
    /// Text for encoded-words.
    Encode(Run<'a>),
}

/// What a token is to the field's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Token,
    /// Part of a comment: white space may be put before it and behind it.
    Comment,
    /// The first of a unit of the highest syntactic level: the best place to fold.
    Unit,
}

/// A token with the white space before it, unfolded. Without white space it sticks to the token before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item<'a> {
    pub(crate) space: Cow<'a, [u8]>,
    pub(crate) token: Token<'a>,
    pub(crate) level: Level,
}

impl<'a> Item<'a> {
    pub(crate) fn new(space: impl Into<Cow<'a, [u8]>>, token: Token<'a>) -> Self {
        Self { space: space.into(), token, level: Level::Token }
    }

    pub(crate) fn plain(space: impl Into<Cow<'a, [u8]>>, octets: impl Into<Cow<'a, [u8]>>) -> Self {
        Self::new(space, Token::Plain(octets.into()))
    }

    /// Whether an encoded-word is part of it.
    pub(crate) fn holds_word(&self) -> bool {
        match &self.token {
            Token::Plain(octets) | Token::Word(octets) => holds_word(octets),
            Token::Encode(_) => true,
        }
    }
}

/// Joins text that goes into the same encoded-words, and brings the white space between two words inside
/// one of them, since readers drop it outside (rule H4).
pub(crate) fn settle(items: Vec<Item<'_>>) -> Vec<Item<'_>> {
    let mut out: Vec<Item<'_>> = Vec::with_capacity(items.len());
    for mut item in items {
        if let Some(last) = out.last_mut()
            && beside(last, &mut item)
        {
            continue;
        }
        out.push(item);
    }
    out
}

/// Settles the white space between two items; says whether the second went into the first.
fn beside(last: &mut Item<'_>, item: &mut Item<'_>) -> bool {
    let spaces = item.space.len();
    match (&mut last.token, &mut item.token) {
        (Token::Encode(left), Token::Encode(right)) => {
            left.octets.extend(std::iter::repeat_n(b' ', spaces));
            if left.label == right.label && left.place == right.place {
                left.octets.append(&mut right.octets);
                return true;
            }
        }
        (Token::Encode(left), Token::Word(_)) => left.octets.extend(std::iter::repeat_n(b' ', spaces)),
        (Token::Word(_), Token::Encode(right)) => {
            right.octets.splice(0..0, std::iter::repeat_n(b' ', spaces));
        }
        _ => return false,
    }
    item.space = Cow::Borrowed(b" ");
    false
}
