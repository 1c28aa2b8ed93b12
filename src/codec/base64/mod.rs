//! The one six-bit engine: alphabets are data, and whoever has six bits in hand goes through here.
//!
//! Whole blocks go through the vector engine of the `base64` crate ([`block`]); short runs and
//! repaired text through the tables of an [`Alphabet`]. What bits may be left over at the end is
//! judged in one place, [`Leftover::judge`].

mod alphabet;
mod block;
mod clean;
mod decode;
mod encode;
mod lenient;
mod lines;
mod quad;
mod run;
#[cfg(test)]
mod tests;
pub(super) mod vector;

pub(crate) use alphabet::{Alphabet, IMAP, MIME, UTF_7, UUENCODE};
pub(crate) use clean::is_clean;
pub(crate) use encode::{encode, encode_joined};
pub(crate) use lenient::decode;
pub(crate) use lines::{encode_lines_to, lines_len};
pub(crate) use quad::Leftover;
pub(crate) use run::{Checksum, LONGEST_LINE, Line};

/// What room more than it fills makes reading short base64 faster.
pub(crate) const SLACK: usize = 64;
