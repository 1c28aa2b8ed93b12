//! Writing UTF-7 a vector at a time.

use fearless_simd::{dispatch, prelude::*};

use super::phase;
use crate::codec::base64::{UTF_7, vector as base64};
use crate::codec::lanes::{ascending, before, choose, ending};
use crate::codec::level::Level;
use crate::codec::utf7::dialect::{Dialect, SHIFT};
use crate::codec::utf16::vector as utf16;

/// How far a text has been written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::codec) struct Written {
    /// The octets of UTF-8 that were read, which are whole characters.
    pub(in crate::codec) octets: usize,
    /// The octets of UTF-7 that were written.
    pub(in crate::codec) written: usize,
    /// Whether a shifted sequence, consisting of whole groups of three units, is open at that
    /// point.
    pub(in crate::codec) open: bool,
}

/// Writes `text`, of which `done` has been read already, into `out`, which has room for
/// `done.written` and more.
#[inline]
pub(in crate::codec) fn write(
    level: Level,
    dialect: &Dialect,
    text: &[u8],
    done: Written,
    out: &mut [u8],
) -> Written {
    dispatch!(level, simd => vectors(simd, dialect, text, done, out))
}

#[inline(always)]
fn vectors<S: Simd>(
    simd: S,
    dialect: &Dialect,
    text: &[u8],
    mut done: Written,
    out: &mut [u8],
) -> Written {
    while done.octets < text.len()
        && let Some(room) = out.get_mut(done.written..done.written + 5 * S::u8s::LEN)
    {
        let (vectors, length) = ahead(simd, text, done.octets);
        let Some(next) = one(simd, dialect, vectors, length, done, room) else { break };
        if next.octets == done.octets {
            break;
        }
        done = next;
    }
    // The last character may go on after its vector; it is written whole.
    done.octets += text[done.octets..].iter().take_while(|octet| **octet & 0xC0 == 0x80).count();
    done
}

/// Returns the next octets of the text, those one further on, and those two further on; and how
/// many of the first ones begin characters that are complete.
#[inline(always)]
fn ahead<S: Simd>(simd: S, text: &[u8], at: usize) -> ([S::u8s; 3], usize) {
    let rest = &text[at..];
    if rest.len() >= S::u8s::LEN + 2 {
        let first = S::u8s::from_slice(simd, &rest[..S::u8s::LEN]);
        let second = S::u8s::from_slice(simd, &rest[1..1 + S::u8s::LEN]);
        let third = S::u8s::from_slice(simd, &rest[2..2 + S::u8s::LEN]);
        return ([first, second, third], S::u8s::LEN);
    }
    let (first, length) = match rest.get(..S::u8s::LEN) {
        Some(whole) => (S::u8s::from_slice(simd, whole), S::u8s::LEN - 2),
        None => (ending(simd, text, at), rest.len()),
    };
    let places = ascending::<S>(simd);
    ([first, first.swizzle_dyn(places + 1), first.swizzle_dyn(places + 2)], length)
}

/// Writes the characters that begin in the first `length` octets.
#[inline(always)]
fn one<S: Simd>(
    simd: S,
    dialect: &Dialect,
    vectors: [S::u8s; 3],
    length: usize,
    done: Written,
    out: &mut [u8],
) -> Option<Written> {
    let all = before(length);
    let [vector, ..] = vectors;
    let direct = dialect.direct.mask(simd, vector) & all;
    if direct == all && !done.open {
        vector.store_slice(&mut out[..S::u8s::LEN]);
        return Some(Written {
            octets: done.octets + length,
            written: done.written + length,
            open: false,
        });
    }
    let continuations = (vector & 0xC0).simd_eq(0x80).to_bitmask();
    let sequences = Sequences::new(all & !direct, continuations, done.open);
    let shifts = vector.simd_eq(SHIFT).to_bitmask();
    let escaped = shifts & sequences.begin;
    let count = sequences.characters.count_ones() as usize;
    if escaped != 0 || vector.simd_ge(0xF0).to_bitmask() & all != 0 || count > S::u8s::LEN / 2 {
        return None;
    }
    let groups = Groups::new(simd, &sequences);
    let (stop, open) = sequences.stop(&groups, length);
    let last = groups.last(count, stop == length && !open);
    let symbols = symbols(simd, vectors, sequences.characters, &groups, last);

    let hyphens = sequences.after & needs_hyphen(simd, vector);
    let (characters, begin) = (sequences.characters & before(stop), sequences.begin & before(stop));
    let pieces = Pieces { characters, direct: direct & before(stop), hyphens, begin };
    let mut written = 0;
    if begin & 1 != 0 {
        out[0] = SHIFT;
        written = 1;
    }
    written += pieces.write(simd, vector, symbols, &mut out[written..]);
    Some(Written { octets: done.octets + stop, written: done.written + written, open })
}

