//! Writing base64 in one line.

use std::ops::Range;

use fearless_simd::{dispatch, prelude::*};

use super::engine::encode_block;
use super::{MIME, vector};
use crate::codec::lanes::{before, choose, ending, push_first};
use crate::codec::level::{self, Level};

/// Appends `octets` in base64, padded, in one line.
pub fn encode(octets: &[u8], out: &mut Vec<u8>) {
    encode_joined(octets, std::iter::once(0..octets.len()), b"", out);
}

/// Appends pieces of `text` in base64, each padded, with `between` between them. Vectors may read
/// beyond a piece, but never beyond the text.
pub fn encode_joined(
    text: &[u8],
    pieces: impl Iterator<Item = Range<usize>>,
    between: &[u8],
    out: &mut Vec<u8>,
) {
    encode_joined_by(Level::new(), text, pieces, between, out);
}

pub(super) fn encode_joined_by(
    level: Level,
    text: &[u8],
    pieces: impl Iterator<Item = Range<usize>>,
    between: &[u8],
    out: &mut Vec<u8>,
) {
    if level::picks(level) {
        dispatch!(level, simd => join(pieces, between, out, #[inline(always)] |piece, out| encode_vectors(simd, text, piece, out)));
    } else {
        join(pieces, between, out, |piece, out| encode_singly(&text[piece], out));
    }
}

#[inline(always)]
fn join(
    pieces: impl Iterator<Item = Range<usize>>,
    between: &[u8],
    out: &mut Vec<u8>,
    mut encode: impl FnMut(Range<usize>, &mut Vec<u8>),
) {
    for (number, piece) in pieces.enumerate() {
        if number > 0 {
            out.extend_from_slice(between);
        }
        let rest = piece.len() % 3;
        encode(piece, out);
        match rest {
            1 => out.extend_from_slice(b"=="),
            2 => out.push(b'='),
            _ => {}
        }
    }
}

/// From this many octets on the engine is faster.
const MIN_BLOCK: usize = 96;

/// Encodes one vector at a time, of as many octets as fill a vector with their symbols.
#[inline(always)]
fn encode_vectors<S: Simd>(simd: S, text: &[u8], range: Range<usize>, out: &mut Vec<u8>) {
    if range.len() >= MIN_BLOCK {
        return encode_singly(&text[range], out);
    }
    let spread = S::u8s::from_slice(simd, &SPREAD[..S::u8s::LEN]);
    let mut at = range.start;
    while at < range.end {
        let octets = match text.get(at..at + S::u8s::LEN) {
            Some(whole) => S::u8s::from_slice(simd, whole),
            None => ending(simd, text, at),
        };
        let count = (S::u8s::LEN / 4 * 3).min(range.end - at);
        let octets = choose(simd, before(count), octets, S::u8s::splat(simd, 0));
        let bits: S::u32s = octets.swizzle_dyn(spread).bitcast();
        let symbols: S::u8s = vector::symbols(simd, &MIME, bits).bitcast();
        push_first::<S>(symbols, (4 * count).div_ceil(3), out);
        at += count;
    }
}

/// Moves three octets into each lane of 32 bits, the first one highest; the top octet of a lane is
/// arbitrary.
static SPREAD: [u8; 64] = {
    let mut spread = [0; 64];
    let mut lane = 0;
    while lane < 16 {
        let mut octet = 0;
        while octet < 3 {
            spread[4 * lane + 2 - octet] = (3 * lane + octet) as u8;
            octet += 1;
        }
        lane += 1;
    }
    spread
};

/// Writes through the engine, or a few octets through the alphabet's tables.
fn encode_singly(octets: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + (4 * octets.len()).div_ceil(3), 0);
    let to = &mut out[start..];
    if octets.len() < MIN_BLOCK { encode_few(octets, to) } else { _ = encode_block(octets, to) }
}

fn encode_few(octets: &[u8], out: &mut [u8]) {
    let (threes, rest) = octets.as_chunks::<3>();
    for (&[a, b, c], to) in threes.iter().zip(out.as_chunks_mut::<4>().0) {
        let bits = u32::from_be_bytes([0, a, b, c]);
        *to =
            [MIME.pair(bits >> 12), MIME.pair(bits)].as_flattened().try_into().expect("two pairs");
    }
    let out = &mut out[threes.len() * 4..];
    match *rest {
        [a] => out[..2].copy_from_slice(&MIME.pair(u32::from(a) << 4)),
        [a, b] => {
            let bits = u32::from(a) << 10 | u32::from(b) << 2;
            out[..2].copy_from_slice(&MIME.pair(bits >> 6));
            out[2] = MIME.pair(bits)[1];
        }
        _ => {}
    }
}
