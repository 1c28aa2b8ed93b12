//! Reading UTF-7 a vector at a time.

use fearless_simd::{dispatch, prelude::*};

use super::phase;
use crate::codec::base64::{UTF_7, vector as base64};
use crate::codec::lanes::{ascending, before, choose, load};
use crate::codec::level::Level;
use crate::codec::utf7::dialect::{Dialect, SHIFT};
use crate::codec::utf16::vector as utf16;

/// The output: octets of UTF-8, or code units of UTF-16.
pub(in crate::codec) trait Form: Copy + Default {
    /// Writes a vector of US-ASCII.
    fn ascii<S: Simd>(vector: S::u8s, out: &mut [Self]);

    /// Writes half a vector of characters, none of them a surrogate; returns their length.
    fn characters<S: Simd>(simd: S, units: S::u16s, out: &mut [Self]) -> Option<usize>;
}

impl Form for u8 {
    #[inline(always)]
    fn ascii<S: Simd>(vector: S::u8s, out: &mut [u8]) {
        vector.store_slice(&mut out[..S::u8s::LEN]);
    }

    #[inline(always)]
    fn characters<S: Simd>(simd: S, units: S::u16s, out: &mut [u8]) -> Option<usize> {
        utf16::units_to_utf8(simd, units, out)
    }
}

impl Form for u16 {
    #[inline(always)]
    fn ascii<S: Simd>(vector: S::u8s, out: &mut [u16]) {
        let (low, high) = vector.widen();
        let (first, second) = out.split_at_mut(S::u16s::LEN);
        low.store_slice(first);
        high.store_slice(&mut second[..S::u16s::LEN]);
    }

    #[inline(always)]
    fn characters<S: Simd>(_: S, units: S::u16s, out: &mut [u16]) -> Option<usize> {
        units.store_slice(&mut out[..S::u16s::LEN]);
        Some(S::u16s::LEN)
    }
}

/// How far reading has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::codec) struct Read {
    pub(in crate::codec) octets: usize,
    /// Octets of UTF-8, or code units.
    pub(in crate::codec) written: usize,
    /// Where the shift of the sequence is that is open after them: whole groups of its symbols have
    /// been read.
    pub(in crate::codec) open: Option<usize>,
}

impl Read {
    /// Returns the state in which nothing is read yet of a text before which the sequence `open` is
    /// open.
    pub(in crate::codec) fn after(open: Option<usize>) -> Self {
        Self { open, ..Self::default() }
    }
}

/// Reads `text`, of which `done` has been read already, into `out`, which has room for
/// `done.written` and more.
#[inline]
pub(in crate::codec) fn read<F: Form>(
    level: Level,
    dialect: &Dialect,
    text: &[u8],
    done: Read,
    out: &mut [F],
) -> Read {
    dispatch!(level, simd => vectors(simd, dialect, text, done, out))
}

#[inline(always)]
fn vectors<S: Simd, F: Form>(
    simd: S,
    dialect: &Dialect,
    text: &[u8],
    mut done: Read,
    out: &mut [F],
) -> Read {
    while done.octets < text.len()
        && let Some(room) = out.get_mut(done.written..done.written + 4 * S::u8s::LEN)
    {
        let length = S::u8s::LEN.min(text.len() - done.octets);
        let vector = load(simd, text, done.octets);
        let Some(next) = one(simd, dialect, vector, length, done, room) else { break };
        if next.octets == done.octets {
            break;
        }
        done = next;
    }
    done
}

