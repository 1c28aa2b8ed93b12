//! Encoded-words as the writer cuts and writes them, compared with those of the plain functions
//! below, which are the specification of the writer.

use std::ops::Range;

use proptest::prelude::*;
use unicode_segmentation::GraphemeCursor;

use super::{Content, Encoding, MAX_TEXT, MAX_WORD, PlannedWord, PlannedWords};
use crate::codec::text_classes::TextClasses;
use crate::codec::{base64, hex};
use crate::encode::unstructured::unstructured_value;
use crate::encode::{Place, Run, TextWords, settle, value};

const PLACES: [Place; 3] = [Place::Unstructured, Place::Phrase, Place::Comment];

fn check(run: &Run<'_>, first: usize, rest: usize) {
    let classes = run.classes();
    let content = Content::of(run, &classes);
    let mut cuts = PlannedWords::default();
    content.cut_into(&mut cuts, first, rest);
    let mut lines = Vec::new();
    content.write(&cuts, &mut lines);
    let mut written = Vec::new();
    let mut left = &lines[..];
    for PlannedWord { length, .. } in cuts.iter() {
        let (word, after) = left.split_at(*length);
        written.push(word);
        left = after.strip_prefix(b"\r\n ").unwrap_or(after);
    }
    assert!(left.is_empty());
    assert_eq!(
        written,
        words(run, first, rest),
        "{:?} {:?}",
        String::from_utf8_lossy(&run.octets),
        run.place
    );
}

proptest! {
    #[test]
    fn writes_the_words_of_the_specification(
        text in "[a-z =?_é]{1,200}|[а-яa ]{1,150}|[क-ह\u{94d}ा-ौ ]{1,90}|[\u{1F1E6}-\u{1F1FF}x]{1,60}|\\PC{1,120}|[一-三가각ᄀ-ᄃㅏ🧑\u{200d}🏽]{1,80}",
        first in 0_usize..90, rest in prop_oneof![Just(75_usize), 20_usize..80], place in 0_usize..3,
    ) {
        check(&Run { label: None, octets: text.into_bytes().into(), place: PLACES[place] }, first, rest);
    }

    #[test]
    fn writes_octets_of_others(
        octets in prop::collection::vec(any::<u8>(), 1..200), first in 0_usize..90, place in 0_usize..3,
        label in "unknown-8bit|x|x-why",
    ) {
        let label = Some(label.as_bytes().into());
        check(&Run { label, octets: octets.into(), place: PLACES[place] }, first, 75);
    }

    #[test]
    fn text_is_written_as_its_items_are(text in "([a-zé]{1,9} {1,3}|[а-я]{0,30} |\\PC{1,20}|[!-~]{1,80} ){0,12}[xé]") {
        let text = text.trim_matches(' ').replace("=?", "=");
        prop_assume!(!text.is_empty() && !text.contains("=?") && !text.chars().any(char::is_control));
        let mut atoms = TextWords::default();
        atoms.whole_text(&text);
        let mut items = Vec::new();
        atoms.append_to(&mut items, Place::Unstructured);
        settle(&mut items, 0);
        prop_assert_eq!(unstructured_value(&text, &TextClasses::of(text.as_bytes(), Place::Unstructured.literals())), value(&items));
    }
}

#[test]
fn every_character_that_stands_alone_does() {
    let boundary = |text: &str, at| GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0);
    for c in (' '..='\u{FFFF}').filter(|&c| super::split::stands_alone(c)) {
        for other in [' ', 'a', 'я', 'ש', 'ب', 'क', 'ท', '一', '가', 'ァ', c] {
            let both: String = [c, other, c].iter().collect();
            assert_eq!(boundary(&both, c.len_utf8()), Ok(true), "{c:?} {other:?}");
            assert_eq!(boundary(&both, both.len() - c.len_utf8()), Ok(true), "{other:?} {c:?}");
        }
    }
}

