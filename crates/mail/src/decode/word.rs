//! From encoded-words to octets, and from runs of words to text (rule H3).

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::{Deref, Range};

use super::{Nul, RawText, is_text_in, without_controls};
use crate::charset::{Label, UNKNOWN_8BIT, says_nothing};
use crate::codec::{base64, quoted_printable, text, utf8};
use crate::report::Tally;
use crate::syntax::encoded_word::{EncodedWord, WordEncoding};
use crate::syntax::lexical::unfold;
use crate::{Charset, Code, DecodeFault, Span, Spelling};

/// The octets of adjacent encoded-words that are read together: all of one stateless charset, or
/// one alone.
#[derive(Clone, Debug, Default)]
pub struct Joined<'a> {
    /// From the first word to the end of the last.
    pub span: Span,
    /// The octets of all of them, transfer encoding removed.
    pub octets: Vec<u8>,
    label: &'a [u8],
    /// If it says nothing, the octets are read like raw ones; if it is unknown, the words are
    /// literal text.
    says: Label,
    /// Whether the octets are text in the charset of the label; to find out takes decoding them.
    is_text: OnceCell<bool>,
}

/// Adjacent encoded-words that are read together, and each of the words.
#[derive(Clone, Debug, Default)]
pub struct Words<'a> {
    joined: Joined<'a>,
    pub words: Vec<Word<'a>>,
    /// Whether any of the words is misspelt; to find out takes decoding them.
    are_misspelt: OnceCell<bool>,
}

/// One of these words.
#[derive(Clone, Debug)]
pub struct Word<'a> {
    pub span: Span,
    pub word: EncodedWord<'a>,
    /// Its octets, as a range of the octets of all words.
    pub octets: Range<usize>,
}

/// Gathers words that are read together.
pub(super) trait Gather<'a>: Default {
    /// Starts over with a word; everything that may be joined to it has at most `room` octets.
    fn begin(&mut self, span: Span, word: &EncodedWord<'a>, room: usize);

    /// Adds a word that follows after only white space, if it is to be read together with these;
    /// returns whether it was.
    fn join(&mut self, span: Span, word: &EncodedWord<'a>) -> bool;

    /// Returns whether the charset is unknown, so that the words are literal text.
    fn is_unknown(&self) -> bool;
}

impl<'a> Gather<'a> for Joined<'a> {
    #[inline]
    fn begin(&mut self, span: Span, word: &EncodedWord<'a>, room: usize) {
        self.octets.clear();
        self.is_text = OnceCell::new();
        // Most words have few neighbours in their charset; reserving room for everything that
        // follows would cost that much for each run.
        let room = room.min(4 * word.text.len()) + base64::SLACK;
        match self.octets.capacity() {
            0 => self.octets = Vec::with_capacity(room),
            _ => self.octets.reserve(room),
        }
        decode_into(word, &mut self.octets);
        self.says = label_of_word(word.charset, &self.octets);
        (self.span, self.label) = (span, word.charset);
    }

    fn join(&mut self, span: Span, word: &EncodedWord<'a>) -> bool {
        if self.label != word.charset && !self.label.eq_ignore_ascii_case(word.charset) {
            return false;
        }
        if let Some(charset) = self.says.charset().filter(|charset| charset.is_stateful()) {
            return self.join_split(charset, span, word);
        }
        self.is_text = OnceCell::new();
        let from = self.octets.len();
        decode_into(word, &mut self.octets);
        if self.says == Label::Unknown {
            self.says = label_of_word(word.charset, &self.octets[from..]);
        }
        self.span.end = span.end;
        true
    }

    fn is_unknown(&self) -> bool {
        self.says == Label::Unknown
    }
}

impl<'a> Gather<'a> for Words<'a> {
    fn begin(&mut self, span: Span, word: &EncodedWord<'a>, room: usize) {
        self.joined.begin(span, word, room);
        self.are_misspelt = OnceCell::new();
        self.words.clear();
        self.words.push(Word { span, word: *word, octets: 0..self.octets.len() });
    }

    fn join(&mut self, span: Span, word: &EncodedWord<'a>) -> bool {
        let from = self.octets.len();
        let joins = self.joined.join(span, word);
        if joins {
            self.are_misspelt = OnceCell::new();
            self.words.push(Word { span, word: *word, octets: from..self.octets.len() });
        }
        joins
    }

    fn is_unknown(&self) -> bool {
        self.joined.is_unknown()
    }
}

impl Words<'_> {
    /// Returns whether any of the words has a language, junk, white space, wrong padding or no
    /// text; or, in a stateless charset, octets that are not text by themselves, such as half a
    /// character.
    pub fn are_misspelt(&self) -> bool {
        *self.are_misspelt.get_or_init(|| {
            let is_odd = |one: &Word<'_>| one.word.language.is_some() || !one.word.is_strict();
            self.words.iter().any(is_odd) || self.is_stateless() && !self.are_text_one_by_one()
        })
    }

    /// Returns whether each word is text by itself, which is taken for granted where the label does
    /// not name a charset.
    fn are_text_one_by_one(&self) -> bool {
        let charset = Charset::for_octets(self.label()).filter(|charset| charset.is_decodable());
        let is_text = |charset: Charset, one: &Word<'_>| {
            charset.decode_lossless(&self.octets[one.octets.clone()]).is_some()
        };
        charset.is_none_or(|charset| self.words.iter().all(|one| is_text(charset, one)))
    }
}

