//! What becomes of encoded-words (rules H4, H5).

use super::draft::Draft;
use super::raw_text::{Source, WordPolicy, read_unknown};
use super::stateful_words::{append_words, stateful_words, without_structure};
use crate::ascii::{is_fws, is_token};
use crate::charset::UNKNOWN_8BIT;
use crate::decode::{Nul, RawCharset, RawText, Segment, Word, Words, raw_text, segments};
use crate::encode::{Octets, Place, Run, TextWords, single};
use crate::issue::Tally;
use crate::lengths::MAX_CHARSET_NAME;
use crate::syntax::encoded_word::{EncodedWord, MAX_WORD, WordEncoding, words};
use crate::syntax::lexical::unfolded;
use crate::{Charset, Code, Span};

/// Reads encoded-words into `out`; `before` is what came directly before them.
pub(super) fn read_words(
    draft: &mut Draft<'_>,
    source: &Source<'_>,
    words: &Words<'_>,
    before: &Before,
    out: &mut TextWords<'_>,
) -> Found {
    let (rules, tally) = (&draft.rules, &mut draft.tally);
    let (at, raw) = (source.at(words.span), rules.raw_text());
    let is_transport = !rules.policy.transcodes_fields;
    // Lossless or leave: what cannot be read stays as it is, under its label. Raw octets of unknown charset
    // keep their octets, also under a label that says nothing or cannot be true.
    let has_no_charset = (words.says_nothing() || words.lie()) && words.found(raw).is_none();
    let is_torn = before.is_torn || !words.is_lossless(raw);
    let is_unread = words.is_unknown() || is_torn && (!rules.replaces() || has_no_charset);
    let may_stay = is_transport || is_unread;
    // Rule H5 applies in both profiles: anything that decodes to a line end is not text in either of them.
    let fine = !may_stay || !words.holds_structure(raw);
    // Octets that seem to be in a charset get its label, so that it is not guessed again.
    let is_labelled = words.found(raw).is_none() || !is_unread;
    let keepable = fine && is_labelled && is_keepable(source, words);
    let allowed = source.words == WordPolicy::Allowed;
    if words.is_unknown() {
        tally.note(Code::CharsetUnknown, at);
    } else if is_unread && !is_transport {
        tally.note_value(Code::UndecodableText, at, None, || label(words));
    }
    let apart = words.words.iter().all(|one| is_set_apart(source.octets, one.span));
    let rewritten = !allowed && keepable && is_unread;
    if may_stay && !apart || rewritten {
        // Reported only if the field is rewritten: white space is put between, or unread words are shown
        // differently.
        tally.note(Code::EncodedWordRepaired, at);
    }
    if keepable && allowed && may_stay {
        keep(source.octets, words, before.kept, out);
        if is_unread && words.lie() {
            out.note_lying(words.words.len(), words.label(), &words.octets);
        }
        return Found::Kept;
    }
    if is_unread {
        if !fine {
            tally.note(Code::ControlReplaced, at);
        }
        split_again(source, words, fine, raw, out, tally);
    } else if let Some(text) = words.text(raw, Nul::Dropped, tally) {
        out.text(&text);
    }
    if keepable && (is_transport || allowed && is_canonical(source, words)) {
        return Found::Decoded;
    }
    if is_unread || is_ours(words) {
        tally.note(Code::EncodedWordRepaired, at);
    } else {
        tally.note_value(Code::HeaderTranscoded, at, None, || label(words));
    }
    Found::Changed
}

/// What came directly before some encoded-words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    /// Where kept words end.
    pub(super) kept: Option<usize>,
    /// Whether they belong to a [torn run](torn_runs).
    pub(super) is_torn: bool,
}

/// Returns the runs of adjacent words of one stateful charset of which some cannot be read: each is read by
/// itself, but they are kept or changed together, or what is left of a text that was cut would be read once
/// and not again.
pub(super) fn torn_runs(source: &Source<'_>, raw: RawText) -> Vec<Span> {
    let octets = source.octets;
    let is_stateful =
        |word: &EncodedWord<'_>| Charset::for_octets(word.charset).is_some_and(Charset::is_stateful);
    // Hardly any are: this saves decoding them twice.
    if !words(octets).any(|(_, word)| is_stateful(&word)) {
        return Vec::new();
    }
    let mut runs: Vec<(Span, Vec<u8>, bool)> = Vec::new();
    let mut continues = false;
    segments(octets, |segment| match segment {
        Segment::Raw(_) => continues = false,
        // What gets another label is not part of the text under this one.
        Segment::Words(words) if words.found(raw).is_some() => continues = false,
        // Nor are words that become text.
        Segment::Words(words) if !remain_words(source, words, raw) => continues = false,
        Segment::Words(words) => {
            let is_torn = !words.is_unknown() && !words.is_lossless(raw);
            let label = words.label().to_ascii_lowercase();
            match runs.last_mut() {
                Some((span, known, torn)) if continues && *known == label => {
                    span.end = words.span.end;
                    *torn |= is_torn;
                }
                _ => runs.push((words.span, label, is_torn && !words.is_stateless())),
            }
            continues = true;
        }
    });
    runs.into_iter().filter(|(_, _, is_torn)| *is_torn).map(|(span, ..)| span).collect()
}

