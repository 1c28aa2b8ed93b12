//! Double-byte sets of 94 by 94 characters, built on first use from encoding_rs's tables or our
//! own.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030};

use super::inverse::{Inverse, Octets};
use super::route::LEFT_OUT;
use super::sink::{Sink, Text};
use super::whatwg::char_of;
use crate::codec::shifts::{NO_UNIT, Shifts, Table};

/// The private characters: those that GB 18030 assigns to rows that GB 2312 leaves free, and in our
/// own tables the placeholders for cells that hold two characters.
const PRIVATE: std::ops::RangeInclusive<char> = '\u{E000}'..='\u{F8FF}';

/// Pairs of octets that are looked up before their characters are appended to the text.
const PIECE: usize = 64;

/// Pairs that are looked up without counting them.
const BLOCK: usize = 8;

/// Cells of a set.
const CELLS: usize = 94 * 94;

/// The content of a cell: one character, or two; NUL means no second.
pub(super) type Cell = [char; 2];

/// A set that the ISO-2022 family, HZ and the EUC family designate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DoubleByteSet {
    /// JIS X 0208 with the NEC and IBM extensions.
    JisX0208,
    /// JIS X 0212.
    JisX0212,
    /// JIS X 0213:2004, plane 1.
    JisX0213One,
    /// JIS X 0213, plane 2.
    JisX0213Two,
    /// GB 2312.
    Gb2312,
    /// ISO-IR-165: GB 2312 with the CCITT's additions.
    IsoIr165,
    /// KS X 1001.
    KsX1001,
    /// CNS 11643, by its plane: 1 to 7, or 15.
    Cns(u8),
}

impl DoubleByteSet {
    /// Reads pairs and US-ASCII as long as nothing but `shifts` shifts between them. Returns the
    /// octets read, and whether pairs follow; they do at the start if `shifted`.
    pub(super) fn read_shifting<const N: usize>(
        self,
        shifts: &Shifts<N>,
        octets: &[u8],
        shifted: bool,
        text: &mut impl Text,
    ) -> (usize, bool) {
        match self.plane() {
            Some(plane) => {
                shifts.read(octets, shifted, &plane.units, &mut |units| text.push_units(units))
            }
            None => (0, shifted),
        }
    }

    /// Returns the content of a cell, by row and cell, each 21-7E.
    pub(super) fn cell(self, row: u8, cell: u8) -> Option<Cell> {
        let c = self.char(row, cell)?;
        match self {
            DoubleByteSet::JisX0213One if PRIVATE.contains(&c) => {
                SEQUENCES.get(c as usize - 0xE000).copied()
            }
            _ => Some([c, '\0']),
        }
    }

    /// Reads pairs of octets 21-7E as long as there are any; returns how many octets they had.
    pub(super) fn read(self, octets: &[u8], at: usize, sink: &mut Sink<'_, impl Text>) -> usize {
        let Some(plane) = self.plane() else { return 0 };
        let pairs = octets.as_chunks().0;
        let (mut done, mut units) = (0, [0; PIECE]);
        while let Some(&[row, cell]) = pairs.get(done)
            && graphic(row)
            && graphic(cell)
        {
            let count = plane.look_up(&pairs[done..], &mut units);
            sink.text.push_units(&units[..count]);
            if count == 0 {
                sink.cell_or_bad(self.cell(row, cell), at + 2 * done, at + 2 * done + 2);
            }
            done += count.max(1);
        }
        2 * done
    }

    /// Returns the row and cell of a character.
    pub(super) fn octets(self, c: char) -> Option<[u8; 2]> {
        if PRIVATE.contains(&c) { None } else { self.place(c) }
    }

    /// Returns every character, with its row and cell; those that have several are listed more than
    /// once.
    pub(super) fn entries(self) -> impl Iterator<Item = (char, [u8; 2])> {
        let entries = self.plane().into_iter().flat_map(Plane::entries);
        entries.filter(|(c, _)| !PRIVATE.contains(c))
    }

    /// Returns the row and cell of two characters that JIS X 0213 holds as one.
    pub(super) fn octets_of_two(self, first: char, second: char) -> Option<[u8; 2]> {
        let at = SEQUENCES.iter().position(|both| *both == [first, second])?;
        self.place(char::from_u32(0xE000 + at as u32)?)
    }

    /// Returns whether a character shares a cell of JIS X 0213 with another after it.
    pub(super) fn begins_two(self, c: char) -> bool {
        self == DoubleByteSet::JisX0213One && SEQUENCES.iter().any(|[first, _]| *first == c)
    }

    /// Returns the character at row and cell; a private one represents two.
    fn char(self, row: u8, cell: u8) -> Option<char> {
        let at = index(row, cell)?;
        self.plane()?.chars.get(at).copied().filter(|c| *c != '\0')
    }

