//! UTF-7 (RFC 2152), and the engine of shifted sequences that IMAP names share.
//!
//! Two named dialects, one engine: [`Run`] reads the symbols of a shifted sequence, [`Units`] writes them; what
//! shifts, what may stand directly and how a sequence ends is each dialect's own (`mailbox_name` for IMAP's).

mod decode;
mod encode;
mod lines;
mod run;
#[cfg(test)]
mod tests;
mod units;

use std::borrow::Cow;

pub(crate) use decode::Decoder;
pub(crate) use encode::{Direct, Encoder};
pub(crate) use lines::encode_lines;
pub(super) use run::{Run, copy_direct, replace};
pub(super) use units::Units;

use crate::Decoded;
use crate::issue::Tally;

/// Reads UTF-7 leniently: U+FFFD for each ill-formed shift, for leftover bits, for each unpaired surrogate
/// and for each octet above 7F. [`Decoded::into_lossless`] is the strict reading.
pub(crate) fn decode(octets: &[u8]) -> Decoded<'_> {
    let (mut text, mut tally) = (String::with_capacity(octets.len()), Tally::default());
    Decoder::new().decode(octets, true, &mut text, &mut tally);
    Decoded::new(Cow::Owned(text), tally.into_issues())
}

/// Appends `text` in UTF-7.
pub(crate) fn encode(text: &str, direct: Direct, out: &mut Vec<u8>) {
    out.reserve(text.len() + text.len() / 2);
    let mut encoder = Encoder::new(direct);
    encoder.encode(text, out);
    encoder.finish(out);
}