/// Writes `run` as encoded-words, in B or Q, whichever is shorter in total. The first has at most
/// `first` octets, every other at most `rest`.
fn words(run: &Run<'_>, first: usize, rest: usize) -> Vec<Vec<u8>> {
    let (q_len, b_len) =
        (text_len(run, Encoding::Q, &run.octets), text_len(run, Encoding::B, &run.octets));
    if overhead(run) + q_len.min(b_len) <= first.min(MAX_WORD) {
        return vec![word(run, if b_len < q_len { Encoding::B } else { Encoding::Q }, &run.octets)];
    }
    let q = plan(run, Encoding::Q, first, rest);
    let b = plan(run, Encoding::B, first, rest);
    let cuts = if written(run, &b) < written(run, &q) && !is_padded_inside(&b) { b } else { q };
    cuts.into_iter().map(|(cut, encoding)| word(run, encoding, &run.octets[cut])).collect()
}

/// Returns whether a word before the last would end with padding. Some readers decode adjacent B
/// words as one run of base64, which ends at padding.
fn is_padded_inside(cuts: &[(Range<usize>, Encoding)]) -> bool {
    let is_padded =
        |(cut, encoding): &(Range<usize>, Encoding)| *encoding == Encoding::B && cut.len() % 3 > 0;
    cuts.split_last().is_some_and(|(_, before)| before.iter().any(is_padded))
}

fn label<'r>(run: &'r Run<'_>) -> &'r [u8] {
    match &run.label {
        Some(label) => label,
        None if run.octets.is_ascii() => b"us-ascii",
        None => b"utf-8",
    }
}

/// `=?`, `?Q?` and `?=` around the text, and the label.
fn overhead(run: &Run<'_>) -> usize {
    label(run).len() + 7
}

/// Cuts `run` into words, each as full as it may be. Where a word in B could only end with padding,
/// a word in Q with a few characters comes before it.
fn plan(
    run: &Run<'_>,
    encoding: Encoding,
    first: usize,
    rest: usize,
) -> Vec<(Range<usize>, Encoding)> {
    let text = if run.label.is_none() { std::str::from_utf8(&run.octets).ok() } else { None };
    let mut cuts = Vec::new();
    let mut room = first.min(MAX_WORD).saturating_sub(overhead(run)).min(MAX_TEXT);
    let mut start = 0;
    while start < run.octets.len() {
        let most = fitting(run, text, start, encoding, room);
        let end =
            if most < run.octets.len() { best_cut(run, text, start..most, encoding) } else { most };
        let is_padded = encoding == Encoding::B && (end - start) % 3 > 0 && end < run.octets.len();
        let aligning = match text {
            Some(text) if is_padded => aligning(run, text, start, room),
            _ => None,
        };
        let (end, encoding) = aligning.map_or((end, encoding), |end| (end, Encoding::Q));
        cuts.push((start..end, encoding));
        start = end;
        room = rest.min(MAX_WORD).saturating_sub(overhead(run)).min(MAX_TEXT);
    }
    cuts
}

/// Returns where a word in Q that begins at `start` may end so that one in B can follow that ends
/// without padding.
fn aligning(run: &Run<'_>, text: &str, start: usize, room: usize) -> Option<usize> {
    let ends = |from: usize, most: usize| {
        (from + 1..=run.octets.len().min(from + most))
            .filter(move |&end| text.is_char_boundary(end))
    };
    let fits = |end: &usize| text_len(run, Encoding::Q, &run.octets[start..*end]) <= room;
    let is_followed = |end: &usize| {
        ends(*end, start + MAX_TEXT - *end).any(|next| (next - end).is_multiple_of(3))
    };
    ends(start, 12).take_while(fits).find(|end| is_followed(end) && is_boundary(text, start, *end))
}

