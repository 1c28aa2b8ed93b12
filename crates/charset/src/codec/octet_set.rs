//! Sets of octets, with membership tested for a vector at a time.

use fearless_simd::{prelude::*, u8x16};

/// A set of octets with at most eight distinct rows of sixteen, as the sets of charsets and
/// grammars have.
///
/// Each kind of row has a bit, set for the high nibbles whose row is of that kind and for the low
/// nibbles that occur in it: an octet is in the set if its two nibbles have a bit in common. So
/// every set costs two look-ups.
#[derive(Debug)]
pub(super) struct OctetSet {
    low: [u8; 16],
    high: [u8; 16],
}

impl OctetSet {
    /// Returns the octets for which `members` has a `true`.
    pub(super) const fn new(members: &[bool; 256]) -> Self {
        let mut set = Self { low: [0; 16], high: [0; 16] };
        let (mut kinds, mut count) = ([0; 8], 0);
        let mut high = 0;
        while high < 16 {
            let row = row(members, high);
            let mut kind = 0;
            while kind < count && kinds[kind] != row {
                kind += 1;
            }
            if kind == count && row != 0 {
                kinds[kind] = row; // A ninth kind does not compile.
                count += 1;
            }
            if row != 0 {
                set.add(row, high, 1 << kind);
            }
            high += 1;
        }
        set
    }

    const fn add(&mut self, row: u16, high: usize, kind: u8) {
        self.high[high] |= kind;
        let mut low = 0;
        while low < 16 {
            if row >> low & 1 != 0 {
                self.low[low] |= kind;
            }
            low += 1;
        }
    }

    /// Returns a bit for each octet of the set; the first octet is the lowest bit.
    #[inline(always)]
    pub(super) fn mask<S: Simd>(&self, simd: S, octets: S::u8s) -> u64 {
        let low = S::u8s::block_splat(u8x16::load_array_ref(simd, &self.low));
        let high = S::u8s::block_splat(u8x16::load_array_ref(simd, &self.high));
        let kinds = low.swizzle_dyn_within_blocks(octets & 0x0F)
            & high.swizzle_dyn_within_blocks(octets >> 4);
        kinds.simd_ne(0).to_bitmask()
    }
}

/// Returns a `true` for each octet from the first to the last of each range.
pub(super) const fn members(ranges: &[[u8; 2]]) -> [bool; 256] {
    let mut members = [false; 256];
    let mut range = 0;
    while range < ranges.len() {
        let [mut octet, last] = ranges[range];
        while octet <= last {
            members[octet as usize] = true;
            octet += 1;
        }
        range += 1;
    }
    members
}

/// Returns which of the octets with that high half are members.
const fn row(members: &[bool; 256], high: usize) -> u16 {
    let (mut row, mut low) = (0, 0);
    while low < 16 {
        row |= (members[16 * high + low] as u16) << low;
        low += 1;
    }
    row
}

#[cfg(test)]
mod tests {
    use fearless_simd::dispatch;

    use super::*;
    use crate::codec::level;

    #[inline(always)]
    fn found<S: Simd>(simd: S, set: &OctetSet) -> Vec<bool> {
        let vector = |start: usize| S::u8s::from_fn(simd, |at| (start + at) as u8);
        let octets = <S::u8s as SimdBase<S>>::LEN;
        let masks = (0..256).step_by(octets).map(|start| set.mask(simd, vector(start)));
        masks.flat_map(|mask| (0..octets).map(move |at| mask >> at & 1 != 0)).collect()
    }

    #[test]
    fn holds_its_members() {
        let members: [bool; 256] = std::array::from_fn(|octet| {
            octet == 9
                || (octet as u8).is_ascii_alphanumeric()
                || b"=?/\x7F".contains(&(octet as u8))
                || octet > 0xF0
        });
        let set = OctetSet::new(&members);
        for level in level::all() {
            assert_eq!(dispatch!(level, simd => found(simd, &set)), members, "{level:?}");
        }
    }
}
