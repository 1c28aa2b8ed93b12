//! Text of an older charset that was read as another one: `Ïðèâåò`. Any octets are text in those,
//! so what tells is how probable the letters are, by the same guess as for mail without a label.

use super::page::Page;
use super::plausible::{are_of_one_language, is_undecoded, script_of};
use super::{RepairStep, lines_beyond_ascii, with_lines};
use crate::Charset;
use crate::charset::script::Script;

/// How sure the guess has to be.
const SURE: f32 = 0.9;

/// Fewer octets above 7F in a string say too little.
pub(super) const FEW: usize = 4;

/// Fewer octets above 7F in a message say too little: it holds more strings than one.
pub(super) const FEW_IN_MESSAGE: usize = 8;

/// Mends the lines of a text that were read as another charset, if so many octets tell it.
pub(super) fn mend(text: &str, few: usize, steps: &mut Vec<RepairStep>) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let western = Page::western();
    let is_wrong_latin = is_wrong_latin(text, western);
    let may_be_misread = |line: &str| {
        western.has_all(line) && (is_wrong_latin || is_dense(line) || holds_undecoded(line))
    };
    let has_misread = lines_beyond_ascii(text).any(|line| may_be_misread(&text[line]));
    if !has_misread && !holds_cyrillic(text) && !holds_undecoded(text) {
        return None;
    }

    let together = if has_misread { guess_together(text, western, few) } else { None };
    with_lines(text, |line| {
        let again = if has_misread && may_be_misread(line) {
            read_again(line, western, together, is_wrong_latin, few)
        } else {
            None
        };
        let better =
            again.or_else(|| exchange_cyrillic(line, few)).or_else(|| restore_punctuation(line));
        let (better, step) = better?;
        steps.push(step);
        Some(better)
    })
}

/// Returns the charset of all lines together that may be read as `page`.
fn guess_together(text: &str, page: &Page, few: usize) -> Option<Charset> {
    let mut octets = Vec::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.is_ascii()) {
        if let Some(encoded) = page.encode(line) {
            octets.extend_from_slice(&encoded.octets);
            octets.push(b'\n');
        }
    }
    guess(&octets, few)
}

/// Returns the charset that octets are surely in, if at least so many are above 7F.
fn guess(octets: &[u8], few: usize) -> Option<Charset> {
    let high = octets.iter().filter(|octet| !octet.is_ascii()).count();
    if high < few {
        return None;
    }

    let guess = Charset::guess(octets);
    (guess.sureness() >= SURE && guess.charset() != Charset::UTF_8).then_some(guess.charset())
}

/// Returns whether most letters of a line are above 7F.
fn is_dense(line: &str) -> bool {
    let ascii = line.bytes().filter(u8::is_ascii_alphabetic).count();
    // Each character above 7F has one octet that begins it.
    line.bytes().filter(|octet| *octet >= 0xC0).count() > ascii
}

/// Returns a line read in the charset that it is written in, by itself or by all lines together, if
/// what stood there could not be meant and the new text could.
fn read_again(
    line: &str,
    page: &Page,
    together: Option<Charset>,
    is_wrong_latin: bool,
    few: usize,
) -> Option<(String, RepairStep)> {
    let octets = page.encode(line)?.octets;
    let is_dense = is_dense(line);
    let alone = if is_dense { guess(&octets, few) } else { None };
    let charset = alone.or(together)?;
    let text = charset.decode_lossless(&octets)?;
    if text == line || charset == page.charset && !line.chars().any(is_undecoded) {
        return None;
    }
    let script = only_script(&text)?;
    let is_meant = match script {
        // Words of two languages with the same letters differ by a few: only the whole text tells.
        Some(Script::Latin) => together == Some(charset) && is_wrong_latin,
        None => line.chars().any(is_undecoded),
        Some(_) => is_dense,
    };
    let step = RepairStep::Misread { written_in: charset, read_as: page.charset };
    is_meant.then(|| (text.into_owned(), step))
}

/// Returns whether a text has controls of ISO-8859-1, which stand for octets that were not decoded.
fn holds_undecoded(text: &str) -> bool {
    let octets = text.as_bytes();
    // They are C2 80 to C2 9F.
    memchr::memchr_iter(0xC2, octets).any(|at| octets[at + 1] < 0xA0)
}

/// Restores punctuation of windows-1252 that was read as controls of ISO-8859-1, where each stands
/// as punctuation does: in a word only the apostrophe of English.
fn restore_punctuation(line: &str) -> Option<(String, RepairStep)> {
    if !holds_undecoded(line) {
        return None;
    }
    let mut text = String::with_capacity(line.len());
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        if !is_undecoded(c) {
            text.push(c);
            before = c;
            continue;
        }
        let rest = &line[at + c.len_utf8()..];
        let is_in_word = before.is_alphanumeric() && rest.starts_with(char::is_alphanumeric);
        let restored = match c {
            '\u{92}' if is_in_word && !is_english_ending(rest) => return None,
            '\u{92}' => '’',
            _ if is_in_word => return None,
            '\u{80}' => '€',
            '\u{84}' => '„',
            '\u{85}' => '…',
            '\u{91}' => '‘',
            '\u{93}' => '“',
            '\u{94}' => '”',
            '\u{95}' => '•',
            '\u{96}' => '–',
            '\u{97}' => '—',
            '\u{99}' => '™',
            _ => return None,
        };
        text.push(restored);
        before = restored;
    }
    let step =
        RepairStep::Misread { written_in: Charset::WINDOWS_1252, read_as: Charset::ISO_8859_1 };
    Some((text, step))
}

