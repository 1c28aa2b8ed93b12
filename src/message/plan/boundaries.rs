//! The boundaries that we write (rule G6): how each begins, and what could be misread for one in
//! content.

use memchr::memmem;

use super::context::Context;
use crate::codec::quoted_printable::LineStarts;
use crate::facts::delimiters::{delimiter_start, holds_delimiter_like_line};

/// How a new boundary begins: with the first of these that does not begin with a boundary that has
/// to stay. `=_` does not occur in any quoted-printable or base64 line.
const STEMS: [&str; 3] = ["=_sevenbit_", "_sevenbit_", "sevenbit_"];

/// What no line that we write may begin with; the last ones only in a multipart.
const STARTS: [&[u8]; 5] = [b"From ", b".", b"--=_sevenbit_", b"--_sevenbit_", b"--sevenbit_"];

/// Returns the first stem with which no new name is like one of `fixed`, which have to stay.
pub(super) fn stem_beside<'b>(fixed: impl Iterator<Item = &'b [u8]> + Clone) -> &'static str {
    let is_free = |stem: &&str| !fixed.clone().any(|boundary| is_like_new(boundary, stem));
    STEMS.into_iter().find(is_free).unwrap_or(STEMS[0])
}

/// Returns a new boundary.
pub(super) fn new_boundary(stem: &str, number: usize) -> String {
    format!("{stem}{number}_")
}

/// Returns whether `boundary` could be the beginning of a new one with that stem.
pub(super) fn is_like_new(boundary: &[u8], stem: &str) -> bool {
    let digits = boundary.strip_prefix(stem.as_bytes());
    stem.as_bytes().starts_with(boundary)
        || digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
}

/// Returns the numbers of new boundaries that already occur in `octets`.
pub(super) fn numbers_in(octets: &[u8]) -> impl Iterator<Item = usize> {
    // A longer number will never be reached.
    const MAX_DIGITS: usize = 9;
    // The common ending of all of them.
    const STEM: &str = STEMS[2];
    memmem::find_iter(octets, STEM).filter_map(|at| {
        let digits = &octets[at + STEM.len()..];
        let len = digits.iter().take(MAX_DIGITS).take_while(|octet| octet.is_ascii_digit()).count();
        std::str::from_utf8(&digits[..len]).ok()?.parse().ok()
    })
}

/// Returns what no line that we write in the body of an entity may begin with (rule B4): `From `,
/// which is given a `>` in mbox files; a full stop, which is doubled or ends the message in SMTP;
/// and what looks like a delimiter of a surrounding multipart, also with the new boundary that any
/// of them may yet get.
pub(super) fn starts_to_avoid(ctx: &Context<'_, '_>, index: usize) -> LineStarts {
    let delimiters: Vec<_> =
        ctx.multiparts_around(index).map(|(_, own)| delimiter_start(own)).collect();
    LineStarts::new(if delimiters.is_empty() { &STARTS[..2] } else { &STARTS }, delimiters)
}

/// The boundaries in content that was encoded and now becomes visible.
#[derive(Debug, Default)]
pub(super) struct Exposed {
    /// Multiparts for whose delimiter a line in it could be taken.
    pub(super) multiparts: Vec<usize>,
    /// The numbers of new boundaries in it.
    pub(super) numbers: Vec<usize>,
}

impl Exposed {
    /// Returns what `content` could be misread for: it came out of an encoding, or was rewritten,
    /// and goes into the body of an entity as it is (rule B4).
    pub(super) fn by(ctx: &Context<'_, '_>, index: usize, content: &[u8]) -> Self {
        let misread = |(_, boundary): &(usize, &[u8])| holds_delimiter_like_line(content, boundary);
        Self {
            multiparts: ctx.multiparts_around(index).filter(misread).map(|(at, _)| at).collect(),
            numbers: numbers_in(content).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_begins_with_a_new_delimiter() {
        assert_eq!(STARTS[2..], STEMS.map(|stem| delimiter_start(stem.as_bytes())));
    }
}
