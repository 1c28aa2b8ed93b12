//! VIQR (RFC 1456): Vietnamese in ASCII, with the marks after their letters.
//!
//! 1. `\` makes the next character stand for itself, whatever it is; the shifts between the
//!    literal, English and Vietnamese states that RFC 1456 proposes were never in use and are not
//!    read.
//! 2. The letter of the breathed hook is `a(`, of the horn `o+` and `u+`; `o*` and `u*`, an older
//!    custom, are not read.

use super::{Held, Scheme, Step};

/// VIQR.
pub(in crate::charset) const VIQR: Scheme = Scheme { read, write, combining_stands_alone: false };

/// Vowels with the marks that make them, and each with the tones of [`TONES`].
const VOWELS: [(&str, &str); 24] = [
    ("a", "aáàảãạ"),
    ("a(", "ăắằẳẵặ"),
    ("a^", "âấầẩẫậ"),
    ("e", "eéèẻẽẹ"),
    ("e^", "êếềểễệ"),
    ("i", "iíìỉĩị"),
    ("o", "oóòỏõọ"),
    ("o^", "ôốồổỗộ"),
    ("o+", "ơớờởỡợ"),
    ("u", "uúùủũụ"),
    ("u+", "ưứừửữự"),
    ("y", "yýỳỷỹỵ"),
    ("A", "AÁÀẢÃẠ"),
    ("A(", "ĂẮẰẲẴẶ"),
    ("A^", "ÂẤẦẨẪẬ"),
    ("E", "EÉÈẺẼẸ"),
    ("E^", "ÊẾỀỂỄỆ"),
    ("I", "IÍÌỈĨỊ"),
    ("O", "OÓÒỎÕỌ"),
    ("O^", "ÔỐỒỔỖỘ"),
    ("O+", "ƠỚỜỞỠỢ"),
    ("U", "UÚÙỦŨỤ"),
    ("U+", "ƯỨỪỬỮỰ"),
    ("Y", "YÝỲỶỸỴ"),
];

/// The marks of the tones; the first means none.
const TONES: &[u8] = b"\0'`?~.";

fn read(held: &Held<'_>) -> Step {
    match *held.octets {
        [0x80..=0xFF, ..] => Step::Bad(1),
        [b'\\'] if !held.last => Step::More,
        [b'\\', literal @ 0..0x80, ..] => Step::one(2, literal.into()),
        [b'd' | b'D'] if !held.last => Step::More,
        [b'd', b'd', ..] => Step::one(2, 'đ'),
        [b'D', b'd' | b'D', ..] => Step::one(2, 'Đ'),
        [b'a' | b'e' | b'i' | b'o' | b'u' | b'y' | b'A' | b'E' | b'I' | b'O' | b'U' | b'Y', ..] => {
            vowel(held)
        }
        [octet, ..] => Step::one(1, octet.into()),
        [] => Step::More,
    }
}

/// Returns a vowel with its marks, or any other character.
fn vowel(held: &Held<'_>) -> Step {
    let octets = held.octets;
    let mut found = Step::one(1, octets[0].into());
    for (letters, tones) in VOWELS {
        let (letters, len) = (letters.as_bytes(), letters.len());
        if octets.len() < len && letters.starts_with(octets) && !held.last {
            return Step::More;
        }
        if !octets.starts_with(letters) {
            continue;
        }
        let Some(mark) = octets.get(len) else {
            if !held.last {
                return Step::More;
            }
            found = Step::of(len, tones.chars().next());
            continue;
        };
        found = match TONES.iter().position(|tone| tone == mark && *mark != 0) {
            Some(tone) => Step::of(len + 1, tones.chars().nth(tone)),
            None => Step::of(len, tones.chars().next()),
        };
    }
    found
}

fn write(c: char, before: Option<char>, out: &mut Vec<u8>) -> bool {
    if c.is_ascii() {
        if needs_escape(c, before) {
            out.push(b'\\');
        }
        out.push(c as u8);
        return true;
    }
    match c {
        'đ' if matches!(before, Some('d' | 'D')) => return false,
        'Đ' if before == Some('D') => return false,
        'đ' => out.extend(b"dd"),
        'Đ' => out.extend(b"DD"),
        _ => {
            let place = |row: &(&'static str, &str)| {
                Some((row.0, row.1.chars().position(|tone| tone == c)?))
            };
            let Some((letters, tone)) = VOWELS.iter().find_map(place) else { return false };
            out.extend(letters.as_bytes());
            out.extend(TONES[tone..].first().filter(|mark| **mark != 0));
        }
    }
    true
}

/// Returns whether an ASCII character would be read as part of what precedes it, or as an escape.
fn needs_escape(c: char, before: Option<char>) -> bool {
    let vowel = |before: char| VOWELS.iter().any(|(_, tones)| tones.contains(before));
    match c {
        '\\' => true,
        'd' | 'D' => before.is_some_and(|before| matches!(before, 'd' | 'D')),
        '(' | '^' | '+' | '\'' | '`' | '?' | '~' | '.' => before.is_some_and(vowel),
        _ => false,
    }
}
