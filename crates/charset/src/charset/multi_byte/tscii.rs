//! TSCII 1.7: Tamil in visual order: a vowel sign that is written before its consonant comes first.
//!
//! 1. `A6` consonant `AA` is composed to U+0BCC like `A7` consonant `AA`; glibc leaves U+0BC6
//!    U+0BD7, which is canonically equivalent.
//! 2. A vowel sign is also moved after a Grantha consonant (83-87); glibc moves it only after the
//!    others.

use super::{Held, Scheme, Step};
use crate::charset::tables::tscii::HIGH;

/// TSCII.
pub(in crate::charset) const TSCII: Scheme = Scheme { read, write, combining_stands_alone: false };

/// A consonant that a vowel sign may precede: ka to na, and the Grantha letters.
macro_rules! consonant {
    () => {
        0x83..=0x87 | 0xB8..=0xC9
    };
}

fn read(held: &Held<'_>) -> Step {
    match *held.octets {
        [ascii @ 0..0x80, ..] => Step::one(1, ascii.into()),
        [0xA6..=0xA8 | 0x8A | 0x8B] if !held.last => Step::More,
        [0xA6 | 0xA7, consonant!()] if !held.last => Step::More,
        [0xA6 | 0xA7, consonant @ consonant!(), 0xAA, ..] => reordered(3, consonant, '\u{BCC}'),
        [0xA6, consonant @ consonant!(), 0xA1, ..] => reordered(3, consonant, '\u{BCA}'),
        [0xA7, consonant @ consonant!(), 0xA1, ..] => reordered(3, consonant, '\u{BCB}'),
        [0xA6, 0xA1, ..] => Step::one(2, '\u{BCA}'),
        [0xA7, 0xA1, ..] => Step::one(2, '\u{BCB}'),
        [0xA6 | 0xA7, 0xAA, ..] => Step::one(2, '\u{BCC}'),
        [vowel @ 0xA6..=0xA8, consonant @ consonant!(), ..] => {
            reordered(2, consonant, of(vowel)[0])
        }
        [dead @ (0x8A | 0x8B), vowel @ (0xA4 | 0xA5), ..] => {
            Step::Text(2, [of(dead)[0], of(vowel)[0], '\0', '\0'])
        }
        [octet, ..] if of(octet)[0] != '\0' => Step::Text(1, of(octet)),
        _ => Step::Bad(1),
    }
}

/// Returns the characters of one octet 80-FF.
fn of(octet: u8) -> [char; 4] {
    HIGH[usize::from(octet & 0x7F)]
}

/// Returns the characters of `consonant`, then a vowel sign.
fn reordered(len: usize, consonant: u8, vowel: char) -> Step {
    let mut chars = of(consonant);
    let end = chars.iter().position(|c| *c == '\0').unwrap_or(3);
    chars[end] = vowel;
    Step::Text(len, chars)
}

/// Returns the octet for these characters.
fn octet_of(chars: [char; 2]) -> Option<u8> {
    let at = HIGH.iter().position(|known| *known == [chars[0], chars[1], '\0', '\0'])?;
    Some(0x80 + at as u8)
}

/// Writes characters one by one. A vowel sign of the left side goes before the consonant that was
/// written last, and a virama changes that consonant's octet. What would be read in another order
/// is not written.
fn write(c: char, before: Option<char>, out: &mut Vec<u8>) -> bool {
    let before = before.unwrap_or('\0');
    let after_consonant = matches!(octet_of([before, '\0']), Some(consonant!()));
    let (left, right) = match c {
        '\u{BC6}'..='\u{BC8}' => (Some(0xA6 + (c as u32 - 0xBC6) as u8), None),
        '\u{BCA}' => (Some(0xA6), Some(0xA1)),
        '\u{BCB}' => (Some(0xA7), Some(0xA1)),
        '\u{BCC}' => (Some(0xA7), Some(0xAA)),
        '\u{BCD}' => {
            let octet = if after_consonant { octet_of([before, c]) } else { None };
            return replace_last(octet, out);
        }
        '\u{BBE}' | '\u{BD7}' if matches!(before, '\u{BC6}' | '\u{BC7}') => return false,
        '\u{BC1}' | '\u{BC2}' if matches!(out.last(), Some(0x8A | 0x8B)) => return false,
        '\0'..='\x7F' => (None, Some(c as u8)),
        _ => (None, octet_of([c, '\0'])),
    };
    let after_vowel = matches!(out.last(), Some(0xA6..=0xA8));
    match (left, right) {
        (Some(left), _) if after_consonant => out.insert(out.len().saturating_sub(1), left),
        (Some(left), _) => out.push(left),
        (None, Some(consonant!())) if after_vowel => return false,
        (None, Some(_)) => {}
        (None, None) => return false,
    }
    out.extend(right);
    true
}

fn replace_last(octet: Option<u8>, out: &mut [u8]) -> bool {
    match (octet, out.last_mut()) {
        (Some(octet), Some(last)) => *last = octet,
        _ => return false,
    }
    true
}
