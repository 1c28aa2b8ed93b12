//! Unstructured header text (rule H3).

use std::borrow::Cow;

use super::word::{Gather, Joined};
use super::{Nul, RawCharset, RawText, Words, without_controls};
use crate::ascii::{are_printable_or_fws, is_fws, is_printable};
use crate::codec::controls::has_control_but_tab;
use crate::codec::scan;
use crate::codec::text::{from_utf8, lossy};
use crate::report::Tally;
use crate::syntax::encoded_word::next_word;
use crate::syntax::lexical::unfold;
use crate::{Decoded, Span};

/// A stretch of header text.
#[derive(Clone, Debug)]
pub enum Segment<W> {
    /// Octets that are literal text, with their white space and folds.
    Raw(Span),
    /// Encoded-words that are read together.
    Words(W),
}

/// Returns the text of an unstructured value, or of a piece of a structured one.
pub fn text<'a>(value: &'a [u8], raw: &RawText) -> Decoded<'a> {
    text_in(value, raw, Nul::Dropped)
}

/// Returns the text of a value or of a piece of one, with NUL treated as `nul` says.
pub(super) fn text_in<'a>(value: &'a [u8], raw: &RawText, nul: Nul) -> Decoded<'a> {
    let mut tally = Tally::default();
    let end = value.iter().rposition(|o| !matches!(o, b'\r' | b'\n')).map_or(0, |at| at + 1);
    let text = text_of(&value[..end], *raw, nul, &mut tally);
    Decoded::new(text, tally.into_issues())
}

/// Passes raw text and runs of encoded-words to `give`, in order. White space between two words is
/// in neither.
pub fn segments<'v>(value: &'v [u8], give: impl FnMut(Segment<&mut Words<'v>>)) {
    cut(value, give);
}

/// Returns octets that are literal text, as most are: printable US-ASCII and TAB, without the `?`
/// of an encoded-word.
pub fn literal_text(octets: &[u8]) -> Option<&str> {
    let odd = |octet: u8| !(is_printable(octet) | (octet == b'\t')) | (octet == b'?');
    if scan::any(octets, odd) { None } else { std::str::from_utf8(octets).ok() }
}

/// Returns the text of octets that are printable US-ASCII and white space, without folds.
pub fn unfolded_text(octets: &[u8]) -> Cow<'_, str> {
    match unfold(octets) {
        Cow::Borrowed(octets) => lossy(octets),
        Cow::Owned(octets) => Cow::Owned(from_utf8(octets)),
    }
}

/// Returns raw octets as text, unfolded.
pub fn raw_text<'a>(octets: &'a [u8], span: Span, raw: RawText, tally: &mut Tally) -> Cow<'a, str> {
    if are_printable_or_fws(octets) {
        unfolded_text(octets)
    } else {
        raw_text_in(octets, span, raw.charset(octets), tally)
    }
}

/// Returns raw octets in a known charset as text, unfolded.
pub fn raw_text_in<'a>(
    octets: &'a [u8],
    span: Span,
    charset: RawCharset,
    tally: &mut Tally,
) -> Cow<'a, str> {
    let text = match unfold(octets) {
        Cow::Borrowed(octets) => charset.decode(octets, span, tally),
        Cow::Owned(octets) => Cow::Owned(charset.decode(&octets, span, tally).into_owned()),
    };
    unstructured(text, span, tally)
}

/// Returns decoded text without the controls that unstructured text must not have (rule H5).
fn unstructured<'a>(text: Cow<'a, str>, span: Span, tally: &mut Tally) -> Cow<'a, str> {
    if has_control_but_tab(&text) {
        without_controls(text, Nul::Dropped, span, tally)
    } else {
        text
    }
}

