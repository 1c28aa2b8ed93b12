//! What an encoding left in text: ISO-2022-JP without its escapes, quoted-printable, character
//! references of HTML.

use super::RepairStep;
use super::plausible::script_of;
use crate::Charset;
use crate::charset::script::Script;

/// Mends what was left of encodings.
pub(super) fn mend(text: &str, steps: &mut Vec<RepairStep>) -> Option<String> {
    if let Some(mended) = mend_escapes(text, steps) {
        return Some(mended);
    }
    if let Some((mended, written_in)) = decode_quoted_printable(text) {
        steps.push(RepairStep::QuotedPrintable { written_in });
        return Some(mended);
    }
    let mended = resolve_references(text)?;
    steps.push(RepairStep::CharacterReferences);
    Some(mended)
}

/// Mends ISO-2022-JP without its escapes.
pub(super) fn mend_escapes(text: &str, steps: &mut Vec<RepairStep>) -> Option<String> {
    let mended = restore_escapes(text)?;
    steps.push(RepairStep::EscapesRestored);
    Some(mended)
}

/// Decodes text that is still in quoted-printable: each `=` begins an escape or ends a line, and
/// two at least stand inside words and are letters. One equals sign that means itself, and nothing
/// is decoded.
fn decode_quoted_printable(text: &str) -> Option<(String, Charset)> {
    const FEW: usize = 2;
    if !text.is_ascii() || !text.contains('=') {
        return None;
    }
    let octets = text.as_bytes();
    let mut decoded = Vec::with_capacity(octets.len());
    let mut in_words = 0;
    let mut at = 0;
    while at < octets.len() {
        if octets[at] != b'=' {
            decoded.push(octets[at]);
            at += 1;
            continue;
        }
        match &octets[at + 1..] {
            [b'\n', ..] => at += 2,
            [b'\r', b'\n', ..] => at += 3,
            [high, low, ..] => {
                let octet = hex(*high)? << 4 | hex(*low)?;
                // The octets of one letter follow one another.
                let begins = !decoded
                    .last()
                    .is_some_and(|octet: &u8| octet.is_ascii_control() || *octet >= 0x80);
                let follows_letter = decoded.last().is_some_and(u8::is_ascii_lowercase);
                in_words += usize::from(octet >= 0x80 && begins && follows_letter);
                decoded.push(octet);
                at += 3;
            }
            _ => return None,
        }
    }
    if in_words < FEW {
        return None;
    }
    let guess = Charset::guess(&decoded);
    let is_utf_8 = guess.charset() == Charset::UTF_8;
    let mended = guess.charset().decode_lossless(&decoded)?.into_owned();
    let is_text = mended.chars().all(|c| c.is_ascii() || script_of(c).is_some());
    ((is_utf_8 || guess.sureness() >= 0.9) && is_text).then_some((mended, guess.charset()))
}

/// Returns the value of a digit of quoted-printable, which has capitals.
fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// Resolves numeric character references of letters in text without markup, if one at least is
/// inside a word: others may be talked about.
fn resolve_references(text: &str) -> Option<String> {
    if !text.contains("&#") || text.contains('<') {
        return None;
    }
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_in_word = false;
    while let Some(at) = rest.find("&#") {
        mended.push_str(&rest[..at]);
        let reference = &rest[at..];
        match letter(reference) {
            Some((c, length)) => {
                is_in_word |= mended.ends_with(char::is_alphabetic)
                    || reference[length..].starts_with(|c: char| c.is_ascii_lowercase());
                mended.push(c);
                rest = &reference[length..];
            }
            None => {
                mended.push_str("&#");
                rest = &reference[2..];
            }
        }
    }
    mended.push_str(rest);
    is_in_word.then_some(mended)
}

/// Returns the character above 7F of a reference, and the length of that.
fn letter(reference: &str) -> Option<(char, usize)> {
    /// The longest is `&#x10FFFF;`.
    const MAX: usize = 10;
    let end = reference.bytes().take(MAX).position(|octet| octet == b';')?;
    let number = &reference[2..end];
    let value = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    let c = char::from_u32(value.ok()?)?;
    (!c.is_ascii() && script_of(c).is_some()).then_some((c, end + 1))
}

/// Returns whether a text has what is left of the beginning of Japanese in ISO-2022-JP without its
/// escapes: nothing else of a text in US-ASCII makes it doubtful.
pub fn holds_shift(text: &str) -> bool {
    shifts(text).next().is_some()
}

/// Returns where a text has `$B` or `$@`.
fn shifts(text: &str) -> impl Iterator<Item = usize> {
    let octets = text.as_bytes();
    memchr::memchr_iter(b'$', octets).filter(|at| matches!(octets.get(at + 1), Some(b'B' | b'@')))
}

/// Reads Japanese between `$B` and `(B`, of which programs that remove controls have removed the
/// escapes.
fn restore_escapes(text: &str) -> Option<String> {
    let mut mended = String::new();
    let mut done = 0;
    for begin in shifts(text) {
        if begin < done {
            continue;
        }
        let Some((japanese, length)) = japanese(&text[begin..]) else { continue };
        mended.push_str(&text[done..begin]);
        mended.push_str(&japanese);
        done = begin + length;
    }
    if done == 0 {
        return None;
    }
    mended.push_str(&text[done..]);
    Some(mended)
}

/// Returns the Japanese that a text begins with, and its length.
fn japanese(text: &str) -> Option<(String, usize)> {
    /// Fewer characters may be something else.
    const FEW: usize = 3;
    let rest = text.strip_prefix("$B").or_else(|| text.strip_prefix("$@"))?;
    let length = rest.bytes().position(|octet| !matches!(octet, 0x21..=0x7E)).unwrap_or(rest.len());
    let run = rest.as_bytes().get(..length)?;
    let end = (0..run.len())
        .step_by(2)
        .find(|&at| run[at..].starts_with(b"(B") || run[at..].starts_with(b"(J"))?;
    let octets = [b"\x1B$B", &run[..end], b"\x1B(B"].concat();
    let read = Charset::for_label("iso-2022-jp")?.decode_lossless(&octets)?;
    let is_kana = |c: char| matches!(c, '\u{3041}'..='\u{30FF}' | '、' | '。');
    let is_japanese = |c: char| matches!(script_of(c), Some(Script::EastAsian | Script::Common));
    let count = read.chars().count();
    let kana = read.chars().filter(|&c| is_kana(c)).count();
    // Chinese characters of the second level are small letters of US-ASCII.
    let are_frequent = run[..end].chunks(2).all(|pair| pair[0] < 0x50);
    let is_meant = count >= FEW && read.chars().all(is_japanese) && (kana > 0 || are_frequent);
    is_meant.then(|| (read.into_owned(), 2 + end + 2))
}
