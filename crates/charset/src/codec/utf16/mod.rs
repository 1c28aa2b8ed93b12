//! UTF-16 (RFC 2781), with a byte order mark or without.
//!
//! Text in chunks goes through the [`Charset`](crate::Charset)s `UTF-16`, `UTF-16BE` and
//! `UTF-16LE`.
//!
//! ```
//! use sevenbit::utf16::{self, ByteOrder, Label, Bom};
//!
//! let octets = utf16::encode("=Ra", ByteOrder::Little, Bom::With);
//! assert_eq!(octets, b"\xFF\xFE=\0R\0a\0");
//! assert_eq!(utf16::decode_strict(&octets, Label::WithBom)?, "=Ra");
//! assert_eq!(utf16::decode_strict(&octets, Label::Ordered(ByteOrder::Little))?, "\u{FEFF}=Ra");
//! // An error names the unit that is half of a pair.
//! let error = utf16::decode_strict(b"\xD8\x08\0=", Label::WithBom).unwrap_err();
//! assert_eq!((error.offset(), error.value()), (0, Some(0xD808)));
//! # Ok::<(), sevenbit::Error>(())
//! ```

mod block;
mod decode;
mod encode;
#[doc(hidden)]
pub mod order;
#[cfg(test)]
mod tests;
mod units;
#[doc(hidden)]
pub mod vector;

use std::borrow::Cow;

#[doc(hidden)]
pub use decode::Decoder;
#[doc(hidden)]
pub use encode::Encoder;
#[doc(hidden)]
pub use units::{push_text, push_units};

pub use super::byte_order::{Bom, ByteOrder, Label};
use crate::report::Tally;
use crate::{Decoded, Error};

/// Reads UTF-16 leniently: U+FFFD for each surrogate without its other half, for an octet left over
/// at the end, and for a byte order mark of the wrong order.
pub fn decode(octets: &[u8], label: Label) -> Decoded<'static> {
    let (mut text, mut tally) = (String::with_capacity(octets.len()), Tally::default());
    Decoder::new(label).decode(octets, true, &mut text, &mut tally);
    Decoded::new(Cow::Owned(text), tally.into_issues())
}

/// Reads UTF-16 strictly.
///
/// # Errors
/// The first fault, and where it is: `unpaired-surrogate` with the unit ([`Error::value`]),
/// `wrong-byte-order`, `odd-octets`.
pub fn decode_strict(octets: &[u8], label: Label) -> Result<String, Error> {
    decode(octets, label).into_strict().map(Cow::into_owned)
}

/// Writes UTF-16. Under the labels `UTF-16BE` and `UTF-16LE` it has no byte order mark, under
/// `UTF-16` it should have one (RFC 2781, 3.3).
pub fn encode(text: &str, order: ByteOrder, bom: Bom) -> Vec<u8> {
    let (mut encoder, mut out) = (Encoder::new(order, bom), Vec::new());
    encoder.encode(text, &mut out);
    encoder.finish(&mut out);
    out
}
