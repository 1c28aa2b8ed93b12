//! Unstructured header text (rule H3).

use std::borrow::Cow;

use super::{RawCharset, RawText, Words, without_controls};
use crate::ascii::is_fws;
use crate::issue::Tally;
use crate::syntax::encoded_word::{Piece, pieces};
use crate::syntax::lexical::unfold;
use crate::{Decoded, Span};

/// A stretch of header text.
#[derive(Clone, Debug)]
pub(crate) enum Segment<'a> {
    /// Octets that are text as they stand, white space and folds included.
    Raw(Span),
    /// Encoded-words that are read together.
    Words(Words<'a>),
}

/// The text of an unstructured value, or of a piece of a structured one.
pub(crate) fn text<'a>(value: &'a [u8], raw: &RawText) -> Decoded<'a> {
    let mut tally = Tally::default();
    let end = value.iter().rposition(|o| !matches!(o, b'\r' | b'\n')).map_or(0, |at| at + 1);
    let text = text_of(&value[..end], *raw, &mut tally);
    Decoded::new(text, tally.into_issues())
}

/// `value` cut into raw text and runs of encoded-words, in order. White space between two words is in neither.
pub(crate) fn segments(value: &[u8]) -> Vec<Segment<'_>> {
    let mut found: Vec<Segment<'_>> = Vec::new();
    let mut gap: Option<Span> = None;
    for piece in pieces(value) {
        match piece {
            Piece::Raw(span) if is_gap(value, span, &found) => gap = Some(span),
            Piece::Raw(span) => found.push(Segment::Raw(span)),
            Piece::Word(span, word) => push_word(&mut found, gap.take(), span, word),
        }
    }
    found.extend(gap.map(Segment::Raw));
    found
}

/// Raw octets as text, unfolded.
pub(crate) fn raw_text<'a>(octets: &'a [u8], span: Span, raw: RawText, tally: &mut Tally) -> Cow<'a, str> {
    raw_text_in(octets, span, raw.charset(octets), tally)
}

/// The same in a charset that is known.
pub(crate) fn raw_text_in<'a>(
    octets: &'a [u8],
    span: Span,
    charset: RawCharset,
    tally: &mut Tally,
) -> Cow<'a, str> {
    let text = match unfold(octets) {
        Cow::Borrowed(octets) => charset.decode(octets, span, tally),
        Cow::Owned(octets) => Cow::Owned(charset.decode(&octets, span, tally).into_owned()),
    };
    if text.chars().all(|c| !c.is_control() || c == '\t') {
        text
    } else {
        without_controls(text, span, tally)
    }
}

fn text_of<'a>(value: &'a [u8], raw: RawText, tally: &mut Tally) -> Cow<'a, str> {
    let segments = segments(value);
    if let [Segment::Raw(span)] = segments[..] {
        return raw_text(&value[span.start..span.end], span, raw, tally);
    }
    let mut out = String::with_capacity(value.len());
    for segment in &segments {
        match segment {
            Segment::Raw(span) => out.push_str(&raw_text(&value[span.start..span.end], *span, raw, tally)),
            Segment::Words(words) => match words.text(raw, tally) {
                Some(text) => out.push_str(&text),
                None => {
                    out.push_str(&raw_text(&value[words.span.start..words.span.end], words.span, raw, tally))
                }
            },
        }
    }
    Cow::Owned(out)
}

/// Whether a raw piece is white space behind words: nothing, if words follow.
fn is_gap(value: &[u8], span: Span, found: &[Segment<'_>]) -> bool {
    matches!(found.last(), Some(Segment::Words(_))) && value[span.start..span.end].iter().all(|&o| is_fws(o))
}

/// Adds a word: to the words before it, or on its own. Next to words of an unknown charset, which are text as
/// they stand, white space is text too.
fn push_word<'a>(
    found: &mut Vec<Segment<'a>>,
    gap: Option<Span>,
    span: Span,
    word: crate::syntax::encoded_word::EncodedWord<'a>,
) {
    let mut word = word;
    if let Some(Segment::Words(words)) = found.last_mut() {
        match words.join(span, word) {
            Ok(()) => return,
            Err(given_back) => word = given_back,
        }
    }
    let words = Words::new(span, word);
    let beside_unknown = matches!(found.last(), Some(Segment::Words(last)) if last.is_unknown());
    if words.is_unknown() || beside_unknown {
        found.extend(gap.map(Segment::Raw));
    }
    found.push(Segment::Words(words));
}
