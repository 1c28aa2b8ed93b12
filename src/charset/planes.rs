//! Double-byte sets of 94 by 94 characters, unfolded on first use from encoding_rs's tables or our own.

use std::sync::LazyLock;

use encoding_rs::{EUC_JP, EUC_KR, Encoding, GB18030};

/// The private characters that GB 18030 gives to rows which GB 2312 leaves free.
const PRIVATE: std::ops::RangeInclusive<char> = '\u{E000}'..='\u{F8FF}';

/// Cells of a set.
const CELLS: usize = 94 * 94;

/// A set that the ISO-2022 family, HZ and the EUC family designate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// JIS X 0208 with the NEC and IBM extensions.
    JisX0208,
    /// JIS X 0212.
    JisX0212,
    /// GB 2312.
    Gb2312,
    /// KS X 1001.
    KsX1001,
}

impl Set {
    /// The character at row and cell, each 21-7E.
    pub(super) fn char(self, row: u8, cell: u8) -> Option<char> {
        let at = index(row, cell)?;
        self.plane().chars.get(at).copied().filter(|c| *c != '\0')
    }

    /// Row and cell of a character.
    pub(super) fn octets(self, c: char) -> Option<[u8; 2]> {
        let sorted = &self.plane().sorted;
        let at = sorted.binary_search_by_key(&c, |(known, _)| *known).ok()?;
        let cell = sorted[at].1;
        Some([(cell / 94) as u8 + 0x21, (cell % 94) as u8 + 0x21])
    }

    fn plane(self) -> &'static Plane {
        static JIS_X_0208: LazyLock<Plane> = LazyLock::new(|| Plane::from_euc(EUC_JP, None));
        static JIS_X_0212: LazyLock<Plane> = LazyLock::new(|| Plane::from_euc(EUC_JP, Some(0x8F)));
        static GB_2312: LazyLock<Plane> = LazyLock::new(|| Plane::from_euc(GB18030, None));
        static KS_X_1001: LazyLock<Plane> = LazyLock::new(|| Plane::from_euc(EUC_KR, None));
        match self {
            Set::JisX0208 => &JIS_X_0208,
            Set::JisX0212 => &JIS_X_0212,
            Set::Gb2312 => &GB_2312,
            Set::KsX1001 => &KS_X_1001,
        }
    }
}

/// A set in memory.
struct Plane {
    /// By row and cell; NUL where nothing is mapped.
    chars: Box<[char]>,
    /// By character, the first cell of each.
    sorted: Box<[(char, u16)]>,
}

impl Plane {
    /// The set that `encoding` holds in two octets A1-FE, behind `prefix`.
    fn from_euc(encoding: &'static Encoding, prefix: Option<u8>) -> Self {
        let char = |cell: usize| {
            let pair = [(cell / 94) as u8 + 0xA1, (cell % 94) as u8 + 0xA1];
            let octets: Vec<u8> = prefix.into_iter().chain(pair).collect();
            let text = encoding.decode_without_bom_handling_and_without_replacement(&octets)?;
            let mut chars = text.chars();
            chars.next().filter(|c| chars.next().is_none() && !PRIVATE.contains(c))
        };
        Self::new((0..CELLS).map(|cell| char(cell).unwrap_or('\0')).collect())
    }

    fn new(chars: Box<[char]>) -> Self {
        let mut sorted: Vec<_> =
            (0..).zip(&chars).filter(|(_, c)| **c != '\0').map(|(cell, c)| (*c, cell)).collect();
        sorted.sort_unstable();
        sorted.dedup_by_key(|(c, _)| *c);
        Self { chars, sorted: sorted.into() }
    }
}

/// Where row and cell stand in a plane.
fn index(row: u8, cell: u8) -> Option<usize> {
    let (row, cell) = (row.checked_sub(0x21)?, cell.checked_sub(0x21)?);
    (row < 94 && cell < 94).then_some(usize::from(row) * 94 + usize::from(cell))
}
