//! UTF-8 that was read as another charset: a line of it, written back, is well-formed in every
//! place. Text that was meant as it stands hardly ever is, and each sequence that nobody would
//! write makes that surer.

use super::RepairStep;
use super::page::{Encoded, Page, length_of_sequence};
use super::plausible::{
    breaks_case, is_latin_word, is_natural, is_typed_punctuation, is_undecoded, script_of,
};
use crate::Charset;
use crate::charset::script::Script;

/// Text is misread by one program, and the result by the next; more often than this it is lost.
const ROUNDS: usize = 3;

/// With so much evidence characters of several scripts are believed in one line, and what could
/// stand as it is is mended with the rest.
const PLENTY: usize = 3;

/// A line as it is if it was misread.
struct Undone {
    text: String,
    /// The characters above 7F that were put together.
    mended: Vec<Mended>,
    evidence: usize,
    blanks: usize,
    /// Of these, how many had become one with the space after them: `à` at the end of a word.
    collapsed: usize,
}

/// What may stand between the sequences.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// US-ASCII alone.
    Ascii,
    /// Also punctuation that was typed later.
    Punctuation,
}

struct Mended {
    c: char,
    /// Whether a letter of US-ASCII stands beside it.
    touches_ascii: bool,
}

/// Returns a line mended, with the steps that did it; `None` if it stays.
pub(super) fn mend(line: &str, steps: &mut Vec<RepairStep>) -> Option<String> {
    if line.is_ascii() {
        return None;
    }
    if let Some((text, taken)) = undo(line, ROUNDS) {
        steps.extend(taken);
        return Some(text);
    }
    let text = undo_words(line)?;
    steps.push(step(Page::western()));
    Some(text)
}

/// Returns octets as UTF-8 if they are that, and hardly what their label says.
pub(super) fn under_label(octets: &[u8], label: Charset) -> Option<&str> {
    let text = str::from_utf8(octets).ok()?;
    let read = label.decode_lossless(octets)?;
    let page = Page::of(label)?;
    let is_single = read.chars().count() == octets.len();
    let chars = if is_single { read.chars().collect() } else { Vec::new() };
    let encoded = Encoded { octets: octets.to_vec(), chars };
    let undone = Undone::of_encoded(&encoded, &page, Between::Ascii)?;
    (undone.is_enough(&page) && undone.is_plausible()).then_some(text)
}

fn step(page: &Page) -> RepairStep {
    RepairStep::Misread { written_in: Charset::UTF_8, read_as: page.charset }
}

/// Undoes up to so many misreadings of a whole line.
fn undo(line: &str, rounds: usize) -> Option<(String, Vec<RepairStep>)> {
    if rounds == 0 || line.is_ascii() {
        return None;
    }
    let mut found: Option<(String, Vec<RepairStep>)> = None;
    for page in Page::candidates(line) {
        let Some(one) = undo_once(line, page, rounds) else { continue };
        // Two pages that disagree: neither is believed. The western one is by far the most
        // frequent.
        if page.charset == Page::western().charset {
            return Some(one);
        }
        match &found {
            Some((text, _)) if *text != one.0 => return None,
            Some(_) => {}
            None => found = Some(one),
        }
    }
    found
}

fn undo_once(line: &str, page: &Page, rounds: usize) -> Option<(String, Vec<RepairStep>)> {
    let undone = Undone::of(line, page, Between::Ascii)?;
    let mut steps = vec![step(page)];
    if undone.blanks > 0 {
        steps.push(RepairStep::BlanksRestored);
    }
    let is_believed = undone.is_enough(page) && undone.is_plausible();
    // Text that was misread twice is not plausible in between.
    let deeper = if is_believed {
        undo(&undone.text, rounds - 1)
    } else if undone.evidence > 0 && rounds > 1 {
        undo_once(&undone.text, page, rounds - 1)
    } else {
        None
    };
    if let Some((text, more)) = deeper {
        steps.extend(more);
        return Some((text, steps));
    }
    is_believed.then_some((undone.text, steps))
}

