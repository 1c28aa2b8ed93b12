//! The one six-bit engine: alphabets are data, and everything that reads or writes six-bit symbols
//! goes through here.
//!
//! Whole blocks go through the vector engine of the `base64` crate ([`engine`]); short runs and
//! repaired text through the tables of an [`Alphabet`]. What bits may be left over at the end is
//! judged in one place, [`Leftover::judge`].

mod alphabet;
mod encode;
mod engine;
mod footer;
mod lenient;
mod likeness;
mod line_runs;
mod line_vectors;
mod lines;
mod quad;
mod strict;
#[cfg(test)]
mod tests;
mod unambiguous;
pub mod vector;
mod well_formed;

pub use alphabet::{Alphabet, IMAP, MIME, UTF_7, UUENCODE};
pub use encode::{encode, encode_joined};
pub use lenient::decode;
pub use likeness::looks_like_base64;
pub use line_runs::{Checksum, LineShape, MAX_RUN_LINE};
pub use lines::{encode_lines_to, lines_len};
pub use quad::Leftover;
pub use unambiguous::is_unambiguous;
pub use well_formed::is_well_formed;

/// Spare room in the output that makes reading short base64 faster.
pub const SLACK: usize = 64;