impl<'a> Deref for Words<'a> {
    type Target = Joined<'a>;

    fn deref(&self) -> &Joined<'a> {
        &self.joined
    }
}

impl<'a> Joined<'a> {
    /// Adds a word of a stateful charset, which is read by itself (rule H3), only if a character
    /// was split between the two: then only both together are well-formed.
    fn join_split(&mut self, charset: Charset, span: Span, word: &EncodedWord<'a>) -> bool {
        let from = self.octets.len();
        let is_split = charset.decode_lossless(&self.octets).is_none() && {
            decode_into(word, &mut self.octets);
            charset.decode_lossless(&self.octets).is_some()
        };
        if is_split {
            self.is_text = OnceCell::new();
            self.span.end = span.end;
        } else {
            self.octets.truncate(from);
        }
        is_split
    }

    /// Returns whether the words contain line ends or NUL, which must not be found in them (rule
    /// H5). Under a label that says nothing they are that in US-ASCII too, since other words may be
    /// joined to these.
    pub fn holds_structure(&self, raw: RawText) -> bool {
        if memchr::memchr3(0, b'\r', b'\n', &self.octets).is_none() {
            return false;
        }
        let mut tally = Tally::default();
        match self.text(raw, Nul::Dropped, &mut tally) {
            Some(_) => {
                tally.into_issues().iter().any(|issue| issue.code() == Code::ControlReplaced)
            }
            None => std::str::from_utf8(self.label).is_ok_and(says_nothing),
        }
    }

    /// Returns the charset label of the first word, as written.
    pub fn label(&self) -> &'a [u8] {
        self.label
    }

    /// Returns whether the charset is unknown, so that the words are literal text.
    pub fn is_unknown(&self) -> bool {
        self.says == Label::Unknown
    }

    /// Returns whether the label says nothing.
    pub fn says_nothing(&self) -> bool {
        self.says == Label::Nothing
    }

    /// Returns whether the label says nothing, or cannot be true, so that the octets are read like
    /// raw ones.
    pub fn is_unlabelled(&self) -> bool {
        match self.says {
            Label::Nothing => true,
            Label::Known(charset, _) => is_belied(charset, &self.octets),
            Label::Unknown => false,
        }
    }

    /// Returns whether the label cannot be true.
    pub fn lie(&self) -> bool {
        self.is_unlabelled() && !self.says_nothing()
    }

    /// Returns the charset that octets without a label seem to be in. Words whose label says
    /// nothing are what could not be read when they were written, divided since: one of them that
    /// is UTF-8 but for a few octets tells nothing about the others.
    pub fn found(&self, raw: RawText) -> Option<Charset> {
        if !self.is_unlabelled() {
            return None;
        }
        let found = raw.charset(&self.octets).charset();
        let is_left_over = self.says_nothing() && found == Some(Charset::UTF_8);
        if is_left_over && utf8::validate(&self.octets).is_none() { None } else { found }
    }

    /// Returns the text of the words in a charset that a person has chosen, if they are text in it;
    /// what is labelled UTF-8, and is, stays.
    pub fn text_as(&self, charset: Charset) -> Option<Cow<'_, str>> {
        let is_labelled = self.says.charset() == Some(Charset::UTF_8);
        if !charset.tells(&self.octets) || is_labelled && utf8::validate(&self.octets).is_some() {
            return None;
        }
        charset.read_lossless(&self.octets)
    }

    /// Returns the charset of a label that may be true, other than UTF-8, with the text in it;
    /// `None` if there is none, or the octets are not text in it.
    pub fn labelled(&self) -> Option<(Charset, Cow<'_, str>)> {
        let charset = self.says.charset().filter(|charset| *charset != Charset::UTF_8)?;
        if self.is_unlabelled() {
            return None;
        }
        Some((charset, charset.read_lossless(&self.octets)?))
    }

    /// Returns whether the octets mean the same however they are divided into words.
    pub fn is_stateless(&self) -> bool {
        !self.says.charset().is_some_and(Charset::is_stateful)
    }

    /// Returns the text of the words; `None` if their charset is unknown.
    pub fn text(&self, raw: RawText, nul: Nul, tally: &mut Tally) -> Option<Cow<'_, str>> {
        let text = match self.says {
            Label::Unknown => {
                tally.note(Code::CharsetUnknown, self.span);
                return None;
            }
            Label::Nothing => raw.decode(&self.octets, self.span, tally),
            Label::Known(charset, _) => self.known(charset, raw, tally),
        };
        Some(without_controls(text, nul, self.span, tally))
    }

    /// Returns whether the text has everything that is in the words.
    pub fn is_lossless(&self, raw: RawText) -> bool {
        match self.says {
            Label::Known(charset, _) => {
                let lies = || raw != RawText::Unknown && is_belied(charset, &self.octets);
                let is_text = || *self.is_text.get_or_init(|| is_text_in(charset, &self.octets));
                is_text() || lies() && raw.reads(&self.octets)
            }
            Label::Nothing => raw.reads(&self.octets),
            Label::Unknown => false,
        }
    }

    /// Returns whether US-ASCII octets mean what they seem to mean in the charset of the words.
    pub fn extends_ascii(&self) -> bool {
        self.says.charset().is_none_or(Charset::has_line_ends)
    }

    fn known(&self, charset: Charset, raw: RawText, tally: &mut Tally) -> Cow<'_, str> {
        if charset == Charset::UTF_8
            && let Some(text) = text::validate(&self.octets, &mut [0; text::SHORT])
        {
            return Cow::Owned(text.to_owned());
        }
        // Such words decode to East Asian characters in UTF-16, which mean nothing.
        if charset.is_wide() && is_belied(charset, &self.octets) {
            tally.note(Code::CharsetLabelLies, self.span);
            return raw.decode(&self.octets, self.span, tally);
        }
        if let Some(ordered) = charset.order_guessed(&self.octets) {
            tally.note_value(Code::CharsetGuessed, self.span, None, || ordered);
        }
        if let Some(text) = charset.read_lossless(&self.octets) {
            return text;
        }
        if is_belied(charset, &self.octets) && raw != RawText::Unknown {
            tally.note(Code::CharsetLabelLies, self.span);
            return raw.decode(&self.octets, self.span, tally);
        }
        tally.note(Code::Decode(DecodeFault::UndecodableText), self.span);
        charset.read(&self.octets).into_text()
    }
}