fn text_of<'a>(value: &'a [u8], raw: RawText, nul: Nul, tally: &mut Tally) -> Cow<'a, str> {
    let mut out = Cow::Borrowed("");
    let mut push = |text: Cow<'a, str>| match &mut out {
        Cow::Owned(out) => out.push_str(&text),
        // A single piece needs no copy.
        first if first.is_empty() => *first = text,
        first => *first = Cow::Owned(joined(first, &text, value.len())),
    };
    cut(value, |segment: Segment<&mut Joined<'_>>| {
        let raw_text = |span: Span, tally| raw_text(&value[span.start..span.end], span, raw, tally);
        match segment {
            Segment::Raw(span) => push(raw_text(span, tally)),
            Segment::Words(words) => match words.text(raw, nul, tally) {
                Some(text) => push(Cow::Owned(text.into_owned())),
                None => push(raw_text(words.span, tally)),
            },
        }
    });
    out
}

fn joined(first: &str, second: &str, room: usize) -> String {
    let mut text = String::with_capacity(room);
    text.push_str(first);
    text.push_str(second);
    text
}

/// Passes the segments of `value` to `give`, in order. White space between two words is dropped;
/// but next to words of an unknown charset, which are literal text, white space is text too.
fn cut<'a, W: Gather<'a>>(value: &'a [u8], mut give: impl FnMut(Segment<&mut W>)) {
    // Filled and passed on in place, again and again.
    let (mut words, mut gathered) = (W::default(), false);
    let mut at = 0;
    while let Some((span, word)) = next_word(value, at) {
        let between = Span::new(at, span.start);
        at = span.end;
        if gathered && value[between.start..between.end].iter().all(|&o| is_fws(o)) {
            if words.join(span, &word) {
                continue;
            }
            let next_to_unknown = words.is_unknown();
            give(Segment::Words(&mut words));
            words.begin(span, &word, value.len() - span.start);
            if !between.is_empty() && (next_to_unknown || words.is_unknown()) {
                give(Segment::Raw(between));
            }
            continue;
        }
        if std::mem::replace(&mut gathered, true) {
            give(Segment::Words(&mut words));
        }
        if !between.is_empty() {
            give(Segment::Raw(between));
        }
        words.begin(span, &word, value.len() - span.start);
    }
    if gathered {
        give(Segment::Words(&mut words));
    }
    if at < value.len() {
        give(Segment::Raw(Span::new(at, value.len())));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ascii::trim_fws;

    proptest! {
        /// A value of which all lines are clean is only unfolded.
        #[test]
        fn text_without_words_is_unfolded(value in "([a?=]|[ \t]|\r\n[ \t]|\r|\n){0,12}") {
            let value = trim_fws(value.as_bytes());
            prop_assume!(next_word(value, 0).is_none());
            let read = text(value, &RawText::Unknown);
            prop_assert!(read.issues().is_empty());
            prop_assert_eq!(read.text(), unfolded_text(value));
        }

        /// Words gathered as text, and words gathered one by one as the header rules need them, are
        /// segmented alike.
        #[test]
        fn both_ways_to_gather_words_cut_alike(
            value in "((=[?](utf-8|UTF-8|koi8-r|x-what|x-unknown|iso-2022-jp|us-ascii)[?][bqBQ][?](w6k=|=C3=A9|=F0=D2|a_b|YQ)[?]=)|[ \t]|\r\n |a|é){0,9}"
        ) {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            let is_read = |words: &Joined<'_>| [(); 2].map(|()| words.is_lossless(RawText::Unknown));
            cut(value.as_bytes(), |segment: Segment<&mut Joined<'_>>| one.push(match segment {
                Segment::Raw(span) => (span, None),
                Segment::Words(words) => (words.span, Some((is_read(words), words.octets.clone()))),
            }));
            segments(value.as_bytes(), |segment| other.push(match segment {
                Segment::Raw(span) => (span, None),
                Segment::Words(words) => (words.span, Some((is_read(words), words.octets.clone()))),
            }));
            prop_assert_eq!(one, other);
        }
    }
}
