//! Text cut at its white space: what stays plain, and what goes into encoded-words (rule H4).

use std::borrow::Cow;

use super::{Item, MOST_PLAIN, Place, Run, Token};
use crate::syntax::lexical::{is_atext, is_special};

/// One word of text.
#[derive(Clone, Debug)]
enum Atom<'a> {
    Text(String),
    /// Text beside a word or such octets, without white space: it has to be encoded as they are.
    Encoded(String),
    /// An encoded-word that is kept.
    Word(Cow<'a, [u8]>),
    /// Octets that keep the label of their charset.
    Octets {
        label: Cow<'a, [u8]>,
        octets: Vec<u8>,
    },
}

/// Text as it is put together, word by word, each with the white space before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Atoms<'a> {
    atoms: Vec<(String, Atom<'a>)>,
    space: String,
    /// Whether the white space is text, and not just what stands between two words.
    meant: bool,
}

impl<'a> Atoms<'a> {
    /// Adds white space.
    pub(crate) fn space(&mut self, space: &str) {
        self.space.push_str(space);
    }

    /// Adds text.
    pub(crate) fn text(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let word = rest.find(|c| !matches!(c, ' ' | '\t')).unwrap_or(rest.len());
            self.space.push_str(&rest[..word]);
            self.meant |= word > 0;
            let tail = &rest[word..];
            let end = tail.find([' ', '\t']).unwrap_or(tail.len());
            self.word_of_text(&tail[..end]);
            rest = &tail[end..];
        }
    }

    /// Adds an encoded-word as it is.
    pub(crate) fn word(&mut self, word: impl Into<Cow<'a, [u8]>>) {
        self.encode_last();
        if self.meant && matches!(self.atoms.last(), Some((_, Atom::Word(_)))) {
            let space = std::mem::take(&mut self.space);
            self.push(Atom::Encoded(space));
        }
        self.push(Atom::Word(word.into()));
    }

    /// Adds octets in a charset that is not ours to decode.
    pub(crate) fn octets(&mut self, label: impl Into<Cow<'a, [u8]>>, octets: Vec<u8>) {
        let label = label.into();
        match self.atoms.last_mut().filter(|_| self.space.is_empty()) {
            Some((_, Atom::Octets { label: last, octets: grown })) if *last == label => grown.extend(octets),
            _ => {
                self.encode_last();
                self.push(Atom::Octets { label, octets });
            }
        }
    }

    /// All of a text, white space at its ends included; controls are taken out.
    pub(super) fn whole_text(&mut self, text: &str) {
        let clean: String = text.chars().map(|c| if c.is_control() { control(c) } else { c }).collect();
        let inner = clean.trim_matches(' ');
        let Some(at) = clean.find(inner).filter(|_| !inner.is_empty()) else {
            self.push(Atom::Text(clean));
            return;
        };
        self.text(inner);
        if let Some((_, Atom::Text(text))) = self.atoms.first_mut() {
            text.insert_str(0, &clean[..at]);
        }
        if let Some((_, Atom::Text(text))) = self.atoms.last_mut() {
            text.push_str(&clean[at + inner.len()..]);
        }
    }

    /// The items that say the text in `place`.
    pub(crate) fn into_items(self, place: Place) -> Vec<Item<'a>> {
        if place == Place::Phrase
            && let Some(quoted) = self.quoted()
        {
            return vec![Item::plain(b"".as_slice(), quoted)];
        }
        self.atoms
            .into_iter()
            .map(|(space, atom)| Item::new(space.into_bytes(), atom.into_token(place)))
            .collect()
    }

    /// Adds one word; it grows the word before it if no white space stands between.
    fn word_of_text(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        match self.atoms.last_mut().filter(|_| self.space.is_empty()) {
            Some((_, Atom::Text(text) | Atom::Encoded(text))) => text.push_str(word),
            Some((_, Atom::Octets { .. } | Atom::Word(_))) => self.push(Atom::Encoded(word.to_owned())),
            _ => self.push(Atom::Text(word.to_owned())),
        }
    }

    /// Text that ends where something encoded begins is encoded too.
    fn encode_last(&mut self) {
        if let Some((_, last @ Atom::Text(_))) = self.atoms.last_mut().filter(|_| self.space.is_empty())
            && let Atom::Text(text) = last
        {
            *last = Atom::Encoded(std::mem::take(text));
        }
    }

    fn push(&mut self, atom: Atom<'a>) {
        self.meant = false;
        self.atoms.push((std::mem::take(&mut self.space), atom));
    }

    /// The quoted-string that says a phrase, if one is needed and nothing is to be encoded.
    fn quoted(&self) -> Option<Vec<u8>> {
        let mut out = vec![b'"'];
        let mut needed = false;
        for (n, (space, atom)) in self.atoms.iter().enumerate() {
            let Atom::Text(text) = atom else { return None };
            if !text.bytes().all(|o| matches!(o, b' '..=b'~')) || text.contains("=?") {
                return None;
            }
            needed |= !text.bytes().all(is_atext);
            if n > 0 {
                out.extend(space.bytes().map(|_| b' '));
            }
            for octet in text.bytes() {
                if matches!(octet, b'"' | b'\\') {
                    out.push(b'\\');
                }
                out.push(octet);
            }
        }
        out.push(b'"');
        (needed && out.len() <= MOST_PLAIN).then_some(out)
    }
}

impl<'a> Atom<'a> {
    fn into_token(self, place: Place) -> Token<'a> {
        match self {
            Self::Text(text) if is_plain(text.as_bytes(), place) => Token::Plain(text.into_bytes().into()),
            Self::Text(text) | Self::Encoded(text) => {
                Token::Encode(Run { label: None, octets: text.into_bytes(), place })
            }
            Self::Word(word) => Token::Word(word),
            Self::Octets { label, octets } => Token::Encode(Run { label: Some(label), octets, place }),
        }
    }
}

/// Whether a word may stand in `place` without being encoded.
fn is_plain(word: &[u8], place: Place) -> bool {
    let fine = |o: &u8| match place {
        Place::Unstructured => o.is_ascii_graphic(),
        Place::Phrase => o.is_ascii_graphic() && !is_special(*o),
        Place::Comment => o.is_ascii_graphic() && !matches!(o, b'(' | b')' | b'\\'),
    };
    let looks_encoded = word.windows(2).any(|w| w == b"=?");
    word.len() <= MOST_PLAIN && !looks_encoded && word.iter().all(fine)
}

fn control(c: char) -> char {
    if matches!(c, '\r' | '\n' | '\t') { ' ' } else { char::REPLACEMENT_CHARACTER }
}
