//! Encoded-words to octets, and runs of words to text (rule H3).

use std::borrow::Cow;
use std::ops::Range;

use super::{RawText, without_controls};
use crate::codec::{base64, quoted};
use crate::issue::Tally;
use crate::syntax::encoded_word::{EncodedWord, WordEncoding};
use crate::syntax::lexical::unfold;
use crate::{Charset, Code, Span, charset};

/// Adjacent encoded-words that are read together: all of one stateless charset, or one alone.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    /// From the first word to the end of the last.
    pub(crate) span: Span,
    pub(crate) words: Vec<Word<'a>>,
    /// The octets of all of them, transfer encoding removed.
    pub(crate) octets: Vec<u8>,
    charset: WordCharset,
}

/// One of them.
#[derive(Clone, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) span: Span,
    pub(crate) word: EncodedWord<'a>,
    /// Its octets, as a range of those of all words.
    pub(crate) octets: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordCharset {
    Known(Charset),
    /// The label says nothing: the octets are read as raw ones are.
    Unlabelled,
    /// Nobody knows the label: the words are text as they stand.
    Unknown,
}

impl<'a> Words<'a> {
    pub(crate) fn new(span: Span, word: EncodedWord<'a>) -> Self {
        let mut octets = Vec::new();
        decode_into(&word, &mut octets);
        let charset = word_charset(word.charset, &octets);
        Self { span, words: vec![Word { span, word, octets: 0..octets.len() }], octets, charset }
    }

    /// The charset label as it stands.
    pub(crate) fn label(&self) -> &'a [u8] {
        self.words.first().map_or(b"", |word| word.word.charset)
    }

    /// Whether the charset is one that nobody knows, so that the words are text as they stand.
    pub(crate) fn is_unknown(&self) -> bool {
        self.charset == WordCharset::Unknown
    }

    /// Takes in a word that follows after nothing but white space, if it is to be read together with these.
    pub(crate) fn join(&mut self, span: Span, word: EncodedWord<'a>) -> Result<(), EncodedWord<'a>> {
        if !self.is_stateless() || !self.label().eq_ignore_ascii_case(word.charset) {
            return Err(word);
        }
        let from = self.octets.len();
        decode_into(&word, &mut self.octets);
        if self.charset == WordCharset::Unknown {
            self.charset = word_charset(word.charset, &self.octets[from..]);
        }
        self.words.push(Word { span, word, octets: from..self.octets.len() });
        self.span.end = span.end;
        Ok(())
    }

    /// Whether the octets mean the same in whichever words they stand.
    pub(crate) fn is_stateless(&self) -> bool {
        !matches!(self.charset, WordCharset::Known(charset) if charset.is_stateful())
    }

    /// What the words say; nothing if their charset is unknown.
    pub(crate) fn text(&self, raw: RawText, tally: &mut Tally) -> Option<Cow<'_, str>> {
        let text = match self.charset {
            WordCharset::Unknown => {
                tally.note(Code::CharsetUnknown, self.span);
                return None;
            }
            WordCharset::Unlabelled => raw.decode(&self.octets, self.span, tally),
            WordCharset::Known(charset) => self.known(charset, raw, tally),
        };
        Some(without_controls(text, self.span, tally))
    }

    /// Whether the octets are well-formed in the charset, so that the text says all that the words hold.
    pub(crate) fn is_lossless(&self) -> bool {
        match self.charset {
            WordCharset::Known(charset) => charset.decode_lossless(&self.octets).is_some(),
            WordCharset::Unlabelled => std::str::from_utf8(&self.octets).is_ok(),
            WordCharset::Unknown => false,
        }
    }

    fn known(&self, charset: Charset, raw: RawText, tally: &mut Tally) -> Cow<'_, str> {
        if let Some(text) = charset.decode_lossless(&self.octets) {
            return text;
        }
        if charset.is_belied_by(&self.octets) && raw != RawText::Unknown {
            tally.note(Code::CharsetLabelLies, self.span);
            return raw.decode(&self.octets, self.span, tally);
        }
        tally.note(Code::UndecodableText, self.span);
        charset.decode(&self.octets).into_text()
    }
}

/// Appends the octets that a word stands for: base64 with junk, white space or wrong padding, Q with broken
/// escapes are read as far as they go.
fn decode_into(word: &EncodedWord<'_>, out: &mut Vec<u8>) {
    let text = unfold(word.text);
    match word.encoding {
        WordEncoding::B => base64::decode(&text, out, &mut Tally::default()),
        WordEncoding::Q => quoted::decode_word(&text, out, &mut Tally::default()),
    }
}

fn word_charset(label: &[u8], octets: &[u8]) -> WordCharset {
    let Ok(label) = std::str::from_utf8(label) else { return WordCharset::Unknown };
    if charset::says_nothing(label) {
        let says = !octets.is_ascii() || label.eq_ignore_ascii_case("unknown-8bit");
        return if says { WordCharset::Unlabelled } else { WordCharset::Unknown };
    }
    let known = Charset::for_label_lenient(label).map(|(charset, _)| charset).filter(|c| c.is_decodable());
    known.map_or(WordCharset::Unknown, WordCharset::Known)
}