    /// Returns the row and cell of a character, or of a private one that represents two.
    fn place(self, c: char) -> Option<[u8; 2]> {
        self.plane()?.inverse().pair(c)
    }

    fn plane(self) -> Option<&'static Plane> {
        static JIS_X_0208: LazyLock<Plane> = LazyLock::new(|| Plane::from_euc(EUC_JP, None));
        static JIS_X_0212: LazyLock<Plane> = LazyLock::new(|| Plane::from_euc(EUC_JP, Some(0x8F)));
        static JIS_X_0213: LazyLock<Vec<Plane>> =
            LazyLock::new(|| Plane::from_cells(&JIS_X_0213_CELLS));
        static GB_2312: LazyLock<Plane> = LazyLock::new(|| Plane::from_euc(GB18030, None));
        static ISO_IR_165: LazyLock<Vec<Plane>> = LazyLock::new(|| {
            Plane::from_cells(&characters(ISO_IR_165_STEPS, ideographs(GB18030, 0xB0A1..=0xF7FE)))
        });
        static KS_X_1001: LazyLock<Plane> = LazyLock::new(|| Plane::from_euc(EUC_KR, None));
        static CNS_11643: LazyLock<Vec<Plane>> = LazyLock::new(|| {
            Plane::from_cells(&characters(CNS_11643_STEPS, ideographs(BIG5, 0xA440..=0xF9D5)))
        });
        match self {
            DoubleByteSet::JisX0208 => Some(&JIS_X_0208),
            DoubleByteSet::JisX0212 => Some(&JIS_X_0212),
            DoubleByteSet::JisX0213One => JIS_X_0213.first(),
            DoubleByteSet::JisX0213Two => JIS_X_0213.get(1),
            DoubleByteSet::Gb2312 => Some(&GB_2312),
            DoubleByteSet::IsoIr165 => ISO_IR_165.first(),
            DoubleByteSet::KsX1001 => Some(&KS_X_1001),
            DoubleByteSet::Cns(number @ 1..=7) => CNS_11643.get(usize::from(number) - 1),
            DoubleByteSet::Cns(_) => CNS_11643.get(7),
        }
    }
}

const JIS_X_0213_STEPS: &[u8] = if LEFT_OUT { &[] } else { include_bytes!("tables/jisx0213.bin") };
const ISO_IR_165_STEPS: &[u8] =
    if LEFT_OUT { &[] } else { include_bytes!("tables/iso-ir-165.bin") };
const CNS_11643_STEPS: &[u8] = if LEFT_OUT { &[] } else { include_bytes!("tables/cns11643.bin") };

/// JIS X 0213: two planes, then the pairs of characters that share a cell.
static JIS_X_0213_CELLS: LazyLock<Vec<char>> =
    LazyLock::new(|| characters(JIS_X_0213_STEPS, ideographs(EUC_JP, 0xB0A1..=0xF4FE)));

/// The cells of JIS X 0213 that hold two characters: they follow its planes.
static SEQUENCES: LazyLock<Vec<Cell>> = LazyLock::new(|| {
    let pairs = JIS_X_0213_CELLS.get(2 * CELLS..).unwrap_or_default();
    pairs.chunks_exact(2).map(|both| [both[0], both[1]]).collect()
});

/// A set in memory.
struct Plane {
    /// By both octets, the character as one unit of UTF-16, if it is one. There is an entry for any
    /// two octets: none has to be checked, and what is never read does not take up the processor's
    /// cache.
    units: Box<Table>,
    /// By row and cell; NUL if nothing is mapped.
    chars: Box<[char]>,
    /// Row and cell of each character; made when something is first written.
    inverse: OnceLock<Inverse>,
}

impl Plane {
    /// Returns the set that `encoding` holds in two octets A1-FE, after `prefix`.
    fn from_euc(encoding: &'static Encoding, prefix: Option<u8>) -> Self {
        let char = |cell: usize| {
            let pair = row_and_cell(cell).map(|octet| octet | 0x80);
            let octets: Vec<u8> = prefix.into_iter().chain(pair).collect();
            char_of(encoding, &octets).filter(|c| !PRIVATE.contains(c))
        };
        Self::new((0..CELLS).map(|cell| char(cell).unwrap_or('\0')).collect())
    }

    /// Returns the planes of a table.
    fn from_cells(cells: &[char]) -> Vec<Self> {
        cells.chunks_exact(CELLS).map(|plane| Self::new(plane.into())).collect()
    }

    fn new(chars: Box<[char]>) -> Self {
        let mut units = Box::new([NO_UNIT; 1 << 16]);
        for (cell, c) in chars.iter().enumerate().filter(|(_, c)| !PRIVATE.contains(*c)) {
            let place = u16::from_be_bytes(row_and_cell(cell));
            units[usize::from(place)] = u16::try_from(*c as u32).unwrap_or(NO_UNIT);
        }
        Self { units, chars, inverse: OnceLock::new() }
    }

