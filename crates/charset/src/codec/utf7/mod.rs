//! UTF-7 (RFC 2152): Unicode text in octets that every mail gateway lets through.
//!
//! Characters of set D stand for themselves, others in a shifted sequence: `+`, their UTF-16 in
//! base64 without padding, and `-` where the sequence would not end by itself. Text in chunks goes
//! through [`Charset::UTF_7`](crate::Charset::UTF_7); the dialect of IMAP is
//! [`mailbox_name`](crate::mailbox_name).
//!
//! ```
//! use sevenbit::utf7::{self, Direct};
//!
//! assert_eq!(utf7::decode_strict(b"Hi Mom -+Jjo--!")?, "Hi Mom -☺-!");
//! assert_eq!(utf7::encode("1 + 1 = 2", Direct::MailSafe), "1 +- 1 +AD0 2");
//! assert_eq!(utf7::encode("1 + 1 = 2", Direct::OptionalDirect), "1 +- 1 = 2");
//! assert_eq!(utf7::encode_lines("日本語\u{2028}日本語日本語", Direct::MailSafe, 16), "+ZeVnLIqe\r\n+ZeVnLIqeZeVnLA\r\n+ip4-");
//! assert_eq!(utf7::decode_strict(b"100 +!").unwrap_err().offset(), 4);
//! # Ok::<(), sevenbit::Error>(())
//! ```

mod decode;
mod dialect;
mod encode;
mod lines;
mod run;
#[cfg(test)]
mod tests;
mod units;
mod vector;

use std::borrow::Cow;

#[doc(hidden)]
pub use decode::Decoder;
pub use encode::Direct;
#[doc(hidden)]
pub use encode::Encoder;
pub use lines::encode_lines;
#[doc(hidden)]
pub use run::{Run, copy_direct, replace};
#[doc(hidden)]
pub use units::Units;

use super::{scan, text};
use crate::report::Tally;
use crate::{Decoded, Error};

/// Reads UTF-7 leniently: U+FFFD for each ill-formed shift, for leftover bits, for each unpaired
/// surrogate and for each octet above 7F. Characters that may not occur directly (`~`, `\`, control
/// characters) are read as they are, with a note.
pub fn decode(octets: &[u8]) -> Decoded<'_> {
    if scan::find(octets, dialect::is_special) == octets.len() {
        return Decoded::new(String::from_utf8_lossy(octets), Vec::new());
    }
    let (mut text, mut tally) = (String::with_capacity(octets.len()), Tally::default());
    Decoder::new().decode(octets, true, &mut text, &mut tally);
    Decoded::new(Cow::Owned(text), tally.into_issues())
}

/// Reads UTF-7 strictly.
///
/// # Errors
/// The first fault, and where it is: `shift-without-base64`, `leftover-bits` and
/// `unpaired-surrogate` at the `+`, `not-ascii` at the octet.
pub fn decode_strict(octets: &[u8]) -> Result<Cow<'_, str>, Error> {
    decode(octets).into_strict()
}

/// Writes UTF-7 (rules 1 to 3).
pub fn encode(text: &str, direct: Direct) -> Cow<'_, str> {
    if direct.all(text) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + text.len() / 2);
    let mut encoder = Encoder::new(direct);
    encoder.encode(text, &mut out);
    encoder.finish(&mut out);
    Cow::Owned(text::from_utf8(out))
}
