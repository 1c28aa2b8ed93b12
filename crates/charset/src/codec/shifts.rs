//! Octets that shift between US-ASCII and a set of pairs, as nearly all text in HZ and ISO-2022
//! does.
//!
//! Runs between shifts are short, so what matters is the work done once for each. Here that is one
//! loop whose state is where it reads and writes, and which of the two sets follows. Anything else
//! ends it, and is left to a complete reader.

use fearless_simd::{dispatch, prelude::*};

use super::lanes::before;
use super::level::Level;

/// By both octets of a pair, the character as one unit of UTF-16, or [`NO_UNIT`].
pub type Table = [u16; 1 << 16];

/// Marks a pair that is not one unit.
pub const NO_UNIT: u16 = 0;

/// The octets that shift to pairs, and back.
#[derive(Debug)]
pub struct Shifts<const N: usize> {
    /// The octets that begin a run of pairs.
    pub there: [u8; N],
    /// The octets that end it.
    pub back: [u8; N],
}

/// Units that are handed over together.
const PIECE: usize = 256;

/// The longest vector.
const VECTOR: usize = 64;

/// Pairs that are looked up without counting them.
const PAIRS: usize = 8;

impl<const N: usize> Shifts<N> {
    /// Reads as far as there are only US-ASCII, pairs that are one unit each, and these shifts;
    /// hands over the units. Other shift controls and escapes end it. Returns the octets read, and
    /// whether pairs follow; they do at the start if `shifted`.
    pub fn read(
        &self,
        octets: &[u8],
        shifted: bool,
        table: &Table,
        take: &mut dyn FnMut(&[u16]), // not a parameter of the type: one copy of the loop serves all texts
    ) -> (usize, bool) {
        dispatch!(Level::new(), simd => self.read_by(simd, octets, shifted, table, take))
    }

    #[inline(always)]
    fn read_by<S: Simd>(
        &self,
        simd: S,
        octets: &[u8],
        mut shifted: bool,
        table: &Table,
        take: &mut dyn FnMut(&[u16]),
    ) -> (usize, bool) {
        let (mut at, mut written, mut units) = (0, 0, [0; PIECE + VECTOR]);
        loop {
            if written >= PIECE {
                take(&units[..written]);
                written = 0;
            }
            let Some(room) = units[written..].first_chunk_mut() else { break };
            let (rest, shift, more) = if shifted {
                let (count, more) = pairs(&octets[at..], table, room);
                (at, written) = (at + 2 * count, written + count);
                (&octets[at..], self.back, more)
            } else {
                let (count, more) = plain(simd, &octets[at..], self.there[0], room);
                (at, written) = (at + count, written + count);
                (&octets[at..], self.there, more)
            };
            if more {
                continue;
            }
            if rest.first_chunk() != Some(&shift) {
                break;
            }
            (at, shifted) = (at + N, !shifted);
        }
        take(&units[..written]);
        (at, shifted)
    }
}

/// Writes the units of the first pairs; returns how many there were, and whether more may follow.
#[inline(always)]
fn pairs(octets: &[u8], table: &Table, room: &mut [u16; VECTOR]) -> (usize, bool) {
    let Some(octets) = octets.first_chunk::<{ 2 * PAIRS }>() else {
        let pairs = octets.as_chunks().0;
        for (unit, pair) in room.iter_mut().zip(pairs) {
            *unit = table[usize::from(u16::from_be_bytes(*pair))];
        }
        return (count(&room[..pairs.len()]), false);
    };
    // Words: two octets loaded by themselves might wait for what the register held before.
    let [first, second] = [&octets[..8], &octets[8..]].map(|four| four_units(four, table));
    room[..PAIRS / 2].copy_from_slice(&first);
    room[PAIRS / 2..PAIRS].copy_from_slice(&second);
    // Where reading goes on does not wait for the table as long as this branch is predicted.
    if lacks(first) | lacks(second) { (count(&room[..PAIRS]), false) } else { (PAIRS, true) }
}

/// Returns the units of four pairs. Written out: in code compiled for size a loop over four stays a
/// loop, and its array in memory.
#[inline(always)]
fn four_units(octets: &[u8], table: &Table) -> [u16; 4] {
    let word = octets.first_chunk().map_or(0, |word| u64::from_be_bytes(*word));
    let unit = |shift: u32| table[usize::from((word >> shift) as u16)];
    [unit(48), unit(32), unit(16), unit(0)]
}