/// Returns the octets that need a `-` before them if a sequence ends there.
#[inline(always)]
fn needs_hyphen<S: Simd>(simd: S, vector: S::u8s) -> u64 {
    UTF_7.members.mask(simd, vector) | vector.simd_eq(b'-').to_bitmask()
}

/// Where the characters to be shifted are: a bit for each octet.
struct Sequences {
    /// All their octets.
    octets: u64,
    /// The first octet of each character.
    characters: u64,
    /// The first octet of each sequence.
    begin: u64,
    /// The octet after each sequence.
    after: u64,
}

impl Sequences {
    #[inline(always)]
    fn new(shifted: u64, continuations: u64, open: bool) -> Self {
        let before = shifted << 1 | u64::from(open);
        let characters = shifted & !continuations;
        Self { octets: shifted, characters, begin: characters & !before, after: before & !shifted }
    }

    /// Returns whether a sequence goes on to the end.
    #[inline(always)]
    fn goes_on(&self, length: usize) -> bool {
        self.octets >> (length - 1) & 1 != 0
    }

    /// Returns where writing stops, and whether a sequence is open there: after the last whole
    /// group of one that goes on to the end of the vector, or before its first character if there
    /// is none.
    #[inline(always)]
    fn stop(&self, groups: &Groups, length: usize) -> (usize, bool) {
        if !self.goes_on(length) {
            return (length, false);
        }
        // None to two characters are left for the next vector.
        let last = 1 << self.characters.count_ones() >> 1;
        let mut rest = self.characters;
        let mut stop = length;
        let left = if groups.third & last != 0 || rest == 0 {
            0
        } else if groups.second & last != 0 {
            2
        } else {
            1
        };
        for _ in 0..left {
            stop = 63 - rest.leading_zeros() as usize;
            rest &= !(1 << stop);
        }
        (stop, left == 0 || self.begin >> stop & 1 == 0)
    }
}

/// The positions of units in groups of three: a bit for each unit.
struct Groups {
    /// The first units of sequences.
    begin: u64,
    first: u64,
    second: u64,
    third: u64,
}

impl Groups {
    #[inline(always)]
    fn new<S: Simd>(simd: S, sequences: &Sequences) -> Self {
        let [zero, one] = [S::u8s::splat(simd, 0), S::u8s::splat(simd, 1)];
        let begin = choose(simd, sequences.begin, one, zero);
        let begin = begin
            .compress(SimdMask::from_bitmask(simd, sequences.characters))
            .simd_ne(0)
            .to_bitmask();
        // Where three, six, twelve units further on are in the same sequence.
        let same = !begin;
        let three = same >> 1 & same >> 2 & same >> 3;
        let six = three & three >> 3;
        let twelve = six & six >> 6;
        let mut first = begin | 1;
        first |= (first & three) << 3;
        first |= (first & six) << 6;
        first |= (first & twelve) << 12;
        first |= (first & twelve & twelve >> 12) << 24;
        let second = first << 1 & same;
        Self { begin, first, second, third: second << 1 & same }
    }

    /// Returns the last units of sequences; `closed` says whether the last of all is one.
    #[inline(always)]
    fn last(&self, count: usize, closed: bool) -> u64 {
        self.begin >> 1 & before(count) >> 1 | u64::from(closed) << count >> 1
    }
}

