//! The treatment of encoded-words (rules H3, H4, H5).

use std::ops::Range;

use super::draft::Draft;
use super::raw_text::{TextSource, WordPolicy, read_raw, without_structure};
use super::rules::FieldRules;
use crate::ascii::{is_fws, is_token};
use crate::charset::{Guess, UNKNOWN_8BIT, is_common};
use crate::decode::{Nul, RawText, Word, Words};
use crate::encode::{Octets, Place, Run, TextWords, single};
use crate::lengths::MAX_CHARSET_NAME;
use crate::syntax::encoded_word::{EncodedWord, MAX_WORD, WordEncoding};
use crate::syntax::lexical::unfolded;
use crate::{Code, DecodeFault, Span};

/// The fate of encoded-words that are read together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate<'w> {
    /// The words stay, octet for octet, even if the field is rewritten.
    Keep,
    /// Their text is written.
    Text,
    /// Their octets are written in words of the right length with this label: their own, or another
    /// if that cannot be true or says nothing.
    Label(&'w [u8]),
    /// Their source is written as text.
    Literal,
}

/// Reads encoded-words into `out`; returns whether they have to be written differently. `kept` is
/// where kept words end that come directly before what is read.
pub(super) fn read_words(
    draft: &mut Draft<'_>,
    source: &TextSource<'_>,
    words: &Words<'_>,
    kept: &mut Option<usize>,
    out: &mut TextWords<'_>,
) -> bool {
    let raw = draft.rules.raw_text();
    let fate = classify(draft, source, words);
    let is_free = may_stay(draft, source, words, fate);
    note(draft, source, words, fate, is_free);
    let before = kept.take();
    match fate {
        Fate::Keep => *kept = Some(keep(source.octets, words, before, out)),
        Fate::Text => {
            let text = words.text(raw, Nul::Dropped, &mut draft.tally);
            text.into_iter().for_each(|text| out.text(&text));
        }
        Fate::Label(label) if words.holds_structure(raw) => {
            out.octets(Octets::copied(label), &without_structure(&words.octets));
        }
        Fate::Label(label) => out.octets(Octets::copied(label), &words.octets),
        Fate::Literal => {
            read_raw(draft, &source.octets[Range::from(words.span)], source.span, out);
        }
    }
    fate != Fate::Keep && !is_free
}

/// Decides what becomes of words: *lossless or leave*. Those that cannot be read stay if they are
/// legal; if not, their octets stay if words can hold them.
fn classify<'w>(draft: &Draft<'_>, source: &TextSource<'_>, words: &Words<'w>) -> Fate<'w> {
    let (rules, raw) = (&draft.rules, draft.rules.raw_text());
    let is_read = is_read(words, rules);
    let label = if is_read { None } else { true_label(words, rules) };
    let may_stay = if rules.policy.rewrites {
        !is_read && label.is_none()
    } else {
        !words.are_misspelt() || !is_read
    };
    let is_writable = |label: &[u8]| {
        let may_hold = || words.extends_ascii() || !words.holds_structure(raw);
        !words.octets.is_empty() && is_label(source, label) && may_hold()
    };
    match label {
        _ if may_stay && source.words == WordPolicy::Allowed && is_legal(source, words, raw) => {
            Fate::Keep
        }
        _ if is_read => Fate::Text,
        Some(label) if is_writable(label.as_bytes()) => Fate::Label(label.as_bytes()),
        None if is_writable(words.label()) && words.is_stateless() => Fate::Label(words.label()),
        _ => Fate::Literal,
    }
}

/// Returns whether all of the words can be read, or replacements written for what cannot.
fn is_read(words: &Words<'_>, rules: &FieldRules) -> bool {
    let raw = rules.raw_text();
    // Raw octets of unknown charset keep their octets, also under a label that says nothing or
    // cannot be true.
    let has_no_charset = || words.is_unlabelled() && words.found(raw).is_none();
    words.is_lossless(raw) || rules.policy.replaces && !words.is_unknown() && !has_no_charset()
}

/// Returns the label for octets whose own cannot be true or says nothing: that of the charset that
/// they seem to be in, so that it is not guessed again; `None` if there is none but their own.
fn true_label(words: &Words<'_>, rules: &FieldRules) -> Option<&'static str> {
    if let Some(charset) = words.found(rules.raw_text()).filter(|charset| !charset.is_stateful()) {
        return Some(charset.name());
    }
    // Words beside these would be joined to them under their own label, and then it could be true.
    words.lie().then(|| guessed(words, rules).map_or(UNKNOWN_8BIT, |guess| guess.charset().name()))
}

/// Returns the guess that labels octets whose own label cannot be true (transport).
fn guessed(words: &Words<'_>, rules: &FieldRules) -> Option<Guess> {
    let guess = if words.lie() { rules.label_of(&words.octets) } else { None };
    guess.filter(|guess| !guess.charset().is_stateful())
}

/// Returns whether words may stay as they are where words are allowed: each is short enough,
/// consists of what its place may hold, and holds no line end and no NUL (rule H5).
fn is_legal(source: &TextSource<'_>, words: &Words<'_>, raw: RawText) -> bool {
    let is_legal = |Word { span, .. }: &Word<'_>| {
        let mut word = source.octets[span.start..span.end].iter();
        span.len() <= MAX_WORD && word.all(|&octet| source.place.may_hold(octet))
    };
    words.words.iter().all(is_legal) && !words.holds_structure(raw)
}

