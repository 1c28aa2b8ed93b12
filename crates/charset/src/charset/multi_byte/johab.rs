//! Johab (KS X 1001, annex 3; code page 1361): Hangul by their letters, five bits each; the rest as
//! in KS X 1001.
//!
//! 1. 5C is read as in US-ASCII; glibc reads it as the won sign.

use super::{Scheme, Step};
use crate::charset::double_byte::DoubleByteSet;

/// Johab.
pub(in crate::charset) const JOHAB: Scheme = Scheme {
    read: |held| match *held.octets {
        [ascii @ 0..0x80, ..] => Step::one(1, ascii.into()),
        [0x84..=0xD3 | 0xD8..=0xDE | 0xE0..=0xF9] => Step::More,
        [lead @ 0x84..=0xD3, trail @ (0x41..=0x7E | 0x81..=0xFE)] => {
            Step::of(2, hangul(u16::from_be_bytes([lead, trail])))
        }
        [lead, trail @ (0x31..=0x7E | 0x91..=0xFE)] => Step::of(2, other(lead, trail)),
        _ => Step::Bad(1),
    },
    write: |c, _, out| {
        match c {
            '\0'..='\x7F' => out.push(c as u8),
            '\u{3131}'..='\u{3163}' => out.extend(letter_bits(c).to_be_bytes()),
            '\u{AC00}'..='\u{D7A3}' => out.extend(syllable_bits(c).to_be_bytes()),
            _ => match DoubleByteSet::KsX1001.octets(c).and_then(from_ks) {
                Some(pair) => out.extend(pair),
                None => return false,
            },
        }
        true
    },
    combining_stands_alone: false,
};

/// The consonants and vowels of Unicode's Hangul Compatibility Jamo, by their numbers as initial
/// and as final letter.
const INITIALS: [u8; 19] = [
    0x31, 0x32, 0x34, 0x37, 0x38, 0x39, 0x41, 0x42, 0x43, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B,
    0x4C, 0x4D, 0x4E,
];
const FINALS: [u8; 27] = [
    0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x39, 0x3A, 0x3B, 0x3C, 0x3D, 0x3E, 0x3F, 0x40, 0x41,
    0x42, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E,
];

/// Returns the character of five bits each for initial, vowel and final; 1, 2 and 1 mean none.
fn hangul(bits: u16) -> Option<char> {
    let (initial, vowel, last) = (bits >> 10 & 31, bits >> 5 & 31, bits & 31);
    let initial = match initial {
        1 => None,
        2..=20 => Some(initial - 2),
        _ => return None,
    };
    let vowel = match vowel {
        2 => None,
        3..=7 => Some(vowel - 3),
        10..=15 => Some(vowel - 5),
        18..=23 => Some(vowel - 7),
        26..=29 => Some(vowel - 9),
        _ => return None,
    };
    let last = match last {
        1 => None,
        2..=17 => Some(last - 2),
        19..=29 => Some(last - 3),
        _ => return None,
    };
    let letter =
        |letters: &[u8], at: u16| letters.get(usize::from(at)).map(|low| 0x3100 + u32::from(*low));
    let value = match (initial, vowel, last) {
        (Some(i), Some(v), last) => {
            0xAC00
                + (u32::from(i) * 21 + u32::from(v)) * 28
                + last.map_or(0, |last| u32::from(last) + 1)
        }
        (Some(i), None, None) => letter(&INITIALS, i)?,
        (None, Some(v), None) => 0x314F + u32::from(v),
        (None, None, Some(last)) => letter(&FINALS, last)?,
        (None, None, None) => 0x3164,
        _ => return None,
    };
    char::from_u32(value)
}

/// Returns a symbol or Hanja.
fn other(lead: u8, trail: u8) -> Option<char> {
    let (even, cell) = match trail {
        0xA1.. => (true, trail - 0x80),
        0x91.. => (false, trail - 0x91 + 0x21 + 78),
        _ => (false, trail - 0x31 + 0x21),
    };
    let row = match lead {
        0xD9..=0xDE => 0x21 + (lead - 0xD9) * 2,
        0xE0..=0xF9 => 0x4A + (lead - 0xE0) * 2,
        _ => return None,
    } + u8::from(even);
    DoubleByteSet::KsX1001.cell(row, cell).map(|[c, _]| c)
}

/// Returns the octets of the character at row and cell of KS X 1001, if it is not a syllable.
fn from_ks([row, cell]: [u8; 2]) -> Option<[u8; 2]> {
    let lead = match row {
        0x21..=0x2C => 0xD9 + (row - 0x21) / 2,
        0x4A..=0x7D => 0xE0 + (row - 0x4A) / 2,
        _ => return None,
    };
    let even = if row < 0x4A { row % 2 == 0 } else { row % 2 == 1 };
    Some(match (even, cell - 0x21) {
        (true, _) => [lead, cell | 0x80],
        (false, at @ 78..) => [lead, at - 78 + 0x91],
        (false, at) => [lead, at + 0x31],
    })
}

fn syllable_bits(c: char) -> u16 {
    let at = (c as u32 - 0xAC00) as u16;
    let (initial, vowel, last) = (at / 588, at / 28 % 21, at % 28);
    pack(initial + 2, vowel_bits(vowel), if last < 17 { last + 1 } else { last + 2 })
}

fn letter_bits(c: char) -> u16 {
    let low = (c as u32 - 0x3100) as u8;
    if low >= 0x4F {
        return pack(1, vowel_bits(u16::from(low) - 0x4F), 1);
    }
    match INITIALS.iter().position(|known| *known == low) {
        Some(initial) => pack(initial as u16 + 2, 2, 1),
        None => {
            let last = FINALS.iter().position(|known| *known == low).unwrap_or_default() as u16 + 1;
            pack(1, 2, if last < 17 { last + 1 } else { last + 2 })
        }
    }
}

fn vowel_bits(vowel: u16) -> u16 {
    vowel
        + match vowel {
            0..5 => 3,
            5..11 => 5,
            11..17 => 7,
            _ => 9,
        }
}

fn pack(initial: u16, vowel: u16, last: u16) -> u16 {
    0x8000 | initial << 10 | vowel << 5 | last
}
