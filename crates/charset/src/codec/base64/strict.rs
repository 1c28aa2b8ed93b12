//! Reading short base64 that needs no repair.

use fearless_simd::{dispatch, prelude::*};

use super::{Leftover, MIME, vector};
use crate::codec::lanes::{before, ending};
use crate::codec::level::{self, Level};

/// Appends the octets that `body` encodes, if it consists only of symbols and the padding that they
/// need. Returns whether it did.
#[inline]
pub(super) fn decode_strict(level: Level, body: &[u8], out: &mut Vec<u8>) -> bool {
    let padding = body.iter().rev().take(2).take_while(|&&octet| octet == b'=').count();
    let symbols = &body[..body.len() - padding];
    let last = symbols.last().and_then(|&symbol| MIME.value(symbol)).unwrap_or(0);
    level::picks(level)
        && body.len().is_multiple_of(4)
        && Leftover::judge(symbols.len(), 8, last.into()) == Leftover::Nothing
        && dispatch!(level, simd => decode_vectors(simd, symbols, out))
}

/// Decodes one vector at a time; if one contains anything but symbols, what was appended is removed
/// again.
#[inline(always)]
fn decode_vectors<S: Simd>(simd: S, symbols: &[u8], out: &mut Vec<u8>) -> bool {
    let gathered = S::u8s::from_slice(simd, &GATHERED[..S::u8s::LEN]);
    let start = out.len();
    let mut at = 0;
    while at < symbols.len() {
        let octets = match symbols.get(at..at + S::u8s::LEN) {
            Some(whole) => S::u8s::from_slice(simd, whole),
            None => ending(simd, symbols, at),
        };
        let count = S::u8s::LEN.min(symbols.len() - at);
        if !MIME.members.mask(simd, octets) & before(count) != 0 {
            out.truncate(start);
            return false;
        }
        let bits: S::u8s = vector::join::<S>(vector::values(simd, octets)).bitcast();
        let end = out.len() + count * 3 / 4;
        out.extend_from_slice(bits.swizzle_dyn(gathered).as_slice());
        out.truncate(end);
        at += count;
    }
    true
}

/// The three octets of each lane of 32 bits, the highest first; the rest of the vector is
/// arbitrary.
static GATHERED: [u8; 64] = {
    let mut gathered = [0; 64];
    let mut octet = 0;
    while octet < 48 {
        gathered[octet] = (octet / 3 * 4 + 2 - octet % 3) as u8;
        octet += 1;
    }
    gathered
};
