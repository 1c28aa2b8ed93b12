//! The room on a line for octets without a fold inside (rule G3).

use super::MAX_TOKEN;
use crate::syntax::encoded_word::{MAX_WORD, holds_word};

/// The longest token that may hold what looks like an encoded-word: brackets, a separator and the
/// white space before it are on the line, too.
pub const MAX_BESIDE_WORD: usize = MAX_WORD - 5;

/// Returns whether octets that are not folded inside fit on a line, with a separator beside them.
/// What looks like an encoded-word in them may not be one, but lines are measured as if it were.
pub fn fits(octets: &[u8]) -> bool {
    octets.len() <= MAX_BESIDE_WORD || octets.len() <= MAX_TOKEN && !holds_word(octets)
}

/// Returns whether octets that stay hold a word that does not fit on any line.
pub fn holds_long_word(octets: &[u8]) -> bool {
    octets.len() > MAX_WORD && holds_word(octets)
}