/// Undoes the misreading of those words of a line that are wholly well-formed; others were typed or
/// pasted later.
fn undo_words(line: &str) -> Option<String> {
    let page = Page::western();
    if !page.holds_utf8(line) {
        return None;
    }
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    let words = || line.split_inclusive(is_space);
    let undone: Vec<Option<Undone>> = words()
        .map(|word| {
            if !page.holds_utf8(word) {
                return None;
            }
            let undone = Undone::of(word.trim_end_matches(is_space), page, Between::Punctuation)?;
            (!undone.mended.is_empty() && undone.is_plausible()).then_some(undone)
        })
        .collect();
    let tells = |one: &&Undone| one.evidence > 1 || one.evidence == 1 && one.mends_word();
    let evidence: usize = undone.iter().flatten().filter(tells).map(|one| one.evidence).sum();
    if evidence == 0 {
        return None;
    }
    let mut text = String::with_capacity(line.len());
    for (word, undone) in words().zip(&undone) {
        match undone {
            Some(one) if tells(&one) || evidence >= PLENTY => {
                text.push_str(&one.text);
                text.push_str(&word[word.trim_end_matches(is_space).len()..]);
            }
            _ => text.push_str(word),
        }
    }
    Some(text)
}

impl Undone {
    /// Returns what a text is if it is UTF-8 that was read as `page`; `None` if that is not
    /// well-formed.
    fn of(text: &str, page: &Page, between: Between) -> Option<Self> {
        if between == Between::Ascii && !page.may_be_utf8(text) {
            return None;
        }
        Self::of_encoded(&page.encode(text)?, page, between)
    }

    /// Returns what octets that were read as `page` are if they are UTF-8.
    fn of_encoded(encoded: &Encoded, page: &Page, between: Between) -> Option<Self> {
        let octets = &encoded.octets;
        let mut undone = Self {
            text: String::with_capacity(octets.len()),
            mended: Vec::new(),
            evidence: 0,
            blanks: 0,
            collapsed: 0,
        };
        let mut at = 0;
        while at < octets.len() {
            if octets[at].is_ascii() {
                undone.text.push(octets[at].into());
                at += 1;
                continue;
            }
            let Some(Sequence { c, length, blanks, is_collapsed }) = Sequence::at(octets, at, page)
            else {
                let typed = encoded.chars.get(at).copied();
                let typed =
                    typed.filter(|&c| between == Between::Punctuation && is_typed_punctuation(c));
                undone.text.push(typed?);
                at += 1;
                continue;
            };
            undone.blanks += blanks;
            undone.collapsed += usize::from(is_collapsed);
            // A letter alone, between signs, is no word: `+Å± +`.
            let is_alone = c.is_alphabetic()
                && !undone.text.ends_with(char::is_alphanumeric)
                && !octets
                    .get(at + length)
                    .is_some_and(|octet| octet.is_ascii_alphanumeric() || *octet >= 0x80);
            if !is_collapsed && !is_alone && encoded.is_evidence(at, length, blanks, page) {
                undone.evidence += length - 1;
            }
            let is_letter = |at: Option<usize>| {
                at.and_then(|at| octets.get(at)).is_some_and(u8::is_ascii_alphabetic)
            };
            let touches_ascii = is_letter(at.checked_sub(1)) || is_letter(Some(at + length));
            undone.mended.push(Mended { c, touches_ascii });
            undone.text.push(c);
            if is_collapsed {
                undone.text.push(' ');
            }
            at += length;
        }
        Some(undone)
    }

    /// Returns whether there is enough evidence. In charsets of several octets nearly any octets
    /// are characters, and words in Latin letters show the mistake best.
    fn is_enough(&self, page: &Page) -> bool {
        self.evidence >= page.threshold
            && (!page.is_double() || self.mends_word() || self.evidence >= 3 * PLENTY)
    }

    /// Returns whether a letter was put into a word of US-ASCII.
    fn mends_word(&self) -> bool {
        let is_letter = |one: &Mended| one.touches_ascii && script_of(one.c) == Some(Script::Latin);
        self.mended.iter().any(is_letter)
    }

