//! Text split at its white space: what stays plain, and what goes into encoded-words (rule H4).

use super::{Item, MAX_TOKEN, Octets, Place, Run, Space, Token};
use crate::ascii::{is_printable, is_wsp};
use crate::syntax::encoded_word::{mark, next_word};
use crate::syntax::lexical::{escape_into, is_atext};

/// The longest word that is joined with others.
const MAX_JOINED: usize = 64;

/// Labels for US-ASCII, the usual one first.
const ASCII_LABELS: [&[u8]; 3] = [b"us-ascii", b"utf-8", b"iso-8859-1"];

/// One word of text.
#[derive(Clone, Debug)]
enum TextWord<'a> {
    Text(Octets<'a>),
    /// Words that need no encoding in any place, with white space between them, before and after.
    Plain(Octets<'a>),
    /// Text attached to a word or to labelled octets without white space: it has to be encoded as
    /// they are.
    Encoded(Octets<'a>),
    /// An encoded-word that is kept.
    Word(Octets<'a>),
    /// Octets that keep their charset label; their place is not known yet.
    Octets(Box<Run<'a>>),
}

/// Text assembled word by word, each with the white space before it.
#[derive(Clone, Debug, Default)]
pub struct TextWords<'a> {
    /// The words, each with the white space before it.
    words: Vec<(Space, TextWord<'a>)>,
    /// The white space before the next word.
    space: Octets<'a>,
    /// Whether the white space is text, not merely a separator between two encoded-words.
    space_is_text: bool,
    /// Whether the next word was read by itself, not together with the last one.
    is_read_apart: bool,
}

impl<'a> TextWords<'a> {
    /// Adds white space.
    pub fn space(&mut self, space: &[u8]) {
        self.space.append(space);
    }

    /// Adds text.
    pub fn text(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let start = rest.iter().position(|&o| !is_wsp(o)).unwrap_or(rest.len());
            let (space, tail) = rest.split_at(start);
            self.space.append(space);
            self.space_is_text |= start > 0;
            let end = tail.iter().position(|&o| is_wsp(o)).unwrap_or(tail.len());
            let (word, after) = tail.split_at(end);
            self.word_of_text(word);
            rest = after;
        }
    }

    /// Adds an encoded-word as it is.
    pub fn word(&mut self, word: impl Into<Octets<'a>>) {
        self.encode_last();
        let word = TextWord::Word(word.into());
        let label = word.label().unwrap_or_default();
        if self.was_read_apart_from(|last| last.is_octets() && last.has(label)) {
            self.text(" ");
        }
        self.encode_space_before(false);
        self.push(word);
    }

    /// Returns whether what comes last is in an encoded-word, and nothing was added since [the
    /// reading was broken](Self::break_reading).
    pub fn ends_encoded_and_apart(&self) -> bool {
        self.was_read_apart_from(|last| matches!(last, TextWord::Word(_)) || last.is_octets())
    }

    /// Notes that what comes next was read by itself, not together with what is last.
    pub fn break_reading(&mut self) {
        self.is_read_apart = true;
    }

    /// Adds octets in a charset that cannot be decoded. Those that were read apart are kept apart
    /// by a space: together they could be text the next time (rule G7).
    pub fn octets(&mut self, label: impl Into<Octets<'a>>, octets: &[u8]) {
        let label = label.into();
        if self.was_read_apart_from(|last| last.has(&label)) {
            self.text(" ");
        }
        let label = Some(label);
        match self.last_beside() {
            Some((_, TextWord::Octets(last))) if last.label == label => last.octets.append(octets),
            _ => {
                self.encode_last();
                let run = Run { label, octets: Octets::copied(octets), place: Place::Unstructured };
                self.encode_space_before(run.has_other_spaces());
                self.push(TextWord::Octets(Box::new(run)));
            }
        }
    }

    /// Returns the last word, if what comes next is directly beside it.
    fn last_beside(&mut self) -> Option<&mut (Space, TextWord<'a>)> {
        if self.space.is_empty() { self.words.last_mut() } else { None }
    }

    /// Returns whether what comes next was read by itself, directly after something that is last.
    fn was_read_apart_from(&self, is_concerned: impl Fn(&TextWord<'a>) -> bool) -> bool {
        self.is_read_apart
            && self.space.is_empty()
            && self.words.last().is_some_and(|(_, last)| is_concerned(last))
    }

    /// Adds a whole text, with the white space at its ends; controls are replaced.
    pub(super) fn whole_text(&mut self, text: &str) {
        let carried = text.chars().filter(|&c| c != '\0');
        let clean: String = carried.map(|c| if c.is_control() { ' ' } else { c }).collect();
        let inner = clean.trim_matches(' ');
        if inner.is_empty() {
            self.push(TextWord::Text(clean.into_bytes().into()));
            return;
        }
        let at = clean.len() - clean.trim_start_matches(' ').len();
        self.text(inner);
        if let Some((_, TextWord::Text(text))) = self.words.first_mut() {
            *text = [&clean.as_bytes()[..at], text].concat().into();
        }
        if let Some((_, TextWord::Text(text))) = self.words.last_mut() {
            text.append(&clean.as_bytes()[at + inner.len()..]);
        }
    }

    /// Adds the items that write the text in `place`.
    pub fn append_to(mut self, items: &mut Vec<Item<'a>>, place: Place) {
        if place == Place::Phrase
            && let Some(quoted) = self.quoted()
        {
            return items.push(Item::plain(Space::default(), quoted));
        }
        self.keep_out_of_false_words();
        let words =
            self.words.into_iter().map(|(space, word)| Item::new(space, word.into_token(place)));
        if items.is_empty() {
            *items = words.collect(); // in the room of the words: nothing is allocated
        } else {
            items.extend(words);
        }
    }

    /// Gives encoded US-ASCII another label than the encoded-words beside it have. Those may hold
    /// octets that are not US-ASCII whatever their label says, and a reader that joins words of one
    /// label would take that label for true in part.
    fn keep_out_of_false_words(&mut self) {
        for at in 0..self.words.len() {
            let is_ascii = matches!(&self.words[at].1, TextWord::Encoded(text) if text.is_ascii());
            let is_free = |label: &&[u8]| !self.is_beside(at, label);
            if !is_ascii || is_free(&ASCII_LABELS[0]) {
                continue;
            }
            let label = ASCII_LABELS.into_iter().find(is_free).map(Octets::from);
            if let TextWord::Encoded(text) = &mut self.words[at].1 {
                let run = Run { label, octets: std::mem::take(text), place: Place::Unstructured };
                self.words[at].1 = TextWord::Octets(Box::new(run));
            }
        }
    }

    /// Returns whether the word at place `at` is beside an encoded-word with this label.
    fn is_beside(&self, at: usize, label: &[u8]) -> bool {
        let has = |at: usize| self.words.get(at).is_some_and(|(_, word)| word.has(label));
        at.checked_sub(1).is_some_and(has) || has(at + 1)
    }

    /// Adds one word, to the word before it if there is no white space between them.
    fn word_of_text(&mut self, word: &[u8]) {
        if word.is_empty() {
            return;
        }
        match self.last_beside() {
            Some((_, TextWord::Text(text) | TextWord::Encoded(text))) => text.append(word),
            Some((_, TextWord::Octets(_) | TextWord::Word(_))) => {
                self.push(TextWord::Encoded(Octets::copied(word)))
            }
            _ => self.push(TextWord::Text(Octets::copied(word))),
        }
    }

    /// Encodes the white space after something encoded if what follows, encoded as well, cannot
    /// hold that: as text in words of either, the space would let them be read together.
    fn encode_space_before(&mut self, has_other_spaces: bool) {
        let is_text = match self.words.last() {
            Some((_, TextWord::Word(_))) => self.space_is_text || has_other_spaces,
            Some((_, TextWord::Octets(run))) => self.space_is_text || run.has_other_spaces(),
            _ => false,
        };
        if is_text && !self.space.is_empty() {
            let space = std::mem::take(&mut self.space);
            self.push(TextWord::Encoded(space));
        }
    }

    /// Encodes text directly before something encoded.
    fn encode_last(&mut self) {
        if let Some((_, last @ TextWord::Text(_))) = self.last_beside()
            && let TextWord::Text(text) = last
        {
            *last = TextWord::Encoded(std::mem::take(text));
        }
    }

    fn push(&mut self, word: TextWord<'a>) {
        if !self.space.is_empty() {
            self.join_last();
        }
        (self.space_is_text, self.is_read_apart) = (false, false);
        self.words.push((Space::from(&self.space[..]), word));
        self.space = Octets::default();
    }

    /// Joins a word that needs no encoding in any place with those before it; white space follows
    /// it.
    fn join_last(&mut self) {
        let [.., (_, before), (space, last)] = &mut self.words[..] else { return };
        let TextWord::Text(word) = last else { return };
        let needs_nothing = |o: u8| o.is_ascii_graphic() && is_atext(o) && o != b'?';
        if space.is_empty() || word.len() > MAX_JOINED || !word.iter().all(|&o| needs_nothing(o)) {
            return;
        }
        match before {
            TextWord::Plain(words) if space.len() == 1 => {
                words.append(space.octets());
                words.append(word);
                self.words.pop();
            }
            _ => *last = TextWord::Plain(std::mem::take(word)),
        }
    }

    /// Returns the quoted-string for a phrase, if one is needed and nothing has to be encoded.
    fn quoted(&self) -> Option<Vec<u8>> {
        let mut out = vec![b'"'];
        let mut needed = false;
        for (n, (space, word)) in self.words.iter().enumerate() {
            let text = match word {
                TextWord::Plain(text) => text,
                TextWord::Text(text)
                    if text.iter().all(|&o| is_printable(o)) && mark(text, 0).is_none() =>
                {
                    needed |= !text.iter().all(|&o| is_atext(o));
                    text
                }
                _ => return None,
            };
            if out.len() > MAX_TOKEN {
                return None;
            }
            if n > 0 {
                out.extend(std::iter::repeat_n(b' ', space.len().min(MAX_TOKEN)));
            }
            escape_into(text, &mut out);
        }
        out.push(b'"');
        out.iter_mut().filter(|octet| **octet == b'\t').for_each(|octet| *octet = b' ');
        (needed && out.len() <= MAX_TOKEN).then_some(out)
    }
}

impl<'a> TextWord<'a> {
    fn is_octets(&self) -> bool {
        matches!(self, Self::Octets(_))
    }

    /// Returns the charset label of kept words and of octets.
    fn label(&self) -> Option<&[u8]> {
        match self {
            Self::Octets(run) => run.label.as_deref(),
            Self::Word(word) => next_word(word, 0).map(|(_, word)| word.charset),
            _ => None,
        }
    }

    /// Returns whether it is in words with this charset label.
    fn has(&self, label: &[u8]) -> bool {
        self.label().is_some_and(|own| own.eq_ignore_ascii_case(label))
    }

    fn into_token(self, place: Place) -> Token<'a> {
        match self {
            Self::Text(text) if is_plain(&text, place) => Token::Plain(text),
            Self::Text(text) | Self::Encoded(text) => {
                Token::Encode(Box::new(Run { label: None, octets: text, place }))
            }
            Self::Plain(words) => Token::Text(words),
            Self::Word(word) => Token::Word(word),
            Self::Octets(mut run) => {
                run.place = place;
                Token::Encode(run)
            }
        }
    }
}

/// Returns the quoted-string that [`TextWords`] make of one word in a phrase; `None` if there may
/// be another way to write it. Hostile lists are full of signs that are phrases.
pub fn quoted_word(word: &[u8]) -> Option<Octets<'static>> {
    let is_itself = |o: u8| o.is_ascii_graphic() && !matches!(o, b'?' | b'"' | b'\\');
    let is_quoted = word.len() <= MAX_TOKEN - 2 && word.iter().all(|&o| is_itself(o));
    (is_quoted && !word.iter().all(|&o| is_atext(o))).then(|| Octets::joined([b"\"", word, b"\""]))
}

/// Returns whether a word may be written in `place` without being encoded.
fn is_plain(word: &[u8], place: Place) -> bool {
    word.len() <= MAX_TOKEN
        && word.iter().all(|&octet| place.may_hold(octet))
        && mark(word, 0).is_none()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn one_word_is_quoted_as_text_is(word in r#"[a@,.<]{0,4}[ -~]?[a@,.<]{0,3}|[a@]{990,1000}"#) {
            let (mut text, mut items) = (TextWords::default(), Vec::new());
            text.text(&word);
            text.append_to(&mut items, Place::Phrase);
            if let Some(quoted) = quoted_word(word.as_bytes()) {
                prop_assert_eq!(items, [Item::plain(Space::default(), quoted)]);
            }
        }
    }
}