/// Returns whether words that do not have to stay may, if nothing else has to change.
fn may_stay(draft: &Draft<'_>, source: &TextSource<'_>, words: &Words<'_>, fate: Fate<'_>) -> bool {
    if !is_legal(source, words, draft.rules.raw_text()) || words.are_misspelt() {
        return false;
    }
    let is_canonical = || source.words == WordPolicy::Allowed && is_canonical(source, words);
    !draft.rules.policy.rewrites || fate == Fate::Text && is_canonical()
}

/// Notes what is reported if the field is rewritten, and, if these words are free to stay, what
/// readers take differently.
fn note(
    draft: &mut Draft<'_>,
    source: &TextSource<'_>,
    words: &Words<'_>,
    fate: Fate<'_>,
    is_free: bool,
) {
    let (raw, transcodes) = (draft.rules.raw_text(), draft.rules.policy.rewrites);
    let at = source.at(words.span);
    let label = || String::from_utf8_lossy(words.label()).into_owned();
    let is_read = is_read(words, &draft.rules);
    if words.is_unknown() {
        draft.tally.note(Code::CharsetUnknown, at);
    } else if transcodes && !is_read {
        draft.tally.note_value(Code::Decode(DecodeFault::UndecodableText), at, None, label);
    }
    let is_apart = words.words.iter().all(|one| is_set_apart(source.octets, one.span));
    let is_common = |one: &Word<'_>| is_common(one.word.charset, &words.octets[one.octets.clone()]);
    let all_read_alike =
        || !words.are_misspelt() && (words.is_unknown() || words.words.iter().all(is_common));
    if (fate == Fate::Keep || is_free) && !((is_read || words.is_unknown()) && all_read_alike()) {
        draft.tally.note(Code::AmbiguousText, at);
    }
    if let Fate::Label(_) = fate
        && let Some(guess) = guessed(words, &draft.rules)
    {
        draft.tally.note_value(Code::CharsetGuessed, at, None, || guess);
    }
    // Sevenbit itself would write that label.
    let is_ours =
        [&b"utf-8"[..], b"us-ascii"].iter().any(|own| words.label().eq_ignore_ascii_case(own));
    match fate {
        // White space is put beside them if the field is rewritten.
        Fate::Keep if is_apart => {}
        Fate::Text if is_free && is_apart => {}
        Fate::Text if !is_free && !is_ours => {
            draft.tally.note_value(Code::HeaderTranscoded, at, None, label);
        }
        _ => draft.tally.note(Code::EncodedWordRepaired, at),
    }
    if !is_read && words.holds_structure(raw) {
        draft.tally.note(Code::ControlReplaced, at);
    }
}

/// Adds words as they are, each with the white space before it if that follows another kept word;
/// returns where they end.
fn keep(octets: &[u8], words: &Words<'_>, kept: Option<usize>, out: &mut TextWords<'_>) -> usize {
    let mut end = kept.unwrap_or(words.span.start);
    for Word { span, .. } in &words.words {
        out.space(&unfolded(&octets[end..span.start]));
        out.word(octets[span.start..span.end].to_vec());
        end = span.end;
    }
    end
}

/// Returns whether a label may stand in a word.
fn is_label(source: &TextSource<'_>, label: &[u8]) -> bool {
    let may_hold = |&octet: &u8| is_token(octet) && source.place.may_hold(octet);
    (1..=MAX_CHARSET_NAME).contains(&label.len()) && label.iter().all(may_hold)
}

/// Returns whether every reader reads these words alike: UTF-8 or US-ASCII, each well-formed by
/// itself, without controls, separate from other text; no padding inside adjacent base64; in a
/// phrase no more words than are needed, since some readers show a space between any two.
fn is_canonical(source: &TextSource<'_>, words: &Words<'_>) -> bool {
    let fine = words.words.iter().all(|one| {
        let canonical =
            is_canonical_word(&one.word, &words.octets[one.octets.clone()], source.place);
        canonical && is_set_apart(source.octets, one.span)
    });
    let padded =
        |word: &EncodedWord<'_>| word.encoding == WordEncoding::B && word.text.ends_with(b"=");
    let padded_inside = words.words.iter().rev().skip(1).any(|one| padded(&one.word));
    let run = Run { label: None, octets: Octets::from(&words.octets[..]), place: source.place };
    let may_be_one =
        || words.words.len() > 1 && source.place == Place::Phrase && single(&run).is_some();
    fine && !padded_inside && !may_be_one()
}

/// Returns whether white space separates a word from other text (RFC 2047, 5).
fn is_set_apart(octets: &[u8], word: Span) -> bool {
    let apart = |at: Option<&u8>| at.is_none_or(|&o| is_fws(o));
    apart(word.start.checked_sub(1).and_then(|at| octets.get(at))) && apart(octets.get(word.end))
}

fn is_canonical_word(word: &EncodedWord<'_>, octets: &[u8], place: Place) -> bool {
    let named = |name: &str| word.charset.eq_ignore_ascii_case(name.as_bytes());
    let fits = word.encoding == WordEncoding::B
        || word.text.iter().all(|&octet| place.may_hold_in_q(octet));
    let labelled = named("utf-8") || named("us-ascii") && octets.is_ascii();
    let text = std::str::from_utf8(octets);
    let well_formed = text.is_ok_and(|text| !text.chars().any(|c| c.is_control() && c != '\t'));
    fits && labelled && well_formed && word.language.is_none() && word.is_strict()
}
