//! Unstructured fields, and text inside structured ones (rules H3, H4, H5).

use super::FieldRules;
use super::draft::Draft;
use super::field::Field;
use crate::Code;
use crate::Span;
use crate::ascii::{is_fws, is_token};
use crate::decode::{RawCharset, RawText, Segment, Word, Words, plain_text, raw_text, raw_text_in, segments};
use crate::encode::{Atoms, Octets, Place, Run, single};
use crate::issue::Tally;
use crate::message::Profile;
use crate::syntax::encoded_word::{EncodedWord, MOST_OCTETS, WordEncoding};
use crate::syntax::lexical::{chunks, is_atext, unfolded};

/// Where text is read from: the field, or a piece of it whose quotes were taken off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'s> {
    pub(super) octets: &'s [u8],
    /// Where it stands in the value, for reports.
    pub(super) span: Span,
    pub(super) place: Place,
    /// Whether encoded-words in it may stay where they are.
    pub(super) words: WordsHere,
}

/// What an encoded-word is, where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordsHere {
    /// Where it may stand.
    Allowed,
    /// Inside a quoted-string, or without white space beside one: it is read there and never written.
    Misplaced,
}

impl Source<'_> {
    /// Where a stretch of it stands in the value; all of it, where quotes were taken off.
    fn at(&self, span: Span) -> Span {
        if self.octets.len() == self.span.len() { span.shifted(self.span.start) } else { self.span }
    }
}

impl FieldRules {
    pub(super) fn unstructured<'a>(&self, field: &Field<'a>, draft: &mut Draft<'a>) {
        let value = field.value();
        let mut atoms = Atoms::default();
        let span = Span::new(0, value.len());
        let source = Source { octets: value, span, place: Place::Unstructured, words: WordsHere::Allowed };
        draft.changed |= self.text(&source, &mut atoms, &mut draft.tally);
        atoms.append_to(&mut draft.items, Place::Unstructured);
    }

    /// A whole value as text in which nothing is an encoded-word.
    pub(super) fn whole_text<'a>(&self, field: &Field<'a>, draft: &mut Draft<'a>) {
        let mut atoms = Atoms::default();
        let value = field.value();
        self.raw(value, Span::new(0, value.len()), &mut atoms, &mut draft.tally);
        atoms.append_to(&mut draft.items, Place::Unstructured);
    }

    /// Reads text into `atoms`; says whether it has to be written otherwise than it stands.
    pub(super) fn text<'a>(&self, source: &Source<'_>, atoms: &mut Atoms<'a>, tally: &mut Tally) -> bool {
        if let Some(text) = plain_text(source.octets) {
            atoms.text(text);
            return false;
        }
        let mut changed = false;
        let mut kept = None;
        segments(source.octets, |segment| match segment {
            Segment::Raw(span) => {
                kept = None;
                let octets = &source.octets[span.start..span.end];
                changed |= self.raw(octets, source.at(span), atoms, tally);
            }
            Segment::Words(words) => {
                let found = self.words(source, words, kept, atoms, tally);
                changed |= found == Found::Changed;
                kept = (found == Found::Kept).then_some(words.span.end);
            }
        });
        changed
    }

    fn raw<'a>(&self, octets: &[u8], span: Span, atoms: &mut Atoms<'a>, tally: &mut Tally) -> bool {
        let charset = self.raw_text().charset(octets);
        if charset == RawCharset::Unknown {
            tally.note(Code::RawHeaderText, span);
            unknown_text(octets, atoms);
            return true;
        }
        let text = raw_text_in(octets, span, charset, tally);
        atoms.text(&text);
        !octets.iter().all(|&o| is_fws(o) || matches!(o, b' '..=b'~'))
    }

    /// Reads encoded-words; `kept` is where words that are kept end, if those come right before.
    fn words<'a>(
        &self,
        source: &Source<'_>,
        words: &Words<'_>,
        kept: Option<usize>,
        atoms: &mut Atoms<'a>,
        tally: &mut Tally,
    ) -> Found {
        let at = source.at(words.span);
        // Rule H5 speaks in both profiles: what decodes to a line end is no text in any of them.
        let fine = self.profile == Profile::Archive || !words.holds_structure(self.raw_text());
        let keepable = fine && is_keepable(source, words);
        let allowed = source.words == WordsHere::Allowed;
        if words.is_unknown() {
            tally.note(Code::CharsetUnknown, at);
        }
        let may_stay = self.profile == Profile::Transport || words.is_unknown();
        let apart = words.words.iter().all(|one| stands_apart(source.octets, one.span));
        let unread = || words.is_unknown() || !words.is_lossless();
        let rewritten = !allowed && keepable && self.profile == Profile::Transport && unread();
        if may_stay && !apart || rewritten {
            // Told only if the field is written anew: white space comes between, or unread words are shown otherwise.
            tally.note(Code::EncodedWordRepaired, at);
        }
        if keepable && allowed && may_stay {
            keep(source.octets, words, kept, atoms);
            return Found::Kept;
        }
        let octets_stay =
            fine && self.profile == Profile::Transport && !words.is_lossless() && words.is_stateless();
        if words.is_unknown() || octets_stay {
            split_again(source, words, self.raw_text(), atoms, tally);
        } else if let Some(text) = words.text(self.raw_text(), tally) {
            atoms.text(&text);
        }
        let stays = match self.profile {
            Profile::Transport => keepable,
            Profile::Archive => keepable && allowed && is_canonical(source, words),
        };
        if stays {
            return Found::Decoded;
        }
        let same_charset = words.is_unknown() || octets_stay || is_ours(words);
        if same_charset {
            tally.note(Code::EncodedWordRepaired, at);
        } else {
            tally.note_value(Code::HeaderTranscoded, at, None, || label(words));
        }
        Found::Changed
    }
}

