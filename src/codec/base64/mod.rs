//! The one six-bit engine: alphabets are data, and whoever has six bits in hand goes through here.
//!
//! Whole blocks go through the vector engine of the `base64` crate ([`block`]); short runs and
//! repaired text through the tables of an [`Alphabet`]. What bits may be left over at the end is
//! judged in one place, [`Leftover::judge`].

mod alphabet;
mod block;
mod clean;
mod lenient;
mod lines;
mod quad;
mod run;
#[cfg(test)]
mod tests;
pub(super) mod vector;

pub(crate) use alphabet::{Alphabet, IMAP, MIME, UTF_7, UUENCODE};
pub(crate) use clean::is_clean;
pub(crate) use lenient::decode;
pub(crate) use lines::{encode_lines_to, lines_len};
pub(crate) use quad::Leftover;
pub(crate) use run::{Checksum, LONGEST_LINE, Line};

use block::encode_block;

/// Appends `octets` in base64, padded, in one line.
pub(crate) fn encode(octets: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + octets.len().div_ceil(3) * 4, b'=');
    let to = &mut out[start..];
    if octets.len() < BLOCK_LEAST { encode_short(octets, to) } else { _ = encode_block(octets, to) }
}

/// Fewer octets are sooner written by the tables of the alphabet.
const BLOCK_LEAST: usize = 96;

/// Encodes without padding, for which `out` has room too.
fn encode_short(octets: &[u8], out: &mut [u8]) {
    let (threes, rest) = octets.as_chunks::<3>();
    for (&[a, b, c], to) in threes.iter().zip(out.as_chunks_mut::<4>().0) {
        let bits = u32::from_be_bytes([0, a, b, c]);
        *to = [MIME.pair(bits >> 12), MIME.pair(bits)].as_flattened().try_into().expect("two pairs");
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