/// Reads the first `length` octets of a vector.
#[inline(always)]
fn one<S: Simd, F: Form>(
    simd: S,
    dialect: &Dialect,
    vector: S::u8s,
    length: usize,
    done: Read,
    out: &mut [F],
) -> Option<Read> {
    let all = before(length);
    let shift = vector.simd_eq(SHIFT).to_bitmask() & all;
    let alien = !dialect.readable.mask(simd, vector) & all;
    if shift == 0 && done.open.is_none() {
        F::ascii::<S>(vector, out);
        return (alien == 0).then(|| Read {
            octets: done.octets + length,
            written: done.written + length,
            open: None,
        });
    }
    let symbol = UTF_7.members.mask(simd, vector) & all;
    let hyphen = vector.simd_eq(b'-').to_bitmask() & all;
    let sequences = Sequences::new(symbol, shift, hyphen, all, done.open.is_some());
    let groups = Groups::new(&sequences);
    let (stop, open) = sequences.stop(&groups, length);

    let values = base64::values(simd, vector);
    let no_two_bits = (values & 3).simd_eq(0).to_bitmask();
    let no_four_bits = (values & 15).simd_eq(0).to_bitmask();
    let direct = sequences.direct() & before(stop);
    let units = groups.units() & before(stop);
    let wrong = alien & direct
        | sequences.symbols & !symbol
        | sequences.empty & !hyphen
        | groups.left_over(sequences.after, no_two_bits, no_four_bits);
    if wrong != 0 {
        return None;
    }
    let characters = characters(simd, values, &groups, units)?;
    let written = merge(simd, vector, characters, units, direct, out)?;
    let open = open.then(|| match sequences.shifts {
        0 => done.open,
        shifts => Some(done.octets + 63 - shifts.leading_zeros() as usize),
    });
    Some(Read { octets: done.octets + stop, written: done.written + written, open: open.flatten() })
}

/// Where the shifted sequences of a vector are: a bit for each octet.
struct Sequences {
    all: u64,
    /// The octets that shift.
    shifts: u64,
    /// Symbols after them, and after the shift before the vector.
    symbols: u64,
    /// The first symbol of each, or what is in its place.
    first: u64,
    /// The octet after the last symbol of each.
    after: u64,
    /// Those octets that are a `-`.
    closed: u64,
    /// The octet after a shift, if it is not a symbol.
    empty: u64,
    /// Those octets that are a `-`.
    escaped: u64,
}

impl Sequences {
    #[inline(always)]
    fn new(symbol: u64, shift: u64, hyphen: u64, all: u64, open: bool) -> Self {
        let open = u64::from(open);
        // Adding the shifts carries from each to the end of the symbols around it.
        let stretches = symbol | shift;
        let carried = stretches.wrapping_add(shift).wrapping_add(open);
        let shifted = stretches & (!carried | shift);
        let shifts = shifted & !(shifted << 1 | open);
        let symbols = shifted & !shifts;
        let first = shifts << 1 | open;
        let after = (symbols << 1 | open) & !symbols & all;
        let empty = shifts << 1 & !symbols & all;
        Self {
            all,
            shifts,
            symbols,
            first,
            after,
            closed: after & hyphen,
            empty,
            escaped: empty & hyphen,
        }
    }

    /// Returns the octets that stand for themselves, including a shift before a `-`.
    #[inline(always)]
    fn direct(&self) -> u64 {
        let silent = self.symbols | self.closed | self.shifts | self.escaped;
        (self.all & !silent) | self.escaped >> 1
    }

    /// Returns where reading stops, and whether a sequence is open there: after the last whole
    /// group of one that goes on to the end of the vector, or before its shift if there is none.
    #[inline(always)]
    fn stop(&self, groups: &Groups, length: usize) -> (usize, bool) {
        let last = 1 << (length - 1);
        if self.symbols & last == 0 {
            return (length - usize::from(self.shifts & last != 0), false);
        }
        let group = 63 - groups.begin.leading_zeros() as usize;
        if groups.whole >> group & 1 != 0 {
            (group + 8, true)
        } else if self.shifts << 1 >> group & 1 != 0 {
            (group - 1, false)
        } else {
            (group, true)
        }
    }
}

/// Groups of eight symbols, and the three units in each: a bit where one begins.
struct Groups {
    /// Also where the next would begin.
    begin: u64,
    whole: u64,
    first: u64,
    second: u64,
    third: u64,
}