/// Returns the symbols that each unit adds to its sequence, two vectors of four octets a unit, zero
/// if there are fewer. A unit takes the bits left over by the one before, and leaves its own unless
/// it is the last.
#[inline(always)]
fn symbols<S: Simd>(
    simd: S,
    [first, second, third]: [S::u8s; 3],
    characters: u64,
    groups: &Groups,
    last: u64,
) -> (S::u32s, S::u32s) {
    let picked: S::mask8s = SimdMask::from_bitmask(simd, characters);
    let first = first.compress(picked).widen().0;
    let units = utf16::unit::<S>(
        first,
        second.compress(picked).widen().0,
        third.compress(picked).widen().0,
    );
    let (low, high) = units.interleave(units.rotate_elements_right::<1>());
    let (low, high): (S::u32s, S::u32s) = (low.bitcast(), high.bitcast());

    let phase = phase(simd, groups.second, groups.third).widen().0.widen();
    // Two symbols, or three for the second and third unit of a group; the bits of the last take one
    // more, except for the third.
    let one_more = groups.second | groups.third | groups.first & last;
    let two_more = groups.second & last;
    let unused = choose(simd, one_more, S::u8s::splat(simd, 8), S::u8s::splat(simd, 16));
    let unused = choose(simd, two_more, S::u8s::splat(simd, 0), unused).widen().0.widen();
    let low = base64::symbols(simd, UTF_7, low << phase.0);
    let high = base64::symbols(simd, UTF_7, high << phase.1);
    let all = S::u32s::splat(simd, u32::MAX);
    (low & all >> unused.0, high & all >> unused.1)
}

/// The pieces that are written: a bit for each octet of the vector.
struct Pieces {
    /// The first octets of the characters that are shifted.
    characters: u64,
    direct: u64,
    /// The direct octets that a `-` precedes.
    hyphens: u64,
    /// The first octets of sequences; the shift is written after the direct octet before.
    begin: u64,
}

impl Pieces {
    /// Writes four octets a character, and picks those that are not zero.
    #[inline(always)]
    fn write<S: Simd>(
        &self,
        simd: S,
        vector: S::u8s,
        symbols: (S::u32s, S::u32s),
        out: &mut [u8],
    ) -> usize {
        let picked: S::mask8s = SimdMask::from_bitmask(simd, self.characters | self.direct);
        let zero = S::u8s::splat(simd, 0);
        let octet =
            choose(simd, self.characters, S::u8s::splat(simd, 0x80), vector).compress(picked);
        let hyphen = choose(simd, self.hyphens, S::u8s::splat(simd, b'-'), zero).compress(picked);
        let shift =
            choose(simd, self.begin >> 1, S::u8s::splat(simd, SHIFT), zero).compress(picked);
        let units = octet.simd_ge(0x80).to_bitmask();
        let (low, high) = (hyphen.interleave(octet), shift.interleave(zero));
        let count = (self.characters | self.direct).count_ones() as usize;
        let mut merge = Merge { simd, symbols, units, written: 0 };
        merge.half(low.0.bitcast(), high.0.bitcast(), out);
        if count > S::u8s::LEN / 2 {
            merge.half(low.1.bitcast(), high.1.bitcast(), out);
        }
        merge.written
    }
}

/// Merges symbols and direct octets in order.
struct Merge<S: Simd> {
    simd: S,
    symbols: (S::u32s, S::u32s),
    /// A bit for each character written in symbols, of those that are still to be written.
    units: u64,
    written: usize,
}

impl<S: Simd> Merge<S> {
    /// Writes half of the characters: for each of them the two octets that come first, and the two
    /// after.
    #[inline(always)]
    fn half(&mut self, first: S::u16s, second: S::u16s, out: &mut [u8]) {
        let (low, high) = first.interleave(second);
        self.quarter(low.bitcast(), out);
        self.quarter(high.bitcast(), out);
    }

    #[inline(always)]
    fn quarter(&mut self, direct: S::u32s, out: &mut [u8]) {
        let quarter = S::u8s::LEN / 4;
        let units = self.units & before(quarter);
        let octets: S::u8s =
            self.symbols.0.expand_merge(SimdMask::from_bitmask(self.simd, units), direct).bitcast();
        let used = octets.simd_ne(0);
        octets.compress(used).store_slice(&mut out[self.written..self.written + 4 * quarter]);
        self.written += used.to_bitmask().count_ones() as usize;
        self.units >>= quarter;
        let next = ascending::<S>(self.simd) + 4 * units.count_ones() as u8;
        self.symbols.0 = self.symbols.0.concat_swizzle_dyn(self.symbols.1, next);
        self.symbols.1 = self.symbols.1.swizzle_dyn(next);
    }
}
