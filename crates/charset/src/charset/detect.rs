//! Guessing the charset of unlabelled text.
//!
//! In this order, each except the last only if the octets then decode without a fault:
//! 1. a byte order mark of UTF-16 or UTF-32;
//! 2. escapes of ISO-2022-JP, -KR or -CN, and the shifts of HZ, in 7-bit text;
//! 3. UTF-32 and UTF-16 without a byte order mark, by the positions of zero octets;
//! 4. well-formed UTF-8 that is not all ASCII, unless it is one or two pairs that mix scripts in a
//!    word;
//! 5. UTF-8 with few faults: text that was cut in the middle of characters, or has a stray octet.
//!
//! Otherwise the letters are examined ([`guess`](super::guess)), and windows-1252 is the last
//! resort. UTF-7 is never guessed: its shifts are too common in ASCII, and text that changes its
//! meaning is an old way around filters.

mod memo;

use encoding_rs::Encoding;
use memchr::{memchr, memchr_iter, memmem};

use super::Charset;
use super::guess::{Evidence, Guess};
use super::tables::list;
use crate::codec::utf8;

/// More octets than this do not improve a guess.
const ENOUGH: usize = 1 << 18;

/// Returns the charset that `octets` seem to be in.
pub(super) fn guess(octets: &[u8]) -> Guess {
    memo::remembered(octets, guess_anew)
}

/// Returns the charset that `octets` seem to be in, whatever is remembered.
fn guess_anew(octets: &[u8]) -> Guess {
    match shown_by(octets) {
        Some(charset) => by_letters_instead(octets, charset).unwrap_or(Guess::certain(charset)),
        None => letters(octets).guess().unwrap_or(Guess::WITHOUT_EVIDENCE),
    }
}

/// Returns the charset that `octets` seem to be in, and after it the others that they may be in.
pub(super) fn guesses(octets: &[u8]) -> Vec<Guess> {
    match shown_by(octets) {
        Some(charset) if by_letters_instead(octets, charset).is_none() => {
            vec![Guess::certain(charset)]
        }
        Some(_) => letters(octets).guesses(),
        None => letters(octets).guesses(),
    }
}

/// Returns the guess by the letters for octets that are UTF-8 perhaps by chance, if it is sure: one
/// or two pairs of octets that put a letter of another script into a word are more probably Latin
/// letters of a single-byte charset, as `Ó` and `Ż` in `RÓŻNE`. Where the letters say nothing it is
/// UTF-8, as in a word with a look-alike from another script.
fn by_letters_instead(octets: &[u8], shown: Charset) -> Option<Guess> {
    let text = std::str::from_utf8(octets)
        .ok()
        .filter(|text| shown == Charset::UTF_8 && mixes_scripts(text))?;
    let is_latin = |c: char| c.is_ascii() || matches!(c, '\u{C0}'..='\u{24F}') && c.is_alphabetic();
    let reads_as_latin = |guess: &Guess| {
        let read = guess.charset().decode_lossless(octets);
        guess.is_sure() && read.is_some_and(|text| text.chars().all(is_latin))
    };
    letters(text.as_bytes()).guess().filter(reads_as_latin)
}

/// Returns whether the only characters above U+007F are one or two beside letters of US-ASCII, and
/// of another script, or Latin ones of transliterations: Greek on both sides, since formulas have
/// `Δt`, others on either side.
fn mixes_scripts(text: &str) -> bool {
    const FEW: usize = 2;
    let octets = text.as_bytes();
    let is_letter =
        |at: Option<usize>| at.and_then(|at| octets.get(at)).is_some_and(u8::is_ascii_alphabetic);
    let is_mixed = |(at, c): (usize, char)| {
        let (after, before) = (is_letter(at.checked_sub(1)), is_letter(Some(at + c.len_utf8())));
        match c {
            '\u{370}'..='\u{3FF}' => after && before,
            '\u{400}'..='\u{1E9F}' => after || before,
            _ => false,
        }
    };
    let mut others = text.char_indices().filter(|(_, c)| !c.is_ascii());
    let first: Vec<_> = others.by_ref().take(FEW).collect();
    !first.is_empty() && others.next().is_none() && first.into_iter().all(is_mixed)
}

fn letters(octets: &[u8]) -> Evidence {
    let mut evidence = Evidence::default();
    evidence.add(octets);
    evidence
}

/// Returns the charset that `octets` indicate by themselves.
pub(super) fn shown_by(octets: &[u8]) -> Option<Charset> {
    let sample = &octets[..octets.len().min(ENOUGH)];
    let cut = sample.len() < octets.len();
    let candidates = [byte_order_mark(sample), shifts(sample)];
    let found = candidates.into_iter().flatten().find(|charset| fits(*charset, sample, cut));
    let of_zeros = || {
        by_zeros(sample)
            .filter(|charset| fits(*charset, sample, cut) && is_text_in(*charset, sample))
    };
    let found = found.or_else(of_zeros);
    found.or_else(|| utf_8(octets)).or_else(|| utf8::is_damaged(sample).then_some(Charset::UTF_8))
}

