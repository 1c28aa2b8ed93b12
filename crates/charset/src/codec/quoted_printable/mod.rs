//! Quoted-printable (RFC 2045, 6.7) and the Q encoding of RFC 2047.

mod count;
mod decode;
mod encode;
mod escape;
mod half_encoded;
mod line_start;
mod literal_lines;
mod q_encoding;
mod soft_breaks;
mod strict;
#[cfg(test)]
mod tests;
mod unambiguous;
mod well_formed;

pub use count::count;
pub use decode::decode;
pub use encode::{encode_closed, encode_text_to, text_fits};
pub use half_encoded::{has_half_encoded_line_ends, without_cr_before_crlf};
pub use line_start::LineStarts;
pub use q_encoding::literals;
pub use q_encoding::{QLiterals, decode_word, encode_joined, is_q_literal};
pub use unambiguous::is_unambiguous;
pub use well_formed::is_well_formed;

use crate::ascii::is_printable;

/// Returns whether an octet may stand for itself (rules 2 and 3; white space at the end of a line
/// is treated separately).
#[inline]
fn is_literal(octet: u8) -> bool {
    is_printable(octet) & (octet != b'=') | (octet == b'\t')
}