/// The label of the first of them.
fn label(words: &Words<'_>) -> String {
    words.words.first().map(|one| String::from_utf8_lossy(one.word.charset).into_owned()).unwrap_or_default()
}

/// What was made of encoded-words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// They stay as they are, also where the field is written anew.
    Kept,
    /// They may stay; where the field is written anew, their text is.
    Decoded,
    /// They cannot stay.
    Changed,
}

/// Raw octets of an unknown charset: words that need it keep their octets under the label `unknown-8bit`.
fn unknown_text<'a>(octets: &[u8], atoms: &mut Atoms<'a>) {
    for (space, chunk) in chunks(octets) {
        atoms.space(&unfolded(space));
        for piece in chunk.chunk_by(|a, b| a.is_ascii_control() == b.is_ascii_control()) {
            match std::str::from_utf8(piece) {
                Ok(text) if chunk.iter().all(u8::is_ascii_graphic) => atoms.text(text),
                _ if piece[0].is_ascii_control() => atoms.text(&"\u{fffd}".repeat(piece.len())),
                _ => atoms.octets(b"unknown-8bit".as_slice(), piece),
            }
        }
    }
}

/// Whether every word may stand as it is, as far as its outline goes.
fn is_keepable(source: &Source<'_>, words: &Words<'_>) -> bool {
    words.words.iter().all(|Word { span, .. }| {
        let mut word = source.octets[span.start..span.end].iter();
        span.len() <= MOST_OCTETS && word.all(|&octet| may_stand(octet, source.place))
    })
}

/// Whether a word in `place` may hold an octet.
fn may_stand(octet: u8, place: Place) -> bool {
    octet.is_ascii_graphic()
        && match place {
            Place::Phrase => is_atext(octet),
            Place::Comment => !matches!(octet, b'(' | b')' | b'\\'),
            Place::Unstructured => true,
        }
}

