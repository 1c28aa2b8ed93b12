//! Items that must stay together on a line: those without white space between them, as far as
//! encoded-words and comments do not separate them.

use super::{Item, Level, Token};
use crate::syntax::encoded_word::MAX_WORD;

/// How many octets may be attached to an encoded-word.
const MAX_GLUE: usize = 8;
/// How many octets stay together where a comment allows white space.
const MAX_LOOSE: usize = 40;

/// Returns the end of the items that stay together from `from` on: at white space, or where
/// encoded-words need some.
pub(super) fn unbreakable_end(items: &[Item<'_>], from: usize) -> usize {
    if items.get(from + 1).is_none_or(|next| !next.space.is_empty()) {
        return from + 1;
    }
    let mut chunk = Chunk::default();
    chunk.take(&items[from]);
    let sticking = items.windows(2).skip(from).take_while(|pair| chunk.sticks(&pair[0], &pair[1]));
    from + 1 + sticking.count()
}

/// The facts about items that stay together.
#[derive(Default)]
struct Chunk {
    length: usize,
    /// Whether text for encoded-words is among them, and how many octets follow it.
    encodes: bool,
    following: usize,
    words: bool,
}

impl Chunk {
    /// Adds `item` if it has to stay with `last`.
    fn sticks(&mut self, last: &Item<'_>, item: &Item<'_>) -> bool {
        let sticks = item.space.is_empty() && self.has_room(last, item);
        if sticks {
            self.take(item);
        }
        sticks
    }

    fn take(&mut self, item: &Item<'_>) {
        match &item.token {
            Token::Plain(octets) | Token::Word(octets) | Token::Text(octets) => {
                self.length += octets.len();
                self.following += if self.encodes { octets.len() } else { 0 };
            }
            Token::Encode(_) => self.encodes = true,
        }
        self.words |= item.holds_word();
    }

    fn has_room(&self, last: &Item<'_>, item: &Item<'_>) -> bool {
        let comment = [last, item].iter().any(|item| item.level == Level::Comment);
        let most = || if self.words || item.holds_word() { MAX_WORD } else { MAX_LOOSE };
        let fits = |octets: &[u8]| !comment || self.length + octets.len() <= most();
        match &item.token {
            Token::Encode(_) => !self.encodes && ends_open(last),
            Token::Word(octets) => !self.encodes && fits(octets),
            Token::Plain(octets) if self.encodes => {
                let closes = comment && octets.first() == Some(&b')');
                let may_follow = matches!(last.token, Token::Plain(_)) || closes;
                may_follow && self.following + octets.len() <= MAX_GLUE
            }
            Token::Plain(octets) | Token::Text(octets) => fits(octets),
        }
    }
}

fn ends_open(item: &Item<'_>) -> bool {
    item.level == Level::Comment
        && matches!(&item.token, Token::Plain(octets) if octets.last() == Some(&b'('))
}