#[inline(always)]
fn lacks([a, b, c, d]: [u16; 4]) -> bool {
    (a == NO_UNIT) | (b == NO_UNIT) | (c == NO_UNIT) | (d == NO_UNIT)
}

/// Returns the number of units before the first missing one, found by branches, which are predicted
/// as well.
#[cold]
#[inline(never)]
fn count(units: &[u16]) -> usize {
    units.iter().position(|&unit| unit == NO_UNIT).unwrap_or(units.len())
}

/// Writes the units of the first octets that are US-ASCII and not a shift; returns how many there
/// were, and whether more may follow.
#[inline(always)]
fn plain<S: Simd>(simd: S, octets: &[u8], shift: u8, room: &mut [u16; VECTOR]) -> (usize, bool) {
    let Some(vector) = octets.get(..S::u8s::LEN) else {
        let count =
            octets.iter().position(|&octet| is_special(octet, shift)).unwrap_or(octets.len());
        room.iter_mut().zip(&octets[..count]).for_each(|(unit, &octet)| *unit = octet.into());
        return (count, false);
    };
    let vector = S::u8s::from_slice(simd, vector);
    let (low, high) = vector.widen();
    low.store_slice(&mut room[..S::u16s::LEN]);
    high.store_slice(&mut room[S::u16s::LEN..2 * S::u16s::LEN]);
    let controls = (vector | 1).simd_eq(SI) | vector.simd_eq(ESC);
    let special = controls | vector.simd_eq(shift) | vector.simd_ge(0x80);
    let count = (special.to_bitmask() | !before(S::u8s::LEN)).trailing_zeros() as usize;
    (count, count == S::u8s::LEN)
}

const ESC: u8 = 0x1B;
const SI: u8 = 0x0F;

/// Returns whether an octet may shift, or is not US-ASCII.
fn is_special(octet: u8, shift: u8) -> bool {
    matches!(octet, ESC | 0x0E | SI | 0x80..) || octet == shift
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIFTS: Shifts<2> = Shifts { there: *b"~{", back: *b"~}" };

    /// Maps each pair to its own octets as one number, except that those with `~` map to nothing.
    fn table() -> Box<Table> {
        let graphic = |octet: u8| matches!(octet, 0x21..0x7E);
        let unit =
            |pair: u16| if pair.to_be_bytes().into_iter().all(graphic) { pair } else { NO_UNIT };
        let units: Vec<u16> = (0..=u16::MAX).map(unit).collect();
        units.into_boxed_slice().try_into().expect("one for each")
    }

    fn read(octets: &[u8]) -> (Vec<u16>, usize, bool) {
        let mut units = Vec::new();
        let (done, shifted) =
            SHIFTS.read(octets, false, &table(), &mut |piece| units.extend_from_slice(piece));
        (units, done, shifted)
    }

    #[test]
    fn runs_of_any_length_follow_one_another() {
        let (mut octets, mut units) = (Vec::new(), Vec::new());
        for length in (0..200).chain([1, 0, 2, 0, 0]) {
            let (plain, pairs) =
                (vec![b'a'; length], vec![*b"0!"; 199_usize.saturating_sub(length)]);
            octets.extend([&plain[..], b"~{", pairs.as_flattened(), b"~}"].concat());
            units.extend(plain.iter().map(|_| u16::from(b'a')));
            units.extend(pairs.iter().map(|_| 0x3021));
        }
        assert_eq!(read(&octets), (units, octets.len(), false));
    }

    #[test]
    fn what_is_neither_ends_it_anywhere() {
        for length in 0..150 {
            for other in [&b"~~"[..], b"~}", b"\x1B(", b"\x0E", b"\x0F", b"\x80", b"~"] {
                let octets = [&vec![b'a'; length], other, &[b'b'; 100]].concat();
                assert_eq!(
                    read(&octets),
                    (vec![u16::from(b'a'); length], length, false),
                    "{length} {other:X?}"
                );
            }
            for other in [&b"~{"[..], b"\r\n", b"0\x80", b" 0", b"~~", b"0"] {
                let octets = [b"~{", vec![*b"0!"; length].as_flattened(), other].concat();
                assert_eq!(
                    read(&octets),
                    (vec![0x3021; length], 2 + 2 * length, true),
                    "{length} {other:X?}"
                );
            }
        }
    }
}
