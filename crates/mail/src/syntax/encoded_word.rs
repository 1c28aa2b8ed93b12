//! Encoded-words: RFC 2047, section 2, with the language of RFC 2231, section 5.

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::tag;
use nom::combinator::{map_opt, verify};
use nom::number::complete::u8;
use nom::sequence::{delimited, preceded, terminated};

use crate::Span;
use crate::ascii::{is_fws, is_token};

/// How many octets an encoded-word may have (RFC 2047, section 2).
pub const MAX_WORD: usize = 75;

/// How many octets a line may have that holds an encoded-word (RFC 2047, section 2).
pub const MAX_WORD_LINE: usize = 76;

/// The shortest encoded-word: `=?`, a label of one octet, `?Q?` and `?=`.
const MIN_OCTETS: usize = 8;

/// How the text of a word is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordEncoding {
    /// Base64.
    B,
    /// Quoted-printable with `_` for a space.
    Q,
}

/// One encoded-word, not yet decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodedWord<'a> {
    pub charset: &'a [u8],
    pub language: Option<&'a [u8]>,
    pub encoding: WordEncoding,
    pub text: &'a [u8],
}

/// `encoded-word = "=?" charset ["*" language] "?" encoding "?" encoded-text "?="`
///
/// Deviations, all of them seen in mail:
/// 1. White space, folds and raw 8-bit octets may occur in the encoded-text.
/// 2. The encoded-text may be empty, and the word of any length.
/// 3. A word in Q that is no longer than RFC 2047 allows may hold question marks:
///    `=?utf-8?Q?Who=3F_Me?_No.?=`.
#[inline]
fn encoded_word(input: &[u8]) -> IResult<&[u8], EncodedWord<'_>> {
    let (rest, label) = preceded(tag("=?"), label).parse(input)?;
    let (rest, encoding) = delimited(tag("?"), encoding, tag("?")).parse(rest)?;
    let (rest, text) = terminated(text_to_end(encoding), tag("?=")).parse(rest)?;
    let (charset, language) = match label.iter().position(|&o| o == b'*') {
        Some(star) => (&label[..star], Some(&label[star + 1..])),
        None => (label, None),
    };
    Ok((rest, EncodedWord { charset, language, encoding, text }))
}

/// Returns the first encoded-word at `from` or after it, and its place.
#[inline]
pub fn next_word(octets: &[u8], mut from: usize) -> Option<(Span, EncodedWord<'_>)> {
    while let Some(start) = mark(octets, from) {
        if let Some((length, word)) = word_at_mark(&octets[start..]) {
            return Some((Span::new(start, start + length), word));
        }
        from = start + 1;
    }
    None
}

/// Makes `=_` of each `=?`, if there is an encoded-word: then no reader decodes the text once more
/// than others.
pub fn break_words(octets: &mut [u8]) {
    if next_word(octets, 0).is_none() {
        return;
    }
    for at in 1..octets.len() {
        if octets[at - 1..=at] == *b"=?" {
            octets[at] = b'_';
        }
    }
}

/// Returns whether `octets` contain what some readers take for an encoded-word though white space
/// is in it before its text: `=?utf-8 ?q?..?=`.
pub fn holds_spaced_word(octets: &[u8]) -> bool {
    let mut at = 0;
    while let Some(start) = mark(octets, at) {
        let near = &octets[start..octets.len().min(start + MAX_WORD)];
        let mut parts = near[2..].splitn(4, |octet| *octet == b'?');
        let (label, encoding) =
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let is_label =
            |label: &[u8]| !label.is_empty() && !label.iter().any(|octet| is_fws(*octet));
        let is_encoding = matches!(encoding.trim_ascii(), [b'b' | b'B' | b'q' | b'Q']);
        let is_spaced = label.len() + encoding.len() > label.trim_ascii().len() + 1;
        let ends =
            parts.next().is_some() && parts.next().is_some_and(|rest| rest.starts_with(b"="));
        if is_label(label.trim_ascii()) && is_encoding && is_spaced && ends {
            return true;
        }
        at = start + 1;
    }
    false
}

/// Returns what reads as an encoded-word from any mark in `octets`, in other words too: where a word
/// begins depends on the kind of the field.
pub fn possible_words(octets: &[u8]) -> impl Iterator<Item = (Span, EncodedWord<'_>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (span, word) = next_word(octets, at)?;
        at = span.start + 1;
        Some((span, word))
    })
}

/// Returns whether `octets` contain what every reader takes for an encoded-word: one without white
/// space inside.
#[inline]
pub fn holds_word(octets: &[u8]) -> bool {
    octets.len() >= MIN_OCTETS && unbroken_words(octets).next().is_some()
}

