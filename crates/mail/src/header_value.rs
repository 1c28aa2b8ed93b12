//! The value of an unstructured header field by itself, without a message around it.

use std::borrow::Cow;

use crate::decode::{RawText, text_guessing};
use crate::{Decoded, encode};

/// Reads the value of an unstructured header field: encoded-words decoded, folds undone.
///
/// Raw 8-bit octets are UTF-8 if they can be; otherwise their charset is guessed, and that is
/// reported.
///
/// ```
/// let subject = sevenbit::decode_header(b"=?iso-8859-1?Q?caf=E9?= au\r\n lait");
/// assert_eq!(subject.text(), "caf\u{e9} au lait");
/// ```
pub fn decode_header(value: &[u8]) -> Decoded<'_> {
    text_guessing(value, || RawText::in_value(value))
}

/// Writes text as the value of an unstructured header field: plain where possible, otherwise in
/// encoded-words.
///
/// Folds are CRLF and white space, placed for a field name of at most 20 octets. Controls cannot be
/// carried: NUL is dropped, others become a space. More than eight spaces in a row become one, and
/// so do two before an encoded-word that fills its line (RFC 2047 allows 76 octets).
///
/// ```
/// assert_eq!(sevenbit::encode_header("plain text"), "plain text");
/// assert_eq!(sevenbit::encode_header("un caf\u{e9} noir"), "un =?utf-8?B?Y2Fmw6k=?= noir");
/// ```
pub fn encode_header(text: &str) -> Cow<'_, str> {
    encode::header_value(text)
}
