//! The EUC family with our own tables, and its fixed-width and 7-bit relatives.

use super::{Held, Scheme, Step};
use crate::charset::double_byte::{Cell, DoubleByteSet};

/// EUC-TW: CNS 11643; `8E` and the plane before any but plane 1.
pub(in crate::charset) const EUC_TW: Scheme = Scheme {
    read: |held| match *held.octets {
        [ascii @ 0..0x80, ..] => Step::one(1, ascii.into()),
        [0x8E] | [0x8E, 0xA1..=0xB0] | [0x8E, 0xA1..=0xB0, 0xA1..=0xFE] => Step::More,
        [0x8E, plane @ (0xA1..=0xA7 | 0xAF), row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE] => {
            Step::cell(4, DoubleByteSet::Cns(plane - 0xA0).cell(row & 0x7F, cell & 0x7F))
        }
        _ => pair(held, DoubleByteSet::Cns(1)),
    },
    write: |c, _, out| {
        if c.is_ascii() {
            out.push(c as u8);
            return true;
        }
        let found = [1, 2, 3, 4, 5, 6, 7, 15]
            .into_iter()
            .find_map(|n| Some((n, DoubleByteSet::Cns(n).octets(c)?)));
        found.is_some_and(|(plane, cell)| {
            if plane != 1 {
                out.extend([0x8E, 0xA0 + plane]);
            }
            high(cell, out)
        })
    },
    combining_stands_alone: false,
};

/// eucJP-ms: JIS X 0208; `8E` before katakana, `8F` before JIS X 0212 and what IBM added to both.
pub(in crate::charset) const EUC_JP_MS: Scheme = Scheme {
    read: |held| read_japanese(held, DoubleByteSet::JisX0208, jis_x_0212_or_ibm),
    write: |c, _, out| write_japanese(c, DoubleByteSet::JisX0208, DoubleByteSet::JisX0212, out),
    combining_stands_alone: false,
};

/// EUC-JIS-2004: JIS X 0213; `8E` before katakana, `8F` before plane 2.
pub(in crate::charset) const EUC_JIS_2004: Scheme = Scheme {
    read: |held| {
        read_japanese(held, DoubleByteSet::JisX0213One, |row, cell| {
            DoubleByteSet::JisX0213Two.cell(row & 0x7F, cell & 0x7F)
        })
    },
    write: |c, before, out| {
        if let Some((single, both)) = before.and_then(|before| shared(before, c))
            && out.ends_with(&single.map(|octet| octet | 0x80))
        {
            out.truncate(out.len() - 2);
            return high(both, out);
        }
        write_japanese(c, DoubleByteSet::JisX0213One, DoubleByteSet::JisX0213Two, out)
    },
    combining_stands_alone: true,
};

/// Reads the form of EUC-JP: `of_two` at two octets, katakana after `8E`, `of_three` after `8F`.
fn read_japanese(
    held: &Held<'_>,
    of_two: DoubleByteSet,
    of_three: fn(u8, u8) -> Option<Cell>,
) -> Step {
    match *held.octets {
        [ascii @ 0..0x80, ..] => Step::one(1, ascii.into()),
        [0x8E] | [0x8F] | [0x8F, 0xA1..=0xFE] => Step::More,
        [0x8E, kana @ 0xA1..=0xDF] => Step::of(2, katakana(kana)),
        [0x8F, row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE] => Step::cell(3, of_three(row, cell)),
        _ => pair(held, of_two),
    }
}

/// Writes the form of EUC-JP: `of_two` in two octets, katakana after `8E`, `of_three` after `8F`.
fn write_japanese(
    c: char,
    of_two: DoubleByteSet,
    of_three: DoubleByteSet,
    out: &mut Vec<u8>,
) -> bool {
    let cell = match c {
        '\0'..='\x7F' => {
            out.push(c as u8);
            return true;
        }
        '\u{FF61}'..='\u{FF9F}' => Some([0x8E, (c as u32 - 0xFF40) as u8]),
        _ => of_two.octets(c),
    };
    if let Some(cell) = cell {
        return high(cell, out);
    }
    of_three.octets(c).is_some_and(|cell| {
        out.push(0x8F);
        high(cell, out)
    })
}

/// Returns the character after `8F` in eucJP-ms.
fn jis_x_0212_or_ibm(row: u8, cell: u8) -> Option<Cell> {
    /// The cells of row F3 before the first of IBM's.
    const BEFORE: usize = 0x52;
    if row < 0xF3 {
        return DoubleByteSet::JisX0212.cell(row & 0x7F, cell & 0x7F);
    }
    let at = usize::from(row - 0xF3) * 94 + usize::from(cell - 0xA1);
    Some([OF_IBM.chars().nth(at.checked_sub(BEFORE)?)?, '\0'])
}