/// Returns whether what follows an apostrophe ends an English word: `don’t`, `we’ll`.
fn is_english_ending(rest: &str) -> bool {
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    matches!(&rest[..end], "s" | "t" | "d" | "m" | "ll" | "re" | "ve")
}

/// Returns the one script of the letters above 7F of a text, if there are any; `None` if they are
/// of several, or nobody writes one of them.
fn only_script(text: &str) -> Option<Option<Script>> {
    let mut script = None;
    for c in text.chars().filter(|c| !c.is_ascii()) {
        match script_of(c)? {
            Script::Common => {}
            of if *script.get_or_insert(of) != of => return None,
            _ => {}
        }
    }
    Some(script)
}

/// Returns whether a text holds Latin letters of another charset than that it was read as:
/// controls, which text has not, or letters and signs that no language has together.
fn is_wrong_latin(text: &str, page: &Page) -> bool {
    let is_in_words = |c: &char| {
        !c.is_ascii()
            && (c.is_alphabetic()
                || matches!(c, '¹' | '³' | '¿' | '¶' | '¼' | '¾' | '£' | '¥' | '¯'))
    };
    let lines = || lines_beyond_ascii(text).map(|line| &text[line]);
    if !lines().all(|line| page.has_all(line)) {
        return false;
    }
    holds_undecoded(text) || !are_of_one_language(lines().flat_map(str::chars).filter(is_in_words))
}

/// Returns whether a text may have Cyrillic letters: U+0400 to U+04FF are D0 80 to D3 BF.
fn holds_cyrillic(text: &str) -> bool {
    let octets = text.as_bytes();
    memchr::memchr3(0xD0, 0xD1, 0xD2, octets).is_some() || memchr::memchr(0xD3, octets).is_some()
}

/// Reads Cyrillic of KOI8 that was read as windows-1251, and the reverse. Both have the letters of
/// the other with capitals and small letters exchanged, which nobody writes: `рТЙЧЕФ`.
fn exchange_cyrillic(line: &str, few: usize) -> Option<(String, RepairStep)> {
    if !holds_cyrillic(line) || !has_only_small_beginnings(line) {
        return None;
    }
    let mut best: Option<(f32, String, RepairStep)> = None;
    for (read_as, written_in) in [
        ("windows-1251", "KOI8-R"),
        ("windows-1251", "KOI8-U"),
        ("KOI8-R", "windows-1251"),
        ("KOI8-U", "windows-1251"),
    ] {
        let Some(page) = Page::all().iter().find(|page| page.charset.name() == read_as) else {
            continue;
        };
        let Some(encoded) = page.encode(line) else { continue };
        let Some(charset) = Charset::for_label(written_in) else { continue };
        let Some(text) = charset.decode_lossless(&encoded.octets) else { continue };
        let frequent = frequent_cyrillic(&text);
        let is_better = best.as_ref().is_none_or(|(share, ..)| frequent > *share);
        if is_better && only_script(&text) == Some(Some(Script::Cyrillic)) && has_right_case(&text)
        {
            let step = RepairStep::Misread { written_in: charset, read_as: page.charset };
            best = Some((frequent, text.into_owned(), step));
        }
    }
    let (frequent, text, step) = best?;
    let letters = text.chars().filter(|c| !c.is_ascii()).count();
    (letters >= few && frequent >= 0.5 && frequent > frequent_cyrillic(line))
        .then_some((text, step))
}

/// Returns whether small letters above 7F stand where words begin, and nowhere else: capitals and
/// small letters are exchanged.
fn has_only_small_beginnings(line: &str) -> bool {
    let mut before = ' ';
    let mut has_small = false;
    for c in line.chars() {
        let follows_letter = std::mem::replace(&mut before, c).is_alphanumeric();
        if c.is_ascii() || !c.is_lowercase() {
            continue;
        }
        if follows_letter {
            return false;
        }
        has_small = true;
    }
    has_small
}

/// Returns whether a mended text has capitals, and more small letters.
fn has_right_case(text: &str) -> bool {
    let above = || text.chars().filter(|c| !c.is_ascii());
    let capitals = above().filter(|c| c.is_uppercase()).count();
    capitals > 0 && above().filter(|c| c.is_lowercase()).count() > capitals
}

/// Returns the share of the letters that make up most of any text in Cyrillic.
fn frequent_cyrillic(text: &str) -> f32 {
    let is_cyrillic = |c: &char| script_of(*c) == Some(Script::Cyrillic);
    let all = text.chars().filter(is_cyrillic).count();
    let is_frequent = |c: &char| "оеаинтсрвліОЕАИНТСРВЛІ".contains(*c);
    text.chars().filter(is_frequent).count() as f32 / all.max(1) as f32
}
