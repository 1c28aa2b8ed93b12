//! The octets of a text that are evidence for its charset: the stretches of octets that could be
//! parts of one word or of adjacent characters and contain one above 7F. Octets below 40 are
//! blanks, digits and punctuation in every candidate and never the second octet of a character, so
//! white space, folds, quotes and commas change nothing.

use std::collections::HashMap;
use std::ops::Range;

use encoding_rs::Encoding;

use crate::codec::scan;

/// The separator of stretches.
pub(super) const BREAK: u8 = b' ';

/// How many octets of one text are enough.
const ENOUGH: usize = 4 * 1024;

/// How probable octets are if they are not text, as logarithms.
pub(super) const ANY_HIGH: f64 = -5.7;
pub(super) const ANY_AFTER_HIGH: f64 = -3.7;
pub(super) const ANY_ASCII: f64 = -3.0;

/// Appends the significant octets of a value, whose controls are removed elsewhere.
pub(super) fn append(octets: &[u8], significant: &mut Vec<u8>) {
    append_lines(octets, |_| true, ENOUGH, significant);
}

/// Appends the significant octets of a text. Lines with controls are not evidence: text does not
/// have them.
pub(super) fn append_text(octets: &[u8], significant: &mut Vec<u8>) {
    append_lines(octets, holds_no_control, ENOUGH, significant);
}

/// Returns whether a text has any significant octets.
pub(super) fn are_in_text(octets: &[u8]) -> bool {
    let mut first = Vec::new();
    append_lines(octets, holds_no_control, 1, &mut first);
    !first.is_empty()
}

fn holds_no_control(line: &[u8]) -> bool {
    !scan::any(line, is_control)
}

/// Returns whether octets with some above 7F are not text: they have controls that text has not,
/// four at least, and one for eight octets above 7F. (Of random octets, one comes with four or
/// five.) Nor is a PDF file, which has octets above 7F in its second line so that programs see that
/// (ISO 32000-1, 7.5.2).
pub fn are_no_text(octets: &[u8]) -> bool {
    have_controls_for(octets, 0x80)
}

/// Returns the same for octets that were decoded, as if each character had been one of them.
pub fn was_no_text(decoded: &str) -> bool {
    have_controls_for(decoded.as_bytes(), 0xC0)
}

fn have_controls_for(octets: &[u8], lowest: u8) -> bool {
    let controls = scan::count(octets, is_control);
    octets.starts_with(b"%PDF-")
        || controls >= 4 && 8 * controls >= scan::count(octets, |octet| octet >= lowest)
}

/// Appends the significant octets of the lines that tell something, up to some octets.
fn append_lines(
    octets: &[u8],
    tells: fn(&[u8]) -> bool,
    mut room: usize,
    significant: &mut Vec<u8>,
) {
    let (mut at, mut line) = (0, 0..0);
    loop {
        let high = at + Encoding::ascii_valid_up_to(&octets[at..]);
        if high == octets.len() {
            return;
        }
        if high >= line.end {
            line = line_around(octets, line.end, high);
            if !tells(&octets[line.clone()]) {
                at = line.end;
                continue;
            }
        }
        let start = octets[at..high]
            .iter()
            .rposition(|&octet| !is_inside(octet))
            .map_or(at, |last| at + last + 1);
        let end = octets[high..]
            .iter()
            .position(|&octet| !is_inside(octet))
            .map_or(octets.len(), |len| high + len);
        let stretch = &octets[start..end];
        significant.extend_from_slice(&stretch[..stretch.len().min(room)]);
        significant.push(BREAK);
        room = room.saturating_sub(stretch.len());
        if room == 0 {
            return;
        }
        at = end;
    }
}

/// Returns the line around the octet at `at`; it begins no earlier than `from`.
fn line_around(octets: &[u8], from: usize, at: usize) -> Range<usize> {
    let is_end = |octet: &u8| matches!(octet, b'\r' | b'\n');
    let start = octets[from..at].iter().rposition(is_end).map_or(from, |last| from + last + 1);
    start..octets[at..].iter().position(is_end).map_or(octets.len(), |length| at + length)
}

/// Returns whether an octet is a control that does not occur in a line of text: none of TAB, LF,
/// FF, CR and ESC.
#[inline(always)]
fn is_control(octet: u8) -> bool {
    let is_of_text =
        (octet == 0x09) | (octet == 0x0A) | (octet == 0x0C) | (octet == 0x0D) | (octet == 0x1B);
    ((octet < 0x20) & !is_of_text) | (octet == 0x7F)
}