/// Appends the octets that a word encodes: base64 with junk, white space or wrong padding, Q with
/// broken escapes are read as far as they go.
fn decode_into(word: &EncodedWord<'_>, out: &mut Vec<u8>) {
    match word.encoding {
        // White space means nothing in it.
        WordEncoding::B => base64::decode(word.text, out, &mut Tally::default()),
        WordEncoding::Q => decode_q_into(word, out),
    }
}

/// Appends the octets of a word in Q. A fold in it is a space, or nothing if it is inside a
/// character, where programs put it that cut lines anywhere, or that write words as bodies, with
/// soft line breaks.
fn decode_q_into(word: &EncodedWord<'_>, out: &mut Vec<u8>) {
    let from = out.len();
    quoted_printable::decode_word(&unfold(word.text), out, &mut Tally::default());
    if memchr::memchr2(b'\r', b'\n', word.text).is_none() {
        return;
    }

    let charset = Charset::for_octets(word.charset).filter(|charset| charset.is_decodable());
    let is_text =
        |octets: &[u8]| charset.is_some_and(|charset| charset.decode_lossless(octets).is_some());
    if is_text(&out[from..]) {
        return;
    }
    for soft_break in [&b""[..], b"="] {
        let mut octets = Vec::with_capacity(word.text.len());
        quoted_printable::decode_word(
            &without_folds(word.text, soft_break),
            &mut octets,
            &mut Tally::default(),
        );
        if is_text(&octets) {
            out.truncate(from);
            out.append(&mut octets);
            return;
        }
    }
}

/// Returns text without its folds, and without what may be before them.
fn without_folds(text: &[u8], soft_break: &[u8]) -> Vec<u8> {
    let mut joined: Vec<u8> = Vec::with_capacity(text.len());
    for (at, line) in text.split(|octet| *octet == b'\n').enumerate() {
        if at > 0 {
            let kept = joined.trim_ascii_end();
            joined.truncate(kept.strip_suffix(soft_break).unwrap_or(kept).len());
        }
        joined.extend_from_slice(if at == 0 { line } else { line.trim_ascii_start() });
    }
    joined
}

/// Returns whether the label of words cannot be true of their octets. A space after a character
/// that was cut is one between two words.
fn is_belied(charset: Charset, octets: &[u8]) -> bool {
    charset.is_belied_by(octets.trim_ascii_end())
}

fn label_of_word(label: &[u8], octets: &[u8]) -> Label {
    if matches!(label, b"utf-8" | b"UTF-8") || label.eq_ignore_ascii_case(b"utf-8") {
        return Label::Known(Charset::UTF_8, Spelling::Known);
    }
    // A label that says nothing does not name a charset that could be decoded.
    if let Some(known) = Charset::for_octets(label).filter(|charset| charset.is_decodable()) {
        return Label::Known(known, Spelling::Known);
    }
    // A word whose label is not US-ASCII is written as text, in which nothing is left to guess.
    let Some(label) = std::str::from_utf8(label).ok().filter(|label| label.is_ascii()) else {
        return Label::Unknown;
    };
    match Label::read(label) {
        Label::Nothing if octets.is_ascii() && !label.eq_ignore_ascii_case(UNKNOWN_8BIT) => {
            Label::Unknown
        }
        says => says,
    }
}
