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
#[cfg(test)]
mod tests;

pub(crate) use alphabet::{Alphabet, IMAP, MIME, UTF_7, UUENCODE};
pub(crate) use clean::is_clean;
pub(crate) use lenient::decode;
pub(crate) use lines::{encode_lines_to, lines_len};
pub(crate) use quad::Leftover;

use block::encode_block;

/// Appends `octets` in base64, padded, in one line.
pub(crate) fn encode(octets: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + octets.len().div_ceil(3) * 4, 0);
    let written = encode_block(octets, &mut out[start..]);
    out[start + written..].fill(b'=');
}