fn is_inside(octet: u8) -> bool {
    octet >= 0x40 && octet != 0x7F
}

/// Returns whether two stretches are contractions of English words with the apostrophe of
/// windows-1252.
pub(super) fn are_in_english(significant: &[u8]) -> bool {
    const APOSTROPHE: u8 = 0x92;
    const ENDINGS: [&[u8]; 7] = [b"s", b"t", b"d", b"m", b"ll", b"re", b"ve"];
    let is_contraction = |stretch: &&[u8]| {
        let mut pieces = stretch.splitn(2, |&octet| octet == APOSTROPHE);
        let (word, ending) = (pieces.next().unwrap_or_default(), pieces.next().unwrap_or_default());
        word.iter().all(u8::is_ascii_alphabetic) && !word.is_empty() && ENDINGS.contains(&ending)
    };
    stretches(significant).filter(is_contraction).nth(1).is_some()
}

/// Returns whether everything above 7F are signs by themselves, between blanks or digits, that all
/// Windows pages of Europe have at the same place: dashes, quotes, bullets, `§`, `°`. Nothing else
/// is known of such text, and it is read alike.
pub(super) fn are_signs_alone(significant: &[u8]) -> bool {
    let is_sign = |octet: u8| {
        matches!(
            octet,
            0x85 | 0x91..=0x97 | 0x99 | 0xA0 | 0xA7 | 0xA9 | 0xAB | 0xAE | 0xB0 | 0xB7 | 0xBB
        )
    };
    let is_alone =
        |stretch: &[u8]| is_sign(stretch[0]) && stretch.iter().all(|octet| *octet == stretch[0]);
    !significant.is_empty() && stretches(significant).all(is_alone)
}

/// The octet that programs write where there is nothing.
pub(super) const FILLER: u8 = 0xFF;

/// Returns whether everything above 7F is filler: it is no `я`, unless other letters say so.
pub(super) fn are_fillers(significant: &[u8]) -> bool {
    significant.iter().all(|&octet| octet.is_ascii() || octet == FILLER)
}

/// Returns the stretches.
pub(super) fn stretches(significant: &[u8]) -> impl Iterator<Item = &[u8]> {
    significant.split(|&octet| octet == BREAK).filter(|stretch| !stretch.is_empty())
}

/// Returns the stretches, each as often as it is evidence: a word that occurs twice was meant, but
/// an ornament that occurs ten times is no more probable for that.
pub(super) fn not_repeated(significant: &[u8]) -> Vec<u8> {
    const TELLS: usize = 2;
    let mut seen: HashMap<&[u8], usize> = HashMap::new();
    let mut kept = Vec::with_capacity(significant.len());
    // So few are not repeated more often, and need not be counted.
    let are_few = stretches(significant).nth(TELLS).is_none();
    let mut tells = |stretch| {
        let times = seen.entry(stretch).or_default();
        *times += 1;
        *times <= TELLS
    };
    for stretch in stretches(significant) {
        if are_few || tells(stretch) {
            kept.extend_from_slice(stretch);
            kept.push(BREAK);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_other_octets_tell() {
        let mut significant = Vec::new();
        append(b"A caf\xE9, na\xEFve\r\n and \x82\xA0@=\"\xE9\"", &mut significant);
        assert_eq!(significant, b"caf\xE9 na\xEFve \x82\xA0@ \xE9 ");
        append(&b"\xE9".repeat(3 * ENOUGH), &mut significant);
        assert!(significant.len() < 2 * ENOUGH);
    }

    #[test]
    fn text_has_no_other_controls() {
        let is_of_no_text =
            |octet: u8| matches!(octet, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
        assert!((0..=255).all(|octet| is_control(octet) == is_of_no_text(octet)));
    }

    #[test]
    fn lines_with_controls_tell_nothing() {
        let mut significant = Vec::new();
        append_text(b"caf\xE9\r\nx\xFF\0y\xFE z\xFD\r\nna\xEFve\t\xE9\n\x01", &mut significant);
        assert_eq!(significant, b"caf\xE9 na\xEFve \xE9 ");
        append(b"\0\x9D", &mut significant);
        assert!(significant.ends_with(b" \x9D "), "in a value they do");
    }

    #[test]
    fn what_is_there_again_and_again_counts_twice() {
        assert_eq!(
            not_repeated(b"caf\xE9 na\xEFve caf\xE9 caf\xE9 "),
            b"caf\xE9 na\xEFve caf\xE9 "
        );
    }
}