/// Detects UTF-8, judging from the first octet that is not ASCII on.
fn utf_8(octets: &[u8]) -> Option<Charset> {
    let rest = &octets[Encoding::ascii_valid_up_to(octets)..];
    let fits = match rest.len() {
        0 => false,
        1..=ENOUGH => utf8::validate(rest).is_some(),
        _ => fits(Charset::UTF_8, &rest[..ENOUGH], true),
    };
    fits.then_some(Charset::UTF_8)
}

/// Returns whether `sample` decodes without a fault; one that was cut short may end in the middle
/// of something.
fn fits(charset: Charset, sample: &[u8], cut: bool) -> bool {
    let (mut decoder, mut text) = (charset.decoder(), String::new());
    decoder.push(sample, &mut text);
    let clean = decoder.is_clean();
    clean && (cut || decoder.finish(&mut text).is_empty())
}

/// Returns whether octets have no controls in a charset but those of lines, and nothing of private
/// use: octets that are no text have many.
fn is_text_in(charset: Charset, octets: &[u8]) -> bool {
    let is_odd = |c: char| match c {
        '\t' | '\n' | '\u{B}' | '\u{C}' | '\r' | '\u{1B}' => false,
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'.. | '\u{FFFE}' | '\u{FFFF}' => true,
        c => c.is_control(),
    };
    !charset.decode(octets).text().contains(is_odd)
}

fn byte_order_mark(octets: &[u8]) -> Option<Charset> {
    match octets {
        [0, 0, 0xFE, 0xFF, ..] | [0xFF, 0xFE, 0, 0, ..] => Some(Charset(list::UTF_32)),
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => Some(Charset(list::UTF_16)),
        _ => None,
    }
}

/// Returns whether octets hold an escape sequence of the ISO-2022 family.
pub(super) fn holds_escape(octets: &[u8]) -> bool {
    escapes(octets).is_some()
}

/// Detects the ISO-2022 family by its escapes.
fn escapes(octets: &[u8]) -> Option<u16> {
    memchr_iter(0x1B, octets).find_map(|at| match octets.get(at + 1..at + 4)? {
        [b'$', b')', b'C'] => Some(list::ISO_2022_KR),
        [b'$', b')', b'A' | b'G'] => Some(list::ISO_2022_CN),
        [b'$', b')', b'E'] => Some(list::ISO_2022_CN_EXT),
        [b'$', b'(', b'O' | b'P' | b'Q'] => Some(list::ISO_2022_JP_3),
        [b'$', b'A', _] | [b'$', b'(', b'C'] | [b'.', b'A' | b'F', _] => Some(list::ISO_2022_JP_2),
        [b'$', b'(', b'D'] => Some(list::ISO_2022_JP_1),
        [b'$', b'@' | b'B', _] | [b'(', b'I' | b'J', _] => Some(list::ISO_2022_JP),
        _ => None,
    })
}

/// Detects the ISO-2022 family by its escapes, and HZ by its shifts.
fn shifts(octets: &[u8]) -> Option<Charset> {
    let hz = || {
        let begin = memmem::find(octets, b"~{")?;
        memmem::find(&octets[begin..], b"~}")
            .filter(|len| *len > 3 && octets.is_ascii())
            .map(|_| list::HZ)
    };
    escapes(octets).or_else(hz).map(Charset)
}

/// Detects UTF-32 and UTF-16 without a byte order mark.
fn by_zeros(octets: &[u8]) -> Option<Charset> {
    // Hardly any text contains a zero.
    memchr(0, octets)?;
    utf_32(octets).or_else(|| utf_16(octets))
}

/// Detects UTF-32: each unit is a character, and none is U+0000.
fn utf_32(octets: &[u8]) -> Option<Charset> {
    const FEWEST: usize = 2;
    let (units, rest) = octets.as_chunks::<4>();
    let are_characters = |read: fn([u8; 4]) -> u32| {
        units.iter().all(|unit| char::from_u32(read(*unit)).is_some_and(|c| c != '\0'))
    };
    if units.len() < FEWEST || !rest.is_empty() {
        None
    } else if are_characters(u32::from_be_bytes) {
        Charset::for_label("UTF-32BE")
    } else if are_characters(u32::from_le_bytes) {
        Charset::for_label("UTF-32LE")
    } else {
        None
    }
}

/// Detects UTF-16 of mostly Latin text: of either the even or the odd octets many are zero, of the
/// others few. Where most pairs of octets are printable US-ASCII, or a line end, it is text with a
/// stray NUL.
fn utf_16(octets: &[u8]) -> Option<Charset> {
    // Half of each kana is `0`.
    let is_printable = |octet: &u8| matches!(octet, b' '..=b'~') && *octet != b'0';
    let (mut even, mut odd, mut printable) = (0, 0, 0);
    for pair in octets.chunks_exact(2) {
        even += usize::from(pair[0] == 0);
        odd += usize::from(pair[1] == 0);
        printable += usize::from(pair.iter().all(is_printable) || pair == b"\r\n");
    }
    let (few, many) = (even.min(odd), even.max(odd));
    let units = octets.len() / 2;
    // Of random octets one in 256 is zero.
    let is_by_chance = many < 2 && units > 4;
    let plausible = octets.len() >= 4
        && !is_by_chance
        && octets.len().is_multiple_of(2)
        && many * 16 >= units
        && few * 8 <= many
        && printable * 2 <= units;
    plausible.then_some(Charset(if even > odd { list::UTF_16BE } else { list::UTF_16LE }))
}