/// Returns how far a word that begins at `start` can reach with `room` octets of encoded-text: at
/// least one character (one octet if the charset is not ours).
fn fitting(
    run: &Run<'_>,
    text: Option<&str>,
    start: usize,
    encoding: Encoding,
    room: usize,
) -> usize {
    let (mut end, mut written) = (start, 0);
    while end < run.octets.len() {
        let next =
            end + text.map_or(1, |text| text[end..].chars().next().map_or(1, char::len_utf8));
        written += text_len(run, Encoding::Q, &run.octets[end..next]);
        let length = if encoding == Encoding::Q { written } else { (next - start).div_ceil(3) * 4 };
        if length > room && end > start {
            break;
        }
        end = next;
    }
    end
}

/// Returns the best place to end a word before another one: between graphemes if possible; in B
/// where no padding is needed; in a phrase after a space, since some readers show one between any
/// two words of a display name.
fn best_cut(run: &Run<'_>, text: Option<&str>, word: Range<usize>, encoding: Encoding) -> usize {
    let padless = |end: &usize| encoding == Encoding::Q || (end - word.start).is_multiple_of(3);
    let whole = |end: &usize| text.is_none_or(|text| is_boundary(text, word.start, *end));
    let spaced = |end: &usize| run.place != Place::Phrase || run.octets[end - 1] == b' ';
    let character = |end: &usize| text.is_none_or(|text| text.is_char_boundary(*end));
    let ends = || (word.start + 1..=word.end).rev().filter(character).filter(padless);
    let found =
        ends().filter(spaced).find(whole).or_else(|| ends().find(whole)).or_else(|| ends().next());
    found.unwrap_or(word.end)
}

/// Returns whether a grapheme ends at `end`, judged from the start of this word only.
fn is_boundary(text: &str, start: usize, end: usize) -> bool {
    let rest = &text[start..];
    GraphemeCursor::new(end - start, rest.len(), true).is_boundary(rest, 0).unwrap_or(true)
}

fn written(run: &Run<'_>, cuts: &[(Range<usize>, Encoding)]) -> usize {
    let length = |(cut, encoding): &(Range<usize>, Encoding)| {
        text_len(run, *encoding, &run.octets[cut.clone()])
    };
    cuts.iter().map(|cut| overhead(run) + 1 + length(cut)).sum()
}

fn text_len(run: &Run<'_>, encoding: Encoding, octets: &[u8]) -> usize {
    match encoding {
        Encoding::B => octets.len().div_ceil(3) * 4,
        Encoding::Q => {
            octets.iter().map(|&o| if o == b' ' || is_safe(o, run.place) { 1 } else { 3 }).sum()
        }
    }
}

/// Returns whether Q may hold an octet as it is.
///
/// RFC 2047, 5 (3) names the few octets that a phrase may contain; a comment may contain all but
/// its own delimiters.
fn is_safe(octet: u8, place: Place) -> bool {
    match place {
        Place::Phrase => {
            octet.is_ascii_alphanumeric() || matches!(octet, b'!' | b'*' | b'+' | b'-' | b'/')
        }
        Place::Comment => {
            is_safe(octet, Place::Unstructured) && !matches!(octet, b'(' | b')' | b'\\' | b'"')
        }
        Place::Unstructured => octet.is_ascii_graphic() && !matches!(octet, b'=' | b'?' | b'_'),
    }
}

fn word(run: &Run<'_>, encoding: Encoding, octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(MAX_WORD);
    out.extend_from_slice(b"=?");
    out.extend_from_slice(label(run));
    match encoding {
        Encoding::B => {
            out.extend_from_slice(b"?B?");
            base64::encode(octets, &mut out);
        }
        Encoding::Q => {
            out.extend_from_slice(b"?Q?");
            octets.iter().for_each(|&octet| q_octet(octet, run.place, &mut out));
        }
    }
    out.extend_from_slice(b"?=");
    out
}

fn q_octet(octet: u8, place: Place, out: &mut Vec<u8>) {
    match octet {
        b' ' => out.push(b'_'),
        _ if is_safe(octet, place) => out.push(octet),
        _ => out.extend(hex::escape(b'=', octet)),
    }
}
