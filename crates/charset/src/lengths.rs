//! Lengths in octets that the standards set or that this library has chosen, each in one place with
//! its rule.

/// The longest line of a message, its line end not counted (RFC 5322, 2.1.1; RFC 2045, 2.7).
pub const MAX_LINE: usize = 998;

/// The length at which a line is folded wherever it can be (RFC 5322, 2.1.1).
pub const PREFERRED_LINE: usize = 78;

/// The octets of a header section that are read at most, whatever the limits are: their places fit
/// in 32 bits.
pub const MAX_READ_HEADER: usize = u32::MAX as usize;

/// The longest line of a body in quoted-printable (RFC 2045, 6.7, rule 5) or base64 (6.8).
pub const MAX_ENCODED_LINE: usize = 76;

/// The longest boundary of a multipart (RFC 2046, 5.1.1).
pub const MAX_BOUNDARY: usize = 70;

/// The longest name of a charset (RFC 2978, 2.3).
pub const MAX_CHARSET_NAME: usize = 40;

/// The longest token of a header field that is written as it is: after the name of a field or
/// parameter it still fits on a line of [`MAX_LINE`]. Longer ones are encoded, or not taken for a
/// token.
pub const MAX_TOKEN: usize = 900;

/// The longest line with a token on it that cannot be folded: [`MAX_LINE`] with room for a few
/// octets of punctuation.
pub const MAX_UNFOLDABLE_LINE: usize = 990;
