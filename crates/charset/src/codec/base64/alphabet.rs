//! The alphabets, as tables for both directions.

use std::ops::Deref;

use crate::codec::octet_set::OctetSet;

const SYMBOLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// RFC 2045, table 1.
pub static MIME: Alphabet = Alphabet::new(SYMBOLS);
/// RFC 2152, set B: the MIME alphabet, never padded.
pub static UTF_7: &Alphabet = &MIME;
/// RFC 3501, 5.1.3: `,` in place of `/`, never padded.
pub static IMAP: Alphabet = Alphabet::new(&with_last(SYMBOLS, b','));
/// POSIX `uuencode`, which is never written: the value and a space; the grave accent stands in for
/// the space.
pub static UUENCODE: Values = Values::new(&from_space()).with_alias(b'`', 0);

/// Set in the 24 bits of a quad if one of its symbols is not in the alphabet.
const NOT_IN_ALPHABET: u32 = 1 << 31;

/// The values of 64 symbols.
///
/// 4 KiB: a symbol's value is kept four times, shifted to each place of a quad, so that four symbols
/// become 24 bits by four loads and three ORs.
#[derive(Debug)]
pub struct Values {
    places: [[u32; 256]; 4],
}

/// An alphabet of 64 symbols.
///
/// 8 KiB of tables more than those of its values: 12 bits become two symbols by one load.
#[derive(Debug)]
pub struct Alphabet {
    values: Values,
    pairs: [[u8; 2]; 4096],
    /// The symbols, for vectors; and the tables that turn values into symbols, one of them for
    /// vectors of 64 octets.
    pub(in crate::codec) members: OctetSet,
    pub(super) to_symbol: [u8; 16],
    pub(super) symbols: [u8; 64],
}

impl Values {
    const fn new(symbols: &[u8; 64]) -> Self {
        Self { places: places(symbols) }
    }

    /// Returns these values with one more symbol that is read but not written.
    const fn with_alias(mut self, symbol: u8, value: u32) -> Self {
        let mut place = 0;
        while place < 4 {
            self.places[place][symbol as usize] = value << (18 - 6 * place);
            place += 1;
        }
        self
    }

    /// Returns the value of a symbol; `None` for other octets.
    #[inline]
    pub(crate) fn value(&self, symbol: u8) -> Option<u8> {
        let value = self.places[3][usize::from(symbol)];
        (value & NOT_IN_ALPHABET == 0).then_some(value as u8)
    }

    /// Returns eight octets as 48 bits, and how many symbols come before the first octet that is
    /// not one; the bits from that octet on mean nothing.
    #[inline]
    pub(crate) fn eight(&self, octets: &[u8; 8]) -> (u64, usize) {
        let values = octets.map(|octet| self.places[3][usize::from(octet)]);
        let (mut bits, mut aliens) = (0, 1 << 8);
        for (at, value) in values.iter().enumerate() {
            bits = bits << 6 | u64::from(value & 63);
            aliens |= value >> 31 << at;
        }
        (bits, aliens.trailing_zeros() as usize)
    }

    /// Returns whether the octet is a symbol of the alphabet.
    #[inline]
    pub(crate) fn contains(&self, octet: u8) -> bool {
        self.value(octet).is_some()
    }

    /// Returns the 24 bits of four symbols; `None` if one of them is not a symbol.
    #[inline]
    pub(crate) fn quad(&self, symbols: [u8; 4]) -> Option<u32> {
        let [a, b, c, d] = symbols.map(usize::from);
        let [first, second, third, fourth] = &self.places;
        let bits = first[a] | second[b] | third[c] | fourth[d];
        (bits & NOT_IN_ALPHABET == 0).then_some(bits)
    }
}

impl Alphabet {
    const fn new(symbols: &[u8; 64]) -> Self {
        Self {
            values: Values::new(symbols),
            pairs: pairs(symbols),
            members: OctetSet::new(&members(symbols)),
            to_symbol: to_symbol(symbols),
            symbols: *symbols,
        }
    }

    /// Returns the two symbols for the low 12 bits.
    #[inline]
    pub(crate) fn pair(&self, bits: u32) -> [u8; 2] {
        self.pairs[(bits & 0xFFF) as usize]
    }
}

impl Deref for Alphabet {
    type Target = Values;

    #[inline]
    fn deref(&self) -> &Values {
        &self.values
    }
}

const fn with_last(symbols: &[u8; 64], last: u8) -> [u8; 64] {
    let mut symbols = *symbols;
    symbols[63] = last;
    symbols
}

const fn from_space() -> [u8; 64] {
    let mut symbols = [0; 64];
    let mut value = 0;
    while value < 64 {
        symbols[value] = b' ' + value as u8;
        value += 1;
    }
    symbols
}

const fn members(symbols: &[u8; 64]) -> [bool; 256] {
    let mut members = [false; 256];
    let mut value = 0;
    while value < 64 {
        members[symbols[value] as usize] = true;
        value += 1;
    }
    members
}

/// Returns what is added to a value for its symbol: for `A` to `Z`, for `a` to `z`, for each digit,
/// and for 62 and 63.
const fn to_symbol(symbols: &[u8; 64]) -> [u8; 16] {
    let mut added = [0; 16];
    (added[0], added[1]) = (symbols[0], symbols[26].wrapping_sub(26));
    let mut value = 52;
    while value < 64 {
        added[value - 50] = symbols[value].wrapping_sub(value as u8);
        value += 1;
    }
    added
}

const fn places(symbols: &[u8; 64]) -> [[u32; 256]; 4] {
    let mut places = [[NOT_IN_ALPHABET; 256]; 4];
    let mut value = 0;
    while value < 64 {
        let mut place = 0;
        while place < 4 {
            places[place][symbols[value] as usize] = (value as u32) << (18 - 6 * place);
            place += 1;
        }
        value += 1;
    }
    places
}

const fn pairs(symbols: &[u8; 64]) -> [[u8; 2]; 4096] {
    let mut pairs = [[0; 2]; 4096];
    let mut bits = 0;
    while bits < 4096 {
        pairs[bits] = [symbols[bits >> 6], symbols[bits & 63]];
        bits += 1;
    }
    pairs
}