/// Returns the length of the encoded-word in Q that `input` begins with, if it holds octets that
/// would end an atom: `=?utf-8?Q?Doe,_J=C3=B6rg?=`. RFC 2047, 5 (3), forbids them in a phrase, and
/// half of all readers split such a word.
///
/// `None` if white space is inside, if it might hide a mailbox, a quoted-pair or half a
/// quoted-string, or if it might be part of an addr-spec.
pub fn loose_word(input: &[u8]) -> Option<usize> {
    let (rest, word) = encoded_word(input).ok()?;
    let next = rest.iter().find(|&&octet| !is_fws(octet));
    let apart = next.is_none_or(|octet| match octet {
        b'<' | b'(' | b',' | b';' => true,
        b'@' | b'.' => false,
        _ => is_fws(rest[0]),
    });
    let loose = word.text.iter().any(|octet| b"(),:;[]<>@\"".contains(octet));
    // What looks like an address in a word is none if one in brackets follows.
    let is_name = next == Some(&b'<') && precedes_address(rest);
    let safe = |octet: &u8| {
        octet.is_ascii_graphic() && *octet != b'\\' && (is_name || !b"<>@".contains(octet))
    };
    let quotes = word.text.iter().filter(|&&octet| octet == b'"').count();
    let labelled =
        word.encoding == WordEncoding::Q && word.charset.iter().all(|&octet| is_token(octet));
    let whole =
        apart && loose && labelled && quotes.is_multiple_of(2) && word.text.iter().all(safe);
    whole.then_some(input.len() - rest.len())
}

/// Returns whether `rest` begins with what may be an address in brackets.
fn precedes_address(rest: &[u8]) -> bool {
    /// The longest address (RFC 5321, 4.5.3.1), and white space before it.
    const FAR: usize = 320;
    let near = &rest[..rest.len().min(FAR)];
    let end = near.iter().position(|&octet| octet == b'>').unwrap_or(0);
    near[..end].contains(&b'@') && near[..end].iter().filter(|&&octet| octet == b'<').count() == 1
}

/// Returns the length of the longest encoded-word without white space inside; 0 if there is none.
pub fn longest_word(octets: &[u8]) -> usize {
    unbroken_words(octets).max().unwrap_or(0)
}

/// Returns the offset of the first `=?` at `from` or after it.
pub fn mark(octets: &[u8], from: usize) -> Option<usize> {
    // Where there is one mark, the next is often near.
    const NEAR: usize = 4;
    let mut at = from;
    loop {
        let near = octets[at..].iter().take(NEAR).position(|&octet| octet == b'?');
        at += near.or_else(|| memchr::memchr(b'?', &octets[at..]))?;
        if at > from && octets[at - 1] == b'=' {
            return Some(at - 1);
        }
        at += 1;
    }
}

/// Returns the encoded-word that `input` begins with, which begins with `=?`, and its length:
/// [`encoded_word`] in one go. Marks without an encoding are common in hostile text.
#[inline]
fn word_at_mark(input: &[u8]) -> Option<(usize, EncodedWord<'_>)> {
    const START: usize = 2;
    let mut star = None;
    let ends = |(at, &octet): (usize, &u8)| {
        if octet == b'*' && star.is_none() {
            star = Some(at);
        }
        octet == b'?' || is_fws(octet)
    };
    let length = input[START..].iter().enumerate().position(ends)?;
    let (label, rest) = input[START..].split_at(length);
    let (encoding, rest) = match *rest {
        [b'?', b'b' | b'B', b'?', ref rest @ ..] => (WordEncoding::B, rest),
        [b'?', b'q' | b'Q', b'?', ref rest @ ..] => (WordEncoding::Q, rest),
        _ => return None,
    };
    let (text, end) = rest.split_at(text_end(rest, encoding));
    if label.is_empty() || end.get(1) != Some(&b'=') {
        return None;
    }
    let (charset, language) = match star {
        Some(star) => (&label[..star], Some(&label[star + 1..])),
        None => (label, None),
    };
    Some((input.len() - end.len() + 2, EncodedWord { charset, language, encoding, text }))
}

impl EncodedWord<'_> {
    /// Returns whether the word may encode octets above 7F.
    pub fn may_have_8bit_octets(&self) -> bool {
        let is_high = |pair: &[u8]| {
            pair[0] == b'=' && matches!(pair[1], b'8' | b'9' | b'A'..=b'F' | b'a'..=b'f')
        };
        self.encoding == WordEncoding::B
            || !self.text.is_ascii()
            || self.text.windows(2).any(is_high)
    }

    /// Returns whether the encoded-text is one that RFC 2047 allows: no junk, no white space,
    /// correct padding.
    pub fn is_strict(&self) -> bool {
        match self.encoding {
            WordEncoding::B => is_base64(self.text),
            WordEncoding::Q => is_q(self.text),
        }
    }
}

