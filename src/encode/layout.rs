//! Folding (RFC 5322, 2.2.3; rules G3 and H11): items to lines.

use std::ops::Range;

use super::word::{Content, MOST_LINE, MOST_OCTETS, single, words};
use super::{Item, Level, Place, Token};
use crate::codec::scan;
use crate::syntax::encoded_word::holds_word;

/// The longest plain token that is written as it is; longer ones cannot stand on a line of 998 beside a name.
pub(crate) const MOST_PLAIN: usize = 900;

/// The length of a line wherever a fold point exists.
const GOOD_LINE: usize = 78;
/// How much of the first line [`value`] leaves for a field's name.
const NAME: usize = 22;
/// The longest value that needs no fold.
pub(crate) const MOST_UNFOLDED: usize = GOOD_LINE - NAME;
/// How much may stick to an encoded-word.
const MOST_GLUE: usize = 8;
/// How much may stick together where a comment lets white space in.
const MOST_LOOSE: usize = 40;

/// The whole field, folded, with its last CRLF.
pub(crate) fn field(name: &[u8], items: &[Item<'_>]) -> Vec<u8> {
    let mut lines = Lines::new(name.len() + 1);
    lines.out.extend_from_slice(name);
    lines.out.push(b':');
    lines.items(items);
    lines.out.extend_from_slice(b"\r\n");
    lines.out
}

/// A value alone, folded, without white space before it.
pub(crate) fn value(items: &[Item<'_>]) -> Vec<u8> {
    let mut lines = Lines::new(NAME);
    lines.items(items);
    lines.into_value()
}

/// The same for text without controls, without white space at its ends, in which nothing looks like an
/// encoded-word: word by word, where items would say the same.
pub(super) fn text_value(text: &str) -> Vec<u8> {
    let mut lines = Lines::new(NAME);
    lines.out.reserve(text.len() * 2 + NAME);
    let octets = text.as_bytes();
    let (mut at, mut next) = (0, word_behind(octets, 0));
    while !next.octets.is_empty() {
        let Word { octets: word, is_ascii } = next;
        let space = &octets[at..word.start];
        at = word.end;
        next = word_behind(octets, at);
        if is_ascii {
            lines.plain(space, &octets[word], false);
            continue;
        }
        while !next.is_ascii {
            at = next.octets.end;
            next = word_behind(octets, at);
        }
        let content = Content::of_text(&text[word.start..at], Place::Unstructured);
        lines.encode(space, b"", &content, b"");
    }
    lines.into_value()
}

struct Word {
    octets: Range<usize>,
    is_ascii: bool,
}

/// The word behind the spaces at `at`; an empty one at the end.
fn word_behind(octets: &[u8], at: usize) -> Word {
    let start = at + octets[at..].iter().take_while(|&&o| o == b' ').count();
    let (mut end, mut any) = (start, 0);
    while let Some(&eight) = octets[end..].first_chunk() {
        let before = scan::first_of_eight(eight, b' ');
        if before < 8 {
            any |= u64::from_le_bytes(eight) & ((1 << (8 * before)) - 1);
            return Word { octets: start..end + before, is_ascii: any & HIGH == 0 };
        }
        any |= u64::from_le_bytes(eight);
        end += 8;
    }
    let rest = &octets[end..];
    let rest = &rest[..rest.iter().position(|&octet| octet == b' ').unwrap_or(rest.len())];
    Word { octets: start..end + rest.len(), is_ascii: any & HIGH == 0 && rest.is_ascii() }
}

/// The highest bit of each of eight octets.
const HIGH: u64 = 0x8080_8080_8080_8080;

struct Lines {
    out: Vec<u8>,
    column: usize,
    /// Whether the line holds an encoded-word.
    words: bool,
    /// Whether nothing but white space stands on the line yet, or only the field's name.
    empty: bool,
    named: bool,
}

impl Lines {
    fn new(column: usize) -> Self {
        Self { out: Vec::new(), column, words: false, empty: true, named: true }
    }

    fn into_value(mut self) -> Vec<u8> {
        if self.out.first() == Some(&b' ') {
            self.out.remove(0);
        }
        self.out
    }

    fn items(&mut self, items: &[Item<'_>]) {
        let mut from = 0;
        while from < items.len() {
            let next_unit = items[from + 1..]
                .iter()
                .position(|i| i.level == Level::Unit)
                .map_or(items.len(), |n| from + 1 + n);
            self.unit(&items[from..next_unit]);
            from = next_unit;
        }
    }

    fn unit(&mut self, items: &[Item<'_>]) {
        if !self.empty && !self.fits(estimate(items), items.iter().any(Item::holds_word)) {
            self.fold();
        }
        let mut from = 0;
        while from < items.len() {
            let end = chunk_end(items, from);
            self.chunk(&items[from..end]);
            from = end;
        }
    }

    /// Writes items that no white space separates.
    fn chunk(&mut self, items: &[Item<'_>]) {
        let space = &items[0].space;
        match items.iter().position(|item| matches!(item.token, Token::Encode(_))) {
            None => {
                let octets = concat(items);
                self.plain(space, &octets, holds_word(&octets));
            }
            Some(at) => {
                let Token::Encode(run) = &items[at].token else { return };
                self.encode(space, &concat(&items[..at]), &Content::of(run), &concat(&items[at + 1..]));
            }
        }
    }

    fn plain(&mut self, space: &[u8], octets: &[u8], word: bool) {
        self.make_room(space.len().max(1) + octets.len(), octets.len(), word);
        self.put(space, octets, word);
    }

    /// Writes encoded-words with what sticks to them.
    fn encode(&mut self, space: &[u8], before: &[u8], content: &Content<'_>, after: &[u8]) {
        let glue = before.len() + after.len();
        let whole = content.single().map(|length| length + glue);
        if self.is_better_folded(content.place, space, whole, glue + content.least()) {
            self.fold();
        }
        // Where one space less makes one word of it, one space less is written.
        let one_word = whole.is_some_and(|whole| self.fits(1 + whole, true));
        let used = self.column + if one_word { 1 } else { self.space_width(space) } + glue;
        let (first, rest) = (MOST_LINE.saturating_sub(used), (MOST_LINE - 1).saturating_sub(glue));
        let (encoding, ends) = content.cuts(first, rest);
        for cut in words(&ends) {
            let before = if cut.start == 0 { before } else { b"" };
            let after = if cut.end == content.octets.len() { after } else { b"" };
            if cut.start > 0 {
                self.fold();
            }
            let length = before.len() + content.word_len(encoding, &cut) + after.len();
            self.space(if cut.start == 0 { space } else { b" " }, length, true);
            self.out.extend_from_slice(before);
            content.write(encoding, cut, &mut self.out);
            self.out.extend_from_slice(after);
        }
    }

    /// Whether encoded-words should begin on a new line: where one word on it says all (behind the name only in
    /// a phrase), or where nothing of use fits on this one.
    fn is_better_folded(&self, place: Place, space: &[u8], whole: Option<usize>, least: usize) -> bool {
        let fresh = self.empty && !self.named;
        let fits = |width: usize| self.fits(self.space_width(space) + width, true);
        if fresh || whole.is_some_and(fits) {
            return false;
        }
        let one_word =
            whole.is_some_and(|whole| whole < MOST_LINE) && (!self.empty || place == Place::Phrase);
        one_word || !fits(least)
    }

    /// Folds if `width` more octets do not fit on this line, and the fold helps.
    fn make_room(&mut self, width: usize, length: usize, word: bool) {
        let limit = if word { MOST_LINE } else { GOOD_LINE };
        let behind_name = self.empty && self.named;
        if self.fits(width, word) || self.empty && !behind_name {
            return;
        }
        if !behind_name || length < limit || word || self.column + width > 990 {
            self.fold();
        }
    }

    fn fits(&self, width: usize, word: bool) -> bool {
        self.column + width <= if word || self.words { MOST_LINE } else { GOOD_LINE }
    }

    /// Begins a line; the white space on it is written with what follows.
    fn fold(&mut self) {
        self.out.extend_from_slice(b"\r\n");
        self.column = 0;
        self.words = false;
        self.empty = true;
        self.named = false;
    }

    /// How much white space is written for `space`: some, and not too much.
    fn space_width(&self, space: &[u8]) -> usize {
        if (1..=MOST_GLUE).contains(&space.len()) { space.len() } else { 1 }
    }

    fn put(&mut self, space: &[u8], octets: &[u8], word: bool) {
        self.space(space, octets.len(), word);
        self.out.extend_from_slice(octets);
    }

    /// Writes the white space before `length` octets, which are written next.
    fn space(&mut self, space: &[u8], length: usize, word: bool) {
        let width = self.space_width(space);
        let fits = self.column + width + length <= GOOD_LINE - 2 || width == 1;
        let space = if width == space.len() && fits { space } else { b" " };
        self.out.extend_from_slice(space);
        self.column += space.len() + length;
        self.words |= word;
        self.empty = false;
    }
}

/// Where the chunk that begins at `from` ends: at white space, or where encoded-words need it.
fn chunk_end(items: &[Item<'_>], from: usize) -> usize {
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
            Token::Plain(octets) | Token::Word(octets) => {
                self.length += octets.len();
                self.behind += if self.encodes { octets.len() } else { 0 };
            }
            Token::Encode(_) => self.encodes = true,
        }
        self.words |= item.holds_word();
    }

    fn has_room(&self, last: &Item<'_>, item: &Item<'_>) -> bool {
        let comment = [last, item].iter().any(|item| item.level == Level::Comment);
        let most = if self.words || item.holds_word() { MOST_OCTETS } else { MOST_LOOSE };
        let fits = |octets: &[u8]| !comment || self.length + octets.len() <= most;
        match &item.token {
            Token::Encode(_) => !self.encodes && ends_open(last),
            Token::Word(octets) => !self.encodes && fits(octets),
            Token::Plain(octets) if self.encodes => {
                let closes = comment && octets.first() == Some(&b')');
                let behind = matches!(last.token, Token::Plain(_)) || closes;
                behind && self.behind + octets.len() <= MOST_GLUE
            }
            Token::Plain(octets) => fits(octets),
        }
    }
}

fn ends_open(item: &Item<'_>) -> bool {
    item.level == Level::Comment
        && matches!(&item.token, Token::Plain(octets) if octets.last() == Some(&b'('))
}

/// How wide a unit is on one line, about.
fn estimate(items: &[Item<'_>]) -> usize {
    let width = |item: &Item<'_>| match &item.token {
        Token::Plain(octets) | Token::Word(octets) => octets.len(),
        Token::Encode(run) => single(run).unwrap_or(run.octets.len() * 2),
    };
    items.iter().map(|item| item.space.len() + width(item)).sum()
}

fn concat(items: &[Item<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for item in items {
        if let Token::Plain(octets) | Token::Word(octets) = &item.token {
            out.extend_from_slice(octets);
        }
    }
    out
}