    /// Returns whether what was put together is something that people write.
    fn is_plausible(&self) -> bool {
        // Elsewhere than in the West `à` also stands inside words.
        if self.collapsed > 0
            && self.mended.iter().any(|one| script_of(one.c) == Some(Script::Latin) && one.c > 'ÿ')
        {
            return false;
        }
        let mut script = None;
        let mut east_asian = 0;
        for one in &self.mended {
            match script_of(one.c) {
                None => return false,
                Some(Script::Common) => {}
                Some(of) => {
                    east_asian += usize::from(of == Script::EastAsian);
                    let is_other = *script.get_or_insert(of) != of;
                    if is_other && self.evidence < 3 * PLENTY {
                        return false;
                    }
                }
            }
        }
        // One character of East Asia in a word of Latin letters is three octets by chance.
        east_asian != 1
            || !self
                .mended
                .iter()
                .any(|one| one.touches_ascii && script_of(one.c) == Some(Script::EastAsian))
    }
}

impl Encoded {
    /// Returns whether nobody would write the characters of a sequence as they stand.
    fn is_evidence(&self, at: usize, length: usize, blanks: usize, page: &Page) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.chars.get(at)).copied();
        let Some(characters @ [first, ..]) = self.chars.get(at..at + length) else { return true };
        // A letter before a space may always be meant, unless it is a capital after a small one:
        // `voilÃ `.
        if blanks > 0 {
            return breaks_case(before, *first);
        }
        // Of octets that are letters in other charsets whole words look like UTF-8.
        if page.charset != Page::western().charset && is_latin_word(characters) {
            return false;
        }
        let is_undecoded = characters.iter().any(|&c| is_undecoded(c));
        is_undecoded || !is_natural(before, characters, self.chars.get(at + length).copied())
    }
}

/// A character of UTF-8.
struct Sequence {
    c: char,
    length: usize,
    /// How many of its octets were no-break spaces that have become spaces.
    blanks: usize,
    /// Whether such a space is also the one after the word.
    is_collapsed: bool,
}

impl Sequence {
    /// Returns the character at an octet above 7F.
    fn at(octets: &[u8], at: usize, page: &Page) -> Option<Self> {
        let length = length_of_sequence(octets[at])?;
        let given = octets.get(at..at + length)?;
        let mut whole = [0; 4];
        let whole = &mut whole[..length];
        whole.copy_from_slice(given);
        let mut blanks = 0;
        for octet in whole.iter_mut().filter(|octet| **octet == b' ') {
            *octet = 0xA0;
            blanks += 1;
        }
        if blanks > 0 && !page.has_blank_at_a0() {
            return None;
        }
        let c = str::from_utf8(whole).ok()?.chars().next()?;
        let blank = if blanks > 0 { Blank::of(octets, at, length)? } else { Blank::Lost };
        Some(Self { c, length, blanks, is_collapsed: blank == Blank::Collapsed })
    }
}

/// A space where UTF-8 has the octet A0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blank {
    /// It was a no-break space.
    Lost,
    /// It is what is left of a no-break space and the space after the word.
    Collapsed,
}

impl Blank {
    /// Returns what the space in a sequence was. `à` ends words, and so the space is that after it,
    /// but for `às` in Portuguese; `Š` and `Р` begin them. `None` if nothing tells.
    fn of(octets: &[u8], at: usize, length: usize) -> Option<Self> {
        let after = &octets[at + length..];
        let Some(next) = after.first().filter(|octet| octet.is_ascii_alphanumeric()) else {
            return Some(Self::Lost);
        };
        let begins_word = at == 0 || !octets[at - 1].is_ascii_alphanumeric();
        let ends_word = after
            .get(1)
            .is_none_or(|octet| !octet.is_ascii_alphanumeric() && !matches!(octet, b'\'' | 0x80..));
        match octets[at] {
            0xC3 if begins_word && *next == b's' && ends_word => Some(Self::Lost),
            0xC3 if next.is_ascii_alphabetic() => Some(Self::Collapsed),
            0xC5 if begins_word && next.is_ascii_lowercase() => Some(Self::Lost),
            _ => None,
        }
    }
}