/// `charset ["*" language]`, both tokens; any octets but `?` and white space are accepted.
fn label(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let is_label = |label: &[u8]| !label.is_empty() && !label.iter().any(|&octet| is_fws(octet));
    verify(to_question, is_label).parse(input)
}

/// Parses the encoded-text, up to what should be `?=`.
fn text_to_end(encoding: WordEncoding) -> impl Fn(&[u8]) -> IResult<&[u8], &[u8]> {
    move |input| {
        let (text, rest) = input.split_at(text_end(input, encoding));
        Ok((rest, text))
    }
}

/// Returns the end of the encoded-text that `rest` begins with: its first question mark; or, if
/// that does not end a word in Q, the one that does, if neither white space nor the beginning of
/// another word is between them.
fn text_end(rest: &[u8], encoding: WordEncoding) -> usize {
    let first = memchr::memchr(b'?', rest).unwrap_or(rest.len());
    if encoding == WordEncoding::B || first > MAX_WORD || rest[first..].starts_with(b"?=") {
        return first;
    }
    let near = &rest[..rest.len().min(MAX_WORD)];
    for (at, &octet) in near.iter().enumerate().skip(first + 1) {
        if is_fws(octet) || octet == b'?' && near[at - 1] == b'=' {
            break;
        }
        if rest[at..].starts_with(b"?=") {
            return at;
        }
    }
    first
}

fn to_question(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let (text, rest) = input.split_at(memchr::memchr(b'?', input).unwrap_or(input.len()));
    Ok((rest, text))
}

/// `encoding = "B" / "Q"`, any case
fn encoding(input: &[u8]) -> IResult<&[u8], WordEncoding> {
    let encoding = |octet| match octet {
        b'b' | b'B' => Some(WordEncoding::B),
        b'q' | b'Q' => Some(WordEncoding::Q),
        _ => None,
    };
    map_opt(u8, encoding).parse(input)
}

/// Returns the lengths of the encoded-words without white space inside.
fn unbroken_words(octets: &[u8]) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(start) = mark(octets, at) {
            let length = unbroken_word(&octets[start..]);
            at = start + length.unwrap_or(1);
            if length.is_some() {
                return length;
            }
        }
        None
    })
}

/// Returns the length of the encoded-word that `input` begins with, if every reader takes it for
/// one: no white space in it.
fn unbroken_word(input: &[u8]) -> Option<usize> {
    let (rest, _) = encoded_word(input).ok()?;
    let word = &input[..input.len() - rest.len()];
    let is_space = |&octet: &u8| is_fws(octet) || matches!(octet, 0x0B | 0x0C);
    (!word.iter().any(is_space)).then_some(word.len())
}

fn is_base64(text: &[u8]) -> bool {
    let padding = text.iter().rev().take_while(|&&o| o == b'=').count();
    let body = &text[..text.len() - padding];
    let alphabet = |&o: &u8| o.is_ascii_alphanumeric() || matches!(o, b'+' | b'/');
    text.len().is_multiple_of(4) && !text.is_empty() && padding <= 2 && body.iter().all(alphabet)
}

fn is_q(text: &[u8]) -> bool {
    let mut octets = text.iter();
    while let Some(&octet) = octets.next() {
        let fine = match octet {
            b'=' => {
                [octets.next(), octets.next()].iter().all(|o| o.is_some_and(u8::is_ascii_hexdigit))
            }
            _ => octet.is_ascii_graphic() && octet != b'?',
        };
        if !fine {
            return false;
        }
    }
    !text.is_empty()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    #[test]
    fn words_with_white_space_before_their_text_are_seen() {
        for (text, is_seen) in [
            ("=?utf-8 ?q?a?=", true),
            ("x =? utf-8?q?a?=", true),
            ("=?utf-8? Q ?a b?=", true),
            ("=?=?utf-8?\tb?a?=", true),
            ("=?utf-8?q?a?=", false),
            ("=?utf-8 x?q?a?=", false),
            ("=? ?q?a?=", false),
            ("=?utf-8 ?q?a?", false),
            ("=?utf-8 ?x?a?=", false),
        ] {
            assert_eq!(holds_spaced_word(text.as_bytes()), is_seen, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_word_at_a_mark_is_one_of_the_grammar(
            rest in "([a*?]|[ \t\r\n]){0,3}[?]?[BbQqx?]?[?]?([a=?*]|é| ){0,6}([?]=?)?([a?=]){0,3}",
        ) {
            let input = [b"=?", rest.as_bytes()].concat();
            let word = encoded_word(&input).ok().map(|(rest, word)| (input.len() - rest.len(), word));
            prop_assert_eq!(word_at_mark(&input), word);
        }
    }
}