impl Groups {
    #[inline(always)]
    fn new(sequences: &Sequences) -> Self {
        let one = sequences.symbols;
        let two = one & one >> 1;
        let three = two & one >> 2;
        let four = two & two >> 2;
        let eight = four & four >> 4;
        let sixteen = eight & eight >> 8;
        let mut begin = sequences.first;
        begin |= (begin & eight) << 8;
        begin |= (begin & sixteen) << 16;
        begin |= (begin & sixteen & sixteen >> 16) << 32;
        // Symbols 0 to 2, 2 to 5, and 5 to 7.
        let first = begin & three;
        let second = first << 2 & four;
        let third = second << 3 & three;
        Self { begin, whole: begin & eight, first, second, third }
    }

    #[inline(always)]
    fn units(&self) -> u64 {
        self.first | self.second | self.third
    }

    /// Returns the ends of sequences that leave over symbols, or bits that are not zero.
    #[inline(always)]
    fn left_over(&self, ends: u64, no_two_bits: u64, no_four_bits: u64) -> u64 {
        let (two_bits, four_bits) = (ends & self.first << 3, ends & self.second << 4);
        ends & !(self.begin | two_bits | four_bits)
            | two_bits & !(no_two_bits << 1)
            | four_bits & !(no_four_bits << 1)
    }
}

/// Returns the characters of the units, side by side. `None` if there is a surrogate.
#[inline(always)]
fn characters<S: Simd>(simd: S, values: S::u8s, groups: &Groups, units: u64) -> Option<S::u16s> {
    let picked: S::mask8s = SimdMask::from_bitmask(simd, units);
    // How many of 24 bits come after those of the unit.
    let after = phase(simd, groups.second, groups.third).compress(picked);
    let places = ascending::<S>(simd).compress(picked);
    let count = units.count_ones() as usize;
    let low = gather::<S>(simd, values, places, after, 0);
    let high =
        if count > S::u8s::LEN / 4 { gather::<S>(simd, values, places, after, 1) } else { low };
    let characters: S::u16s = low.relaxed_narrow(high);
    let surrogates = (characters & 0xF800).simd_eq(0xD800).to_bitmask();
    (surrogates & before(count) == 0).then_some(characters)
}

/// Returns a quarter of a vector of units, each from the four symbols that begin at its place.
#[inline(always)]
fn gather<S: Simd>(
    simd: S,
    values: S::u8s,
    places: S::u8s,
    after: S::u8s,
    quarter: usize,
) -> S::u32s {
    let octet = ascending::<S>(simd);
    let lane = (octet >> 2) + (quarter * S::u8s::LEN / 4) as u8;
    let four = values.swizzle_dyn(places.swizzle_dyn(lane) + (octet & 3));
    let after: S::u32s = after.swizzle_dyn(lane).bitcast();
    (base64::join::<S>(four & 0x3F) >> (after & 0xFF)) & 0xFFFF
}

/// Writes the characters and the direct octets in order.
#[inline(always)]
fn merge<S: Simd, F: Form>(
    simd: S,
    vector: S::u8s,
    characters: S::u16s,
    units: u64,
    direct: u64,
    out: &mut [F],
) -> Option<usize> {
    let half = S::u8s::LEN / 2;
    let count = (units | direct).count_ones() as usize;
    // Direct octets are below 80, which represents units.
    let marked = choose(simd, units, S::u8s::splat(simd, 0x80), vector);
    let marked = marked.compress(SimdMask::from_bitmask(simd, units | direct));
    let units = marked.simd_ge(0x80).to_bitmask();
    let (low, high) = marked.widen();
    let low: S::u16s =
        characters.expand_merge(SimdMask::from_bitmask(simd, units & before(half)), low);
    let written = F::characters(simd, low, out)?;
    if count <= half {
        // Lanes after the last character are zero, and an octet or a unit each.
        return Some(written - (half - count));
    }
    let used = (units & before(half)).count_ones() as u8;
    let rest = characters.swizzle_dyn(ascending::<S>(simd) + 2 * used);
    let high: S::u16s = rest.expand_merge(SimdMask::from_bitmask(simd, units >> half), high);
    let more = F::characters(simd, high, &mut out[written..])?;
    Some(written + more - (2 * half - count))
}
