//! IMAP mailbox names (RFC 3501, 5.1.3).

use std::borrow::Cow;

use crate::{Decoded, Error};

/// Reads a mailbox name leniently.
pub fn decode(name: &[u8]) -> Decoded<'_> {
    Decoded::new(String::from_utf8_lossy(name), Vec::new())
}

/// Reads a mailbox name strictly.
///
/// # Errors
/// What is ill-formed, and where.
pub fn decode_strict(name: &[u8]) -> Result<Cow<'_, str>, Error> {
    decode(name).into_lossless()
}

/// Writes a mailbox name.
pub fn encode(name: &str) -> Cow<'_, str> {
    Cow::Borrowed(name)
}
