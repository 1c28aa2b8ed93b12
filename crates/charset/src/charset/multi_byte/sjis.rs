//! Shift_JIS-2004: JIS X 0213 in two octets.
//!
//! 1. 5C and 7E are read as in US-ASCII, as every mail program reads Shift_JIS; in JIS X 0213 they
//!    are yen and overline.

use super::euc::{katakana, shared};
use super::{Scheme, Step};
use crate::charset::double_byte::DoubleByteSet;

/// Shift_JIS-2004.
pub(in crate::charset) const SHIFT_JIS_2004: Scheme = Scheme {
    read: |held| match *held.octets {
        [ascii @ 0..=0x7F, ..] => Step::one(1, ascii.into()),
        [kana @ 0xA1..=0xDF, ..] => Step::of(1, katakana(kana)),
        [0x81..=0x9F | 0xE0..=0xFC] => Step::More,
        [lead, trail @ (0x40..=0x7E | 0x80..=0xFC)] => Step::cell(2, cell(lead, trail)),
        _ => Step::Bad(1),
    },
    write: |c, before, out| {
        if let Some((single, both)) = before.and_then(|before| shared(before, c))
            && out.ends_with(&first_plane(single))
        {
            out.truncate(out.len() - 2);
            out.extend(first_plane(both));
            return true;
        }
        match c {
            '\0'..='\x7F' => out.push(c as u8),
            '\u{FF61}'..='\u{FF9F}' => out.push((c as u32 - 0xFF40) as u8 | 0x80),
            _ => match DoubleByteSet::JisX0213One.octets(c) {
                Some(cell) => out.extend(first_plane(cell)),
                None => {
                    return DoubleByteSet::JisX0213Two
                        .octets(c)
                        .is_some_and(|cell| second_plane(cell, out));
                }
            },
        }
        true
    },
    combining_stands_alone: true,
};

/// The rows of plane 2 that share a lead octet, from F0 on: odd ones first.
const SECOND: [[u8; 2]; 13] = [
    [1, 8],
    [3, 4],
    [5, 12],
    [13, 14],
    [15, 78],
    [79, 80],
    [81, 82],
    [83, 84],
    [85, 86],
    [87, 88],
    [89, 90],
    [91, 92],
    [93, 94],
];

fn cell(lead: u8, trail: u8) -> Option<[char; 2]> {
    let (even, cell) = match trail {
        0x9F.. => (true, trail - 0x9E),
        0x80.. => (false, trail - 0x40),
        _ => (false, trail - 0x3F),
    };
    let (set, row) = match lead {
        0x81..=0x9F => (DoubleByteSet::JisX0213One, (lead - 0x81) * 2 + 1 + u8::from(even)),
        0xE0..=0xEF => (DoubleByteSet::JisX0213One, (lead - 0xC1) * 2 + 1 + u8::from(even)),
        _ => (
            DoubleByteSet::JisX0213Two,
            SECOND.get(usize::from(lead.checked_sub(0xF0)?))?[usize::from(even)],
        ),
    };
    set.cell(row + 0x20, cell + 0x20)
}

fn first_plane([row, cell]: [u8; 2]) -> [u8; 2] {
    let row = row - 0x21;
    let lead = if row < 62 { 0x81 + row / 2 } else { 0xC1 + row / 2 };
    [lead, trail(row % 2 == 1, cell)]
}

fn second_plane([row, cell]: [u8; 2], out: &mut Vec<u8>) -> bool {
    let row = row - 0x20;
    let lead = SECOND.iter().position(|rows| rows.contains(&row));
    lead.is_some_and(|lead| {
        out.extend([0xF0 + lead as u8, trail(SECOND[lead][1] == row, cell)]);
        true
    })
}

/// Returns the second octet of a cell in an odd or even row.
fn trail(even: bool, cell: u8) -> u8 {
    let cell = cell - 0x20;
    match (even, cell) {
        (true, _) => cell + 0x9E,
        (false, 0x40..) => cell + 0x40,
        (false, _) => cell + 0x3F,
    }
}