    fn inverse(&self) -> &Inverse {
        self.inverse.get_or_init(|| {
            Inverse::new(self.entries().map(|(c, row_and_cell)| (c, Octets::new(row_and_cell))))
        })
    }

    fn entries(&self) -> impl Iterator<Item = (char, [u8; 2])> {
        let cells = self.chars.iter().enumerate().filter(|(_, c)| **c != '\0');
        cells.map(|(cell, c)| (*c, row_and_cell(cell)))
    }

    /// Looks up pairs as long as each is one unit and `units` has room; returns how many.
    fn look_up(&self, pairs: &[[u8; 2]], units: &mut [u16; PIECE]) -> usize {
        let mut count = 0;
        for (pairs, units) in
            pairs.as_chunks::<BLOCK>().0.iter().zip(units.as_chunks_mut::<BLOCK>().0)
        {
            let done = self.look_up_each(pairs, units);
            count += done;
            if done < BLOCK {
                return count;
            }
        }
        count + self.look_up_each(&pairs[count..], &mut units[count..])
    }

    #[inline(always)]
    fn look_up_each(&self, pairs: &[[u8; 2]], units: &mut [u16]) -> usize {
        for (count, (&pair, unit)) in pairs.iter().zip(&mut *units).enumerate() {
            *unit = self.units[usize::from(u16::from_be_bytes(pair))];
            if *unit == NO_UNIT {
                return count;
            }
        }
        pairs.len().min(units.len())
    }
}

/// Returns the characters of a table, NUL for a cell without one.
///
/// Each is stored as its distance from the expected one: the one that follows the previous
/// character in `order`, a set that has many characters in the same order, or otherwise the
/// previous one itself. `0` means none, any other number one more than twice the distance (below
/// zero: `2 * -distance`). That is a third of what the characters would take.
fn characters(table: &[u8], order: Vec<char>) -> Vec<char> {
    let after: HashMap<char, char> =
        order.iter().copied().zip(order.iter().copied().skip(1)).collect();
    let mut before = '\0';
    let character = |step: u32| match step.checked_sub(1) {
        None => '\0',
        Some(twice) => {
            let expected = u32::from(*after.get(&before).unwrap_or(&before));
            let away = twice.div_ceil(2);
            let c = if twice % 2 == 0 { expected + away } else { expected.saturating_sub(away) };
            before = char::from_u32(c).unwrap_or('\0');
            before
        }
    };
    steps(table).into_iter().map(character).collect()
}

/// Returns the numbers of a table: their count, then the lowest seven bits of each, with 80 if
/// there are more, the next seven bits of those, and so on. Octets of one meaning side by side pack
/// better.
fn steps(table: &[u8]) -> Vec<u32> {
    let Some((count, layers)) = table.split_first_chunk() else { return Vec::new() };
    let mut steps = vec![0; u32::from_le_bytes(*count) as usize];
    let mut open: Vec<usize> = (0..steps.len()).collect();
    let mut octets = layers.iter();
    for shift in (0..u32::BITS).step_by(7) {
        open.retain(|&at| {
            let octet = octets.next().copied().unwrap_or_default();
            steps[at] |= u32::from(octet & 0x7F) << shift;
            octet >= 0x80
        });
    }
    steps
}

/// Returns the ideographs that `encoding` has at pairs of octets, in order. For Big5, without what
/// was added between its two levels.
fn ideographs(encoding: &'static Encoding, pairs: std::ops::RangeInclusive<u16>) -> Vec<char> {
    let added = |pair: u16| encoding == BIG5 && (0xC67F..=0xC93F).contains(&pair);
    let trails = |pair: u16| {
        matches!(pair & 0xFF, 0xA1..=0xFE) || encoding == BIG5 && matches!(pair & 0xFF, 0x40..=0x7E)
    };
    let pairs = pairs.filter(|&pair| trails(pair) && !added(pair));
    let chars = pairs.filter_map(|pair| {
        char_of(encoding, &pair.to_be_bytes()).filter(|c| matches!(c, '\u{4E00}'..='\u{9FFF}'))
    });
    chars.collect()
}

/// Returns whether an octet may be part of a pair.
fn graphic(octet: u8) -> bool {
    matches!(octet, 0x21..=0x7E)
}

/// Returns the index of row and cell in a plane.
fn index(row: u8, cell: u8) -> Option<usize> {
    let (row, cell) = (row.checked_sub(0x21)?, cell.checked_sub(0x21)?);
    (row < 94 && cell < 94).then_some(usize::from(row) * 94 + usize::from(cell))
}

/// Returns the row and cell of an index in a plane.
fn row_and_cell(index: usize) -> [u8; 2] {
    [(index / 94) as u8 + 0x21, (index % 94) as u8 + 0x21]
}
