//! Text cut at its white space: what stays plain, and what goes into encoded-words (rule H4).

use super::{Item, MOST_PLAIN, Octets, Place, Run, Space, Token};
use crate::ascii::is_wsp;
use crate::syntax::encoded_word::mark;
use crate::syntax::lexical::{is_atext, is_special};

/// The longest word that others join.
const MOST_JOINED: usize = 64;

/// One word of text.
#[derive(Clone, Debug)]
enum Atom<'a> {
    Text(Octets<'a>),
    /// Words that need nothing in any place, with white space between them, before and behind.
    Plain(Octets<'a>),
    /// Text beside a word or such octets, without white space: it has to be encoded as they are.
    Encoded(Octets<'a>),
    /// An encoded-word that is kept.
    Word(Octets<'a>),
    /// Octets that keep the label of their charset; their place is not known yet.
    Octets(Box<Run<'a>>),
}

/// Text as it is put together, word by word, each with the white space before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Atoms<'a> {
    atoms: Vec<(Space, Atom<'a>)>,
    space: Octets<'a>,
    /// Whether the white space is text, and not just what stands between two words.
    meant: bool,
}

impl<'a> Atoms<'a> {
    /// Adds white space.
    pub(crate) fn space(&mut self, space: &[u8]) {
        self.space.append(space);
    }

    /// Adds text.
    pub(crate) fn text(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let start = rest.iter().position(|&o| !is_wsp(o)).unwrap_or(rest.len());
            let (space, tail) = rest.split_at(start);
            self.space.append(space);
            self.meant |= start > 0;
            let end = tail.iter().position(|&o| is_wsp(o)).unwrap_or(tail.len());
            let (word, behind) = tail.split_at(end);
            self.word_of_text(word);
            rest = behind;
        }
    }

    /// Adds an encoded-word as it is.
    pub(crate) fn word(&mut self, word: impl Into<Octets<'a>>) {
        self.encode_last();
        if self.meant && matches!(self.atoms.last(), Some((_, Atom::Word(_)))) {
            let space = std::mem::take(&mut self.space);
            self.push(Atom::Encoded(space));
        }
        self.push(Atom::Word(word.into()));
    }

    /// Adds octets in a charset that is not ours to decode.
    pub(crate) fn octets(&mut self, label: impl Into<Octets<'a>>, octets: &[u8]) {
        let label = Some(label.into());
        match self.atoms.last_mut().filter(|_| self.space.is_empty()) {
            Some((_, Atom::Octets(last))) if last.label == label => last.octets.append(octets),
            _ => {
                self.encode_last();
                let octets = Octets::copied(octets);
                self.push(Atom::Octets(Box::new(Run { label, octets, place: Place::Unstructured })));
            }
        }
    }

    /// All of a text, white space at its ends included; controls are taken out.
    pub(super) fn whole_text(&mut self, text: &str) {
        let clean: String = text.chars().map(|c| if c.is_control() { control(c) } else { c }).collect();
        let inner = clean.trim_matches(' ');
        let Some(at) = clean.find(inner).filter(|_| !inner.is_empty()) else {
            self.push(Atom::Text(clean.into_bytes().into()));
            return;
        };
        self.text(inner);
        if let Some((_, Atom::Text(text))) = self.atoms.first_mut() {
            *text = [&clean.as_bytes()[..at], text].concat().into();
        }
        if let Some((_, Atom::Text(text))) = self.atoms.last_mut() {
            text.append(&clean.as_bytes()[at + inner.len()..]);
        }
    }

    /// Adds the items that say the text in `place`.
    pub(crate) fn append_to(self, items: &mut Vec<Item<'a>>, place: Place) {
        if place == Place::Phrase
            && let Some(quoted) = self.quoted()
        {
            return items.push(Item::plain(Space::default(), quoted));
        }
        items.extend(self.atoms.into_iter().map(|(space, atom)| Item::new(space, atom.into_token(place))));
    }

    /// Adds one word; it grows the word before it if no white space stands between.
    fn word_of_text(&mut self, word: &[u8]) {
        if word.is_empty() {
            return;
        }
        match self.atoms.last_mut().filter(|_| self.space.is_empty()) {
            Some((_, Atom::Text(text) | Atom::Encoded(text))) => text.append(word),
            Some((_, Atom::Octets(_) | Atom::Word(_))) => self.push(Atom::Encoded(Octets::copied(word))),
            _ => self.push(Atom::Text(Octets::copied(word))),
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
        if !self.space.is_empty() {
            self.join_last();
        }
        self.meant = false;
        self.atoms.push((Space::from(&self.space[..]), atom));
        self.space = Octets::default();
    }

    /// A word that needs nothing in any place joins the ones before it: white space will follow it.
    fn join_last(&mut self) {
        let [.., (_, before), (space, last)] = &mut self.atoms[..] else { return };
        let Atom::Text(word) = last else { return };
        let needs_nothing = |o: u8| o.is_ascii_graphic() && is_atext(o) && o != b'?';
        if space.is_empty() || word.len() > MOST_JOINED || !word.iter().all(|&o| needs_nothing(o)) {
            return;
        }
        match before {
            Atom::Plain(words) if space.len() == 1 => {
                words.append(space.octets());
                words.append(word);
                self.atoms.pop();
            }
            _ => *last = Atom::Plain(std::mem::take(word)),
        }
    }

    /// The quoted-string that says a phrase, if one is needed and nothing is to be encoded.
    fn quoted(&self) -> Option<Vec<u8>> {
        let mut out = vec![b'"'];
        let mut needed = false;
        for (n, (space, atom)) in self.atoms.iter().enumerate() {
            let text = match atom {
                Atom::Plain(text) => text,
                Atom::Text(text)
                    if text.iter().all(|o| matches!(o, b' '..=b'~')) && mark(text, 0).is_none() =>
                {
                    needed |= !text.iter().all(|&o| is_atext(o));
                    text
                }
                _ => return None,
            };
            if out.len() > MOST_PLAIN {
                return None;
            }
            if n > 0 {
                out.extend(std::iter::repeat_n(b' ', space.len().min(MOST_PLAIN)));
            }
            for &octet in text.iter() {
                if matches!(octet, b'"' | b'\\') {
                    out.push(b'\\');
                }
                out.push(if octet == b'\t' { b' ' } else { octet });
            }
        }
        out.push(b'"');
        (needed && out.len() <= MOST_PLAIN).then_some(out)
    }
}

impl<'a> Atom<'a> {
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

/// Whether a word may stand in `place` without being encoded.
fn is_plain(word: &[u8], place: Place) -> bool {
    let fine = |o: &u8| match place {
        Place::Unstructured => o.is_ascii_graphic(),
        Place::Phrase => o.is_ascii_graphic() && !is_special(*o),
        Place::Comment => o.is_ascii_graphic() && !matches!(o, b'(' | b')' | b'\\'),
    };
    word.len() <= MOST_PLAIN && word.iter().all(fine) && mark(word, 0).is_none()
}

fn control(c: char) -> char {
    if matches!(c, '\r' | '\n' | '\t') { ' ' } else { char::REPLACEMENT_CHARACTER }
}
