//! The items that a field is written from: tokens that stay as they are, and text for
//! encoded-words.

use super::octets::Octets;
use super::place::Place;
use super::space::Space;
use crate::Charset;
use crate::syntax::encoded_word::holds_word;

/// Text that goes into encoded-words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    /// The charset label; `None` for UTF-8 (US-ASCII if that suffices).
    pub label: Option<Octets<'a>>,
    pub octets: Octets<'a>,
    pub place: Place,
}

impl Run<'_> {
    /// Returns whether the octets are in a charset in which a US-ASCII space is another character,
    /// or half of one.
    pub(super) fn has_other_spaces(&self) -> bool {
        let label = self.label.as_ref().and_then(|label| std::str::from_utf8(label).ok());
        label.and_then(Charset::for_label_lenient).is_some_and(|(charset, _)| charset.is_wide())
    }

    fn prepend_spaces(&mut self, count: usize) {
        let octets = std::mem::take(&mut self.octets);
        self.octets.append_spaces(count);
        self.octets.append(&octets);
    }
}

/// One token of a field's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// Octets as they are written; never folded inside.
    Plain(Octets<'a>),
    /// Words as they are written, with white space between them, and around them too.
    Text(Octets<'a>),
    /// An encoded-word that is kept.
    Word(Octets<'a>),
    /// Text for encoded-words.
    Encode(Box<Run<'a>>),
}

/// The role of a token in the field's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Token,
    /// Part of a comment: white space may be inserted before it and after it.
    Comment,
    /// The first token of a unit at the highest syntactic level, which is the best place to fold.
    Unit,
}

/// A token with the white space before it, unfolded. Without white space it is attached to the
/// token before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item<'a> {
    pub space: Space,
    pub token: Token<'a>,
    pub level: Level,
}

impl<'a> Item<'a> {
    pub fn new(space: impl Into<Space>, token: Token<'a>) -> Self {
        Self { space: space.into(), token, level: Level::Token }
    }

    pub fn plain(space: impl Into<Space>, octets: impl Into<Octets<'a>>) -> Self {
        Self::new(space, Token::Plain(octets.into()))
    }

    /// Returns whether an encoded-word is part of it.
    pub fn holds_word(&self) -> bool {
        match &self.token {
            Token::Plain(octets) | Token::Word(octets) => holds_word(octets),
            Token::Encode(_) => true,
            Token::Text(_) => false,
        }
    }
}

/// Joins text that goes into the same encoded-words, and moves the white space between two words
/// into one of them, since readers drop it outside (rule H4). The first `settled` items have been
/// treated already.
pub fn settle(items: &mut Vec<Item<'_>>, settled: usize) {
    let start = settled.saturating_sub(1);
    if start == 0 {
        return items.dedup_by(|item, last| join_adjacent(last, item));
    }
    let mut rest = items.split_off(start);
    rest.dedup_by(|item, last| join_adjacent(last, item));
    items.append(&mut rest);
}

/// Settles the white space between two items; returns whether the second was joined to the first.
fn join_adjacent(last: &mut Item<'_>, item: &mut Item<'_>) -> bool {
    let spaces = item.space.len();
    match (&mut last.token, &mut item.token) {
        (Token::Encode(left), Token::Encode(right))
            if left.has_other_spaces() && !right.has_other_spaces() =>
        {
            right.prepend_spaces(spaces);
        }
        (Token::Encode(left), Token::Encode(right)) => {
            left.octets.append_spaces(spaces);
            if left.label == right.label && left.place == right.place {
                left.octets.append(&right.octets);
                return true;
            }
        }
        // The space is lost in that case; within one text there is none.
        (Token::Encode(left), Token::Word(_)) if left.has_other_spaces() => {}
        (Token::Word(_), Token::Encode(right)) if right.has_other_spaces() => {}
        (Token::Encode(left), Token::Word(_)) => left.octets.append_spaces(spaces),
        (Token::Word(_), Token::Encode(right)) => right.prepend_spaces(spaces),
        (Token::Word(_), Token::Word(_)) if spaces == 0 => {}
        _ => return false,
    }
    item.space = Space::ONE;
    false
}
