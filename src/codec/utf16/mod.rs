//! UTF-16 (RFC 2781).

mod block;
mod decode;
mod encode;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub(crate) use decode::Decoder;
pub(crate) use encode::{Encoder, encode};

use super::text::{ByteOrder, Label};
use crate::Decoded;
use crate::issue::Tally;

/// Reads UTF-16 leniently: U+FFFD for each surrogate without its other half, for an octet left over at the end, and for
/// a signature of the wrong order. [`Decoded::into_lossless`] is the strict reading.
pub(crate) fn decode(octets: &[u8], label: Label) -> Decoded<'static> {
    let (mut text, mut tally) = (String::with_capacity(octets.len()), Tally::default());
    Decoder::new(label).decode(octets, true, &mut text, &mut tally);
    Decoded::new(Cow::Owned(text), tally.into_issues())
}
