//! UTF-8 (RFC 3629), and names for everything that is not.
//!
//! Well-formed text goes through `simdutf8` and stays borrowed. What is ill-formed is named by one function,
//! [`fault`], whatever then becomes of it: U+FFFD, the character of an older charset, or the octet itself in UTF-8B.

mod decode;
mod fault;
mod form;
#[cfg(test)]
mod tests;
mod utf8b;

use std::borrow::Cow;

pub(crate) use decode::{Decoder, Policy};
pub(crate) use form::{Form, recognise};
pub(crate) use utf8b::{from_utf8b, to_utf8b};

use crate::Decoded;
use crate::issue::Tally;

/// The text, if `octets` are well-formed.
pub(crate) fn validate(octets: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(octets).ok()
}

/// Reads UTF-8, borrowed where it is well-formed. [`Decoded::into_lossless`] is the strict reading.
pub(crate) fn decode(octets: &[u8], policy: Policy) -> Decoded<'_> {
    if let Some(text) = validate(octets) {
        return Decoded::new(Cow::Borrowed(text), Vec::new());
    }
    let (mut text, mut tally) = (String::with_capacity(octets.len()), Tally::default());
    Decoder::new(policy).decode(octets, true, &mut text, &mut tally);
    Decoded::new(Cow::Owned(text), tally.into_issues())
}
