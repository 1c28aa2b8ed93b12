//! Names a vector at a time: nearly all of them fit into one.
//!
//! Other than in text there are few shifted sequences, so there is a loop over them. An iteration
//! waits only for where its sequence begins, which masks of the whole vector say, so that the
//! processor works on several of them; all that they share is the vector of the result, which is
//! stored once. Whatever is ill-formed or rare is left to the code that reads or writes one octet
//! at a time.

mod read;
mod write;

use fearless_simd::prelude::*;

use crate::codec::lanes::before;
pub(super) use read::read;
pub(super) use write::write;

/// The octet that begins a shifted sequence.
const SHIFT: u8 = b'&';

/// Returns a bit for each octet outside printable US-ASCII, of which all but `&` stands for itself.
#[inline(always)]
fn unprintable<S: Simd>(octets: S::u8s) -> u64 {
    (octets - b' ').simd_gt(b'~' - b' ').to_bitmask()
}

/// Reading or writing by vectors, and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// The name stands for itself.
    Itself,
    /// The number of octets written.
    Written(usize),
    /// Vectors cannot read or write the name.
    Not,
}

/// What became of one vector.
struct Step {
    read: usize,
    written: usize,
    /// Whether all of it stands for itself.
    direct: bool,
}

/// Reads or writes a name by steps, each of which has room for a vector. `None` if there is too
/// little room, or a step cannot be done.
#[inline(always)]
fn all<S: Simd>(
    name: &[u8],
    out: &mut [u8],
    mut step: impl FnMut(usize, &mut [u8]) -> Option<Step>,
) -> Option<Done> {
    // Outside the loop, as this is all that most names need.
    let mut done = step(0, out.get_mut(..S::u8s::LEN)?)?;
    while done.read < name.len() {
        let next = step(done.read, out.get_mut(done.written..done.written + S::u8s::LEN)?)?;
        done.read += next.read;
        done.written += next.written;
        done.direct &= next.direct;
    }
    Some(if done.direct { Done::Itself } else { Done::Written(done.written) })
}

/// A vector of the result, of which pieces have been written.
struct Pieces<S: Simd> {
    simd: S,
    octets: S::u8s,
    /// A bit for each octet of a piece.
    placed: u64,
    /// Octets of text read, and octets of the result that they are, with those between the pieces.
    read: usize,
    written: usize,
}

impl<S: Simd> Pieces<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        Self { simd, octets: S::u8s::splat(simd, 0), placed: 0, read: 0, written: 0 }
    }

    /// Returns where a piece for the text from `begin` on is written: after the octets that stand
    /// for themselves.
    #[inline(always)]
    fn place(&self, begin: usize) -> usize {
        self.written + begin - self.read
    }

    /// Writes the first octets of a piece, which fit.
    #[inline(always)]
    fn put(&mut self, piece: S::u8s, at: usize, length: usize) {
        let places = before(length) << at;
        self.octets = piece.expand_merge(SimdMask::from_bitmask(self.simd, places), self.octets);
        self.placed |= places;
    }

    /// Fills the gaps with the octets before `stop` for which `direct` has a bit, as far as they
    /// fit. `None` if nothing was read.
    #[inline(always)]
    fn finish(&self, text: S::u8s, direct: u64, stop: usize, out: &mut [u8]) -> Option<Step> {
        let read = stop.min(self.read + S::u8s::LEN - self.written);
        let written = self.place(read);
        let direct = text.compress(SimdMask::from_bitmask(self.simd, direct & before(read)));
        let gaps = SimdMask::from_bitmask(self.simd, before(written) & !self.placed);
        direct.expand_merge(gaps, self.octets).store_slice(out);
        (read > 0).then_some(Step { read, written, direct: false })
    }
}