/// Adds words as they stand, with the white space before each that follows a word which is kept too.
fn keep<'a>(octets: &[u8], words: &Words<'_>, kept: Option<usize>, atoms: &mut Atoms<'a>) {
    let mut end = kept.unwrap_or(words.span.start);
    for Word { span, .. } in &words.words {
        atoms.space(&unfolded(&octets[end..span.start]));
        atoms.word(octets[span.start..span.end].to_vec());
        end = span.end;
    }
}

/// Writes the octets of words under the same label again, in words of the right length; if the label cannot
/// be written, the words are text.
fn split_again<'a>(
    source: &Source<'_>,
    words: &Words<'_>,
    raw: RawText,
    atoms: &mut Atoms<'a>,
    tally: &mut Tally,
) {
    let label = words.label();
    let fine = |&octet: &u8| is_token(octet) && may_stand(octet, source.place);
    if (1..=40).contains(&label.len()) && label.iter().all(fine) && !words.octets.is_empty() {
        atoms.octets(label.to_vec(), &words.octets);
        return;
    }
    let octets = &source.octets[words.span.start..words.span.end];
    match raw.charset(octets) {
        RawCharset::Unknown => unknown_text(octets, atoms),
        _ => atoms.text(&raw_text(octets, source.span, raw, tally)),
    }
}

/// Whether every reader reads these words alike: UTF-8 or US-ASCII, well-formed one by one, without controls,
/// apart from other text; no padding inside adjacent base64; in a phrase no more words than are needed, since
/// some readers show a space between any two.
fn is_canonical(source: &Source<'_>, words: &Words<'_>) -> bool {
    let fine = words.words.iter().all(|one| {
        let plain = is_plain_word(&one.word, &words.octets[one.octets.clone()], source.place);
        plain && stands_apart(source.octets, one.span)
    });
    let padded = |word: &EncodedWord<'_>| word.encoding == WordEncoding::B && word.text.ends_with(b"=");
    let padded_inside = words.words.iter().rev().skip(1).any(|one| padded(&one.word));
    fine && !padded_inside && !is_needlessly_split(source, words)
}

/// Whether white space separates a word from other text (RFC 2047, 5).
fn stands_apart(octets: &[u8], word: Span) -> bool {
    let apart = |at: Option<&u8>| at.is_none_or(|&o| is_fws(o));
    apart(word.start.checked_sub(1).and_then(|at| octets.get(at))) && apart(octets.get(word.end))
}

fn is_needlessly_split(source: &Source<'_>, words: &Words<'_>) -> bool {
    let run = Run { label: None, octets: Octets::from(&words.octets[..]), place: source.place };
    words.words.len() > 1 && source.place == Place::Phrase && single(&run).is_some()
}

fn is_plain_word(word: &EncodedWord<'_>, octets: &[u8], place: Place) -> bool {
    let named = |name: &str| word.charset.eq_ignore_ascii_case(name.as_bytes());
    let fits = match (word.encoding, place) {
        (WordEncoding::B, _) | (_, Place::Unstructured) => true,
        (_, Place::Comment) => !word.text.iter().any(|o| matches!(o, b'(' | b')' | b'\\' | b'"')),
        (_, Place::Phrase) => word.text.iter().all(|o| {
            o.is_ascii_alphanumeric() || matches!(o, b'!' | b'*' | b'+' | b'-' | b'/' | b'=' | b'_')
        }),
    };
    let labelled = named("utf-8") || named("us-ascii") && octets.is_ascii();
    let text = std::str::from_utf8(octets);
    let plain = text.is_ok_and(|text| !text.chars().any(|c| c.is_control() && c != '\t'));
    fits && labelled && plain && word.language.is_none() && word.is_strict()
}

/// Whether words are labelled as they would be written.
fn is_ours(words: &Words<'_>) -> bool {
    [&b"utf-8"[..], b"us-ascii"].iter().any(|name| words.label().eq_ignore_ascii_case(name))
}
