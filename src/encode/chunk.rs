//! What sticks together on a line: items without white space between them, as far as encoded-words and comments let them.

use super::word::MOST_OCTETS;
use super::{Item, Level, Token};

/// How much may stick to an encoded-word.
const MOST_GLUE: usize = 8;
/// How much may stick together where a comment lets white space in.
const MOST_LOOSE: usize = 40;

/// Where the chunk that begins at `from` ends: at white space, or where encoded-words need it.
pub(super) fn chunk_end(items: &[Item<'_>], from: usize) -> usize {
    if items.get(from + 1).is_none_or(|next| !next.space.is_empty()) {
        return from + 1;
    }
    let mut chunk = Chunk::default();
    chunk.take(&items[from]);
    let sticking = items.windows(2).skip(from).take_while(|pair| chunk.sticks(&pair[0], &pair[1]));
    from + 1 + sticking.count()
}

/// What is known of items that stick together.
#[derive(Default)]
struct Chunk {
    length: usize,
    /// Whether text for encoded-words is among them, and how much stands behind it.
    encodes: bool,
    behind: usize,
    words: bool,
}

impl Chunk {
    /// Takes in `item` if it sticks to `last`.
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
                self.behind += if self.encodes { octets.len() } else { 0 };
            }
            Token::Encode(_) => self.encodes = true,
        }
        self.words |= item.holds_word();
    }

    fn has_room(&self, last: &Item<'_>, item: &Item<'_>) -> bool {
        let comment = [last, item].iter().any(|item| item.level == Level::Comment);
        let most = || if self.words || item.holds_word() { MOST_OCTETS } else { MOST_LOOSE };
        let fits = |octets: &[u8]| !comment || self.length + octets.len() <= most();
        match &item.token {
            Token::Encode(_) => !self.encodes && ends_open(last),
            Token::Word(octets) => !self.encodes && fits(octets),
            Token::Plain(octets) if self.encodes => {
                let closes = comment && octets.first() == Some(&b')');
                let behind = matches!(last.token, Token::Plain(_)) || closes;
                behind && self.behind + octets.len() <= MOST_GLUE
            }
            Token::Plain(octets) | Token::Text(octets) => fits(octets),
        }
    }
}

fn ends_open(item: &Item<'_>) -> bool {
    item.level == Level::Comment
        && matches!(&item.token, Token::Plain(octets) if octets.last() == Some(&b'('))
}
