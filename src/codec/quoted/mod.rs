//! Quoted-printable (RFC 2045, 6.7) and the Q encoding of RFC 2047.

mod clean;
mod count;
mod cut;
mod decode;
mod encode;
mod plain;
mod sound;
mod start;
#[cfg(test)]
mod tests;
mod widen;
mod word;

pub(crate) use clean::is_clean;
pub(crate) use count::count;
pub(crate) use decode::decode;
pub(crate) use encode::{encode_text_to, text_fits};
pub(crate) use start::has_risky_line;
#[cfg(test)]
pub(in crate::codec) use word::is_literal_in;
pub(in crate::codec) use word::literals;
pub(crate) use word::{Place, decode_word, encode_joined};

/// RFC 2045, 6.7, rule 5: no encoded line is longer.
const LINE: usize = 76;

/// Whether an octet may stand for itself (rules 2 and 3; white space at the end of a line is another matter).
#[inline]
fn is_literal(octet: u8) -> bool {
    (octet.wrapping_sub(b' ') < 0x5F) & (octet != b'=') | (octet == b'\t')
}