/// Returns whether words of a stateful charset that cannot be read are still words when they are written.
fn remain_words(source: &Source<'_>, words: &Words<'_>, raw: RawText) -> bool {
    let fine = !words.holds_structure(raw);
    let are_kept = || fine && source.words == WordPolicy::Allowed && is_keepable(source, words);
    words.words.iter().all(|one| one.word.text.is_ascii())
        && (are_kept() || split_stateful(source, words.label(), words, fine).is_some())
}

/// Returns the label of the first of them.
fn label(words: &Words<'_>) -> String {
    words.words.first().map(|one| String::from_utf8_lossy(one.word.charset).into_owned()).unwrap_or_default()
}

/// What was made of encoded-words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// They stay as they are, even if the field is rewritten.
    Kept,
    /// They may stay; if the field is rewritten, it is with their text.
    Decoded,
    /// They cannot stay.
    Changed,
}

/// Returns whether every word may be kept as it is, judging by its outline.
fn is_keepable(source: &Source<'_>, words: &Words<'_>) -> bool {
    words.words.iter().all(|Word { span, .. }| {
        let mut word = source.octets[span.start..span.end].iter();
        span.len() <= MAX_WORD && word.all(|&octet| source.place.may_hold(octet))
    })
}

/// Adds words as they are, each with the white space before it if that follows another kept word.
fn keep(octets: &[u8], words: &Words<'_>, kept: Option<usize>, out: &mut TextWords<'_>) {
    let mut end = kept.unwrap_or(words.span.start);
    for Word { span, .. } in &words.words {
        out.space(&unfolded(&octets[end..span.start]));
        out.word(octets[span.start..span.end].to_vec());
        end = span.end;
    }
}

/// Writes the octets of words under the same label again, in words of the right length; if that cannot be
/// done, the words become text.
fn split_again(
    source: &Source<'_>,
    words: &Words<'_>,
    fine: bool,
    raw: RawText,
    out: &mut TextWords<'_>,
    tally: &mut Tally,
) {
    let label = match words.found(raw) {
        Some(charset) => charset.name().as_bytes(),
        None if words.lie() => UNKNOWN_8BIT.as_bytes(),
        None => words.label(),
    };
    if let Some(written) = split_stateful(source, label, words, fine) {
        return append_words(&written, out);
    }
    let octets = octets_to_write(words, fine);
    let is_writable = is_label(source, label) && (fine || words.extends_ascii());
    if is_writable && !octets.is_empty() && words.is_stateless() {
        return out.octets(label.to_vec(), &octets);
    }
    let octets = &source.octets[words.span.start..words.span.end];
    match raw.charset(octets) {
        RawCharset::Unknown => read_unknown(octets, source.span, out, tally),
        _ => out.text(&raw_text(octets, source.span, raw, tally)),
    }
}

/// Returns the words that hold the octets of words of a stateful charset again; `None` if there are none that say
/// the same, or the charset is not stateful.
fn split_stateful(source: &Source<'_>, label: &[u8], words: &Words<'_>, fine: bool) -> Option<Vec<Vec<u8>>> {
    let is_writable = is_label(source, label) && (fine || words.extends_ascii());
    let label = std::str::from_utf8(label).ok().filter(|_| is_writable && !words.is_stateless())?;
    stateful_words(label, &octets_to_write(words, fine))
}

/// Returns whether a label may stand in a word.
fn is_label(source: &Source<'_>, label: &[u8]) -> bool {
    let may_hold = |&octet: &u8| is_token(octet) && source.place.may_hold(octet);
    (1..=MAX_CHARSET_NAME).contains(&label.len()) && label.iter().all(may_hold)
}

/// Returns the octets of words, without structure unless they are `fine`.
fn octets_to_write(words: &Words<'_>, fine: bool) -> Vec<u8> {
    if fine { words.octets.clone() } else { without_structure(&words.octets) }
}

/// Returns whether every reader reads these words alike: UTF-8 or US-ASCII, each well-formed by itself,
/// without controls, separate from other text; no padding inside adjacent base64; in a phrase no more words
/// than are needed, since some readers show a space between any two.
fn is_canonical(source: &Source<'_>, words: &Words<'_>) -> bool {
    let fine = words.words.iter().all(|one| {
        let canonical = is_canonical_word(&one.word, &words.octets[one.octets.clone()], source.place);
        canonical && is_set_apart(source.octets, one.span)
    });
    let padded = |word: &EncodedWord<'_>| word.encoding == WordEncoding::B && word.text.ends_with(b"=");
    let padded_inside = words.words.iter().rev().skip(1).any(|one| padded(&one.word));
    fine && !padded_inside && !is_needlessly_split(source, words)
}

/// Returns whether white space separates a word from other text (RFC 2047, 5).
fn is_set_apart(octets: &[u8], word: Span) -> bool {
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

/// Returns whether words have a label that sevenbit would write.
fn is_ours(words: &Words<'_>) -> bool {
    [&b"utf-8"[..], b"us-ascii"].iter().any(|name| words.label().eq_ignore_ascii_case(name))
}
