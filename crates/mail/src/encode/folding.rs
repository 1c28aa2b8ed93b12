//! Folding (RFC 5322, 2.2.3; rules G3 and H11): from items to lines.

use super::unbreakable::unbreakable_end;
use super::word::{Content, PlannedWords, single};
use super::{Item, Level, Place, Space, Token};
use crate::codec::scan;
use crate::lengths::{MAX_UNFOLDABLE_LINE, PREFERRED_LINE};
use crate::syntax::encoded_word::{MAX_WORD_LINE, holds_word};
use crate::syntax::lexical::chunks;

/// How much of the first line [`value`] leaves to the field's name.
const NAME: usize = 22;
/// Room for the octets of an encoded-word around its text.
const WORD: usize = 32;
/// The longest value that needs no fold.
pub const MAX_UNFOLDED: usize = PREFERRED_LINE - NAME;

/// Returns a value on its own, folded, without white space before it.
pub fn value(items: &[Item<'_>]) -> Vec<u8> {
    let mut lines = Lines::new(NAME);
    lines.lay(items, Rest::Nothing);
    lines.into_value()
}

/// Whether more items follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Nothing,
    Items,
}

/// A field that is being written in lines.
#[derive(Debug)]
pub struct Lines {
    out: Vec<u8>,
    column: usize,
    /// Whether the line holds an encoded-word.
    words: bool,
    /// Whether the line holds nothing yet but white space or the field's name.
    empty: bool,
    named: bool,
    /// Whether a unit has begun and not ended.
    inside: bool,
    /// A buffer for items that are joined.
    glued: Vec<u8>,
}

impl Lines {
    /// Returns lines for a value that is all text, of about `octets` octets.
    pub(super) fn of_text(octets: usize) -> Self {
        Self { out: Vec::with_capacity(octets * 2 + 64), ..Self::new(NAME) }
    }

    fn new(column: usize) -> Self {
        Self {
            out: Vec::new(),
            column,
            words: false,
            empty: true,
            named: true,
            inside: false,
            glued: Vec::new(),
        }
    }

    /// Returns lines for a field of that name, with a value of about `octets` octets.
    pub fn of_field(name: &[u8], octets: usize) -> Self {
        let out = Vec::with_capacity(name.len() + octets + WORD);
        let mut lines = Self { out, ..Self::new(name.len() + 1) };
        lines.out.extend_from_slice(name);
        lines.out.push(b':');
        lines
    }

    /// Returns how many octets have been written.
    pub fn written(&self) -> usize {
        self.out.len()
    }

    /// Returns the whole field, with its last CRLF.
    pub fn into_field(mut self) -> Vec<u8> {
        self.out.extend_from_slice(b"\r\n");
        self.out
    }

    pub(super) fn into_value(self) -> Vec<u8> {
        self.out
    }