/// The 106 characters of IBM that begin at `8F F3 F3`. Each is in JIS X 0208 too as Windows has it,
/// or in JIS X 0212, and is written there. Ideographs for compatibility are escaped: editors may
/// replace them by those that they are compatible with.
const OF_IBM: &str = "ⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ＇＂㈱№℡炻仼僴凬匇匤\u{FA0E}\
                      咊坙\u{FA0F}\u{FA10}增寬峵嵓\u{FA11}德悅愠敎昻晥\u{FA12}\u{F929}栁\
                      \u{FA13}\u{FA14}橫櫢淸淲瀨\u{FA15}\u{FA16}甁皂皞\u{FA17}礰\u{FA18}\
                      \u{FA19}\u{FA1A}\u{FA1B}竧\u{FA1C}\u{FA1D}綠緖\u{FA1E}荢\u{FA1F}薰\
                      \u{FA20}\u{FA21}蠇\u{FA22}譿賴赶\u{FA23}\u{FA24}\u{FA25}郞\u{FA26}鄕\
                      \u{FA27}\u{FA28}閒\u{F9DC}\u{FA29}霻靍靑\u{FA2A}\u{FA2B}\u{FA2C}馞髙魲\
                      \u{FA2D}黑";

/// The fixed-width form of EUC-JP: two octets, whose high bits select the set.
pub(in crate::charset) const EUC_FIXED: Scheme = Scheme {
    read: |held| match *held.octets {
        [_] => Step::More,
        [0, kana @ 0xA1..=0xDF] => Step::of(2, katakana(kana)),
        [0, ascii @ 0..0x80] => Step::one(2, ascii.into()),
        [row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE] => {
            Step::cell(2, DoubleByteSet::JisX0208.cell(row & 0x7F, cell & 0x7F))
        }
        [row @ 0xA1..=0xFE, cell @ 0x21..=0x7E] => {
            Step::cell(2, DoubleByteSet::JisX0212.cell(row & 0x7F, cell))
        }
        _ => Step::Bad(2),
    },
    write: |c, _, out| {
        match c {
            '\0'..='\x7F' => out.extend([0, c as u8]),
            '\u{FF61}'..='\u{FF9F}' => out.extend([0, (c as u32 - 0xFF40) as u8 | 0x80]),
            _ => match (DoubleByteSet::JisX0208.octets(c), DoubleByteSet::JisX0212.octets(c)) {
                (Some(cell), _) => return high(cell, out),
                (None, Some([row, cell])) => out.extend([row | 0x80, cell]),
                (None, None) => return false,
            },
        }
        true
    },
    combining_stands_alone: false,
};

/// JIS X 0208 alone: pairs of 7-bit octets, controls and spaces between them.
pub(in crate::charset) const JIS_94: Scheme = Scheme {
    read: |held| seven(held, DoubleByteSet::JisX0208),
    write: |c, _, out| write_seven(c, DoubleByteSet::JisX0208, out),
    combining_stands_alone: false,
};

/// JIS X 0212 alone, as pairs of 7-bit octets.
pub(in crate::charset) const JIS_X_0212: Scheme = Scheme {
    read: |held| seven(held, DoubleByteSet::JisX0212),
    write: |c, _, out| write_seven(c, DoubleByteSet::JisX0212, out),
    combining_stands_alone: false,
};

/// Returns the cell of `before` alone, and the one that it shares with `c`.
pub(super) fn shared(before: char, c: char) -> Option<([u8; 2], [u8; 2])> {
    Some((
        DoubleByteSet::JisX0213One.octets(before)?,
        DoubleByteSet::JisX0213One.octets_of_two(before, c)?,
    ))
}

/// Returns half-width katakana at A1-DF.
pub(super) fn katakana(octet: u8) -> Option<char> {
    char::from_u32(0xFEC0 + u32::from(octet))
}

/// Returns two octets A1-FE.
fn pair(held: &Held<'_>, set: DoubleByteSet) -> Step {
    match *held.octets {
        [0xA1..=0xFE] => Step::More,
        [row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE] => Step::cell(2, set.cell(row & 0x7F, cell & 0x7F)),
        _ => Step::Bad(1),
    }
}

fn seven(held: &Held<'_>, set: DoubleByteSet) -> Step {
    match *held.octets {
        [c @ (0..=0x20 | 0x7F), ..] => Step::one(1, c.into()),
        [0x21..=0x7E] => Step::More,
        [row @ 0x21..=0x7E, cell @ 0x21..=0x7E] => Step::cell(2, set.cell(row, cell)),
        _ => Step::Bad(1),
    }
}

fn write_seven(c: char, set: DoubleByteSet, out: &mut Vec<u8>) -> bool {
    match c {
        '\0'..=' ' | '\x7F' => out.push(c as u8),
        _ => match set.octets(c) {
            Some(cell) => out.extend(cell),
            None => return false,
        },
    }
    true
}

/// Writes row and cell as A1-FE.
fn high([row, cell]: [u8; 2], out: &mut Vec<u8>) -> bool {
    out.extend([row | 0x80, cell | 0x80]);
    true
}
