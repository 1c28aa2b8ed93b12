//! What becomes of encoded-words (rules H4, H5).

use super::draft::Draft;
use super::raw_text::{Source, WordPolicy, read_unknown};
use crate::ascii::{is_fws, is_token};
use crate::decode::{RawCharset, RawText, Word, Words, raw_text};
use crate::encode::{Octets, Place, Run, TextWords, single};
use crate::issue::Tally;
use crate::lengths::MAX_CHARSET_NAME;
use crate::syntax::encoded_word::{EncodedWord, MAX_WORD, WordEncoding};
use crate::syntax::lexical::unfolded;
use crate::{Code, Span};

/// Reads encoded-words into `out`; `kept` is where words that are kept end, if those come right before.
pub(super) fn read_words(
    draft: &mut Draft<'_>,
    source: &Source<'_>,
    words: &Words<'_>,
    kept: Option<usize>,
    out: &mut TextWords<'_>,
) -> Found {
    let (rules, tally) = (&draft.rules, &mut draft.tally);
    let at = source.at(words.span);
    let is_transport = !rules.is_archive();
    // Rule H5 speaks in both profiles: what decodes to a line end is no text in any of them.
    let fine = rules.is_archive() || !words.holds_structure(rules.raw_text());
    let keepable = fine && is_keepable(source, words);
    let allowed = source.words == WordPolicy::Allowed;
    if words.is_unknown() {
        tally.note(Code::CharsetUnknown, at);
    }
    let is_unread = words.is_unread(rules.raw_text());
    let may_stay = is_transport || is_unread;
    let apart = words.words.iter().all(|one| stands_apart(source.octets, one.span));
    let unread = || is_unread || !words.is_lossless();
    let rewritten = !allowed && keepable && is_transport && unread();
    if may_stay && !apart || rewritten {
        // Reported only if the field is written anew: white space comes between, or unread words are shown otherwise.
        tally.note(Code::EncodedWordRepaired, at);
    }
    if keepable && allowed && may_stay {
        keep(source.octets, words, kept, out);
        return Found::Kept;
    }
    let octets_stay = fine && is_transport && !words.is_lossless() && words.is_stateless();
    if is_unread || octets_stay {
        split_again(source, words, rules.raw_text(), out, tally);
    } else if let Some(text) = words.text(rules.raw_text(), tally) {
        out.text(&text);
    }
    if keepable && (is_transport || allowed && is_canonical(source, words)) {
        return Found::Decoded;
    }
    if is_unread || octets_stay || is_ours(words) {
        tally.note(Code::EncodedWordRepaired, at);
    } else {
        tally.note_value(Code::HeaderTranscoded, at, None, || label(words));
    }
    Found::Changed
}

/// The label of the first of them.
fn label(words: &Words<'_>) -> String {
    words.words.first().map(|one| String::from_utf8_lossy(one.word.charset).into_owned()).unwrap_or_default()
}

/// What was made of encoded-words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// They stay as they are, also where the field is written anew.
    Kept,
    /// They may stay; where the field is written anew, their text is.
    Decoded,
    /// They cannot stay.
    Changed,
}

/// Whether every word may stand as it is, as far as its outline goes.
fn is_keepable(source: &Source<'_>, words: &Words<'_>) -> bool {
    words.words.iter().all(|Word { span, .. }| {
        let mut word = source.octets[span.start..span.end].iter();
        span.len() <= MAX_WORD && word.all(|&octet| source.place.may_hold(octet))
    })
}

/// Adds words as they stand, with the white space before each that follows a word which is kept too.
fn keep(octets: &[u8], words: &Words<'_>, kept: Option<usize>, out: &mut TextWords<'_>) {
    let mut end = kept.unwrap_or(words.span.start);
    for Word { span, .. } in &words.words {
        out.space(&unfolded(&octets[end..span.start]));
        out.word(octets[span.start..span.end].to_vec());
        end = span.end;
    }
}

/// Writes the octets of words under the same label again, in words of the right length; if the label cannot
/// be written, the words are text.
fn split_again(
    source: &Source<'_>,
    words: &Words<'_>,
    raw: RawText,
    out: &mut TextWords<'_>,
    tally: &mut Tally,
) {
    let label = words.label();
    let fine = |&octet: &u8| is_token(octet) && source.place.may_hold(octet);
    if (1..=MAX_CHARSET_NAME).contains(&label.len()) && label.iter().all(fine) && !words.octets.is_empty() {
        out.octets(label.to_vec(), &words.octets);
        return;
    }
    let octets = &source.octets[words.span.start..words.span.end];
    match raw.charset(octets) {
        RawCharset::Unknown => read_unknown(octets, out),
        _ => out.text(&raw_text(octets, source.span, raw, tally)),
    }
}

/// Whether every reader reads these words alike: UTF-8 or US-ASCII, well-formed one by one, without controls,
/// apart from other text; no padding inside adjacent base64; in a phrase no more words than are needed, since
/// some readers show a space between any two.
fn is_canonical(source: &Source<'_>, words: &Words<'_>) -> bool {
    let fine = words.words.iter().all(|one| {
        let canonical = is_canonical_word(&one.word, &words.octets[one.octets.clone()], source.place);
        canonical && stands_apart(source.octets, one.span)
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

fn is_canonical_word(word: &EncodedWord<'_>, octets: &[u8], place: Place) -> bool {
    let named = |name: &str| word.charset.eq_ignore_ascii_case(name.as_bytes());
    let fits = word.encoding == WordEncoding::B || word.text.iter().all(|&octet| place.may_hold_in_q(octet));
    let labelled = named("utf-8") || named("us-ascii") && octets.is_ascii();
    let text = std::str::from_utf8(octets);
    let well_formed = text.is_ok_and(|text| !text.chars().any(|c| c.is_control() && c != '\t'));
    fits && labelled && well_formed && word.language.is_none() && word.is_strict()
}

/// Whether words are labelled as they would be written.
fn is_ours(words: &Words<'_>) -> bool {
    [&b"utf-8"[..], b"us-ascii"].iter().any(|name| words.label().eq_ignore_ascii_case(name))
}