    /// Writes as many items as can be laid out without knowing what follows; returns how many.
    pub fn lay(&mut self, items: &[Item<'_>], rest: Rest) -> usize {
        let mut from = 0;
        while from < items.len() {
            let next = items[from + 1..].iter().position(|item| item.level == Level::Unit);
            let unit = &items[from..next.map_or(items.len(), |n| from + 1 + n)];
            let rest = if next.is_some() { Rest::Nothing } else { rest };
            if !self.begin(unit, rest) {
                break;
            }
            let laid = self.chunks(unit, rest);
            from += laid;
            self.inside = laid < unit.len();
            if self.inside {
                break;
            }
        }
        from
    }

    /// Folds before a unit that does not fit on this line. Returns `false` if that depends on items
    /// still to come.
    fn begin(&mut self, unit: &[Item<'_>], rest: Rest) -> bool {
        if !self.inside && !self.empty {
            if !self.fits_whole(unit) {
                self.fold();
            } else if rest == Rest::Items {
                return false;
            }
        }
        self.inside = true;
        true
    }

    /// Writes a unit, or as much of it as can be; returns how many items were written.
    fn chunks(&mut self, unit: &[Item<'_>], rest: Rest) -> usize {
        let mut from = 0;
        while from < unit.len() {
            let end = unbreakable_end(unit, from);
            if end == unit.len() && rest == Rest::Items {
                break;
            }
            self.chunk(&unit[from..end]);
            from = end;
        }
        from
    }

    /// Writes items without white space between them.
    fn chunk(&mut self, items: &[Item<'_>]) {
        let space = items[0].space;
        if let [Item { token: Token::Plain(octets) | Token::Word(octets), .. }] = items {
            return self.plain(space, octets, holds_word(octets));
        }
        if let [Item { token: Token::Text(words), .. }] = items {
            return self.text(space, words);
        }
        let encoded = items.iter().enumerate().find_map(|(at, item)| match &item.token {
            Token::Encode(run) => Some((at, run)),
            _ => None,
        });
        match encoded {
            None => {
                let mut octets = std::mem::take(&mut self.glued);
                octets.clear();
                concat_into(items, &mut octets);
                self.plain(space, &octets, holds_word(&octets));
                self.glued = octets;
            }
            Some((at, run)) => {
                self.encode(
                    space,
                    &concat(&items[..at]),
                    &Content::of(run, &run.classes()),
                    &concat(&items[at + 1..]),
                );
            }
        }
    }

    /// Writes words, each where it fits.
    pub(super) fn text(&mut self, space: Space, words: &[u8]) {
        let is_wide = |octet, next| (octet == b' ') & (next == b' ');
        let width = space.len().max(1) + words.len();
        if space.width() == 1 && self.fits(width, false) && !scan::any_pair(words, is_wide) {
            return self.plain(space, words, false);
        }
        let mut first = Some(space);
        for (space, word) in chunks(words) {
            self.plain(first.take().unwrap_or(space.into()), word, false);
        }
    }

    fn plain(&mut self, space: Space, octets: &[u8], word: bool) {
        self.make_room(space, octets.len(), word);
        self.put(space, octets, word);
    }

    /// Writes encoded-words with the octets attached to them.
    pub(super) fn encode(
        &mut self,
        space: Space,
        before: &[u8],
        content: &Content<'_>,
        after: &[u8],
    ) {
        let glue = before.len() + after.len();
        let whole = content.single().map(|length| length + glue);
        if self.is_better_folded(content.place, space, whole, glue + content.least()) {
            self.fold();
        }
        // If one space less turns it into a single word, one space less is written.
        let one_word = whole.is_some_and(|whole| self.fits(1 + whole, true));
        let used = self.column + if one_word { 1 } else { space.width() } + glue;
        let (first, rest) =
            (MAX_WORD_LINE.saturating_sub(used), (MAX_WORD_LINE - 1).saturating_sub(glue));
        let mut words = PlannedWords::default();
        content.cut_into(&mut words, first, rest);
        let [first, rest @ ..] = &words[..] else { return };
        let attached = if rest.is_empty() { after.len() } else { 0 };
        self.space(space, before.len() + first.length + attached, true);
        push(before, &mut self.out);
        content.write(&words, &mut self.out);
        push(after, &mut self.out);
        if let Some(last) = rest.last() {
            (self.column, self.named) = (1 + last.length + after.len(), false);
        }
    }

    /// Returns whether encoded-words should begin on a new line: if a single word on it holds
    /// everything (after the name only in a phrase), or if hardly anything fits on this one.
    fn is_better_folded(
        &self,
        place: Place,
        space: Space,
        whole: Option<usize>,
        least: usize,
    ) -> bool {
        let fresh = self.empty && !self.named;
        let fits = |width: usize| self.fits(space.width() + width, true);
        if fresh || whole.is_some_and(fits) {
            return false;
        }
        let one_word = whole.is_some_and(|whole| whole < MAX_WORD_LINE)
            && (!self.empty || place == Place::Phrase);
        one_word || !fits(least)
    }

    /// Folds if white space and `length` octets do not fit on this line, and the fold helps.
    #[inline]
    fn make_room(&mut self, space: Space, length: usize, word: bool) {
        let width = space.len().max(1) + length;
        if !self.fits(width, word) {
            self.fold_before(width, length, word);
        }
    }

    fn fold_before(&mut self, width: usize, length: usize, word: bool) {
        let limit = if word { MAX_WORD_LINE } else { PREFERRED_LINE };
        let after_name = self.empty && self.named;
        if self.empty && !after_name {
            return;
        }
        if !after_name || length < limit || word || self.column + width > MAX_UNFOLDABLE_LINE {
            self.fold();
        }
    }

    #[inline]
    fn fits(&self, width: usize, word: bool) -> bool {
        self.column + width <= if word || self.words { MAX_WORD_LINE } else { PREFERRED_LINE }
    }

    /// Returns whether a unit fits on this line. Measuring stops once it is wider than a line.
    fn fits_whole(&self, unit: &[Item<'_>]) -> bool {
        let mut width = 0;
        let fits = unit.iter().all(|item| {
            width += estimate(item);
            self.column + width <= PREFERRED_LINE
        });
        fits && self
            .fits(width, self.column + width > MAX_WORD_LINE && unit.iter().any(Item::holds_word))
    }

    /// Begins a line; its leading white space is written with what follows.
    fn fold(&mut self) {
        self.out.extend_from_slice(b"\r\n");
        self.column = 0;
        self.words = false;
        self.empty = true;
        self.named = false;
    }

    #[inline]
    fn put(&mut self, space: Space, octets: &[u8], word: bool) {
        self.space(space, octets.len(), word);
        push(octets, &mut self.out);
    }

    /// Writes the white space before `length` octets, which are written next.
    #[inline]
    fn space(&mut self, space: Space, length: usize, word: bool) {
        let limit = if word || self.words { PREFERRED_LINE - 2 } else { MAX_UNFOLDABLE_LINE };
        let fits = space.width() == 1 || self.column + space.width() + length <= limit;
        let space = if fits { space } else { Space::ONE };
        let octets = space.octets();
        // A value on its own begins without white space.
        let octets =
            if self.out.is_empty() { octets.strip_prefix(b" ").unwrap_or(octets) } else { octets };
        push(octets, &mut self.out);
        self.column += space.width() + length;
        self.words |= word;
        self.empty = false;
    }
}

/// Returns the approximate width of an item on one line.
fn estimate(item: &Item<'_>) -> usize {
    let width = match &item.token {
        Token::Plain(octets) | Token::Word(octets) | Token::Text(octets) => octets.len(),
        Token::Encode(run) => single(run).unwrap_or(run.octets.len() * 2),
    };
    item.space.len() + width
}

/// Appends octets; very few are not worth a call.
#[inline]
fn push(octets: &[u8], out: &mut Vec<u8>) {
    match octets {
        [] => {}
        [octet] => out.push(*octet),
        _ => out.extend_from_slice(octets),
    }
}

fn concat(items: &[Item<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    concat_into(items, &mut out);
    out
}

fn concat_into(items: &[Item<'_>], out: &mut Vec<u8>) {
    for item in items {
        if let Token::Plain(octets) | Token::Word(octets) | Token::Text(octets) = &item.token {
            push(octets, out);
        }
    }
}
