//! Raw text of fields, and where it is.

use super::draft::Draft;
use super::rules::FieldRules;
use crate::ascii::{are_printable_or_fws, is_fws};
use crate::charset::UNKNOWN_8BIT;
use crate::codec::base64;
use crate::decode::{Nul, RawCharset, is_text_in, raw_text_in, without_controls};
use crate::encode::{Place, TextWords};
use crate::report::Tally;
use crate::syntax::encoded_word::{MAX_WORD, holds_spaced_word};
use crate::syntax::lexical::{chunks, unfold, unfolded};
use crate::{Charset, Code, DecodeFault, Span};

/// Where text is read from: the field, or a piece of it whose quotes were removed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextSource<'s> {
    pub(super) octets: &'s [u8],
    /// Its span in the value, for reports.
    pub(super) span: Span,
    pub(super) place: Place,
    pub(super) words: WordPolicy,
}

/// Whether encoded-words may stay where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordPolicy {
    /// The words are where encoded-words may be.
    Allowed,
    /// The words are inside a quoted-string, or without white space beside one. Readers decode
    /// them, but they must not be written so.
    Misplaced,
}

impl TextSource<'_> {
    /// Returns the span in the value of a stretch of it; the whole span if quotes were removed.
    pub(super) fn at(&self, span: Span) -> Span {
        if self.octets.len() == self.span.len() { span.shifted(self.span.start) } else { self.span }
    }
}

/// The fate of raw octets in a charset.
pub(super) enum RawFate {
    /// Their text is written.
    Text(RawCharset),
    /// The octets cannot be read: they stay, under the label of the charset that they seem to be
    /// in, or `unknown-8bit`.
    Label(RawCharset),
}

impl RawFate {
    pub(super) fn of(octets: &[u8], rules: &FieldRules) -> Self {
        let charset = rules.raw_text().charset(octets);
        // What is UTF-8 perhaps by chance.
        if charset == RawCharset::Utf8
            && let Some(guess) = rules.label_of(octets)
        {
            return Self::Label(RawCharset::Guessed(guess));
        }
        match charset {
            RawCharset::Unknown | RawCharset::Assumed => {
                Self::Label(rules.label_of(octets).map_or(RawCharset::Unknown, RawCharset::Guessed))
            }
            charset if rules.policy.replaces || charset.reads(octets) => Self::Text(charset),
            charset => Self::Label(charset),
        }
    }
}

/// Reads raw text into `out`; returns whether it has to be written differently.
pub(super) fn read_raw(
    draft: &mut Draft<'_>,
    octets: &[u8],
    span: Span,
    out: &mut TextWords<'_>,
) -> bool {
    let tally = &mut draft.tally;
    if holds_spaced_word(octets) {
        tally.note(Code::AmbiguousText, span);
    }
    let charset = match RawFate::of(octets, &draft.rules) {
        RawFate::Text(charset) => {
            out.text(&raw_text_in(octets, span, charset, tally));
            return !are_printable_or_fws(octets);
        }
        RawFate::Label(charset) => charset,
    };
    tally.note(Code::RawHeaderText, span);
    if let RawCharset::Guessed(guess) = charset {
        tally.note_value(Code::CharsetGuessed, span, None, || guess);
    }
    match charset.charset() {
        Some(charset) => read_labelled(charset, octets, span, out, tally),
        None => read_unknown(octets, span, out, tally),
    }
    true
}

/// Reads raw octets of an unknown charset: words that need it keep their octets under the label
/// `unknown-8bit`. A control becomes a space; NUL is dropped where it is beside US-ASCII only (rule
/// H5).
fn read_unknown(octets: &[u8], span: Span, out: &mut TextWords<'_>, tally: &mut Tally) {
    for (space, chunk) in chunks(octets) {
        out.space(&unfolded(space));
        let is_ascii = chunk.is_ascii();
        for piece in chunk.chunk_by(|a, b| a.is_ascii_control() == b.is_ascii_control()) {
            match std::str::from_utf8(piece) {
                _ if piece[0].is_ascii_control() => {
                    tally.note(Code::ControlReplaced, span);
                    if !is_ascii || piece.iter().any(|&octet| octet != 0) {
                        out.text(" ");
                    }
                }
                // A piece that is UTF-8 by itself would be read as that the next time.
                Ok(text) => out.text(&without_controls(
                    text.into(),
                    Nul::Dropped,
                    span,
                    &mut Tally::default(),
                )),
                Err(_) => out.octets(UNKNOWN_8BIT.as_bytes(), piece),
            }
        }
    }
}

/// Reads raw octets that get a label. By itself a damaged part could belie the label and be read as
/// something else the next time, so it stays together with what is whole: from the first word that
/// is not US-ASCII to the last; with escapes, all.
fn read_labelled(
    charset: Charset,
    octets: &[u8],
    span: Span,
    out: &mut TextWords<'_>,
    tally: &mut Tally,
) {
    if !is_text_in(charset, octets) {
        tally.note_value(Code::Decode(DecodeFault::UndecodableText), span, None, || charset);
    }
    let is_space = |octet: &u8| is_fws(*octet);
    let is_meant =
        |octet: &u8| if charset.is_stateful() { !is_space(octet) } else { !octet.is_ascii() };
    let (first, last) = (octets.iter().position(is_meant), octets.iter().rposition(is_meant));
    let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
    let start = octets[..first].iter().rposition(is_space).map_or(0, |at| at + 1);
    let end = octets[last..].iter().position(is_space).map_or(octets.len(), |at| last + at);
    read_unknown(&octets[..start], span, out, tally);
    let kept = without_structure(&unfold(&octets[start..end]));
    match charset.is_stateful().then(|| one_word(charset, &kept)) {
        None => out.octets(charset.name().as_bytes(), &kept),
        // Readers read each word of such a charset by itself.
        Some(word) if word.len() <= MAX_WORD => out.word(word),
        Some(_) => out.octets(UNKNOWN_8BIT.as_bytes(), &kept),
    }
    read_unknown(&octets[end..], span, out, tally);
}

fn one_word(charset: Charset, octets: &[u8]) -> Vec<u8> {
    let mut word = format!("=?{}?B?", charset.name()).into_bytes();
    base64::encode(octets, &mut word);
    word.extend_from_slice(b"?=");
    word
}

/// Returns octets without NUL and line ends, which must not be found in a word (rule H5).
pub(super) fn without_structure(octets: &[u8]) -> Vec<u8> {
    octets
        .iter()
        .map(|&octet| if matches!(octet, 0 | b'\r' | b'\n') { b' ' } else { octet })
        .collect()
}
